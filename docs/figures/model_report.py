"""Draw images/model-report.png and images/model-errors.png: the report of a model of the demo corpus.

Needs Chromium on the path. Run it with ``python docs/figures/model_report.py``.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from textspace.datasets import load
from textspace.evaluation import evaluate
from textspace.models import TextClassifier, make_card
from textspace.report import write_model_report

IMAGES = Path(__file__).parent.parent / "images"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]


def photograph(page, image, height):
    """Save the top of a page, 1200 pixels wide."""
    with tempfile.TemporaryDirectory() as profile:
        places = [f"--user-data-dir={profile}", f"--screenshot={image}", f"--window-size=1200,{height}"]
        subprocess.run([BROWSER, *OPTIONS, *places, page.as_uri()], check=True, capture_output=True)


def main():
    """Train a model, write its report, photograph it."""
    if BROWSER is None:
        raise SystemExit("Chromium is not on the path.")
    corpus = load("demo")
    model = TextClassifier().fit(corpus.texts, corpus.labels)
    evaluation = evaluate(
        model,
        corpus.texts,
        corpus.labels,
        probabilities=model.out_of_fold_proba_,
        source="out-of-fold training documents",
    )
    model.evaluation_ = evaluation
    model.card_ = make_card(model, corpus)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "model.html"
        write_model_report(model, page)
        text = page.read_text(encoding="utf-8")
        for image, shown, height in (
            ("model-report.png", "#verdict, #confusions", 1230),
            ("model-errors.png", "#errors", 780),
        ):
            rules = f"header, section {{ display: none }} {shown} {{ display: block; margin-top: 20px }}"
            style = f"<style>{rules}</style></head>"
            open_first = "<script>document.querySelector('#errors details').open = true</script></body>"
            changed = text.replace("</head>", style).replace("</body>", open_first)
            page.write_text(changed, encoding="utf-8")
            photograph(page, IMAGES / image, height)


if __name__ == "__main__":
    main()
