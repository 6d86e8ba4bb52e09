import csv
import json

import polars
import pytest

from textspace.datasets import read

ROWS = [
    ("Corn prices rose", "grain"),
    ("A tanker, laden with crude, ran aground", "ship"),
    ('She said "no"\nand left', "a, b\nc"),
    ("naïve café €5", ""),
]


def write(path, content, encoding="utf-8"):
    path.write_bytes(content.encode(encoding))
    return path


def write_rows(path, rows, names=("text", "label"), **dialect):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, **dialect).writerows([names, *rows])
    return path


def pairs(corpus):
    return list(zip(corpus.texts, corpus.labels.tolist(), strict=True))


# The same rows from every kind of file.


@pytest.mark.parametrize(
    ("suffix", "dialect"),
    [
        (".csv", {}),
        (".csv", {"delimiter": ";"}),
        (".csv", {"delimiter": "|", "quoting": csv.QUOTE_ALL}),
        (".CSV", {"lineterminator": "\n"}),
        (".tsv", {"delimiter": "\t"}),
        (".tab", {"delimiter": "\t", "quoting": csv.QUOTE_ALL}),
    ],
)
def test_delimited_round_trip(tmp_path, suffix, dialect):
    assert pairs(read(write_rows(tmp_path / f"rows{suffix}", ROWS, **dialect))) == ROWS


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson"])
def test_json_lines_round_trip(tmp_path, suffix):
    lines = [json.dumps({"text": text, "label": label or None}) for text, label in ROWS]
    lines.insert(2, "")
    assert pairs(read(write(tmp_path / f"rows{suffix}", "\n".join(lines)))) == ROWS


def test_parquet_round_trip(tmp_path):
    frame = polars.DataFrame(
        {"text": [text for text, _ in ROWS], "label": [label or None for _, label in ROWS]}
    )
    frame.write_parquet(tmp_path / "rows[1].parquet")
    assert pairs(read(tmp_path / "rows[1].parquet")) == ROWS


def test_lines_are_documents_without_a_label(tmp_path):
    corpus = read(write(tmp_path / "mails.txt", "Corn prices rose\n\nA tanker ran aground\n"))
    assert pairs(corpus) == [("Corn prices rose", ""), ("A tanker ran aground", "")]
    assert "1 of 3 documents have no text and were left out: line 2." in notes(corpus)


def test_corpus_is_named_after_the_file(tmp_path):
    assert read(write_rows(tmp_path / "mails.csv", ROWS)).name == "mails"


# Encodings.


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8"])
def test_byte_order_mark_is_no_part_of_the_first_name(tmp_path, encoding):
    path = write(tmp_path / "rows.csv", "text,label\nnaïve,x\nplain,y\n", encoding)
    assert pairs(read(path)) == [("naïve", "x"), ("plain", "y")]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le"])
def test_other_encodings(tmp_path, encoding):
    path = write(tmp_path / "rows.csv", "text,label\nnaïve €5,x\nplain,y\n", encoding)
    assert read(path, encoding=encoding).texts == ["naïve €5", "plain"]


def test_undecodable_byte_is_named_with_its_line(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(b"text,label\nplain,x\ncaf\xe9,y\n")
    expected = (
        r"rows\.csv, line 3: byte 0xe9 at position 22 is not utf-8: say the file's encoding= .*'cp1252'"
    )
    with pytest.raises(ValueError, match=expected):
        read(path, encoding="utf-8")
    corpus = read(path)
    assert corpus.texts == ["plain", "café"]
    assert corpus.notes[0].startswith("The file is not UTF-8 and was read as latin-1")


def test_byte_order_mark_of_utf_16_gives_the_hint(tmp_path):
    path = write(tmp_path / "rows.jsonl", '{"text": "a"}', "utf-16")
    with pytest.raises(ValueError, match="perhaps 'utf-16'"):
        read(path, encoding="utf-8")
    assert read(path).texts == ["a"]


# Which column is which.


def notes(corpus):
    return " ".join(corpus.notes)


@pytest.mark.parametrize("text", ["text", "Body", "content", "MESSAGE", "document"])
@pytest.mark.parametrize("label", ["label", "Category", "class", "TARGET", "topic"])
def test_columns_guessed_by_name(tmp_path, text, label):
    rows = [(number, "a title", body, kind) for number, (body, kind) in enumerate(ROWS)]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("id", "title", text, label)))
    assert pairs(corpus) == ROWS
    assert f"text column {text!r} was guessed by its name" in notes(corpus)
    assert f"label column {label!r} was guessed by its name" in notes(corpus)


