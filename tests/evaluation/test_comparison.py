from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import f1_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from textspace.datasets import Corpus
from textspace.evaluation import compare, hierarchical_scores, scores
from textspace.methods import METHODS, Method
from textspace.text import VectorSpace


class RecordingSpace(VectorSpace):
    """A vector space that notes the texts it is fitted on."""

    fitted_on: ClassVar[list] = []

    def fit(self, texts, y=None):
        RecordingSpace.fitted_on.append((self.scheme, list(texts)))
        return super().fit(texts, y)

    def fit_transform(self, texts, y=None):
        return self.fit(texts, y).transform(texts)


def method(name, build, **fields):
    return Method(name, name, "", "", build, fields.pop("grid", {}), **fields)


def comparable(comparison):
    """All of a comparison but times."""
    runs = [{k: v for k, v in run.items() if "seconds" not in k} for run in comparison.runs]
    return runs, comparison.truth, comparison.corpus, comparison.map


def test_a_run_is_the_method_fitted_on_training_documents(corpus):
    comparison = compare(corpus, "svm,knn", n_jobs=1)
    space = VectorSpace()
    X_train, X_test = space.fit_transform(corpus.train.texts), space.transform(corpus.test.texts)
    run = comparison.runs[0]
    fitted = LinearSVC(random_state=0).set_params(**run["params"]).fit(X_train, corpus.train.labels)
    predicted = fitted.predict(X_test)
    classes = np.array(comparison.corpus["classes"])
    np.testing.assert_array_equal(classes[run["predicted"]], predicted)
    np.testing.assert_array_equal(classes[comparison.truth[0]], corpus.test.labels)
    expected = scores(corpus.test.labels, predicted, fitted.decision_function(X_test), fitted.classes_)
    assert run["scores"] == pytest.approx(expected)
    assert run["n_dimensions"] == run["n_terms"] == X_train.shape[1]
    assert min(run["seconds"].values()) >= 0
    assert list(run["seconds"]) == list(run["cpu_seconds"]) == ["search", "fit", "predict"]
    assert [entry["params"]["C"] for entry in run["search"]] == METHODS["svm"].grid["C"]
    best = max(run["search"], key=lambda entry: entry["mean"])
    assert run["params"] == best["params"]


def test_the_corpus_is_described(corpus):
    described = compare(corpus, "nb", n_jobs=1).corpus
    assert (described["n_train"], described["n_test"]) == (len(corpus.train), len(corpus.test))
    assert sum(described["train_sizes"]) == len(corpus.train)
    assert described["test_sizes"] == [int(np.sum(corpus.test.labels == c)) for c in corpus.classes]
    assert described["mean_length"] == 10


@pytest.mark.slow
def test_two_processes_give_what_one_gives(corpus):
    arguments = {"train_share": 0.5, "repeats": 2, "oracle": True}
    one = compare(corpus, "svm,knn,lsi", n_jobs=1, **arguments)
    two = compare(corpus, "svm,knn,lsi", n_jobs=2, **arguments)
    assert comparable(one) == comparable(two)


def test_test_documents_change_neither_settings_nor_vocabulary(corpus):
    rng = np.random.default_rng(1)
    texts = [
        "unseen words " + text if part == "test" else text
        for text, part in zip(corpus.texts, corpus.split, strict=True)
    ]
    labels = corpus.labels.copy()
    tests = np.flatnonzero(corpus.split == "test")
    labels[tests] = rng.permutation(labels[tests])
    changed = replace(corpus, texts=texts, labels=labels)
    RecordingSpace.fitted_on = []
    before, after = (compare(c, "svm,knn,lsi", n_jobs=1, space=RecordingSpace()) for c in (corpus, changed))
    for one, other in zip(before.runs, after.runs, strict=True):
        assert one["scores"] != other["scores"]
        for key in ("params", "search", "n_terms"):
            assert one[key] == other[key]
    assert all(texts == corpus.train.texts for _, texts in RecordingSpace.fitted_on)


def test_one_matrix_for_each_split_and_scheme(corpus):
    RecordingSpace.fitted_on = []
    ltc = replace(METHODS["nb"], name="nb-ltc", scheme="ltc")
    compare(corpus, ["svm", "nb", ltc], folds=2, n_jobs=1, space=RecordingSpace())
    assert [scheme for scheme, _ in RecordingSpace.fitted_on] == ["tfidf", "ltc"] * 2


def test_another_space_will_do(corpus):
    assert compare(corpus, "nb", n_jobs=1, space=TfidfVectorizer()).runs[0]["error"] is None


