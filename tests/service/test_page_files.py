"""The rows of a file on the page: read as people have them, counted, sorted, filtered, written again."""

import csv
import datetime
import io
import json
import shutil
import zipfile

import openpyxl
import pytest

from textspace.tables import read_table

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
if BROWSER is None:
    pytest.skip("Chromium is not on the path", allow_module_level=True)

TIMEOUT = 60_000  # milliseconds, for machines with much else to do
sync_api.expect.set_options(timeout=TIMEOUT)
ROWS = [
    ("t-10", "corn and wheat", 3),
    ("t-9", "a tanker at sea", 20),
    ("t-2", "", 1),
    ("t-1", "=HYPERLINK(corn, barley)", 2),
    ("t-3", "espresso, coffee and beans", 100),
]


@pytest.fixture(scope="module")
def tab(serving):
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(TIMEOUT)
        page.address = serving()
        yield page
        browser.close()


@pytest.fixture
def page(tab):
    wrong = []

    def note(error):
        wrong.append(str(error))

    tab.on("pageerror", note)
    tab.goto(tab.address)
    yield tab
    tab.remove_listener("pageerror", note)
    assert wrong == []


def show(page, name, content):
    buffer = content if isinstance(content, bytes) else content.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": buffer})
    page.wait_for_selector("#many:not([hidden])")


def table(rows=ROWS):
    file = io.StringIO()
    csv.writer(file).writerows([("id", "body", "cost"), *rows])
    return file.getvalue()


def workbook(*sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cell in (cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)):
            cell.data_type = "s"  # also what looks like a formula
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def column(page, number):
    return page.locator(f"#rows td:nth-child({number})").all_inner_texts()


def downloaded(page, tmp_path):
    with page.expect_download() as waiting:
        page.click("#download")
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_a_row_without_a_text_does_not_keep_the_others(page):
    show(page, "a.csv", table())
    assert column(page, 3) == ["grain", "ship", "no text", "grain", "coffee"]
    assert "5 of 5 rows" in page.inner_text("#many-note")
    assert "1 without an answer" in page.inner_text("#many-note")


def test_a_text_that_is_too_long_is_named(page):
    show(page, "a.csv", table([("1", "corn " * 2000, 1), ("2", "tanker", 1)]))
    assert column(page, 3) == ["more than 5000 characters", "ship"]


def test_classes_are_counted_and_filter_the_rows(page):
    show(page, "a.csv", table())
    counts = {
        entry.locator("span").first.inner_text(): entry.locator(".number").inner_text()
        for entry in page.locator("#counts button").all()
    }
    assert counts == {"grain": "2", "ship": "1", "coffee": "1", "(no label)": "1"}
    page.locator("#counts button", has_text="grain").click()
    assert column(page, 1) == ["1", "4"]
    page.locator("#counts button", has_text="grain").click()
    page.fill("#find", "SEA")
    assert column(page, 1) == ["2"]
    page.fill("#find", "")
    page.select_option("#sure", "0.5")
    sure = page.locator("#rows tr").count()
    assert sure < 5
    assert "3" in column(page, 1)  # not sure at all


def test_heads_sort_by_number_and_by_name(page):
    show(page, "a.csv", table())
    page.click("#columns summary")
    page.locator("#shown-columns label", has_text="id").click()
    page.locator("#shown-columns label", has_text="cost").click()
    page.get_by_role("button", name="id").click()
    assert column(page, 2) == ["t-1", "t-2", "t-3", "t-9", "t-10"]
    page.get_by_role("button", name="cost").click()
    assert column(page, 3) == ["1", "2", "3", "20", "100"]
    page.get_by_role("button", name="cost").click()
    assert column(page, 3) == ["100", "20", "3", "2", "1"]
    assert page.get_attribute("#rows-head th:nth-child(3)", "aria-sort") == "descending"
    page.get_by_role("button", name="Sure").click()
    shares = [float(each.strip("<> %") or 0) for each in column(page, 6)]
    assert shares == sorted(shares)


def test_another_column_may_hold_the_texts(page):
    show(page, "a.csv", "body,remark\ncorn,a tanker at sea\n")
    assert column(page, 3) == ["grain"]
    page.click("#columns summary")
    page.locator("#text-columns label", has_text="body").click()
    page.locator("#text-columns label", has_text="remark").click()
    sync_api.expect(page.locator("#rows td:nth-child(3)")).to_have_text("ship")
    assert 'text of "remark"' in page.inner_text("#many-note")


