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
        read(root)
    assert read(root, encoding="latin-1").texts == ["a", "one\ncafé"]


@pytest.mark.parametrize("files", [{}, {"1": b"a"}, {"x/.hidden": b"a"}])
def test_folder_without_documents(tmp_path, files):
    with pytest.raises(ValueError, match="holds no documents: it should have one subfolder a class"):
        read(fill(tmp_path, files))


def test_columns_make_no_sense_for_a_folder(tmp_path):
    with pytest.raises(ValueError, match="is a folder and has no columns"):
        read(fill(tmp_path, {"x/1": b"a"}), text="body")
