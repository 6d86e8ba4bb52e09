"""Learn on a Dask cluster, lose a worker on the way, and compare with the same in memory.

Starts a scheduler and two workers on this machine, as one would on three, and stops them at the end::

    python examples/cluster.py                 # 100,000 documents
    python examples/cluster.py --documents 3000

The documents are drawn with replacement from a corpus of the data folder, or from the small one that comes
with textspace, and lose some of their words: so there are as many as one likes, and always the same ones.
They are written to Parquet files, from which the cluster and this process read them.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# one thread for the BLAS of this process and of the workers; set before numpy is loaded
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from dask import delayed
from distributed import Client, wait

from textspace.classify import RLSC
from textspace.dask import DaskLRWMMC, DaskRLSC, DaskSpectralRegressionLDA, DaskVectorSpace
from textspace.datasets import load
from textspace.linear import LRWMMC, SpectralRegressionLDA
from textspace.text import VectorSpace

N_HASHED = 2**18
DROPOUT = 0.3  # share of the words that a document loses


def main():
    options = parse()
    name = find_corpus(options.corpus)
    with tempfile.TemporaryDirectory() as folder, cluster() as (client, workers):
        files, y = draw_files(name, options.documents, options.block, folder)
        print(f"{options.documents} documents from {name} in {len(files)} blocks, two workers")
        print(f"{'stage':28}{'cluster s':>10}{'CPU s':>8}{'memory s':>10}{'CPU s':>8}   agreement")
        batches = [delayed(read)(file) for file in files]
        space, local = DaskVectorSpace(n_hashed=N_HASHED, client=client), VectorSpace(n_hashed=N_HASHED)
        X, on_cluster = timed(client, lambda: space.fit_transform(batches).persist())
        X_local, in_memory = timed(
            None, lambda: local.fit_transform([text for file in files for text in read(file)])
        )
        show("vectorise", on_cluster, in_memory, f"{equal_rows(X, X_local):.4f} of the rows are equal")

        def learn(stage, distributed, local):
            _, on_cluster = timed(client, lambda: distributed.fit(X, y))
            _, in_memory = timed(None, lambda: local.fit(X_local, y))
            show(stage, on_cluster, in_memory, compare(distributed, local, X_local))

        learn("RLSC", DaskRLSC(client=client), RLSC(1.0))
        learn("discriminant analysis", DaskSpectralRegressionLDA(client=client), SpectralRegressionLDA())
        settings = {"n_components": options.components, "random_state": 0}
        threading.Thread(target=kill_when_searching, args=[client, workers[0]], daemon=True).start()
        # in memory too, neighbours are to come from the lists that large regions have
        lists = 300 if options.documents > 10_000 else None
        learn(
            "LRWMMC, a worker is killed",
            DaskLRWMMC(**settings, client=client),
            LRWMMC(**settings, max_postings=lists),
        )
        killed = "was" if workers[0].poll() == -signal.SIGKILL else "was NOT"
        print(f"a worker {killed} killed on the way; workers at the end: {len(client.nthreads())} of 2")


def show(stage, on_cluster, in_memory, agreement):
    seconds = "".join(f"{clock:10.1f}{cpu:8.1f}" for clock, cpu in (on_cluster, in_memory))
    print(f"{stage:28}{seconds}   {agreement}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--block", type=int, default=25_000, help="documents in a block")
    parser.add_argument("--components", type=int, default=50, help="dimensions of LRWMMC")
    parser.add_argument("--corpus", default="20newsgroups", help="name of a corpus")
    return parser.parse_args()


def find_corpus(name):
    try:
        load(name, download=False)
    except FileNotFoundError:
        print(f"{name} is not in the data folder: the small corpus of textspace serves.")
        return "demo"
    return name


def draw_files(name, n_documents, block, folder):
    """Write documents that have lost some words to Parquet files; give their paths and all labels."""
    corpus, generator = load(name), np.random.default_rng(0)
    originals = generator.integers(len(corpus.texts), size=n_documents)
    files = []
    for start in range(0, n_documents, block):
        copies = []
        for original in originals[start : start + block]:
            words = corpus.texts[original].split()
            kept = generator.random(len(words)) >= DROPOUT
            copies.append(" ".join(word for word, keep in zip(words, kept, strict=True) if keep))
        files.append(f"{folder}/{start}.parquet")
        pd.DataFrame({"text": copies}).to_parquet(files[-1])
    return files, np.asarray(corpus.labels)[originals]


def read(file):
    return pd.read_parquet(file)["text"].tolist()


@contextlib.contextmanager
def cluster():
    """Start a scheduler and two workers, each a process of its own; stop them at the end."""
    dask = [sys.executable, "-m", "dask"]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        contact = Path(folder, "scheduler.json")

        def start(*command):
            process = subprocess.Popen([*dask, *command], cwd=folder, stderr=subprocess.DEVNULL)
            processes.callback(process.wait)
            processes.callback(process.kill)
            return process

        start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", contact)
        worker = "worker", "--scheduler-file", contact, "--nthreads", "1", "--no-nanny", "--no-dashboard"
        workers = [start(*worker) for _ in range(2)]
        with Client(scheduler_file=str(contact), timeout=120) as client:
            client.wait_for_workers(2, timeout=120)
            yield client, workers


def kill_when_searching(client, process):
    """Kill a worker without warning when the search for neighbours has begun."""
    while not client.run_on_scheduler(lambda dask_scheduler: "search" in dask_scheduler.task_prefixes):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)


def timed(client, work):
    """Do the work; give its result, and the seconds that it took on the clock and of all processors."""
    before, started = used(client), time.perf_counter()
    result = work()
    if client is not None:
        wait(result)
    after = used(client)
    # the seconds of a worker that was lost are lost with it
    seconds = sum(after[each] - before[each] for each in after)
    return result, (time.perf_counter() - started, seconds)


def used(client):
    """Seconds of processors that this process and each worker have used so far."""
    return {"here": time.process_time(), **(client.run(time.process_time) if client else {})}


def equal_rows(X, X_local):
    """Share of the rows that are equal."""
    difference = abs(X.compute() - X_local)
    return np.mean(np.asarray(difference.sum(axis=1)).ravel() < 1e-5)


def compare(distributed, local, X):
    """Say how alike two fitted estimators are."""
    again = distributed.to_local()
    if hasattr(local, "predict"):
        return f"{np.mean(again.predict(X) == local.predict(X)):.4f} of the predictions are equal"
    cosines = np.linalg.svd(again.components_ @ local.components_.T, compute_uv=False)
    recall = getattr(distributed, "recall_", None)
    found = "" if recall is None else f"; {recall:.3f} of the neighbours in {distributed.n_regions_} regions"
    return f"cosines of the two spaces {cosines.mean():.4f}, at least {cosines.min():.4f}{found}"


if __name__ == "__main__":
    main()
