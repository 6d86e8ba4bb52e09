import numpy as np
import pytest

from textspace.datasets import Corpus
from textspace.evaluation import LABEL_METHODS, compare, compare_multilabel
from textspace.evaluation._thresholds import best_threshold

WORDS = {
    "grain": "corn wheat harvest barley crop",
    "ship": "port cargo vessel tanker sea",
    "money": "bank rate bond loan dollar",
    "rare": "tin mine ore zinc lead",
}


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(0)
    texts, labels = [], []
    for _ in range(160):
        chosen = [
            label for label, share in zip(WORDS, (0.5, 0.4, 0.3, 0.06), strict=True) if rng.random() < share
        ]
        words = [word for label in chosen for word in rng.choice(WORDS[label].split(), 2, replace=False)]
        texts.append(" ".join([*words, *rng.choice(["today", "price", "week", "report", "year"], 3)]))
        labels.append(chosen)
    return Corpus("goods", texts, labels)


def test_all_methods_on_the_same_rows(corpus):
    rows = compare_multilabel(corpus, train_share=0.6).methods
    assert [row["method"] for row in rows] == list(LABEL_METHODS)
    for row in rows:
        assert row["scores"]["micro_f1"] > 0.8, row["method"]
        assert row["scores"]["propensity_precision_at_1"] > 0.5
        assert ("calibration_error" in row["scores"]) == (not row["method"].startswith("svm"))
        assert len({row["scores"]["cardinality_true"] for row in rows}) == 1
    assert rows[0]["significance"] is None
    assert set(rows[1]["significance"]) == {"s", "S", "T"}
    again = compare_multilabel(corpus, ["svm-thresholds"], train_share=0.6).methods
    assert again[0]["scores"] == rows[2]["scores"]


def test_tuned_thresholds_find_more_of_a_rare_label(corpus):
    plain, tuned = compare_multilabel(corpus, ["logistic", "logistic-thresholds"], train_share=0.6).methods
    assert tuned["scores"]["macro_recall"] >= plain["scores"]["macro_recall"]


def test_the_split_of_the_corpus_and_labels_of_one_side(corpus):
    split = np.where(np.arange(len(corpus)) % 3 == 0, "test", "train")
    labels = corpus.labels.copy()
    labels[0], labels[1] = ("only tested",), ("everywhere",)
    given = Corpus("goods", corpus.texts, labels, split)
    for row in compare_multilabel(given, ["svm", "blend"]).methods:
        assert row["scores"]["macro_f1"] < row["scores"]["macro_f1_tested"]


def test_what_cannot_be_compared(corpus):
    with pytest.raises(ValueError, match="several labels a document: compare_multilabel takes it"):
        compare(corpus, "svm")
    with pytest.raises(ValueError, match="'dne' learns one label a document: for several labels choose auto"):
        compare_multilabel(corpus, ["dne"])
    with pytest.raises(ValueError, match="no tree in which labels could imply others"):
        compare_multilabel(corpus, ["svm"], ancestors=True)
    with pytest.raises(ValueError, match="has one label a document"):
        compare_multilabel(Corpus("one", ["a", "b"], ["x", "y"]))


def test_methods_of_the_catalogue_and_estimators_of_ones_own(corpus):
    names = ["rlsc", "cm", "svm-calibrated", "nb-svm", "sklearn.linear_model:RidgeClassifier"]
    names += ["sklearn.neighbors:KNeighborsClassifier"]
    rows = compare_multilabel(corpus, names, train_share=0.6).methods
    assert [row["error"] for row in rows] == [None] * 6
    assert all(row["scores"]["micro_f1"] > 0.7 for row in rows)
    assert all(row["scores"]["calibration_error"] < 0.15 for row in rows)
    assert rows[1]["settings"][0].keys() == {"classify__metric"}
    assert rows[3]["settings"][0].keys() == {"C"}


def test_a_method_that_fails_does_not_stop_the_others(corpus):
    failed, svm = compare_multilabel(
        corpus, ["sklearn.naive_bayes:CategoricalNB", "svm"], train_share=0.6
    ).methods
    assert failed["scores"] is None
    assert "Error" in failed["error"]
    assert svm["scores"]["micro_f1"] > 0.8
    assert svm["significance"] is None


def test_folds_test_each_document_once(corpus):
    [row] = compare_multilabel(corpus, ["svm"], folds=4).methods
    assert len(row["splits"]) == 4
    assert row["scores"]["cardinality_true"] == pytest.approx(np.mean([len(own) for own in corpus.labels]))
    _, repeated = compare_multilabel(corpus, ["logistic", "svm"], train_share=0.5, repeats=2).methods
    assert len(repeated["splits"]) == 2
    assert repeated["significance"] is None  # some documents are tested twice
    assert repeated["splits"][0] != repeated["splits"][1]


def test_labels_that_imply_their_ancestors(corpus):
    tree = {"grain": "goods", "ship": None, "money": None, "rare": "goods"}
    tree = Corpus("goods", corpus.texts, corpus.labels, tree=tree)
    [alone] = compare_multilabel(tree, ["svm"], train_share=0.6).methods
    [implied] = compare_multilabel(tree, ["svm"], train_share=0.6, ancestors=True).methods
    assert implied["scores"]["cardinality_true"] > alone["scores"]["cardinality_true"]
    assert implied["scores"]["hierarchical_f1"] == pytest.approx(implied["scores"]["micro_f1"])
    assert 0.8 < alone["scores"]["hierarchical_f1"] < 1


@pytest.mark.parametrize(
    ("inside", "values", "threshold", "f1"),
    [
        ([True, False, True], [0.9, 0.2, 0.6], 0.4, 1.0),
        ([True, True], [0.5, 0.5], 0.5 - 1e-6, 1.0),
        ([False, False], [0.5, 0.7], 0.7, 0.0),
        ([True, False], [-np.inf, -np.inf], -np.inf, 2 / 3),
    ],
)
def test_the_threshold_of_the_highest_f1(inside, values, threshold, f1):
    found = best_threshold(np.array(inside), np.array(values))
    assert found == pytest.approx((threshold, f1))
