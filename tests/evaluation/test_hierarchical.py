"""Scores in a tree, against sets of ancestors and shortest ways in a graph."""

import numpy as np
import pytest

from textspace.evaluation import hierarchical_scores, per_node, scores
from textspace.tree import LabelTree

# leaves at depths 1, 2, 3 and 4; a chain of single children
TREE = LabelTree.from_nested(
    {
        "food": {"rice": None, "grain": ["corn", "wheat"]},
        "metal": {"ores": {"iron": ["haematite"]}},
        "ship": None,
    }
)
ONE_ROOT = LabelTree({node: "goods" if parent is None else parent for node, parent in TREE.to_dict().items()})


def draw(tree, n=200, seed=0):
    """Give true leaves, and answers that are leaves, inner nodes or empty."""
    rng = np.random.default_rng(seed)
    return rng.choice(tree.leaves, n), rng.choice([*tree, ""], n)


def slow_scores(y_true, y_pred, tree):
    """Score document by document, with sets and with a walk through the graph of the tree."""
    shared = n_true = n_answered = 0
    for truth, answer in zip(y_true, y_pred, strict=True):
        above = {truth, *tree.ancestors(truth)}
        given = {answer, *tree.ancestors(answer)} if answer else set()
        if len(tree.roots) == 1:
            above, given = above - set(tree.roots), given - set(tree.roots)
        shared += len(above & given)
        n_true += len(above)
        n_answered += len(given)
    precision, recall = shared / n_answered, shared / n_true
    return {
        "hierarchical_precision": precision,
        "hierarchical_recall": recall,
        "hierarchical_f1": 2 * precision * recall / (precision + recall),
        "tree_distance": np.mean([steps(tree, *pair) for pair in zip(y_true, y_pred, strict=True)]),
    }


def steps(tree, start, end):
    """Count steps by breadth-first search; the empty string is the place above the roots."""
    near = {"": set(tree.roots)}
    for node in tree:
        near[node] = {tree.parent(node) or "", *tree.children(node)}
    reached, edge, count = {start}, {start}, 0
    while end not in reached:
        edge = {other for node in edge for other in near[node]} - reached
        reached |= edge
        count += 1
    return count


@pytest.mark.parametrize("tree", [TREE, ONE_ROOT], ids=["several roots", "one root"])
def test_equals_sets_of_ancestors_and_shortest_ways(tree):
    y_true, y_pred = draw(tree)
    result = hierarchical_scores(y_true, y_pred, tree)
    for name, value in slow_scores(y_true, y_pred, tree).items():
        assert result[name] == pytest.approx(value, abs=1e-12), name


def test_levels_count_what_was_answered_at_each():
    y_true, y_pred = draw(TREE)
    result = hierarchical_scores(y_true, y_pred, TREE)
    for level in range(TREE.n_levels):
        there = [(TREE.path(t), TREE.path(p) if p else ()) for t, p in zip(y_true, y_pred, strict=True)]
        there = [(truth, answer) for truth, answer in there if len(truth) > level]
        assert result["documents_by_level"][level] == len(there)
        wrong = [answer[: level + 1] != truth[: min(level + 1, len(answer))] for truth, answer in there]
        assert result["error_by_level"][level] == pytest.approx(np.mean(wrong))
        ended = [len(answer) <= level and answer == truth[: len(answer)] for truth, answer in there]
        assert result["unanswered_by_level"][level] == pytest.approx(np.mean(ended))


def test_leaves_as_answers_are_right_or_wrong_at_every_level():
    y_true, _ = draw(TREE)
    y_pred = np.random.default_rng(5).choice(TREE.leaves, len(y_true))
    result = hierarchical_scores(y_true, y_pred, TREE)
    assert not any(result["unanswered_by_level"])
    deepest = max(map(TREE.depth, TREE.leaves))
    at_bottom = np.array([TREE.depth(label) == deepest for label in y_true])
    assert result["error_by_level"][-1] == pytest.approx(np.mean((y_true != y_pred)[at_bottom]))


def test_all_right_is_perfect_and_all_empty_is_nothing():
    y_true, _ = draw(TREE)
    perfect = hierarchical_scores(y_true, y_true, TREE)
    assert perfect["hierarchical_f1"] == 1
    assert perfect["tree_distance"] == 0
    assert not any(perfect["error_by_level"])
    assert not any(perfect["unanswered_by_level"])
    nothing = hierarchical_scores(y_true, np.full(len(y_true), ""), TREE)
    assert nothing["hierarchical_precision"] == nothing["hierarchical_recall"] == 0
    assert nothing["unanswered_by_level"] == [1] * 4
    assert nothing["tree_distance"] == np.mean([TREE.depth(label) for label in y_true])


