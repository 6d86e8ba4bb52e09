import csv
import json
import re

import numpy as np
import pytest
from tests.static_models import write_model

from textspace.datasets import load as load_corpus
from textspace.models import load, read_card


@pytest.fixture
def demo_parts(tmp_path):
    """The demo corpus as two files without a split."""
    corpus = load_corpus("demo")
    for name in ("train", "test"):
        part = getattr(corpus, name)
        with open(tmp_path / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *zip(part.texts, part.labels, strict=True)])
    return corpus


def test_a_model_that_classifies_and_says_how_well(run, mails, tmp_path):
    outcome = run("train", mails, "-o", "mails.textspace")
    assert outcome.code == 0
    assert "mails: learned 3 classes from 60 documents in " in outcome.out
    assert "(60 out-of-fold training documents)" in outcome.out
    assert re.search("^It reads .*[.] (Of its|It scores by) .*[.]$", outcome.out, re.MULTILINE)
    assert "model: mails.textspace (" in outcome.out
    assert "note: The label column 'topic' was guessed by its name." in outcome.err
    model = load(tmp_path / "mails.textspace")
    assert model.predict(["wheat and corn", "the loan of a bank"]).tolist() == ["grain", "money"]
    assert model.evaluation_.scores["accuracy"] > 0.9
    card = read_card(tmp_path / "mails.textspace")
    assert card["data"]["classes"] == {"grain": 20, "money": 20, "ship": 20}
    assert len(card["data"]["sha256"]) == 64


def test_json_and_another_method(run, mails, tmp_path):
    found = json.loads(run("train", mails, "-o", "mails.textspace", "--method", "rlsc", "--json").out)
    assert (found["method"], found["n_documents"], found["n_classes"]) == ("rlsc", 60, 3)
    assert found["bytes"] == (tmp_path / "mails.textspace").stat().st_size
    assert found["scores"] == load(tmp_path / "mails.textspace").evaluation_.scores


def test_scores_of_test_documents(run, tmp_path, demo_parts):
    words = ["-o", "demo.textspace", "--method", "rlsc", "--json"]
    own = json.loads(run("train", "demo", *words).out)
    assert own["source"] == "test documents"
    assert (own["n_documents"], own["n_unlabelled"], own["scores"]["n_documents"]) == (240, 48, 120)
    given = json.loads(run("train", "train.csv", "--test", "test.csv", *words).out)
    assert given["source"] == "test documents"
    model = load(tmp_path / "demo.textspace")
    right = model.predict(demo_parts.test.texts) == demo_parts.test.labels
    assert given["scores"]["accuracy"] == np.mean(right)


def test_unlabelled_texts_are_learned_from(run, mails, tmp_path):
    (tmp_path / "more.txt.csv").write_text("text\n" + "corn oats\noats rye\nrye corn\n" * 3)
    outcome = run("train", mails, "--unlabelled", "more.txt.csv", "-o", "mails.textspace", "--json")
    assert json.loads(outcome.out)["n_unlabelled"] == 9
    names = load(tmp_path / "mails.textspace").space_.get_feature_names_out()
    assert {"oat", "oats"} & set(names)


@pytest.mark.parametrize("separator", [True, False])
def test_trees(run, mails, tmp_path, separator):
    if separator:
        content = mails.read_text().replace(",grain", ",goods/grain").replace(",ship", ",goods/ship")
        mails.write_text(content.replace(",money", ",finance/money"))
        words = ["--label-separator", "/"]
    else:
        (tmp_path / "tree.csv").write_text("child,parent\ngrain,goods\nship,goods\nmoney,finance\n")
        words = ["--tree", "tree.csv"]
    assert run("train", mails, *words, "-o", "mails.textspace").code == 0
    tree = load(tmp_path / "mails.textspace").tree_
    assert tree.roots == ("finance", "goods")


