"""Shares of the classes among documents to come, where they differ from those of the labels."""

from numbers import Real

import numpy as np

from textspace._wording import name_hint

_FAR = 2.0  # times the likelihood that documents of the old shares would gain
_STEPS, _CLOSE = 1000, 1e-6  # of expectation maximisation: at most, and the last change of the shares


def label_shares(labels, classes):
    """Give the shares of the classes among labels.

    Parameters
    ----------
    labels : array-like of str, shape (n_labels,)
        Labels.
    classes : ndarray of shape (n_classes,)
        The classes, sorted as text. One without a label counts as if it had one.

    Returns
    -------
    ndarray of shape (n_classes,)
        Shares, all above 0; they sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import label_shares
    >>> label_shares(["b", "a", "b", "b"], np.array(["a", "b"]))
    array([0.25, 0.75])
    """
    codes = np.searchsorted(classes.astype(str), np.asarray(labels, dtype=str))
    counts = np.maximum(np.bincount(codes, minlength=len(classes)), 1)
    return counts / counts.sum()


def estimate_shares(probabilities, prior, strength=0.0):
    """Estimate the shares of the classes among documents from probabilities made under other shares.

    Parameters
    ----------
    probabilities : ndarray of shape (n_documents, n_classes)
        Calibrated probabilities of the classes.
    prior : ndarray of shape (n_classes,)
        Shares of the classes under which they were made, all above 0.
    strength : float, default=0.0
        How many documents the prior counts for: with 0 the shares are those of maximum likelihood.

    Returns
    -------
    ndarray of shape (n_classes,)
        Shares; they sum to 1.

    Notes
    -----
    By Bayes' rule a probability under other shares is proportional to ``p_c * shares_c / prior_c``. So each
    step of expectation maximisation adjusts the probabilities to the shares, and takes for new shares the
    mean of them and of the prior, which counts as `strength` documents (a Dirichlet prior). No step lowers
    ``sum_i log(sum_c p_ic * shares_c / prior_c) + strength * sum_c prior_c * log(shares_c)``.

    References
    ----------
    M. Saerens, P. Latinne and C. Decaestecker, "Adjusting the outputs of a classifier to new a priori
    probabilities: a simple procedure", Neural Computation 14, 2002.

    Examples
    --------
    Of ten documents, eight are surely of the first class:

    >>> import numpy as np
    >>> from textspace.classify import estimate_shares
    >>> probabilities = np.array([[1.0, 0.0]] * 8 + [[0.0, 1.0]] * 2)
    >>> estimate_shares(probabilities, np.array([0.5, 0.5])).round(2)
    array([0.8, 0.2])
    >>> estimate_shares(probabilities, np.array([0.5, 0.5]), strength=20).round(2)
    array([0.6, 0.4])
    """
    shares = np.asarray(prior, dtype=np.float64)
    ratios = probabilities / shares
    held = strength * shares
    for _ in range(_STEPS):
        totals = ratios @ shares
        new = (shares * (ratios.T @ (1 / totals)) + held) / (len(ratios) + strength)
        change, shares = np.abs(new - shares).sum(), new
        if change < _CLOSE:
            break
    return shares / shares.sum()


def new_shares(probabilities, prior, n_labelled, noise=0.0):
    """Estimate the shares of the classes among documents, and keep the prior unless they clearly differ.

    Parameters
    ----------
    probabilities : ndarray of shape (n_documents, n_classes)
        As in :func:`estimate_shares`.
    prior : ndarray of shape (n_classes,)
        As in :func:`estimate_shares`.
    n_labelled : int
        Number of labelled documents from which the classifier has learned.
    noise : float, default=0.0
        What documents of the prior's shares seem to gain by others, as :func:`shares_noise` tells.

    Returns
    -------
    ndarray of shape (n_classes,)
        Shares.

    Notes
    -----
    The labelled documents count as much as the others: they are the strength of the prior. The estimate is
    taken if the mean log-likelihood of the documents gains more than twice the noise, and more than twice
    what it would by chance: half the number of classes less one, over the number of documents, labelled
    or not, whichever is smaller (S. S. Wilks, "The large-sample distribution of the likelihood ratio for
    testing composite hypotheses", Annals of Mathematical Statistics 9, 1938).

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import new_shares
    >>> probabilities = np.array([[1.0, 0.0]] * 80 + [[0.0, 1.0]] * 20)
    >>> new_shares(probabilities, np.array([0.5, 0.5]), 50).round(2)
    array([0.7, 0.3])
    >>> new_shares(probabilities[60:], np.array([0.5, 0.5]), 50)
    array([0.5, 0.5])
    """
    if len(probabilities) == 0:
        return prior
    shares = estimate_shares(probabilities, prior, n_labelled)
    chance = (len(prior) - 1) / 2 / min(len(probabilities), n_labelled)
    return shares if _gain(probabilities, prior, shares) > _FAR * max(noise, chance) else prior


