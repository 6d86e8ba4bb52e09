"""The Python code in the documentation runs, page by page."""

import re
from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression
from tests.signing_keys import write_keys

from textspace.datasets import load
from textspace.models import TextClassifier, save
from textspace.text import VectorSpace
from textspace.tree import LabelTree

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Pages whose code needs what is not here, and why.
ELSEWHERE = {
    "dask": "a cluster; tests/dask has its own",
    "datasets": "files of other people",
}
# The demo corpus stands for the larger ones, what is in it for what is in them, little work for much.
INSTEAD = (
    (r'load\("(reuters-r52|20newsgroups|tdt2-30)"\)', 'load("demo")'),
    (r"^(y|labels) = \[.*\]  # one for each .*$", r"\1 = partly"),
    (r"repeats=10", "repeats=1"),
    (r'"lrwmmc,[a-z,]+"', '"nb,svm"'),
    (r"LSI\(200\)", "LSI(20)"),
    (r"\[1, 3, 5, 10, 20, 30, 40, 50\]", "[1, 3]"),
    (r"ranks=18", "ranks=3"),
    (r'estimators_\["rec.sport"\]', 'estimators_["home"]'),
    (r'scaled_terms_\["corn"\]', 'scaled_terms_["rice"]'),
)


def blocks(page):
    """Give the Python code of a page, one text a block."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


PAGES = {
    page.stem: page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if blocks(page)
}


@pytest.fixture(scope="module")
def given():
    """Names that the pages take as known: documents, their labels and matrices."""
    corpus = load("demo")
    texts, labels, new_texts = corpus.train.texts, corpus.train.labels, corpus.test.texts
    vectors = VectorSpace()
    X, X_new = vectors.fit_transform(texts), vectors.transform(new_texts)
    return {
        "corpus": corpus, "texts": texts, "labels": labels, "new_texts": new_texts, "vectors": vectors,
        "X": X, "X_new": X_new, "y": labels, "y_true": corpus.test.labels,
        "y_pred": corpus.test.labels, "Y": labels[:, None] == corpus.classes, "tree": LabelTree(corpus.tree),
        "partly": [label if row % 3 else "" for row, label in enumerate(labels)],
        "LogisticRegression": LogisticRegression,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PAGES.keys() - ELSEWHERE))
def test_the_code_of_a_page_runs(name, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "service":
        save(TextClassifier("nb").fit(given["texts"], given["labels"]), "model.textspace")
    known = dict(given)
    if name == "hierarchy":
        Path("tree.csv").write_text("child,parent\ncorn,grain\n", encoding="utf-8")
        known["labels"] = ["rice", "tin", "iron-steel"]
    if name == "model-files":
        write_keys(tmp_path)
    for number, code in enumerate(blocks(PAGES[name])):
        for pattern, replacement in INSTEAD:
            code = re.sub(pattern, replacement, code, flags=re.MULTILINE)
        exec(compile(code, f"{PAGES[name].name}, block {number + 1}", "exec"), known)


def test_promises_are_held_by_tests_that_there_are():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    for file, test in named:
        content = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {test}\(", content, re.MULTILINE), f"{file} has no {test}"


def test_pages_that_are_left_out_are_there():
    assert PAGES.keys() >= ELSEWHERE.keys()
