"""Sixty files as people have them: each is read right, or refused by a sentence that names the remedy."""

# ruff: noqa: E501
import datetime
import gzip
import json

import openpyxl
import pytest

from textspace.datasets import read

LONG = "x" * 50_000
RIGHT = [("corn rose", "grain"), ("a ship sank", "ship")]
CRLF = "text,label\r\ncorn rose,grain\r\na ship sank,ship\r\n"
PLAIN = "text,label\ncorn rose,grain\na ship sank,ship\n"
ACCENTS = [("le café crème", "goût"), ("die schöne Brücke", "öffentlich")]
ACCENTED = "text,label\nle café crème,goût\ndie schöne Brücke,öffentlich\n"
JAPANESE = "text,label\n小麦が上がった,穀物\n船が沈んだ,船\n"


def _workbook(*rows, merged=None):
    def write(path):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        if merged:
            book.active.merge_cells(merged)
        book.save(path)

    return write


HEAD, GRAIN, SHIP = ["text", "label"], ["corn rose", "grain"], ["a ship sank", "ship"]
# A name, what is in the file, options of the reading, and the rows that come or what is said.
FILES = {
    "plain": ("a.csv", PLAIN, {}, RIGHT),
    "CRLF": ("a.csv", CRLF, {}, RIGHT),
    "old Mac line breaks": ("a.csv", PLAIN.replace("\n", "\r"), {}, RIGHT),
    "no line break at the end": ("a.csv", PLAIN.rstrip(), {}, RIGHT),
    "UTF-8 with a mark": ("a.csv", ACCENTED.encode("utf-8-sig"), {}, ACCENTS),
    "UTF-16 as Excel writes Unicode text": ("a.tsv", ACCENTED.replace(",", "\t").encode("utf-16"), {}, ACCENTS),
    "UTF-16 without a mark": ("a.csv", PLAIN.encode("utf-16-le"), {}, RIGHT),
    "cp1252": ("a.csv", (ACCENTED + "5 € – “gut”,goût\n").encode("cp1252"), {}, [*ACCENTS, ("5 € – “gut”", "goût")]),
    "latin-1": ("a.csv", ACCENTED.encode("latin-1"), {}, ACCENTS),
    "Shift-JIS": ("a.csv", JAPANESE.encode("shift_jis"), {}, "say its encoding= (--encoding), such as"),
    "Shift-JIS, said": (
        "a.csv", JAPANESE.encode("shift_jis"), {"encoding": "shift_jis"}, [("小麦が上がった", "穀物"), ("船が沈んだ", "船")],
    ),
    "UTF-8 with one bad byte": ("a.csv", ACCENTED.encode() * 3 + b"b\xe9t,x\n", {}, "line 10: byte 0xe9 at position"),
    "semicolons and decimal commas": (
        "a.csv", "text;label;price\ncorn rose;grain;3,5\na ship sank;ship;1.200,00\n", {}, RIGHT,
    ),
    "a hint for Excel": ("a.csv", "sep=;\r\n" + CRLF.replace(",", ";"), {}, RIGHT),
    "commas in a first row with semicolons": (
        "a.csv", 'text;label;"id, old"\ncorn rose;grain;1\na ship sank;ship;2\n', {}, RIGHT,
    ),
    "bars": ("a.csv", PLAIN.replace(",", "|"), {}, RIGHT),
    "quotes, doubled quotes and line breaks": (
        "a.csv", 'text,label\n"she said ""no"",\nand left",grain\na ship sank,ship\n', {},
        [('she said "no",\nand left', "grain"), RIGHT[1]],
    ),
    "a quote that is not closed": ("a.csv", 'text,label\n"corn rose,grain\nb,ship\n', {}, "check the quotation marks"),
    "a comma in a cell without quotes": ("a.csv", "text,label\ncorn, rose,grain\n", {}, "row 1 (line 2): 3 cells"),
    "trailing commas": ("a.csv", "text,label,,\ncorn rose,grain,,\na ship sank,ship,,\n", {}, RIGHT),
    "trailing commas in the rows only": ("a.csv", "text,label\ncorn rose,grain,\na ship sank,ship,\n", {}, RIGHT),
    "empty rows": ("a.csv", "\n\ntext,label\n\ncorn rose,grain\n,\n\na ship sank,ship\n,,\n", {}, RIGHT),
    "no header": (
        "a.csv", "grain,corn rose\nship,a ship sank\ngrain,wheat fell\ngrain,oats\n", {}, "give header=False (--no-header)",
    ),
    "no header, said": (
        "a.csv", "corn rose,grain\na ship sank,ship\n", {"header": False, "text": "1", "label": "2"}, RIGHT,
    ),
    "a header twice, of two files in one": ("a.csv", PLAIN + PLAIN, {}, "row 3 (line 4) holds the names of the columns"),
    "two columns of one name": ("a.csv", "text,label,text\na,b,c\n", {}, "names the column 'text' more than once"),
    "names with spaces around them": ("a.csv", " text , label \ncorn rose,grain\na ship sank,ship\n", {}, RIGHT),
    "an index without a name": ("a.csv", ",text,label\n0,corn rose,grain\n1,a ship sank,ship\n", {}, RIGHT),
    "one column": ("a.csv", "text\ncorn rose\na ship sank\n", {}, [("corn rose", ""), ("a ship sank", "")]),
    "numbers as labels": (
        "a.csv", "text,label\ncorn rose,1\na ship sank,-1\n", {}, [("corn rose", "1"), ("a ship sank", "-1")],
    ),
    "days as labels": (
        "a.xlsx", _workbook(HEAD, ["corn rose", datetime.date(2024, 1, 2)]), {}, "name another column with label=",
    ),
    "marks for no label": ("a.csv", PLAIN + "wheat,n/a\noats,?\n", {}, "missing='drop' (--missing drop)"),
    "marks for no label, dropped": ("a.csv", PLAIN + "wheat,N/A\n", {"missing": "drop"}, [*RIGHT, ("wheat", "")]),
    "a huge cell": ("a.csv", f"text,label\n{LONG},grain\na ship sank,ship\n", {}, [(LONG, "grain"), RIGHT[1]]),
    "NUL bytes": ("a.csv", PLAIN.replace("corn ", "corn\0 "), {}, [("corn\0 rose", "grain"), RIGHT[1]]),
    "nothing": ("a.csv", "", {}, "is empty: give a file that has rows"),
    "a header alone": ("a.csv", "text,label\n", {}, "no rows below its header"),
    "a workbook": ("a.xlsx", _workbook(HEAD, GRAIN, SHIP), {}, RIGHT),
    "a workbook with empty rows and columns": (
        "a.xlsx", _workbook([], [None, *HEAD], [], [None, *GRAIN], [], [None, *SHIP]), {}, RIGHT,
    ),
    "merged labels": (
        "a.xlsx", _workbook(HEAD, GRAIN, ["wheat fell", None], SHIP, merged="B2:B3"), {},
        [RIGHT[0], ("wheat fell", "grain"), RIGHT[1]],
    ),
    "numbers and formulas among the texts": (
        "a.xlsx", _workbook(HEAD, [404, "grain"], ["=1+1", "grain"], SHIP), {}, [("404", "grain"), RIGHT[1]],
    ),
    "numbers as labels of a workbook": (
        "a.xlsx", _workbook(HEAD, ["corn rose", 1], ["a ship sank", 2.5]), {}, [("corn rose", "1"), ("a ship sank", "2.5")],
    ),
    "a title above the header": (
        "a.xlsx", _workbook(["Export of May"], ["id", *HEAD], [1, *GRAIN], [2, *SHIP]), {},
        "names 1 of 3 columns: delete what stands above",
    ),
    "a CSV file that is called a workbook": ("a.xlsx", PLAIN, {}, "save it again as .xlsx"),
    "a packed file": ("a.csv.gz", gzip.compress(PLAIN.encode()), {}, RIGHT),
    "JSON of pandas": (
        "a.json", json.dumps({"text": {"0": "corn rose", "1": "a ship sank"}, "label": {"0": "grain", "1": "ship"}}),
        {}, RIGHT,
    ),
    "fastText": ("a.txt", "__label__grain corn rose\n__label__ship a ship sank\n", {}, RIGHT),
    "two text columns": (
        "a.csv", "subject,body,topic\ncorn,rose,grain\na ship,sank,ship\n", {"text": ["subject", "body"]},
        [("corn\nrose", "grain"), ("a ship\nsank", "ship")],
    ),
    "a Word file": ("a.docx", "x", {}, "put its texts into a table"),
    "a packed folder": ("a.zip", b"PK", {}, "unpack it and give the table that is in it"),
    "an old workbook": ("a.xls", b"\xd0\xcf\x11\xe0", {}, "save it as .xlsx"),
    "titles above the header": (
        "a.csv", "Export of May\n\nas of 1 May\n" + PLAIN, {}, "delete what stands above the names of the columns",
    ),
    "titles with semicolons": (
        "a.csv", "Export;;\n;;\ntext;label;id\ncorn rose;grain;1\na ship sank;ship;2\n", {},
        "names 1 of 3 columns: delete what stands above",
    ),
    "titles without semicolons": (
        "a.csv", "Export\r\nMay\r\ntext;label\r\ncorn;grain\r\nship;ship\r\n", {}, "those below have 2 with ';'",
    ),
    "a text file of Excel with tabs": ("a.txt", PLAIN.replace(",", "\t").encode("utf-16"), {}, RIGHT),
    "a CSV file that is called text": ("a.txt", PLAIN, {}, "rename it so that it ends in .csv"),
    "a CSV file that is called TSV": ("a.tsv", PLAIN.replace(",", ";"), {}, "rename it so that it ends in .csv"),
    "objects within JSON": (
        "a.json", json.dumps([{"mail": {"text": text}, "label": label, "tags": []} for text, label in RIGHT]), {}, RIGHT,
    ),
    "objects within lines of JSON": (
        "a.jsonl", "\n".join(json.dumps({"id": 1, "mail": {"body": text, "of": {"label": label}}}) for text, label in RIGHT),
        {}, RIGHT,
    ),
    "rows within an object": (
        "a.json", json.dumps({"n": 2, "data": [{"text": text, "label": label} for text, label in RIGHT]}), {}, RIGHT,
    ),
    "JSON of pandas, split": (
        "a.json", json.dumps({"columns": HEAD, "index": [0, 1], "data": RIGHT}), {}, RIGHT,
    ),
    "lists within a list": ("a.json", json.dumps([HEAD, *RIGHT]), {}, RIGHT),
    "a form of Google": (
        "a.csv", 'Timestamp,"What is wrong, please?",Category\n3/1/2024 10:00:00,corn rose,grain\n"3/2/2024 9:00:00",a ship sank,ship\n',
        {}, RIGHT,
    ),
    "quotes with backslashes": ("a.csv", 'text,label\n"a \\"b\\" c",x\n', {}, "double those inside a cell"),
    "Mac letters": ("a.csv", ACCENTED.encode("mac_roman"), {}, "such as 'cp1250', 'cp1251', 'mac_roman'"),
}  # fmt: skip


def test_there_are_sixty():
    assert len(FILES) >= 60


@pytest.mark.parametrize("name", FILES)
def test_it_is_read_right_or_refused_with_a_remedy(tmp_path, name):
    file, content, options, expected = FILES[name]
    path = tmp_path / file
    if callable(content):
        content(path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    if isinstance(expected, str):
        with pytest.raises(ValueError) as error:  # noqa: PT011
            read(path, **options)
        assert expected in str(error.value)
        assert "a." in str(error.value)  # names the file
        return
    corpus = read(path, **options)
    assert list(zip(corpus.texts, corpus.labels.tolist(), strict=True)) == expected
