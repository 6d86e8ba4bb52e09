import csv
import io
import json
import os
import signal
import sqlite3
import sys
import time

import numpy as np
import polars
import pytest

from textspace.cli._predict import label_columns
from textspace.datasets import load as load_corpus
from textspace.datasets import read
from textspace.models import TextClassifier, load
from textspace.tables import formats

TEXTS = [
    "wheat and corn in the barley crop",
    "",
    "the bank has a loan of a dollar",
    "a vessel in the harbour, at port",
]
LABELS = ["grain", "", "money", "ship"]


@pytest.fixture
def rows(tmp_path):
    """A file with a column of texts among others."""
    with open(tmp_path / "rows.csv", "w", newline="") as file:
        table = [(n, text, f'"x", {n}\n') for n, text in enumerate(TEXTS)]
        csv.writer(file).writerows([("id", "message", "note"), *table])
    return tmp_path / "rows.csv"


@pytest.fixture
def stdin(monkeypatch):
    """Give a function that says what comes in on the standard input stream."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


def table(content, delimiter=","):
    return list(csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*components")
def test_probabilities_in_single_precision_have_four_digits_too():
    corpus = load_corpus("demo")
    model = TextClassifier("mfa").fit(corpus.train.texts, corpus.train.labels)
    found = label_columns(model, corpus.test.texts, top=2)
    given = [*found["confidence"], *found["confidence_2"]]
    assert given == [round(confidence, 4) for confidence in given]


def test_columns_are_kept_and_labels_added(run, trained, rows, tmp_path):
    outcome = run("predict", trained, rows, "-o", "out.csv")
    assert (outcome.code, outcome.out) == (0, "")
    assert "4 rows, 1 of them without a text and so without a label: out.csv" in outcome.err
    found = table((tmp_path / "out.csv").read_text())
    assert list(found[0]) == ["id", "message", "note", "label", "confidence", "path"]
    assert [row["label"] for row in found] == LABELS
    assert [row["message"] for row in found] == TEXTS
    assert found[1]["note"] == '"x", 1\n'
    assert found[1]["confidence"] == found[1]["path"] == ""
    assert found[0]["path"] == "goods > grain"


def test_the_same_as_the_model_says(run, trained, rows):
    model = load(trained)
    found = table(run("predict", trained, rows, "--top", "3").out)
    shares = model.predict_proba([text for text in TEXTS if text])
    for row, share in zip([row for row in found if row["label"]], shares, strict=True):
        order = np.argsort(-share)
        names = [row["label"], row["label_2"], row["label_3"]]
        given = [float(row[name]) for name in ("confidence", "confidence_2", "confidence_3")]
        assert names == model.classes_[order].tolist()
        np.testing.assert_allclose(given, share[order], atol=5e-5)


def test_more_labels_than_there_are(run, trained, rows):
    assert list(table(run("predict", trained, rows, "--top", "9").out)[0])[-1] == "confidence_3"


@pytest.mark.parametrize("source", [".csv", ".tsv", ".jsonl", ".parquet", ".txt"])
@pytest.mark.parametrize("target", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_all_kinds_of_files(run, trained, tmp_path, source, target):
    frame = polars.DataFrame({"text": TEXTS})
    match source:
        case ".parquet":
            frame.write_parquet(tmp_path / "in.parquet")
        case ".jsonl":
            frame.write_ndjson(tmp_path / "in.jsonl")
        case ".txt":
            (tmp_path / "in.txt").write_text("\n".join(TEXTS))
        case _:
            frame.write_csv(tmp_path / f"in{source}", separator="," if source == ".csv" else "\t")
    assert run("predict", trained, f"in{source}", "-o", f"out{target}").code == 0
    match target:
        case ".parquet":
            found = polars.read_parquet(tmp_path / "out.parquet").to_dicts()
        case ".jsonl":
            found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
        case _:
            found = table((tmp_path / f"out{target}").read_text(), "," if target == ".csv" else "\t")
    assert [row["label"] for row in found] == LABELS
    assert [row["text"] for row in found] == TEXTS
    if target in (".parquet", ".jsonl"):
        assert found[1]["confidence"] is None
        assert 0 < found[0]["confidence"] <= 1


def test_lines_of_the_standard_input(run, trained, stdin):
    stdin("\n".join(TEXTS).encode())
    outcome = run("predict", trained, "-")
    assert [row["label"] for row in table(outcome.out, "\t")] == LABELS
    stdin("\n".join(TEXTS).encode())
    lines = run("predict", trained, "-", "--json").out.splitlines()
    assert [json.loads(line)["label"] for line in lines] == LABELS


def test_a_table_on_the_standard_input(run, trained, stdin, rows):
    stdin(rows.read_bytes())
    outcome = run("predict", trained, "-", "--format", "csv", "--text", "message")
    assert outcome.out == run("predict", trained, rows).out


def test_counts_as_json(run, trained, rows):
    outcome = run("predict", trained, rows, "-o", "out.csv", "--min-confidence", "1", "--json")
    assert json.loads(outcome.out) == {"rows": 4, "empty": 1, "unsure": 3, "output": "out.csv"}


def test_unsure_labels_step_back_in_the_tree(trained):
    model, texts = load(trained), ["corn and the loan", "corn wheat barley", "corn vessel bank"]
    shares = model.predict_proba(texts)
    for threshold in (0.0, 0.5, 0.9, 1.0):
        found = label_columns(model, texts, min_confidence=threshold)
        assert found["label"] == model.predict(texts, min_confidence=threshold).tolist()
        for label, confidence, share in zip(found["label"], found["confidence"], shares, strict=True):
            below = model.tree_.leaves_below(label) if label else [model.classes_[share.argmax()]]
            assert confidence == pytest.approx(share[np.isin(model.classes_, below)].sum(), abs=1e-4)


def test_a_file_that_has_such_columns(run, trained, tmp_path):
    (tmp_path / "rows.csv").write_text("text,label\nwheat and corn,ship\n")
    outcome = run("predict", trained, "rows.csv")
    assert table(outcome.out)[0].items() >= {"label": "ship", "predicted_label": "grain"}.items()
    assert "predicted_label" in outcome.err


def test_what_was_labelled_is_labelled_again(run, trained, tmp_path):
    (tmp_path / "rows.csv").write_text("text,label,predicted_label,label_2\nwheat and corn,ship,x,y\n")
    outcome = run("predict", trained, "rows.csv")
    assert table(outcome.out)[0]["predicted_predicted_label"] == "grain"
    assert "the new ones are named predicted_predicted_label ..." in outcome.err
    (tmp_path / "rows.csv").write_text("text,label_2\nwheat and corn,ship\n")
    assert "predicted_label_2" in table(run("predict", trained, "rows.csv", "--top", "2").out)[0]


def test_no_letter_of_a_row_is_lost_in_a_pipe(start, trained, tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"text": "naïve 小麦 \\ud800"}\n', encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    for more in ([], ["--json"]):
        out, _ = start("predict", trained, "rows.jsonl", *more, **plain).communicate()
        assert "naïve 小麦 ?" in out


@pytest.mark.filterwarnings("ignore:Query string")
def test_the_password_of_a_database_is_not_told(run, trained, tmp_path):
    with sqlite3.connect(tmp_path / "mails.db") as base:
        base.execute("CREATE TABLE mails (text, more)")
        base.execute("INSERT INTO mails VALUES ('corn', x'00')")
    base.close()
    for column in ("nothing", "more"):
        words = [f"sqlite:///{tmp_path}/mails.db?password=secret", "--sheet", "mails", "--text", column]
        outcome = run("predict", trained, *words)
        assert outcome.code == 1
        assert "password=***" in outcome.err
        assert "secret" not in outcome.err


def test_columns_guessed_or_told(run, trained, tmp_path):
    (tmp_path / "rows.csv").write_text("subject,content\nbank loan,wheat and corn\n")
    guessed = run("predict", trained, "rows.csv")
    assert "note: The text column 'content' was guessed by its name." in guessed.err
    assert table(guessed.out)[0]["label"] == "grain"
    told = run("predict", trained, "rows.csv", "--text", "subject")
    assert "guessed" not in told.err
    assert table(told.out)[0]["label"] == "money"


@pytest.mark.parametrize("output", ["out.txt", "out.docx", "out"])
def test_a_file_that_cannot_be_written_is_refused_before_the_work(run, trained, tmp_path, output):
    (tmp_path / "rows.csv").write_bytes(b"\xff")  # not so much as looked at
    outcome = run("predict", trained, "rows.csv", "-o", output)
    assert outcome.code == 1
    assert f"{output} cannot be written: give a file that ends in .arrow, .feather, .csv" in outcome.err
    assert os.listdir(tmp_path) == ["rows.csv"]


@pytest.mark.parametrize("n_before", [3, 2500])
def test_a_stray_quotation_mark_stops_neither_training_nor_prediction(run, tmp_path, mails, n_before):
    rows = [row.split(",")[1:] for row in mails.read_text().splitlines()[1:]]
    lines = ["\t".join(rows[n % len(rows)]) for n in range(n_before)]
    lines += ['"corn and wheat\tgrain', 'a "vessel" at port\tship', '"bank" or "loan\tmoney'] * 2
    (tmp_path / "mails.tsv").write_text("\n".join(["body\ttopic", *lines, *map("\t".join, rows)]))
    note = "note: Quotation marks are read as plain characters"
    told = run("train", "mails.tsv", "-o", "mails.textspace", "--method", "rlsc")
    assert (told.code, note in told.err) == (0, True)
    outcome = run("predict", "mails.textspace", "mails.tsv")
    assert (outcome.code, note in outcome.err) == (0, True)
    found = table(outcome.out, "\t")
    assert len(found) == n_before + 6 + len(rows)
    assert [row["label"] for row in found[n_before : n_before + 3]] == ["grain", "ship", "money"]
    assert found[n_before]["body"] == '"corn and wheat'


NEW_FORMAT = '''
"""JSON: one array of objects."""

import json
from pathlib import Path

from textspace._files import atomic_open
from textspace.tables import Block, Format


def read(path, how):
    rows = json.loads(Path(path).read_text(how.encoding or "utf-8"))
    column = lambda name: [row[name] for row in rows]
    yield Block(list(rows[0]), len(rows), column, lambda position: f"object {position + 1}")


def write(blocks, path):
    rows = []
    for block in blocks:
        columns = [block.column(name) for name in block.names]
        rows += [dict(zip(block.names, values)) for values in zip(*columns)]
    with atomic_open(path) as file:
        json.dump(rows, file)


FORMAT = Format("list", (".list",), read, write, streams=False)
'''


def test_a_new_format_is_one_file(run, trained, tmp_path, monkeypatch):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "_list.py").write_text(NEW_FORMAT)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path / "more")])
    monkeypatch.setitem(sys.modules, f"{formats.__name__}._list", None)  # forgotten again at the end
    monkeypatch.delitem(sys.modules, f"{formats.__name__}._list")
    rows = [{"text": text, "label": label} for text, label in zip(TEXTS, LABELS, strict=True) if text]
    (tmp_path / "rows.list").write_text(json.dumps(rows))

    corpus = read("rows.list")
    assert (corpus.texts, corpus.labels.tolist()) == ([*filter(None, TEXTS)], [*filter(None, LABELS)])
    assert run("predict", trained, "rows.list", "-o", "out.list").code == 0
    found = json.loads((tmp_path / "out.list").read_text())
    assert [row["predicted_label"] for row in found] == corpus.labels.tolist()
    assert run("predict", trained, "rows.list", "-o", "out.csv", "--format", "list").code == 0
    assert [row["text"] for row in table((tmp_path / "out.csv").read_text())] == corpus.texts
    assert "\tpredicted_confidence" in run("predict", trained, "rows.list").out  # as TSV
    assert "cannot be written: give a file that ends in .arrow" in (
        run("predict", trained, "rows.list", "-o", "out.docx").err
    )


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["absent.textspace", "rows.csv"], 1, "there is no model file absent.textspace: make one with"),
        (["rows.csv", "MODEL"], 1, "is a model file: give documents"),
        (["rows.csv", "rows.csv"], 1, "rows.csv"),
        (["cut.textspace", "rows.csv"], 1, "cut.textspace"),
        (["MODEL", "absent.csv"], 1, "absent.csv does not exist"),
        (["MODEL", "."], 1, "cannot be read: give a file that ends in .arrow"),
        (["MODEL", "rows.csv", "--text", "mesage"], 1, "did you mean 'message'?"),
        (["MODEL", "rows.csv", "-o", "absent/out.csv"], 1, "there is no folder absent"),
        (
            ["MODEL", "rows.csv", "-o", "out.docx"],
            1,
            "out.docx cannot be written: give a file that ends in",
        ),
        (["MODEL", "rows.csv", "--min-confidence", "60"], 2, "--min-confidence"),
        (["MODEL", "rows.csv", "--format", "cvs"], 2, "Did you mean 'csv'?"),
        (["MODEL", "ragged.csv"], 1, "ragged.csv, row 2 (line 3): 3 cells"),
        (
            ["MODEL", "latin.csv", "--encoding", "utf-8"],
            1,
            "latin.csv, line 3: byte 0xe9 at position 19",
        ),
        (["MODEL", "header.csv"], 1, "has no rows below its header"),
        (["MODEL", "number.jsonl"], 1, "number.jsonl, line 1, column 'text': expected text, found int"),
        (["MODEL", "rows.parquet"], 1, "rows.parquet is damaged or no Parquet file"),
    ],
)
def test_errors_are_sentences(run, trained, rows, tmp_path, words, code, sentence):
    (tmp_path / "cut.textspace").write_bytes(trained.read_bytes()[:5000])
    (tmp_path / "ragged.csv").write_text("text,id\na,1\nb,2,3\n")
    (tmp_path / "latin.csv").write_bytes(b"text,id\nplain,1\ncaf\xe9,2\n")
    (tmp_path / "header.csv").write_text("text,id\n")
    (tmp_path / "number.jsonl").write_text('{"text": 5, "other": "words"}\n')
    (tmp_path / "rows.parquet").write_text("text,id\na,1\n")
    words = [trained if word == "MODEL" else word for word in words]
    words += [] if "-o" in words else ["-o", "out.csv"]
    outcome = run("predict", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
    assert not (tmp_path / "out.csv").exists()


def test_a_bad_row_far_behind_leaves_no_file(run, trained, tmp_path):
    lines = ["text,id"] + [f"corn {n},{n}" for n in range(5000)] + ["one cell"]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    outcome = run("predict", trained, "rows.csv", "-o", "out.csv")
    assert outcome.code == 1
    assert "row 5001 (line 5002): 1 cells" in outcome.err
    assert os.listdir(tmp_path) == ["rows.csv"]


def test_a_large_cell_and_nul_bytes(run, trained, tmp_path):
    with open(tmp_path / "rows.csv", "w", newline="") as file:
        rows = [("corn wheat " * 500_000, 1), ("bank\x00loan", 2)]
        csv.writer(file).writerows([("text", "id"), *rows])
    assert run("predict", trained, "rows.csv", "-o", "out.jsonl").code == 0
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["label"] for row in found] == ["grain", "money"]
    assert found[1]["text"] == "bank\x00loan"


def test_a_pipe_that_is_closed(start, trained, tmp_path):
    (tmp_path / "rows.txt").write_text("corn and wheat\n" * 20_000)
    process = start("predict", trained, "rows.txt")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 1
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()


def test_ctrl_c_leaves_nothing(start, trained, tmp_path):
    (tmp_path / "rows.csv").write_text("text\n" + "corn and wheat\n" * 300_000)
    process = start("predict", trained, "rows.csv", "-o", "out.csv")
    deadline = time.monotonic() + 600
    while not list(tmp_path.glob(".out.csv*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode in (1, 130)
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == ["rows.csv"]


@pytest.fixture
def lopsided(tmp_path):
    """A file of 200 texts, nine in ten of which are of one class, and all in some doubt."""
    texts = ["corn and the bank number"] * 180 + ["vessel and the loan"] * 20
    (tmp_path / "lopsided.txt").write_text("\n".join([*texts, ""]))
    return texts


def test_adapt_labels_with_the_shares_of_the_texts(run, trained, lopsided, tmp_path):
    model = load(trained)
    before, after = model.predict_proba(lopsided), model.predict_proba(lopsided, adapt=True)
    assert np.abs(before - after).max() > 0.05
    words = ["predict", trained, "lopsided.txt", "--adapt"]
    outcome = run(*words)
    found = table(outcome.out, "\t")
    assert [row["label"] for row in found] == model.predict(lopsided, adapt=True).tolist()
    np.testing.assert_allclose([float(row["confidence"]) for row in found], after.max(axis=1), atol=5e-5)
    n_changed = np.sum(before.argmax(axis=1) != after.argmax(axis=1))
    assert f"adapted: {n_changed} of 200 answers change with the shares" in outcome.err
    shares = model.shares_among(before)
    grown = model.classes_[np.argmax(shares - model.shares_)]
    assert f"Most grew {grown} (33.3 % to {100 * shares.max():.1f} %)" in outcome.err
    counts = json.loads(run(*words, "-o", "out.csv", "--json").out)
    assert (counts["rows"], counts["changed"]) == (200, n_changed)


def test_adapt_changes_nothing_for_few_texts(run, trained, rows):
    outcome = run("predict", trained, rows, "--adapt")
    assert outcome.out == run("predict", trained, rows).out
    assert "among these 3 texts cannot be told from those that the model assumes" in outcome.err


def test_adapt_to_texts_that_are_all_empty(run, trained, tmp_path):
    (tmp_path / "empty.csv").write_text('text,id\n"",1\n" ",2\n')
    outcome = run("predict", trained, "empty.csv", "--adapt", "--text", "text")
    assert [row["label"] for row in table(outcome.out)] == ["", ""]
    assert "adapted" not in outcome.err


def test_adapt_to_the_standard_input(run, trained, stdin, lopsided):
    stdin("\n".join(lopsided).encode())
    outcome = run("predict", trained, "-", "--adapt")
    assert outcome.out == run("predict", trained, "lopsided.txt", "--adapt").out


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_cells_that_a_spreadsheet_would_run_are_written_safely_when_asked(run, trained, tmp_path, suffix):
    cells = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tcorn", "-1.5", "corn = wheat", "＝1+1"]
    with open(tmp_path / "rows.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["text", "=name"], *([cell, cell] for cell in cells)])
    for words, expected in (([], cells), (["--spreadsheet-safe"], [f"'{cell}" for cell in cells])):
        outcome = run("predict", trained, tmp_path / "rows.csv", "-o", tmp_path / f"out{suffix}", *words)
        assert outcome.code == 0, outcome.err
        written = (tmp_path / f"out{suffix}").read_text(encoding="utf-8")
        found = table(written, "," if suffix == ".csv" else "\t")
        kept = {"-1.5", "corn = wheat"}
        assert [row["text"] for row in found] == [
            cell if cell in kept else safe for cell, safe in zip(cells, expected, strict=True)
        ]
        assert list(found[0])[1] == ("'=name" if words else "=name")
    outcome = run("predict", trained, tmp_path / "rows.csv", "-o", "out.jsonl", "--spreadsheet-safe")
    assert outcome.code == 2
    assert "is for rows that are written as CSV or TSV, not as jsonl" in " ".join(outcome.err.split())


@pytest.mark.parametrize("divides", list(",;|\t"))
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_no_cell_runs_where_a_spreadsheet_expects_another_delimiter(run, trained, tmp_path, suffix, divides):
    cells = [f"corn{sign}{mark}=1+1" for sign in ",;|\t\n" for mark in ("", '"')] + ["=1;+1", "-1,5"]
    with open(tmp_path / "rows.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "text", "id;=name"], *(("a", cell, cell) for cell in cells)])
    options = ["--text", "text", "-o", tmp_path / f"out{suffix}", "--spreadsheet-safe"]
    assert run("predict", trained, tmp_path / "rows.csv", *options).code == 0
    with open(tmp_path / f"out{suffix}", newline="", encoding="utf-8") as file:
        found = [cell for row in csv.reader(file, delimiter=divides) for cell in row]
    assert any("1+1" in cell for cell in found)
    assert not [cell for cell in found if cell.startswith(tuple("=+@"))]


def test_rows_that_cannot_be_read_leave_no_file(run, trained, tmp_path):
    path = tmp_path / "rows.parquet"
    frame = polars.DataFrame({"text": ["corn"] * 400, "n": [None, *range(399)]})
    frame.write_parquet(path, row_group_size=100, compression="uncompressed")
    whole = path.read_bytes()
    place = whole.index(b"\x03\0\0\0\xc8\x01")  # how often a value is repeated: 100 times
    path.write_bytes(whole[: place + 4] + b"\0" + whole[place + 5 :])
    outcome = run("predict", trained, path, "-o", "out.csv")
    assert outcome.code == 1
    assert "rows.parquet is damaged" in outcome.err
    assert "to 400 cannot be read: write it again" in outcome.err
    assert os.listdir(tmp_path) == ["rows.parquet"]
