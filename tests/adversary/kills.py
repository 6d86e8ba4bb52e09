"""Verbs that are killed at any moment: no file is half-written, and the next run goes on or starts clean.

``run(seed, seconds)`` kills as many as there is time for. A verb runs in a process that is killed after a
time drawn at random, or kills itself at a file operation drawn at random. Then each of its files has the
content that it had before, or is whole; and the verb, run again, ends well and leaves nothing else.
"""

import csv
import itertools
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import polars
from tests.signing_keys import write_keys

from textspace.evaluation import Comparison, Evaluation
from textspace.models import TextClassifier, load, save

KILLS = 200  # of each verb, after which no more are needed
WORDS = {"grain": "corn wheat harvest barley crop", "ship": "port cargo vessel tanker harbour"}
OLD = b"what was there before"
N_ROWS = 4000
PRELOADED = [
    "textspace.cli", "textspace.dask", "textspace.evaluation", "textspace.models", "textspace.report",
    "cryptography", "polars",
]  # fmt: skip
FILE_EVENTS = ("open", "os.rename", "os.remove", "os.mkdir")
VERBS = {
    "train": ["train", "mails.csv", "--method", "nb", "-o", "new.textspace", "--report", "new.html"],
    "train and sign": [
        "train",
        "mails.csv",
        "--method",
        "nb",
        "--sign",
        "keys/private.pem",
        "-o",
        "signed.textspace",
    ],
    "predict csv": ["predict", "model.textspace", "rows.csv", "-o", "labelled.csv"],
    "predict jsonl": ["predict", "model.textspace", "rows.csv", "-o", "labelled.jsonl"],
    "predict parquet": ["predict", "model.textspace", "rows.csv", "-o", "labelled.parquet"],
    "evaluate": ["evaluate", "model.textspace", "mails.csv", "-o", "evaluation.json"],
    "select": ["select", "mails.csv", "--terms", "5", "-o", "terms.csv", "--picture", "curve.svg"],
    "report": ["report", "results.json", "-o", "page.html"],
    "report of a model": ["report", "model.textspace", "--data", "mails.csv", "-o", "model.html"],
    "compare": [
        *("compare", "mails.csv", "--methods", "nb,knn", "--folds", "2", "--jobs", "1", "--resume", "runs"),
        *("-o", "compared.json", "--report", "compared.html"),
    ],
    "compare on a cluster": [
        *("compare", "mails.csv", "--methods", "nb,knn", "--folds", "2", "--resume", "clustered"),
        *("--dask", "ADDRESS", "-o", "clustered.json", "--report", "clustered.html"),
    ],
    "demo": ["demo", "--corpus", "demo", "--jobs", "1", "-o", "demo"],
}
WRITES = "-o", "--report", "--picture"
SLOW = "demo"  # it is not run to its end, which `compare`, that does the same, is
SLOW_SECONDS = 30


def prepare(folder):
    """Put into a folder what the verbs read: documents, a model, the results of a comparison."""
    texts, labels = [], []
    for number in range(40):
        label = list(WORDS)[number % 2]
        words = WORDS[label].split()
        texts.append(f"today the {words[number % 5]} and the {words[(number + 2) % 5]} number{number}")
        labels.append(label)
    for name, rows in {
        "mails.csv": zip(texts, labels, strict=True),
        "rows.csv": ((text, "x" * 50) for text in (texts * N_ROWS)[:N_ROWS]),
    }.items():
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label" if name == "mails.csv" else "note"), *rows])
    save(TextClassifier("nb").fit(texts, labels), folder / "model.textspace")
    from tests.comparisons import make_comparison

    write_keys(folder / "keys")
    make_comparison(n_documents=40, n_classes=4, methods=("svm", "lda")).save(folder / "results.json")


def outputs(words, folder):
    """Name the files that a verb writes."""
    if words[0] == SLOW:
        return [folder / "demo" / name for name in ("results.json", "report.html")]
    return [folder / word for option, word in itertools.pairwise(words) if option in WRITES]