@pytest.mark.parametrize(
    ("arguments", "kind", "n_splits"),
    [
        ({}, "given", 1),
        ({"train_share": 0.3, "repeats": 3}, "share", 3),
        ({"split": "share"}, "share", 1),
        ({"folds": 4}, "folds", 4),
        ({"folds": 2, "repeats": 2}, "folds", 4),
    ],
)
def test_protocols(corpus, arguments, kind, n_splits):
    comparison = compare(corpus, "nb", n_jobs=1, **arguments)
    assert comparison.protocol["split"] == kind
    assert (
        [run["repeat"] for run in comparison.runs]
        == list(range(n_splits))
        == list(range(len(comparison.truth)))
    )


def test_a_corpus_without_a_split_is_drawn(corpus):
    comparison = compare(replace(corpus, split=None), "nb", n_jobs=1)
    assert (comparison.protocol["split"], comparison.protocol["train_share"]) == ("share", 0.7)


def test_oracle_scores_every_setting_on_the_test_documents(corpus):
    run = compare(corpus, "svm", n_jobs=1, oracle=True).runs[0]
    assert [entry["params"]["C"] for entry in run["oracle"]] == METHODS["svm"].grid["C"]
    chosen = next(entry for entry in run["oracle"] if entry["params"] == run["params"])
    assert chosen["scores"]["micro_f1"] == run["scores"]["micro_f1"]


@pytest.mark.slow
def test_a_method_that_fails_does_not_stop_the_others(corpus):
    comparison = compare(corpus, ["nb", method("broken", lambda: MultinomialNB(alpha=-1)), "svm"], n_jobs=2)
    errors = {run["method"]: run["error"] for run in comparison.runs}
    assert errors["nb"] is errors["svm"] is None
    assert "alpha" in errors["broken"]
    broken = comparison.runs[1]
    assert broken["scores"] is broken["predicted"] is broken["params"] is None


def test_one_bad_setting_does_not_fail_a_method(corpus):
    votes = replace(METHODS["knn"], build=KNeighborsClassifier, grid={"n_neighbors": [1000, 3]})
    run = compare(corpus, [votes], n_jobs=1).runs[0]
    assert run["params"] == {"n_neighbors": 3}
    assert [entry["error"] is None for entry in run["search"]] == [False, True]


def test_warnings_are_kept_with_the_run_and_not_shown(corpus, recwarn):
    run = compare(corpus, [method("short", lambda: LinearSVC(max_iter=1))], n_jobs=1).runs[0]
    assert any("ConvergenceWarning" in text for text in run["warnings"])
    assert not [w for w in recwarn if "converge" in str(w.message)]


def test_the_map_shows_the_best_projection(corpus):
    comparison = compare(corpus, "cm,lsi,svm", n_jobs=1)
    drawn = comparison.map
    projections = [row["method"] for row in comparison.leaderboard() if row["method"] != "svm"]
    assert drawn["method"] == projections[0]
    assert drawn["label"] == comparison.truth[0]
    own = next(run for run in comparison.runs if run["method"] == drawn["method"])
    assert drawn["predicted"] == own["predicted"]
    assert drawn["text"] == [text[:160] for text in corpus.test.texts]
    assert compare(corpus, "svm", n_jobs=1).map is None


def test_count_matrices_serve_as_texts(corpus):
    from sklearn.feature_extraction.text import CountVectorizer

    counts = Corpus("counts", CountVectorizer().fit_transform(corpus.texts), corpus.labels, corpus.split)
    comparison = compare(counts, "svm,lsi", n_jobs=1)
    assert [run["error"] for run in comparison.runs] == [None, None]
    assert comparison.corpus["mean_length"] == 10


@pytest.mark.slow
def test_a_method_may_ask_for_trigrams(corpus):
    from textspace.text import TrigramTensorSpace

    on_trigrams = replace(METHODS["svm"], name="trigrams", scheme="trigrams")
    comparison = compare(corpus, [on_trigrams, "svm"], n_jobs=1)
    space = TrigramTensorSpace()
    X_train, X_test = space.fit_transform(corpus.train.texts), space.transform(corpus.test.texts)
    run = comparison.runs[0]
    fitted = LinearSVC(random_state=0).set_params(**run["params"]).fit(X_train, corpus.train.labels)
    assert [comparison.corpus["classes"][c] for c in run["predicted"]] == fitted.predict(X_test).tolist()
    assert run["n_terms"] == run["n_dimensions"] == 27**3
    # The corpus is described by its terms.
    assert comparison.corpus["n_terms"] == comparison.runs[1]["n_terms"] < 27**3
    assert compare(corpus, [on_trigrams], n_jobs=1).corpus["n_terms"] is None


