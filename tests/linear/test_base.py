"""The bases of the methods of graphs: what a subclass must say, and what it is given."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from textspace.graphs import laplacian, margin_graph, marginal_graphs
from textspace.linear import GraphProjection, RatioProjection
from textspace.neighbors import class_neighbors

# the checks use matrices of two or three columns
pytestmark = pytest.mark.filterwarnings("ignore:.*components:UserWarning")


class OneGraph(GraphProjection):
    def _graph(self, X, y):
        self.seen_ = y
        return margin_graph(y, dtype=X.dtype)


class TwoGraphs(RatioProjection):
    def _graphs(self, X, y):
        within, between = marginal_graphs(class_neighbors(X, y, n_neighbors=3), n_within=3, n_between=3)
        return between, within


class PartlyLabelled(OneGraph):
    _partly_labelled = True

    def _graph(self, X, y):
        self.seen_ = y
        return laplacian(sparse.csr_array(np.outer(y >= 0, y >= 0) * 1.0))


class Unsupervised(RatioProjection):
    def _graphs(self, X, y):
        self.seen_ = y
        return sparse.diags_array(np.arange(1.0, len(y) + 1)), sparse.eye_array(len(y))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


@parametrize_with_checks([OneGraph(), TwoGraphs()])
def test_a_subclass_of_one_method_is_an_estimator(estimator, check):
    check(estimator)


def test_parameters_of_the_base_are_checked():
    for base in (OneGraph, TwoGraphs):
        with pytest.raises(ValueError, match=f"'n_components' parameter of {base.__name__} must be an int"):
            base(n_components=2.5).fit(np.eye(4), [0, 0, 1, 1])


def test_graphs_are_given_classes_as_numbers():
    X = np.random.default_rng(0).random((6, 3))
    assert OneGraph(1).fit(X, list("bbaacc")).seen_.tolist() == [1, 1, 0, 0, 2, 2]
    fitted = PartlyLabelled(1).fit(X, ["b", "", "a", "", "", "b"])
    assert fitted.seen_.tolist() == [1, -1, 0, -1, -1, 1]
    assert fitted.classes_.tolist() == ["a", "b"]


def test_a_method_without_labels_is_given_one_class():
    X = np.random.default_rng(0).random((6, 3))
    fitted = Unsupervised(1).fit(X)
    assert fitted.seen_.tolist() == [0] * 6
    np.testing.assert_array_equal(Unsupervised(1).fit(X, list("bbaacc")).components_, fitted.components_)
    assert not hasattr(fitted, "classes_")
