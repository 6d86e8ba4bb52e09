"""The core jobs on a Dask cluster of two workers: CPU against in memory, growth, lost workers, cells, memory.

``python -m benchmarks dask`` takes 100,000 documents and more, and long; each question is a function:
``python -c "from benchmarks.dask import growth; growth((10**5, 10**6))"``.
"""

import contextlib
import os
import re
import signal
import threading
import time
from pathlib import Path

import numpy as np
from benchmarks._documents import CORPUS, N_HASHED, draw, drawn, labels_of
from dask import delayed
from distributed import Client, LocalCluster, wait
from sklearn.neighbors import KNeighborsClassifier

from textspace.classify import RLSC
from textspace.dask import DaskLRWMMC, DaskLSI, DaskRLSC, DaskSpectralRegressionLDA, DaskVectorSpace
from textspace.datasets import load
from textspace.linear import LRWMMC, LSI, SpectralRegressionLDA
from textspace.text import VectorSpace

COMPONENTS = 50
STAGES = {
    "LSI": (DaskLSI(COMPONENTS, random_state=0), LSI(COMPONENTS, random_state=0)),
    "SR-LDA": (DaskSpectralRegressionLDA(), SpectralRegressionLDA()),
    "RLSC": (DaskRLSC(), RLSC(1.0)),
    "LRWMMC": (DaskLRWMMC(COMPONENTS, random_state=0), LRWMMC(COMPONENTS, random_state=0)),
}


def main():
    against_memory()
    cells()
    lost_workers()
    growth()


def against_memory(n_documents=100_000, block_sizes=(25_000, 50_000)):
    print(f"CPU on two workers against in memory, {n_documents} documents, {N_HASHED} hashed terms")
    texts, y = drawn(n_documents)
    local = {}
    X, local["vectorise"] = cpu_of(None, VectorSpace(n_hashed=N_HASHED).fit_transform, texts)
    for name, (_, estimator) in STAGES.items():
        _, local[name] = cpu_of(None, estimator.fit, X, y)
    for block in block_sizes:
        with cluster() as client:
            there = spread(client, n_documents, block)
            X, seconds = cpu_of(client, vectorised, there)
            report("vectorise", block, seconds, local["vectorise"])
            held = peak_megabytes(client)
            for name, (estimator, _) in STAGES.items():
                _, seconds = cpu_of(client, estimator.fit, X, y)
                report(name, block, seconds, local[name])
            size = n_documents // block * block_megabytes(X)
            thin = 16 * N_HASHED * 4 / 2**20
            print(
                f"  peak memory of a worker {peak_megabytes(client):.0f} MB, {held:.0f} before the fits; its "
                f"blocks {size / 2:.0f} MB, an array of 16 vectors {thin:.0f} MB"
            )


def report(name, block, seconds, local):
    print(
        f"  {name:10} blocks of {block:6}: {seconds:7.1f} s, in memory {local:7.1f} s, {seconds / local:.2f}"
    )


def cells():
    """Cells against exact neighbours on the test documents of a corpus: recall and micro F1."""
    corpus = load("20newsgroups-bydate")
    space = VectorSpace()
    X, X_test = space.fit_transform(corpus.train.texts), space.transform(corpus.test.texts)
    y, y_test = np.asarray(corpus.train.labels), np.asarray(corpus.test.labels)
    exact = LRWMMC(100, random_state=0).fit(X, y)
    print(f"1-NN in LRWMMC's space, 20 Newsgroups: exact {nearest(exact, X, y, X_test, y_test):.4f}")
    with cluster() as client:
        blocks = [delayed(X[start : start + 3000]) for start in range(0, X.shape[0], 3000)]
        labels = [y[start : start + 3000] for start in range(0, X.shape[0], 3000)]
        for size in (500, 1000, 2500, 5000):
            found = DaskLRWMMC(100, cell_size=size, random_state=0, client=client).fit(blocks, labels)
            score = nearest(found.to_local(), X, y, X_test, y_test)
            print(f"  cells of {size:5}: recall {found.recall_:.3f} in {found.n_cells_} cells, {score:.4f}")


def nearest(space, X, y, X_test, y_test):
    near = KNeighborsClassifier(1).fit(space.transform(X), y)
    return np.mean(near.predict(space.transform(X_test)) == y_test)


def lost_workers(n_documents=20_000, trials=5):
    """Time of each stage when a worker is killed in its middle, against its time without."""
    print(f"A worker is killed in the middle of each stage, {n_documents} documents, {trials} trials")
    _, y = drawn(n_documents)
    with cluster() as client:
        X = vectorised(spread(client, n_documents, 5000))
        for name, (estimator, _) in STAGES.items():
            estimator.fit(X, y)  # what is loaded or compiled once does not count
            started = time.perf_counter()
            expected = estimator.fit(X, y).to_local()
            plain = time.perf_counter() - started
            for _ in range(trials):
                client.wait_for_workers(2)
                wait(X)
                timer = threading.Timer(plain / 2, kill_one, [client.run(os.getpid)])
                started = time.perf_counter()
                timer.start()
                found = estimator.fit(X, y).to_local()
                seconds = time.perf_counter() - started
                timer.join()
                same = max(
                    np.abs(getattr(found, each) - getattr(expected, each)).max()
                    for each in ("components_", "coef_")
                    if hasattr(found, each)
                )
                print(
                    f"  {name:8} {plain:6.1f} s, killed {seconds:6.1f} s ({seconds / plain:.2f}); "
                    f"largest difference {same:.1e}"
                )


def kill_one(processes):
    os.kill(min(processes.values()), signal.SIGKILL)


def growth(sizes=(100_000, 300_000, 1_000_000), block=50_000):
    """CPU for each document on the cluster as their number grows."""
    print("CPU on two workers for a thousand documents, in milliseconds")
    for n_documents in sizes:
        _, y = labels_of(n_documents)
        with cluster() as client:
            X, seconds = cpu_of(client, vectorised, spread(client, n_documents, block))
            line = f"  n = {n_documents:8}   vectorise {1e6 * seconds / n_documents:7.0f}"
            for name, (estimator, _) in STAGES.items():
                _, seconds = cpu_of(client, estimator.fit, X, y)
                line += f"   {name} {1e6 * seconds / n_documents:7.0f}"
            print(line, flush=True)


def spread(client, n_documents, block):
    """Let the workers make the drawn documents, and hold them in blocks."""
    originals, _ = labels_of(n_documents)
    texts = delayed(load)(CORPUS).texts
    parts = np.array_split(np.arange(n_documents), -(-n_documents // block))
    there = client.persist([delayed(draw)(texts, originals[part], part) for part in parts])
    wait(there)
    return there


@contextlib.contextmanager
def cluster():
    os.environ["NUMBA_NUM_THREADS"] = "1"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        yield client


def vectorised(texts):
    return DaskVectorSpace(n_hashed=N_HASHED).fit_transform(texts).persist()


def cpu_of(client, work, *arguments):
    """Give a call's result and the seconds of processors that this process and the workers have used."""
    before = used(client)
    result = work(*arguments)
    if client is not None:
        wait(result)
    after = used(client)
    return result, sum(after[each] - before[each] for each in after)


def used(client):
    return {"here": time.process_time(), **(client.run(time.process_time) if client else {})}


def peak_megabytes(client):
    """Largest memory that a worker has had; on Linux only."""
    return max(client.run(_peak).values())


def _peak():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def block_megabytes(X):
    """Size of the first block of a sparse Dask array."""
    block = X.blocks[0].compute()
    return (block.data.nbytes + block.indices.nbytes + block.indptr.nbytes) / 2**20
