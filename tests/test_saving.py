from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from textspace._saving import SavedType, one_machine_a_class, saved_as, saved_types


class Part:
    def __init__(self, **attributes):
        vars(self).update(attributes)


def check(value, shapes, **more):
    SavedType("test.part", type(value), shapes, **more).check_state(value)


SOUND = [
    ({"coef": "c d"}, {"coef": np.ones((2, 3))}),
    ({"coef": "c d", "labels": "c", "n": "d"}, {"coef": np.ones((2, 3)), "labels": [1, 2], "n": 3}),
    ({"n_columns": "d", "coef": "c d"}, {"coef": sparse.csr_array((2, 3)), "n_columns": np.int64(3)}),
    ({"starts": "n+1 <= p", "points": "p"}, {"starts": np.array([0, 4]), "points": np.ones(4)}),
    ({"values": "c-1", "classes": "c"}, {"values": np.ones(2), "classes": ("a", "b", "c")}),
    ({"pair": "2", "any": "_ _"}, {"pair": [1, 2], "any": np.ones((7, 8))}),
    ({"rows": "n < n"}, {"rows": np.array([2, 0, 1])}),
    ({"rows": "n < 3"}, {"rows": np.array([], dtype=int)}),
    ({"columns.*": "_ < n", "columns": "n"}, {"columns": {"a": 0, "b": 1}}),
    ({"factors.*": "_ r"}, {"factors": [np.ones((2, 3)), np.ones((5, 3))]}),
    ({"inner.coef": "c d", "coef": "c d"}, {"inner": Part(coef=np.ones((2, 3))), "coef": np.ones((2, 3))}),
    ({"parts.*.inner.coef": "d"}, {"parts": [Part(inner=Part(coef=[1])), Part(inner=Part(coef=[2]))]}),
    ({"idf?": "d", "inner.coef?": "d"}, {"idf": None}),
    ({"parts.*.coef?": "d"}, {"parts": [Part(coef=np.ones(3)), Part(other=1)]}),
    ({"table": "csr c d", "any": "c d"}, {"table": sparse.csr_array((2, 3)), "any": np.ones((2, 3))}),
    ({}, {"names": ["a"], "sizes": (1, 2), "classes_": np.array(["a"])}),
]  # fmt: skip


@pytest.mark.parametrize(("shapes", "attributes"), SOUND)
def test_what_fits_together(shapes, attributes):
    check(Part(**attributes), shapes)


BROKEN = [
    ({"coef": "c d"}, {"coef": np.ones(2)}, "coef has the size 2, not c d"),
    ({"coef": "c d", "labels": "c"}, {"coef": np.ones((2, 3)), "labels": [1]}, "labels .* 1, not c with c=2"),
    ({"coef": "d d"}, {"coef": np.ones((2, 3))}, "coef has the size 2 x 3"),
    ({"n": "d", "idf": "d"}, {"n": 4, "idf": np.ones(3)}, "idf has the size 3, not d with d=4"),
    ({"starts": "n+1", "points": "n"}, {"starts": [0, 1], "points": [0, 1]}, "points has the size 2"),
    ({"pair": "2"}, {"pair": [1]}, "pair has the size 1"),
    ({"coef": "c d"}, {}, "coef is missing"),
    ({"coef": "c d"}, {"coef": None}, "coef is missing"),
    ({"inner.coef": "c"}, {"inner": None}, "inner.coef is missing"),
    ({"coef": "c"}, {"coef": 1.5}, "no len"),
    ({"rows": "n < n"}, {"rows": np.array([0, 2])}, "positions that are not < n"),
    ({"rows": "n < n"}, {"rows": np.array([0, -1])}, "positions that are not < n"),
    ({"rows": "n < n"}, {"rows": np.array([0.0, 1.0])}, "positions that are not < n"),
    ({"rows": "_ <= n", "points": "n"}, {"rows": np.array([5]), "points": [0] * 4}, "that are not <= n"),
    ({"columns.*": "_ < n", "columns": "n"}, {"columns": {"a": 0, "b": 2}}, "positions that are not < n"),
    ({"factors.*": "_ r"}, {"factors": [np.ones((2, 3)), np.ones((2, 4))]}, r"factors.\* has the size 2 x 4"),
    ({"parts.*.coef?": "d"}, {"parts": [Part(coef=[1]), Part(coef=[1, 2])]}, "has the size 2"),
    ({"table": "csr c d"}, {"table": sparse.csc_array((2, 3))}, "table is no CSR matrix"),
    ({"table": "csr c d"}, {"table": np.ones((2, 3))}, "table is no CSR matrix"),
    ({"coef": "c d"}, {"coef": np.ones((2, 3), dtype=int)}, "coef holds int64, not floating-point numbers"),
    ({"coef": "c d"}, {"coef": np.full((2, 3), "a")}, "coef holds <U1, not floating-point numbers"),
    ({"coef": "c d"}, {"coef": np.ones((2, 3)), "more": np.ones(1)}, "more is not known to hold arrays"),
    ({}, {"more": [{"a": (np.ones(1),)}]}, "more is not known to hold arrays"),
    ({}, {"more": sparse.csr_array((2, 3))}, "more is not known to hold arrays"),
]  # fmt: skip


