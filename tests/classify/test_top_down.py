"""Top-down classification: probabilities in a tree, backing off, and its base classifiers."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import f1_score, log_loss
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from textspace.classify import CalibratedMethod, OneAgainstRest, TopDownClassifier
from textspace.text import VectorSpace
from textspace.tree import LabelTree
from textspace.tuning import fit_temperature, held_out_values, probabilities

# leaves at depths 1, 2, 3 and 4; "metal" leads to "haematite" by single children
TREE = LabelTree.from_nested(
    {
        "food": {"rice": None, "grain": ["corn", "wheat"]},
        "metal": {"ores": {"iron": ["haematite"]}},
        "ship": None,
    }
)
BASES = [
    LinearSVC(random_state=0),
    LogisticRegression(),
    MultinomialNB(),
    KNeighborsClassifier(1),
    make_pipeline(MaxAbsScaler(), Perceptron(random_state=0)),
]


def documents(labels=TREE.leaves, n_samples=150, noise=0.2, seed=0):
    """Give sparse unit rows with 6 terms of its own a label and 20 shared ones, and the labels."""
    rng = np.random.default_rng(seed)
    labels = np.asarray(labels)
    codes = rng.permutation(np.arange(n_samples) % len(labels))
    shape = n_samples, 6 * len(labels) + 20
    X = rng.random(shape) * (rng.random(shape) < noise)
    X[np.arange(n_samples)[:, None], 6 * codes[:, None] + rng.integers(0, 6, (n_samples, 3))] += 0.6
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return sparse.csr_array(X), labels[codes]


def columns(model, names):
    return [model.nodes_.tolist().index(name) for name in names]


@pytest.mark.parametrize("cv", [None, 3])
@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_leaves_sum_to_one_and_parents_are_the_sum_of_their_leaves(base, cv):
    X, y = documents()
    new, _ = documents(seed=1)
    model = TopDownClassifier(base, tree=TREE, cv=cv).fit(X, y)
    shares, leaves = model.node_proba(new), model.predict_proba(new)
    assert model.nodes_.tolist() == list(TREE)
    assert model.classes_.tolist() == sorted(TREE.leaves)
    np.testing.assert_allclose(leaves.sum(axis=1), 1, atol=1e-12)
    assert shares.min() >= 0
    for position, node in enumerate(TREE):
        below = np.isin(model.classes_, TREE.leaves_below(node))
        np.testing.assert_allclose(shares[:, position], leaves[:, below].sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(model.predict(new), model.classes_[leaves.argmax(axis=1)])


def test_a_probability_is_the_product_along_the_path():
    X, y = documents()
    model = TopDownClassifier(LogisticRegression(), tree=TREE, cv=None).fit(X, y)
    assert set(model.estimators_) == {None, "food", "grain"}  # single children need none
    expected = np.ones(X.shape[0])
    for node, child in ((None, "food"), ("food", "grain"), ("grain", "wheat")):
        inside = np.ones(len(y), dtype=bool) if node is None else np.isin(y, TREE.leaves_below(node))
        names = TREE.paths(y[inside])[:, 0 if node is None else TREE.depth(node)]
        local = LogisticRegression().fit(X[inside], names)
        expected *= local.predict_proba(X)[:, local.classes_.tolist().index(child)]
    np.testing.assert_allclose(model.node_proba(X)[:, columns(model, ["wheat"])[0]], expected, atol=1e-10)


@pytest.mark.parametrize("labels", [["a", "b", "c", "d"], [0, 1, 2, 3], [7, 3]])
@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_without_a_tree_it_is_the_base_estimator(base, labels):
    X, y = documents(labels)
    new, _ = documents(labels, noise=0.9, seed=1)
    alone = clone(base).fit(X, y)
    model = TopDownClassifier(base).fit(X, y)
    np.testing.assert_array_equal(model.predict(new), alone.predict(new))
    assert model.predict(new).dtype == y.dtype
    if hasattr(alone, "predict_proba"):
        plain = TopDownClassifier(base, cv=None).fit(X, y)
        np.testing.assert_allclose(plain.predict_proba(new), alone.predict_proba(new), atol=1e-10)


def test_a_flat_tree_is_no_tree():
    X, y = documents()
    flat = TopDownClassifier(tree=dict.fromkeys(TREE.leaves)).fit(X, y)
    np.testing.assert_array_equal(flat.predict_proba(X), TopDownClassifier().fit(X, y).predict_proba(X))


def test_single_children_change_nothing():
    X, y = documents()
    short = LabelTree(
        {"rice": "food", "grain": "food", "corn": "grain", "wheat": "grain", "ship": None, "haematite": None}
    )
    top = LabelTree({node: parent or "goods" for node, parent in TREE.to_dict().items()})
    expected = TopDownClassifier(tree=short).fit(X, y).predict_proba(X)
    for tree in (TREE, top):
        np.testing.assert_allclose(
            TopDownClassifier(tree=tree).fit(X, y).predict_proba(X), expected, atol=1e-12
        )


def test_names_do_not_matter():
    X, y = documents()
    names = dict(
        zip(TREE, np.random.default_rng(0).permutation([f"node {i}" for i in range(len(TREE))]), strict=True)
    )
    renamed = {str(names[node]): parent and str(names[parent]) for node, parent in TREE.to_dict().items()}
    model = TopDownClassifier(LogisticRegression(tol=1e-10), tree=TREE, cv=None).fit(X, y)
    other = clone(model).set_params(tree=renamed).fit(X, [str(names[label]) for label in y])
    wanted = columns(other, [names[node] for node in model.nodes_])
    np.testing.assert_allclose(other.node_proba(X)[:, wanted], model.node_proba(X), atol=1e-4)


@pytest.mark.parametrize("base", BASES[:3], ids=lambda base: type(base).__name__)
def test_sparse_equals_dense_and_float32_serves(base):
    X, y = documents()
    model = TopDownClassifier(base, tree=TREE)
    expected = model.fit(X, y).node_proba(X)
    np.testing.assert_allclose(model.fit(X.toarray(), y).node_proba(X.toarray()), expected, atol=1e-3)
    np.testing.assert_allclose(model.fit(X.astype(np.float32), y).node_proba(X), expected, atol=1e-2)
    np.testing.assert_allclose(model.predict_proba(X.astype(np.float32)).sum(axis=1), 1, atol=1e-12)


def test_threads_give_the_same():
    X, y = documents()
    one = TopDownClassifier(tree=TREE).fit(X, y).node_proba(X)
    two = TopDownClassifier(tree=TREE, n_jobs=2).fit(X, y).node_proba(X)
    # all threads of LIBLINEAR draw from one generator, so that the order of its steps may differ
    np.testing.assert_allclose(two, one, atol=5e-3)


def test_a_document_is_judged_by_itself():
    X, y = documents()
    model = TopDownClassifier(tree=TREE).fit(X, y)
    np.testing.assert_allclose(model.node_proba(X[:1]), model.node_proba(X)[:1], atol=1e-12)


def test_a_category_learns_from_its_own_documents_only():
    X, y = documents()
    keep = np.isin(y, TREE.leaves_below("food"))
    model = TopDownClassifier(tree=TREE).fit(X, y)
    with pytest.warns(UserWarning, match="'haematite', 'ship'"):
        alone = TopDownClassifier(tree=TREE).fit(X[keep], y[keep])
    for node in ("food", "grain"):
        np.testing.assert_array_equal(alone.estimators_[node].coef_, model.estimators_[node].coef_)
        assert alone.temperatures_[node] == model.temperatures_[node]
    assert model.n_documents_["grain"] == np.isin(y, ["corn", "wheat"]).sum()
    assert model.n_documents_["ores"] == model.n_documents_["haematite"] == (y == "haematite").sum()


def slow_answer(shares, tree, leaf, least):
    """Follow the rule for one document: the leaf, else the most probable end of a likely branch."""
    if shares[leaf] >= least:
        return leaf
    likely = [node for node in tree if shares[node] >= least]
    ends = [node for node in likely if not any(child in likely for child in tree.children(node))]
    return max(ends, key=shares.get, default="")


@pytest.mark.parametrize("least", [0.05, 0.2, 0.35, 0.5, 0.7, 0.9, 0.99, 1.0])
def test_backs_off_to_the_most_specific_likely_category(least):
    X, y = documents()
    new, _ = documents(noise=0.9, seed=1)
    model = TopDownClassifier(tree=TREE).fit(X, y)
    leaves = model.predict(new)
    expected = [
        slow_answer(dict(zip(model.nodes_.tolist(), row, strict=True)), TREE, leaf, least)
        for row, leaf in zip(model.node_proba(new), leaves.tolist(), strict=True)
    ]
    assert model.predict(new, min_confidence=least).tolist() == expected


def test_a_higher_threshold_gives_answers_further_up():
    X, y = documents()
    new, _ = documents(noise=0.95, seed=1)
    model = TopDownClassifier(tree=TREE).fit(X, y)
    shares = np.column_stack([model.node_proba(new), np.ones(len(y))])  # of no answer: 1
    names = [*model.nodes_.tolist(), ""]
    thresholds = np.linspace(0, 1, 21)
    answers = [model.predict(new, min_confidence=least).tolist() for least in thresholds]
    assert answers[0] == model.predict(new).tolist()
    assert len({answer for row in answers for answer in row}) > len(TREE.leaves) + 1
    for low, high, least in zip(answers[:-1], answers[1:], thresholds[1:], strict=True):
        for row, (before, after) in enumerate(zip(low, high, strict=True)):
            assert shares[row, names.index(after)] >= max(least, shares[row, names.index(before)])
            if least > 0.55:  # the threshold before it is above one half too
                assert after in ("", before, *(TREE.ancestors(before) if before else ()))


def test_numbers_as_labels_are_answered_by_none_where_unsure():
    X, y = documents([0, 1, 2])
    model = TopDownClassifier().fit(X, y)
    answers = model.predict(np.zeros((1, X.shape[1])), min_confidence=0.99)
    assert answers.tolist() == [None]
    assert model.predict(X, min_confidence=0.1).tolist() == model.predict(X).tolist()


def test_leaves_without_documents_have_probability_zero():
    X, y = documents()
    wider = LabelTree(TREE.to_dict() | {"oats": "grain", "tin": "metal", "coal": "fuel", "peat": "fuel"})
    with pytest.warns(UserWarning, match="no document is labelled 'coal', 'oats', 'peat', 'tin'"):
        model = TopDownClassifier(tree=wider).fit(X, y)
    assert model.classes_.tolist() == sorted(wider.leaves)
    empty = columns(model, ["oats", "tin", "fuel", "coal", "peat"])
    np.testing.assert_array_equal(model.node_proba(X)[:, empty], 0)
    known = TopDownClassifier(tree=TREE).fit(X, y)
    np.testing.assert_allclose(
        model.node_proba(X)[:, columns(model, known.nodes_)], known.node_proba(X), atol=1e-12
    )


def test_calibration_lowers_the_log_loss_and_is_right_as_often_as_it_says():
    X, y = documents(n_samples=400, noise=0.9)
    new, truth = documents(n_samples=2000, noise=0.9, seed=1)
    raw = TopDownClassifier(tree=TREE, cv=None).fit(X, y).predict_proba(new)
    model = TopDownClassifier(tree=TREE).fit(X, y)
    shares = model.predict_proba(new)
    assert log_loss(truth, shares) < log_loss(truth, raw) - 0.02
    right = model.predict(new) == truth
    assert abs(shares.max(axis=1).mean() - right.mean()) < 0.05 < abs(raw.max(axis=1).mean() - right.mean())


def test_temperature_minimises_the_log_loss():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    values = 50 * (rng.standard_normal((300, 3)) + 2 * np.eye(3)[y])
    best = fit_temperature(values, y)
    losses = [log_loss(y, probabilities(values, best * factor)) for factor in (0.5, 0.9, 1, 1.1, 2)]
    assert np.argmin(losses) == 2
    assert fit_temperature(values * 7, y) == pytest.approx(7 * best, rel=1e-3)


def test_temperature_of_few_documents_stays_away_from_certainty():
    values = np.array([[4.0, 0.0], [0.0, 3.0], [5.0, 1.0]])
    certain = probabilities(values, fit_temperature(values, np.array([0, 1, 0])))
    assert certain.max(axis=1).min() > 0.7
    assert certain.max() < 0.95
    assert fit_temperature(np.zeros((3, 2)), np.array([0, 1, 0])) == 1


def test_a_class_of_one_document_is_learned_by_all_folds():
    X, y = documents(["a", "b", "c"], n_samples=20)
    codes = np.where(np.arange(20) == 4, 3, np.unique(y, return_inverse=True)[1])
    values, truth = held_out_values(LinearSVC(random_state=0), X, codes, n_folds=5)
    assert values.shape == (19, 4)
    assert 3 not in truth
    alone = TopDownClassifier().fit(X[:3], ["x", "y", "z"])  # nothing can be held out
    assert alone.temperatures_ == {None: 1.0}


def test_tells_planted_categories_of_a_tree():
    X, y = documents(noise=0)
    new, truth = documents(noise=0, seed=1)
    assert TopDownClassifier(tree=TREE).fit(X, y).score(new, truth) == 1


@pytest.mark.parametrize(
    ("settings", "y", "message"),
    [
        ({}, ["corn", "maize"], "not in the tree: 'maize'"),
        ({}, ["corn", "grain"], "labelled 'grain', which has the categories 'corn', 'wheat' below it"),
        ({}, ["corn", "corn"], "only one class: 'corn'"),
        ({}, [0, 1], "categories of a tree are text, but y holds labels like"),
        ({"tree": {"a": "b", "b": "a"}}, ["corn", "ship"], "cycle"),
        ({"cv": 1}, ["corn", "ship"], r"'cv' .* Got 1"),
    ],
)
def test_bad_input(settings, y, message):
    X = np.eye(2)[np.arange(20) % 2]
    with pytest.raises(ValueError, match=message):
        TopDownClassifier(**{"tree": TREE} | settings).fit(X, y * 10)


def test_bad_settings():
    X, y = documents()
    model = TopDownClassifier(tree=TREE).fit(X, y)
    for bad in (-0.1, 1.1):
        with pytest.raises(ValueError, match="min_confidence"):
            model.predict(X, min_confidence=bad)

    class OnlyPredict(LinearSVC):
        @property
        def decision_function(self):
            raise AttributeError

    with pytest.raises(TypeError, match="OnlyPredict has neither predict_proba nor decision_function"):
        TopDownClassifier(OnlyPredict(), tree=TREE).fit(X, y)


def test_behaves_as_an_estimator():
    X, y = documents()
    model = TopDownClassifier(CalibratedClassifierCV(LinearSVC(), cv=2), tree=TREE.to_dict(), cv=None)
    copy = clone(model).set_params(estimator__estimator__C=3)
    assert copy.estimator.estimator.C == 3
    assert model.estimator.estimator.C == 1
    fitted = pickle.loads(pickle.dumps(model.fit(X, y)))
    np.testing.assert_array_equal(fitted.predict(X), model.predict(X))
    assert not hasattr(model.estimator, "classes_")
    assert get_tags(TopDownClassifier()).input_tags.sparse
    assert get_tags(TopDownClassifier(DecisionTreeClassifier())).input_tags.sparse


def test_in_a_pipeline_it_backs_off_too():
    texts = ["corn crop", "corn price", "wheat crop", "wheat price", "ship sank", "ship at sea"] * 3
    y = ["corn", "corn", "wheat", "wheat", "ship", "ship"] * 3
    model = make_pipeline(
        VectorSpace(), TopDownClassifier(tree={"corn": "grain", "wheat": "grain", "ship": None})
    )
    model.fit(texts, y)
    answers = model.predict(["corn", "crop price", "ship", "zebra"], min_confidence=0.75)
    assert answers.tolist() == ["corn", "grain", "ship", ""]


def test_reaches_the_svm_column_of_the_slsi_paper(corpus_or_skip):
    corpus = corpus_or_skip("reuters-tree-a")
    space = VectorSpace()
    model = TopDownClassifier(tree=corpus.tree).fit(
        space.fit_transform(corpus.train.texts), corpus.train.labels
    )
    assert model.score(space.transform(corpus.test.texts), corpus.test.labels) >= 0.93


def several(n=240, seed=0):
    """Give rows in which each label has terms of its own, indicators of some a document, and their names."""
    rng = np.random.default_rng(seed)
    labels = ["corn", "wheat", "rice", "haematite", "ship"]
    Y = (rng.random((n, 5)) < 0.3).astype(int)
    X = rng.random((n, 20)) * (rng.random((n, 20)) < 0.1)
    X += np.repeat(Y, 4, axis=1) * (rng.random((n, 20)) < 0.7) * rng.random((n, 20))
    X[:, -1] += 0.05
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), Y, labels


def test_several_labels_go_several_ways():
    X, Y, labels = several()
    model = TopDownClassifier(tree=TREE, labels=labels, cv=3).fit(X[:180], Y[:180])
    assert f1_score(Y[180:], model.predict(X[180:]), average="micro") > 0.7
    shares = dict(zip(model.nodes_, model.node_proba(X[180:]).T, strict=True))
    for node in TREE:
        parent = TREE.parent(node)
        assert parent is None or np.all(shares[node] <= shares[parent] + 1e-12)
    np.testing.assert_array_equal(shares["ores"], shares["haematite"])  # single children
    np.testing.assert_allclose(model.predict_proba(X[180:]), np.column_stack([shares[one] for one in labels]))
    counts = (Y[:180, :2].any(axis=1).sum(), Y[:180, :3].any(axis=1).sum())
    assert (model.n_documents_["grain"], model.n_documents_["food"]) == counts
    strict = model.predict(X[180:], min_confidence=0.9)
    np.testing.assert_array_equal(strict, model.predict_proba(X[180:]) > 0.9)


def test_several_labels_without_a_tree_stand_side_by_side():
    X, Y, _ = several()
    flat = TopDownClassifier(cv=3).fit(X[:180], Y[:180])
    alone = CalibratedMethod(OneAgainstRest(LinearSVC(random_state=0)), n_folds=3).fit(X[:180], Y[:180])
    np.testing.assert_allclose(flat.predict_proba(X[180:]), alone.predict_proba(X[180:]))


def test_inner_categories_and_rare_ones_among_several_labels():
    X, Y, _ = several()
    Y[:, 1] = 0
    Y[0, 1] = 1
    model = TopDownClassifier(tree=TREE, labels=["corn", "wheat", "grain", "haematite", "ship"], cv=2)
    shares = model.fit(X, Y).predict_proba(X)
    assert np.isfinite(shares).all()
    assert (shares[:, 0] <= shares[:, 2]).all()  # corn is grain


def test_columns_of_several_labels_need_names_in_the_tree():
    X, Y, labels = several(40)
    with pytest.raises(ValueError, match="need the names of y's columns: give labels="):
        TopDownClassifier(tree=TREE).fit(X, Y)
    with pytest.raises(ValueError, match="y has 5 columns, but labels names 4"):
        TopDownClassifier(tree=TREE, labels=labels[:4]).fit(X, Y)
    with pytest.raises(ValueError, match="tin"):
        TopDownClassifier(tree=TREE, labels=[*labels[:4], "tin"]).fit(X, Y)
