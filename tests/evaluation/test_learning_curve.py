import numpy as np
import pytest
from sklearn.metrics import f1_score

from textspace.evaluation import learning_curve
from textspace.evaluation._learning_curve import _share_of_classes
from textspace.models import TextClassifier


def test_the_last_point_is_the_whole_model(corpus, others):
    curve = learning_curve(
        TextClassifier("rlsc"), corpus.texts, corpus.labels, others.texts, others.labels, shares=(0.3, 1.0)
    )
    assert [point["n_train"] for point in curve] == [18, 60]
    answers = TextClassifier("rlsc").fit(corpus.texts, corpus.labels).predict(others.texts)
    assert curve[-1]["micro_f1"] == pytest.approx(f1_score(others.labels, answers, average="micro"))
    assert curve[-1]["macro_f1"] == pytest.approx(f1_score(others.labels, answers, average="macro"))


def test_unlabelled_documents_take_no_part_and_equal_sizes_are_fitted_once(corpus, others):
    labels = corpus.labels.astype(object)
    labels[::2] = None
    curve = learning_curve(TextClassifier("rlsc"), corpus.texts, labels, others.texts, others.labels)
    sizes = [point["n_train"] for point in curve]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == 30


def test_shares_are_nested_and_hold_every_class():
    labels = np.array(["a"] * 50 + ["b"] * 10 + ["c"] * 2 + ["d"] + [""] * 5)
    smaller = set()
    for share in (0.05, 0.2, 0.5, 1.0):
        rows = _share_of_classes(labels, share, 0)
        assert smaller <= set(rows)
        assert set(labels[rows]) == {"a", "b", "c", "d"}
        smaller = set(rows)
    assert smaller == set(range(63))
    counts = np.unique(labels[_share_of_classes(labels, 0.2, 0)], return_counts=True)[1]
    assert counts.tolist() == [10, 2, 2, 1]


def test_several_labels_a_document():
    rng = np.random.default_rng(0)
    words = {"grain": "corn wheat crop", "ship": "port cargo vessel", "money": "bank bond loan"}
    lists = [[label for label in words if rng.random() < 0.5] for _ in range(120)]
    texts = [" ".join(["today", *(rng.choice(words[label].split()) for label in own)]) for own in lists]
    labels = [*lists[:79], None]
    parts = texts[:80], labels, texts[80:], lists[80:]
    curve = learning_curve(TextClassifier("rlsc"), *parts, shares=(0.2, 0.5, 1.0))
    assert [point["n_train"] for point in curve][-1] == 79
    assert [round(point["n_train"], -1) for point in curve[:2]] == [20, 40]
    given = TextClassifier("rlsc").fit(texts[:80], labels).predict(texts[80:])
    truth, answers = ([[label in own for label in words] for own in each] for each in (lists[80:], given))
    assert curve[-1]["micro_f1"] == pytest.approx(f1_score(truth, answers, average="micro"))
    assert curve[-1]["macro_f1"] == pytest.approx(f1_score(truth, answers, average="macro"))
