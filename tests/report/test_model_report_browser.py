"""The report of a model in a real browser: what its script does."""

import shutil

import numpy as np
import pytest

from textspace.evaluation import evaluate
from textspace.models import TextClassifier
from textspace.report import write_model_report
from textspace.tables import read_table

pytestmark = pytest.mark.slow

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
ALARM = "<img src=x onerror=\"document.title='run'\"> \U0001f600 "
WORDS = {"corn & <b>oats</b>": "corn oats field", "ship": "ship port sea", "tin": "tin mine ore"}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("Chromium is not on the path")
    rng = np.random.default_rng(0)
    labels = np.repeat(list(WORDS), 20)
    texts = [ALARM + " ".join(rng.choice([*WORDS[label].split(), "news", "week"], 12)) for label in labels]
    model = TextClassifier("nb").fit(texts, labels)
    # of each class 15 documents get their own label, and 5 that of the next class
    codes = np.searchsorted(model.classes_, labels)
    codes = np.where(np.arange(60) % 4 == 0, (codes + 1) % 3, codes)
    places = [(f"row {n}", f"=t-{n}") for n in range(1, 61)]
    evaluation = evaluate(model, texts, labels, probabilities=np.eye(3)[codes] * 0.9 + 0.1 / 3, places=places)
    path = tmp_path_factory.mktemp("report") / "model.html"
    write_model_report(model, path, evaluation)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        tab = browser.new_page(viewport={"width": 390, "height": 800})
        tab.set_default_timeout(60_000)
        complaints = []
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(path.as_uri())
        yield tab
        browser.close()
        assert complaints == []


def test_it_fits_on_a_phone_and_runs_nothing_of_the_texts(page):
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.title() != "run"
    assert page.locator("#error-documents img").count() == 0
    assert ALARM.strip() in page.locator("#error-documents .passage").first.inner_text()


def test_a_cell_opens_its_documents(page):
    cell = page.locator('#cells button[data-truth="0"][data-predicted="1"]')
    assert cell.inner_text() == "5"
    cell.click()
    panel = page.locator("#cell-documents")
    assert panel.locator("h3").inner_text() == "5 documents of corn & <b>oats</b> called ship"
    assert panel.locator("article").count() == 5
    assert cell.get_attribute("aria-pressed") == "true"
    page.locator('#cells button[data-truth="0"][data-predicted="0"]').click()
    assert panel.locator("article").count() == 10  # of 15: a page
    panel.get_by_role("button", name="Next").click()
    assert panel.locator("article").count() == 5


def test_cells_are_reached_by_the_keyboard(page):
    page.locator('#cells button[data-truth="0"][data-predicted="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#cell-documents h3").inner_text().startswith("15 documents of ship")
    assert page.locator('#cells button[tabindex="0"]').count() == 1


def test_marks_and_reasons_are_shown(page):
    first = page.locator("#error-documents article").first
    assert first.locator("mark").count() > 0
    marked = {text.lower() for text in first.locator("mark").all_inner_texts()}
    assert marked <= set(" ".join(WORDS.values()).split()) | {
        "news",
        "week",
        "img",
        "src",
        "onerror",
        "document",
        "title",
        "run",
    }
    first.locator("summary").click()
    assert first.locator(".near li").count() == 3


def test_errors_are_filtered(page):
    count = page.locator("#error-count")
    assert count.inner_text() == "15 errors"
    page.select_option("#error-truth", "1")
    assert count.inner_text() == "5 errors"
    assert page.locator("#error-documents .is").all_inner_texts() == ["ship"] * 5
    page.select_option("#error-predicted", "0")
    assert count.inner_text() == "0 errors"
    page.select_option("#error-predicted", "")
    page.select_option("#error-truth", "")
    page.fill("#error-words", "MINE")
    shown = page.locator("#error-documents .passage").all_inner_texts()
    assert shown
    assert all("mine" in text for text in shown)
    page.fill("#error-words", "")


def test_errors_carry_their_rows_and_identifiers_and_are_exported(page, tmp_path):
    heads = page.locator("#error-documents h4").all_inner_texts()
    assert "=t-1, row 1" in heads[0]
    page.select_option("#error-truth", "1")
    with page.expect_download() as waiting:
        page.click("#error-export")
    page.select_option("#error-truth", "")
    waiting.value.save_as(tmp_path / "errors.csv")
    found = read_table(tmp_path / "errors.csv")
    wrong = range(21, 41, 4)
    assert found.column("where") == [f"row {n}" for n in wrong]
    assert found.column("id") == [f"'=t-{n}" for n in wrong]  # no formula for a spreadsheet program
    assert set(found.column("label")) == {"ship"}


def test_the_table_of_classes_is_sorted_by_its_headings(page):
    names = page.locator(".by-class tbody th")
    page.get_by_role("button", name="class", exact=True).click()
    assert names.all_inner_texts() == sorted(WORDS)
    page.get_by_role("button", name="class", exact=True).click()
    assert names.all_inner_texts() == sorted(WORDS, reverse=True)