def check_whole(path):
    """Raise an error unless a file is all there."""
    match path.suffix:
        case ".textspace":
            load(path).predict(["corn"])
        case ".json" if path.name == "evaluation.json":
            Evaluation.load(path)
        case ".json":
            Comparison.load(path)
        case ".html" | ".svg":
            assert path.read_text(encoding="utf-8").rstrip().endswith(f"</{path.suffix[1:]}>"), (
                f"{path.name} is cut"
            )
        case _:
            n_rows = _n_rows(path)
            assert n_rows == N_ROWS or path.name == "terms.csv", f"{path.name} has {n_rows} rows"


def _n_rows(path):
    if path.suffix == ".parquet":
        return polars.read_parquet(path).height
    with open(path, newline="", encoding="utf-8") as file:
        return len(list(map(json.loads, file) if path.suffix == ".jsonl" else csv.DictReader(file)))


def work(words, folder, log, event=None):
    """Run a verb in a process of its own, which kills itself at the file operation of this number."""
    os.setsid()
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND), stream)
    if event is not None:
        left = [event]

        def hook(name, arguments):
            is_ours = name in FILE_EVENTS and isinstance(arguments[0], str | Path)
            if is_ours and not os.path.isabs(arguments[0]):
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
    from textspace.cli import main

    main(words)


def start(context, words, folder, event=None):
    """Start a verb in a process of its own."""
    process = context.Process(target=work, args=(words, str(folder), str(folder / "log"), event))
    process.start()
    return process


def kill_once(context, verb, folder, rng, seconds):
    """Kill a verb within some seconds, or at one of its file operations; look at its files, give its code."""
    words = VERBS[verb]
    files = outputs(words, folder)
    for path in files:
        path.parent.mkdir(exist_ok=True)
        if rng.random() < 0.5:
            path.write_bytes(OLD)
        elif rng.random() < 0.5:
            path.unlink(missing_ok=True)
    before = {path: path.read_bytes() for path in files if path.exists()}
    process = start(context, words, folder, event=rng.randrange(12) if rng.random() < 0.5 else None)
    process.join(timeout=rng.uniform(0, seconds))
    if process.is_alive():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:  # so young that it has no group of its own yet
            process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), f"{verb} failed after it was killed: {_said(folder)}"
    for path in files:
        if path.exists() and before.get(path) != path.read_bytes():
            check_whole(path)
    return process.exitcode


def _said(folder):
    return (folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:]


def finish(context, verb, folder):
    """Run a verb to its end; give the seconds it took."""
    begin = time.monotonic()
    process = start(context, VERBS[verb], folder)
    process.join(timeout=600)
    assert process.exitcode == 0, f"{verb} failed after it was killed: {_said(folder)}"
    for path in outputs(VERBS[verb], folder):
        check_whole(path)
    left = [str(path) for path in folder.rglob(".*.part") if folder / SLOW not in path.parents]
    assert not left, f"{left} is left"
    return time.monotonic() - begin


@contextmanager
def cluster():
    """Start a Dask cluster of one process on this machine; give its address."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as started:
        yield started.scheduler_address


def run(seed, seconds):
    """Kill verbs until the time is up or each was killed often enough; print how often that was."""
    rng, killed, end = random.Random(seed), Counter(), time.monotonic() + seconds
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with tempfile.TemporaryDirectory() as name, cluster() as address:
        folder = Path(name)
        prepare(folder)
        VERBS["compare on a cluster"][VERBS["compare on a cluster"].index("ADDRESS")] = address
        took = {verb: finish(context, verb, folder) for verb in VERBS if verb != SLOW}
        took[SLOW] = SLOW_SECONDS
        while time.monotonic() < end and (left := [verb for verb in VERBS if killed[verb] < KILLS]):
            verb = rng.choice(left)
            for _ in range(rng.choice([2, 4, 8])):
                code = kill_once(context, verb, folder, rng, 1.1 * took[verb])
                killed[verb] += code != 0
            if verb != SLOW:
                finish(context, verb, folder)
        assert "Traceback" not in _said(folder), _said(folder)
    print(f"verbs that were killed: {dict(killed)}")
    return killed.total(), 0
