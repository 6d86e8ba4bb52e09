"""Several vector spaces side by side: the same texts as words, as they are written, and as letters."""

from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from textspace._compiled import thread_count
from textspace._saving import saved_as
from textspace._validation import refuse_dask
from textspace.text._interface import TextTransformer, as_configured, check_texts
from textspace.text._reading import SharedTexts
from textspace.text._vector_space import NoTermsError, VectorSpace

_SEVERAL = 200  # texts that alphabets read side by side; fewer are read before threads have begun


@saved_as("text.block")
class Block(NamedTuple):
    """Columns of one alphabet.

    Attributes
    ----------
    name : str
        Name of the alphabet.
    start, stop : int
        Its columns are those from `start` up to, but without, `stop`.
    n_words : int
        So many of its first columns are single words or n-grams of characters; the others are pairs of words.

    Examples
    --------
    >>> from textspace.text import Alphabets, VectorSpace
    >>> Alphabets([("stems", VectorSpace())]).fit(["Cats sat"]).blocks_
    [Block(name='stems', start=0, stop=2, n_words=2)]
    """

    name: str
    start: int
    stop: int
    n_words: int


@saved_as(
    "text.alphabets",
    shapes={"spaces_": "_"},
    check=lambda alphabets: len(alphabets.spaces_) > 0 and _are_spaces(alphabets.spaces_.values()),
)
class Alphabets(TextTransformer):
    """Texts as sparse rows of several vector spaces side by side.

    The columns of each space form a block, in which a row has unit length by itself, or is zero. A space that
    finds no terms in the training texts (no word among digits, say) is left out.

    Parameters
    ----------
    spaces : list of (str, VectorSpace) pairs
        Name and space of each alphabet. They are not changed.

    Attributes
    ----------
    spaces_ : dict of str to VectorSpace
        The fitted spaces by name, without those that were left out.

    See Also
    --------
    sklearn.pipeline.FeatureUnion : Any transformers side by side, without places of terms in a text.

    Notes
    -----
    Raw term counts may be given instead of texts, as a sparse matrix. They have the first space only.

    Examples
    --------
    >>> from textspace.text import Alphabets, VectorSpace
    >>> alphabets = Alphabets([("stems", VectorSpace()), ("letters", VectorSpace(letters=(2, 2)))])
    >>> alphabets.fit_transform(["Cats sat", "a dog"]).shape
    (2, 17)
    >>> alphabets.blocks_
    [Block(name='stems', start=0, stop=3, n_words=3), Block(name='letters', start=3, stop=17, n_words=14)]
    >>> alphabets.only(["letters"]).transform(["dogs"]).shape
    (1, 14)
    """

    _parameter_constraints: ClassVar = {"spaces": [list]}

    def __init__(self, spaces):
        self.spaces = spaces

    def fit(self, X, y=None):
        """Learn the terms of each alphabet.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Training texts, or raw term counts.
        y : object, optional
            Ignored.

        Returns
        -------
        Alphabets
            The fitted transformer.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X, y=None):
        """Fit and return the training documents' rows.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Training texts, or raw term counts.
        y : object, optional
            Ignored.

        Returns
        -------
        csr_matrix of shape (n_documents, n_terms)
            The rows of all alphabets side by side.
        """
        self._check_parameters()
        X = self._checked(X)
        fitted, rows, refused = {}, [], []
        for name, space in self.spaces[:1] if sp.issparse(X) else self.spaces:
            space = clone(space)
            try:
                rows.append(space.fit_transform(X))
                fitted[name] = space
            except NoTermsError as error:
                refused.append(error)
        if not fitted:
            raise refused[0]
        self.spaces_ = fitted
        return _beside(rows)

    def transform(self, X):
        """Turn documents into rows over the learned terms.

        Parameters
        ----------
        X : iterable of str, or sparse matrix of shape (n_documents, n_columns)
            Texts, or raw term counts where the training documents were given so.

        Returns
        -------
        csr_matrix of shape (n_documents, n_terms)
            The rows of all alphabets side by side.
        """
        check_is_fitted(self)
        X = self._checked(X)
        spaces = list(self.spaces_.values())
        if sp.issparse(X) or len(X) < _SEVERAL or min(len(spaces), thread_count()) == 1:
            return _beside([space.transform(X) for space in spaces])
        with ThreadPoolExecutor(len(spaces)) as pool:  # the compiled part of one beside the rest of another
            return _beside(list(pool.map(lambda space: space.transform(X), spaces)))

    @property
    def blocks_(self):
        """Columns of each alphabet, as a list of :class:`Block`."""
        check_is_fitted(self)
        blocks, start = [], 0
        for name, space in self.spaces_.items():
            blocks.append(Block(name, start, start + space.n_terms_, space.n_words_))
            start += space.n_terms_
        return blocks

    def only(self, names):
        """Give the fitted transformer of some of the alphabets, whose columns are numbered anew.

        Parameters
        ----------
        names : sequence of str
            Alphabets that have terms.

        Returns
        -------
        Alphabets
            It shares the fitted spaces.
        """
        check_is_fitted(self)
        unknown = [name for name in names if name not in self.spaces_]
        if unknown or not len(names):
            raise ValueError(
                f"there is no alphabet {unknown[0] if unknown else ''!r} with terms: choose among "
                f"{', '.join(self.spaces_)}."
            )
        chosen = Alphabets([(name, space) for name, space in self.spaces if name in names])
        chosen.spaces_ = {name: space for name, space in self.spaces_.items() if name in names}
        return chosen

    def get_feature_names_out(self, input_features=None):
        """Give the terms in the order of the columns; two alphabets may have the same term.

        Parameters
        ----------
        input_features : object, optional
            Ignored.

        Returns
        -------
        ndarray of str objects, shape (n_terms,)
            Terms.
        """
        return self.names_of(np.arange(self.n_terms_))

    @property
    def n_terms_(self):
        """Number of columns."""
        return self.blocks_[-1].stop

    def names_of(self, columns):
        """Give the terms of some columns, without making the names of all.

        Parameters
        ----------
        columns : ndarray of int, shape (n_columns,)
            Columns of the document matrix.

        Returns
        -------
        ndarray of str objects, shape (n_columns,)
            Their terms.
        """
        return self._of_blocks(columns, VectorSpace.names_of)

    def forms_of(self, columns):
        """Give the terms of some columns as people write them, as :meth:`VectorSpace.forms_of` does.

        Parameters
        ----------
        columns : ndarray of int, shape (n_columns,)
            Columns of the document matrix.

        Returns
        -------
        ndarray of str objects, shape (n_columns,)
            Terms to be read; those of different alphabets may have the same form.
        """
        return self._of_blocks(columns, VectorSpace.forms_of)

    def spans(self, text):
        """Find where the known terms of all alphabets stand in a text.

        Parameters
        ----------
        text : str
            One document.

        Returns
        -------
        list of (int, int, int)
            Start, end and column of each place, in ascending order, as
            :meth:`textspace.text.VectorSpace.spans` gives them.
        """
        return sorted(
            (start, end, block.start + column)
            for block in self.blocks_
            for start, end, column in self.spaces_[block.name].spans(text)
        )

    def _of_blocks(self, columns, names_of):
        """Name columns by a method of the space that each belongs to."""
        names = np.empty(len(columns), dtype=object)
        for block in self.blocks_:
            inside = (columns >= block.start) & (columns < block.stop)
            names[inside] = names_of(self.spaces_[block.name], columns[inside] - block.start)
        return names

    def _checked(self, X):
        """Give texts so that spaces share what is read of them; counts as they are."""
        refuse_dask(self, X)
        if sp.issparse(X):
            return X
        expected = "Alphabets takes a list or a single column of texts, or a sparse matrix of term counts"
        return SharedTexts(check_texts(X, expected=expected))

    def _check_parameters(self):
        self._validate_params()
        try:
            names = [name for name, _ in self.spaces]
            are_spaces = bool(names) and _are_spaces(space for _, space in self.spaces)
        except (TypeError, ValueError):
            are_spaces = False
        if not are_spaces:
            raise ValueError(
                "spaces must be a list of pairs, each the name of an alphabet and a VectorSpace."
            )
        if len(set(names)) < len(names):
            raise ValueError(f"two alphabets have the same name: give each of {', '.join(names)} its own.")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _are_spaces(spaces):
    return all(isinstance(space, VectorSpace) for space in spaces)


def _beside(rows):
    return as_configured(sp.hstack(rows, format="csr"))
