"""Fixtures shared by all tests."""

import multiprocessing
import os
from dataclasses import replace
from functools import cache
from multiprocessing import forkserver

# before numpy is loaded: the tests run side by side, and threads of each would wait for those of the others
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")  # processes only for tests that ask for several

import numba  # noqa: F401  (loaded, so that the tests run what is compiled, and not the same as plain Python)
import pytest

# What uses these fixtures reads a corpus, or starts a process, a server or a browser.
SLOW_FIXTURES = {"browser", "corpus_or_skip", "serving", "start"}
SLOW_FOLDERS = {"dask"}  # they need a cluster
SLOW_FILES = {
    f"tests/{name}.py"
    for name in (
        "classify/blend/test_many_classes",
        "classify/blend/test_subspace_blend",
        "classify/test_calibrated",
        "classify/test_nearest_documents",
        "classify/test_rlsc",
        "classify/test_self_training",
        "classify/test_top_down",
        "cli/test_corpus",
        "cli/test_reproduce",
        "cli/test_train",
        "evaluation/test_comparison",
        "evaluation/test_unlabelled",
        "graphs/test_geometry",
        "linear/test_base",
        "models/test_bounds",
        "models/test_check",
        "models/test_costs",
        "models/test_default",
        "models/test_embedded",
        "models/test_forged",
        "models/test_format_1",
        "models/test_static",
        "models/test_text_classifier",
        "selection/test_leverage",
        "service/test_app",
        "solvers/test_ridge_paths",
        "tensor/test_stm",
        "tensor/test_tensor_lrwmmc",
        "test_methods",
    )
}


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items):
    """Mark tests as slow by their fixtures and folders; others that take long are marked by hand."""
    for item in items:
        used = SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        place = item.path.relative_to(item.config.rootpath).as_posix()
        if used or item.path.parent.name in SLOW_FOLDERS or place in SLOW_FILES:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def corpus_or_skip():
    """Give a function that loads a corpus by name, or skips the test when it is not at hand."""
    from textspace.datasets import load

    @cache
    def get(name):
        try:
            return load(name, download=False)
        except FileNotFoundError as missing:
            pytest.skip(f"{name} is not in the data folder: {missing}")

    return get


@pytest.fixture(scope="session")
def nursery():
    """Give a context of multiprocessing whose processes come from one that has loaded what they need."""
    os.environ["NUMBA_NUM_THREADS"] = "1"  # of the processes, which inherit it
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["textspace.evaluation", "distributed", "textspace.dask"])
    forkserver.ensure_running()  # with these modules: distributed would name others
    return context


@pytest.fixture
def first_settings_only(monkeypatch):
    """Let each method try only the first of its settings."""
    from textspace.methods import METHODS

    for name, method in METHODS.items():
        grid = {setting: values[:1] for setting, values in method.grid.items()}
        monkeypatch.setitem(METHODS, name, replace(method, grid=grid))


@pytest.fixture(scope="session")
def r52(corpus_or_skip):
    """Give R52 as training rows and labels, test rows and labels."""
    from textspace.text import VectorSpace

    corpus = corpus_or_skip("reuters-r52")
    vectors = VectorSpace().fit(corpus.train.texts)
    return (
        vectors.transform(corpus.train.texts),
        corpus.train.labels,
        vectors.transform(corpus.test.texts),
        corpus.test.labels,
    )


@pytest.fixture(scope="session")
def nearest_in(r52):
    """Give a function that fits a space to a third of R52; it gives the true and the nearest test labels."""
    from sklearn.neighbors import KNeighborsClassifier

    X, y, test, truth = r52

    def nearest_in(space):
        nearest = KNeighborsClassifier(1).fit(space.fit(X[::3], y[::3]).transform(X[::3]), y[::3])
        return truth, nearest.predict(space.transform(test))

    return nearest_in
