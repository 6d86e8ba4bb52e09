import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from textspace.service._corrections import Corrections, CorrectionsFullError


def test_lines_of_many_threads_and_services_do_not_mix(tmp_path):
    path = tmp_path / "corrections.jsonl"
    files = [Corrections(path), Corrections(path)]
    texts = [f"{i} " + "long text " * 2000 for i in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: files[i % 2].add(texts[i], "a", "b"), range(60)))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(line["text"] for line in lines) == sorted(texts)


def test_line_that_was_left_open_is_closed(tmp_path):
    path = tmp_path / "corrections.jsonl"
    path.write_text('{"text": "by hand", "label": "a"}')
    Corrections(path).add("more", "b", "a")
    assert [json.loads(line)["text"] for line in path.read_text().splitlines()] == ["by hand", "more"]


@pytest.mark.parametrize("length", [10, 5000, 300_000])
def test_half_a_line_of_a_killed_process_is_taken_away(tmp_path, length):
    path = tmp_path / "corrections.jsonl"
    path.write_text('{"text": "first", "label": "a"}\n{"text": "' + "x" * length)
    corrections = Corrections(path)
    assert path.read_text() == '{"text": "first", "label": "a"}\n'
    with open(path, "a") as file:  # while the service runs
        file.write('{"text": "' + "y" * length)
    corrections.add("more", "b", "a")
    assert [json.loads(line)["text"] for line in path.read_text().splitlines()] == ["first", "more"]


@pytest.mark.parametrize(
    "content",
    [
        b'{"text": "a", "label": "x"}\r{"text": "b", "label": "y"}\r',
        b'{"text": "a", "label": "x"},',
        b'{"text": "a", "label": "x"}{"text": "b", "label": "y"}',
        b"1" * 6000,
        b"text,label\rcorn,grain",
        '{"text": "é'.encode(),
        b'{"text": "a", "label": ' + b"[" * 100_000,
        b'{"text": "' + b"a" * 600_000,  # more than a line may have
    ],
    ids=["line ends of old", "comma", "side by side", "number", "table", "letters", "deep", "long"],
)
def test_what_somebody_else_wrote_is_not_taken_away(tmp_path, content):
    path = tmp_path / "corrections.jsonl"
    path.write_bytes(content)
    Corrections(path).add("more", "b", "a")
    kept, added, end = path.read_bytes().rsplit(b"\n", 2)
    assert kept == content
    assert json.loads(added)["text"] == "more"
    assert end == b""


def test_a_file_without_line_ends_is_not_read_whole(tmp_path):
    path = tmp_path / "corrections.jsonl"
    with open(path, "wb") as file:
        file.truncate(1 << 40)  # it takes no room on the disk
    with pytest.raises(CorrectionsFullError):
        Corrections(path).add("more", "b", "a")


@pytest.mark.parametrize("moved", [True, False])
def test_file_that_is_moved_away_or_removed_meanwhile_is_made_anew(tmp_path, moved):
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "corrections.jsonl"
    corrections = Corrections(path)
    with ThreadPoolExecutor(1) as pool, open(path, "ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        adding = pool.submit(corrections.add, "more", "b", "a")
        time.sleep(0.2)  # it waits for the other service
        path.rename(tmp_path / "old.jsonl") if moved else path.unlink()
        fcntl.flock(other, fcntl.LOCK_UN)
        adding.result()
    assert json.loads(path.read_text())["text"] == "more"


def test_any_text_is_one_line_of_ascii(tmp_path):
    path = tmp_path / "corrections.jsonl"
    text = "a\nb\r\x00\u2028\x85 é 漢 😀"
    Corrections(path).add(text, "a", "b")
    assert path.read_bytes().isascii()
    assert path.read_bytes().count(b"\n") == 1
    assert json.loads(path.read_text())["text"] == text


def test_file_that_cannot_be_used_is_refused_at_the_start(tmp_path):
    with pytest.raises(ValueError, match=r"\.jsonl"):
        Corrections(tmp_path / "corrections.csv")
    with pytest.raises(OSError, match="choose another file"):
        Corrections(tmp_path / "no folder" / "corrections.jsonl")
