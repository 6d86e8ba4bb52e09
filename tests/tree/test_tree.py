"""The label tree: three ways to make one, what it answers, what it refuses."""

import copy
import json
import pickle

import numpy as np
import pytest

from textspace.tree import LabelTree, as_tree

PARENTS = {
    "corn": "grain",
    "wheat": "grain",
    "durum": "wheat",
    "spelt": "wheat",
    "grain": "food",
    "cocoa": "food",
    "ship": None,
}


@pytest.fixture
def tree():
    return LabelTree(PARENTS)


def test_three_ways_give_one_tree(tree, tmp_path):
    nested = {"food": {"cocoa": None, "grain": {"corn": {}, "wheat": ["durum", "spelt"]}}, "ship": []}
    file = tmp_path / "tree.csv"
    file.write_text("child,parent\n" + "".join(f"{c}, {p or ''}\n" for c, p in PARENTS.items()))
    for other in (
        LabelTree.from_parents(PARENTS),
        LabelTree.from_parents(reversed(PARENTS.items())),
        LabelTree.from_parents(file),
        LabelTree.from_parents(str(file)),
        LabelTree.from_nested(nested),
        as_tree(PARENTS),
        as_tree(file),
    ):
        assert other == tree
        assert hash(other) == hash(tree)
        assert list(other) == list(tree)
    assert as_tree(tree) is tree


def test_order_of_entries_does_not_matter():
    rng = np.random.default_rng(0)
    paths = [f"{a}/{b}/{c}" for a in "xyz" for b in "mn" for c in "pq"]
    expected = LabelTree.from_paths(paths)
    for _ in range(5):
        shuffled = LabelTree.from_paths(rng.permutation(paths + paths))
        assert list(shuffled) == list(expected)
        assert shuffled.leaves == expected.leaves == tuple(sorted(paths))


@pytest.mark.parametrize("separator", ["/", ".", " > ", "::", "\\", "-", "_", " ", "|"])
def test_paths_with_any_separator(separator):
    labels = [separator.join(parts) for parts in (["rec", "sport", "hockey"], ["rec", "autos"], ["misc"])]
    tree = LabelTree.from_paths(labels, separator)
    assert set(tree.leaves) == set(labels)
    assert tree.ancestors(labels[0]) == (separator.join(["rec", "sport"]), "rec")
    assert [tree.words(label) for label in labels] == [("hockey",), ("autos",), ("misc",)]
    assert str(tree) == "misc\nrec\n  autos\n  sport\n    hockey"
    assert LabelTree(tree.to_dict()) == tree


def test_dotted_names_in_a_table_are_paths_too():
    tree = LabelTree(
        {"rec.sport.hockey": "rec.sport", "rec.sport": "rec", "rec.autos": "rec", "sci.med": "sci"}
    )
    assert tree.name("rec.sport.hockey") == "hockey"
    assert tree.words("rec.sport") == ("sport",)
    tree = LabelTree.from_paths(["web/.net", "web/(other)", "web/?"])
    assert [tree.name(leaf) for leaf in tree.leaves] == ["(other)", ".net", "?"]
    # one name that does not begin with its parent's, and none is a path
    tree = LabelTree({"health care": "health", "dental": "health"})
    assert tree.words("health care") == ("health", "care")


def test_family(tree):
    assert tree.roots == tree.children() == ("food", "ship")
    assert tree.children("grain") == ("corn", "wheat")
    assert tree.children("ship") == ()
    assert tree.parent("corn") == "grain"
    assert tree.parent("ship") is None
    assert tree.ancestors("durum") == ("wheat", "grain", "food")
    assert tree.path("durum") == ("food", "grain", "wheat", "durum")
    assert tree.leaves == tree.leaves_below() == ("cocoa", "corn", "durum", "spelt", "ship")
    assert tree.leaves_below("grain") == ("corn", "durum", "spelt")
    assert tree.leaves_below("ship") == ("ship",)
    assert [tree.depth(node) for node in ("food", "cocoa", "durum")] == [1, 2, 4]
    assert tree.n_levels == 4
    assert tree.is_leaf("corn")
    assert not tree.is_leaf("wheat")


def test_relations_agree_with_each_other(tree):
    for node in tree:
        assert all(tree.parent(child) == node for child in tree.children(node))
        assert tree.path(node) == (*reversed(tree.ancestors(node)), node)
        below = [leaf for leaf in tree.leaves if node in tree.path(leaf)]
        assert tree.leaves_below(node) == tuple(below)


def test_paths_of_labels_as_an_array(tree):
    paths = tree.paths(np.array(["durum", "ship", "durum", "grain"]))
    assert paths.shape == (4, 4)
    for row, label in zip(paths, ["durum", "ship", "durum", "grain"], strict=True):
        assert tuple(row[row != ""]) == tree.path(label)
    assert tree.paths([]).shape == (0, 4)


def test_words_of_names():
    names = {
        "iron-steel": ("iron", "steel"),
        "USMoneyMarket": ("us", "money", "market"),
        "nat_gas 2": ("nat", "gas"),
        "Größe": ("größe",),
        "Cafe\u0301": ("café",),
        "tea (tea)": ("tea",),
        "42": (),
    }
    tree = LabelTree(dict.fromkeys(names))
    assert {name: tree.words(name) for name in names} == names


