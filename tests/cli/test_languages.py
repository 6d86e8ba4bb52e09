"""What `--language` means in each verb, and the verb `export`."""

import csv
import json

import pytest

GERMAN = "Der {0} kam gestern, und die {1} waren damit zufrieden, obwohl es lange gedauert hat, bis es ging."
ENGLISH = "The {0} came yesterday, and the {1} were happy with it, although it took a long time until it ran."
GOODS = {"tools": ("Hammer", "Schrauben"), "food": ("Apfel", "Kartoffeln")}


@pytest.fixture
def mixed(tmp_path):
    rows = [("text", "label")]
    for number in range(24):
        for label, (one, more) in GOODS.items():
            sentence = ENGLISH if number % 8 == 0 else GERMAN
            rows.append((sentence.format(f"{one} {number}", f"{more} {number % 5}"), label))
    with open(tmp_path / "goods.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return tmp_path / "goods.csv"


def test_check_finds_texts_in_another_language(run, mixed):
    found = json.loads(run("check", mixed, "--language", "de", "--json").out)["findings"]
    [finding] = [each for each in found if each["kind"] == "languages"]
    assert (
        "6 of 48 texts of 100 characters and more are not in German, but in English (6)."
        in finding["sentence"]
    )
    assert len(finding["groups"][0]) == 6
    for language in ("auto", "none"):
        kinds = [
            each["kind"]
            for each in json.loads(run("check", mixed, "--language", language, "--json").out)["findings"]
        ]
        assert "languages" not in kinds
    outcome = run("check", mixed, "--language", "dee")
    assert outcome.code == 2
    assert "there is no language 'dee'" in outcome.err


def test_compare_and_select_take_the_stems_of_the_language(run, mixed):
    words = ["compare", mixed, "--methods", "nb", "--train-share", "0.5", "--json"]
    spaces = [
        json.loads(run(*words, *more).out)["protocol"]["space"]
        for more in ([], ["--language", "none"], ["--language", "en"])
    ]
    assert spaces == [
        "VectorSpace(stem='auto', stop_words='auto', tokens='whole')",
        "VectorSpace(stem=None, stop_words=None, tokens='whole')",
        "VectorSpace()",
    ]
    terms = [
        json.loads(run("select", mixed, "--language", code, "--json").out)["terms"] for code in ("de", "none")
    ]
    names = [{term["term"] for term in each} for each in terms]
    assert "waren" not in names[0]  # a stop word
    assert "waren" in names[1]


def test_export_writes_a_page_or_a_module(run, mixed, tmp_path):
    assert run("train", mixed, "--quick", "-o", "goods.textspace").code == 0
    outcome = run("export", "goods.textspace")
    assert outcome.code == 0
    assert "page: goods.html (" in outcome.out
    assert "<title>goods</title>" in (tmp_path / "goods.html").read_text(encoding="utf-8")
    found = json.loads(run("export", "goods.textspace", "-o", "goods.mjs", "--json").out)
    assert found["n_labels"] == 2
    assert found["bytes"] == (tmp_path / "goods.mjs").stat().st_size
    refused = run("export", "goods.textspace", "-o", "goods.txt")
    assert refused.code == 2
    assert "let it end in .html or .js" in refused.err
    assert run("train", mixed, "--quick", "--language", "es", "-o", "es.textspace").code == 0
    refused = run("export", "es.textspace")
    assert refused.code == 1
    assert "train with --language none" in refused.err
    assert not (tmp_path / "es.html").exists()
