"""Draw images/service.png and service-file.png: the page of the service with a text and a file of the demo.

Needs Chromium on the path and playwright. Run it with ``python docs/figures/service.py``.
"""

import json
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
            page.goto(address(listener))
            rows = [{"id": f"t-{n}", "text": one} for n, one in enumerate(corpus.test.texts, start=101)]
            content = json.dumps(rows).encode()
            page.set_input_files("#file", {"name": "mails.json", "mimeType": "", "buffer": content})
            page.wait_for_selector("#rows tr")
            page.click("#columns summary")
            page.locator("#shown-columns label", has_text="id").click()
            page.get_by_role("button", name="Sure", exact=True).click()
            page.locator("#many").screenshot(path=IMAGES / "service-file.png")
            browser.close()
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