def test_term_counts_have_no_trigrams_and_the_other_methods_go_on(corpus):
    from sklearn.feature_extraction.text import CountVectorizer

    counts = Corpus("counts", CountVectorizer().fit_transform(corpus.texts), corpus.labels, corpus.split)
    on_trigrams = replace(METHODS["svm"], name="trigrams", scheme="trigrams")
    for n_jobs in (1, 2):
        first, second = compare(counts, [on_trigrams, "svm"], n_jobs=n_jobs).runs
        assert "needs texts; the corpus 'counts' holds term counts" in first["error"]
        assert first["scores"] is first["sign"] is None
        assert second["error"] is None


def test_documents_without_a_label_are_left_out(corpus):
    rng = np.random.default_rng(0)
    hidden = rng.random(len(corpus)) < 0.3
    blanked = replace(corpus, labels=np.where(hidden, "", corpus.labels))
    marked = replace(corpus, split=np.where(hidden, "unlabelled", corpus.split))
    kept = corpus.subset(~hidden)
    expected = compare(kept, "svm", n_jobs=1)
    for other in (blanked, marked):
        found = compare(other, "svm", n_jobs=1)
        assert found.runs[0]["predicted"] == expected.runs[0]["predicted"]
        assert any(note.startswith(f"{hidden.sum()} documents without") for note in found.corpus["notes"])
        drawn = compare(other, "nb", train_share=0.5, n_jobs=1)
        assert drawn.corpus["n_train"] + drawn.corpus["n_test"] == len(kept)


@pytest.fixture(scope="module")
def half_labelled(new_corpus):
    """A corpus of which half of the training documents have no label, and words of their own."""
    corpus = new_corpus((40, 36, 32))
    hidden = (np.arange(len(corpus)) % 2 == 0) & (corpus.split == "train")
    texts = [f"{text} unheard" if row else text for text, row in zip(corpus.texts, hidden, strict=True)]
    return replace(corpus, texts=texts, split=np.where(hidden, "unlabelled", corpus.split))


def test_a_method_for_unlabelled_documents_is_run_with_and_without_them(half_labelled):
    quick = replace(METHODS["sda"], grid={})
    comparison = compare(half_labelled, [quick, "svm"], n_jobs=1)
    assert list(comparison.methods) == ["sda", "sda-labelled", "svm"]
    having, without, svm = comparison.runs
    # The word stands in unlabelled documents only.
    assert having["n_terms"] == without["n_terms"] + 1 == svm["n_terms"] + 1
    assert comparison.corpus["n_unlabelled"] == np.sum(half_labelled.split == "unlabelled")
    labelled = compare(half_labelled.subset(half_labelled.split != "unlabelled"), [quick], n_jobs=1)
    assert list(labelled.methods) == ["sda"]
    assert labelled.runs[0]["predicted"] == without["predicted"]
    assert labelled.runs[0]["scores"]["auc"] == pytest.approx(without["scores"]["auc"])
    assert labelled.unlabelled_gains() == []


TREE = {"grain": "goods", "metal": "goods", "ship": None}


def test_a_tree_reaches_the_methods_that_ask_for_it_and_scores_all(corpus):
    tree = TREE | {"mule": "goods"}
    comparison = compare(replace(corpus, tree=tree), "svm,hsvm", n_jobs=1)
    plain, top_down = comparison.runs
    # Only one who knows the tree can know of its empty leaf.
    assert plain["warnings"] == []
    assert "no document is labelled 'mule'" in top_down["warnings"][0]
    assert comparison.corpus["tree"] == tree | {"goods": None}
    classes = np.array(comparison.corpus["classes"])
    for row in comparison.leaderboard():
        [run] = comparison.runs_of(row["method"])
        expected = hierarchical_scores(classes[comparison.truth[0]], classes[run["predicted"]], tree)
        assert row["hierarchical"] == expected
    assert "tree F1" in str(comparison)
    assert all(row["hierarchical"] is None for row in comparison.leaderboard("sign"))