def test_text_and_label_win_over_other_known_names(tmp_path):
    rows = [(*row, "other", "other") for row in ROWS]
    assert pairs(read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "body", "topic")))) == ROWS


def test_columns_guessed_by_content(tmp_path):
    rows = [(number, "xy"[number % 2], f"a longer text, number {number}") for number in range(9)]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("a", "b", "c")))
    assert pairs(corpus) == [(text, label) for _, label, text in rows]
    assert "text column 'c' was guessed by its content" in notes(corpus)
    assert "label column 'b' was guessed by its content" in notes(corpus)


def test_columns_as_told_leave_nothing_to_note(tmp_path):
    rows = [(label, text) for text, label in ROWS]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("text", "label")), text="label", label="text")
    assert pairs(corpus) == ROWS
    assert corpus.notes == ()


@pytest.mark.parametrize(
    ("names", "rows", "what"),
    [
        (("a", "b"), [("some words here", "other words here")] * 4, "text may be in 'b' or in 'a'"),
        (("body", "message"), [("some words", "other")] * 4, "text may be in 'body' or in 'message'"),
        (("text", "topic", "class"), [("some words", "x", "y")] * 4, "label may be in 'class' or in 'topic'"),
        (
            ("text", "p", "q"),
            [(f"words {n}", n % 2, n % 3) for n in range(9)],
            "label may be in 'p' or in 'q'",
        ),
    ],
)
def test_ambiguous_columns_are_listed(tmp_path, names, rows, what):
    argument = what.partition(" ")[0]
    listed = ", ".join(map(repr, names))
    expected = f"rows.csv: the {what}: say which with {argument}= .* one of {listed}"
    with pytest.raises(ValueError, match=expected):
        read(write_rows(tmp_path / "rows.csv", rows, names))


@pytest.mark.parametrize("argument", ["text", "label", "split"])
def test_misnamed_column_lists_the_columns_and_the_nearest(tmp_path, argument):
    path = write_rows(tmp_path / "rows.csv", [("some", "x", 1)], ("message", "kind", "number"))
    expected = (
        rf"no column 'mesage' for the {argument}: did you mean 'message'\? .* 'message', 'kind', 'number'"
    )
    with pytest.raises(ValueError, match=expected):
        read(path, **{argument: "mesage"})


def test_one_column_cannot_be_both(tmp_path):
    with pytest.raises(ValueError, match="cannot be both"):
        read(write_rows(tmp_path / "rows.csv", ROWS), text="text", label="text")


def test_no_label_column_means_unlabelled_and_is_noted(tmp_path):
    corpus = read(write_rows(tmp_path / "rows.csv", [(1, "one"), (2, "two")], ("id", "text")))
    assert corpus.labels.tolist() == ["", ""]
    assert len(corpus.unlabelled) == 2
    assert "no label column was found among 'id', 'text'" in notes(corpus)


def test_labels_can_be_declined(tmp_path):
    corpus = read(write_rows(tmp_path / "rows.csv", ROWS), label=False)
    assert set(corpus.labels) == {""}


def test_no_column_of_texts(tmp_path):
    with pytest.raises(ValueError, match="has no column of texts; its columns are 'a', 'b'"):
        read(write(tmp_path / "rows.jsonl", '{"a": 1, "b": [2]}'))


def test_one_class_is_fine_when_reading(tmp_path):
    corpus = read(write_rows(tmp_path / "rows.csv", [("one", "x"), ("two", "x")]))
    assert corpus.classes.tolist() == ["x"]


# The split.


def test_split_column_is_taken(tmp_path):
    rows = [("a", "x", "train"), ("b", "y", "Test"), ("c", "", "unlabeled"), ("d", "", "")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "Split")))
    assert corpus.split.tolist() == ["train", "test", "unlabelled", "unlabelled"]
    assert "split was taken from column 'Split'" in notes(corpus)


def test_split_column_by_another_name(tmp_path):
    rows = [("a", "x", "training"), ("b", "y", "test")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "part")), split="part")
    assert corpus.split.tolist() == ["train", "test"]


def test_column_named_split_that_is_none(tmp_path):
    rows = [("a", "x", "1/2"), ("b", "y", "1/3")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "split")))
    assert corpus.split is None
    assert "'split' was not used as the split" in notes(corpus)


