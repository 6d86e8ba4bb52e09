import json
import os

import polars
import pytest

from textspace.datasets import read
from textspace.tables import _frame_rows, _frames, is_elsewhere, read_table


@pytest.fixture
def save(tmp_path):
    """Give a function that writes a split as Hugging Face's `datasets` do, in two files."""

    def save(folder, frame, names, split=None, n_examples=None):
        folder.mkdir(parents=True)
        half = frame.height // 2
        files = {"data-00000-of-00002.arrow": frame[:half], "data-00001-of-00002.arrow": frame[half:]}
        for name, part in files.items():
            part.write_ipc_stream(folder / name)
        state = {"_data_files": [{"filename": name} for name in files], "_split": split}
        (folder / "state.json").write_text(json.dumps(state))
        features = {"label": {"names": names, "_type": "ClassLabel"}, "text": {"dtype": "string"}}
        about = {"features": features, "splits": {split: {"num_examples": n_examples or frame.height}}}
        (folder / "dataset_info.json").write_text(json.dumps(about))
        return folder

    return save


FRAME = polars.DataFrame({"text": ["corn", "port", "oats", "ship"], "label": [0, 1, 0, -1]})


def test_one_split_with_the_names_of_its_classes(tmp_path, save):
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"], "train")
    assert is_elsewhere(path)
    table = read_table(path)
    assert table.column("label") == ["grain", "ship", "grain", None]
    assert table.where(2) == "row 3"
    assert read(path).labels.tolist() == ["grain", "ship", "grain", ""]


def test_several_labels_with_their_names(tmp_path, save):
    frame = polars.DataFrame({"text": ["corn", "port"], "label": [[0, 1], []]})
    path = save(tmp_path / "mails", frame, [])
    feature = {"feature": {"names": ["grain", "ship"], "_type": "ClassLabel"}, "_type": "Sequence"}
    (path / "dataset_info.json").write_text(json.dumps({"features": {"label": feature}}))
    assert read(path).labels.tolist() == [("grain", "ship"), ()]


def test_several_splits(tmp_path, save):
    for split in ("train", "test", "validation"):
        save(tmp_path / "mails" / split, FRAME[:3], ["grain", "ship"], split)
    (tmp_path / "mails" / "dataset_dict.json").write_text('{"splits": ["train", "test", "validation"]}')
    corpus = read(tmp_path / "mails")
    assert (len(corpus.train), len(corpus.test)) == (3, 3)
    assert "Splits that were not read: validation. Name one with sheet= (--sheet)." in corpus.notes
    assert read(tmp_path / "mails", sheet="validation").split is None
    with pytest.raises(ValueError, match="has no split 'dev': its splits are train, test, validation"):
        read(tmp_path / "mails", sheet="dev")


def test_rows_that_are_missing_are_said(tmp_path, save):
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"], "train", n_examples=5)
    with pytest.raises(ValueError, match="4 rows come of 5"):
        read_table(path)


@pytest.mark.parametrize("name", ["../secret.arrow", "/etc/passwd", "..", "", None, "a/b"])
def test_files_outside_of_the_folder_are_refused(tmp_path, save, name):
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"])
    (path / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
    with pytest.raises(ValueError, match="is no file of the folder"):
        read_table(path)


def test_damaged(tmp_path, save):
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"])
    (path / "data-00001-of-00002.arrow").write_bytes(b"\xff" * 50)
    with pytest.raises(ValueError, match=r"data-00001-of-00002\.arrow is damaged or no Arrow file"):
        read_table(path)
    (path / "state.json").write_text("{")
    with pytest.raises(ValueError, match=r"state\.json is damaged"):
        read_table(path)


VALUES = [5, None, "train", ["a"], [None], {"train": 5}]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("part", ["splits", "_data_files"])
def test_lists_of_splits_and_files_that_are_damaged(tmp_path, save, part, value):
    path = save(tmp_path / "mails" / "train", FRAME, ["grain", "ship"], "train").parent
    (path / "dataset_dict.json").write_text(json.dumps({"splits": ["train"]} | {part: value}))
    if part != "splits":
        (path / "train" / "state.json").write_text(json.dumps({part: value}))
    with pytest.raises(ValueError, match=r"mails.* (is damaged|has no rows|is refused)"):
        read_table(path)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("part", ["_split", "features", "splits"])
def test_what_need_not_be_there_may_be_damaged(tmp_path, save, monkeypatch, part, value):
    monkeypatch.setattr(_frames, "rows_apart", _frame_rows.rows)  # which takes no process of its own
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"], "train")
    name = path / ("state.json" if part == "_split" else "dataset_info.json")
    name.write_text(json.dumps(json.loads(name.read_text()) | {part: value}))
    assert read_table(path).n_rows == 4


@pytest.mark.parametrize("labels", [["grain", "ship"], [0, 2], [0, -2], [0.0, 1.0], [[0], [2]]])
def test_labels_that_are_no_numbers_of_classes_are_refused(tmp_path, save, monkeypatch, labels):
    monkeypatch.setattr(_frames, "rows_apart", _frame_rows.rows)
    path = save(tmp_path / "mails", polars.DataFrame({"text": ["corn", "port"], "label": labels}), ["a", "b"])
    with pytest.raises(ValueError, match=r"arrow, column 'label': .* is no number of one of its 2 classes"):
        read_table(path).column("label")


def test_a_file_that_is_a_pipe_is_not_waited_for(tmp_path, save):
    path = save(tmp_path / "mails", FRAME, ["grain", "ship"])
    os.remove(path / "data-00000-of-00002.arrow")
    os.mkfifo(path / "data-00000-of-00002.arrow")
    with pytest.raises(ValueError, match="is no file of the folder"):
        read_table(path)
