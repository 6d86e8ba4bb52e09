"""Files by which compiled code would look beyond the ends of its arrays: each was a crash, and is refused."""

import io

import numpy as np
import pytest
from scipy import sparse

from textspace.classify.blend import _choice
from textspace.models import ModelFileError, TextClassifier, _default, load, save
from textspace.models._description import build

from .conftest import Forger


def refused(path, *said):
    """Assert that a file is refused, by a sentence that says these words."""
    with pytest.raises(ModelFileError) as caught:
        load(path)
    for words in said:
        assert words in str(caught.value)


def found(part, name):
    """Yield the states of a description that have an attribute."""
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        if isinstance(each, dict) and name in each:
            yield each
        yield from found(each, name)


def as_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def parts_of(matrix, forger, first):
    """Put the arrays of a matrix into a file under new numbers, and describe it."""
    arrays = matrix.data, matrix.indices, matrix.indptr
    forger.members |= {f"arrays/{first + i}.npy": as_bytes(array) for i, array in enumerate(arrays)}
    return [list(matrix.shape), *({"array": str(first + i)} for i in range(3))]


@pytest.fixture(scope="module")
def many_path(corpus, tmp_path_factory):
    """The file of a model for many classes, whose tables are sparse."""
    path = tmp_path_factory.mktemp("many") / "model.textspace"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_default, "MANY_CLASSES", 2)
        save(TextClassifier().fit(corpus.texts, corpus.labels), path)
    return path


@pytest.mark.parametrize("kind", ["csc_array", "csc_matrix", "csr_array"])
def test_a_table_that_is_stored_by_columns(kind, many_path, tmp_path):
    """Its pointers are as many as there are classes, and were looked up for every word."""
    forger = Forger(many_path)
    for number, state in enumerate(found(forger.description, "ratios")):
        shape = state["ratios"]["csr_array"][0]
        by_columns = sparse.csc_array(np.ones(shape, dtype=np.float32))
        state["ratios"] = {kind: parts_of(by_columns, forger, 900 + 3 * number)}
    refused(forger.write(tmp_path / "columns.textspace"))


@pytest.mark.parametrize("place", ["indices", "indptr"])
@pytest.mark.parametrize("number", [-1, 1 << 20, 1 << 40])
def test_positions_of_a_table_that_do_not_exist(place, number, many_path, tmp_path):
    forger = Forger(many_path)
    state = next(found(forger.description, "ratios"))
    name = state["ratios"]["csr_array"][1 + ["data", "indices", "indptr"].index(place)]["array"]
    array = np.load(io.BytesIO(forger.members[f"arrays/{name}.npy"])).astype(np.int64)
    array[len(array) // 2] = number
    refused(forger.write(tmp_path / "table.textspace", {f"arrays/{name}.npy": as_bytes(array)}))


def test_a_matrix_of_one_dimension_and_one_of_text(many_path, tmp_path):
    forger = Forger(many_path)
    state = next(found(forger.description, "ratios"))
    shape, data, *places = state["ratios"]["csr_array"]
    for forged in (
        [shape[:1], data, *places],
        [[*shape, 1], data, *places],
        [shape, {"array": "0"}, *places],
    ):
        state["ratios"] = {"csr_array": forged}
        refused(forger.write(tmp_path / "matrix.textspace"))


def test_truth_values_that_are_two(corpus, tmp_path, monkeypatch):
    """They are one term each, but were counted as two: columns came out beyond the last."""
    monkeypatch.setattr(_choice, "_LEAST", (-np.inf, 0.0))  # letters are kept
    save(TextClassifier().fit(corpus.texts, corpus.labels), tmp_path / "letters.textspace")
    forger = Forger(tmp_path / "letters.textspace")
    letters = next(found(forger.description, "is_term"))
    name = f"arrays/{letters['is_term']['array']}.npy"
    is_term = np.load(io.BytesIO(forger.members[name])).view(np.uint8)
    forger.members[name] = forger.members[name][: -len(is_term)] + (2 * is_term).tobytes()
    refused(forger.write(tmp_path / "two.textspace"), "an array of bool holds what is none")


@pytest.mark.parametrize("attribute", ["characters", "lengths"])
def test_letters_that_are_no_bytes(attribute, corpus, tmp_path, monkeypatch):
    """There is room for a tree of bytes: other numbers would take less room in a file."""
    monkeypatch.setattr(_choice, "_LEAST", (-np.inf, 0.0))  # letters are kept
    save(TextClassifier("auto").fit(corpus.texts, corpus.labels), tmp_path / "letters.textspace")
    forger = Forger(tmp_path / "letters.textspace")
    name = f"arrays/{next(found(forger.description, 'is_term'))[attribute]['array']}.npy"
    signed = np.load(io.BytesIO(forger.members[name])).view(np.int8)
    refused(forger.write(tmp_path / "signed.textspace", {name: as_bytes(signed)}), "are no bytes")


def test_attributes_that_stand_for_those_of_the_class(forger, tmp_path):
    for name in ("n_scores", "has_space", "scores", "columns"):
        state = next(found(forger.description, "coef"))
        state[name] = 7
        refused(forger.write(tmp_path / "method.textspace"), f"{name} of blend.")
        del state[name]
    forger.state["predict"] = 1
    refused(forger.write(tmp_path / "method.textspace"), "predict of models.text_classifier")


def test_an_array_that_no_class_knows(forger, tmp_path):
    next(found(forger.description, "calibration_"))["more_"] = {"array": "0"}
    refused(forger.write(tmp_path / "more.textspace"), "more_ is not known to hold arrays")


def test_a_matrix_shares_no_array_with_what_is_none():
    """What is changed in one place is not looked up in another."""
    matrix = {"csr_array": [[2, 2], {"array": "1"}, {"array": "0"}, {"array": "2"}]}
    arrays = {"0": np.array([0]), "1": np.ones(1), "2": np.array([0, 1, 1])}
    first, second, dense = build([matrix, matrix, {"array": "0"}], lambda name: arrays[name].copy(), {})
    assert first.indices is not dense
    assert not np.shares_memory(first.indices, dense)
    assert np.shares_memory(first.data, second.data)


def test_neighbors_that_vote_but_are_not_there(corpus, tmp_path):
    path = tmp_path / "lsi.textspace"
    save(TextClassifier("knn").fit(corpus.texts, corpus.labels), path)
    for name, value in (
        ("n_neighbors", 1 << 40),
        ("n_neighbors", 0),
        ("metric", "precomputed"),
        ("effective_metric_", "precomputed"),
        ("effective_metric_params_", {"dict": [["w", {"array": "0"}]]}),
        ("_fit_method", "kd_tree"),
        ("weights", "distance"),
    ):
        forger = Forger(path)
        for state in found(forger.description, "_fit_X"):
            state[name] = value
        said = (
            "'n_neighbors' parameter of KNeighborsClassifier"
            if value == 0
            else "KNeighborsClassifier do not fit"
        )
        refused(forger.write(tmp_path / "forged.textspace"), said)