def test_shown_as_text_with_counts(tree):
    labels = ["durum"] * 12 + ["corn", "cocoa", "wheat"]
    counts = tree.count(labels)
    assert counts == {
        "food": 15, "cocoa": 1, "grain": 14, "corn": 1, "wheat": 13, "durum": 12, "spelt": 0, "ship": 0,
    }  # fmt: skip
    assert tree.draw(counts).splitlines()[:3] == ["food         15", "  cocoa      1", "  grain      14"]
    assert tree.draw({"ship": 0.5}).splitlines()[-2:] == ["      spelt", "ship         0.5"]
    assert repr(tree) == "LabelTree(8 nodes, 5 leaves, 4 levels)"


def test_is_a_collection_that_can_be_stored(tree):
    assert len(tree) == 8
    assert "corn" in tree
    assert np.str_("corn") in tree
    assert "maize" not in tree
    assert tree != LabelTree({"corn": "grain"})
    assert tree != PARENTS
    for same in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), LabelTree(tree.to_dict())):
        assert same == tree
    assert LabelTree(json.loads(json.dumps(tree.to_dict()))) == tree


def test_a_chain_of_a_thousand():
    tree = LabelTree({f"{i:04}": f"{i - 1:04}" for i in range(1, 2000)})
    assert tree.leaves == ("1999",)
    assert tree.n_levels == 2000


def test_labels_are_checked(tree):
    tree.check_labels(["corn", "ship", "durum"])
    tree.check_labels(["wheat", "corn"], inner=True)
    with pytest.raises(ValueError, match=r"not in the tree: 'maize', 'oats'\. Add them"):
        tree.check_labels(["oats", "maize", "corn"], inner=True)
    with pytest.raises(ValueError, match=r"2 documents are labelled 'wheat', .*'durum', 'spelt' below it"):
        tree.check_labels(["wheat", "wheat", "corn"])
    with pytest.raises(ValueError, match=r"labelled 'food'.*so it is with 'wheat'"):
        tree.check_labels(["wheat", "food"])
    # a path that is also the beginning of another
    with pytest.raises(ValueError, match="1 documents are labelled 'a'"):
        LabelTree.from_paths(["a", "a/b"]).check_labels(["a", "a/b"])


@pytest.mark.parametrize(
    "question", ["parent", "children", "ancestors", "path", "leaves_below", "words", "depth"]
)
def test_unknown_nodes_are_refused(tree, question):
    with pytest.raises(ValueError, match="not in the tree: 'maize'"):
        getattr(tree, question)("maize")


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"a": "b", "b": "c", "c": "a", "d": "a"}, r"cycle.* a -> b -> c -> a"),
        ({"root": None, "a": "a"}, "cycle.* a -> a"),
        ([("a", "b"), ("c", "b"), ("a", "c")], "pair 3: 'a' has two parents, 'b' and 'c'"),
        ([("a", "b"), ("a", None)], "pair 2: 'a' has two parents, 'b' and None"),
        ([("a", "b"), ("a", "b", "c")], "pair 2, .* does not hold one child and one parent"),
        ({"a": " "}, "empty name"),
        ({"": "a"}, "empty name"),
        ({}, "tree is empty"),
    ],
)
def test_bad_parents_are_refused(parents, message):
    with pytest.raises(ValueError, match=message):
        LabelTree.from_parents(parents)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("child,parent\na,b\nb,a\n", r"tree.csv, row 1 \(line 2\): the tree has a cycle"),
        ("child,parent\na,b\n\nc,b\na,c\n", r"tree.csv, row 3 \(line 5\): 'a' has two parents, 'b' and 'c'"),
        ("child,parent\na,b\n,b\n", r"tree.csv, row 2 \(line 3\): a category has an empty name"),
        ("corn,grain\nwheat,grain\n", "columns 'corn', 'grain': its first row must name"),
        ("child,parent\na,b,c\n", r"tree.csv, row 1 \(line 2\): 3 cells"),
        ("", "is empty"),
    ],
)
def test_errors_in_files_name_file_and_row(tmp_path, text, message):
    file = tmp_path / "tree.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        LabelTree.from_parents(file)


def test_other_columns_and_names_of_columns(tmp_path):
    file = tmp_path / "tree.csv"
    file.write_text("Topic;Parent\ncorn;grain\n")
    assert LabelTree.from_parents(file) == LabelTree({"corn": "grain"})
    file.write_text("parent,size,child\ngrain,3,corn\n")
    assert LabelTree.from_parents(file) == LabelTree({"corn": "grain"})
    with pytest.raises(FileNotFoundError, match="nowhere"):
        LabelTree.from_parents(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match=r"cannot be read: give a file that ends in .*\.csv"):
        LabelTree.from_parents(__file__)


def test_other_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"'a//b' has an empty part"):
        LabelTree.from_paths(["a/b", "a//b"])
    with pytest.raises(ValueError, match="without a label"):
        LabelTree.from_paths(["a/b", ""])
    with pytest.raises(TypeError, match="must be text, not 3"):
        LabelTree.from_paths([3])
    with pytest.raises(TypeError, match="list of labels"):
        LabelTree.from_paths("a/b")
    for separator in ("", "and"):
        with pytest.raises(ValueError, match="separator="):
            LabelTree.from_paths(["a/b"], separator)
    with pytest.raises(ValueError, match="two parents"):
        LabelTree.from_nested({"food": ["other"], "metal": ["other"]})
    with pytest.raises(TypeError, match="'food' holds 'rice'"):
        LabelTree.from_nested({"food": "rice"})
    with pytest.raises(TypeError, match="not by 3"):
        LabelTree({"a": 3})
    with pytest.raises(TypeError, match="a tree is a LabelTree, a dict"):
        as_tree(7)