def test_flat_tree_gives_micro_f1():
    flat = LabelTree(dict.fromkeys("abcd"))
    rng = np.random.default_rng(1)
    y_true, y_pred = rng.choice(list("abcd"), (2, 100))
    result, plain = hierarchical_scores(y_true, y_pred, flat), scores(y_true, y_pred)
    assert result["hierarchical_f1"] == pytest.approx(plain["micro_f1"])
    assert result["error_by_level"] == [pytest.approx(1 - plain["accuracy"])]
    assert result["tree_distance"] == pytest.approx(2 * (1 - plain["accuracy"]))


def test_a_near_miss_and_a_parent_cost_less_than_a_far_miss():
    def f1(answer):
        return hierarchical_scores(["corn"], [answer], TREE)["hierarchical_f1"]

    assert f1("ship") == f1("haematite") == 0
    assert 0 < f1("rice") < f1("wheat") < f1("grain") < f1("corn") == 1


def test_a_wrong_parent_never_becomes_right_below():
    y_true, y_pred = draw(TREE, seed=3)
    deep = np.array([TREE.depth(label) == 3 for label in y_true])
    errors = hierarchical_scores(y_true[deep], y_pred[deep], TREE)["error_by_level"][:3]
    assert 0 < errors[0] < errors[1] < errors[2]


def test_per_node_counts_documents_in_all_categories_above():
    y_true, y_pred = draw(TREE)
    result = per_node(y_true, y_pred, TREE)
    assert tuple(result["classes"]) == tuple(TREE)
    for position, node in enumerate(TREE):
        inside = {node} | {other for other in TREE if node in TREE.ancestors(other)}
        truth, answer = np.isin(y_true, list(inside)), np.isin(y_pred, list(inside))
        assert result["support"][position] == truth.sum()
        assert result["recall"][position] == pytest.approx((truth & answer).sum() / max(truth.sum(), 1))
        assert result["precision"][position] == pytest.approx((truth & answer).sum() / max(answer.sum(), 1))


def test_order_of_the_documents_and_form_of_the_tree_change_nothing():
    y_true, y_pred = draw(TREE)
    order = np.random.default_rng(2).permutation(len(y_true))
    expected = hierarchical_scores(y_true, y_pred, TREE)
    found = hierarchical_scores(y_true[order].tolist(), y_pred[order].tolist(), TREE.to_dict())
    assert found.pop("tree_distance") == pytest.approx(expected.pop("tree_distance"))
    assert found == expected


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        (["corn"], ["maize"], "not in the tree: 'maize'"),
        ([""], ["corn"], "not in the tree: ''"),
        (["corn", "rice"], ["corn"], r"\(2,\) and \(1,\)"),
        ([], [], r"\(0,\)"),
    ],
)
def test_bad_input(y_true, y_pred, message):
    with pytest.raises(ValueError, match=message):
        hierarchical_scores(y_true, y_pred, TREE)


@pytest.mark.parametrize("tree", [TREE, ONE_ROOT], ids=["several roots", "one root"])
def test_several_categories_a_document_count_as_sets_with_all_above(tree):
    rng = np.random.default_rng(0)
    truth, answers = (
        [rng.choice(list(tree), rng.integers(0, 4), replace=False).tolist() for _ in range(50)] for _ in "ab"
    )
    trivial = set(tree.roots) if len(tree.roots) == 1 else set()
    sets = [
        [{node for label in own for node in tree.path(label)} - trivial for own in each]
        for each in (truth, answers)
    ]
    shared = sum(len(one & other) for one, other in zip(*sets, strict=True))
    n_true, n_answered = (sum(map(len, each)) for each in sets)
    found = hierarchical_scores(truth, answers, tree)
    assert found["hierarchical_precision"] == pytest.approx(shared / n_answered)
    assert found["hierarchical_recall"] == pytest.approx(shared / n_true)
    assert found["hierarchical_f1"] == pytest.approx(2 * shared / (n_true + n_answered))


def test_lists_of_one_category_are_scored_as_single_ones():
    truth, answers = draw(TREE)
    lists = [[each] for each in truth], [[each] if each else [] for each in answers]
    found, single = hierarchical_scores(*lists, TREE), hierarchical_scores(truth, answers, TREE)
    assert found == pytest.approx({key: single[key] for key in found})
    assert hierarchical_scores([["odd"]], [["corn"]], TREE)["hierarchical_f1"] == 0  # not in the tree
    with pytest.raises(ValueError, match="a list of answers for each of 1 documents, not 2"):
        hierarchical_scores([["corn"]], [["corn"], []], TREE)
