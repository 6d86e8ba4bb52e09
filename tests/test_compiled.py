"""Compiled code is kept from one start to the next, and whatever happens to it, functions run."""

import importlib.util
import os
import resource
import shutil
import sys
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path

import numba
import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import textspace
from textspace import _kept_code
from textspace._compiled import LongWorkError, as_written, blas_threads

SOURCE = """
from textspace._compiled import compiled

@compiled(nogil=True)
def add(number):
    return number + 1
"""
COUNTING = """
from textspace._compiled import compiled

@compiled()
def add(number):
    return number + 1

@compiled(steps=lambda number: number)
def count(number):
    found = 0
    for _ in range(number):
        found = add(found)
    return found
"""
CALLER = """
from first import add
from textspace._compiled import compiled

@compiled()
def twice(number):
    return add(add(number))
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Give a function that imports the module of a file anew, as a process that starts does."""
    monkeypatch.setenv("TEXTSPACE_CACHE", str(tmp_path / "kept"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(name="first", source=SOURCE):
        path = tmp_path / f"{name}.py"
        path.write_text(source)
        for cached in (_kept_code.folder, _kept_code._hash):
            cached.cache_clear()
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    yield load
    _kept_code.folder.cache_clear()


def was_loaded(function):
    return sum(function.dispatcher.stats.cache_hits.values()) > 0


@contextmanager
def one_warning(match):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert len(caught) == 1
    assert match in str(caught[0].message)
    assert "TEXTSPACE_CACHE" in str(caught[0].message)


def kept(tmp_path):
    return sorted((tmp_path / "kept").iterdir())


def test_code_is_compiled_once_and_for_its_owner_only(start, tmp_path):
    first = start().add
    assert first(1) == 2
    assert not was_loaded(first)
    second = start().add
    assert second(1) == 2
    assert was_loaded(second)
    assert second(1.5) == 2.5  # another type, another file
    assert [path.stat().st_mode & 0o777 for path in kept(tmp_path)] == [0o600, 0o600]
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


DAMAGE = {
    "emptied": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "of another program": lambda content: b"\x80\x04\x95 no such code",
    "with a byte flipped": lambda content: (
        content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]
    ),  # in the code
    "with another hash": lambda content: bytes(32) + content[32:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_compiled_and_written_anew(start, tmp_path, damage):
    start().add(1)
    (path,) = kept(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mended = start().add
        assert mended(1) == 2
    assert not was_loaded(mended)
    again = start().add
    assert again(1) == 2
    assert was_loaded(again)


def test_a_file_under_the_name_of_another_is_not_loaded(start, tmp_path):
    other = SOURCE.replace("add", "less").replace("+ 1", "- 1")
    start(source=SOURCE + other.partition("compiled\n")[2]).less(1)
    (less,) = kept(tmp_path)
    both = start(source=SOURCE + other.partition("compiled\n")[2])
    both.add(1)
    (add,) = set(kept(tmp_path)) - {less}
    shutil.copy(less, add)
    assert start(source=SOURCE + other.partition("compiled\n")[2]).add(1) == 2


def test_what_cannot_be_unpickled_is_compiled(start, tmp_path):
    start().add(1)
    (path,) = kept(tmp_path)
    cache = start().add.dispatcher._cache
    path.write_bytes(cache._seal(path.name, b"whole but no pickle") + b"whole but no pickle")
    assert start().add(1) == 2


def test_a_changed_source_is_compiled_anew_in_the_place_of_the_old(start, tmp_path):
    start().add(1)
    changed = start(source=SOURCE.replace("+ 1", "+ 2")).add
    assert changed(1) == 3
    assert not was_loaded(changed)
    assert len(kept(tmp_path)) == 1


def test_a_change_of_a_function_in_another_file_counts(start):
    start()
    assert start("second", CALLER).twice(1) == 3
    start()
    assert was_loaded_after_call(start("second", CALLER).twice)
    start(source=SOURCE.replace("+ 1", "+ 5"))
    assert start("second", CALLER).twice(1) == 11


def was_loaded_after_call(function):
    function(1)
    return was_loaded(function)


def test_without_a_folder_it_is_compiled_with_one_warning(start, tmp_path):
    (tmp_path / "kept").write_text("a file where the folder would be")
    with one_warning("File exists"):
        module = start()
        assert module.add(1) == 2
        assert module.add(1.5) == 2.5


def test_a_full_disk_is_one_warning_and_leaves_no_piece(start, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with one_warning("File too large"):
        module = start()
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            results = module.add(1), module.add(1.5)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert results == (2, 2.5)
    assert kept(tmp_path) == []


def test_a_folder_that_others_can_write_to_is_not_used(start, tmp_path):
    start().add(1)
    (tmp_path / "kept").chmod(0o777)
    with one_warning("chmod go-w"):
        module = start()
        assert module.add(1) == 2
        assert module.add(1.5) == 2.5
    assert not was_loaded(module.add)
    assert len(kept(tmp_path)) == 1


def test_a_new_folder_that_others_can_write_to_is_not_used(start, tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(0o770)
    with one_warning("others can write to"):
        assert start().add(1) == 2
    assert kept(tmp_path) == []


def test_a_file_that_others_can_write_to_is_not_loaded(start, tmp_path):
    start().add(1)
    kept(tmp_path)[0].chmod(0o622)
    with one_warning("others can write to"):
        module = start()
        assert module.add(1) == 2
    assert not was_loaded(module.add)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(start, tmp_path):
    start().add(1)
    os.chown(tmp_path / "kept", 12345, -1)
    with one_warning("belongs to another user"):
        module = start()
        assert module.add(1) == 2
    assert not was_loaded(module.add)


@contextmanager
def nobody():
    """Become a user whom the system does not know and who owns nothing here, if we may."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(54321, 54321, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def test_a_home_that_cannot_be_written_to(start, tmp_path, monkeypatch):
    (tmp_path / "home").mkdir(mode=0o555)
    monkeypatch.delenv("TEXTSPACE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    module = start()
    with one_warning("Permission denied"), nobody():
        assert module.add(1) == 2
        assert module.add(1.5) == 2.5


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone without a home")
def test_no_home_at_all(start, monkeypatch):
    for name in ("TEXTSPACE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    module = start()
    with one_warning("home"), nobody():
        assert module.add(1) == 2
        assert module.add(1.5) == 2.5


def test_the_home_of_a_user_that_there_is_not(start, monkeypatch):
    monkeypatch.setenv("TEXTSPACE_CACHE", "~nobody-of-this-name/kept")
    module = start()
    with one_warning("home"):
        assert module.add(1) == 2


def test_whoever_reads_while_others_write_finds_all_of_a_file(tmp_path):
    contents = [bytes([number]) * 100_000 for number in range(4)]
    folder = _kept_code.Folder(tmp_path / "kept")
    folder.write("code", contents[0])

    def write(content):
        for _ in range(50):
            _kept_code.Folder(tmp_path / "kept").write("code", content)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert folder.read("code") in contents
    assert [path.name for path in kept(tmp_path)] == ["code"]


def test_where_code_is_kept(monkeypatch, tmp_path):
    def chosen():
        _kept_code.folder.cache_clear()
        return _kept_code.folder().path

    monkeypatch.delenv("TEXTSPACE_CACHE", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert chosen() == tmp_path / "textspace" / "compiled"
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "numba"))
    assert chosen() == tmp_path / "numba" / "textspace"
    monkeypatch.setenv("TEXTSPACE_CACHE", str(tmp_path / "own"))
    assert chosen() == tmp_path / "own"
    _kept_code.folder.cache_clear()


def test_without_compilation_functions_are_plain(start, monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert start().add(1) == 2


def test_every_compiled_function_of_the_package_is_kept_so():
    sources = Path(textspace.__file__).parent.rglob("*.py")
    using_numba = {path.name for path in sources if "njit" in path.read_text(encoding="utf-8")}
    assert using_numba == {"_compiled.py"}


@pytest.mark.parametrize("is_loaded", [False, True])
def test_what_takes_long_is_not_run_as_it_is_written(start, is_loaded):
    module = start(source=COUNTING)
    if is_loaded:
        module.count(3)
    with as_written():
        assert module.count(np.int8(100)) == 100  # another type, for which nothing was compiled
        with pytest.raises(LongWorkError, match="count"):
            module.count(60_000)
        with pytest.raises(LongWorkError, match="add"):
            module.add(1)
    assert len(module.count.dispatcher.signatures) == is_loaded
    assert module.count(60_000) == 60_000


def blas_limits():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_threads_that_hold_the_blas_back_together_leave_it_as_it_was():
    with threadpool_limits(2, user_api="blas"):
        first, second = blas_threads(1), blas_threads(1)
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert blas_limits() == {1}
        second.__exit__(None, None, None)
        assert blas_limits() == {2}


def test_limits_of_the_blas_within_each_other():
    with threadpool_limits(2, user_api="blas"), blas_threads(1):
        with blas_threads(2):
            assert blas_limits() == {2}
        assert blas_limits() == {1}
