import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support

from textspace.evaluation import summarise
from textspace.tree import LabelTree


@pytest.mark.parametrize("repeats", [1, 3])
def test_scores_at_a_node_are_those_of_a_yes_no_question(comparison_maker, with_tree, repeats):
    comparison = with_tree(comparison_maker(repeats=repeats, failed=[("lda", 1)]))
    summary = summarise(comparison)
    tree = LabelTree(comparison.corpus["tree"])
    names = np.array(comparison.corpus["classes"])
    runs = comparison.runs_of(summary["best"]["method"])
    truth = names[np.concatenate([comparison.truth[run["repeat"]] for run in runs])]
    answers = names[np.concatenate([run["predicted"] for run in runs])]
    nodes = summary["tree"]["nodes"]
    # Only the leaf that no document has is left out.
    assert [node["label"] for node in nodes] == [label for label in tree if label != "empty"]
    assert summary["tree"]["n_left_out"] == 1
    for node in nodes:
        below = tree.leaves_below(node["label"])
        expected = precision_recall_fscore_support(
            np.isin(truth, below), np.isin(answers, below), average="binary"
        )
        assert (node["precision"], node["recall"], node["f1"]) == pytest.approx(expected[:3])
        assert node["support"] == np.isin(truth, below).sum()
        assert node["is_leaf"] == (below == (node["label"],))
        assert node["depth"] == len(tree.ancestors(node["label"]))


def test_a_node_that_was_only_answered_has_no_scores(comparison_maker, with_tree):
    comparison = with_tree(comparison_maker(methods=("svm",), n_classes=4))
    names = comparison.corpus["classes"]
    # Nothing is truly in the last class, which is a root, but one answer is.
    truth = [0 if label == 3 else label for label in comparison.truth[0]]
    comparison.truth[0][:] = truth
    comparison.runs[0]["predicted"][:] = [3, *truth[1:]]
    [node] = [node for node in summarise(comparison)["tree"]["nodes"] if node["label"] == names[3]]
    assert (node["support"], node["precision"], node["recall"], node["f1"]) == (0, None, None, None)


def test_no_tree_without_one_or_without_predictions(comparison_maker, with_tree):
    comparison = comparison_maker(repeats=2)
    assert summarise(comparison)["tree"] is None
    blank = with_tree(comparison)
    for run in blank.runs:
        run.update(predicted=None, sign=None)
    assert summarise(blank)["tree"] is None