@pytest.mark.parametrize("value", ["dev", ""])
def test_other_split_is_refused_with_its_row(tmp_path, value):
    rows = [("a", "x", "train"), ("b", "y", "test"), ("c", "x", value)]
    with pytest.raises(ValueError, match=rf"row 3 \(line 4\), column 'split': '{value}' is none of 'train'"):
        read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "split")))


def test_document_of_train_without_a_label_counts_as_unlabelled(tmp_path):
    rows = [("a", "x", "train"), ("b", "", "train"), ("c", "y", "test")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, ("text", "label", "split")))
    assert corpus.split.tolist() == ["train", "unlabelled", "test"]
    assert "1 documents of the train or test split have no label" in notes(corpus)


# Bad files get a sentence.


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file or folder .*none\.csv"):
        read(tmp_path / "none.csv")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_empty_file(tmp_path, suffix, content):
    with pytest.raises(ValueError, match="is empty"):
        read(write(tmp_path / f"rows{suffix}", content))


@pytest.mark.parametrize(("suffix", "content"), [(".csv", "text,label\n"), (".tsv", "text\tlabel\r\n\r\n")])
def test_header_only(tmp_path, suffix, content):
    with pytest.raises(ValueError, match="no rows below its header"):
        read(write(tmp_path / f"rows{suffix}", content))


def test_unknown_kind_lists_the_kinds(tmp_path):
    with pytest.raises(ValueError, match=r"rows\.docx cannot be read: .* \.csv, .*\.parquet, .*\.tsv"):
        read(write(tmp_path / "rows.docx", "text"))


@pytest.mark.parametrize("row", ["only text", "a,b,c"])
def test_row_with_wrong_number_of_cells(tmp_path, row):
    path = write(tmp_path / "rows.csv", f'text,label\n"two\nlines",x\n\n{row}\nlast,y\n')
    n_cells = row.count(",") + 1
    with pytest.raises(ValueError, match=rf"row 2 \(line 5\): {n_cells} cells where the first row names 2"):
        read(path)


@pytest.mark.parametrize("row", ['"never closed,x', '"closed" too soon,x'])
def test_bad_quotes_are_named_by_line(tmp_path, row):
    path = write(tmp_path / "rows.csv", f"text,label\none,x\n{row}\nlast,y\n")
    with pytest.raises(ValueError, match=r"rows\.csv, line 3: .*check the quotation marks"):
        read(path)


def test_tabs_without_quoting(tmp_path):
    path = write(tmp_path / "rows.tsv", 'text\tlabel\n"hello\tx\nbye"\ty\n"quoted" start\tx\n')
    corpus = read(path)
    assert pairs(corpus) == [('"hello', "x"), ('bye"', "y"), ('"quoted" start', "x")]
    assert "Quotation marks are read as plain characters" in notes(corpus)


def test_delimiter_is_noted(tmp_path):
    assert "separated by ';'" in notes(read(write_rows(tmp_path / "rows.csv", ROWS, delimiter=";")))


def test_rows_without_text_are_left_out_and_counted(tmp_path):
    rows = [("one", "x"), ("", "x"), ("  ", "y"), ("two", "y"), ("\n", "y"), ("", "y")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows))
    assert pairs(corpus) == [("one", "x"), ("two", "y")]
    assert "4 of 6 documents have no text and were left out: row 2 (line 3), row 3 (line 4)" in notes(corpus)
    assert notes(corpus).endswith(" and others.")


def test_a_class_whose_texts_are_all_empty_is_named(tmp_path):
    rows = [("one", "x"), ("", "x"), ("  ", "y"), ("two", "z"), ("", "y")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows))
    assert pairs(corpus) == [("one", "x"), ("two", "z")]
    assert notes(corpus).endswith("The class 'y' has no document with a text and is not learned.")
    assert "class 'x'" not in notes(corpus)


def test_null_texts_are_left_out(tmp_path):
    path = write(
        tmp_path / "rows.jsonl", '{"text": null, "label": "x"}\n{"text": "a", "label": "x"}\n{"label": "x"}'
    )
    corpus = read(path)
    assert corpus.texts == ["a"]
    assert "2 of 3 documents have no text and were left out: line 1, line 3." in notes(corpus)


def test_all_texts_empty(tmp_path):
    with pytest.raises(ValueError, match="every text is empty"):
        read(write_rows(tmp_path / "rows.csv", [("", "x"), (" ", "y")]))


