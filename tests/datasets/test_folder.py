import os
import tempfile
from pathlib import Path

import pytest

from textspace.datasets import read


def fill(root, files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def rows(corpus):
    split = corpus.split if corpus.split is not None else [None] * len(corpus)
    return list(zip(corpus.texts, corpus.labels.tolist(), map(str, split), strict=True))


def test_a_subfolder_a_class(tmp_path):
    root = fill(tmp_path / "mails", {"ham/2": b"two", "ham/1.txt": b"one", "spam/1": b"three"})
    corpus = read(root)
    assert rows(corpus) == [("one", "ham", "None"), ("two", "ham", "None"), ("three", "spam", "None")]
    assert (corpus.name, corpus.notes) == ("mails", ())


def test_train_and_test_are_the_split(tmp_path):
    files = {
        "train/x/1": b"a",
        "train/y/1": b"b",
        "test/x/1": b"c",
        "unlabelled/1": b"d",
        "unlabelled/z/2": b"e",
    }
    assert rows(read(fill(tmp_path, files))) == [
        ("c", "x", "test"),
        ("a", "x", "train"),
        ("b", "y", "train"),
        ("d", "", "unlabelled"),
        ("e", "", "unlabelled"),
    ]


def test_train_alone_is_a_class(tmp_path):
    corpus = read(fill(tmp_path, {"train/1": b"a", "bus/1": b"b"}))
    assert corpus.classes.tolist() == ["bus", "train"]
    assert corpus.split is None


def test_other_folder_beside_train_and_test(tmp_path):
    with pytest.raises(ValueError, match="folder 'dev' beside train and test: move it away"):
        read(fill(tmp_path, {"train/x/1": b"a", "test/x/1": b"b", "dev/x/1": b"c"}))


def test_hidden_files_are_skipped_and_stray_ones_noted(tmp_path):
    files = {"x/1": b"a", "y/1": b"b", "x/.DS_Store": b"\xff", ".git/config": b"\xff"}
    assert read(fill(tmp_path, files)).notes == ()
    corpus = read(fill(tmp_path, {"README": b"\xff", "x/deeper/1": b"\xff"}))
    assert corpus.texts == ["a", "b"]
    assert corpus.notes == ("2 files do not lie directly in the folder of a class and were not read.",)


def test_empty_files_are_left_out_and_named(tmp_path):
    corpus = read(fill(tmp_path, {"x/1": b"a", "y/1": b" \n"}))
    assert corpus.texts == ["a"]
    assert "1 of 2 documents have no text and were left out: y/1." in corpus.notes[0].replace("\\", "/")


def test_undecodable_file_is_named(tmp_path):
    root = fill(tmp_path, {"x/1": b"a", "y/1": b"one\ncaf\xe9"})
    with pytest.raises(ValueError, match=r"y.1, line 2: byte 0xe9 at position 7 is not utf-8"):
        read(root, encoding="utf-8")
    corpus = read(root)
    assert corpus.texts == ["a", "one\ncafé"]
    assert "1 files: The file is not UTF-8 and was read as latin-1" in corpus.notes[0]


@pytest.mark.parametrize("files", [{}, {"1": b"a"}, {"x/.hidden": b"a"}])
def test_folder_without_documents(tmp_path, files):
    with pytest.raises(ValueError, match="holds no documents: it should have one subfolder a class"):
        read(fill(tmp_path, files))


def test_columns_make_no_sense_for_a_folder(tmp_path):
    with pytest.raises(ValueError, match="is a folder and has no columns"):
        read(fill(tmp_path, {"x/1": b"a"}), text="body")


links = pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")


@links
@pytest.mark.parametrize("label", [None, False])
def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path, label):
    secret = fill(tmp_path / "secret", {"z/shadow": b"root:secret"})
    root = fill(tmp_path / "mails", {"x/1": b"a", "y/1": b"b"})
    (root / "x" / "passwd").symlink_to(secret / "z" / "shadow")
    (root / "z").symlink_to(secret / "z")
    (root / "y" / "nowhere").symlink_to(tmp_path / "nothing")
    (root / "y" / "loop").symlink_to(root / "y" / "loop")
    os.mkfifo(root / "y" / "pipe")
    corpus = read(root, label=label)
    assert corpus.texts == ["a", "b"]
    assert corpus.notes == (
        "5 links that lead out of the folder, or things that are no files, were not read: "
        "x/passwd, y/loop, y/nowhere and others.",
    )


@links
def test_links_within_the_folder_are_followed(tmp_path):
    root = fill(tmp_path / "mails", {"x/1": b"a", "y/1": b"b"})
    (root / "x" / "2").symlink_to(root / "y" / "1")
    (root / "z").symlink_to("y")
    (tmp_path / "alias").symlink_to(root)
    for path in (root, tmp_path / "alias"):
        corpus = read(path)
        assert rows(corpus) == [(*pair, "None") for pair in [("a", "x"), ("b", "x"), ("b", "y"), ("b", "z")]]
        assert corpus.notes == ()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become someone else")
def test_a_folder_that_cannot_be_read_is_said():
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        root = fill(Path(place), {"one.txt": b"corn", "closed/two.txt": b"wheat"})
        (root / "closed").chmod(0)
        os.seteuid(54321)
        try:
            with pytest.raises(PermissionError, match="closed"):
                read(root, label=False)
        finally:
            os.seteuid(0)
