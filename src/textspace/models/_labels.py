"""Labels as text."""

import numpy as np


def text_labels(labels):
    """Give labels as text, the empty string where there is none.

    Parameters
    ----------
    labels : array-like of shape (n_documents,)
        Text or numbers; "", None or NaN where there is none.

    Returns
    -------
    ndarray of str, shape (n_documents,)

    Examples
    --------
    >>> text_labels(["grain", None, 3]).tolist()
    ['grain', '', '3']
    """
    return np.array(["" if label is None or label != label else str(label) for label in labels], dtype=str)
