"""Small files that would take much memory or time, or answer with what is no number: none is opened."""

import io
import json
import os
import struct
import subprocess
import sys
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import numpy as np
import pytest

from textspace._saving import saved_types
from textspace.models import ModelFileError, TextClassifier, load, save
from textspace.models._archive import Memory, allowed_memory, check_directory, read_array, seal, unsealed
from textspace.text import VectorSpace
from textspace.text._vocabulary import pack_words, unpack_words

from .conftest import Forger


def refused(path, *said):
    """Assert that a file is refused, by a sentence that says these words."""
    with pytest.raises(ModelFileError) as caught:
        load(path)
    for words in said:
        assert words in str(caught.value)


def as_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def words_of(forger):
    """Give the state of the first space, which is one of words, to be changed."""
    [[_, space], *_] = forger.state["space_"]["text.alphabets"]["spaces_"]["dict"]
    return space["text.vector_space"]


def test_a_file_larger_than_any_model_is_not_read(tmp_path):
    path = tmp_path / "large.textspace"
    with open(path, "wb") as file:
        file.write(b"PK\3\4")
        file.truncate(1 << 40)  # takes no room on the disk; to read it takes a quarter of an hour
        file.seek(0, os.SEEK_END)
        file.write(unsealed())
    refused(path, "is too large", "more than any model has")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among its files")
def test_a_pipe_to_which_nobody_writes_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.textspace")
    refused(tmp_path / "pipe.textspace", "is no file")


def test_hashed_words_of_which_there_are_none(forger, tmp_path):
    state = words_of(forger)
    for name in ("vocabulary_", "_pairs", "idf_"):
        del state[name]
    state |= {"n_words_": 50_000_000, "n_hashed": 50_000_000, "idf_": None}
    refused(forger.write(tmp_path / "hashed.textspace"), "there are no 50000000 words")


def test_hashed_words_of_which_few_have_weights(forger, tmp_path):
    state = words_of(forger)
    for name in ("vocabulary_", "_pairs"):
        del state[name]
    state |= {"n_words_": 50_000_000, "n_hashed": 50_000_000}
    refused(forger.write(tmp_path / "hashed.textspace"), "there are no 50000000 words")


@pytest.mark.parametrize("lengths", [[11, -11, 11], [12], [10], [], [2**31 - 1, 2**31 - 1, 13]])
def test_words_that_are_not_those_of_their_text(lengths):
    """Words that go back and forth would be a copy of the text each."""
    with pytest.raises(ValueError, match="the lengths of words are not those of their text"):
        unpack_words(np.full(11, ord("a"), np.uint8), np.array(lengths, np.int32))


def test_words_come_back():
    for words in (["corn", "", "épi"], [""], []):
        assert unpack_words(*pack_words(words)) == words


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.uint64])
def test_positions_whose_sums_would_wrap(kind, forger, tmp_path):
    """Between 100 and 120, bytes as they are added in Python find no middle, and look for it without end."""
    name = f"arrays/{words_of(forger)['_pairs']['text.pairs']['starts']['array']}.npy"
    starts = np.load(io.BytesIO(forger.members[name]))
    path = forger.write(tmp_path / "starts.textspace", {name: as_bytes(starts.astype(kind))})
    refused(path, "_pairs.starts holds positions")


def test_hashed_words_come_back():
    space = VectorSpace(n_hashed=1000).fit(["corn and wheat", "ships"])
    again = VectorSpace.__new__(VectorSpace)
    again.__setstate__(space.__getstate__())
    saved_types()["text.vector_space"].check_state(again)
    assert (again.transform(["wheat"]) != space.transform(["wheat"])).nnz == 0


@pytest.mark.parametrize("pattern", [r"(?:a+)+$", r"\w+"])
def test_patterns_are_not_taken_from_a_file(pattern, forger, tmp_path):
    words_of(forger)["token_pattern"] = pattern
    refused(forger.write(tmp_path / "pattern.textspace"), "VectorSpace")


@pytest.mark.parametrize("compression", [ZIP_BZIP2, ZIP_LZMA])
def test_members_that_are_packed_otherwise(compression, forger, tmp_path):
    path = forger.write_members(tmp_path / "packed.textspace", forger.members, compression)
    refused(path, "is compressed as no textspace does")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_no_array_holds_what_is_no_number(value, forger, tmp_path):
    for name, content in forger.members.items():
        array = np.load(io.BytesIO(content)) if name.endswith(".npy") else np.empty(0)
        if array.dtype.kind == "f" and array.size:
            array.ravel()[-1] = value
            path = forger.write(tmp_path / "nan.textspace", {name: as_bytes(array)})
            refused(path, "not finite")


@pytest.mark.parametrize(
    "part", ["NaN", "-Infinity", "1e999", '{"scalar": ["float64", "nan"]}', '{"scalar": ["float32", 1e300]}']
)
def test_no_number_of_a_description_is_none(part, forger, tmp_path):
    forger.state["random_state"] = "here"
    content = json.dumps(forger.description).replace('"here"', part).encode()
    refused(forger.write(tmp_path / "nan.textspace", {"model.json": content}), "not finite")


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
@pytest.mark.parametrize("member", ["card.json", "evaluation.json"])
def test_no_number_of_a_card_or_evaluation_is_none(member, number, forger, tmp_path):
    content = b'{"format": 2, "scores": {"micro_f1": %b}}' % number.encode()
    refused(forger.write(tmp_path / "nan.textspace", {member: content}), f"holds {number} in place of")


