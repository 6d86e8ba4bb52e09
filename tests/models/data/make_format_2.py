"""Write the kept model files of format 2 and what they answer: ``python tests/models/data/make_format_2.py``.

Not to be run again once format 2 has been released: the files are kept to show that old ones still load.
"""

import json
import warnings
from pathlib import Path

from textspace.models import TextClassifier, save

TREE = {"grain": "goods", "metal": "goods", "ship": "transport"}
TRAINING = {
    "grain": ["wheat and corn harvest", "the corn crop", "barley for mills", "bushels of wheat and corn"],
    "metal": ["copper and tin ore", "zinc of the smelter", "the tin and copper mine", "ore of a zinc mine"],
    "ship": ["a tanker in port", "the vessel's cargo", "freight on the dock", "a captain with cargo in port"],
}
UNLABELLED = ["wheat in the port", "a mine of copper ore", "the harvest of barley and wheat"]
TEXTS = ["corn and wheat", "an ore mine", "a vessel with tin in port", "nothing known", ""]


def main():
    warnings.simplefilter("ignore", UserWarning)  # so few documents have fewer dimensions than asked for
    folder = Path(__file__).parent
    texts = [text for group in TRAINING.values() for text in group]
    labels = [label for label, group in TRAINING.items() for _ in group]
    answers = {}
    for method, unlabelled in {"auto": UNLABELLED, "lsi": None, "hsvm": None}.items():
        model = TextClassifier(method, tree=TREE).fit(texts, labels, unlabelled=unlabelled)
        save(model, folder / f"format-2-{method}.textspace")
        shares = model.predict_proba(TEXTS).round(9).tolist()
        answers[method] = {"labels": model.predict(TEXTS).tolist(), "probabilities": shares}
    (folder / "format-2.json").write_text(json.dumps({"texts": TEXTS, "models": answers}) + "\n")


if __name__ == "__main__":
    main()
