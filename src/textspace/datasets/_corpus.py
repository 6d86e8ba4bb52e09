"""The one form in which all of textspace receives documents."""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import issparse

from textspace._label_lists import are_lists
from textspace._label_sets import LISTS, known_labels, label_lists


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents with their labels, their split and their label tree.

    Parameters
    ----------
    name : str
        Name by which reports call the corpus.
    texts : list of str, or CSR array of shape (n_documents, n_terms)
        The documents. A corpus that is published as term counts has those instead of texts.
    labels : array of str, shape (n_documents,), or array of object
        The category of each document; the empty string where it is not known. Of several labels a document a
        tuple of them for each, which may be empty; None where they are not known.
    split : array of str, shape (n_documents,), default=None
        "train", "test" or "unlabelled" for each document. None where the source has no split.
    tree : dict of str to str, default=None
        Parent of each category that has one. The roots are no keys.
    terms : list of str, default=None
        Names of the columns when `texts` holds counts and the names are known.
    notes : tuple of str, default=()
        Sentences on what was guessed or dropped when the corpus was read.
    columns : dict, default=None
        ``{"text": [...], "label": ...}``, the names of the columns of the table that it was read from.
    places : list of tuple of str, default=None
        Where each document stands in its file, such as "row 3 (line 4)", and the identifier that the file
        gives it, "" for none. None where that is not known.

    Attributes
    ----------
    several : bool
        Whether documents have several labels.

    Examples
    --------
    >>> from textspace.datasets import Corpus
    >>> corpus = Corpus("tiny", ["corn rose", "a ship sank", "wheat fell"], ["grain", "ship", ""])
    >>> corpus
    Corpus('tiny': 3 documents, 2 classes, 1 unlabelled)
    >>> corpus.classes
    array(['grain', 'ship'], dtype='<U5')
    >>> corpus.unlabelled.texts
    ['wheat fell']

    >>> Corpus("tiny", ["corn rose", "a ship sank", "wheat fell"], [["grain", "corn"], [], None])
    Corpus('tiny': 3 documents, several of 2 labels each, 1 unlabelled)
    """

    name: str
    texts: list
    labels: np.ndarray
    split: np.ndarray | None = None
    tree: dict | None = None
    terms: list | None = None
    notes: tuple = ()
    columns: dict | None = None
    places: list | None = None
    several: bool = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "labels", _as_array(self.labels))
        object.__setattr__(self, "several", self.labels.dtype == object)
        if self.split is not None:
            object.__setattr__(self, "split", np.asarray(self.split, dtype=str))
        for name in ("labels", "split"):
            values = getattr(self, name)
            if values is not None and values.shape != (len(self),):
                raise ValueError(
                    f"corpus {self.name!r} has {len(self)} documents but {name} of shape {values.shape}: "
                    f"give one of the {name} for each document"
                )

    def __len__(self):
        return self.texts.shape[0] if issparse(self.texts) else len(self.texts)

    def __repr__(self):
        n_labels = len(self.classes)
        counts = [
            f"{len(self)} documents",
            f"several of {n_labels} labels each" if self.several else f"{n_labels} classes",
        ]
        if self.split is not None:
            counts += [f"{np.sum(self.split == name)} {name}" for name in ("train", "test")]
        unlabelled = np.sum(self._is_unlabelled)
        if unlabelled:
            counts.append(f"{unlabelled} unlabelled")
        return f"Corpus({self.name!r}: {', '.join(counts)})"

    @property
    def classes(self):
        """Sorted labels that occur, without the empty one: array of str, shape (n_classes,)."""
        if self.several:
            return known_labels(self.labels)
        return np.unique(self.labels[self.labels != ""])

    @property
    def train(self):
        """The training documents as a Corpus."""
        return self._of_split("train")

    @property
    def test(self):
        """The test documents as a Corpus."""
        return self._of_split("test")

    @property
    def labelled(self):
        """The documents whose category is known as a Corpus, which may be empty."""
        return self.subset(self._has_label)

    @property
    def unlabelled(self):
        """The documents of no known category as a Corpus, which may be empty."""
        return self.subset(self._is_unlabelled)

    def subset(self, rows):
        """Give the chosen documents as a Corpus.

        Parameters
        ----------
        rows : array of bool, shape (n_documents,), or array of int
            A mask, or positions in the wanted order.

        Returns
        -------
        Corpus
        """
        rows = np.asarray(rows)
        if rows.dtype == bool:
            if rows.shape != (len(self),):
                raise ValueError(f"a mask of shape {rows.shape} does not fit {len(self)} documents")
            rows = np.flatnonzero(rows)
        rows = rows.astype(np.intp)
        texts = self.texts[rows] if issparse(self.texts) else [self.texts[row] for row in rows]
        split = None if self.split is None else self.split[rows]
        places = None if self.places is None else [self.places[row] for row in rows]
        return replace(self, texts=texts, labels=self.labels[rows], split=split, places=places)

    @property
    def _is_unlabelled(self):
        return ~self._has_label if self.split is None else self.split == "unlabelled"

    @property
    def _has_label(self):
        if self.several:
            return np.array([labels is not None for labels in self.labels], dtype=bool)
        return self.labels != ""

    def _of_split(self, name):
        if self.split is None:
            raise ValueError(
                f"corpus {self.name!r} comes without a split into train and test: "
                "draw one, for instance with textspace.evaluation.compare(..., train_share=0.7)"
            )
        return self.subset(self.split == name)


def _as_array(labels):
    """Give labels as an array of str, or as one of tuples, which may hold nothing but None."""
    lists = isinstance(labels, np.ndarray) and labels.dtype == object
    if are_lists(labels) or (lists and all(label is None or isinstance(label, LISTS) for label in labels)):
        return label_lists(labels)
    return np.asarray(labels, dtype=str)
