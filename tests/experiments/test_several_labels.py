"""The study of several labels: every method answers the same small questions, in the same order of labels."""

from importlib.util import find_spec

import numpy as np
import pytest

from experiments import several_labels
from textspace.datasets import Corpus

WORDS = {"grain": "corn wheat harvest", "ship": "vessel harbour cargo", "metal": "copper ore smelter"}
SETS = [("grain",), ("ship",), ("metal",), ("grain", "ship"), ("metal", "ship"), ("grain", "metal")]


@pytest.fixture(autouse=True)
def corpus(monkeypatch):
    rng = np.random.default_rng(0)
    labels = [SETS[row % 6] for row in range(90)]
    texts = [
        " ".join(rng.permutation([word for label in own for word in WORDS[label].split()])) for own in labels
    ]
    made = Corpus("goods", texts, labels, ["train"] * 60 + ["test"] * 30)
    monkeypatch.setattr(several_labels, "load_once", lambda name: made)
    return made


@pytest.mark.parametrize("method", several_labels.METHODS)
def test_every_method_finds_labels_that_have_words_of_their_own(method):
    found = several_labels.measure("goods", method)
    library = next((module for name, module in several_labels.NEEDS.items() if method.startswith(name)), None)
    if library is not None and find_spec(library) is None:
        assert found == []
        return
    [record] = found
    assert record["micro_f1"] > 0.95
    assert record["precision_at_1"] == 1
    assert record["cpu_seconds"] > 0
    assert (record["calibration_error"] is None) == (method not in ("textspace", "blend"))


def test_peers_have_rows_of_unit_length(corpus):
    for part, rows in zip((corpus.train, corpus.test), several_labels.rows(corpus), strict=True):
        assert rows.shape[0] == len(part.texts)
        np.testing.assert_allclose(rows.power(2).sum(axis=1), 1)


def test_labels_of_one_side_only_have_a_column(corpus):
    corpus.labels[0], corpus.labels[60] = ("rare",), ("new", "ship")
    learned, truth, classes = several_labels._indicators(corpus)
    assert classes.tolist() == ["grain", "metal", "new", "rare", "ship"]
    assert learned[:, [2]].sum() == 0
    assert truth[[0]].toarray().tolist() == [[False, False, True, False, True]]
    given, values, _ = several_labels._from_texts(corpus, "textspace")
    assert given.shape == values.shape == truth.shape
    assert not given[:, 2].any()


def test_the_table_has_a_row_for_each_record():
    record = dict.fromkeys(several_labels.SCORES.values(), 0.5) | {
        "calibration_error": None,
        "cpu_seconds": 2.0,
    }
    text = several_labels.report([{"corpus": "debian-tags", "method": "omikuji", **record}])
    [row] = [line for line in text.splitlines() if line.startswith("| omikuji")]
    assert row.split(" | ")[1] == "0.500"
    assert row.endswith("|  | 2.0 |")
