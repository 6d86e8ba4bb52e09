"""Several columns of texts: joined, remembered by the model, and found again."""

import csv
import json
import random

import openpyxl
import pytest

from textspace.cli import main
from textspace.models import load
from textspace.tables import read_table

WORDS = {"grain": ["corn", "wheat", "harvest", "crop"], "ship": ["port", "cargo", "vessel", "tanker"]}
ROWS = [
    (f"{WORDS[topic][n % 4]} news", f"today {WORDS[topic][(n + 1) % 4]} number{n}", topic)
    for n in range(24)
    for topic in WORDS
]
COLUMNS = ["--text", "subject", "--text", "body", "--label", "topic"]


def write(path, names, rows=ROWS):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that was trained on two columns."""
    folder = tmp_path_factory.mktemp("columns")
    data = write(folder / "mails.csv", ["subject", "body", "topic"])
    with pytest.raises(SystemExit) as stop:
        main(["train", str(data), *COLUMNS, "--method", "rlsc", "-o", str(folder / "mails.textspace")])
    assert not stop.value.code
    return folder / "mails.textspace"


def test_the_model_remembers_its_columns(run, model):
    assert load(model).card_["data"]["columns"] == {"text": ["subject", "body"], "label": "topic"}


def test_joined_columns_give_what_joining_by_hand_gives(run, model, tmp_path):
    write(tmp_path / "two.csv", ["topic", "body", "subject"], [(c, b, a) for a, b, c in ROWS])
    write(tmp_path / "one.csv", ["text"], [(f"{a}\n{b}",) for a, b, _ in ROWS])
    found = []
    for name in ("two.csv", "one.csv"):
        assert run("predict", model, name, "-o", f"out-{name}").code == 0
        table = read_table(tmp_path / f"out-{name}")
        found.append((table.column("label"), table.column("confidence")))
    assert found[0] == found[1]


def test_a_column_that_is_missing_is_named(run, model, tmp_path):
    write(tmp_path / "new.csv", ["Subject", "body", "topic"])
    outcome = run("predict", model, "new.csv")
    assert outcome.code == 1
    assert "new.csv has no column 'subject', and the model was trained on 'subject', 'body'" in outcome.err
    assert "name those to be joined with text= (--text)" in outcome.err
    assert run("predict", model, "new.csv", "--text", "Subject", "--text", "body").code == 0


def test_evaluate_and_explain_find_the_columns(run, model, tmp_path):
    write(tmp_path / "new.csv", ["id", "body", "subject", "topic"], [(1, b, a, c) for a, b, c in ROWS])
    found = json.loads(run("evaluate", model, "new.csv", "--json").out)
    assert found["scores"]["accuracy"] == 1
    why = json.loads(run("explain", model, "--file", "new.csv", "--row", "2", "--json").out)
    assert why["text"] == f"{ROWS[1][0]}\n{ROWS[1][1]}"
    assert why["label"] == "ship"
    assert (
        "has 48 rows, and none of the number 49"
        in run("explain", model, "--file", "new.csv", "--row", "49").err
    )
    assert run("explain", model, "some text", "--row", "1").code == 2
    assert run("explain", model, "some text", "--text", "body").code == 2


def test_check_joins_them_too(run, tmp_path):
    rows = [*ROWS, ("corn", "", "grain"), ("", "corn", "ship")]
    write(tmp_path / "mails.csv", ["subject", "body", "topic"], rows)
    found = json.loads(run("check", "mails.csv", *COLUMNS, "--json").out)
    assert found["columns"]["text"] == ["subject", "body"]
    assert "conflicts" in {each["kind"] for each in found["findings"]}


def test_from_a_workbook_back_to_a_workbook(run, tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active.append(["nothing here"])
    sheet = book.create_sheet("Mails")
    for row in [("subject", "body", "topic"), *ROWS]:
        sheet.append(row)
    book.save(tmp_path / "mails.xlsx")
    words = ["mails.xlsx", "--sheet", "Mails"]
    assert run("check", *words, *COLUMNS).code == 0
    assert run("train", *words, *COLUMNS, "--method", "rlsc", "-o", "m.textspace").code == 0
    assert run("predict", "m.textspace", *words, "-o", "out.xlsx").code == 0
    again = openpyxl.load_workbook(tmp_path / "out.xlsx")["Mails"]
    assert [cell.value for cell in again[1]] == ["subject", "body", "topic", "label", "confidence"]
    assert [row[3].value for row in again.iter_rows(min_row=2)] == [topic for _, _, topic in ROWS]


def test_a_file_without_a_header(run, tmp_path):
    (tmp_path / "mails.csv").write_text("".join(f"{topic};{a};{b}\n" for a, b, topic in ROWS))
    words = ["train", "mails.csv", "--method", "rlsc", "-o", "m.textspace"]
    outcome = run(*words)
    assert outcome.code == 1
    assert "give header=False (--no-header) and the columns by number" in outcome.err
    assert run(*words, "--no-header", "--text", "2", "--text", "3", "--label", "1").code == 0
    assert run("predict", "m.textspace", "mails.csv", "--no-header", "-o", "out.csv").code == 0
    first = (tmp_path / "out.csv").read_text().splitlines()[0].split(";")
    assert first[:4] == ["grain", "corn news", "today wheat number0", "grain"]


def test_as_many_labels_as_rows_are_refused(run, tmp_path):
    rows = [(f"the text of number {n}", f"id{n}") for n in range(300)]
    write(tmp_path / "mails.csv", ["text", "label"], rows)
    outcome = run("train", "mails.csv", "-o", "m.textspace")
    assert outcome.code == 1
    assert "mails.csv has 300 labels for 300 documents" in outcome.err
    assert run("check", "mails.csv").code == 1


def test_train_says_in_a_line_what_check_would_find(run, tmp_path):
    write(tmp_path / "mails.csv", ["subject", "body", "topic"], [*ROWS, ROWS[0], ("a<br>", "tag", "grain")])
    words = ["--method", "rlsc", "-o", "m.textspace"]
    err = run("train", "mails.csv", *COLUMNS, *words).err
    [line] = [line for line in err.splitlines() if "textspace check" in line]
    assert line == (
        "note: `textspace check mails.csv` shows what to put right: short (1), HTML (1), duplicates (2)."
    )


def test_short_texts_count_twice_where_that_pays(run, tmp_path):
    """The class hangs on one word of the subject; the body is noise that holds words of all classes."""
    rng = random.Random(0)
    words = [word for own in WORDS.values() for word in own]
    rows = []
    for n in range(400):
        topic = list(WORDS)[n % 2]
        rows.append((rng.choice(WORDS[topic]), " ".join(rng.choices([*words, "the", "of"], k=12)), topic))
    write(tmp_path / "mails.csv", ["subject", "body", "topic"], rows)
    words = ["train", "mails.csv", "--label", "topic", "--quick", "-o", "m.textspace"]
    outcome = run(*words, "--text", "body", "--text", "subject")
    assert "note: the texts of 'subject' count twice, which lowers the log loss" in outcome.err
    assert load("m.textspace").card_["data"]["columns"]["text"] == ["body", "subject", "subject"]
    # as often as one says
    outcome = run(*words, "--text", "body", "--text", "subject", "--text", "subject", "--text", "subject")
    assert "count twice" not in outcome.err
    assert load("m.textspace").card_["data"]["columns"]["text"] == ["body", *["subject"] * 3]
    assert run("predict", "m.textspace", "mails.csv", "-o", "out.csv").code == 0