def test_tree_scores_are_means_over_the_splits(corpus):
    comparison = compare(replace(corpus, tree=TREE), "nb", train_share=0.3, repeats=3, n_jobs=1)
    classes = np.array(comparison.corpus["classes"])
    found = [
        hierarchical_scores(classes[truth], classes[run["predicted"]], TREE)
        for truth, run in zip(comparison.truth, comparison.runs, strict=True)
    ]
    [row] = comparison.leaderboard()
    assert row["hierarchical"]["hierarchical_f1"] == pytest.approx(
        np.mean([each["hierarchical_f1"] for each in found])
    )
    levels = np.mean([each["error_by_level"] for each in found], axis=0)
    np.testing.assert_allclose(row["hierarchical"]["error_by_level"], levels)
    # A corpus without a tree, or results without predictions, have no such scores.
    blank = [run | {"predicted": None} for run in comparison.runs]
    assert replace(comparison, runs=blank).leaderboard()[0]["hierarchical"] is None
    assert compare(corpus, "nb", n_jobs=1).leaderboard()[0]["hierarchical"] is None


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"grain": "goods", "ship": None}, "'made-up' do not fit its tree: not in the tree: 'metal'"),
        ({"grain": "ship", "metal": None}, "labelled 'ship', which has the categories 'grain' below it"),
        ({"grain": "metal", "metal": "ship", "ship": "grain"}, "the tree has a cycle"),
    ],
)
def test_labels_that_are_no_leaves_of_the_tree_get_a_sentence(corpus, tree, message):
    with pytest.raises(ValueError, match=message):
        compare(replace(corpus, tree=tree), "svm", n_jobs=1)


def test_a_class_with_one_document_is_learned_and_not_tested(new_corpus):
    corpus = replace(new_corpus((20, 20, 1)), split=None)
    comparison = compare(corpus, "svm,knn,cm", train_share=0.5, repeats=2, n_jobs=1)
    assert [run["error"] for run in comparison.runs] == [None] * 6
    assert comparison.corpus["train_sizes"][2] == 1
    assert "No test document has the classes ship" in comparison.corpus["notes"][0]
    run = comparison.runs[0]
    expected = f1_score(comparison.truth[0], run["predicted"], average="macro")
    assert run["scores"]["macro_f1"] == pytest.approx(expected)


def test_macro_f1_is_that_of_scikit_learn(new_corpus):
    corpus = new_corpus((30, 30, 20))
    split = np.where(corpus.labels == "ship", "train", corpus.split)  # learned and answered, but not tested
    comparison = compare(replace(corpus, split=split), [method("last", Last)], n_jobs=1)
    [run], [truth] = comparison.runs, comparison.truth
    assert set(run["predicted"]) - set(truth)
    assert run["scores"]["macro_f1"] == pytest.approx(f1_score(truth, run["predicted"], average="macro"))
    [row] = comparison.leaderboard()
    assert row["scores"]["macro_f1"] == run["scores"]["macro_f1"]


def test_a_class_that_is_only_tested_counts_as_missed(corpus):
    split = np.where(corpus.labels == "ship", "test", corpus.split)
    comparison = compare(replace(corpus, split=split), "svm", n_jobs=1)
    assert "No training document teaches the classes ship" in comparison.corpus["notes"][0]
    assert comparison.runs[0]["scores"]["macro_recall"] < 0.7


def test_a_classifier_without_decision_values_has_no_auc(corpus):
    run = compare(corpus, [method("first", First)], n_jobs=1).runs[0]
    assert run["scores"]["auc"] is None
    assert "First" not in str(run["error"])


class First(ClassifierMixin, BaseEstimator):
    """Gives every document the first class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


class Last(First):
    """Gives the last document the last class, and all others the first."""

    def predict(self, X):
        return np.append(super().predict(X)[1:], self.classes_[-1:])


def test_progress_goes_to_stderr_and_only_on_request(corpus, capfd):
    compare(corpus, "nb", n_jobs=1)
    assert capfd.readouterr() == ("", "")
    compare(corpus, "nb", n_jobs=1, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "1/1" in err


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus("empty", [], []), "'empty' holds no labelled document"),
        (Corpus("blank", ["x", "y"], ["", ""]), "'blank' holds no labelled document"),
        (Corpus("single", ["x", "y"], ["a", "a"]), "'single' holds only the class 'a'"),
        (Corpus("pairs", ["x", "y"], ["a", "b"]), "no class has three labelled documents"),
    ],
)
def test_a_corpus_that_cannot_be_compared_on_gets_a_sentence(corpus, message):
    with pytest.raises(ValueError, match=message):
        compare(corpus, "svm", n_jobs=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"split": "random"}, "split is 'random': choose from"),
        ({"split": "given", "repeats": 2}, "does not go with .* repeats=2"),
        ({"split": "folds", "train_share": 0.5}, "train_share for 'share'"),
        ({"folds": 3, "train_share": 0.5}, "does not go with"),
        ({"baseline": "lsi"}, "baseline 'lsi' is not among the methods svm"),
        ({"train_share": 2}, "train_share is 2"),
    ],
)
def test_contradictory_arguments_get_a_sentence(corpus, arguments, message):
    with pytest.raises(ValueError, match=message):
        compare(corpus, "svm", n_jobs=1, **arguments)


def test_given_split_needs_one(corpus):
    with pytest.raises(ValueError, match="no split of its own"):
        compare(replace(corpus, split=None), "svm", split="given")
