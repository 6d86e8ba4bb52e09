"""The page of `textspace check`, taken apart and in a browser."""

import shutil

import pytest

from textspace.report import write_check_report

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def outcome(texts, **more):
    rows = [
        {"file": "mails.csv", "row": n, "where": f"row {n}", "id": f"t-{n}", "label": text, "text": text}
        for n, text in enumerate(texts, start=1)
    ]
    finding = {"sentence": "Some.", "remedy": "Look at them.", "stops": False}
    return {
        "data": "mails.csv",
        "documents": len(texts),
        "labelled": len(texts),
        "classes": dict.fromkeys(texts, 1),
        "split": {"train": 1, "test": 2},
        "languages": {"de": 0.9, "en": 0.1},
        "lengths": [{"from": 0, "to": 0, "documents": 0}, {"from": 1, "to": None, "documents": 3}],
        "columns": {"text": ["subject", "body"], "label": "topic"},
        "notes": texts[:1],
        "findings": [
            {**finding, "kind": "HTML", "groups": [[row] for row in rows]},
            {**finding, "kind": "duplicates", "groups": [rows * 30], "stops": True},
        ],
        **more,
    }


def test_texts_stay_texts(tmp_path, take_apart, hostile):
    write_check_report(outcome(hostile, data=hostile[0]), tmp_path / "check.html")
    page = take_apart((tmp_path / "check.html").read_text(encoding="utf-8"))
    assert all(text in page.shown for text in hostile)
    assert not {"script", "img", "b"} & {tag for tag, _ in page.tags}
    assert "No model can be trained on these documents as they are." in page.shown
    assert "and 130 more" in " ".join(page.shown.split())


def test_nothing_to_find(tmp_path, take_apart):
    write_check_report(outcome(["corn"], findings=[], classes={}), tmp_path / "check.html")
    page = take_apart((tmp_path / "check.html").read_text(encoding="utf-8"))
    assert "Nothing was found to put right." in page.shown
    assert "No document has a label." in page.shown


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen(tmp_path, width):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("Chromium is not on the path")
    write_check_report(outcome(["corn", "w" * 200, "oats " * 50]), tmp_path / "check.html")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        tab = browser.new_page(viewport={"width": width, "height": 800})
        tab.goto((tmp_path / "check.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        browser.close()
