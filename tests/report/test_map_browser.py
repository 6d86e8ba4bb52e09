"""The map of a comparison in a real browser: every class has a colour, a name and is found."""

import shutil

import pytest

from textspace.evaluation import summarise
from textspace.report import render

pytestmark = pytest.mark.slow

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
SHARED = "Department of Transportation and Public Works"


@pytest.fixture(scope="module")
def page(tmp_path_factory, comparison_maker):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("Chromium is not on the path")
    comparison = comparison_maker(n_classes=40, n_documents=2000)
    for number in range(40):
        comparison.corpus["classes"][number] = f"{SHARED} / part {number:02d}"
    comparison.map["place"] = [f"t-{i}, row {i}" for i in range(len(comparison.map["x"]))]
    path = tmp_path_factory.mktemp("map") / "report.html"
    path.write_text(render(summarise(comparison)), encoding="utf-8")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.set_default_timeout(60_000)
        complaints = []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(path.as_uri())
        yield tab
        browser.close()
        assert complaints == []


def shown_names(page):
    return page.evaluate(
        "[...document.querySelectorAll('#map-picture .names .fits')].map(e => "
        "({name: e.textContent, ...e.getBoundingClientRect().toJSON()}))"
    )


def test_every_class_has_a_colour_of_its_own(page):
    colours = page.evaluate(
        "[...document.querySelectorAll('#map-picture .dots > g')].map(e => getComputedStyle(e).color)"
    )
    assert len(colours) == len(set(colours)) == 40
    keys = page.evaluate(
        "[...document.querySelectorAll('#map-legend .key')].map(e => getComputedStyle(e).color)"
    )
    assert keys == colours


@pytest.mark.parametrize("width", [1280, 390])
def test_names_are_told_apart_and_do_not_cover_each_other(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_timeout(100)
    names = shown_names(page)
    assert len(names) > 3
    assert len({each["name"] for each in names}) == len(names)
    box = page.locator("#map-picture").bounding_box()
    assert box["height"] > 380  # points, also on a phone
    for place, one in enumerate(names):
        assert one["left"] >= box["x"] - 1
        assert one["right"] <= box["x"] + box["width"] + 1
        for other in names[:place]:
            apart = one["left"] >= other["right"] or other["left"] >= one["right"]
            assert apart or abs(one["top"] - other["top"]) > 12
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_class_is_found_by_a_part_of_its_name(page):
    page.fill("#map-find", "PART 07")
    assert page.locator("#map-picture .dots > g:not(.faded)").count() == 1
    assert [each["name"][-7:] for each in shown_names(page)] == ["part 07"]
    assert page.locator("#map-legend li:visible").count() == 1
    page.fill("#map-find", "")
    page.locator("#map-legend button", has_text="part 11").click()
    assert page.locator("#map-picture .dots > g:not(.faded)").count() == 1
    page.locator("#map-legend button", has_text="part 11").click()
    assert page.locator("#map-picture .dots > g:not(.faded)").count() == 40


def test_pointing_at_a_dot_tells_its_class_and_row(page):
    spot = page.evaluate(
        """() => {
            const shape = document.querySelector('#map-picture .dots path');
            const [x, y] = shape.getAttribute('d').match(/[0-9.]+/g).map(Number);
            const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM());
            return [at.x + scrollX, at.y + scrollY];
        }"""
    )
    page.evaluate(f"scrollTo(0, {spot[1]} - 400)")
    page.wait_for_timeout(800)  # it scrolls smoothly
    scrolled = page.evaluate("scrollY")
    page.mouse.move(spot[0], spot[1] - scrolled)
    text = page.inner_text("#map-hint")
    assert SHARED in text
    assert "row " in text
