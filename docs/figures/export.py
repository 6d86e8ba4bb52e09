"""Draw images/export.png: the page that `textspace export` writes, with a text of the demo corpus.

Needs Chromium on the path and playwright. Run it with ``python docs/figures/export.py``.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from textspace.datasets import load
from textspace.export import export_model
from textspace.models import TextClassifier

IMAGES = Path(__file__).parent.parent / "images"
TEXT = "The harbour crane broke, so the ship waited two days to unload its containers of bank notes."


def main(folder=IMAGES, *, width=1100, height=760, scheme="light"):
    """Train, export, photograph."""
    corpus = load("demo")
    model = TextClassifier().fit(corpus.train.texts, corpus.train.labels)
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        path = Path(place, "demo.html")
        export_model(model, path, name="Demo")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(path.as_uri())
        page.fill("#text", TEXT)
        page.wait_for_selector("#terms li")
        page.evaluate("document.activeElement.blur()")
        page.screenshot(path=Path(folder, "export.png"), full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
