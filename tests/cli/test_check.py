import csv
import json

import pytest

from textspace.datasets import load
from textspace.tables import read_table


def write(path, rows, names=("text", "label")):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


@pytest.fixture
def sound():
    """Documents without anything to find: those of the demo corpus."""
    corpus = load("demo").train
    return list(zip(corpus.texts, corpus.labels.tolist(), strict=True))


def test_nothing_to_find(run):
    outcome = run("check", "demo")
    assert outcome.code == 0
    assert "408 documents (240 train, 120 test, 48 unlabelled), 360 with a label, 12 classes" in outcome.out
    assert "Nothing was found" in outcome.out


def test_findings_name_rows_of_the_file(run, tmp_path, sound):
    write(
        tmp_path / "mails.csv",
        [("two\nlines of text", "x"), *sound, ("", "x"), sound[3], (sound[5][0], "else")],
    )
    outcome = run("check", "mails.csv")
    assert outcome.code == 0
    assert "note: The text column 'text' was guessed by its name." in outcome.err
    assert "documents of each class: " in outcome.out
    assert "characters of the texts: none in 1, " in outcome.out
    assert "empty: 1 document has no text.\n  Such rows are left out" in outcome.out
    assert "\n    row 242 (line 244) [x] \n" in outcome.out
    text, label = sound[3]
    assert f"    row 5 (line 7) [{label}] {text[:70]}" in outcome.out
    assert f"    row 243 (line 245) [{label}] {text[:70]}" in outcome.out
    assert "conflicts: The labels differ in 1 group" in outcome.out
    assert "  Decide which label is right" in outcome.out


def test_json(run, tmp_path, sound):
    write(tmp_path / "mails.csv", [*sound, sound[3]])
    found = json.loads(run("check", "mails.csv", "--json").out)
    assert found["documents"] == found["labelled"] == 241
    assert sum(found["classes"].values()) == 241
    assert found["notes"]
    [finding] = found["findings"]
    assert (finding["kind"], finding["stops"]) == ("duplicates", False)
    assert [place["row"] for place in finding["groups"][0]] == [4, 241]
    first = finding["groups"][0][0]
    assert first == {
        "file": "mails.csv",
        "row": 4,
        "where": "row 4 (line 5)",
        "id": "",
        "label": sound[3][1],
        "text": " ".join(sound[3][0].split())[:200],
    }
    assert sum(each["documents"] for each in found["lengths"]) == 241
    assert found["columns"] == {"text": ["text"], "label": "label"}


def test_leakage_between_two_files(run, tmp_path, sound):
    write(tmp_path / "train.csv", sound)
    corpus = load("demo").test
    rows = [*zip(corpus.texts, corpus.labels.tolist(), strict=True), sound[7]]
    write(tmp_path / "test.csv", rows)
    outcome = run("check", "train.csv", "--test", "test.csv")
    assert "leakage: 1 test document has the same text as a training document." in outcome.out
    assert f"    train.csv, row 8 (line 9) [{sound[7][1]}] " in outcome.out
    assert f"    test.csv, row 121 (line 122) [{sound[7][1]}] " in outcome.out
    found = json.loads(run("check", "train.csv", "--test", "test.csv", "--json").out)
    assert found["split"] == {"train": 240, "test": 121}
    [[first, second]] = found["findings"][0]["groups"]
    assert (first["file"], first["row"], second["file"], second["row"]) == ("train.csv", 8, "test.csv", 121)


def test_only_so_many_rows_are_named(run, tmp_path, sound):
    write(
        tmp_path / "mails.csv", [*sound, *([("again and again the same", "geology")] * 9), *([("", "x")] * 9)]
    )
    outcome = run("check", "mails.csv")
    assert "row 244 (line 245) [geology] again and again the same\n    and 5 more\n" in outcome.out
    assert "row 254 (line 255) [x] \n    and 4 more documents\n" in outcome.out


def test_all_findings_are_written(run, tmp_path, sound):
    rows = [*sound, *([("again and again the same", "geology")] * 9), ("=1+1 is a formula", "x"), ("", "x")]
    write(tmp_path / "mails.csv", rows)
    kinds = {}
    for name in ("findings.csv", "findings.xlsx"):
        outcome = run("check", "mails.csv", "-o", name, "--report", "check.html")
        assert outcome.code == 0
        assert f"findings: {name}\nreport: check.html" in outcome.err
        table = read_table(tmp_path / name)
        kinds[name] = list(zip(table.column("kind"), map(int, table.column("row")), strict=True))
        assert len([kind for kind, _ in kinds[name] if kind == "duplicates"]) == 9
        formula = next(text for text in table.column("text") if text and "1+1" in text)
        assert formula == ("'=1+1 is a formula" if name == "findings.csv" else "=1+1 is a formula")
    assert kinds["findings.csv"] == kinds["findings.xlsx"]
    page = (tmp_path / "check.html").read_text(encoding="utf-8")
    assert "again and again the same" in page
    assert "<script" not in page
    assert "cannot be written" in run("check", "mails.csv", "-o", "findings.doc").err


def test_labels_and_a_tree(run, tmp_path, sound):
    write(tmp_path / "mails.csv", sound)
    (tmp_path / "tree.csv").write_text("child,parent\ngeology,science\n")
    outcome = run("check", "mails.csv", "--tree", "tree.csv")
    assert outcome.code == 1
    assert "tree: " in outcome.out
    assert "no model can be trained on mails.csv as it is" in outcome.err
    assert run("check", "mails.csv", "--tree", "tree.csv", "--label-separator", "/").code == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("text,label\ncorn rose,grain\nwheat fell,grain\n", "only the label 'grain'"),
        ("text,label\ncorn rose,\nwheat fell,\n", "have no labels"),
    ],
)
def test_what_stops_is_a_failure_and_listed(run, tmp_path, content, sentence):
    (tmp_path / "mails.csv").write_text(content)
    outcome = run("check", "mails.csv")
    assert outcome.code == 1
    assert sentence in outcome.out
    assert json.loads(run("check", "mails.csv", "--json").out)["findings"][0]["stops"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["demmo"], 2, "Did you mean 'demo'?"),
        (["absent.csv"], 1, "there is no file or folder absent.csv"),
        (["bad.csv", "--encoding", "utf-8"], 1, "bad.csv, line 3: byte 0xe9"),
        (["header.csv"], 1, "has no rows below its header"),
        (["ragged.csv"], 1, "row 2 (line 3): 3 cells where the first row names 2 columns"),
        (["model.textspace"], 1, "model.textspace is a model file: give documents"),
        (["header.csv", "--text", "bod"], 1, "has no rows below its header"),
        (["demo", "--test", "ragged.csv"], 2, "demo has its own"),
    ],
)
def test_errors_are_sentences(run, tmp_path, words, code, sentence):
    (tmp_path / "bad.csv").write_bytes(b"text,label\nplain,x\ncaf\xe9,y\n")
    (tmp_path / "header.csv").write_text("text,label\n")
    (tmp_path / "ragged.csv").write_text("text,label\na,x\nb,y,z\n")
    (tmp_path / "model.textspace").write_bytes(b"PK")
    outcome = run("check", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err


def test_labels_cannot_command_the_terminal(run, tmp_path):
    write(tmp_path / "mails.csv", [(f"text number {n} here", f"\x1b[31mred{n}") for n in range(3)])
    outcome = run("check", "mails.csv")
    assert "\x1b" not in outcome.out


def test_the_languages_of_the_texts_are_told(run):
    assert list(json.loads(run("check", "demo", "--json").out)["languages"]) == ["en"]
    assert "Languages: English 100%." in run("check", "demo").out
