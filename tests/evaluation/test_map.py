import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler
from sklearn.svm import LinearSVC

from textspace.classify import LabelledOnly
from textspace.evaluation import compare
from textspace.evaluation._map import document_map, lay_out
from textspace.methods import Method
from textspace.tuning import TrainTest


def clusters(n, m, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return 10 * np.eye(3, m)[y] + rng.normal(size=(n, m)), y


@pytest.mark.parametrize("n", [30, 90])
def test_clusters_stay_together(n):
    points, y = clusters(n, 5)
    layout, flat = lay_out(points)
    assert layout == ("t-SNE" if n == 90 else "principal components")
    assert flat.shape == (n, 2)
    assert np.mean(KNeighborsClassifier(2).fit(flat, y).predict(flat) == y) == 1


@pytest.mark.parametrize("m", [1, 2])
def test_a_space_of_one_or_two_dimensions_is_drawn_as_it_is(m):
    points, _ = clusters(90, m)
    layout, flat = lay_out(points)
    assert layout == "as it is"
    np.testing.assert_array_equal(flat[:, :m], points)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_points(n):
    assert lay_out(clusters(n, 4)[0])[1].shape == (n, 2)


def test_sparse_rows_are_drawn_too():
    points, y = clusters(90, 60)
    layout, flat = lay_out(sparse.csr_array(np.where(points > 5, points, 0)))
    assert layout == "t-SNE"
    assert np.mean(KNeighborsClassifier(2).fit(flat, y).predict(flat) == y) == 1


def test_all_steps_before_the_last_lead_into_the_space():
    X, y = clusters(40, 6)
    documents = TrainTest(X, y, X, y, {})
    steps = MaxAbsScaler(), TruncatedSVD(2, random_state=0)
    found = document_map(
        make_pipeline(*steps, KNeighborsClassifier(1)), documents, ["text"] * 40, np.unique(y)
    )
    expected = make_pipeline(*steps).fit_transform(X)
    np.testing.assert_allclose(np.column_stack([found["x"], found["y"]]), expected, atol=1e-4)


def test_where_cosines_decide_points_have_unit_length():
    X, y = clusters(40, 6)
    documents = TrainTest(X, y, X, y, {})
    lengths = []
    for classify in (KNeighborsClassifier(1, metric="cosine"), KNeighborsClassifier(1)):
        space = TruncatedSVD(2, random_state=0)
        found = [
            document_map(make_pipeline(space, each), documents, ["text"] * 40, np.unique(y))
            for each in (classify, LabelledOnly(classify))
        ]
        assert found[0] == found[1]
        lengths.append(np.hypot(found[0]["x"], found[0]["y"]))
    np.testing.assert_allclose(lengths[0], 1, atol=1e-3)
    assert lengths[1].min() > 2


def test_a_space_as_wide_as_the_documents_has_no_map(corpus):
    def folding():
        """All terms in another order, as in a tensor, with a few columns of zeros."""
        fold = FunctionTransformer(lambda X: sparse.hstack([X[:, ::-1], X[:, :3] * 0], format="csr"))
        return Pipeline([("space", fold), ("classify", LinearSVC())])

    def narrow():
        select = FunctionTransformer(lambda X: X[:, ::2])
        return Pipeline([("select", select), ("classify", LinearSVC())])

    fold, select = (Method(build.__name__, "", "", "", build, {}) for build in (folding, narrow))
    comparison = compare(corpus, [fold], n_jobs=1)
    assert comparison.map is None
    assert comparison.runs[0]["n_dimensions"] == comparison.runs[0]["n_terms"] + 3
    assert compare(corpus, [fold, "cm"], n_jobs=1).map["method"] == "cm"
    assert compare(corpus, [select], n_jobs=1).map["method"] == "narrow"


def test_at_most_2000_documents_in_a_repeatable_draw(monkeypatch):
    X, y = clusters(2100, 2)
    documents = TrainTest(X[:60], y[:60], X, y, {})
    steps = [("space", TruncatedSVD(2, random_state=0)), ("classify", KNeighborsClassifier(1))]
    texts = [f"text\nnumber {i} " + "long " * 100 for i in range(2100)]
    first, again = (document_map(Pipeline(steps), documents, texts, np.unique(y)) for _ in range(2))
    assert first == again
    assert first.pop("layout") == "as it is"
    assert {key: len(values) for key, values in first.items()} == dict.fromkeys(first, 2000)
    rows = [int(text.split()[2]) for text in first["text"]]
    assert first["label"] == y[rows].tolist()
    assert max(map(len, first["text"])) == 160
    assert "\n" not in first["text"][0]
