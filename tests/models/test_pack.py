import numpy as np
import pytest
from sklearn.base import BaseEstimator

from textspace.models._pack import Packed, pack, unpack
from textspace.tree import LabelTree


class Holder(BaseEstimator):
    def __init__(self, part=None):
        self.part = part


PLAIN = [
    ["a", "b"],
    [],
    {"a": [1, 2.5, None, True, {"b": "\u20ac"}], "c": float("inf")},
    {None: "root", "a": [1]},
    {1: "one", 2: "two"},
    [0.1, 1 / 3, 1e-300],
]


@pytest.mark.parametrize("value", PLAIN, ids=str)
def test_plain_data_is_packed_and_comes_back(value):
    packed = pack(Holder(value))
    assert isinstance(packed.part, Packed)
    again = unpack(packed).part
    assert again == value
    assert repr(again) == repr(value)  # with its types


def test_arrays_of_text_objects():
    names = np.array(["corn", "", "sh\u00efp"], dtype=object)
    packed = pack(Holder(names))
    assert isinstance(packed.part, Packed)
    again = unpack(packed).part
    assert again.dtype == object
    np.testing.assert_array_equal(again, names)


def test_trees_within_containers():
    tree = LabelTree({"corn": "grain", "ship": None})
    value = {"trees": [tree, (tree, 3)], None: Holder(tree)}
    packed = pack(Holder(value))
    again = unpack(packed).part
    assert again["trees"] == [tree, (tree, 3)]
    assert again[None].part == tree
    assert again["trees"][0] is again["trees"][1][0] is again[None].part  # shared as before


def test_what_json_would_change_is_left_alone():
    for value in ((1, 2), [(1, 2)], {"a": np.float64(1.5)}, [np.int64(3)], {(1, 2): "a"}):
        again = unpack(pack(Holder(value))).part
        assert again == value
        assert repr(again) == repr(value)


def test_arrays_are_not_copied_and_the_model_is_not_changed():
    array, inner = np.arange(3), Holder(["a"])
    holder = Holder([array, inner])
    packed = pack(holder)
    assert packed.part[0] is array
    assert holder.part[1] is inner
    assert inner.part == ["a"]


def test_attributes_can_be_left_out():
    holder = Holder(1)
    holder.card_ = {"format": 1}
    assert vars(pack(holder, leave_out=("card_",))) == {"part": 1}
    assert holder.card_ == {"format": 1}
