import json
import shutil

import pytest

from textspace.models import TextClassifier

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
if BROWSER is None:
    pytest.skip("Chromium is not on the path", allow_module_level=True)

WINDOW = {"width": 1280, "height": 720}
TIMEOUT = 60_000  # milliseconds, for machines with much else to do
sync_api.expect.set_options(timeout=TIMEOUT)
EVIL = 'corn <img src=x onerror="window.hit=1"><script>window.hit=1</script> 😀 wheat & barley'


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        context = browser.new_context(viewport=WINDOW)
        context.set_default_timeout(TIMEOUT)
        yield context
        browser.close()


@pytest.fixture(scope="module")
def corrections(tmp_path_factory):
    return tmp_path_factory.mktemp("page") / "corrections.jsonl"


@pytest.fixture(scope="module")
def place(serving, corrections):
    return serving(corrections=corrections)


@pytest.fixture(scope="module")
def tab(browser):
    """One tab for all tests: a new one would cost more than most of them."""
    return browser.new_page()


@pytest.fixture
def page(tab, place):
    """The page as it is opened; the test fails if anything in it went wrong or came from elsewhere."""
    wrong = []
    watchers = {
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda message: message.type == "error" and wrong.append(message.text),
        "request": lambda request: request.url.startswith(place) or wrong.append(request.url),
    }
    for event, watcher in watchers.items():
        tab.on(event, watcher)
    tab.goto(place)
    yield tab
    tab.unroute_all()
    tab.set_viewport_size(WINDOW)
    tab.emulate_media(color_scheme="light")
    for event, watcher in watchers.items():
        tab.remove_listener(event, watcher)
    assert wrong == []


def classify(page, text):
    page.fill("#text", text)
    page.get_by_role("button", name="Classify").click()
    page.wait_for_selector("#why:not([hidden])")


def test_text_becomes_bars_and_reasons(page, model):
    text = "The corn harvest and 😀 coffee"
    classify(page, text)
    probabilities = model.predict_proba([text])[0]
    assert page.inner_text("#label") == "grain"
    assert page.inner_text("#path") == "farm › grain"
    names = page.locator("#bars button > span:first-child").all_inner_texts()
    assert names == model.classes_[probabilities.argsort()[::-1]].tolist()
    widths = page.evaluate(
        "[...document.querySelectorAll('#bars .track')].map(e => e.firstChild.offsetWidth / e.offsetWidth)"
    )
    assert widths[0] == pytest.approx(probabilities.max(), abs=0.02)
    assert page.inner_text("#marked") == text
    marks = page.locator("#marked mark.for").all_inner_texts()
    assert "corn" in marks
    assert (
        "coffee" in page.locator("#marked mark.against").all_inner_texts()
    )  # behind the emoji, still in place
    assert page.locator("#neighbors li").count() == 5


def test_bar_explains_its_class(page):
    classify(page, "corn and coffee")
    page.get_by_role("button", name="coffee").click()
    sync_api.expect(page.locator("#why-title")).to_have_text("Why coffee?")
    assert page.locator("#bars [aria-pressed=true]").inner_text().startswith("coffee")


def test_markup_stays_text(page):
    classify(page, EVIL)
    assert page.inner_text("#marked") == EVIL
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("window.hit") is None


def test_keys_are_enough(page):
    page.focus("#text")
    page.keyboard.type("a tanker at sea")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#why:not([hidden])")
    assert page.inner_text("#label") == "ship"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "right":
            break
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Save"


def test_correction_is_saved(page, corrections):
    classify(page, EVIL)
    page.fill("#right", "ship")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("#saved.good")
    [line] = [json.loads(line) for line in corrections.read_text().splitlines()]
    assert (line["text"], line["label"], line["predicted"]) == (EVIL, "ship", "grain")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(page, tmp_path, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 800})
    classify(page, EVIL + " corn" + "x" * 300 + " " + "coffee and corn at sea " * 20)
    page.locator("summary", has_text="Model card").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    shot = tmp_path / "phone.png"
    page.screenshot(path=shot, full_page=True)
    assert int.from_bytes(shot.read_bytes()[16:20], "big") == 390
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, background[4:-1].split(","))) / 3
    assert (brightness > 200) if scheme == "light" else (brightness < 60)


FILES = {
    "mail.csv": 'id,body\r\n1,"corn, ""wheat""\nand barley"\r\n2,tanker at sea\r\n',
    "mail.tsv": "body\tid\ncorn wheat\t1\ntanker at sea\t2\n",
    "mail.jsonl": '{"id": 1, "text": "corn and wheat"}\n\n{"id": 2, "text": "tanker at sea"}\n',
}


@pytest.mark.parametrize("name", list(FILES))
def test_file_of_many_texts_is_listed(page, name):
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": FILES[name].encode()})
    page.wait_for_selector("#rows tr:nth-child(2)")
    assert page.locator("#rows .name").all_inner_texts() == ["grain", "ship"]
    page.locator("#rows button").nth(1).click()
    page.wait_for_selector("#why:not([hidden])")
    assert page.inner_text("#label") == "ship"
    assert page.input_value("#text") == "tanker at sea"