FILES = {
    "German Excel": ("a.csv", "id;text\r\n1;größere Ernte, corn\r\n2;tanker, 3,5 t\r\n".encode("cp1252")),
    "UTF-16": ("a.tsv", "id\ttext\r\n1\tgrößere Ernte, corn\r\n2\ttanker, 3,5 t\r\n".encode("utf-16")),
    "a mark": ("a.csv", '\ufeffid,text\n1,"größere Ernte, corn"\n2,"tanker, 3,5 t"\n'.encode()),
    "a hint": ("a.csv", "sep=|\r\nid|text\r\n1|größere Ernte, corn\r\n2|tanker, 3,5 t\r\n".encode()),
    "old Mac": ("a.csv", b'id,text\r1,"gr\xf6\xdfere Ernte, corn"\r2,"tanker, 3,5 t"\r'),
    "JSON": ("a.json", '[{"id": 1, "text": "größere Ernte, corn"}, {"text": "tanker, 3,5 t"}]'),
    "JSON in an object": ("a.json", '{"data": [{"text": "größere Ernte, corn"}, {"text": "tanker, 3,5 t"}]}'),
    "workbook": ("a.xlsx", workbook(("x", [["text"], ["größere Ernte, corn"], ["tanker, 3,5 t"]]))),
}  # fmt: skip


