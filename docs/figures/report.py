"""Draw images/report.png, report-map.png and report-tree.png: the demo's report, as a browser shows it.

Needs Chromium on the path. Run it with ``python docs/figures/report.py``.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from textspace.datasets import load
from textspace.evaluation import compare
from textspace.methods import METHODS
from textspace.report import write_report

IMAGES = Path(__file__).parent.parent / "images"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]


def photograph(page, image, height):
    """Save the top of a page, 1200 pixels wide."""
    with tempfile.TemporaryDirectory() as profile:
        places = [f"--user-data-dir={profile}", f"--screenshot={image}", f"--window-size=1200,{height}"]
        subprocess.run([BROWSER, *OPTIONS, *places, page.as_uri()], check=True, capture_output=True)


def photograph_sections(page, names, image, height):
    """Save some sections of a page, 1200 pixels wide."""
    others = "".join(f":not(#{name})" for name in names)
    style = f"<style>header, section{others} {{ display: none }} section {{ margin: 20px 0 }}</style></head>"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</head>", style), encoding="utf-8")
    photograph(page, image, height)
    page.write_text(text, encoding="utf-8")


def main():
    """Compare, write the report, photograph it."""
    if BROWSER is None:
        raise SystemExit("Chromium is not on the path.")
    comparison = compare(load("demo"), list(METHODS))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        write_report(comparison, page)
        photograph(page, IMAGES / "report.png", 1790)
        photograph_sections(page, ["map"], IMAGES / "report-map.png", 1010)
        # Fewer methods: their table is as long as there are methods.
        comparison = compare(load("demo"), "svm,hsvm,k-lsi,slsi,sda,ss-lrwmmc")
        write_report(comparison, page)
        photograph_sections(page, ["unlabelled", "tree"], IMAGES / "report-tree.png", 1460)


if __name__ == "__main__":
    main()
