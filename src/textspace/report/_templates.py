"""The templates of the pages, and how they write numbers."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from textspace._wording import p_text

SCORE = "{:.3f}".format


@cache  # reading a template takes longer than filling it
def template(name, **filters):
    """Give a template of this package in which all text is escaped and every name must be known.

    The filters turn values into text on this page, beside ``score``, ``p_value`` and ``thousands``.
    """
    environment = Environment(
        loader=PackageLoader("textspace.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "score": SCORE,
        "p_value": p_text,
        "thousands": lambda count: "–" if count is None else f"{count:,.0f}",
        **filters,
    }
    return environment.get_template(name)


def entry_text(key):
    """Write the name of an entry of a card.

    Examples
    --------
    >>> entry_text("n_terms")
    'terms'
    """
    return key.removeprefix("n_").replace("_", " ")