@pytest.mark.parametrize(("shapes", "attributes", "said"), BROKEN)
def test_what_does_not(shapes, attributes, said):
    with pytest.raises(ValueError, match=f"the arrays of its Part do not fit together: .*{said}"):
        check(Part(**attributes), shapes)


def test_a_check_of_ones_own():
    check(Part(rows=[0, 1]), {"rows": "n"}, check=lambda part: part.rows == sorted(part.rows))
    for broken in (lambda part: False, lambda part: part.absent):
        with pytest.raises(ValueError, match="Part do not fit together"):
            check(Part(rows=[0, 1]), {"rows": "n"}, check=broken)


class Projection(BaseEstimator):
    def __init__(self, terms=None):
        self.terms = terms


def test_an_estimator_that_is_not_fitted_has_nothing_to_check():
    shapes = {"components_": "m d", "terms?": "d"}
    check(Projection(terms=["a"]), shapes)
    fitted = Projection(terms=["a"])
    fitted.components_ = np.ones((2, 1))
    check(fitted, shapes)
    fitted.terms = ["a", "b"]
    with pytest.raises(ValueError, match="terms"):
        check(fitted, shapes)


def test_named_tuples():
    class Index(NamedTuple):
        points: np.ndarray
        rows: np.ndarray

    shapes = {"points": "n d", "rows": "n < n"}
    check(Index(np.ones((2, 3)), np.array([1, 0])), shapes)
    with pytest.raises(ValueError, match="Index"):
        check(Index(np.ones((2, 3)), np.array([1])), shapes)


def test_linear_classifiers_of_two_classes_have_one_machine():
    for n_classes, n_machines, is_sound in (
        (2, 1, True),
        (3, 3, True),
        (2, 2, False),
        (3, 1, False),
        (1, 1, False),
    ):
        model = Part(classes_=np.arange(n_classes), coef_=np.ones((n_machines, 4)))
        assert one_machine_a_class(model) == is_sound


def test_a_name_stands_for_one_class():
    saved_as("test.part")(Part)
    saved_as("test.part")(Part)  # a module may be loaded again
    assert saved_types()["test.part"].kind is Part
    with pytest.raises(ValueError, match=r"'test\.part' stands for Part already"):
        saved_as("test.part")(Projection)


@pytest.mark.parametrize("spec", ["C d", "c <", "c < ", "c*2", "", "n << c", "cd"])
def test_sizes_that_are_not_understood_are_refused_where_they_stand(spec):
    with pytest.raises(ValueError, match="components_"):
        saved_as("test.misspelt", shapes={"components_": spec})
