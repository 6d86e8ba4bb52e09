"""Files that are damaged, foreign or made to do harm: each gets a sentence, and nothing in them is run."""

import contextlib
import copy
import io
import json
import os
import pickle
import random
import struct
import sys
import tracemalloc
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
import skops.io

from textspace.models import ModelFileError, load, read_card
from textspace.models._archive import seal

from .conftest import KEPT


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
    forger.state["random_state"] = part
    pickled = np.frombuffer(pickle.dumps(Marking(command)), dtype=np.uint8)
    buffer = io.BytesIO()
    np.save(buffer, pickled)
    forger.members["forged.npy"] = buffer.getvalue()


@pytest.mark.parametrize("attack", sorted(set(ATTACKS) - {"a type of keys"}))
def test_an_old_file_that_runs_a_command_is_refused_before_it_can(attack, old_forger, tmp_path):
    build, _ = ATTACKS[attack]
    command = f"touch {tmp_path / 'ran'}"
    forge(old_forger, build(command), command)
    refused(old_forger.write(tmp_path / "evil.textspace"), "was not opened", ATTACKS[attack][1][0])
    assert not (tmp_path / "ran").exists()


def test_types_of_keys_are_not_read(old_forger, tmp_path):
    command = f"touch {tmp_path / 'ran'}"
    forge(old_forger, call_by_keys(command), command)
    with pytest.raises(ModelFileError, match="The 'random_state' parameter of TextClassifier must be"):
        load(old_forger.write(tmp_path / "evil.textspace"))  # a list of the command, as text
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_the_attack_is_one(attack, old_forger, tmp_path):
    """The same file, read by skops with what it asks for as trusted types, runs the command."""
    build, trusted = ATTACKS[attack]
    command = f"touch {tmp_path / 'ran'}"
    forge(old_forger, build(command), command)
    old_forger.schema = old_forger.state["random_state"] | {"protocol": 2}
    with ZipFile(old_forger.write(tmp_path / "evil.textspace")) as archive:
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
        (
            node(
                "ObjectNode",
                "sklearn.linear_model._stochastic_gradient.SGDClassifier",
                content={"content": {}},
            ),
            "sklearn.SGDClassifier",
        ),
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
def test_of_an_old_file_only_what_models_consist_of_is_read(part, named, old_forger, tmp_path):
    # deep within, under a key of a dict in a list
    within = node("DictNode", "builtins.dict", key_types=items(kind="list"), content={"a": part})
    old_forger.state["random_state"] = items(text(1), within, kind="list")
    refused(old_forger.write(tmp_path / "evil.textspace"), "was not opened", named)


@pytest.mark.parametrize(
    "part",
    [
        {"posix.system": ["true"]},
        {"os.system": {"command": "true"}},
        {"builtins.eval": ["1"]},
        {"sklearn.SGDClassifier": {}},
        {"sklearn.LinearSVC": {"C": 1.0}},  # which the method of this model does not contain
        {"sklearn.linear_model.SGDClassifier": {}},
        {"textspace.linear.LSI": {}},
        {"LSI": {}},
        {"function": "numpy.exp"},
        {"bytes": "0"},
    ],
    ids=str,
)
def test_only_what_models_consist_of_is_read(part, forger, tmp_path):
    forger.state["random_state"] = [1, {"dict": [["a", part]]}]
    refused(forger.write(tmp_path / "evil.textspace"), "was not opened", next(iter(part)))


def test_a_file_makes_nothing_be_imported(forger, tmp_path, monkeypatch, capsys):
    """Modules that a forged file names are not looked for."""
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "module.py").write_text("print('imported')\nclass kind: pass")
    monkeypatch.syspath_prepend(tmp_path)
    forger.state["method"] = "evil.module"
    forger.state["random_state"] = {"evil.module.kind": {}}
    refused(forger.write(tmp_path / "evil.textspace"), "it holds evil.module.kind")
    assert not [name for name in sys.modules if name.partition(".")[0] == "evil"]
    assert "imported" not in capsys.readouterr().out


def test_a_model_must_be_a_text_classifier(forger, tmp_path):
    forger.description = forger.state["space_"]
    refused(forger.write(tmp_path / "part.textspace"), "Alphabets stands in place of TextClassifier")
    forger.description = [1, 2]
    refused(forger.write(tmp_path / "part.textspace"), "list stands in place of TextClassifier")


