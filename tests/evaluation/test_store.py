"""A folder of finished runs, whatever they are made for."""

import pytest

from textspace.evaluation import RunStore


def test_runs_are_found_again_by_their_names(tmp_path):
    RunStore(tmp_path / "new", {"corpus": "demo"}).save("svm-0", {"f1": [0.5, 1 / 3]})
    store = RunStore(tmp_path / "new", {"corpus": "demo"})
    assert store.load("svm-0") == {"f1": [0.5, 1 / 3]}
    assert store.load("svm-1") is None


def test_what_runs_depend_on_may_grow_but_not_change(tmp_path):
    RunStore(tmp_path, {"corpus": "demo"})
    RunStore(tmp_path, {"corpus": "demo", "method 'svm'": "1"})
    RunStore(tmp_path, {"corpus": "demo", "method 'nb'": "2"})
    with pytest.raises(ValueError, match=r"another experiment \(other corpus, method 'svm'\)"):
        RunStore(tmp_path, {"corpus": "other", "method 'svm'": "3"}, work="experiment")


@pytest.mark.parametrize("content", ['{"f1": 1}', '{"f1": 1, "acc', "[1]", ""])
def test_what_is_not_a_whole_run_is_none(tmp_path, content):
    def check(run):
        if not run.keys() >= {"f1", "accuracy"}:
            raise ValueError("something is missing")

    store = RunStore(tmp_path, {}, check=check)
    (tmp_path / "svm-0.json").write_text(content)
    assert store.load("svm-0") is None
