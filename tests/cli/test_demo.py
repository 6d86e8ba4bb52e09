import pytest

from textspace.evaluation import Comparison
from textspace.methods import DEFAULT_METHODS, METHODS

# An index that refuses the connection at once, and no data at hand: a machine without a network.
OFFLINE = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": "/dev/null"}


@pytest.mark.slow
@pytest.mark.usefixtures("first_settings_only")
@pytest.mark.filterwarnings("ignore:.*components")  # so few documents have fewer dimensions than asked for
def test_demo_without_a_network_says_so_and_runs_on_the_bundled_texts(run, monkeypatch, tmp_path):
    for name, value in (OFFLINE | {"TEXTSPACE_DATA": str(tmp_path / "data")}).items():
        monkeypatch.setenv(name, value)
    code, out, err = run("demo", "--jobs", "1")
    assert code == 0, err
    assert "reuters-r52 cannot be had" in err
    assert "report: textspace-demo" in err
    folder = tmp_path / "textspace-demo"
    comparison = Comparison.load(folder / "results.json")
    assert comparison.corpus["name"] == "demo"
    assert all(run["error"] is None for run in comparison.runs)
    assert all(METHODS[name].title in out for name in DEFAULT_METHODS)
    assert (folder / "report.html").is_file()
    kept = {path.name.removesuffix("-0.json") for path in (folder / "runs" / "demo").glob("*-0.json")}
    assert kept == {*DEFAULT_METHODS, "blend-labelled"}  # the texts hold some without a label


def test_demo_refuses_an_unknown_corpus_and_a_folder_that_is_a_file(run, tmp_path):
    outcome = run("demo", "--corpus", "reuters-r25")
    assert outcome.code == 2
    assert "Did you mean 'reuters-r52'?" in outcome.err
    (tmp_path / "taken").write_text("")
    outcome = run("demo", "-o", "taken")
    assert outcome.code == 1
    assert "taken" in outcome.err