@pytest.mark.parametrize("kept", [[], ["method", "tree"], ["method", "classes_", "model_", "training_"]])
def test_a_model_must_be_whole(kept, forger, tmp_path):
    forger.description = {"models.text_classifier": {name: forger.state[name] for name in kept}}
    refused(forger.write(tmp_path / "part.textspace"), "is damaged")


JUNK = [None, -1, 1 << 70, "x", [], {}, {"array": "0"}, {"tuple": []}, {"strings": ["a"]}, float("nan")]


def places(part):
    """Yield the containers of a description, each with a key of it."""
    keys = part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        yield part, key
        yield from places(part[key])


@pytest.mark.filterwarnings("ignore")
def test_whatever_is_changed_the_file_is_refused_or_read(forger, tmp_path):
    """No forged description brings about another error, nor a crash."""
    draw, sound = random.Random(0), forger.description
    for _ in range(200):
        forger.description = copy.deepcopy(sound)
        part, key = draw.choice(list(places(forger.description)))
        part[key] = draw.choice(JUNK)
        path = forger.write(tmp_path / "forged.textspace")
        with contextlib.suppress(ModelFileError):
            load(path)


def test_pickled_arrays_are_not_read(forger, tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Marking(f"touch {tmp_path / 'ran'}")], dtype=object), allow_pickle=True)
    refused(forger.write(tmp_path / "evil.textspace", {"arrays/0.npy": buffer.getvalue()}), "allow_pickle")
    pickled = pickle.dumps(Marking(f"touch {tmp_path / 'ran'}"))
    refused(forger.write(tmp_path / "evil.textspace", {"arrays/0.npy": pickled}), "is damaged")
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


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9])
def test_a_truncated_file(share, saved):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    refused(saved, "is damaged")


def test_a_file_that_was_written_on(saved):
    saved.write_bytes(saved.read_bytes() + b"more")
    refused(saved)


def test_a_changed_byte_is_noticed_wherever_it_is(saved):
    """In what is in the members, in the names and dates of the archive, and in the digest itself."""
    content = saved.read_bytes()
    rng = np.random.default_rng(0)
    places = {0, 1, *range(2, len(content), 97), *range(len(content) - 120, len(content))}
    for place in sorted(places):
        forged = bytearray(content)
        forged[place] ^= int(rng.integers(1, 256))
        saved.write_bytes(forged)
        refused(saved, "begin like one" if place < 2 else "has changed since it was written")
    saved.write_bytes(content)
    load(saved)


@pytest.mark.parametrize("place", [0.05, 0.4, 0.8])
def test_a_changed_byte_in_an_old_file(place, old_forger, tmp_path):
    content = bytearray((KEPT / "format-1-auto.textspace").read_bytes())
    content[int(place * len(content))] ^= 0xFF
    (tmp_path / "old.textspace").write_bytes(bytes(content))
    refused(tmp_path / "old.textspace", "is damaged")


def test_a_new_file_without_a_digest(saved, forger):
    with ZipFile(saved, "w") as archive:
        for name, content in forger.members.items():
            archive.writestr(name, content)
    refused(saved, "has changed since it was written")


def test_members_that_are_missing(forger, old_forger, tmp_path):
    refused(forger.write(tmp_path / "a.textspace", {"model.json": None}), "no model")
    refused(forger.write(tmp_path / "b.textspace", {"card.json": None}), "without a model card")
    refused(forger.write(tmp_path / "c.textspace", {"arrays/0.npy": None}), "is damaged")
    del old_forger.members[next(name for name in old_forger.members if name.endswith(".npy"))]
    refused(old_forger.write(tmp_path / "d.textspace"), "is damaged")
    del old_forger.outer["model.skops"]
    refused(old_forger.write(tmp_path / "e.textspace"), "is damaged")