@pytest.mark.parametrize(("value", "kind"), [("[1]", "list"), ('{"a": 1}', "dict"), ("true", "bool")])
def test_cell_that_is_no_text(tmp_path, value, kind):
    path = write(
        tmp_path / "rows.jsonl", f'{{"text": "a", "label": "x"}}\n{{"text": {value}, "label": "x"}}\n'
    )
    with pytest.raises(ValueError, match=f"line 2, column 'text': expected text, found {kind}"):
        read(path)


def test_numbers_among_texts_are_texts_but_a_column_of_numbers_is_none(tmp_path):
    path = write(tmp_path / "rows.jsonl", '{"text": "a", "n": 1}\n{"text": 404, "n": 2}\n')
    assert read(path, text="text", label=False).texts == ["a", "404"]
    with pytest.raises(ValueError, match="line 1, column 'n': expected text, found int"):
        read(path, text="n", label=False)


@pytest.mark.parametrize("value", ['{"a": 1}', json.dumps("long " * 200), json.dumps("\0")])
def test_cell_that_is_no_label(tmp_path, value):
    path = write(
        tmp_path / "rows.jsonl", f'{{"text": "a", "label": "x"}}\n{{"text": "b", "label": {value}}}\n'
    )
    with pytest.raises(ValueError, match="line 2, column 'label': expected one label"):
        read(path)


@pytest.mark.parametrize(
    ("value", "label"),
    [("3", "3"), ("3.0", "3"), ("2.5", "2.5"), ("true", "True"), ("NaN", ""), ('" x "', "x")],
)
def test_labels_that_are_no_strings(tmp_path, value, label):
    path = write(tmp_path / "rows.jsonl", f'{{"text": "a", "label": {value}}}')
    assert read(path).labels.tolist() == [label]


@pytest.mark.parametrize(
    ("line", "what"), [('{"text": ', "not valid JSON"), ("[1, 2]", "JSON object"), ("text", "not valid JSON")]
)
def test_bad_json_is_named_by_line(tmp_path, line, what):
    path = write(tmp_path / "rows.jsonl", f'{{"text": "a"}}\n\n{line}\n')
    with pytest.raises(ValueError, match=rf"rows\.jsonl, line 3: .*{what}"):
        read(path)


def test_parquet_cell_that_is_no_text(tmp_path):
    polars.DataFrame({"text": [b"a", b"b"], "label": [1, 2]}).write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="row 1, column 'text': expected text, found bytes"):
        read(tmp_path / "rows.parquet")


# Where each document stands.


def test_rows_and_identifiers_are_kept(tmp_path):
    rows = [("corn", "grain", "7"), ("", "grain", "8"), ("a ship", "ship", "9")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, names=("text", "label", "Ticket ID")))
    assert corpus.places == [("row 1 (line 2)", "7"), ("row 3 (line 4)", "9")]
    assert corpus.subset([1]).places == [("row 3 (line 4)", "9")]


@pytest.mark.parametrize("name", ["id", "_id", "orderNo", "customer_id", "UUID", "Ticket"])
def test_identifiers_are_found_by_the_name_of_their_column(tmp_path, name):
    corpus = read(write_rows(tmp_path / "rows.csv", [("corn", "grain", "7")], names=("text", "label", name)))
    assert corpus.places == [("row 1 (line 2)", "7")]


@pytest.mark.parametrize("name", ["valid", "key", "casino"])
def test_other_columns_are_no_identifiers(tmp_path, name):
    rows = [("corn", "grain", "7"), ("a ship", "ship", "7")]
    corpus = read(write_rows(tmp_path / "rows.csv", rows, names=("text", "label", name)))
    assert [place[1] for place in corpus.places] == ["", ""]  # of another name, or twice the same


def test_another_column_of_texts_is_named(tmp_path):
    rows = [
        (
            f"mail {n} of today",
            f"a longer story of corn and wheat, the {n}th of them",
            "x",
            f"key-{n:09d}-key",
        )
        for n in range(4)
    ]
    names = ("subject", "body", "topic", "address")
    note = "'subject' may hold texts too: --text 'subject' --text 'body' joins them."
    assert note in read(write_rows(tmp_path / "rows.csv", rows, names=names)).notes
    chosen = read(write_rows(tmp_path / "rows.csv", rows, names=names), text="body")
    assert not any("joins" in note for note in chosen.notes)
