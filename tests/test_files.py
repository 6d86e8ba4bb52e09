import os
import stat

import pytest

from textspace._files import atomic_open


def test_replaces_the_old_content_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "note.txt"
    for text in ("first", "sécond"):
        with atomic_open(path) as file:
            file.write(text)
    assert path.read_text(encoding="utf-8") == "sécond"
    assert os.listdir(tmp_path) == ["note.txt"]


def test_bytes(tmp_path):
    with atomic_open(tmp_path / "data.bin", "wb") as file:
        file.write(b"\x00\xff")
    assert (tmp_path / "data.bin").read_bytes() == b"\x00\xff"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_keeps_the_old_content_when_the_writer_raises(tmp_path, error):
    path = tmp_path / "note.txt"
    path.write_text("old")

    def write_half():
        with atomic_open(path) as file:
            file.write("half")
            assert path.read_text() == "old"
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["note.txt"]


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_open(tmp_path / "nowhere" / "note.txt") as file:
        file.write("text")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_permissions_follow_the_umask(tmp_path):
    (tmp_path / "plain").write_text("")
    with atomic_open(tmp_path / "atomic") as file:
        file.write("")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "atomic")}
    assert len(modes) == 1
