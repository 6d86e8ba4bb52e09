"""LSI, discriminant analysis and RLSC on a cluster against the same in memory."""

import time

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from dask import delayed
from distributed import wait

from textspace.classify import RLSC
from textspace.dask import DaskLRWMMC, DaskLSI, DaskRLSC, DaskSpectralRegressionLDA
from textspace.linear import LSI, SpectralRegressionLDA


def test_lsi_equals_that_in_memory(client, documents, cut):
    X, _ = documents
    distributed = DaskLSI(12, tol=1e-8, random_state=0, client=client).fit(cut(X))
    local = LSI(12).fit(X)
    np.testing.assert_allclose(distributed.singular_values_, local.singular_values_, rtol=1e-8)
    np.testing.assert_allclose(distributed.transform(cut(X)).compute(), local.transform(X), atol=1e-5)


def test_single_precision_stays(client, documents, cut):
    X, y = documents
    X = X.astype(np.float32)
    space = DaskLSI(5, random_state=0, client=client).fit(cut(X))
    assert space.components_.dtype == space.transform(cut(X)).dtype == np.float32
    model = DaskRLSC(client=client).fit(cut(X), y)
    assert model.coef_.dtype == model.decision_function(cut(X)).compute().dtype == np.float32


def test_discriminant_analysis_equals_that_in_memory(client, documents, cut):
    X, y = documents
    distributed = DaskSpectralRegressionLDA(tol=1e-6, client=client).fit(cut(X), y)
    local = SpectralRegressionLDA(tol=1e-8).fit(X, y)
    np.testing.assert_allclose(distributed.eigenvalues_, local.eigenvalues_, rtol=1e-5)
    np.testing.assert_allclose(distributed.transform(cut(X)).compute(), local.transform(X), atol=1e-4)
    np.testing.assert_allclose(distributed.to_local().transform(X), local.transform(X), atol=1e-4)


@pytest.mark.parametrize(("n_classes", "fit_intercept"), [(2, False), (5, False), (5, True)])
def test_rlsc_equals_that_in_memory(client, documents, cut, n_classes, fit_intercept):
    X, y = documents
    y = y if n_classes == 5 else np.where(y == "corn", "corn", "other")
    distributed = DaskRLSC(0.5, fit_intercept=fit_intercept, tol=1e-5, client=client).fit(cut(X), y)
    local = RLSC(0.5, fit_intercept=fit_intercept).fit(X, y)
    values = distributed.decision_function(cut(X)).compute()
    np.testing.assert_allclose(values, local.decision_function(X), atol=1e-4)
    assert (distributed.predict(cut(X)).compute() == local.predict(X)).all()
    assert (distributed.to_local().predict(X) == local.predict(X)).all()


def test_scaled_gradients_lead_to_the_same_rlsc(client, documents, cut, monkeypatch):
    X, y = documents
    expected = DaskRLSC(0.5, tol=1e-7, client=client).fit(cut(X), y)
    monkeypatch.setattr("textspace.solvers._ridge._MANY", 10)
    scaled = DaskRLSC(0.5, tol=1e-7, client=client).fit(cut(X), y)
    assert np.any(scaled.coef_ != expected.coef_)
    np.testing.assert_allclose(scaled.coef_, expected.coef_, atol=1e-4)


def test_ways_to_give_the_same_documents(client, documents, cut):
    X, y = documents
    X, y = X[:300], y[:300]
    expected = DaskRLSC(client=client).fit(cut(X), y).coef_
    blocks = [X[:120], X[120:]]
    persisted = cut(X).persist()
    wait(persisted)
    for given, labels in [
        (persisted, cut(y)),
        ([delayed(each) for each in blocks], [delayed(y[:120]), delayed(y[120:])]),
        ([delayed(sp.csr_array(each)) for each in blocks], [y[:120], y[120:]]),
        (cut(X.toarray()), y),
    ]:
        np.testing.assert_allclose(DaskRLSC(client=client).fit(given, labels).coef_, expected, atol=1e-3)


@pytest.mark.parametrize(
    ("distributed", "local", "name"),
    [
        (DaskLSI(4, tol=1e-8, random_state=0), LSI(4), "components_"),
        (DaskSpectralRegressionLDA(tol=1e-6), SpectralRegressionLDA(tol=1e-8), "components_"),
        (DaskRLSC(tol=1e-6, fit_intercept=True), RLSC(1.0, fit_intercept=True), "coef_"),
    ],
    ids=["lsi", "lda", "rlsc"],
)
def test_terms_that_never_occur_are_nought(client, documents, cut, distributed, local, name):
    X, y = documents
    columns = np.sort(np.random.default_rng(0).choice(600, X.shape[1], replace=False))
    X = sp.csr_matrix((X.data, columns[X.indices], X.indptr), (600, 600))
    found = getattr(distributed.set_params(client=client).fit(cut(X), y), name)
    np.testing.assert_allclose(abs(found), abs(getattr(local.fit(X, y), name)), atol=1e-4)
    assert found.shape[1] == 600
    assert not found[:, np.setdiff1d(np.arange(600), columns)].any()


def test_a_fit_leaves_nothing_on_the_workers(client, documents, cut):
    X, y = documents
    space = DaskLRWMMC(2, n_regions=6, tol=0.1, random_state=0, client=client).fit(cut(X), y)
    assert space.n_regions_ > 1
    deadline = time.monotonic() + 600
    while any(client.has_what().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.has_what().values())


def test_predictions_are_lazy_and_know_their_rows(client, documents, cut):
    X, y = documents
    model = DaskRLSC(client=client).fit(cut(X), y)
    assert model.predict(cut(X)).chunks == cut(y).chunks
    half = model.predict([delayed(X[:50])])
    assert np.isnan(half.shape[0])
    assert len(half.compute()) == 50


def test_the_default_client_serves(client, documents, cut):
    X, y = documents
    assert DaskRLSC().fit(cut(X), y).predict(cut(X)).shape == (600,)
