import io
import json
import re
import sys

import pytest

from textspace.models import load

TEXT = "today the corn and wheat of the bank"


def test_what_is_printed_adds_up(run, trained):
    outcome = run("explain", trained, TEXT, "--terms", "2")
    assert outcome.code == 0
    assert "What speaks for 'grain', and against it:" in outcome.out
    assert "category: goods > grain" in outcome.out
    parts = dict(re.findall(r"^ (.+?) +([+-][\d.]+)$", outcome.out, re.MULTILINE))
    score = float(parts.pop("score"))
    assert {"constant", "all other terms"} < parts.keys()
    assert len(parts) == 4
    assert sum(map(float, parts.values())) == pytest.approx(score, abs=0.003)


def test_json_is_the_explanation(run, trained):
    found = json.loads(run("explain", trained, TEXT, "--json", "--label", "money").out)
    why = load(trained).explain(TEXT, label="money", n_terms=10)
    assert found == json.loads(json.dumps(why.to_dict())) | {"path": "finance > money"}
    total = sum(term["contribution"] for term in found["terms"]) + found["rest"] + found["constant"]
    assert total == pytest.approx(found["score"], abs=1e-6)


def test_numbers_of_terms_and_neighbours(run, trained):
    found = json.loads(run("explain", trained, TEXT, "--terms", "1", "--neighbors", "2", "--json").out)
    assert (len(found["terms"]), len(found["neighbors"])) == (1, 2)
    outcome = run("explain", trained, TEXT, "--neighbors", "0")
    assert "nearest" not in outcome.out


def test_text_of_a_file(run, trained, tmp_path, monkeypatch):
    (tmp_path / "mail.txt").write_bytes(TEXT.encode("utf-16"))
    told = run("explain", trained, TEXT).out
    assert run("explain", trained, "--file", "mail.txt", "--encoding", "utf-16").out == told
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run("explain", trained, "--file", "-").out == told


def test_a_text_without_known_words(run, trained):
    outcome = run("explain", trained, "ξψω ωψξ")
    assert outcome.code == 0
    assert "The model knows no word of this text" in outcome.out
    assert "nearest" not in outcome.out


def test_text_is_highlighted_on_a_terminal(run, trained, monkeypatch):
    text = "the [bold]corn[/bold] \x1b[31m of the bank"
    words = ["explain", trained, text, "--label", "grain", "--neighbors", "0"]
    assert "[bold]corn" not in run(*words).out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run(*words).out
    assert "]\x1b[1;32mcorn\x1b[0m[" in out
    assert "\x1b[31mbank\x1b[0m" in out
    assert "the [bold]corn[/bold] \ufffd[31m of the bank" in re.sub(r"\x1b\[[\d;]+m", "", out)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["MODEL"], 2, "give the text in quotation marks, or a file"),
        (["MODEL", TEXT, "--file", "mail.txt"], 2, "give the text in quotation marks, or a file"),
        (["MODEL", "  "], 1, "the text is empty"),
        (["MODEL", TEXT, "--label", "grian"], 2, "Did you mean 'grain'?"),
        (["MODEL", "--file", "absent.txt"], 1, "there is no file absent.txt"),
        (["absent.textspace", TEXT], 1, "there is no model file absent.textspace"),
        (["mail.txt", TEXT], 1, "mail.txt"),
    ],
)
def test_errors_are_sentences(run, trained, tmp_path, words, code, sentence):
    (tmp_path / "mail.txt").write_text("no model")
    outcome = run("explain", *(trained if word == "MODEL" else word for word in words))
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
