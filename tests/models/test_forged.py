"""Files that are damaged, foreign or made to do harm: each gets a sentence, and nothing in them is run."""

import io
import json
import os
import pickle
import struct
import tracemalloc
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
import skops.io
from sklearn.linear_model import SGDClassifier

from textspace.models import ModelFileError, load, read_card


def refused(path, *said):
    """Assert that a file is refused, by a sentence that names it and says these words."""
    with pytest.raises(ModelFileError) as caught:
        load(path)
    for words in (str(path), *said):
        assert words in str(caught.value)


def node(loader, name, **content):
    module, kind = name.rsplit(".", 1)
    return {"__loader__": loader, "__module__": module, "__class__": kind, **content}


def text(value):
    return node("JsonNode", "builtins.str", content=json.dumps(value), is_json=True)


def items(*nodes, kind="tuple"):
    return node(f"{kind.title()}Node", f"builtins.{kind}", content=list(nodes))


class Marking:
    """What unpickles by running a command."""

    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def call(command):
    return node("ConstructorFromReduceNode", "posix.system", content=items(text(command)))


def call_by_keys(command):
    keys = items(node("TypeNode", "builtins.eval"), kind="list")
    code = f"__import__('os').system({command!r})"
    return node("DictNode", "builtins.dict", key_types=keys, content={code: text(1)})


def call_by_loss(command):
    empty = node("DictNode", "builtins.dict", key_types=items(kind="list"), content={})
    return node("LossNode", "posix.system", __reduce__={"args": items(text(command))}, content=empty)


def call_by_array(command):
    return node("NdArrayNode", "pickle.loads", type="numpy", file="forged.npy")


def call_by_set(command):
    return node("SetNode", "subprocess.getoutput", content=[text(command)])


ATTACKS = {
    "a function by its arguments": (call, ["posix.system"]),
    "a type of keys": (call_by_keys, ["builtins.eval"]),
    "a loss": (call_by_loss, ["posix.system"]),
    "the type of an array": (call_by_array, ["pickle.loads"]),
    "the type of a set": (call_by_set, ["subprocess.getoutput"]),
}


