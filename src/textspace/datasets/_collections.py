"""The corpora that are in a form of their own: the bundled one, Ohsumed, IMDB, Debian and TDT2."""

import csv
import hashlib
import io
import json
from collections import Counter

import numpy as np
from scipy.sparse import csr_array, issparse

from textspace.datasets._archive import damaged, gzip_lines, read_tar, read_zip
from textspace.datasets._corpus import Corpus

OHSUMED_SPLITS = {"training": "train", "test": "test"}
IMDB_FILE = "data/raw/a1_IMDB_Dataset.csv"
IMDB_TEST = 64  # of 256 values of a byte: a quarter
TDT2_TERMS = 36771


def read_demo(path):
    """Read the bundled corpus: short texts written for textspace, 12 categories under 4 parents."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    texts, labels, split = ([row[key] for row in rows] for key in ("text", "label", "split"))
    tree = {row["label"]: row["parent"] for row in rows if row["parent"]}
    return Corpus("demo", texts, labels, split, tree=tree)


def read_ohsumed(path):
    """Read the Ohsumed abstracts that have exactly one of 23 classes of cardiovascular diseases, C01 to C23.

    W. Hersh et al., "OHSUMED: An interactive retrieval evaluation and new large test collection for research"
    (SIGIR 1994). A folder for train and for test, in it a folder a class, in it a file a document.
    """
    texts, labels, split = [], [], []
    # Training documents first, then in the order of the names.
    for name, content in sorted(read_tar(path).items(), key=lambda item: ("/test/" in item[0], item[0])):
        folder, label = ["", "", *name.split("/")][-3:-1]
        if folder in OHSUMED_SPLITS:
            texts.append(content.decode("latin-1").strip())
            labels.append(label)
            split.append(OHSUMED_SPLITS[folder])
    return Corpus("ohsumed-23", texts, labels, split)


def read_imdb(path):
    """Read the film reviews, half of them positive and half negative, with line breaks for their mark-up.

    A. L. Maas et al., "Learning Word Vectors for Sentiment Analysis" (ACL 2011). The file mixes the two sides
    of the paper. Here a hash of the text draws a quarter for test: the same on every machine, and a review
    that occurs twice is on one side.
    """
    [content] = read_zip(path, [IMDB_FILE])
    rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))[1:]
    split = ["test" if hashlib.sha256(text.encode()).digest()[0] < IMDB_TEST else "train" for text, _ in rows]
    return Corpus("imdb", [text.replace("<br />", "\n") for text, _ in rows], [row[1] for row in rows], split)


def read_debian(name, path):
    """Read descriptions of Debian's packages, title and text, labelled by the section of the archive.

    The packages that are built of one source are on one side of the split.
    """
    try:
        rows = [json.loads(line) for line in gzip_lines(path, encoding="utf-8")]
        texts = [f"{row['title']}\n{row['text']}" for row in rows]
        return Corpus(name, texts, [row["section"] for row in rows], [row["split"] for row in rows])
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise damaged(
            path, f"it is not lines of JSON, each with title, text, section and split: {error}"
        ) from error


def read_debian_tags(name, path):
    """Read the descriptions of Debian's packages that have tags (debtags), several each, and these."""
    try:
        rows = [json.loads(line) for line in gzip_lines(path, encoding="utf-8")]
        rows = [row for row in rows if row["tags"]]
        texts = [f"{row['title']}\n{row['text']}" for row in rows]
        tags = [[str(tag) for tag in row["tags"]] for row in rows]
        return Corpus(name, texts, tags, [row["split"] for row in rows])
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise damaged(
            path, f"it is not lines of JSON, each with title, text, tags and split: {error}"
        ) from error


def read_tdt2(path, *, name="tdt2-30", fewest=1):
    """Read the term counts of TDT2, labelled "01", "02", ..., of categories with enough documents.

    The file of D. Cai's collection of text data has the counts in a matrix `fea`. The class and the day of a
    document are two more columns of it, or the class is in a vector `gnd`.
    """
    from scipy.io import loadmat  # takes a while, and no other corpus needs it

    try:
        content = loadmat(path, variable_names=["fea", "gnd"])
    except Exception as error:  # loadmat raises whatever the damaged bytes lead it to
        raise damaged(path, error) from error
    counts = content.get("fea")
    if not issparse(counts) or counts.shape[1] < TDT2_TERMS:
        raise damaged(path, f"it has no sparse matrix 'fea' of {TDT2_TERMS} terms")
    counts = csr_array(counts, dtype=np.float32)
    classes = content["gnd"] if "gnd" in content else counts[:, TDT2_TERMS : TDT2_TERMS + 1].toarray()
    labels = [f"{int(number):02d}" for number in np.ravel(classes)]
    sizes = Counter(labels)
    kept = [row for row, label in enumerate(labels) if sizes[label] >= fewest]
    return Corpus(name, counts[kept, :TDT2_TERMS], [labels[row] for row in kept])