def test_report_with_a_learning_curve(run, mails, tmp_path):
    outcome = run("train", mails, "-o", "mails.textspace", "--method", "rlsc", "--report", "mails.html")
    assert "report: mails.html" in outcome.out
    assert (tmp_path / "mails.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    curve = load(tmp_path / "mails.textspace").evaluation_.learning_curve
    assert [point["n_train"] for point in curve] == sorted({point["n_train"] for point in curve})
    assert curve[-1]["n_train"] == 48


def test_report_without_a_learning_curve_where_classes_are_too_small_for_one(run, tmp_path):
    rows = [f"{word} {other},{word}" for word in ("apple", "pear", "plum") for other in ("tree", "fruit")]
    (tmp_path / "fruit.csv").write_text("\n".join(["text,label", *rows]))
    assert run("train", "fruit.csv", "-o", "fruit.textspace", "--report", "fruit.html").code == 0
    assert load(tmp_path / "fruit.textspace").evaluation_.learning_curve == []
    assert (tmp_path / "fruit.html").exists()


def test_corrections(run, mails, tmp_path):
    with open(mails, newline="") as file:
        bodies = [row["body"] for row in csv.DictReader(file)]
    rows = [
        {"text": bodies[0], "label": "ship", "predicted": "grain", "time": "now"},
        {"text": bodies[0] + " ", "label": "metal", "predicted": "grain", "time": "later"},
        *({"text": f"copper and tin {word}", "label": "metal"} for word in ("one", "two", "three")),
    ]
    (tmp_path / "corrections.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    outcome = run("train", mails, "--corrections", "corrections.jsonl", "-o", "mails.textspace", "--json")
    assert "texts corrected: 4; labels changed: 1; documents added: 3." in outcome.err
    assert json.loads(outcome.out)["n_documents"] == 63
    classes = read_card(tmp_path / "mails.textspace")["data"]["classes"]
    assert classes == {"grain": 19, "metal": 4, "money": 20, "ship": 20}


def test_a_service_that_nobody_corrected(run, mails, tmp_path):
    (tmp_path / "corrections.jsonl").touch()
    words = ["--corrections", "corrections.jsonl", "--method", "rlsc", "-o", "mails.textspace"]
    outcome = run("train", mails, *words)
    assert outcome.code == 0
    assert "note: corrections.jsonl holds no corrections." in outcome.err


def test_corrected_test_documents_are_not_tested_on(run, tmp_path):
    corpus = load_corpus("demo")
    row = {"text": corpus.test.texts[0], "label": str(corpus.test.labels[0])}
    (tmp_path / "corrections.jsonl").write_text(json.dumps(row))
    words = ["--corrections", "corrections.jsonl", "--method", "rlsc", "-o", "demo.textspace", "--json"]
    outcome = run("train", "demo", *words)
    assert "test documents that were corrected, and so left out: 1." in outcome.err
    found = json.loads(outcome.out)
    assert (found["n_documents"], found["scores"]["n_documents"]) == (241, 119)


def test_odd_labels(run, tmp_path):
    labels = ["a, b", "c\nd", "[bold]e[/bold] \x1b[31m"]
    with open(tmp_path / "mails.csv", "w", newline="") as file:
        rows = [(f"{['corn', 'ship', 'bank'][n % 3]} word{n}", labels[n % 3]) for n in range(30)]
        csv.writer(file).writerows([("text", "label"), *rows])
    assert run("train", "mails.csv", "-o", "mails.textspace").code == 0
    model = load(tmp_path / "mails.textspace")
    assert model.classes_.tolist() == sorted(labels)
    outcome = run("evaluate", "mails.textspace", "mails.csv")
    assert "\x1b" not in outcome.out
    assert "[bold]e[/bold]" in outcome.out


def test_many_classes(run, tmp_path):
    words = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnprstvwz"]
    lines = [f"{word} {word} note {n},{word}" for n in range(3) for word in words]
    (tmp_path / "mails.csv").write_text("text,label\n" + "\n".join(lines))
    found = json.loads(run("train", "mails.csv", "-o", "mails.textspace", "--json").out)
    assert found["n_classes"] == 250
    assert found["scores"]["accuracy"] > 0.9


def test_very_many_classes_are_said_with_a_remedy(run, tmp_path):
    words = [f"{a}{b}{c}" for a in "bdfghklmnprstvwz" for b in "aeiou" for c in "bdfgklmnprstvwxz"]
    lines = [f"{word} {word} note {n},{word}" for n in range(2) for word in words]
    (tmp_path / "mails.csv").write_text("text,label\n" + "\n".join(lines))
    outcome = run("train", "mails.csv", "-o", "mails.textspace", "--missing", "keep")  # one is "nan"
    assert "note: for 1280 classes, more than 1000, auto takes scores that are sparse" in outcome.err
    assert "merge rare classes" in outcome.err
    assert "accuracy 0.9" in outcome.out or "accuracy 1.0" in outcome.out


def test_so_many_classes_that_it_takes_long_are_said_before(run, mails, monkeypatch):
    words = ["train", mails, "--method", "rlsc", "-o", "mails.textspace"]
    assert "may take many minutes" not in run(*words).err
    monkeypatch.setattr("textspace.cli._train.MANY_SCORES", 100)
    assert "note: 3 classes for 60 documents may take many minutes" in run(*words).err


def test_a_class_of_one_document(run, mails, tmp_path):
    with open(mails, "a") as file:
        file.write("60,copper and tin,metal\n")
    words = ["train", mails, "--method", "rlsc", "-o", "mails.textspace", "--report", "mails.html"]
    assert run(*words).code == 0
    assert "metal" in load(tmp_path / "mails.textspace").classes_


def test_a_large_cell(run, mails, tmp_path):
    with open(mails, "a", newline="") as file:
        csv.writer(file).writerow([60, "corn wheat " * 500_000, "grain"])
    assert run("train", mails, "--method", "rlsc", "-o", "mails.textspace").code == 0
    assert load(tmp_path / "mails.textspace").training_.excerpts[-1].startswith("corn wheat corn")


@pytest.mark.parametrize("source", ["list", "file"])
def test_shares_of_the_documents_to_come(run, mails, tmp_path, source):
    (tmp_path / "shares.csv").write_text("Label,share\ngrain,0.8\n ship , 0.15\n")
    shares = "shares.csv" if source == "file" else "grain=.8, ship=0.15"
    words = ["train", mails, "-o", "mails.textspace", "--method", "rlsc", "--report", "mails.html"]
    assert json.loads(run(*words, "--shares", shares, "--json").out)["shares"] == "given"
    model = load(tmp_path / "mails.textspace")
    np.testing.assert_allclose(model.shares_, [0.8, 0.05, 0.15])
    np.testing.assert_allclose(model.class_shares_, 1 / 3)
    card = read_card(tmp_path / "mails.textspace")
    assert card["shares"] == {"source": "given", "assumed": {"grain": 0.8, "money": 0.05, "ship": 0.15}}
    assert "It assumes shares of the classes that were given" in (tmp_path / "mails.html").read_text()


def test_shares_of_unlabelled_documents_are_said(run, mails, tmp_path):
    (tmp_path / "more.txt.csv").write_text("text\n" + "".join(f"corn wheat {n}\n" for n in range(300)))
    words = ["train", mails, "--unlabelled", "more.txt.csv", "-o", "mails.textspace"]
    assert "other shares among the documents without a label" in run(*words).out
    assert read_card(tmp_path / "mails.textspace")["shares"]["source"] == "unlabelled documents"
    assert "other shares" not in run(*words, "--shares", "grain=0.5").out


@pytest.mark.parametrize(
    ("shares", "code", "sentence"),
    [
        ("grian=0.2", 1, "there is no class 'grian'. Did you mean 'grain'?"),
        ("grain=0.8,ship=0.3", 1, "they sum to 1.1, which is above 1"),
        ("grain=-0.1", 1, "'grain' has -0.1"),
        ("grain=0.1,grain=0.2", 1, "'grain' has two shares: keep one"),
        ("grain=much", 1, "the share of 'grain' is 'much': write a number"),
        ("absent.csv", 2, "neither a file nor a list such as"),
        ("columns.csv", 1, "columns.csv has the columns 'label', 'part': its first row must name"),
        ("cell.csv", 1, "cell.csv, row 2 (line 3): the share of 'ship' is ''"),
    ],
)
def test_shares_that_cannot_be(run, mails, tmp_path, shares, code, sentence):
    (tmp_path / "columns.csv").write_text("label,part\ngrain,0.1\n")
    (tmp_path / "cell.csv").write_text("label,share\ngrain,0.1\nship,\n")
    outcome = run("train", mails, "--shares", shares)
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in " ".join(outcome.err.split())
    assert not (tmp_path / "model.textspace").exists()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["demmo"], 2, "Did you mean 'demo'?"),
        (["absent.csv"], 1, "there is no file or folder absent.csv"),
        (["mails.csv", "--method", "smv"], 2, "Did you mean 'svm'?"),
        (["mails.csv", "--text", "bodi"], 1, "did you mean 'body'?"),
        (["mails.csv", "--label", "topik"], 1, "did you mean 'topic'?"),
        (["mails.csv", "-o", "absent/m.textspace"], 1, "there is no folder absent"),
        (["mails.csv", "-o", "mails.pkl"], 2, "a model file ends in .textspace: write -o mails.textspace"),
        (["mails.csv", "--report", "absent/m.html"], 1, "there is no folder absent"),
        (["mails.csv", "--corrections", "absent.jsonl"], 1, "there is no file or folder absent.jsonl"),
        (["mails.csv", "--test", "nolabel.csv"], 1, "no test document has a label"),
        (["demo", "--test", "mails.csv"], 2, "has its own: leave out --test"),
        (["nolabel.csv"], 1, "nolabel.csv has no labelled documents to train on"),
        (["one.csv"], 1, "one.csv has only the class 'grain' to train on"),
        (["header.csv"], 1, "has no rows below its header"),
        (["latin.csv", "--encoding", "utf-8"], 1, "latin.csv, line 3: byte 0xe9 at position"),
        (["m.textspace"], 1, "m.textspace is a model file: give documents"),
        (["ragged.csv"], 1, "row 2 (line 3): 1 cells where the first row names 2 columns"),
        (["mails.csv", "--tree", "tree.csv"], 1, "grain"),
    ],
)
def test_errors_are_sentences(run, mails, tmp_path, words, code, sentence):
    (tmp_path / "one.csv").write_text("text,label\ncorn rose,grain\nwheat fell,grain\nrye too,grain\n")
    (tmp_path / "nolabel.csv").write_text("id,text\n1,corn rose\n2,wheat fell\n")
    (tmp_path / "header.csv").write_text("text,label\n")
    (tmp_path / "latin.csv").write_bytes(b"text,label\nplain,x\ncaf\xe9,y\n")
    (tmp_path / "ragged.csv").write_text("text,label\na,x\nb\n")
    (tmp_path / "m.textspace").write_bytes(b"PK")
    (tmp_path / "tree.csv").write_text("child,parent\nship,goods\n")
    outcome = run("train", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
    assert not (tmp_path / "model.textspace").exists()


def test_nul_bytes_part_words(run, mails, tmp_path):
    mails.write_text(mails.read_text().replace("corn wheat", "corn\x00wheat"))
    assert run("train", mails, "--method", "rlsc", "-o", "mails.textspace").code == 0
    assert {"corn", "wheat"} <= set(load(tmp_path / "mails.textspace").space_.vocabulary_)


def test_an_embedding_goes_from_training_to_prediction(run, tmp_path):
    pytest.importorskip("tokenizers", reason="static embeddings need the extra 'static'")
    folder = write_model(tmp_path / "static")
    words = {"grain": ["corn", "wheat", "crop"], "ship": ["port", "ship", "sea"]}
    rows = [f"{word},{label}\n" for label, own in words.items() for word in own]
    (tmp_path / "few.csv").write_text("text,label\n" + "".join(rows))
    trained = run("train", "few.csv", "-o", "few.textspace", "--embeddings", folder)
    assert trained.code == 0
    assert "The embedding changed the accuracy on held-out training documents from " in trained.out
    missing = run("explain", "few.textspace", "maize")
    assert (missing.code, missing.out) == (1, "")
    assert "few.textspace was trained with an embedding: say in which folder it lies" in missing.err
    found = json.loads(run("explain", "few.textspace", "maize", "--embeddings", folder, "--json").out)
    assert found["label"] == "grain"
    assert [(term["term"], term["spans"]) for term in found["terms"]] == [("maize (embedding)", [[0, 5]])]


def write_rows(path, texts, labels):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])


