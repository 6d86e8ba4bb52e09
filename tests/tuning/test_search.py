import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.decomposition import TruncatedSVD
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from textspace.tuning import TrainTest, best_trial, fold_splits, mean_score, sweep, tune


class CountingSVD(TruncatedSVD):
    fits = 0

    def fit_transform(self, X, y=None):
        CountingSVD.fits += 1
        return super().fit_transform(X, y)


def pipeline():
    return Pipeline([("space", CountingSVD(random_state=0)), ("classify", KNeighborsClassifier())])


@pytest.fixture
def data():
    X, y = make_classification(150, 20, n_informative=6, n_classes=3, random_state=0)
    return X, y, fold_splits(y, 3)


def train_tests(X, y, folds):
    return [(X[train], y[train], X[test], y[test]) for train, test in folds]


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (pipeline(), {"classify__n_neighbors": [1, 5], "space__n_components": [2, 8], "classify__p": [1, 2]}),
        (LinearSVC(), {"C": [0.01, 1.0]}),
    ],
)
def test_every_setting_scores_as_in_a_grid_search(data, estimator, grid):
    X, y, folds = data
    trials = sweep(estimator, grid, train_tests(X, y, folds))
    found = GridSearchCV(estimator, grid, cv=folds, scoring="f1_micro").fit(X, y).cv_results_
    expected = {
        repr(sorted(p.items())): s for p, s in zip(found["params"], found["mean_test_score"], strict=True)
    }
    assert {repr(sorted(t["params"].items())): mean_score(t) for t in trials} == pytest.approx(expected)


def test_a_projection_is_fitted_once_for_each_of_its_settings_and_folds(data):
    CountingSVD.fits = 0
    grid = {"classify__n_neighbors": [1, 3, 5], "space__n_components": [2, 4], "classify__p": [1, 2]}
    assert len(sweep(pipeline(), grid, train_tests(*data))) == 12
    assert CountingSVD.fits == 2 * 3


def test_settings_come_in_the_order_of_the_grid_and_the_first_of_equals_wins(data):
    grid = {"classify__weights": ["uniform", "distance"], "classify__n_neighbors": [1]}
    trials = sweep(pipeline(), grid, train_tests(*data))
    assert [trial["params"]["classify__weights"] for trial in trials] == ["uniform", "distance"]
    assert mean_score(trials[0]) == mean_score(trials[1])
    assert best_trial(trials) is trials[0]


def test_no_grid_is_one_trial(data):
    [trial] = sweep(LinearSVC(), {}, train_tests(*data))
    assert trial["params"] == {}
    assert len(trial["scores"]) == 3


@pytest.mark.parametrize("broken", [{"space__n_components": [2, 500]}, {"classify__n_neighbors": [1, 500]}])
def test_a_setting_that_raises_is_recorded_and_the_others_go_on(data, broken):
    good, bad = sweep(pipeline(), broken, train_tests(*data))
    assert good["error"] is None
    assert bad["scores"] is None
    assert bad["error"].startswith("ValueError: ")
    assert "500" in bad["error"]
    assert best_trial([bad, good]) is good


def test_an_error_if_every_setting_raises(data):
    trials = sweep(pipeline(), {"space__n_components": [500, 600]}, train_tests(*data))
    with pytest.raises(
        ValueError, match=r"every setting of the grid failed, the first with ValueError: .*500"
    ):
        best_trial(trials)


def test_the_estimator_is_left_as_it_was(data):
    estimator = pipeline()
    before = repr(estimator.get_params())
    sweep(estimator, {"space__n_components": [3]}, train_tests(*data))
    assert repr(estimator.get_params()) == before
    assert not hasattr(estimator["classify"], "classes_")


def test_tuning_seeds_tells_the_context_and_sets_the_best_of_the_trials(data):
    X, y, _ = data
    estimator, grid = pipeline(), {"space__n_components": [2, 8], "classify__n_neighbors": [1, 5]}
    documents = TrainTest(X, y.astype(str), None, None, {"n_jobs": 1})
    tuned, params, trials = tune(estimator, grid, documents, cv=3, random_state=7)
    assert params == best_trial(trials)["params"]
    assert tuned.get_params().items() >= (params | {"space__random_state": 7, "classify__n_jobs": 1}).items()
    assert estimator["space"].random_state == 0
    assert not hasattr(tuned["classify"], "classes_")


def test_nothing_is_tried_where_each_parameter_has_one_value(data):
    X, y, _ = data
    tuned, params, trials = tune(
        LinearSVC(), {"C": [3.0]}, TrainTest(X, y, None, None, {}), cv=3, random_state=0
    )
    assert (tuned.C, params, trials) == (3.0, {"C": 3.0}, [])


class Above(ClassifierMixin, BaseEstimator):
    """Say yes above a limit, which is its only setting."""

    def __init__(self, limit=1.0):
        self.limit = limit

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(X[:, 0] > self.limit, "yes", "no")


def documents_above(limit):
    X = 10 ** np.linspace(-4, 4, 801)[:, None]
    return TrainTest(X, np.where(X[:, 0] > limit, "yes", "no"), None, None, {})


@pytest.mark.parametrize("limit", [0.01, 0.3, 3.0, 30.0, 100.0])
def test_an_open_grid_is_widened_until_its_edge_is_not_the_best(limit):
    settings = {"cv": 3, "random_state": 0, "open_ended": ("limit",)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, params, trials = tune(Above(), {"limit": [0.1, 0.3, 1.0, 3.0]}, documents_above(limit), **settings)
    assert params == {"limit": limit}
    tried = {trial["params"]["limit"] for trial in trials}
    assert min(tried) < limit < max(tried)


def test_the_best_at_the_edge_of_a_closed_grid_is_said():
    with pytest.warns(UserWarning, match="limit=1 did best and is the largest that was tried"):
        tune(Above(), {"limit": [0.1, 0.3, 1.0]}, documents_above(30.0), cv=3, random_state=0)
