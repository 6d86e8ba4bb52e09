import sys
from zipfile import ZipFile

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from tests.signing_keys import write_keys

from textspace.models import ModelFileError, TextClassifier, _file, load, read_card, read_signing_key, save

from .conftest import Forger

CHANGED = "what is in it is not what was signed"


@pytest.fixture
def ours(tmp_path):
    return write_keys(tmp_path / "ours")


@pytest.fixture
def signed(model, ours, tmp_path):
    save(model, tmp_path / "signed.textspace", sign=ours.private)
    return tmp_path / "signed.textspace"


@pytest.fixture
def nothing_is_built(monkeypatch):
    """Make it an error to read even the card of a file that is to be refused."""

    def forbidden(*_):
        raise AssertionError("a file was read before its signature was")

    for name in ("_read_card", "read_json", "_read_model", "build"):
        monkeypatch.setattr(_file, name, forbidden)


def refuse(path, keys, said):
    with pytest.raises(ModelFileError, match=said) as caught:
        load(path, verify=keys.public)
    assert str(caught.value).startswith(f"{path} was not opened: ")


def test_a_signed_file_loads_with_its_key_and_without_one(model, others, signed, ours):
    expected = model.predict_proba(others.texts)
    np.testing.assert_array_equal(load(signed, verify=ours.public).predict_proba(others.texts), expected)
    np.testing.assert_array_equal(load(signed).predict_proba(others.texts), expected)
    assert read_card(signed)["method"]["name"] == "auto"


def test_a_file_that_is_stored_as_it_is_can_be_signed(model, ours, tmp_path, monkeypatch):
    monkeypatch.setattr(_file, "allowed_memory", lambda size: 0)
    save(model, tmp_path / "stored.textspace", sign=ours.private)
    with ZipFile(tmp_path / "stored.textspace") as archive:
        assert archive.namelist().count("signature") == 1
    load(tmp_path / "stored.textspace", verify=ours.public)


@pytest.mark.usefixtures("nothing_is_built")
def test_a_file_without_a_signature_is_refused(saved, ours):
    refuse(saved, ours, "it is not signed")


@pytest.mark.usefixtures("nothing_is_built")
def test_a_file_that_another_key_signed_is_refused(signed, tmp_path):
    refuse(signed, write_keys(tmp_path / "theirs"), "signed by another key")


@pytest.mark.usefixtures("nothing_is_built")
def test_a_byte_that_was_flipped_is_noticed_in_every_member(signed, ours, tmp_path):
    """The digest of the file is right each time: whoever changes a file can write one."""
    forger = Forger(signed)
    for name, content in forger.members.items():
        flipped = bytes([content[0] ^ 1]) + content[1:]
        said = "signed by another key" if name == "signature" else CHANGED
        refuse(forger.write_members(tmp_path / "flipped", forger.members | {name: flipped}), ours, said)
    signature = forger.members["signature"]
    flipped = signature[:-1] + bytes([signature[-1] ^ 1])
    refuse(forger.write_members(tmp_path / "f", forger.members | {"signature": flipped}), ours, CHANGED)


@pytest.mark.usefixtures("nothing_is_built")
def test_members_that_were_added_removed_renamed_or_swapped_are_noticed(signed, ours, tmp_path):
    forger, path = Forger(signed), tmp_path / "changed.textspace"
    first, second = forger.members["arrays/0.npy"], forger.members["arrays/1.npy"]
    for change in (
        {"arrays/999.npy": first},
        {"evaluation.json": b"{}"},
        {"arrays/0.npy": None},
        {"arrays/0.npy": None, "arrays/999.npy": first},
        {"arrays/0.npy": second, "arrays/1.npy": first},
    ):
        refuse(forger.write_members(path, forger.members | change), ours, CHANGED)


@pytest.mark.usefixtures("nothing_is_built")
def test_the_signature_of_another_file_is_refused(model, corpus, signed, ours, tmp_path):
    save(TextClassifier("nb").fit(corpus.texts, corpus.labels), tmp_path / "other", sign=ours.private)
    taken = {"signature": Forger(tmp_path / "other").members["signature"]}
    forger = Forger(signed)
    refuse(forger.write_members(tmp_path / "forged", forger.members | taken), ours, CHANGED)


@pytest.mark.usefixtures("nothing_is_built")
@pytest.mark.parametrize("content", [b"", b"short", bytes(1000)])
def test_a_signature_that_is_none_is_refused(content, signed, ours, tmp_path):
    forger = Forger(signed)
    changed = forger.write_members(tmp_path / "changed", forger.members | {"signature": content})
    refuse(changed, ours, "its signature is none")


@pytest.mark.usefixtures("nothing_is_built")
def test_a_bomb_is_not_unpacked_to_look_at_its_signature(signed, ours, tmp_path, monkeypatch):
    forger = Forger(signed)
    monkeypatch.setattr("textspace.models._archive._MEMORY", (1 << 20, 4))
    monkeypatch.setattr(_file, "check_sizes", lambda *_: None)  # members may share bytes, and pass it
    bomb = {"arrays/999.npy": bytes(40 << 20)}
    path = forger.write_members(tmp_path / "bomb", forger.members | bomb, compression=8)
    with pytest.raises(ModelFileError, match="is too large"):
        load(path, verify=ours.public)


def test_keys_of_another_kind_are_refused(model, saved, ours, tmp_path):
    other = write_keys(tmp_path / "other", Ed448PrivateKey.generate())
    locked = write_keys(tmp_path / "locked", passphrase=b"x")
    (tmp_path / "no-key.pem").write_bytes(b"no key")
    before = saved.read_bytes()
    for key in (other.private, ours.public, locked.private, tmp_path / "no-key.pem"):
        with pytest.raises(ValueError, match=f"{key} holds no ed25519 private key.*openssl genpkey"):
            save(model, saved, sign=key)
    assert saved.read_bytes() == before
    for key in (other.public, ours.private, tmp_path / "no-key.pem"):
        with pytest.raises(ValueError, match=f"{key} holds no ed25519 public key.*openssl pkey"):
            load(saved, verify=key)
    with pytest.raises(
        FileNotFoundError, match=r"there is no key file .*absent\.pem: make one with `openssl"
    ):
        read_signing_key(tmp_path / "absent.pem")


def test_without_the_extra_the_remedy_is_said(model, saved, ours, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    before = saved.read_bytes()
    with pytest.raises(ImportError, match=r'pip install "textspace\[sign\]"'):
        save(model, saved, sign=ours.private)
    with pytest.raises(ImportError, match=r'pip install "textspace\[sign\]"'):
        load(saved, verify=ours.public)
    assert saved.read_bytes() == before
    load(saved)
