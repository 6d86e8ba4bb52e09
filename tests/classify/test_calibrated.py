import numpy as np
import pytest
from scipy import sparse
from scipy.special import log_softmax
from sklearn.datasets import make_classification
from sklearn.decomposition import NMF
from sklearn.naive_bayes import ComplementNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.classify import RLSC, CalibratedMethod, LabelledOnly
from textspace.linear import LSI, SpectralRegressionLDA
from textspace.tuning import nearest_of_classes


def nearest(metric="euclidean", k=1):
    return KNeighborsClassifier(n_neighbors=k, metric=metric, algorithm="brute")


ESTIMATORS = {
    "svm": LinearSVC(),
    "least squares": RLSC(lambdas=1.0),
    "naive Bayes": ComplementNB(),
    "nearest": nearest(),
    "discriminants": make_pipeline(SpectralRegressionLDA(), nearest()),
    "LSI by cosine": make_pipeline(LSI(10), nearest("cosine")),
    "LSI, labelled only": make_pipeline(LSI(5), LabelledOnly(nearest())),
}


@pytest.fixture(scope="module", params=[2, 4], ids="{} classes".format)
def documents(request):
    X, y = make_classification(
        1200, 30, n_informative=12, n_classes=request.param, flip_y=0.2, class_sep=1.2, random_state=0
    )
    X = sparse.csr_array(np.where(X > 0.3, X, 0))
    names = np.array(["a", "b", "c", "d"])[y]
    return X[:600], names[:600], X[600:], names[600:]


@pytest.fixture(scope="module", params=list(ESTIMATORS))
def fitted(request, documents):
    X, y, _, _ = documents
    return CalibratedMethod(ESTIMATORS[request.param]).fit(X, y)


def test_predicts_what_the_estimator_predicts(fitted, documents):
    X = documents[2]
    assert (fitted.predict(X) == fitted.estimator_.predict(X)).mean() > 0.995  # ties


def test_probabilities_are_calibrated(fitted, documents):
    _, _, X, y = documents
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    accuracy = np.mean(fitted.predict(X) == y)
    assert shares.max(axis=1).mean() == pytest.approx(accuracy, abs=0.12)


def test_held_out_scores_are_of_models_that_have_not_seen_the_document(fitted, documents):
    _, y, X_new, y_new = documents
    held_out = np.mean(fitted.classes_[fitted.out_of_fold_.argmax(axis=1)] == y)
    assert held_out == pytest.approx(np.mean(fitted.predict(X_new) == y_new), abs=0.1)
    loss = -log_softmax(fitted.out_of_fold_, axis=1)[np.arange(len(y)), np.searchsorted(fitted.classes_, y)]
    for factor in (0.7, 1.4):  # the temperature is the best one
        other = -log_softmax(fitted.out_of_fold_ * factor, axis=1)
        assert other[np.arange(len(y)), np.searchsorted(fitted.classes_, y)].mean() > loss.mean()


def test_contributions_of_terms_add_up_to_the_scores(fitted, documents):
    for row in documents[2][:5]:
        x = sparse.csr_array(row.reshape(1, -1))
        contributions, constant = fitted.contributions(x)
        assert set(np.flatnonzero(np.abs(contributions.toarray()).sum(axis=1))) <= set(x.indices)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, fitted.class_scores(x)[0], atol=1e-9)


def test_contributions_in_a_linear_model_are_its_coefficients(documents):
    X, y, X_new, _ = documents
    model = CalibratedMethod(LinearSVC()).fit(X, y)
    x = X_new[:1]
    contributions, _ = model.contributions(x)
    expected = (x.toarray()[0] * model.estimator_.coef_ / model.temperature_).T
    if len(model.classes_) == 2:
        expected = np.hstack([-expected, expected]) / 2
    np.testing.assert_allclose(contributions.toarray(), expected, atol=1e-12)


def test_neighbours_lie_where_a_document_like_them_would(documents):
    X, y, _, _ = documents
    model = CalibratedMethod(make_pipeline(NMF(4, random_state=0, max_iter=500), nearest())).fit(X, y)
    found = nearest_of_classes(model.estimator_, X[:20])
    own = [found[model.classes_.tolist().index(label)][0][row] for row, label in enumerate(y[:20])]
    np.testing.assert_allclose(own, 0, atol=1e-6)


def test_scores_that_are_no_sum_are_said_to_be_none(documents):
    X, y, X_new, _ = documents
    model = CalibratedMethod(nearest(k=5)).fit(X, y)
    with pytest.raises(ValueError, match="no sum over terms"):
        model.contributions(X_new[:1])


def test_the_only_document_of_a_class_is_learned_but_not_judged(documents):
    X, y, _, _ = documents
    y = y.astype("<U5")
    y[7] = "other"
    model = CalibratedMethod(LinearSVC()).fit(X, y)
    assert "other" in model.classes_
    assert not model.out_of_fold_[7].any()
    assert model.out_of_fold_[8].any()


@pytest.mark.parametrize("learns", [True, False])
def test_unlabelled_documents_reach_a_method_that_learns_from_them(documents, learns):
    X, y, _, _ = documents
    y = y.astype("<U5")
    y[100:] = ""
    model = CalibratedMethod(ESTIMATORS["LSI, labelled only"], unlabelled=learns).fit(X, y)
    alone = LSI(5).fit(X if learns else X[:100])
    np.testing.assert_allclose(model.estimator_[0].singular_values_, alone.singular_values_, rtol=1e-6)
    assert model.out_of_fold_.shape == (100, len(model.classes_))
