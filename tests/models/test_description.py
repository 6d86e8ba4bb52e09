import json
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from textspace._saving import SavedType
from textspace.models._description import ForeignPartError, build, describe
from textspace.tree import LabelTree


class Holder(BaseEstimator):
    def __init__(self, part=None):
        self.part = part


class Frozen(NamedTuple):
    left: object
    right: object


class Later(Holder):
    """A subclass without a name of its own."""


TYPES = {
    "test.holder": SavedType("test.holder", Holder, {}, not_saved=("card_",)),
    "test.frozen": SavedType("test.frozen", Frozen, {"left": "n", "right": "n"}),
    "test.tree": SavedType("test.tree", LabelTree, {}),
}


def again(value):
    """Describe a value, write and read the description, and build the value again."""
    description, arrays = describe(value, TYPES)
    return build(json.loads(json.dumps(description)), arrays.__getitem__, TYPES)


PLAIN = [
    ["a", "b", []],
    {"a": [1, 2.5, None, True, {"b": "\u20ac"}], "c": 1e300},
    {None: "root", "a": [1], 1: "one", (1, 2): {"array": "0"}},
    [0.1, 1 / 3, 1e-300, 1 << 80],
    (1, (2, [3])),
    "half \ud800 pair",
    {"corn", "ore"},
    frozenset(["corn"]),
    [np.float64(1 / 3), np.float32(0.1), np.int64(3), np.int32(4), np.bool_(True), np.str_("a")],
    np.float32,
]


@pytest.mark.parametrize("value", PLAIN)
def test_plain_data_comes_back(value):
    assert again(value) == value
    assert type(again(value)) is type(value)
    if not isinstance(value, set):
        assert repr(again(value)) == repr(value)  # with all its types


ARRAYS = [
    np.arange(6).reshape(2, 3),
    np.asfortranarray(np.ones((2, 3), dtype=np.float32)),
    np.array(["corn", "sh\u00efp"]),
    np.array(["corn", "", "sh\u00efp"], dtype=object),
    np.array([], dtype=object),
    np.array([True, False]),
]


@pytest.mark.parametrize("array", ARRAYS, ids=repr)
def test_arrays_come_back(array):
    found = again(array)
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("power", [-126, -10, 0, 100])
def test_multiples_of_a_power_of_two_are_whole_numbers_of_one_byte(power, order):
    numbers = np.random.default_rng(0).normal(scale=30, size=(60, 50)).round().astype(np.float32)
    numbers[3, 4], numbers[59, 49], numbers[0, 0] = 1000, -128, 32767 if power < 0 else 129
    array = np.asarray(np.ldexp(numbers, power), order=order)
    description, arrays = describe([array, array], TYPES)
    assert description == [{"steps": [power, "0", "1", "2"]}] * 2
    assert [each.dtype for each in arrays.values()] == [np.int8, np.int64, np.int16]
    first, second = again([array, array])
    assert first is second
    assert first.dtype == np.float32
    assert first.flags.f_contiguous == (order == "F")
    np.testing.assert_array_equal(first, array)


@pytest.mark.parametrize(
    "array",
    [
        np.float32([0.1, 1]),  # no such multiples
        np.float32([1, 1 << 15, 1]),  # too large
        np.float32([200, 300, 1]),  # too many large ones
        np.float32([1e-40, 2e-40]),
        np.float32([[0, 0]]),
        np.empty((0, 3), np.float32),
        np.float64([1, 2]),
    ],
)
def test_other_arrays_stay_as_they_are(array):
    assert describe(array, TYPES)[0] == {"array": "0"}


@pytest.mark.parametrize(
    "steps",
    [
        [113, "whole", "none", "few"],
        [-127, "whole", "none", "few"],
        [0.5, "whole", "none", "few"],
        [True, "whole", "none", "few"],
        [None, "whole", "none", "few"],
        [1, "few", "none", "few"],
        [1, "whole", "none", "floats"],
        [1, "whole", "floats", "few"],
        [1, "whole", "beyond", "few"],
        [1, "whole", "none"],
    ],
)
def test_steps_that_are_none(steps):
    arrays = {
        "whole": np.ones(3, np.int8),
        "none": np.empty(0, np.int64),
        "few": np.ones(1, np.int16),
        "beyond": np.array([3]),
        "floats": np.array([np.inf], np.float32),
    }
    with pytest.raises((ValueError, IndexError)):
        build({"steps": steps}, arrays.__getitem__, TYPES)


def test_a_vocabulary_is_a_list_of_words():
    assert describe({"corn": 0, "été": 1}, TYPES)[0] == {"words": ["corn", "été"]}
    assert list(again({"corn": 0, "été": 1}).items()) == [("corn", 0), ("été", 1)]


