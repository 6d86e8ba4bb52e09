"""The core jobs on two Dask workers: CPU against in memory, growth, lost workers, regions, memory.

``python -m benchmarks dask`` takes 100,000 documents and more, and long; each question is a function, and
most take the stages to measure::

    python -c "from benchmarks.dask import against_memory; against_memory(20_000, stages=['LSI', 'RLSC'])"
    python -c "from benchmarks.dask import growth; growth((10**5, 10**6))"

Documents are drawn from a corpus and written to Parquet files, from which both sides read them.
"""

import contextlib
import ctypes
import gc
import io
import os
import re
import signal
import tempfile
import threading
import time
import warnings
import zlib
from pathlib import Path

import dask
import dask.array as da
import dask.dataframe as dd
import joblib
import numpy as np
import pandas as pd
import pyarrow
from benchmarks._documents import CORPUS, N_HASHED, draw, labels_of
from benchmarks.neighbors import accuracy, split
from distributed import Client, LocalCluster, wait
from scipy import sparse

from textspace.classify import RLSC
from textspace.dask import (
    DaskLRWMMC,
    DaskLSI,
    DaskRLSC,
    DaskSpectralRegressionLDA,
    DaskTermSelector,
    DaskVectorSpace,
)
from textspace.datasets import load
from textspace.linear import LRWMMC, LSI, SpectralRegressionLDA
from textspace.text import VectorSpace

COMPONENTS = 50
FITS = {
    "LSI": (DaskLSI(COMPONENTS, random_state=0), LSI(COMPONENTS, random_state=0)),
    "SR-LDA": (DaskSpectralRegressionLDA(), SpectralRegressionLDA()),
    "RLSC": (DaskRLSC(), RLSC(1.0)),
    # the same search for neighbours on both sides
    "LRWMMC": (DaskLRWMMC(COMPONENTS, random_state=0), LRWMMC(COMPONENTS, max_postings=300, random_state=0)),
}
STAGES = ("vectorise", *FITS)
# a direction that is taken as it comes leaves the time of the graph alone
GRAPH = DaskLRWMMC(1, tol=1e9, random_state=0)
SELECTOR = DaskTermSelector("subspace", rank=COMPONENTS, random_state=0)


def main():
    against_memory()
    regions()
    lost_workers()
    growth()


def against_memory(n_documents=100_000, block_sizes=(25_000, 50_000), stages=STAGES):
    """CPU of each stage on the cluster and in memory, and the memory of a worker."""
    print(f"CPU on two workers against in memory, {n_documents} documents, {N_HASHED} hashed terms")
    local = {}
    for block in block_sizes:
        with drawn(n_documents, block) as (files, y):
            if not local:
                local = in_memory(files, y, stages)
            with cluster() as client:
                for name, seconds, memory in on_cluster(client, files, y, stages):
                    ratio = f"{seconds:7.1f} s, in memory {local[name]:7.1f} s, {seconds / local[name]:.2f}"
                    print(f"  {name:10} blocks of {block:6}: {ratio}; {memory}", flush=True)


def in_memory(files, y, stages):
    """Seconds of processors of each stage in this process."""
    load_all(stages)
    space = VectorSpace(n_hashed=N_HASHED)
    X, seconds = cpu_of(None, lambda: space.fit_transform([text for file in files for text in read(file)]))
    found = {"vectorise": seconds}
    for name, (_, estimator) in FITS.items():
        if name in stages:
            _, found[name] = cpu_of(None, estimator.fit, X, y)
    return found


def on_cluster(client, files, y, stages):
    """Do each stage on a cluster; yields its name, its seconds of processors and a word on memory."""
    client.run(load_all)
    n_workers = len(client.run(trimmed))
    X, seconds = cpu_of(client, vectorised, files)
    texts = sum(Path(file).stat().st_size for file in files) / 2**20  # they are not compressed
    yield "vectorise", seconds, peak_memory(client, held=0, blocks=texts / n_workers)
    rows = sum(dask.compute(*map(megabytes, blocks(X)))) / n_workers
    for name, (estimator, _) in FITS.items():
        if name in stages:
            client.run(trimmed)
            _, seconds = cpu_of(client, estimator.fit, X, y)
            yield name, seconds, peak_memory(client, held=rows, blocks=rows)


