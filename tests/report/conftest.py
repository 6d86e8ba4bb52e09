"""Pages of reports taken apart."""

import json
from html.parser import HTMLParser

import pytest
from tests.comparisons import comparison_maker, with_tree, with_twins  # noqa: F401

VOID = {"meta", "input", "br", "link", "img", "hr"}
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }} {% raw %} & <b>bold</b>",
    "<!-- ]]> \u2028 --!>",
]


class Page(HTMLParser):
    """A page taken apart; fails where tags do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else None, data))

    def values(self, attribute):
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]

    def text_in(self, tag):
        return [data for parent, data in self.texts if parent == tag]

    @property
    def data(self):
        [text] = [text for text in self.text_in("script") if text.startswith("{")]
        return json.loads(text)

    @property
    def shown(self):
        return " ".join(text for tag, text in self.texts if tag not in ("script", "style"))


@pytest.fixture(scope="session")
def take_apart():
    """Give the function that takes the text of a page apart."""
    return Page


@pytest.fixture(scope="session")
def hostile():
    """Give texts that try to become part of a page."""
    return HOSTILE