@pytest.mark.parametrize(
    "name", ["../../evil.py", "/etc/passwd", "model.pkl", "arrays/a.npy", "arrays/../0.npy"]
)
def test_names_that_do_not_belong(name, forger, old_forger, tmp_path):
    refused(forger.write(tmp_path / "model.textspace", {name: b""}), "was not opened", name)
    old_forger.members["../" + name] = b""
    refused(old_forger.write(tmp_path / "within.textspace"), "was not opened", "../" + name)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_stand_twice(saved):
    with open(saved, "r+b") as file:
        with ZipFile(file, "a") as archive:
            archive.writestr("card.json", "{}")
        seal(file)
    refused(saved, "twice")


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (b"{", "is damaged"),
        (b"[1]", "which format"),
        (b'{"format": "one"}', "which format"),
        (b'{"format": true}', "which format"),
        (b'{"format": 3}', "made by a newer textspace (format 3; this one reads up to format 2): upgrade"),
        (b"[" * 100_000, "is damaged"),
    ],
)
def test_cards_that_are_none(card, said, forger, tmp_path):
    path = forger.write(tmp_path / "model.textspace", {"card.json": card})
    refused(path, said)
    with pytest.raises(ModelFileError):
        read_card(path)


def test_a_card_that_gives_an_older_format(forger, tmp_path):
    refused(forger.write(tmp_path / "model.textspace", {"card.json": b'{"format": 1}'}), "no model")


def test_an_evaluation_that_is_none(forger, tmp_path):
    path = forger.write(tmp_path / "model.textspace", {"evaluation.json": b'{"format": "other"}'})
    refused(path, "no evaluation")


def claiming(content, size, claimed):
    """Change the size that an archive gives for the one member of this size."""
    size, claimed = struct.pack("<L", size), struct.pack("<L", claimed)
    assert content.count(size) == 2
    return content.replace(size, claimed)


def with_zeros(forger, path, size, claimed):
    """Write a model file of this many zeros that gives another size, with a digest that is right."""
    members = {"card.json": forger.members["card.json"], "model.json": bytes(size)}
    forger.write_members(path, members, ZIP_DEFLATED)
    path.write_bytes(claiming(path.read_bytes(), size, claimed))
    with open(path, "r+b") as file:
        seal(file)
    return path


@pytest.mark.parametrize("claimed", [3 << 30, (4 << 30) - 1])
def test_a_bomb_stays_packed(claimed, forger, tmp_path):
    path = with_zeros(forger, tmp_path / "bomb.textspace", 50 << 20, claimed)
    refused(path, "too large", f"{claimed / (1 << 30):.1f} GB")


def test_a_bomb_that_lies_about_its_size(forger, tmp_path):
    """The declared size is all that is unpacked, so that the archive does not fit together."""
    path = with_zeros(forger, tmp_path / "bomb.textspace", 50 << 20, 1000)
    tracemalloc.start()
    refused(path, "is damaged")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 << 20


def test_compression_within_an_old_file_is_refused(old_forger, tmp_path):
    refused(old_forger.write(tmp_path / "model.textspace", compression=ZIP_DEFLATED), "compressed twice")


def test_a_matrix_of_an_old_file_that_is_a_bomb(old_forger, tmp_path):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", bytes(50 << 20))
    name = next(name for name in old_forger.members if name.endswith(".npz"))
    old_forger.members[name] = claiming(buffer.getvalue(), 50 << 20, 3 << 30)
    refused(old_forger.write(tmp_path / "model.textspace"), "too large")


def test_an_array_that_claims_to_be_larger_than_the_memory(forger, tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }".ljust(117) + b"\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    refused(forger.write(tmp_path / "model.textspace", {"arrays/0.npy": array}))


@pytest.mark.parametrize("depth", [2000, 200_000])
def test_a_description_that_nests_without_end(depth, forger, tmp_path):
    content = forger.members["model.json"]
    nested = b'"random_state": ' + b"[" * depth + b"]" * depth + b","
    content = content.replace(b'"random_state": 0,', nested, 1)
    refused(forger.write(tmp_path / "model.textspace", {"model.json": content}), "is damaged")


def test_a_schema_that_nests_without_end(old_forger, tmp_path):
    part = text(1)
    for _ in range(450):
        part = items(part, kind="list")
    old_forger.state["random_state"] = part
    refused(old_forger.write(tmp_path / "model.textspace"), "is damaged")


def test_a_missing_file_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.textspace")
    with pytest.raises(IsADirectoryError):
        read_card(tmp_path)
