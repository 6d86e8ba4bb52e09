"""A real cluster of two processes, and small documents to cut into blocks."""

import os

import numpy as np
import pytest
import scipy.sparse as sp


@pytest.fixture(scope="session")
def client(request):
    """Give a client of a cluster of two worker processes, each with one thread."""
    import dask
    from distributed import Client, LocalCluster

    # on a busy machine a killed worker may take long to be started again: it is not to be given up
    settings = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
    if os.name == "posix":
        request.getfixturevalue("nursery")
        settings["distributed.worker.multiprocessing-method"] = "forkserver"
    with (
        dask.config.set(settings),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def documents():
    """Give 600 sparse documents over 250 terms in 5 classes with terms of their own, and their labels."""
    generator = np.random.default_rng(0)
    y = generator.choice(5, 600, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    rate = np.full((5, 250), 0.02)
    for label in range(5):
        rate[label, 30 * label : 30 * label + 40] = 0.12
    counts = generator.poisson(rate[y])
    counts[:, 0] += 1  # no empty document
    counts = counts * generator.uniform(0.5, 1.5, counts.shape)  # no ties between neighbours
    X = sp.csr_matrix(counts / np.linalg.norm(counts, axis=1, keepdims=True))
    return X, np.array(["corn", "earn", "grain", "ship", "trade"])[y]


@pytest.fixture(scope="session")
def cut():
    """Give a function that cuts a matrix into blocks of 100 rows, as a Dask array."""
    import dask.array as da

    def blocks(X, rows=100):
        return da.from_array(X, chunks=(rows, *X.shape[1:]), asarray=False)

    return blocks
