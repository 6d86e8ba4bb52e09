"""The categories of a tree with their scores."""

from textspace.evaluation._hierarchical import per_node


def category_scores(tree, truth, predicted):
    """Score answers at every category of a tree; `truth` and `predicted` are classes by name.

    Gives ``nodes``, from the roots down, each with ``name`` (the last part of its label), ``label``,
    ``depth`` (0 for a root), ``is_leaf``, ``support`` (documents that truly lie there or below), and
    ``precision``, ``recall`` and ``f1`` (None where no document lies). Nodes are left out if no document lies
    there and none was put there; ``n_left_out`` is their number.
    """
    found = per_node(truth, predicted, tree)
    answered = tree.count(predicted)
    nodes = [
        {
            "name": tree.name(label),
            "label": label,
            "depth": tree.depth(label) - 1,
            "is_leaf": tree.is_leaf(label),
            "support": int(found["support"][i]),
            **{
                key: float(found[key][i]) if found["support"][i] else None
                for key in ("precision", "recall", "f1")
            },
        }
        for i, label in enumerate(tree)
        if found["support"][i] or answered[label]
    ]
    return {"nodes": nodes, "n_left_out": len(tree) - len(nodes)}