def test_dropped_file_is_one_text(page):
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["barley and corn"], "note.txt"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
        }"""
    )
    page.wait_for_selector("#why:not([hidden])")
    assert page.inner_text("#marked") == "barley and corn"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bad.jsonl", '{"text": "a"}\n{"text"', "line 2 is no JSON"),
        ("header.csv", "id,body\n", "no rows"),
        ("open.csv", 'id,body\n1,"corn', "never closed"),
        ("large.txt", "corn " * 30_000, "MB"),
    ],
)
def test_bad_file_is_a_sentence(page, name, content, sentence):
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    page.wait_for_selector("#status.bad")
    assert sentence in page.inner_text("#status")
    assert page.is_hidden("#result")


@pytest.fixture
def two_columns(page, place):
    """The page of a model that was trained on two columns."""

    def say_columns(route):
        answer = route.fetch()
        described = answer.json()
        described["card"]["data"]["columns"] = {"text": ["subject", "body"], "label": "topic"}
        route.fulfill(response=answer, json=described)

    page.route("**/model", say_columns)
    page.goto(place)
    return page


def test_columns_of_the_model_are_joined(two_columns):
    content = b"body,id,subject\nwheat,1,corn\nat sea,2,tanker\n"
    two_columns.set_input_files("#file", {"name": "a.csv", "mimeType": "text/csv", "buffer": content})
    two_columns.wait_for_selector("#rows tr:nth-child(2)")
    two_columns.locator("#rows button").nth(1).click()
    two_columns.wait_for_selector("#why:not([hidden])")
    assert two_columns.input_value("#text") == "tanker\nat sea"


def test_a_column_of_the_model_that_is_missing_is_named(two_columns):
    content = b"body,id\nwheat,1\n"
    two_columns.set_input_files("#file", {"name": "a.csv", "mimeType": "text/csv", "buffer": content})
    two_columns.wait_for_selector("#status.bad")
    assert 'there is no column "subject"' in two_columns.inner_text("#status")


def test_text_may_be_there_before_the_model_is_known(page, place):
    waiting = []
    page.route("**/model", lambda route: waiting.append(route))
    with page.expect_request("**/model"):
        page.goto(place)
    page.fill("#text", "corn")
    page.get_by_role("button", name="Classify").click()
    page.set_input_files("#file", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"id,body\n1,corn\n"})
    waiting[0].continue_()
    page.wait_for_selector("#rows tr")
    assert page.locator("#rows .name").all_inner_texts() == ["grain"]


def test_empty_text_is_a_sentence(page):
    page.get_by_role("button", name="Classify").click()
    assert page.inner_text("#status.bad") == "Paste a text first."


def test_model_card_is_shown(page):
    page.locator("summary", has_text="Model card").click()
    sync_api.expect(page.locator("#card")).to_contain_text("coffee 16, grain 16, ship 16")
    assert page.inner_text("#served") == "3 classes, learned from 48 texts"


def test_token_is_asked_for(browser, serving):
    page = browser.new_page()
    page.goto(serving(token="s3cret"))
    page.fill("#token", "wrong")
    page.keyboard.press("Enter")
    sync_api.expect(page.locator("#token-note")).to_contain_text("not the token")
    page.fill("#token", "s3cret")
    page.keyboard.press("Enter")
    sync_api.expect(page.locator("#served")).to_contain_text("3 classes")
    classify(page, "corn")
    assert page.inner_text("#label") == "grain"
    assert "not saved" in page.inner_text("#saved")
    page.close()


def test_page_of_the_interface_lists_every_route(page, place):
    page.goto(f"{place}/docs")
    page.wait_for_selector(".route >> nth=5")
    routes = page.locator(".route h2 code").all_inner_texts()
    assert routes == ["/predict", "/explain", "/corrections", "/model", "/live", "/ready", "/metrics"]
    assert "min_confidence" in page.inner_text("#routes")


def test_all_labels_of_a_text_are_shown_with_reasons(browser, serving, tmp_path):
    tags = [["grain"], ["ship"], ["grain", "ship"], []]
    texts = [
        "corn and wheat harvest",
        "a tanker in the port",
        "corn by tanker to the port",
        "nothing of the kind",
    ]
    several = TextClassifier(quick=True).fit(texts * 6, tags * 6)
    place = serving(model=several, corrections=tmp_path / "right.jsonl")
    tab = browser.new_page()
    wrong = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(place)
    tab.fill("#text", "corn by tanker to the port")
    tab.get_by_role("button", name="Classify").click()
    sync_api.expect(tab.locator("#why")).to_be_visible()
    assert set(tab.inner_text("#label").split(", ")) == {"grain", "ship"}
    tab.locator("#bars button", has_text="grain").click()
    sync_api.expect(tab.locator("#why-title")).to_have_text("Why grain?")
    tab.select_option("#right-labels", ["grain"])
    tab.get_by_role("button", name="Save").click()
    sync_api.expect(tab.locator("#saved")).to_have_text("Saved as grain.")
    assert json.loads((tmp_path / "right.jsonl").read_text())["label"] == ["grain"]
    assert not wrong
    tab.close()
