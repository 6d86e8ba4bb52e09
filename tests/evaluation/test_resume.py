"""A comparison that is killed, interrupted or out of disk space goes on where it stopped."""

import json
import os
import runpy
import signal
import time
from dataclasses import replace

import pytest

from textspace.evaluation import Comparison, compare
from textspace.methods import METHODS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the signals of POSIX")

# Runs the methods first, second and third. Each notes its fits in a file; while the file "go" does not exist,
# the second waits to be stopped, or fills the disk.
SCRIPT = """
import os, resource, time
from pathlib import Path
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from textspace.datasets import Corpus
from textspace.evaluation import compare
from textspace.methods import Method

class Noted(ClassifierMixin, BaseEstimator):
    def __init__(self, name=None, trouble=None):
        self.name, self.trouble = name, trouble

    def fit(self, X, y):
        with open("fits.txt", "a") as file:
            file.write(self.name + "\\n")
        if self.trouble and not Path("go").exists():
            Path("waiting").write_text(str(os.getpid()))
            if self.trouble == "wait":
                time.sleep(600)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, resource.RLIM_INFINITY))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])

if __name__ == "__main__":
    if stderr is not None:  # as in a terminal: a process with a group of its own
        os.setsid()
        os.chdir(Path(__file__).parent)
        os.dup2(stderr.fileno(), 2)
    methods = [
        Method(name, name, "", "", lambda name=name: Noted(name, trouble if name == "second" else None), {})
        for name in ("first", "second", "third")
    ]
    texts = ["corn wheat", "corn crop", "ship port", "ship dock"]
    corpus = Corpus("tiny", texts * 3, ["grain", "grain", "ship", "ship"] * 3)
    compare(corpus, methods, n_jobs=n_jobs, resume="runs").save("results.json")
"""


@pytest.fixture
def run(tmp_path, nursery):
    path, started = tmp_path / "script.py", []
    path.write_text(SCRIPT)

    def start(trouble, n_jobs=1):
        reader, stderr = nursery.Pipe(duplex=False)
        told = {"stderr": stderr, "trouble": trouble, "n_jobs": n_jobs}
        process = nursery.Process(target=runpy.run_path, args=(str(path), told, "__main__"))
        process.start()
        started.append(process)
        stderr.close()

        def end():
            """Wait for the end of the process; give its exit code and what it said."""
            process.join(timeout=600)
            with open(reader.fileno(), closefd=False) as file:
                return process.exitcode, file.read()

        return process, end

    yield start
    for process in started:
        if process.is_alive():
            os.killpg(process.pid, signal.SIGKILL)
        process.join()


def wait_until(is_so, seconds=600):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def wait_for(*paths):
    wait_until(lambda: all(path.exists() for path in paths))


@pytest.fixture
def check_continues(tmp_path, monkeypatch, capsys):
    """Give a function that runs the script again, here, and checks that kept runs are not computed again."""

    def check(trouble="wait", kept=("first",)):
        files = [tmp_path / "runs" / f"{name}-0.json" for name in kept]
        before = [file.stat().st_mtime_ns for file in files]
        (tmp_path / "go").touch()
        monkeypatch.chdir(tmp_path)
        told = {"stderr": None, "trouble": trouble, "n_jobs": 1}
        runpy.run_path("script.py", told, run_name="__main__")
        assert capsys.readouterr().err == ""
        assert [file.stat().st_mtime_ns for file in files] == before
        fits = (tmp_path / "fits.txt").read_text().split()
        assert [fits.count(name) for name in kept] == [1] * len(kept)
        assert fits.count("second") == 2
        results = Comparison.load(tmp_path / "results.json")
        assert [run["error"] for run in results.runs] == [None] * 3

    return check


@pytest.mark.slow
def test_a_killed_run_continues(tmp_path, run, check_continues):
    process, end = run("wait")
    wait_for(tmp_path / "runs" / "first-0.json", tmp_path / "waiting")
    process.kill()
    end()
    check_continues()


@pytest.mark.slow
@pytest.mark.parametrize(("n_jobs", "kept"), [(1, ["first"]), (2, ["first", "third"])])
def test_ctrl_c_keeps_finished_runs_and_says_how_to_continue(tmp_path, run, check_continues, n_jobs, kept):
    process, end = run("wait", n_jobs)
    wait_for(*(tmp_path / "runs" / f"{name}-0.json" for name in kept), tmp_path / "waiting")
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    code, err = end()
    assert code == 1
    assert f"Stopped after {len(kept)} of 3 runs. They are kept in runs: run the same comparison again" in err
    assert "KeyboardInterrupt" in err
    worker = int((tmp_path / "waiting").read_text())
    wait_until(lambda: not os.path.exists(f"/proc/{worker}/fd"))
    check_continues(kept=kept)


