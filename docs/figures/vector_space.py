"""Draw docs/images/vector-space.svg: the terms of one document of the demo corpus under the three schemes."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from textspace.datasets import load
from textspace.text import VectorSpace

IMAGE = Path(__file__).parents[1] / "images" / "vector-space.svg"
SCHEMES = {"tf": "#b8b8b8", "tfidf": "#1f77b4", "ltc": "#e28a2b"}


def main():
    texts = load("demo").texts
    spaces = {scheme: VectorSpace(scheme=scheme) for scheme in SCHEMES}
    rows = {scheme: space.fit_transform(texts) for scheme, space in spaces.items()}
    # A document that repeats a word shows best how the schemes differ.
    document = np.argmax([row.max() / row.data.min() for row in rows["tf"]])
    weights = {scheme: X[[document]].toarray()[0] for scheme, X in rows.items()}
    columns = [
        column for column in np.argsort(-weights["tfidf"], kind="stable") if weights["tf"][column] > 0
    ][:14]
    terms = spaces["tfidf"].get_feature_names_out()

    plt.rcParams.update({"svg.hashsalt": "textspace", "font.size": 9})
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for offset, (scheme, color) in zip((-0.27, 0, 0.27), SCHEMES.items(), strict=True):
        axes.barh(
            np.arange(len(columns)) + offset, weights[scheme][columns], height=0.27, color=color, label=scheme
        )
    axes.set_yticks(range(len(columns)), terms[columns])
    axes.invert_yaxis()
    axes.set_xlabel("weight in a row of unit length")
    start = texts[document][:70].rsplit(" ", 1)[0]
    axes.set_title(f"“{start} …”", fontsize=9, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    IMAGE.parent.mkdir(exist_ok=True)
    figure.savefig(IMAGE, metadata={"Date": None})


if __name__ == "__main__":
    main()
