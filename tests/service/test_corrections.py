import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from textspace.service._corrections import Corrections


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
        b'{"text": "a", "label": "b"}\r{"text": "c", "label": "d"}\r{"text": "e", "lab',
        b'{"text": "a", "label": "b"}{"text": "c", "label": "d"}',
        b'{"text": "a", "label": ' + b"[" * 200_000,
        '{"text": "ä", "label": "b"'.encode("latin-1"),
        b"[" * 200_000,
        b"1" * 6000,
        b"my diary\nand its last line",
        b'{"text": "' + b"x" * 600_000,  # longer than a line of ours
    ],
    ids=range(8),
)
def test_nothing_is_taken_away_but_half_a_line_of_a_service(tmp_path, content):
    path = tmp_path / "corrections.jsonl"
    path.write_bytes(content)
    Corrections(path).add("more", "b", "a")
    assert path.read_bytes().startswith(content + b'\n{"text": "more", ')


def test_file_that_is_one_endless_line_is_not_read_whole(tmp_path):
    path = tmp_path / "corrections.jsonl"
    with open(path, "wb") as file:
        file.truncate(3 << 30)
    tracemalloc.start()
    try:
        Corrections(path)
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


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
