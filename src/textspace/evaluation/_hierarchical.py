"""Scores in a tree of categories, in which a near miss counts for more than a far one."""

import numpy as np

from textspace._label_lists import are_lists
from textspace._label_sets import label_lists
from textspace.evaluation._scores import per_class, precision_recall_f1


def hierarchical_scores(y_true, y_pred, tree):
    """Score answers that are categories of a tree, leaves or not.

    Parameters
    ----------
    y_true : array-like of str, shape (n,), or sequence of lists of str
        True categories, one a document or several.
    y_pred : array-like of str, shape (n,), or sequence of lists of str
        Answers of the classifier: categories of the tree, or the empty string for no answer.
    tree : LabelTree, dict of str to str, or path of a table
        The categories, as for :func:`textspace.tree.as_tree`.

    Returns
    -------
    dict of str to (float or list)
        ``hierarchical_precision``, ``hierarchical_recall`` and ``hierarchical_f1``: each category stands for
        itself and all above it, and over all documents these are counted that are answered rightly, in
        relation to those answered, to those true, and to both [1]_. ``tree_distance``: the mean number of
        steps in the tree from the true category to the answer, where the way from one root to another goes
        over a place above both; no answer is that place. Of several categories a document there is no more
        than the first three.

        Three lists with a number for each level, the roots first: ``documents_by_level``, of documents with a
        true category there; ``error_by_level``, the share of these whose answer leads elsewhere, there or
        already above; and ``unanswered_by_level``, the share whose answer ends above on the right way.

    Notes
    -----
    Where the tree has a single root, which is true of every document, it is not counted in precision and
    recall. A ratio with a zero denominator counts as 0, and so do shares of a level without documents.

    References
    ----------
    .. [1] S. Kiritchenko, S. Matwin, R. Nock and A. F. Famili, "Learning and evaluation in the presence of
       class hierarchies: application to text categorization", Canadian AI 2006.

    Examples
    --------
    >>> tree = {"corn": "grain", "wheat": "grain", "tin": "metal", "copper": "metal"}
    >>> result = hierarchical_scores(["corn", "corn", "corn"], ["wheat", "grain", "tin"], tree)
    >>> round(result["hierarchical_precision"], 3), round(result["hierarchical_recall"], 3)
    (0.4, 0.333)
    >>> [round(share, 3) for share in result["error_by_level"]]
    [0.333, 0.667]
    >>> round(result["tree_distance"], 3)
    2.333
    """
    if are_lists(y_true):
        return _scores_of_lists(y_true, y_pred, tree)
    tree, truth, answer = _paths(y_true, y_pred, tree)
    shared = ((truth == answer) & (truth != "")).sum(axis=1)
    n_true, n_answered = (truth != "").sum(axis=1), (answer != "").sum(axis=1)
    # a single root is shared by all answers; no answer at all has none to leave out
    trivial = len(tree.roots) == 1 and not tree.is_leaf(tree.roots[0])
    counts = (np.maximum(each - trivial, 0).sum() for each in (shared, n_true, n_answered))
    precision, recall, f1 = precision_recall_f1(*counts)
    there = truth != ""
    documents = there.sum(axis=0)
    astray = np.logical_or.accumulate((answer != "") & (truth != answer), axis=1)
    ended = (answer == "") & ~astray
    error, unanswered = ((each & there).sum(axis=0) / np.maximum(documents, 1) for each in (astray, ended))
    return {
        "hierarchical_precision": float(precision),
        "hierarchical_recall": float(recall),
        "hierarchical_f1": float(f1),
        "tree_distance": float((n_true + n_answered - 2 * shared).mean()),
        "documents_by_level": documents.tolist(),
        "error_by_level": error.tolist(),
        "unanswered_by_level": unanswered.tolist(),
    }


def per_node(y_true, y_pred, tree):
    """Score every category of a tree alone; a document is in its category and in all above it.

    Parameters
    ----------
    y_true, y_pred, tree
        As in :func:`hierarchical_scores`.

    Returns
    -------
    dict of str to array of shape (n_nodes,)
        ``classes``, the categories from the roots down; ``precision``, ``recall``, ``f1``, and ``support``,
        the number of documents that are truly there.

    Examples
    --------
    >>> tree = {"corn": "grain", "wheat": "grain", "ship": None}
    >>> result = per_node(["corn", "corn", "ship"], ["wheat", "corn", "ship"], tree)
    >>> dict(zip(result["classes"].tolist(), result["recall"].tolist(), strict=True))
    {'grain': 1.0, 'corn': 0.5, 'wheat': 0.0, 'ship': 1.0}
    """
    tree, truth, answer = _paths(y_true, y_pred, tree)
    levels = {node: tree.depth(node) - 1 for node in tree}
    inside = [
        np.column_stack([paths[:, level] == node for node, level in levels.items()])
        for paths in (truth, answer)
    ]
    return per_class(*inside) | {"classes": np.array(list(tree))}


def with_ancestors(lists, tree):
    """Add to lists of labels all categories above them; a label that the tree does not know stays alone.

    Examples
    --------
    >>> with_ancestors([("corn",), (), ("tin",)], {"corn": "grain"}).tolist()
    [('corn', 'grain'), (), ('tin',)]
    """
    from textspace.tree import as_tree

    tree = as_tree(tree)
    above = {label: tree.ancestors(label) if label in tree else () for own in lists for label in own}
    return label_lists([[node for label in own for node in (label, *above[label])] for own in lists])


def _scores_of_lists(y_true, y_pred, tree):
    """Give precision, recall and F1 where documents have several categories, each with all above it."""
    from textspace.tree import as_tree

    tree = as_tree(tree)
    y_true, y_pred = label_lists(y_true), label_lists(y_pred)
    if len(y_true) != len(y_pred):
        raise ValueError(f"give a list of answers for each of {len(y_true)} documents, not {len(y_pred)}.")
    trivial = set(tree.roots) if len(tree.roots) == 1 and not tree.is_leaf(tree.roots[0]) else set()
    truth, answer = ([set(own) - trivial for own in with_ancestors(each, tree)] for each in (y_true, y_pred))
    shared = sum(len(true & said) for true, said in zip(truth, answer, strict=True))
    found = precision_recall_f1(shared, sum(map(len, truth)), sum(map(len, answer)))
    names = ("hierarchical_precision", "hierarchical_recall", "hierarchical_f1")
    return {name: float(value) for name, value in zip(names, found, strict=True)}


def _paths(y_true, y_pred, tree):
    """Give the tree, and the paths of the true categories and of the answers, "" where there is none."""
    from textspace.tree import as_tree  # scores without a tree need nothing of it

    tree = as_tree(tree)
    y_true, y_pred = (np.asarray(labels, dtype=str) for labels in (y_true, y_pred))
    if y_true.shape != y_pred.shape or y_true.ndim != 1 or not len(y_true):
        raise ValueError(
            f"give one true and one answered category a document, not {y_true.shape} and {y_pred.shape}."
        )
    truth = tree.paths(y_true)
    answer = np.full_like(truth, "")
    answer[y_pred != ""] = tree.paths(y_pred[y_pred != ""])
    return tree, truth, answer
