"""A worker is killed in each stage, on a real cluster, and nothing of the result changes.

There its nanny starts another one; test_example.py kills a worker for which nobody does.
"""

import os
import signal

import numpy as np
import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

import dask
import dask.bag as db
from dask import delayed
from distributed import wait
from sklearn.base import clone

from textspace.dask import DaskLRWMMC, DaskRLSC, DaskSpectralRegressionLDA, DaskVectorSpace
from textspace.dask._blocks import _make_groups


class Killer:
    """Kills a worker when a stage begins: when a task that runs the function of this name is handed over."""

    def __init__(self, client, monkeypatch):
        self.client, self.monkeypatch = client, monkeypatch

    def arm(self, stage):
        self.victim = min(self.client.run(os.getpid).values())
        submit, compute = self.client.submit, self.client.compute

        def killing_submit(function, *arguments, **options):
            future = submit(function, *arguments, **options)
            if any(getattr(each, "__name__", None) == stage for each in (function, *arguments)):
                self.kill()
            return future

        def killing_compute(collections, *arguments, **options):
            futures = compute(collections, *arguments, **options)
            given = collections if isinstance(collections, list) else [collections]
            graphs = [each.__dask_graph__() for each in given]
            if any(str(key).startswith(stage) for graph in graphs for key in graph):
                self.kill()
            return futures

        self.monkeypatch.setattr(self.client, "submit", killing_submit)
        self.monkeypatch.setattr(self.client, "compute", killing_compute)

    def kill(self):
        if self.victim is not None:
            os.kill(self.victim, signal.SIGKILL)
            self.victim = None

    def check(self):
        """Whether there was a kill; and wait until the nanny has started another worker."""
        self.monkeypatch.undo()
        assert self.victim is None
        self.client.wait_for_workers(2, timeout=600)


@pytest.fixture
def killer(client, monkeypatch):
    client.wait_for_workers(2, timeout=600)
    return Killer(client, monkeypatch)


# the other estimators and stages run the same passes; benchmarks/dask.py kills a worker in those too
STAGES = [
    (DaskSpectralRegressionLDA(tol=1e-4), "gram_product"),
    (DaskLRWMMC(2, n_regions=6, tol=0.1, random_state=0), "_cut"),
    (DaskLRWMMC(2, n_regions=6, tol=0.1, random_state=0), "_search"),
    (DaskLRWMMC(2, n_regions=6, tol=0.1, random_state=0), "_tie"),
    (DaskLRWMMC(2, n_regions=6, tol=0.1, random_state=0), "graph_product"),
]


def fitted(estimator):
    """All numbers that a fit has left."""
    return {name: each for name, each in vars(estimator).items() if name.endswith("_")}


@pytest.fixture(scope="module")
def undisturbed(client, documents, cut):
    """Give a function that fits an estimator and loses no worker; each only once."""
    X, y = documents
    known = {}

    def fit(estimator):
        if str(estimator) not in known:
            known[str(estimator)] = fitted(clone(estimator).fit(cut(X), y))
        return known[str(estimator)]

    return fit


@pytest.mark.parametrize(("estimator", "stage"), STAGES, ids=lambda each: str(each).partition("(")[0])
def test_a_fit_survives(killer, undisturbed, documents, cut, estimator, stage):
    X, y = documents
    before = undisturbed(estimator)
    killer.arm(stage)
    survived = fitted(estimator.fit(cut(X), y))
    killer.check()
    for name, expected in before.items():
        if isinstance(expected, np.ndarray) and expected.dtype.kind == "f":
            np.testing.assert_allclose(survived[name], expected, rtol=1e-9, atol=1e-12)
        else:
            assert np.all(survived[name] == expected)


def test_a_worker_is_dealt_no_more_than_its_share(client, killer, documents, cut):
    home, other = sorted(client.nthreads())
    with dask.annotate(workers=[home]):
        X = [delayed(np.eye)(3, k=k) for k in range(6)]
    held = client.persist(X, optimize_graph=False)
    wait(held)
    assert all(client.who_has()[each.key] == (home,) for each in held)
    plan = _make_groups(client, [each.key for each in held])
    assert plan == [(home, [0, 1, 2]), (other, [3, 4, 5])]


def test_vectorising_survives(client, killer):
    texts = db.from_sequence([f"some words and number{i % 7} of them" for i in range(60)], npartitions=6)
    undisturbed = DaskVectorSpace(client=client).fit_transform(texts).compute()
    killer.arm("_count_documents")
    survived = DaskVectorSpace(client=client).fit_transform(texts).compute()
    killer.check()
    assert (survived != undisturbed).nnz == 0


def test_prediction_survives(client, killer, documents, cut):
    X, y = documents
    model = DaskRLSC(client=client).fit(cut(X), y)
    killer.arm("predict")
    predicted = client.compute(model.predict(cut(X)))
    assert (predicted.result() == model.to_local().predict(X)).all()
    killer.check()