def growth(sizes=(100_000, 300_000, 1_000_000), block=50_000, stages=STAGES):
    """CPU for each document on the cluster as their number grows, and the memory of a worker."""
    print("CPU on two workers for a document, in microseconds")
    first = {}
    for n_documents in sizes:
        with drawn(n_documents, block) as (files, y), cluster() as client:
            for name, seconds, memory in on_cluster(client, files, y, stages):
                each = 1e6 * seconds / n_documents
                ratio = each / first.setdefault(name, each)
                line = f"{name:10} {each:7.0f}, {ratio:.2f} of the first; {memory}"
                print(f"  n = {n_documents:8}   {line}", flush=True)


def lost_workers(n_documents=100_000, trials=5, stages=None):
    """Time of each stage when a worker is killed in its middle, against its time just before.

    The rows that are fitted come from files: what a lost worker held is read again, not made of the texts.
    """
    print(f"A worker is killed in the middle of each stage, {n_documents} documents, {trials} trials")
    fits = {name: estimator for name, (estimator, _) in FITS.items() if name != "LRWMMC"}
    fits |= {"LRWMMC graph": GRAPH, "LRWMMC directions": FITS["LRWMMC"][0], "selector": SELECTOR}
    with drawn(n_documents, n_documents // 8) as (files, y), cluster() as client:
        rows = [] if stages == ["vectorise"] else stored(vectorised(files), Path(files[0]).parent)
        for name in stages or ("vectorise", *fits):
            line, fit = f"  {name:17}", fits.get(name)
            for _ in range(trials):
                client.wait_for_workers(2)
                client.run(load_all)
                X = None if fit is None else held(rows)  # anew, so that both workers hold some

                def work(fit=fit, X=X):
                    return checksums(vectorised(files)) if fit is None else numbers(fit.fit(X, y))

                begin = timed(lambda X=X: GRAPH.fit(X, y))[1] if name == "LRWMMC directions" else 0
                expected, plain = timed(work)
                timer = threading.Timer((begin + plain) / 2, kill_one, [client.run(os.getpid)])
                timer.start()
                found, seconds = timed(work)
                timer.join()
                line += f" {plain:.1f} s, {seconds / plain:.2f} times"
                same = np.allclose(found, expected, rtol=1e-5, atol=1e-7)
                line += "" if same else f" NOT THE SAME {abs(found - expected).max():.1e}"
                line += ";"
            print(line, flush=True)


def stored(X, folder):
    """Write the blocks of rows to files; give what reads them."""
    files = [str(Path(folder, f"{number:03}.npz")) for number in range(X.numblocks[0])]
    save = dask.delayed(sparse.save_npz)
    dask.compute([save(file, block, compressed=False) for file, block in zip(files, blocks(X), strict=True)])
    return [
        da.from_delayed(dask.delayed(sparse.load_npz)(file), (size, X.shape[1]), meta=X._meta)
        for file, size in zip(files, X.chunks[0], strict=True)
    ]


def held(rows):
    X = da.concatenate(rows).persist()
    wait(X)
    return X


def kill_one(processes):
    os.kill(min(processes.values()), signal.SIGKILL)


def numbers(fitted):
    """Give the array that a fit has found."""
    names = ("components_", "coef_", "scores_")
    return next(getattr(fitted, name) for name in names if hasattr(fitted, name))


def checksums(X):
    """Give one number for each array of each block of rows."""
    return np.array(dask.compute(*map(_checksums, blocks(X))))


def blocks(X):
    return X.to_delayed().ravel()


@dask.delayed
def _checksums(block):
    return [zlib.crc32(each.tobytes()) for each in (block.data, block.indices, block.indptr)]


def regions(n_documents=200_000, block=50_000):
    """Neighbours from regions of the space against those from all documents: recall and accuracy."""
    X, y, X_test, y_test = split(n_documents)
    print(f"The nearest neighbour rule in 100 dimensions of LRWMMC, {n_documents} documents")
    whole = LRWMMC(100, max_postings=300, random_state=0).fit(X, y)
    score = accuracy(whole.components_, X, y, X_test, y_test)
    print(f"  in memory: recall {whole.recall_:.3f}, {score:.4f}", flush=True)
    starts = range(0, n_documents, block)
    with cluster() as client, tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{start}.npz")) for start in starts]
        for file, start in zip(files, starts, strict=True):
            sparse.save_npz(file, X[start : start + block], compressed=False)
        rows = [dask.delayed(sparse.load_npz)(file) for file in files]
        labels = [y[start : start + block] for start in starts]
        for n_regions in (2, 4, 16):
            found = DaskLRWMMC(100, n_regions=n_regions, random_state=0, client=client).fit(rows, labels)
            score = accuracy(found.components_, X, y, X_test, y_test)
            print(f"  {n_regions:2} regions: recall {found.recall_:.3f}, {score:.4f}", flush=True)


@contextlib.contextmanager
def drawn(n_documents, block):
    """Write documents, drawn with replacement, to Parquet files; give the files and the labels."""
    originals, y = labels_of(n_documents)
    batches = np.array_split(np.arange(n_documents), -(-n_documents // block))
    with tempfile.TemporaryDirectory() as folder:
        files = joblib.Parallel(n_jobs=-1)(
            joblib.delayed(write)(Path(folder, f"{number:03}.parquet"), originals[batch], batch)
            for number, batch in enumerate(batches)
        )
        yield files, y


def write(file, originals, numbers):
    """Write copies of texts without some of their words."""
    pd.DataFrame({"text": draw(load(CORPUS).texts, originals, numbers)}).to_parquet(file, compression=None)
    return str(file)


def read(file):
    return pd.read_parquet(file)["text"].tolist()


@contextlib.contextmanager
def cluster():
    os.environ["NUMBA_NUM_THREADS"] = "1"
    settings = {
        # on a busy machine a killed worker may take long to be started again: it is not to be given up
        "distributed.deploy.lost-worker-timeout": "10 minutes",
        # a worker that takes the place of a killed one is given no task before it has loaded these
        "distributed.worker.preload": ["textspace.dask", "pyarrow.parquet", "dask.dataframe"],
        # the workers' own profiler looks at their threads a hundred times a second
        "distributed.worker.profile.enabled": False,
    }
    with (
        dask.config.set(settings),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        yield client


def load_all(stages=STAGES):
    """Load and compile what the stages need, which is not to count."""
    corpus = load("demo")
    file = io.BytesIO()
    pd.DataFrame({"text": corpus.texts}).to_parquet(file)
    X = VectorSpace(n_hashed=N_HASHED).fit_transform(read(file))
    for name, (_, estimator) in FITS.items():
        if name in stages:
            with warnings.catch_warnings(action="ignore"):  # it has fewer dimensions than are asked for
                estimator.fit(X, np.asarray(corpus.labels))


def vectorised(files):
    """Make rows of the files, held by the workers."""
    texts = dd.read_parquet(files)["text"]  # a partition a file, in their order
    X = DaskVectorSpace(n_hashed=N_HASHED).fit_transform(texts).persist()
    wait(X)
    return X


def timed(work):
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def cpu_of(client, work, *arguments):
    """Give a call's result and the seconds of processors that this process and the workers have used."""
    before = used(client)
    result = work(*arguments)
    after = used(client)
    return result, sum(after[each] - before[each] for each in after)


def used(client):
    return {"here": time.process_time(), **(client.run(time.process_time) if client else {})}


def trimmed():
    """Give back memory that is not used, and start the peak anew, in a worker; on Linux only."""
    gc.collect()
    pyarrow.default_memory_pool().release_unused()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    global _BEFORE
    _BEFORE = status("VmRSS")


_BEFORE = 0.0  # megabytes of a worker before a stage


def grown():
    """Megabytes by which a worker has grown at most since it was trimmed."""
    return status("VmHWM") - _BEFORE


def status(name):
    return int(re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def peak_memory(client, *, held, blocks):
    """Compare the peak of a worker, with what it held before, with three times its blocks and four arrays."""
    peak = held + max(client.run(grown).values())
    return f"a worker's peak {peak:.0f} MB, bound {3 * blocks + 4 * 16 * N_HASHED * 4 / 2**20:.0f} MB"


@dask.delayed
def megabytes(block):
    return (block.data.nbytes + block.indices.nbytes + block.indptr.nbytes) / 2**20
