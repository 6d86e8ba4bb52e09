import json

from textspace.datasets import available, load


def test_list(run):
    shown = run("data", "list")
    assert shown.code == 0
    listed = json.loads(run("data", "list", "--json").out)
    assert [row["name"] for row in listed] == [info.name for info in available()]
    assert all(row["name"] in shown.out for row in listed)


def test_get(run):
    found = json.loads(run("data", "get", "demo", "--json").out)
    corpus = load("demo")
    assert found["documents"] == len(corpus)
    assert found["train"] == len(corpus.train)
    assert found["classes"] == len(corpus.classes)
    assert run("data", "get", "demo").out.splitlines()[1] == f"path        {found['path']}"


def test_get_what_is_not_to_be_had(run, monkeypatch, tmp_path):
    outcome = run("data", "get", "reuters-r25")
    assert outcome.code == 2
    assert "Did you mean 'reuters-r52'?" in outcome.err
    monkeypatch.setenv("TEXTSPACE_DATA", str(tmp_path))
    outcome = run("data", "get", "tdt2-30")
    assert outcome.code == 1
    assert outcome.err.startswith("error: TDT2.mat is not in ")


def test_get_a_collection_of_tasks(run, corpus_or_skip):
    corpus_or_skip("reuters-r52")  # the stand-ins are drawn from the same file
    found = json.loads(run("data", "get", "techtc-standin", "--json").out)
    assert found["read by"] == "textspace.datasets.binary_tasks"
