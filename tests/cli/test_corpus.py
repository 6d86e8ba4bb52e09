"""Unlabelled documents and trees beside a user's file, through ``textspace compare``."""

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from textspace.datasets import Corpus, open_corpus
from textspace.datasets._open import with_unlabelled
from textspace.evaluation import Comparison

QUICK = ["--methods", "svm,nb", "--jobs", "1"]


@pytest.fixture
def more(tmp_path):
    """A file with 30 documents without labels, all with a word that no labelled document has."""
    path = tmp_path / "more.jsonl"
    words = ["corn wheat", "cargo vessel", "bank dollar"]
    rows = [
        {"id": n, "body": f"unheard {words[n % 3]} {'very ' * (n % 5)}", "topic": "ship"} for n in range(30)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


SEMI = ["--methods", "svm,sda", "--jobs", "1"]


@pytest.mark.slow
def test_unlabelled_documents_of_another_file(run, mails, more):
    outcome = run("compare", mails, "--unlabelled", more, *SEMI, "--json")
    assert "note: more.jsonl: 30 documents were added as unlabelled." in outcome.err
    found = json.loads(outcome.out)
    assert list(found["methods"]) == ["svm", "sda", "sda-labelled"]
    assert found["corpus"]["n_unlabelled"] == 30
    terms = {run["method"]: run["n_terms"] for run in found["runs"]}
    # The new word is known to who learns from the new documents, and to no other.
    assert terms["sda"] == terms["sda-labelled"] + 1 == terms["svm"] + 1
    assert found["corpus"]["n_train"] + found["corpus"]["n_test"] == 60
    plain = json.loads(run("compare", mails, "--methods", "svm", "--jobs", "1", "--json").out)
    assert plain["runs"][0]["predicted"] == found["runs"][0]["predicted"]


def test_a_document_of_the_corpus_is_not_added_again(run, mails, more):
    """It may be tested on, and must then not be learned from."""
    known = open_corpus(str(mails))
    with open(more, "a", encoding="utf-8") as file:
        file.writelines(json.dumps({"body": text}) + "\n" for text in known.texts[:7])
    corpus = open_corpus(str(mails), unlabelled=more)
    assert corpus.texts[:60] == known.texts
    assert len(corpus) == 90
    assert not set(corpus.unlabelled.texts) & set(known.texts)
    assert "more.jsonl: 7 texts that are in mails were left out." in corpus.notes
    outcome = run("compare", mails, "--unlabelled", mails, *SEMI)
    assert outcome.code == 1
    assert "mails.csv has no text that mails does not have: give other documents" in outcome.err


def test_unlabelled_documents_of_a_folder(mails, tmp_path):
    (tmp_path / "texts" / "old").mkdir(parents=True)
    (tmp_path / "texts" / "first.txt").write_text("unheard corn")
    (tmp_path / "texts" / "old" / "second.txt").write_text("unheard port")
    (tmp_path / "texts" / ".hidden").write_text("not this one")
    corpus = open_corpus(str(mails), text="body", unlabelled=tmp_path / "texts")
    assert corpus.unlabelled.texts == ["unheard corn", "unheard port"]


def test_a_split_of_the_unlabelled_file_is_ignored_and_that_of_the_corpus_kept(more, tmp_path):
    more.write_text("".join(json.dumps({"body": f"text {n}", "split": "test"}) + "\n" for n in range(4)))
    known, corpus = open_corpus("demo"), open_corpus("demo", text="body", unlabelled=more)
    for part, added in (("train", 0), ("test", 0), ("unlabelled", 4)):
        assert np.sum(corpus.split == part) == np.sum(known.split == part) + added


def test_term_counts_take_no_texts(more):
    counts = Corpus("counts", csr_array(np.eye(2)), ["a", "b"])
    with pytest.raises(ValueError, match="counts holds term counts, to which no texts can be added"):
        with_unlabelled(counts, more)


def test_methods_that_could_use_unlabelled_documents_say_so(run, mails, more):
    outcome = run("compare", mails, *SEMI)
    assert (
        "note: no document of mails is without a label for sda to use: --unlabelled adds some." in outcome.err
    )
    assert "labelled only" not in outcome.out
    outcome = run("compare", mails, "--unlabelled", more, *QUICK)
    assert outcome.code == 2
    assert "--unlabelled is of no use to svm,nb: add some of sda," in outcome.err


TREE = "child,parent\ngrain,goods\nship,transport\nmoney,goods\nmule,transport\n"


def test_a_tree_of_the_users(run, mails, tmp_path):
    (tmp_path / "tree.csv").write_text(TREE)
    words = ["--methods", "svm,hsvm", "--jobs", "1", "-o", "results.json", "--report", "report.html"]
    outcome = run("compare", mails, "--tree", "tree.csv", *words)
    assert outcome.code == 0
    assert "tree F1" in outcome.out
    comparison = Comparison.load(tmp_path / "results.json")
    assert comparison.corpus["tree"]["ship"] == "transport"
    assert comparison.corpus["tree"]["goods"] is None
    # Only a method that has the tree knows of its empty leaf.
    warnings = {run["method"]: run["warnings"] for run in comparison.runs}
    assert warnings["svm"] == []
    assert "'mule'" in warnings["hsvm"][0]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="tree"' in page
    assert 'id="unlabelled"' not in page


def test_labels_that_are_paths(run, mails, more, tmp_path):
    content = mails.read_text().replace(",grain", ",goods/grain").replace(",money", ",goods/money")
    mails.write_text(content)
    words = ["--methods", "hsvm,sda", "--jobs", "1", "--unlabelled", more, "--report", "report.html"]
    outcome = run("compare", mails, "--label-separator", "/", *words, "--json")
    found = json.loads(outcome.out)["corpus"]
    assert found["classes"] == ["goods/grain", "goods/money", "ship"]
    assert found["tree"] == {"goods": None, "goods/grain": "goods", "goods/money": "goods", "ship": None}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="tree"' in page
    assert 'id="unlabelled"' in page


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("child,parent\ngrain,goods\ngoods,grain\n", "tree.csv, row 1 (line 2): the tree has a cycle"),
        ("child,parent\ngrain,goods\ngrain,food\n", "row 2 (line 3): 'grain' has two parents"),
        ("child,parent\ngrain,goods\nship,goods\n", "not in the tree: 'money'. Add them to it"),
        (
            "child,parent\ngrain,goods\nmoney,goods\nbarge,ship\n",
            "20 documents are labelled 'ship', which has the categories 'barge' below it",
        ),
        ("grain,goods\nship,goods\n", "tree.csv has the columns 'grain', 'goods': its first row must name"),
        ("topic,above\ngrain,goods\n", "its first row must name one 'child' and one 'parent'"),
        ("", "tree.csv is empty"),
    ],
)
def test_bad_trees_get_a_sentence(run, mails, tmp_path, rows, sentence):
    (tmp_path / "tree.csv").write_text(rows)
    outcome = run("compare", mails, "--tree", "tree.csv", *QUICK)
    assert outcome.code == 1
    assert sentence in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    ("labels", "words", "sentence"),
    [
        ("grain ship", ["--label-separator", "/"], "no label of own holds '/', neither 'grain' nor another"),
        (
            "a/b/c a/b",
            ["--label-separator", "/"],
            "labelled 'a/b', which has the categories 'a/b/c' below it",
        ),
        ("a/ b/c", ["--label-separator", "/"], "the label 'a/' has an empty part"),
        ("axb bxc", ["--label-separator", "x"], "must be at least one character that is no letter or digit"),
        ("_ _", [], "'own' holds no labelled document"),
        ("grain _", [], "'own' holds only the class 'grain'"),
        (
            "grain ship _ -1",
            [],
            "own.csv: labels that may stand for none: '-1' (6, first in row 4 (line 5)): say missing='drop' "
            "(--missing drop) to take these documents as unlabelled",
        ),
        ("grain ship None nan", [], "none: 'None' (6, first in row 3 (line 4)), 'nan' (6, first in row 4"),
    ],
)
def test_bad_labels_get_a_sentence(run, tmp_path, labels, words, sentence):
    rows = [
        f"the {n}th text about {label},{label.strip('_')}\n" for n in range(6) for label in labels.split()
    ]
    (tmp_path / "own.csv").write_text("text,label\n" + "".join(rows))
    outcome = run("compare", "own.csv", *words, *QUICK)
    assert outcome.code == 1
    assert sentence in outcome.err
    assert outcome.out == ""


