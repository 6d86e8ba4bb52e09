"""Draw images/service.png: the page of the service with a text of the demo corpus.

Needs Chromium on the path and playwright. Run it with ``python docs/figures/service.py``.
"""

import shutil
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn
from playwright.sync_api import sync_playwright

from textspace.datasets import load
from textspace.models import TextClassifier
from textspace.service import create_app
from textspace.service._server import address, listen

IMAGES = Path(__file__).parent.parent / "images"


def main():
    """Train, serve, photograph."""
    corpus = load("demo")
    model = TextClassifier().fit(corpus.train.texts, corpus.train.labels)
    text = max(corpus.test.texts, key=len)
    listener = listen("127.0.0.1", 0)
    with TemporaryDirectory() as folder:
        app = create_app(model, corrections=Path(folder) / "corrections.jsonl")
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1200, "height": 1000})
            page.goto(address(listener))
            page.fill("#text", text)
            page.click("button.main")
            page.wait_for_selector("#why:not([hidden])")
            page.evaluate("document.activeElement.blur()")
            page.screenshot(path=IMAGES / "service.png")
            browser.close()
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
