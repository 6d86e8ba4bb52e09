"""Fixtures shared by all tests."""

import os
from dataclasses import replace

# before numpy is loaded: the tests run side by side, and threads of the BLAS would wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest


@pytest.fixture(scope="session")
def corpus_or_skip():
    """Give a function that loads a corpus by name, or skips the test when it is not at hand."""
    from textspace.datasets import load

    def get(name):
        try:
            return load(name, download=False)
        except FileNotFoundError as missing:
            pytest.skip(f"{name} is not in the data folder: {missing}")

    return get


@pytest.fixture
def first_settings_only(monkeypatch):
    """Let each method try only the first of its settings."""
    from textspace.methods import METHODS

    for name, method in METHODS.items():
        grid = {setting: values[:1] for setting, values in method.grid.items()}
        monkeypatch.setitem(METHODS, name, replace(method, grid=grid))
