import json
import signal
import sys
import time
from dataclasses import replace

import pytest

from textspace.cli._compare import default_methods
from textspace.datasets import Corpus
from textspace.evaluation import Comparison
from textspace.methods import DEFAULT_METHODS, METHODS

QUICK = ["--methods", "svm,nb", "--jobs", "1"]


def test_table_results_and_report(run, tmp_path):
    outcome = run("compare", "demo", *QUICK, "-o", "results.json", "--report", "report.html")
    assert outcome.code == 0
    assert "Linear SVM" in outcome.out
    assert "report: report.html" in outcome.err
    comparison = Comparison.load(tmp_path / "results.json")
    assert set(comparison.methods) == {"svm", "nb"}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")

    again = run("report", "results.json", "-o", "again.html")
    assert again.out == "again.html\n"
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_the_table_by_the_sign_rule(run):
    outcome = run("compare", "demo", *QUICK, "--rule", "sign")
    assert outcome.code == 0
    assert "By the sign rule" in outcome.out
    assert "left out: nb." in outcome.out
    assert "sign rule" not in run("compare", "demo", *QUICK).out
    assert "Did you mean 'sign'?" in run("compare", "demo", *QUICK, "--rule", "sing").err


def test_json_is_the_saved_results(run, tmp_path):
    outcome = run("compare", "demo", *QUICK, "--json", "-o", "results.json")
    assert json.loads(outcome.out) == json.loads((tmp_path / "results.json").read_text())


def test_a_file_of_the_users(run, mails):
    guessed = run("compare", mails, *QUICK, "--json")
    assert "note: The text column 'body' was guessed by its name." in guessed.err
    told = run("compare", mails, "--text", "body", "--label", "topic", *QUICK, "--json")
    assert "guessed" not in told.err
    first, second = json.loads(guessed.out), json.loads(told.out)
    assert first["corpus"]["classes"] == second["corpus"]["classes"] == ["grain", "money", "ship"]
    assert [run["predicted"] for run in first["runs"]] == [run["predicted"] for run in second["runs"]]


def test_options_reach_the_protocol(run, mails):
    words = ["--train-share", "0.5", "--repeats", "2", "--cv", "2", "--seed", "7", "--baseline", "nb"]
    protocol = json.loads(run("compare", mails, *QUICK, *words, "--json").out)["protocol"]
    expected = {"train_share": 0.5, "repeats": 2, "cv": 2, "random_state": 7, "baseline": "nb"}
    assert expected.items() <= protocol.items()
    folded = json.loads(run("compare", mails, *QUICK, "--folds", "3", "--json").out)
    assert folded["protocol"]["folds"] == len(folded["truth"]) == 3


def test_best_on_test(run, mails):
    runs = json.loads(run("compare", mails, *QUICK, "--best-on-test", "--json").out)["runs"]
    assert all(len(run["oracle"]) == len(run["search"]) > 1 for run in runs)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["demmo"], 2, "Did you mean 'demo'?"),
        (["zzz"], 2, "Choose from demo, "),
        (["demo", "--methods", "svm,lrwmcc"], 2, "Did you mean 'lrwmmc'?"),
        (["demo", "--baseline", "smv"], 2, "Did you mean 'svm'?"),
        (["demo", "--text", "body"], 2, "--several are for your own files"),
        (["demo", "--repeats", "2"], 2, "add --train-share or --folds"),
        (["demo", "--folds", "3", "--train-share", "0.5"], 2, "exclude each other"),
        (["absent.csv"], 1, "there is no file or folder absent.csv"),
        (["mails.csv", "--text", "bodi"], 1, "bodi"),
        (["mails.csv", "--label", "tpic"], 1, "tpic"),
        (["one.csv"], 1, "only the class 'grain'"),
        (["demo", "-o", "absent/results.json"], 1, "there is no folder absent"),
        (["demo", "--report", "."], 1, "is a folder"),
        (
            ["demo", "--report", "report.pdf"],
            1,
            "report.pdf cannot be written: give a file that",
        ),
        (["demo", "-o", "results.csv"], 1, "results.csv cannot be written: give a file that ends in .json"),
        (["demo", "--train-share", "2"], 1, "2.0"),
    ],
)
def test_errors_are_sentences(run, mails, tmp_path, words, code, sentence):
    (tmp_path / "one.csv").write_text("text,label\ncorn rose,grain\nwheat fell,grain\nrye too,grain\n")
    methods = [] if "--methods" in words else QUICK
    outcome = run("compare", *words, *methods)
    assert outcome.code == code
    assert sentence in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a folder that nobody can write to")
