"""One short text on the command line, a process for each, against scikit-learn's usual pipeline."""

import pickle
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.datasets import load
from textspace.models import TextClassifier, save

TEXT = "The goalie stopped two shots in the last minute, and our team won the cup"
PARTS = """
import sys, time
from textspace.cli._quick_start import start_quickly
start_quickly()
import textspace.cli, textspace.datasets._read, textspace.models._file, typer._adapters
begun = time.process_time()
model = textspace.models.load(sys.argv[1], with_evaluation=False)
loaded = time.process_time()
model.predict_proba(sys.argv[2:])
print(begun, loaded - begun, time.process_time() - loaded)
"""
PEER = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).predict(sys.argv[2:]))"


def main(corpus="20newsgroups-bydate"):
    print("one text of the command line, a process each: seconds of CPU, the best of five")
    train = load(corpus).train
    with tempfile.TemporaryDirectory() as folder:
        model, peer = Path(folder, "model.textspace"), Path(folder, "peer.pickle")
        save(TextClassifier().fit(train.texts, train.labels), model)
        pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True, stop_words="english"), LinearSVC())
        peer.write_bytes(pickle.dumps(pipeline.fit(train.texts, train.labels)))
        measure(corpus, model, peer)


def measure(corpus, model, peer):
    """Print the times of a saved model and of a pickled pipeline."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        text.write_text(TEXT, encoding="utf-8")
        command = [sys.executable, "-m", "textspace"]
        theirs = least_cpu([sys.executable, "-c", PEER, peer, TEXT])
        for verb, words in (("predict", [model, text]), ("explain", [model, TEXT])):
            ours = least_cpu([*command, verb, *words])
            print(
                f"  {corpus:13} {verb} {ours:.2f} s, scikit-learn {theirs:.2f} s, {ours / theirs:.2f} of it"
            )
        print(f"  {corpus:13} help {least_cpu([*command, '--help']):.2f} s")
        imports, loading, answer = min((_parts(model) for _ in range(5)), key=sum)
        print(f"  {corpus:13} imports {imports:.2f} s, model file {loading:.2f} s, answer {answer:.2f} s")


def least_cpu(command, repeats=5):
    """Seconds of CPU that a command takes, the best of several runs."""
    return min(_cpu(command) for _ in range(repeats))


def _parts(model):
    """Seconds of CPU that imports, the model and its answer take."""
    command = [sys.executable, "-c", PARTS, str(model), TEXT]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(part) for part in done.stdout.split()]


def _cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
