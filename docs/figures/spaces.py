"""Draw images/spaces.png: the documents of the demo corpus in the spaces of three methods.

Needs matplotlib. Run it with ``python docs/figures/spaces.py``.
"""

from pathlib import Path

from textspace.datasets import load
from textspace.report import plot_space

IMAGE = Path(__file__).parent.parent / "images" / "spaces.png"


def main():
    """Draw the maps."""
    corpus = load("demo").train
    plot_space("lsi,lda,lrwmmc", corpus.texts, corpus.labels).savefig(IMAGE, dpi=80)


if __name__ == "__main__":
    main()
