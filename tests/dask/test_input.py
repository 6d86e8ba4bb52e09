"""What the estimators refuse, each time with a sentence, and what they take though it looks odd."""

import os
import subprocess
import sys
from contextvars import Context

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

import dask.array as da
from dask import delayed
from dask.sizeof import sizeof
from distributed import Client, LocalCluster
from sklearn.linear_model import LogisticRegression

from textspace import classify, kernel, linear, selection, tensor, text
from textspace.classify import RLSC
from textspace.dask import DaskLRWMMC, DaskLSI, DaskRLSC, DaskSpectralRegressionLDA
from textspace.dask._client import find_client
from textspace.text import VectorSpace

WORKER = [sys.executable, "-m", "distributed.cli.dask_worker"]


def test_unknown_chunk_sizes_are_refused(client, documents, cut):
    X, _ = documents
    unknown = cut(X).map_blocks(abs, chunks=((np.nan,) * 6, (250,)))
    with pytest.raises(ValueError, match=r"unknown size.*compute_chunk_sizes\(\)"):
        DaskLSI(client=client).fit(unknown)
    space = DaskLSI(2, tol=1e-2, client=client).fit(cut(X))
    assert space.transform(unknown).compute().shape == (600, 2)
    assert DaskLSI(2, tol=1e-2, client=client).fit(unknown.compute_chunk_sizes()).n_features_in_ == 250


def test_several_column_chunks_are_refused(client, documents):
    X = da.from_array(documents[0].toarray(), chunks=(100, 50))
    with pytest.raises(ValueError, match=r"cut into 5 column chunks.*rechunk"):
        DaskLSI(client=client).fit(X)


def test_blocks_of_different_widths_are_refused(client, documents):
    X, _ = documents
    with pytest.raises(ValueError, match="block 0 has 250 columns, block 1 has 249"):
        DaskLSI(client=client).fit([delayed(X[:100]), delayed(X[100:, 1:])])


def test_an_empty_block_is_refused(client, documents):
    X, _ = documents
    with pytest.raises(ValueError, match="block 1 of X has no rows"):
        DaskLSI(client=client).fit([delayed(X[:100]), delayed(X[:0])])


def test_values_that_are_no_numbers_are_refused_with_their_block(client, documents):
    X, _ = documents
    bad = X[:100].copy()
    bad.data[3] = np.nan
    with pytest.raises(ValueError, match="block 1 of X contains NaN"):
        DaskLSI(client=client).fit([delayed(X), delayed(bad)])


def test_a_class_that_lives_in_one_block_only_is_learned(client, documents, cut):
    X, y = documents
    order = np.argsort(y)  # now every class lives in one or two blocks
    X, y = X[order], y[order]
    model = DaskRLSC(tol=1e-6, client=client).fit(cut(X), cut(y))
    np.testing.assert_allclose(model.coef_, RLSC(1.0).fit(X, y).coef_, atol=1e-4)


def test_string_labels_in_object_arrays_are_text(client, documents, cut):
    X, y = documents
    model = DaskRLSC(tol=1e-6, client=client).fit(cut(X), cut(y.astype(object)))
    assert model.classes_.dtype.kind == "U"
    assert model.classes_.tolist() == sorted(set(y))
    np.testing.assert_allclose(model.coef_, RLSC(1.0).fit(X, y).coef_, atol=1e-4)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (lambda y: [y[:100], y[100:]], "X has 6 blocks, but y has 2"),
        (lambda y: y[:599], r"X has 600 rows, but y has the shape \(599,\)"),
        (
            lambda y: da.from_array(y, chunks=(100, 150, 50, 100, 100, 100)),
            "has 100 documents, but (150|50) labels",
        ),
        (lambda y: np.full(600, "earn"), "only one class: 'earn'"),
        (lambda y: np.where(y == "earn", None, y.astype(object)), "both text and other labels"),
        (lambda y: [np.arange(100), *np.split(y[100:], 5)], "text in some blocks and other labels"),
    ],
)
def test_bad_labels_are_refused(client, documents, cut, labels, sentence):
    X, y = documents
    with pytest.raises(ValueError, match=sentence):
        DaskRLSC(client=client).fit(cut(X), labels(y))


@pytest.mark.parametrize("estimator", [DaskRLSC, DaskSpectralRegressionLDA, DaskLRWMMC])
def test_labels_must_be_given(client, documents, cut, estimator):
    with pytest.raises(ValueError, match=f"{estimator.__name__} requires y to be passed"):
        estimator(client=client).fit(cut(documents[0]), None)