@pytest.mark.parametrize("value", [{}, {"a": 1, "b": 0}, {"a": 0, "b": True}, {0: 0}])
def test_a_dict_that_is_no_vocabulary_is_one_of_pairs(value):
    assert "dict" in describe(value, TYPES)[0]
    assert [(key, number, type(number)) for key, number in again(value).items()] == [
        (key, number, type(number)) for key, number in value.items()
    ]


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix"])
def test_sparse_matrices_come_back(kind):
    matrix = getattr(sparse, kind)(np.array([[0, 2.5, 0], [1, 0, 0]]))
    found = again(matrix)
    assert type(found) is type(matrix)
    np.testing.assert_array_equal(found.toarray(), matrix.toarray())


def test_objects_within_containers():
    tree = LabelTree({"corn": "grain", "ship": None})
    value = {"trees": [tree, (tree, 3)], None: Holder(Holder(tree))}
    found = again(value)
    assert found["trees"] == [tree, (tree, 3)]
    assert type(found[None]) is type(found[None].part) is Holder
    assert found[None].part.part == tree


def test_named_tuples_are_written_by_the_names_of_their_fields():
    pair = Frozen([1, 2], (3, 4))
    assert again(pair) == pair
    assert describe(pair, TYPES)[0] == {"test.frozen": {"left": [1, 2], "right": {"tuple": [3, 4]}}}


def test_an_array_that_is_shared_is_written_once():
    array = np.arange(3)
    description, arrays = describe([array, Holder(array), array.copy()], TYPES)
    assert description == [{"array": "0"}, {"test.holder": {"part": {"array": "0"}}}, {"array": "1"}]
    assert arrays["0"] is array
    found = build(description, arrays.__getitem__, TYPES)
    assert found[0] is found[1].part


def test_paths_become_text():
    assert again(Holder(Path("tree.csv"))).part == "tree.csv"


def test_attributes_can_be_left_out():
    holder = Holder(1)
    holder.card_ = {"format": 1}
    assert vars(again(holder)) == {"part": 1}
    assert holder.card_ == {"format": 1}


def test_a_parameter_that_came_later_takes_its_default():
    assert vars(build({"test.holder": {"other_": 1}}, {}.__getitem__, TYPES)) == {"part": None, "other_": 1}


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (os.system, "posix.system"),
        (np.exp, "numpy.*ufunc|exp"),
        (np.random.default_rng(0), "Generator"),
        (np.random.RandomState(0), "RandomState"),
        (Later(1), "Later"),
        (Holder, "Holder"),
        (object(), "builtins.object"),
        (b"bytes", "builtins.bytes"),
        (sparse.coo_array(np.eye(2)), "coo_array"),
        (np.array([None]), "an array of object"),
        (np.array(["1970"], dtype="datetime64[Y]"), "an array of datetime64"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_has_no_name_is_not_written(value, named):
    with pytest.raises(ForeignPartError, match=named):
        describe([Holder({"a": value})], TYPES)


@pytest.mark.parametrize(
    "part",
    [
        {"posix.system": ["true"]},
        {"test.later": {"part": 1}},
        {"coo_array": [[1, 1], [], [], []]},
        {"bytes": "0"},
        {"strings": ["a", None]},
        {"words": ["a", None]},
        {"words": ["a", ["b"]]},
        {"array": "pickled"},
    ],
    ids=str,
)
def test_what_has_no_name_is_not_read(part):
    with pytest.raises(ForeignPartError):
        build([{"test.holder": {"part": {"dict": [["a", part]]}}}], lambda name: np.array([None]), TYPES)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "object"},
        {"scalar": ["complex64", 1]},
        {"tuple": [], "list": []},
        {},
        {"array": "absent"},
        {"dict": [[[], 1]]},
        {"test.frozen": {"left": [1]}},
        {"test.frozen": {"left": [1], "right": [1, 2]}},
        {"test.holder": [1]},
        {"csr_array": [[2, 2], {"array": "ones"}, {"array": "far"}, {"array": "ends"}]},
        {"csr_array": [[2, 2], {"array": "ones"}, {"array": "near"}, {"array": "far"}]},
        {"csr_array": [2, 2]},
    ],
    ids=str,
)
def test_what_is_misshapen_is_not_read(part):
    arrays = {
        "ones": np.ones(2),
        "near": np.array([0, 1]),
        "far": np.array([0, 7]),
        "ends": np.array([0, 1, 2]),
    }
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        build(part, arrays.__getitem__, TYPES)