@pytest.mark.slow
def test_a_killed_worker_stops_the_run_with_a_sentence(tmp_path, run):
    _, end = run("wait", n_jobs=2)
    wait_for(tmp_path / "runs" / "first-0.json", tmp_path / "runs" / "third-0.json", tmp_path / "waiting")
    time.sleep(0.2)
    os.kill(int((tmp_path / "waiting").read_text()), signal.SIGKILL)
    code, err = end()
    assert code == 1
    assert "Stopped after 2 of 3 runs." in err
    assert "TerminatedWorkerError" in err
    assert sorted(os.listdir(tmp_path / "runs")) == ["belongs_to.json", "first-0.json", "third-0.json"]


@pytest.mark.slow
def test_a_full_disk_gets_a_sentence_and_keeps_earlier_runs(tmp_path, run, check_continues):
    _, end = run("full")
    code, err = end()
    assert code == 1
    assert "OSError" in err
    assert "the finished runs in the folder are kept; make room and run the same comparison again" in err
    assert "second-0.json" in err
    assert sorted(os.listdir(tmp_path / "runs")) == ["belongs_to.json", "first-0.json"]
    check_continues(trouble="full")


def test_finished_runs_are_taken_from_the_folder(corpus, tmp_path):
    first = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path / "runs")
    path = tmp_path / "runs" / "nb-0.json"
    run = json.loads(path.read_text())
    path.write_text(json.dumps(run | {"n_dimensions": 42}))
    second = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path / "runs")
    assert second.runs[0] == first.runs[0]
    assert second.runs[1]["n_dimensions"] == 42
    assert second.corpus == first.corpus


def test_methods_may_be_added_and_left_out(corpus, tmp_path):
    first = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path)
    second = compare(corpus, "lsi,svm", n_jobs=1, resume=tmp_path)
    assert [run["method"] for run in second.runs] == ["lsi", "svm"]
    assert second.runs[1] == first.runs[0]
    assert compare(corpus, "nb,svm,lsi", n_jobs=1, resume=tmp_path).runs[0] == first.runs[1]


def test_failed_runs_are_not_kept(corpus, tmp_path):
    broken = replace(METHODS["svm"], grid={"C": [-1.0]})
    found = compare(corpus, [broken, "nb"], n_jobs=1, resume=tmp_path)
    assert "C" in found.runs[0]["error"]
    assert sorted(os.listdir(tmp_path)) == ["belongs_to.json", "nb-0.json"]


def test_damaged_runs_are_run_again(corpus, tmp_path):
    compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path)
    (tmp_path / "svm-0.json").write_text('{"method": "sv')
    run = json.loads((tmp_path / "nb-0.json").read_text())
    (tmp_path / "nb-0.json").write_text(json.dumps(run | {"predicted": [7, "a"]}))
    found = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path)
    assert [run["error"] for run in found.runs] == [None, None]


def test_a_run_of_an_earlier_form_is_run_again(corpus, tmp_path):
    first = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path)
    path = tmp_path / "svm-0.json"
    run = json.loads(path.read_text())
    del run["sign"]
    path.write_text(json.dumps(run))
    second = compare(corpus, "svm,nb", n_jobs=1, resume=tmp_path)
    assert second.runs[0]["sign"] == first.runs[0]["sign"] == json.loads(path.read_text())["sign"]


def other_corpus(corpus):
    return replace(corpus, texts=[*corpus.texts[:-1], corpus.texts[-1] + " more"])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda corpus: (other_corpus(corpus), "svm", {}), "other corpus"),
        (lambda corpus: (replace(corpus, labels=corpus.labels[::-1]), "svm", {}), "other corpus"),
        (lambda corpus: (corpus, "svm", {"cv": 4}), "other protocol"),
        (lambda corpus: (corpus, "svm", {"random_state": 1}), "other protocol"),
        (lambda corpus: (corpus, "svm", {"train_share": 0.5}), "other protocol"),
        (lambda corpus: (corpus, [replace(METHODS["svm"], grid={"C": [1]})], {}), "other method 'svm'"),
        (lambda corpus: (corpus, [replace(METHODS["svm"], scheme="ltc")], {}), "other method 'svm'"),
        (lambda corpus: (corpus, [replace(METHODS["nb"], name="svm")], {}), "other method 'svm'"),
    ],
)
def test_another_comparison_in_the_folder_is_an_error(corpus, tmp_path, change, named):
    compare(corpus, "svm", n_jobs=1, resume=tmp_path)
    changed, methods, arguments = change(corpus)
    with pytest.raises(ValueError, match=f"another comparison .{named}.*name another folder") as caught:
        compare(changed, methods, n_jobs=1, resume=tmp_path, **arguments)
    assert str(tmp_path) in str(caught.value)


def test_folders_that_cannot_serve_get_a_sentence(corpus, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file: resume needs the name of a folder"):
        compare(corpus, "nb", n_jobs=1, resume=tmp_path / "file")
    with pytest.raises(ValueError, match="holds other files"):
        compare(corpus, "nb", n_jobs=1, resume=tmp_path)
    (tmp_path / "belongs_to.json").write_text("[]")
    with pytest.raises(ValueError, match=r"belongs_to.json is damaged"):
        compare(corpus, "nb", n_jobs=1, resume=tmp_path)
