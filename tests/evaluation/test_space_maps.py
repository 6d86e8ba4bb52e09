import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from textspace.datasets import load
from textspace.evaluation import map_spaces
from textspace.linear import LSI, SpectralRegressionLDA


@pytest.fixture(scope="module")
def points():
    """Three clouds in ten dimensions, of which the first two tell them apart."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 40)
    X = rng.normal(size=(120, 10))
    X[:, :2] += 6 * np.array([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]])[np.searchsorted(["a", "b", "c"], y)]
    return X, y


def test_two_dimensions_are_drawn_as_they_are(points):
    X, y = points
    [found] = map_spaces(SpectralRegressionLDA(), X, y)
    assert (found.layout, found.n_dimensions) == ("as it is", 2)
    assert sorted(found.labels) == sorted(np.repeat(["a", "b", "c"], 20))  # half of them was learned from
    assert (
        KNeighborsClassifier(5).fit(found.positions, found.labels).score(found.positions, found.labels) > 0.9
    )


def test_all_maps_show_the_same_documents():
    demo = load("demo")
    one, other = map_spaces(["lsi", make_pipeline(LSI(5), LogisticRegression())], demo.texts, demo.labels)
    assert (one.title, other.title, other.n_dimensions) == ("LSI", "Pipeline", 5)
    assert one.texts == other.texts
    assert one.labels.tolist() == other.labels.tolist()
    starts = {
        " ".join(text.split())[:160]: label for text, label in zip(demo.texts, demo.labels, strict=True)
    }
    assert all(starts[text] == label for text, label in zip(one.texts, one.labels, strict=True))
    assert one.to_frame().shape == (len(one.texts), 4)


def test_an_estimator_of_scikit_learn_is_left_as_it_is(points):
    X, y = points
    pca = PCA(2)
    [found] = map_spaces(pca, X, y)
    assert not hasattr(pca, "components_")
    assert found.texts == []


@pytest.mark.parametrize(
    ("method", "n", "message"),
    [
        ("svm", 120, "learns no space"),
        ("lda", 119, "120 documents, but 119 labels"),
        ("nothing", 120, "no method"),
    ],
)
def test_what_has_no_map_is_refused(points, method, n, message):
    X, y = points
    with pytest.raises(ValueError, match=message):
        map_spaces(method, X, y[:n])
