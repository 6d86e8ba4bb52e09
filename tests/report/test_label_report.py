import re
from dataclasses import replace

import numpy as np
import pytest

from textspace.evaluation import evaluate
from textspace.models import TextClassifier
from textspace.report import write_model_report
from textspace.report._label_report import SECTIONS, shown_documents

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def judged(hostile):
    """Give a model whose labels are hostile texts, and its evaluation with an unknown label."""
    rng = np.random.default_rng(0)
    own = {label: [f"w{place}x{i}" for i in range(4)] for place, label in enumerate(hostile)}
    texts, labels = [], []
    for number in range(80):
        chosen = rng.choice(hostile, 1 + number % 3, replace=False).tolist()
        texts.append(
            " ".join(word for label in chosen for word in rng.choice(own[label], 2)) + f" <b>{number}"
        )
        labels.append(chosen)
    model = TextClassifier(quick=True).fit(texts[:60], labels[:60])
    labels[70] = [*labels[70], "never seen"]
    return model, evaluate(model, texts[60:], labels[60:])


@pytest.fixture(scope="module")
def page(judged, take_apart, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "labels.html"
    write_model_report(judged[0], path, judged[1])
    return take_apart(path.read_text(encoding="utf-8"))


def test_the_page_has_its_sections_and_asks_for_nothing(page):
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == list(SECTIONS)
    assert not page.values("src")
    assert all(address.startswith("#") for address in page.values("href"))


def test_hostile_labels_and_texts_are_shown_as_they_are(page, judged, hostile):
    assert page.text_in("b") == []
    for label in hostile:
        assert label.split("\u2028")[0] in page.shown
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_figures_are_those_of_the_evaluation(page, judged):
    _, evaluation = judged
    assert f"{evaluation.scores['micro_f1']:.3f}" in page.shown
    assert f"{evaluation.scores['macro_f1_tested']:.3f}" in page.shown
    assert "never seen" in page.shown
    rows = [attributes for tag, attributes in page.tags if tag == "th" and "data-value" in attributes]
    assert {row["data-value"] for row in rows} == set(evaluation.classes)


def test_documents_with_the_most_errors_come_first(judged):
    _, evaluation = judged
    documents = shown_documents(evaluation)
    errors = [len(one["missed"]) + len(one["wrong"]) + one["n_unknown"] for one in documents]
    assert errors == sorted(errors, reverse=True)
    assert min(errors) > 0
    assert 10 in {one["row"] for one in documents}  # the one with the unknown label


def test_the_table_sorts_and_the_errors_are_searched(page):
    [script] = [text for text in page.text_in("script") if "aria-sort" in text]
    assert "error-words" in script
    assert re.search(r"by-class thead button", script)


def test_an_evaluation_of_other_labels_is_refused(judged, tmp_path):
    model, evaluation = judged
    other = replace(evaluation, classes=["x"] * len(evaluation.classes))
    with pytest.raises(ValueError, match="of a model with other classes"):
        write_model_report(model, tmp_path / "page.html", other)