@pytest.mark.parametrize(
    ("unit", "end"),
    [
        ("[],", "[]"),
        ('{"set":[]},', "1"),
        ('"ab",', "1"),
        ("0.5,", "1"),
        ('[["ab",1]],', "1"),
    ],
)
def test_a_description_of_many_parts(unit, end, forger, tmp_path, monkeypatch):
    """Each part takes many times the characters that it has, and these hardly take any bytes of a file."""
    forger.state["settings_"] = "here"
    content = json.dumps(forger.description).replace('"here"', f"[{unit * 30_000}{end}]").encode()
    path = forger.write_members(
        tmp_path / "many.textspace", forger.members | {"model.json": content}, ZIP_DEFLATED
    )
    assert path.stat().st_size < 1 << 16
    load(path)  # so many are allowed
    monkeypatch.setattr("textspace.models._archive._MEMORY", (1 << 20, 4))
    refused(path, "too large")


def test_an_array_that_is_named_again_and_again(forger, tmp_path, monkeypatch):
    """An array that hardly takes bytes of a file is looked at whenever it is named."""
    monkeypatch.setattr("textspace.models._archive._MEMORY", (20 << 20, 4))
    forger.state["stop_words"] = [{"array": "99"}] * 100
    members = forger.members | {
        "model.json": json.dumps(forger.description).encode(),
        "arrays/99.npy": as_bytes(np.zeros(1 << 16)),
    }
    path = forger.write_members(tmp_path / "again.textspace", members, ZIP_DEFLATED)
    refused(path, "more parts than any model")
    forger.state["stop_words"] = forger.state["stop_words"][:20]
    load(forger.write(path, {"arrays/99.npy": members["arrays/99.npy"]}))


def test_objects_without_number(forger, tmp_path, monkeypatch):
    """Each is checked, which takes long, and a file of many hardly takes any bytes."""
    monkeypatch.setattr("textspace.models._archive._MEMORY", (20 << 20, 4))
    forger.state["settings_"] = [{"text.vector_space": {}}] * 4000
    members = forger.members | {"model.json": json.dumps(forger.description).encode()}
    path = forger.write_members(tmp_path / "objects.textspace", members, ZIP_DEFLATED)
    refused(path, "more parts than any model")


def test_topics_whose_products_would_fill_the_memory(corpus, tmp_path):
    """New documents are placed by the products of all pairs of topics, which a file need not hold."""
    save(TextClassifier("nmf").fit(corpus.texts, corpus.labels), tmp_path / "nmf.textspace")
    forger = Forger(tmp_path / "nmf.textspace")
    content = json.dumps(forger.description)
    for before, after in (('"max_iter": 50', '"max_iter": 1000000'), ('"solver": "cd"', '"solver": "mu"')):
        assert before in content
        forger.description = json.loads(content.replace(before, after))
        refused(forger.write(tmp_path / "forged.textspace"), "NMF")


def test_zeros_that_would_fill_the_memory(forger, tmp_path, monkeypatch):
    monkeypatch.setattr("textspace.models._archive._MEMORY", (20 << 20, 4))
    zeros = as_bytes(np.zeros(4 << 20))
    path = forger.write_members(
        tmp_path / "zeros.textspace", forger.members | {"arrays/0.npy": zeros}, ZIP_DEFLATED
    )
    refused(path, "too large: it would take 0.0 GB")


def header(shape, kind="<f8"):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    ("shape", "kind", "n_bytes"),
    [
        ("(1000000000000,)", "<f8", 64),
        ("(2, 3)", "<f8", 47),
        ("(2, 3)", "<f8", 49),
        ("(-2, -3)", "<f8", 48),
        ("(1000000000000, 0)", "<f8", 0),
        ("(4,)", ">f8", 32),
        ("(4,)", "|O", 32),
        ("(3,)", "|b1", 3),
        ("(1,)", "<U1", 4),
    ],
)
def test_arrays_whose_bytes_are_not_there_or_are_none(shape, kind, n_bytes):
    content = header(shape, kind) + b"\xff" * n_bytes
    with pytest.raises(ValueError, match=r"an array|objects"):
        read_array(io.BytesIO(content), len(content), Memory("model.textspace", 0))


def test_arrays_in_either_order_come_back():
    for array in (
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.eye(2, 3)),
        np.array(["corn", ""]),
        np.array(3),
    ):
        content = as_bytes(array)
        again = read_array(io.BytesIO(content), len(content), Memory("model.textspace", 0))
        np.testing.assert_array_equal(again, array)
        assert again.dtype == array.dtype
        assert again.flags.writeable


