"""A worker is killed in each stage, on a real cluster, and nothing of the result changes."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

import dask
import dask.bag as db
from dask import delayed
from distributed import Client, wait

from textspace.classify import RLSC
from textspace.dask import DaskLRWMMC, DaskRLSC, DaskSpectralRegressionLDA, DaskVectorSpace
from textspace.dask._blocks import _make_groups
from textspace.linear import SpectralRegressionLDA


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
        self.client.wait_for_workers(2, timeout=120)


@pytest.fixture
def killer(client, monkeypatch):
    client.wait_for_workers(2, timeout=120)
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


@pytest.mark.parametrize(("estimator", "stage"), STAGES, ids=lambda each: str(each).partition("(")[0])
def test_a_fit_survives(client, killer, documents, cut, estimator, stage):
    X, y = documents
    undisturbed = fitted(estimator.fit(cut(X), y))
    killer.arm(stage)
    survived = fitted(estimator.fit(cut(X), y))
    killer.check()
    for name, expected in undisturbed.items():
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


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    """Start ``dask scheduler`` and two ``dask worker`` by their commands; give a client and the workers."""
    contact = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    run = [sys.executable, "-m", "dask"]
    scheduler = [*run, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", contact]
    worker = [*run, "worker", "--scheduler-file", contact, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    started = [subprocess.Popen(scheduler, stderr=subprocess.DEVNULL)]
    try:
        started += [subprocess.Popen(worker, stderr=subprocess.DEVNULL) for _ in range(2)]
        with Client(scheduler_file=str(contact), timeout=120, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
            yield client, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_processes_by_their_commands(processes, documents, cut, monkeypatch):
    client, workers = processes
    X, y = documents
    model = DaskRLSC(0.5, tol=1e-6, client=client).fit(cut(X), y)
    local = RLSC(0.5).fit(X, y)
    np.testing.assert_allclose(model.coef_, local.coef_, atol=1e-3)
    killer = Killer(client, monkeypatch)
    killer.arm("gram_product")
    killer.victim = workers[0].pid  # nobody starts another one
    space = DaskSpectralRegressionLDA(tol=1e-4, client=client).fit(cut(X), y)
    expected = SpectralRegressionLDA(tol=1e-8).fit(X, y)
    np.testing.assert_allclose(space.eigenvalues_, expected.eigenvalues_, rtol=1e-4)
    assert workers[0].wait(60) == -signal.SIGKILL
    assert len(client.nthreads()) == 1
    assert (model.predict(cut(X)).compute() == local.predict(X)).all()
