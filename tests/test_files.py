import os
import signal
import stat

import pytest

from textspace import _files
from textspace._files import atomic_open, scratch_folder


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


def test_an_interrupt_while_the_file_is_opened_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(_files, "_lock", interrupt)
    for context in (atomic_open(tmp_path / "note.txt"), _files.scratch_folder(tmp_path)):
        with pytest.raises(KeyboardInterrupt), context:
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["pipe", "link"])
def test_devices_and_pipes_are_not_replaced(name, tmp_path):
    """Who is root could lose /dev/null to a file."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(FileExistsError, match="a device or pipe has this name"), atomic_open(tmp_path / name):
        pass
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


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


def leave_a_part(folder, name):
    """Give the name of the hidden file that a process leaves which is killed while it writes."""
    pid = os.fork()
    if not pid:
        with atomic_open(folder / name) as file:
            file.write("half")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    [left] = [found for found in os.listdir(folder) if found.endswith(".part") and name in found]
    return left


posix = pytest.mark.skipif(os.name == "nt", reason="needs the signals and locks of POSIX")


@posix
def test_what_a_killed_process_left_is_swept_at_the_next_write(tmp_path):
    for name in ("a.csv", "b.csv"):
        leave_a_part(tmp_path, name)
    with atomic_open(tmp_path / "a.csv") as file:
        file.write("whole")
    assert os.listdir(tmp_path) == ["a.csv"]


@posix
def test_folders_are_swept_too_but_not_while_they_are_used(tmp_path):
    pid = os.fork()
    if not pid:
        with scratch_folder(tmp_path) as folder:
            (folder / "half").write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert len(os.listdir(tmp_path)) == 1
    with scratch_folder(tmp_path) as ours:
        assert os.listdir(tmp_path) == [ours.name]
        with atomic_open(tmp_path / "a.csv") as file:
            file.write("whole")
        assert ours.is_dir()
    assert os.listdir(tmp_path) == ["a.csv"]


@posix
def test_files_that_are_being_written_and_those_of_others_are_not_swept(tmp_path):
    others = [".a.csv.part", "a.csv.123-0123abcd.part", ".a.csv.12-0123abcd", ".hidden"]
    for name in others:
        (tmp_path / name).touch()
    with atomic_open(tmp_path / "a.csv") as first:
        first.write("one")
        with atomic_open(tmp_path / "a.csv") as second:
            second.write("two")
    assert (tmp_path / "a.csv").read_text() == "one"
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "a.csv"])


@posix
def test_a_full_disk_and_a_forbidden_folder_name_the_file(tmp_path):
    import resource

    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, old[1]))
    try:
        with (
            pytest.raises(OSError, match=r"File too large: '.*note\.txt'$"),
            atomic_open(tmp_path / "note.txt") as file,
        ):
            file.write("x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError, match=r"'[^']*folder'$"), atomic_open(tmp_path / "folder") as file:
        file.write("x")
    assert os.listdir(tmp_path) == ["folder"]


def test_an_error_of_another_file_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="other"), atomic_open(tmp_path / "note.txt"):
        (tmp_path / "other").read_text()


@posix
def test_a_pipe_or_a_link_under_the_name_of_a_part_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / ".a.csv.1-0123abcd.part")
    (tmp_path / ".b.csv.1-0123abcd.part").symlink_to(tmp_path / "pipe")
    with atomic_open(tmp_path / "a.csv") as file:
        file.write("whole")
    assert (tmp_path / "pipe").exists()
    assert (tmp_path / "a.csv").read_text() == "whole"


@posix
def test_a_part_of_a_file_whose_name_has_two_lines_is_swept(tmp_path):
    leave_a_part(tmp_path, "a\nb.csv")
    with atomic_open(tmp_path / "a.csv") as file:
        file.write("whole")
    assert os.listdir(tmp_path) == ["a.csv"]