@pytest.mark.parametrize(("kind", "n_bytes"), [(np.uint8, 1 << 18), (np.int8, 3 << 20)])
def test_bytes_of_which_a_large_tree_or_large_numbers_would_be_made(
    kind, n_bytes, forger, tmp_path, monkeypatch
):
    monkeypatch.setattr("textspace.models._archive._MEMORY", (20 << 20, 4))
    path = forger.write_members(
        tmp_path / "bytes.textspace",
        forger.members | {f"arrays/{i}.npy": as_bytes(np.ones(n_bytes, kind)) for i in range(2)},
        ZIP_DEFLATED,
    )
    assert path.stat().st_size < 1 << 20
    refused(path, "too large")


def test_numbers_that_were_chosen_to_collide(forger, tmp_path):
    forger.state["random_state"] = {
        "set": [(1 << 61) - 1 + number * ((1 << 61) - 1) for number in range(20_000)]
    }
    refused(forger.write(tmp_path / "set.textspace"), "keys that are no text")


def test_a_file_does_not_say_how_many_processes_are_started(forger, tmp_path):
    words_of(forger)["n_jobs"] = 1 << 20
    assert load(forger.write(tmp_path / "jobs.textspace")).space_.spaces_["words"].n_jobs is None


def test_a_tree_whose_leaves_lie_below_very_many_nodes(forger, tmp_path):
    depth = 10_000
    parents = {f"n{i + 1}": f"n{i}" for i in range(depth)} | {f"leaf{i}": f"n{depth}" for i in range(depth)}
    forger.state["tree_"] = {"tree.label_tree": {"parents": {"dict": [[k, v] for k, v in parents.items()]}}}
    refused(forger.write(tmp_path / "deep.textspace"), "steps from its roots to its leaves")


def test_members_that_say_that_they_take_more_than_there_is(forger, tmp_path):
    """What a file may unpack to goes by its bytes, and not by what its directory says of them."""
    evaluation = b"[" + b" " * (270 << 20) + b"]"
    members = forger.members | {"evaluation.json": evaluation, "arrays/999.npy": b"none"}
    path = forger.write_members(tmp_path / "packed.textspace", members, ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    place = content.rindex(b"PK\x01\x02", 0, content.rindex(b"arrays/999.npy"))
    content[place + 20 : place + 24] = struct.pack("<L", 1 << 30)
    path.write_bytes(content)
    with open(path, "r+b") as file:
        seal(file)
    refused(path, "is too large")


def with_directory(size, *, in_counts=False, is_large=False):
    """Make the last records of an archive whose directory has a size, which may be hard to find."""
    large = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, 0)
    large += struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    counts = b"PK\x05\x06" if in_counts else bytes(4)
    small = struct.pack("<4sHH4sLLH", b"PK\x05\x06", 0, 0, counts, 100 if is_large else size, 0, 0)
    return large + small if is_large else small


@pytest.mark.parametrize("hidden", [{}, {"in_counts": True}, {"is_large": True}])
def test_an_archive_of_very_many_members(hidden, tmp_path):
    path = tmp_path / "many.textspace"
    path.write_bytes(with_directory(100 << 20, **hidden))
    with open(path, "rb") as file, pytest.raises(ModelFileError, match="more files than any model"):
        check_directory(file, path)
    path.write_bytes(with_directory(1 << 20, **hidden))
    with open(path, "rb") as file:
        check_directory(file, path)
    refused(path)


def test_a_record_that_is_not_where_it_is_said_to_be(tmp_path):
    path = tmp_path / "moved.textspace"
    path.write_bytes(b"PK" + with_directory(100 << 20, is_large=True))
    refused(path, "its last records do not fit together")


def test_what_packs_too_well_is_stored_as_it_is(model, tmp_path, monkeypatch):
    """A file that is written can be opened, however small its parts become."""
    monkeypatch.setattr("textspace.models._archive._MEMORY", (0, 6))
    save(model, tmp_path / "model.textspace")
    with ZipFile(tmp_path / "model.textspace") as archive:
        assert {member.compress_type for member in archive.infolist()} == {0}
    assert allowed_memory(10) == 60


def test_a_seal_is_no_proof(forger, tmp_path):
    """Whoever forges a file seals it too."""
    path = forger.write(tmp_path / "model.textspace")
    content = bytearray(path.read_bytes())
    assert unsealed()[:17] in content
    content[-70] ^= 1
    path.write_bytes(content)
    refused(path)
    content[-70] ^= 1
    path.write_bytes(content)
    with open(path, "r+b") as file:
        seal(file)
    load(path)


def test_opening_loads_and_compiles_nothing(corpus, tmp_path):
    """It would take seconds where nothing was compiled before, or not for the types of a forged file."""
    methods = "auto", "knn", "kda", "lda", "stm"
    for method in methods:
        save(TextClassifier(method).fit(corpus.texts, corpus.labels), tmp_path / method)
    code = "from textspace.models import load; list(map(load, sys.argv[1:])); print('numba' in sys.modules)"
    command = [sys.executable, "-c", f"import sys; {code}", *(tmp_path / method for method in methods)]
    assert subprocess.check_output(command, text=True) == "False\n"