def shares_noise(held_out, prior):
    """Tell how much documents seem to gain by other shares of the classes than they have.

    Probabilities that are not quite calibrated, such as those of rare classes, ask for other shares.

    Parameters
    ----------
    held_out : ndarray of shape (n_documents, n_classes)
        Probabilities of the labelled documents by classifiers that have not seen them.
    prior : ndarray of shape (n_classes,)
        Shares of the classes among these documents.

    Returns
    -------
    float
        By how much the mean log-likelihood of the documents grows with the shares that suit it best.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import shares_noise
    >>> round(shares_noise(np.array([[0.5, 0.5], [0.9, 0.1]]), np.array([0.5, 0.5])), 2)
    0.29
    """
    return _gain(held_out, prior, estimate_shares(held_out, prior))


def _gain(probabilities, prior, shares):
    """Give the mean log-likelihood of documents under some shares, less that under the prior."""
    return float(np.mean(np.log(probabilities @ (shares / prior))))


def adjusted(probabilities, prior, shares):
    """Give the probabilities that other shares of the classes make.

    Parameters
    ----------
    probabilities : ndarray of shape (n_documents, n_classes)
        Probabilities of the classes.
    prior : ndarray of shape (n_classes,)
        Shares of the classes under which they were made, all above 0.
    shares : ndarray of shape (n_classes,)
        Other shares.

    Returns
    -------
    ndarray of shape (n_documents, n_classes)
        Probabilities; each row sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import adjusted
    >>> adjusted(np.array([[0.5, 0.5]]), np.array([0.5, 0.5]), np.array([0.9, 0.1]))
    array([[0.9, 0.1]])
    """
    values = probabilities * (shares / prior)
    return values / values.sum(axis=1, keepdims=True)


def complete_shares(given, classes, prior):
    """Give the shares of all classes, where those of some are said.

    Parameters
    ----------
    given : mapping of str to float
        Shares of some classes, or of all.
    classes : ndarray of shape (n_classes,)
        The labels.
    prior : ndarray of shape (n_classes,)
        Shares in whose proportion the other classes divide what is left.

    Returns
    -------
    ndarray of shape (n_classes,)
        Shares, all above 0; they sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import complete_shares
    >>> complete_shares({"a": 0.4}, np.array(["a", "b", "c"]), np.array([0.2, 0.6, 0.2])).round(2)
    array([0.4 , 0.45, 0.15])
    """
    names = classes.astype(str).tolist()
    given = {str(name): share for name, share in given.items()}
    for name, share in given.items():
        if name not in names:
            raise ValueError(f"shares: there is no class {name!r}. {name_hint(name, names)}")
        if not (isinstance(share, Real) and 0 < share <= 1):
            raise ValueError(f"shares: {name!r} has {share!r}, but a share lies above 0 and not above 1.")
    total = sum(given.values())
    if total > 1 + 1e-6:
        raise ValueError(f"shares: they sum to {total:.6g}, which is above 1: lower some of them.")
    is_given = np.isin(names, list(given))
    if is_given.all() and total < 1 - 1e-6:
        raise ValueError(f"shares: those of all classes sum to {total:.6g}, not to 1: raise some of them.")
    if not is_given.all() and total > 1 - 1e-6:
        left = names[int(np.argmin(is_given))]
        raise ValueError(f"shares: they sum to 1, so that nothing is left for {left!r}: lower some of them.")
    shares = np.where(is_given, 0.0, prior)
    shares *= (1 - total) / (shares.sum() or 1.0)
    shares[is_given] = [given[name] for name in names if name in given]
    return shares / shares.sum()
