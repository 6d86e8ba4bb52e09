"""Write the kept model files of format 1 and what they answer: ``python tests/models/data/make_format_1.py``.

Not to be run again once format 1 has been released: the files are kept to show that old ones still load.
"""

import json
from pathlib import Path

from textspace.evaluation import OUT_OF_FOLD, evaluate
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


def main():
    folder = Path(__file__).parent
    texts = [text for group in TRAINING.values() for text in group]
    labels = [label for label, group in TRAINING.items() for _ in group]
    kept = {
        "format-1-auto.textspace": TextClassifier(),
        "format-1-auto-unlabelled.textspace": TextClassifier(tree=TREE, stop_words=frozenset(["the", "of"])),
        "format-1-hsvm.textspace": TextClassifier("hsvm", tree=TREE),
        "format-1-lda.textspace": TextClassifier("lda", stem=None),
    }
    answers = {}
    for name, model in kept.items():
        unlabelled = UNLABELLED if "unlabelled" in name else None
        model.fit(texts, labels, unlabelled=unlabelled)
        shares = model.out_of_fold_proba_
        model.evaluation_ = evaluate(model, texts, labels, probabilities=shares, source=OUT_OF_FOLD)
        save(model, folder / name, make_card(model, texts, labels, unlabelled=unlabelled, name="kept"))
        answers[name] = {
            "labels": model.predict(TEXTS).tolist(),
            "probabilities": model.predict_proba(TEXTS).tolist(),
            "doubtful": model.predict(TEXTS, min_confidence=0.9).tolist(),
            "neighbor": model.explain(TEXTS[0]).neighbors[0].excerpt,
            "n_evaluated": len(texts),
        }
    (folder / "format-1.json").write_text(json.dumps({"texts": TEXTS, "models": answers}, indent=1) + "\n")


if __name__ == "__main__":
    main()
