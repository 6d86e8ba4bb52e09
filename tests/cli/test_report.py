import json

import pytest


def test_what_is_no_results_file_is_refused(run, tmp_path):
    outcome = run("report", "absent.json")
    assert outcome.code == 1
    assert "there is no file absent.json" in outcome.err
    (tmp_path / "other.json").write_text("{}")
    outcome = run("report", "other.json")
    assert outcome.code == 1
    assert "other.json is not a comparison saved by textspace" in outcome.err
    assert not (tmp_path / "other.html").exists()


def test_report_of_a_model(run, trained, mails, tmp_path):
    outcome = run("report", trained, "-o", "model.html")
    assert (outcome.code, outcome.out) == (0, "model.html\n")
    page = (tmp_path / "model.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "out-of-fold training documents" in page
    found = json.loads(run("report", trained, "-o", "other.html", "--data", mails, "--json").out)
    assert found == {"report": "other.html"}
    assert "documents of mails.csv" in (tmp_path / "other.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["cut.textspace"], 1, "cut.textspace"),
        (["results.json", "--data", "mails.csv"], 2, "--data is for the report of a model"),
        (["MODEL", "--data", "MODEL"], 1, "is a model file: give documents"),
        (["MODEL", "-o", "absent/model.html"], 1, "there is no folder absent"),
    ],
)
def test_errors_are_sentences(run, trained, mails, tmp_path, words, code, sentence):
    (tmp_path / "cut.textspace").write_bytes(trained.read_bytes()[:5000])
    (tmp_path / "results.json").write_text("{}")
    outcome = run("report", *(trained if word == "MODEL" else word for word in words))
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