def test_numbers_may_be_labels(run, tmp_path):
    """-1 is a class among numbers, also where other documents have no label."""
    rows = [f"word{'abc'[n % 3]} text,{['-1', '0', '1'][n % 3]}\n" for n in range(30)]
    (tmp_path / "own.csv").write_text("text,label\n" + "".join(rows) + "a text without,\n")
    outcome = run("compare", "own.csv", *QUICK, "--json")
    assert json.loads(outcome.out)["corpus"]["classes"] == ["-1", "0", "1"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--unlabelled", "numbers.csv"], 1, "numbers.csv has no column 'body' for the text"),
        (["--unlabelled", "numbers.jsonl"], 1, "numbers.jsonl has no column"),
        (["--unlabelled", "blank.csv"], 1, "blank.csv: every text is empty"),
        (["--unlabelled", "header.csv"], 1, "header.csv has no rows below its header"),
        (["--unlabelled", "absent.csv"], 1, "there is no file or folder absent.csv"),
        (["--unlabelled", "folder"], 1, "folder holds no files: give a folder with one file a document"),
        (["--tree", "absent.csv"], 1, "there is no file absent.csv"),
        (["--tree", "tree.csv", "--label-separator", "/"], 2, "--tree and --label-separator exclude each"),
    ],
)
def test_bad_further_files_get_a_sentence(run, mails, tmp_path, words, code, sentence):
    (tmp_path / "numbers.csv").write_text("id,size\n1,2\n")
    (tmp_path / "numbers.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "blank.csv").write_text("id,body\n1,\n")
    (tmp_path / "header.csv").write_text("id,body\n")
    (tmp_path / "folder").mkdir()
    outcome = run("compare", mails, "--text", "body", "--label", "topic", *SEMI, *words)
    assert outcome.code == code
    assert sentence in outcome.err
    assert outcome.out == ""


def test_an_unlabelled_file_without_texts(run, mails, tmp_path):
    (tmp_path / "numbers.jsonl").write_text('{"id": 1}\n')
    outcome = run("compare", mails, "--unlabelled", "numbers.jsonl", *SEMI)
    assert outcome.code == 1
    assert "numbers.jsonl has no column of texts; its columns are 'id'" in outcome.err