def test_dense_blocks_may_stand_among_sparse_ones(client, documents):
    X, y = documents[0][:60], documents[1][:60]
    spaces = [
        DaskLRWMMC(2, n_neighbors=3, client=client).fit([delayed(first), delayed(X[30:])], np.split(y, 2))
        for first in (X[:30].toarray(), X[:30])
    ]
    np.testing.assert_allclose(spaces[0].components_, spaces[1].components_, atol=1e-5)


@pytest.mark.parametrize("block", [None, [[1.0, 0.0]]])
def test_what_is_no_block_is_refused_with_its_number(client, documents, block):
    X = [delayed(documents[0]), delayed(block)]
    with pytest.raises(TypeError, match=f"block 1 of X is of the type {type(block).__name__}: make it a CSR"):
        DaskLSI(2, client=client).fit(X)


def test_labels_of_delayed_blocks_come_in_blocks(client, documents):
    X, y = documents
    with pytest.raises(ValueError, match="give y in blocks too"):
        DaskRLSC(client=client).fit([delayed(X)], y)


def test_documents_in_memory_are_refused_with_the_name_of_the_class_for_them(client, documents):
    with pytest.raises(TypeError, match="for documents in memory there is LSI"):
        DaskLSI(client=client).fit(documents[0])


def test_other_terms_than_learned_are_refused_at_once(client, documents, cut):
    X, y = documents
    model = DaskRLSC(client=client).fit(cut(X), y)
    with pytest.raises(ValueError, match="X has 249 features, but DaskRLSC was fitted with 250"):
        model.predict(cut(X[:, 1:]))


def test_no_client(documents, cut, monkeypatch):
    monkeypatch.setattr("distributed.client._global_clients", {})  # as where none was ever made
    with pytest.raises(ValueError, match="there is no Dask client: make one"):
        Context().run(DaskLSI().fit, cut(documents[0]))  # a context of its own has no current client


def test_something_else_in_place_of_a_client(documents, cut):
    sentence = r"'client' parameter of DaskLSI must be an instance of .*Client' or None"
    with pytest.raises(TypeError, match=sentence):
        DaskLSI(client="tcp://scheduler:8786").fit(cut(documents[0]))


def test_a_client_with_no_workers(documents, cut):
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
        pytest.raises(ValueError, match="has no workers: start some with 'dask worker"),
    ):
        DaskLSI(client=client).fit(cut(documents[0]))


def test_workers_with_another_version(tmp_path):
    # the worker finds this record of an installation before the real one
    record = tmp_path / "textspace-0.0.1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: textspace\nVersion: 0.0.1\n")
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=":0", protocol="tcp") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        worker = subprocess.Popen(
            [*WORKER, cluster.scheduler_address, "--no-nanny", "--nthreads", "1", "--no-dashboard"],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            stderr=subprocess.DEVNULL,
        )
        try:
            client.wait_for_workers(1, timeout=600)
            with pytest.raises(ValueError, match=r"has textspace 0\.0\.1, but this process has"):
                find_client(client)
        finally:
            worker.kill()
            worker.wait()


def test_a_matrix_in_another_sparse_format_is_taken(client, documents):
    X, y = documents
    model = DaskRLSC(client=client).fit([delayed(sp.csc_matrix(X))], [y])
    assert model.coef_.shape == (5, 250)


ON_CLUSTERS = ["LRWMMC", "LSI", "RLSC", "SpectralRegressionLDA", "TermSelector", "VectorSpace"]
ARGUMENTS = {
    "Alphabets": [[("words", VectorSpace())]],
    "CalibratedMethod": [LogisticRegression()],
    "LabelledOnly": [LogisticRegression()],
    "OneAgainstRest": [LogisticRegression()],
    "SelfTraining": [LogisticRegression()],
    "SentenceEmbeddings": ["folder"],
    "StaticEmbeddings": ["folder"],
}
IN_MEMORY = [
    getattr(package, name)
    for package in (classify, kernel, linear, selection, tensor, text)
    for name in package.__all__
    if hasattr(getattr(package, name), "fit") and name != "LinearProjection"  # a base, which cannot fit
]


@pytest.mark.parametrize("estimator", IN_MEMORY, ids=lambda each: each.__name__)
def test_estimators_in_memory_refuse_dask(documents, cut, estimator):
    X, y = documents
    name = estimator.__name__
    instead = r"bring it into memory with compute\(\)"
    if name in ON_CLUSTERS:
        instead = rf"take textspace\.dask\.Dask{name}, or {instead}"
    with pytest.raises(TypeError, match=f"{name} works in memory, but was given a Dask Array: {instead}"):
        estimator(*ARGUMENTS.get(name, [])).fit(cut(X), y)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix])
def test_dask_knows_how_large_sparse_blocks_are(documents, form):
    X = form(documents[0])
    assert sizeof(X) >= X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