def test_an_unwritable_folder_is_found_before_the_work(run):
    outcome = run("compare", "demo", *QUICK, "-o", "/proc/results.json")
    assert outcome.code == 1
    assert "/proc/results.json cannot be written" in outcome.err


def test_no_method_finished_is_a_failure(run, mails):
    # Five folds of the training documents need five documents in some class; here no class has more than one.
    mails.write_text(
        "text,label,split\n" + "".join(f"word{n},c{n % 2},{'train' if n < 2 else 'test'}\n" for n in range(4))
    )
    outcome = run("compare", mails, "--methods", "svm", "--jobs", "1", "--cv", "5")
    assert outcome.code == 1
    assert "failed" in outcome.out
    assert "no method finished" in outcome.err


def test_a_pipe_gets_plain_text(start, tmp_path):
    process = start(
        "compare", "demo", "--methods", "cm,nb", "--jobs", "1", "--report", "report.html", FORCE_COLOR="1"
    )
    out, err = process.communicate()
    assert process.returncode == 0
    assert not [letter for letter in out + err if ord(letter) < 32 and letter != "\n"]
    assert all(line == line.rstrip() for line in out.splitlines())
    assert 'id="map-picture"' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_ctrl_c_keeps_what_is_finished(start, run, tmp_path):
    words = ["compare", "demo", *QUICK, "--train-share", "0.5", "--repeats", "15", "--resume", "runs"]
    process = start(*words)
    deadline = time.monotonic() + 600
    # by then all compiled code is loaded: an interrupt while numba unpickles it is reported by Python itself
    while len(list(tmp_path.glob("runs/*-*.json"))) < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode in (1, 130)
    assert "Traceback" not in err
    assert "to continue" in err
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("runs/*-*.json")}
    assert 6 <= len(kept) < 30

    assert len(json.loads(run(*words, "--json").out)["runs"]) == 30
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())


def test_other_encodings_are_read(run, tmp_path):
    mails = tmp_path / "mails.csv"
    rows = [f"{word} {n},{word}\n" for n in range(10) for word in ("café", "thé")]
    mails.write_bytes(("text,label\n" + "".join(rows)).encode("latin-1"))
    assert "--encoding" in run("compare", mails, "--methods", "nb", "--jobs", "1").err
    outcome = run("compare", mails, "--methods", "nb", "--jobs", "1", "--encoding", "latin-1")
    assert outcome.code == 0
    assert "2 classes" in outcome.out


def test_the_methods_by_default_use_what_there_is():
    quick = set(DEFAULT_METHODS)
    alone = Corpus("alone", ["x"] * 2, ["a", "b"])
    assert default_methods(alone) == list(DEFAULT_METHODS)
    with_tree = default_methods(replace(alone, tree={"a": "c", "b": "c"}))
    assert {"nadp", "slsi", "hsvm"} == set(with_tree) - quick
    with_more = default_methods(Corpus("more", ["x"] * 3, ["a", "b", ""]))
    assert {"sda", "ss-lrwmmc"} <= set(with_more) - quick
    assert all(METHODS[name].unlabelled for name in set(with_more) - quick)


def test_several_corpora_and_an_estimator_of_ones_own(run, mails, tmp_path):
    (tmp_path / "mine.py").write_text("from sklearn.linear_model import RidgeClassifier as Mine\n")
    words = ["--methods", "nb,mine:Mine", "--jobs", "1", "--baseline", "nb"]
    outcome = run("compare", "demo", mails, *words, "-o", "results.json")
    assert outcome.code == 0, outcome.err
    assert "All corpora" in outcome.out
    assert "mean rank" in outcome.out
    saved = sorted(path.name for path in tmp_path.glob("results*.json"))
    assert saved == ["results-demo.json", "results-mails.json"]
    assert set(Comparison.load(tmp_path / saved[0]).methods) == {"nb", "mine:Mine"}
    both = json.loads(run("compare", "demo", mails, *words, "--json").out)
    assert len(both["comparisons"]) == 2
    assert [sorted(row) for row in both["mean_ranks"]] == [
        ["mean_rank", "method", "ranks", "scores", "title"]
    ] * 2
    assert "same name" in run("compare", "demo", "demo", *words).err
