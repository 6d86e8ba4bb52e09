from pathlib import Path

from textspace._folders import cache_folder


def test_the_folder_of_xdg_comes_first_if_it_is_a_full_path(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "textspace"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert cache_folder().is_relative_to(Path.home())