@pytest.mark.parametrize("name", list(FILES))
def test_files_are_read_as_people_have_them(page, name):
    show(page, *FILES[name])
    texts = page.locator("#rows .excerpt").all_inner_texts()
    assert texts == ["größere Ernte, corn", "tanker, 3,5 t"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", "Export\n\nid,text\n1,corn\n", "row 1 has 2 cells, but the first row names 1"),
        ("a.csv", "text,text\na,b\n", 'names the column "text" more than once'),
        ("a.csv", "text,x\n船が沈んだ。,1\n".encode("shift_jis") * 9, "encoding is not known"),
        ("a.xlsx", b"id,text\n1,corn\n", "no .xlsx workbook"),
        ("a.xlsx", workbook(("x", [["id", "text"]])), "no rows below the header"),
        ("a.docx", b"PK", "save it as .xlsx, .csv or .txt"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(page, name, content, sentence):
    buffer = content if isinstance(content, bytes) else content.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": buffer})
    page.wait_for_selector("#status.bad")
    assert sentence in page.inner_text("#status")
    assert page.is_hidden("#many")


def forged(rows, after=""):
    """Make a workbook whose sheet is written by hand."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    linked = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        sheets = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{linked}">{sheets}</workbook>')
        link = '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>'
        book.writestr("xl/_rels/workbook.xml.rels", link)
        first = f'<row r="1">{cell("A1", "text")}</row><row r="2">{cell("A2", "corn")}</row>'
        sheet = f'<worksheet xmlns="{main}"><sheetData>{first}{rows}</sheetData>{after}</worksheet>'
        book.writestr("xl/worksheets/s.xml", sheet)
    return file.getvalue()


def cell(place, text):
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.xlsx", forged(f'<row r="3">{cell("ZZZZZZ3", "far")}</row>'), "a workbook can have none"),
        ("a.xlsx", forged(f'<row r="4000000000">{cell("A4", "far")}</row>'), "a workbook can have none"),
        (
            "a.xlsx",
            forged("".join(f"<row>{cell('XFD3', 'far')}</row>" for _ in range(3000))),
            "too far apart",
        ),
        (
            "a.xlsx",
            forged(
                f'<row r="1048576">{cell("A1048576", "far")}</row>',
                "<mergeCells>" + '<mergeCell ref="A1:A1048576"/>' * 1000 + "</mergeCells>",
            ),
            "too far apart",
        ),
        ("a.xlsx", forged('<row r="3"><c r="3"><v>1</v></c></row>'), "damaged"),
        ("a.xlsx", forged("<row>" + "<c/>" * 6_000_000 + "</row>"), "too large"),
        ("a.csv", ",".join(map(str, range(100_000))) + "\ncorn\n", "100,000 columns"),
        ("a.json", json.dumps([{f"{i} {j}": 1 for j in range(1000)} for i in range(20)]), "20,000 columns"),
        ("a.json", json.dumps([{str(i): 1 for i in range(10_000)}, *[{}] * 10_000]), "million cells"),
    ],
    ids=["column", "row", "cells", "merged", "nameless", "many", "names", "keys", "room"],
)
def test_a_small_file_that_would_fill_the_memory_is_a_sentence(page, name, content, sentence):
    buffer = content if isinstance(content, bytes) else content.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": buffer})
    sync_api.expect(page.locator("#status")).to_contain_text(sentence)


def test_a_long_sheet_is_read(page):
    rows = "".join(f"<row>{cell(f'A{number}', 'x')}</row>" for number in range(3, 150_003))
    show(page, "long.xlsx", forged(rows))
    assert "10,000 of 150,001" in page.inner_text("#many-note")


def test_empty_cells_to_the_end_of_a_sheet_do_no_harm(page):
    rows = "".join(f"<row>{cell(f'A{number}', 'x')}</row>" for number in range(3, 2003))
    last = f'<row r="2003">{cell("A2003", "x")}<c r="XFD2003" s="0"/></row><row r="1048576"></row>'
    show(page, "far.xlsx", forged(rows + last))
    assert "2,002 of 2,002 rows" in page.inner_text("#many")


def test_sheets_and_days_and_merged_cells_of_a_workbook(page):
    book = openpyxl.Workbook()
    book.active.append(["nothing here"])
    sheet = book.create_sheet("Mails")
    for row in ([], [None, "day", "text", "area"], [None, datetime.date(2024, 2, 29), "corn", "north"]):
        sheet.append(row)
    sheet.append([None, datetime.datetime(2024, 3, 1, 8, 30), "tanker", None])
    sheet.merge_cells("D3:D4")
    other = book.create_sheet("Other")
    for row in (["text"], ["espresso"]):
        other.append(row)
    file = io.BytesIO()
    book.save(file)
    show(page, "a.xlsx", file.getvalue())
    page.click("#columns summary")
    for name in ("day", "area"):
        page.locator("#shown-columns label", has_text=name).click()
    assert column(page, 2) == ["2024-02-29", "2024-03-01 08:30:00"]
    assert column(page, 3) == ["north", "north"]
    assert page.locator("#sheet option").all_inner_texts() == ["Sheet", "Mails", "Other"]
    page.select_option("#sheet", "Other")
    sync_api.expect(page.locator("#rows .name").first).to_have_text("coffee")


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "xlsx"])
def test_what_is_written_is_what_predict_writes(page, model, tmp_path, kind):
    rows = [("id", "body", "cost"), *ROWS]
    if kind == "xlsx":
        content = workbook(("x", rows))
    elif kind in ("csv", "tsv"):
        file = io.StringIO()
        csv.writer(file, delimiter="\t" if kind == "tsv" else ";").writerows(rows)
        content = file.getvalue()
    else:
        objects = [json.dumps(dict(zip(rows[0], row, strict=True))) for row in ROWS]
        content = "\n".join(objects) if kind == "jsonl" else f"[{','.join(objects)}]"
    show(page, f"mails.{kind}", content)
    path = downloaded(page, tmp_path)
    assert path.name == f"mails-labelled.{kind}"
    found = read_table(path)
    assert found.names == ["id", "body", "cost", "label", "confidence", "path"]
    texts = ["" if value is None else value.lstrip("'") for value in found.column("body")]
    assert texts == [text for _, text, _ in ROWS]
    assert [int(value) for value in found.column("cost")] == [cost for _, _, cost in ROWS]
    assert [value or "" for value in found.column("label")] == ["grain", "ship", "", "grain", "coffee"]
    sure = model.predict_proba([text for _, text, _ in ROWS if text]).max(axis=1)
    shares = [float(value) for value in found.column("confidence") if value not in (None, "")]
    assert shares == pytest.approx(sure, abs=1e-4)
    assert (found.column("path")[0], found.column("path")[4]) == ("farm > grain", "farm > coffee")


def test_only_the_rows_that_are_shown_are_written_as_they_are_sorted(page, tmp_path):
    show(page, "a.csv", table())
    page.locator("#counts button", has_text="grain").click()
    page.locator("#rows-head button").first.click()
    found = read_table(downloaded(page, tmp_path))
    assert found.column("id") == ["t-1", "t-10"]
    assert found.column("body")[0] == "'=HYPERLINK(corn, barley)"  # no formula for a spreadsheet program


def test_many_rows_are_shown_step_by_step(page):
    show(page, "a.csv", "text\n" + "corn\n" * 250)
    assert page.locator("#rows tr").count() == 100
    page.click("#more")
    assert page.locator("#rows tr").count() == 200
    page.click("#more")
    assert page.locator("#rows tr").count() == 250
    assert page.is_hidden("#more")


def test_a_phone_needs_no_sideways_scrolling(page):
    page.set_viewport_size({"width": 390, "height": 800})
    show(page, "a.csv", table([("x" * 80, "corn " * 80, 1), ("y", "z" * 300, 2)]))
    page.click("#columns summary")
    page.locator("#shown-columns label", has_text="id").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.is_visible("#rows-head button >> nth=0")
    page.set_viewport_size({"width": 1280, "height": 900})
