"""How the kept model files of format 1, and what they answer, were written.

They show that old files still load. So this is not to be run again: the last version that wrote format 1 has
run it, and for the first four files an earlier one.
"""

import json
import warnings
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from textspace.evaluation import OUT_OF_FOLD, evaluate
from textspace.methods import METHODS
from textspace.models import TextClassifier, make_card, save

TREE = {"grain": "goods", "metal": "goods", "ship": "transport"}
TRAINING = {
    "grain": [
        "wheat and corn harvest",
        "the corn crop",
        "barley for mills",
        "bushels of wheat and corn",
    ],
    "metal": [
        "copper and tin ore",
        "zinc of the smelter",
        "the tin and copper mine",
        "ore of a zinc mine",
    ],
    "ship": ["a tanker in port", "the vessel's cargo", "freight on the dock", "a captain with cargo in port"],
}
UNLABELLED = ["wheat in the port", "a mine of copper ore", "the harvest of barley and wheat"]
TEXTS = ["corn and wheat", "an ore mine", "a vessel with tin in port", "nothing known", ""]
FEW_CLASSES = 3  # whose probabilities are written down
LEARN_FROM_ALL = ("sda", "ss-lrwmmc", "em-nb", "self-training")


def goods():
    """Give the texts and labels of nearly all kept models."""
    texts = [text for group in TRAINING.values() for text in group]
    return texts, [label for label, group in TRAINING.items() for _ in group]


def many_classes():
    """Give one text for each of 1001 classes, so many that the blend compares mean documents."""
    classes = [f"{first}{second}" for first in "abcdefghijklmnopqrstuvwxyz" for second in range(39)][:1001]
    words = ["wheat", "corn", "ore", "port"]
    return [f"{label[0] * 2} {words[int(label[1:]) % 4]}" for label in classes], classes


def keep(folder, name, model, texts, labels, unlabelled=None, *, evaluated=False):
    """Fit and save a model, and give its answers."""
    model.fit(texts, labels, unlabelled=unlabelled)
    if evaluated:
        shares = model.out_of_fold_proba_
        model.evaluation_ = evaluate(model, texts, labels, probabilities=shares, source=OUT_OF_FOLD)
    card = make_card(model, texts, labels, unlabelled=unlabelled, name="kept")
    save(model, folder / f"format-1-{name}.textspace", card)
    return {
        "labels": model.predict(TEXTS).tolist(),
        "probabilities": model.predict_proba(TEXTS)[:, :FEW_CLASSES].round(9).tolist(),
        "doubtful": model.predict(TEXTS, min_confidence=0.9).tolist(),
        "neighbor": model.explain(TEXTS[0]).neighbors[0].excerpt,
        "n_evaluated": len(texts) if evaluated else None,
    }


def main():
    warnings.simplefilter("ignore", UserWarning)  # so few documents have fewer dimensions than asked for
    folder = Path(__file__).parent
    texts, labels = goods()
    words = frozenset(["the", "of"])
    kept = {
        "auto": keep(folder, "auto", TextClassifier(), texts, labels, evaluated=True),
        "auto-unlabelled": keep(
            folder,
            "auto-unlabelled",
            TextClassifier(tree=TREE, stop_words=words),
            texts,
            labels,
            UNLABELLED,
            evaluated=True,
        ),
        "hsvm": keep(folder, "hsvm", TextClassifier("hsvm", tree=TREE), texts, labels, evaluated=True),
        "lda": keep(folder, "lda", TextClassifier("lda", stem=None), texts, labels, evaluated=True),
        "auto-many-classes": keep(folder, "auto-many-classes", TextClassifier(), *many_classes()),
    }
    with patch("textspace.classify._nearest_documents._MANY", 10):  # the least number that has clusters
        kept["lsi-cells"] = keep(folder, "lsi-cells", TextClassifier("lsi"), texts, labels)
    for name, method in METHODS.items():
        if name not in kept:
            grid = {setting: values[:1] for setting, values in method.grid.items()}
            if method.scheme == "trigrams":
                grid["space__ranks"] = [3]  # of 27: a file of ten kilobytes
            METHODS[name] = replace(method, grid=grid)
            unlabelled = UNLABELLED if name in LEARN_FROM_ALL else None
            kept[name] = keep(folder, name, TextClassifier(name, tree=TREE), texts, labels, unlabelled)
    answers = {f"format-1-{name}.textspace": answer for name, answer in kept.items()}
    (folder / "format-1.json").write_text(json.dumps({"texts": TEXTS, "models": answers}) + "\n")


if __name__ == "__main__":
    main()