def forge(forger, part, command):
    """Put a part into the place of the model's seed, and bytes that run the command into an array."""
    forger.schema["content"]["content"]["random_state"] = part
    pickled = np.frombuffer(pickle.dumps(Marking(command)), dtype=np.uint8)
    buffer = io.BytesIO()
    np.save(buffer, pickled)
    forger.parts["forged.npy"] = buffer.getvalue()


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_a_file_that_runs_a_command_is_refused_before_it_can(attack, forger, tmp_path):
    build, _ = ATTACKS[attack]
    command = f"touch {tmp_path / 'ran'}"
    forge(forger, build(command), command)
    refused(forger.write(tmp_path / "evil.textspace"), "was not opened", ATTACKS[attack][1][0])
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_the_attack_is_one(attack, forger, tmp_path):
    """The same file, read with what it asks for as trusted types, runs the command."""
    build, trusted = ATTACKS[attack]
    command = f"touch {tmp_path / 'ran'}"
    forge(forger, build(command), command)
    forger.schema = forger.schema["content"]["content"]["random_state"] | {"protocol": 2}
    with ZipFile(forger.write(tmp_path / "evil.textspace")) as archive:
        content = archive.read("model.skops")
    skops.io.loads(content, trusted=trusted)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("part", "named"),
    [
        (node("FunctionNode", "posix.system"), "posix.system"),
        (node("FunctionNode", "numpy.exp"), "numpy.exp"),  # which skops trusts
        (node("TypeNode", "builtins.map"), "builtins.map"),
        (node("TypeNode", "subprocess.Popen"), "subprocess.Popen"),
        (node("ObjectNode", "sklearn.linear_model._stochastic_gradient.SGDClassifier"), "SGDClassifier"),
        (node("ObjectNode", "subprocess.Popen"), "subprocess.Popen"),
        (node("ConstructorFromReduceNode", "textspace.text._vector_space.VectorSpace"), "VectorSpace"),
        (node("OperatorFuncNode", "operator.methodcaller", attrs=items(text("predict"))), "methodcaller"),
        (node("PartialNode", "functools.partial", content={}), "functools.partial"),
        (node("MethodNode", "builtins.str", content={"func": "upper", "obj": text("x")}), "builtins.str"),
        (node("CachedNode", "builtins.str"), "CachedNode"),
        (node("TreeNode", "sklearn.tree._tree.Tree"), "Tree"),
        (node("RandomGeneratorNode", "numpy.random._generator.Generator"), "Generator"),
        (node("DefaultDictNode", "collections.defaultdict"), "defaultdict"),
        (node("JsonNode", "builtins.int", content="1"), "builtins.int"),
        ({"__loader__": ["JsonNode"], "__module__": None, "__class__": None}, "None.None"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_only_what_models_consist_of_is_read(part, named, forger, tmp_path):
    # deep within, under a key of a dict in a list
    within = node("DictNode", "builtins.dict", key_types=items(kind="list"), content={"a": part})
    forger.schema["content"]["content"]["random_state"] = items(text(1), within, kind="list")
    refused(forger.write(tmp_path / "evil.textspace"), "was not opened", named)


def test_another_estimator_is_refused_by_name(saved, forger, tmp_path):
    content = skops.io.dumps(SGDClassifier())
    skops.io.loads(content)  # skops trusts it
    path = forger.write_outer(tmp_path / "other.textspace", {"model.skops": content})
    refused(path, "was not opened", "SGDClassifier")


def test_a_model_must_be_a_text_classifier(forger, tmp_path):
    forger.schema = forger.schema["content"]["content"]["space_"] | {"protocol": 2}
    refused(forger.write(tmp_path / "part.textspace"), "a VectorSpace in place of a TextClassifier")


def test_pickled_arrays_are_not_read(forger, tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Marking(f"touch {tmp_path / 'ran'}")], dtype=object), allow_pickle=True)
    name = next(name for name in forger.parts if name.endswith(".npy"))
    forger.parts[name] = buffer.getvalue()
    refused(forger.write(tmp_path / "evil.textspace"), "allow_pickle")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickle_is_not_read(protocol, tmp_path):
    path = tmp_path / "model.textspace"
    path.write_bytes(pickle.dumps(Marking(f"touch {tmp_path / 'ran'}"), protocol))
    refused(path, "is a pickle", "could run any code", "textspace.models.save")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "content", [b"", b"P", b"text,label\n", b"PK", b"PK\x03\x04", b"PK\x05\x06" + bytes(18)]
)
def test_a_foreign_file(content, tmp_path):
    (tmp_path / "model.textspace").write_bytes(content)
    refused(tmp_path / "model.textspace", "textspace model")


def test_a_foreign_archive(tmp_path):
    with ZipFile(tmp_path / "book.zip", "w") as archive:
        archive.writestr("word/document.xml", "<xml/>")
    refused(tmp_path / "book.zip", "is not a textspace model", "without a model card")


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_truncated_file(share, saved):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    refused(saved, "is damaged")


@pytest.mark.parametrize("place", [0.05, 0.4, 0.8])
def test_a_changed_byte_is_noticed(place, saved):
    content = bytearray(saved.read_bytes())
    content[int(place * len(content))] ^= 0xFF
    saved.write_bytes(bytes(content))
    refused(saved, "is damaged")


def test_parts_that_are_missing(forger, tmp_path):
    refused(forger.write_outer(tmp_path / "a.textspace", {"model.skops": None}), "no model")
    refused(forger.write_outer(tmp_path / "b.textspace", {"card.json": None}), "without a model card")
    del forger.parts[next(name for name in forger.parts if name.endswith(".npy"))]
    refused(forger.write(tmp_path / "c.textspace"), "is damaged")