@pytest.mark.parametrize("per_class", [1, 2, 10])
def test_a_few_documents_are_enough_and_bring_no_warning(run, tmp_path, per_class):
    texts = [f"{word} {n}" for word in ("corn wheat", "ship sea") for n in range(per_class)]
    write_rows(tmp_path / "few.csv", texts, ["grain"] * per_class + ["ship"] * per_class)
    outcome = run("train", "few.csv", "-o", "few.textspace")
    assert outcome.code == 0
    assert f"learned 2 classes from {2 * per_class} documents" in outcome.out
    assert "arning" not in outcome.err
    shares = load(tmp_path / "few.textspace").predict_proba(["corn and wheat", "a ship at sea"])
    assert shares.argmax(axis=1).tolist() == [0, 1]
    assert shares.max() < 0.999


def test_the_rarer_of_two_classes_is_summed_up(run, tmp_path):
    texts = [f"corn wheat {n}" for n in range(60)] + [f"ship sea {n}" for n in range(4)]
    write_rows(tmp_path / "rare.csv", texts, ["grain"] * 60 + ["ship"] * 4)
    outcome = run("train", "rare.csv", "-o", "rare.textspace")
    assert (
        "ship, the rarer class: average precision 1.000, best F1 1.000 from a probability of" in outcome.out
    )
    found = json.loads(run("train", "rare.csv", "-o", "rare.textspace", "--json").out)["rarer_class"]
    assert found["class"] == "ship"
    evaluation = load(tmp_path / "rare.textspace").evaluation_
    assert found == {"class": "ship", **evaluation.thresholds[1]}


def test_quick(run, mails, tmp_path):
    assert run("train", mails, "-o", "mails.textspace", "--quick").code == 0
    model = load(tmp_path / "mails.textspace")
    assert model.quick
    assert set(model.space_.spaces_) <= {"stems", "words"}
    assert model.evaluation_.scores["accuracy"] > 0.9
    outcome = run("train", mails, "-o", "mails.textspace", "--quick", "--method", "rlsc")
    assert outcome.code == 2
    assert "--quick goes with --method auto only" in outcome.err


def test_an_unknown_language_is_bad_usage(run):
    outcome = run("train", "demo", "--language", "xx")
    assert outcome.code == 2
    assert "there is no language 'xx'" in " ".join(outcome.err.split())
