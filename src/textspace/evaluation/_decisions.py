"""Answers of a classifier as yes/no decisions on every pair of a document and a category."""

import numpy as np
from scipy import sparse

from textspace._labels import check_labels


def binary_decisions(*answers, classes=None):
    """Turn answers into boolean matrices of shape (n, c), one column a category, and these categories.

    Answers are labels, one a document, or yes/no decisions of shape (n, c), whose categories are their column
    numbers; all of the same form. Decisions that are sparse stay so, as CSR arrays. `classes` come first, in
    their order, and others that occur after them.

    Examples
    --------
    >>> (truth, guess), columns = binary_decisions(["a", "b"], ["b", "b"])
    >>> columns.tolist(), guess.tolist()
    (['a', 'b'], [[False, True], [False, True]])
    """
    answers = [check_labels(answer) for answer in answers]
    answers = [answer if sparse.issparse(answer) else np.asarray(answer) for answer in answers]
    shapes = {answer.shape for answer in answers}
    if len(shapes) > 1 or answers[0].ndim not in (1, 2):
        raise ValueError(
            f"the answers have the shapes {[answer.shape for answer in answers]}: give one label a document, "
            "or one boolean column a category, in the same form and number everywhere."
        )
    if answers[0].shape[0] == 0:
        raise ValueError("there is no document to score: give at least one.")
    return _from_matrices(answers, classes) if answers[0].ndim == 2 else _from_labels(answers, classes)


def _from_matrices(answers, classes):
    present = np.arange(answers[0].shape[1])
    columns = _in_order(present, classes)
    if len(columns) > len(present):
        raise ValueError(
            f"the classes {np.asarray(classes).tolist()} do not fit decisions with {len(present)} columns: "
            f"give column numbers, from 0 to {len(present) - 1}."
        )
    answers = [as_decisions(answer, "a matrix of decisions") for answer in answers]
    if any(map(sparse.issparse, answers)):
        answers = [sparse.csr_array(answer) for answer in answers]
    return [answer[:, columns] for answer in answers], columns


def _from_labels(answers, classes):
    columns = _in_order(np.unique(np.concatenate(answers)), classes)
    return [answer[:, None] == columns for answer in answers], columns


def _in_order(present, classes):
    """Put the classes first and whatever else is present after them."""
    if classes is None:
        return present
    columns = np.asarray(classes)
    if len(np.unique(columns)) < len(columns):
        raise ValueError("classes holds the same label twice.")
    return np.concatenate([columns, np.setdiff1d(present, columns)])


def as_decisions(Y, name="Y"):
    """Bring yes/no decisions into one form, sparse if they were so, and refuse other numbers.

    Parameters
    ----------
    Y : {array-like, sparse matrix} of shape (n_documents, n_labels)
        1 or True where a document has a label, 0 or False where it has not.
    name : str, default="Y"
        What to call it in a message.

    Returns
    -------
    ndarray or CSR array of bool, shape (n_documents, n_labels)

    Examples
    --------
    >>> as_decisions([[1, 0], [0, 1]]).tolist()
    [[True, False], [False, True]]
    """
    Y = sparse.csr_array(Y) if sparse.issparse(Y) else np.asarray(Y)
    if Y.ndim != 2 or Y.dtype.kind not in "biuf":
        raise ValueError(f"{name} is no matrix of numbers: give a row a document and a column a label.")
    if Y.dtype == bool:
        return Y
    values = Y.data if sparse.issparse(Y) else Y
    odd = values[(values != 0) & (values != 1)]
    if odd.size:
        raise ValueError(
            f"{name} holds {odd.flat[0]:g} where only 0 and 1 are meant: write 1 where a document has a "
            "label, and 0 where it has not."
        )
    Y = Y.astype(bool)
    if sparse.issparse(Y):
        Y.eliminate_zeros()
    return Y