@pytest.mark.parametrize(
    "change",
    [
        {"../../evil.py": b"import os"},
        {"/etc/passwd": b""},
        {"model.pkl": b""},
    ],
)
def test_names_that_do_not_belong(change, forger, tmp_path):
    refused(forger.write_outer(tmp_path / "model.textspace", change), "was not opened", *change)
    forger.parts |= change
    refused(forger.write(tmp_path / "within.textspace"), "was not opened", *change)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_stand_twice(saved):
    with ZipFile(saved, "a") as archive:
        archive.writestr("card.json", "{}")
    refused(saved, "twice")


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (b"{", "is damaged"),
        (b"[1]", "which format"),
        (b'{"format": "one"}', "which format"),
        (b'{"format": true}', "which format"),
        (b'{"format": 2}', "made by a newer textspace (format 2; this one reads up to format 1): upgrade"),
        (b"[" * 100_000, "is damaged"),
    ],
)
def test_cards_that_are_none(card, said, forger, tmp_path):
    path = forger.write_outer(tmp_path / "model.textspace", {"card.json": card})
    refused(path, said)
    with pytest.raises(ModelFileError):
        read_card(path)


def test_an_evaluation_that_is_none(forger, tmp_path):
    path = forger.write_outer(tmp_path / "model.textspace", {"evaluation.json": b'{"format": "other"}'})
    refused(path, "no evaluation")


def claiming(content, size, claimed):
    """Change the size that an archive gives for the one member of this size."""
    size, claimed = struct.pack("<L", size), struct.pack("<L", claimed)
    assert content.count(size) == 2
    return content.replace(size, claimed)


def with_zeros(forger, size):
    """Give a model file of this many zeros."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("card.json", forger.outer["card.json"])
        archive.writestr("model.skops", bytes(size))
    return buffer.getvalue()


@pytest.mark.parametrize("claimed", [3 << 30, (4 << 30) - 1])
def test_a_bomb_stays_packed(claimed, forger, tmp_path):
    path = tmp_path / "bomb.textspace"
    path.write_bytes(claiming(with_zeros(forger, 50 << 20), 50 << 20, claimed))
    refused(path, "too large", f"{claimed / (1 << 30):.1f} GB")


def test_a_bomb_that_lies_about_its_size(forger, tmp_path):
    """The declared size is all that is unpacked, so that the archive does not fit together."""
    path = tmp_path / "bomb.textspace"
    path.write_bytes(claiming(with_zeros(forger, 50 << 20), 50 << 20, 1000))
    tracemalloc.start()
    refused(path, "is damaged")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 << 20


def test_compression_within_is_refused(forger, tmp_path):
    refused(forger.write(tmp_path / "model.textspace", compression=ZIP_DEFLATED), "compressed twice")


def test_a_matrix_that_is_a_bomb(forger, tmp_path):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", bytes(50 << 20))
    name = next(name for name in forger.parts if name.endswith(".npz"))
    forger.parts[name] = claiming(buffer.getvalue(), 50 << 20, 3 << 30)
    refused(forger.write(tmp_path / "model.textspace"), "too large")


def test_an_array_that_claims_to_be_larger_than_the_memory(forger, tmp_path):
    name = next(name for name in forger.parts if name.endswith(".npy"))
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }".ljust(117) + b"\n"
    forger.parts[name] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    refused(forger.write(tmp_path / "model.textspace"))


def test_a_schema_that_nests_without_end(forger, tmp_path):
    part = text(1)
    for _ in range(350):
        part = items(part, kind="list")
    forger.schema["content"]["content"]["random_state"] = part
    refused(forger.write(tmp_path / "model.textspace"), "is damaged")


def test_a_missing_file_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.textspace")
    with pytest.raises(IsADirectoryError):
        read_card(tmp_path)
