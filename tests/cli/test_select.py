import csv
import json
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from textspace.classify import RLSC
from textspace.datasets import load
from textspace.evaluation import compare, scores
from textspace.selection import SCORES, TermSelector, subspace
from textspace.text import VectorSpace


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_table_of_the_best_terms(run):
    outcome = run("select", "demo", "--terms", "300")
    space = VectorSpace(scheme="ltc")
    found = subspace(space.fit_transform(load("demo").train.texts), rank=100)
    order = np.argsort(-found)
    assert outcome.code == 0
    assert "the 300 best of 1960 terms by subspace of rank 100, from 240 documents" in outcome.out
    rows = [line.split() for line in outcome.out.splitlines() if line.strip()[:1].isdigit()]
    assert [row[1] for row in rows] == space.forms_of(order[:25]).tolist()
    assert [float(row[2]) for row in rows] == pytest.approx(found[order[:25]], abs=1e-4)
    shares = [found[order[:n]].sum() / found.sum() for n in (25, 300)]
    assert "The first 25 hold {:.1%} of all scores, all 300 hold {:.1%}.".format(*shares) in outcome.out


def test_file_of_all_terms(run, tmp_path):
    outcome = run("select", "demo", "--score", "chi2", "--terms", "50", "-o", "terms.csv")
    assert outcome.code == 0
    assert "terms: terms.csv" in outcome.err
    assert "place" not in outcome.out
    rows = read_csv(tmp_path / "terms.csv")
    texts = load("demo").train.texts
    counts = VectorSpace(scheme="tf")
    frequencies = counts.fit_transform(texts).getnnz(axis=0)
    names = counts.forms_of(np.arange(counts.n_terms_))
    assert {row["term"]: int(row["documents"]) for row in rows} == dict(zip(names, frequencies, strict=True))
    assert [int(row["place"]) for row in rows] == list(range(1, len(names) + 1))
    found = [float(row["score"]) for row in rows]
    assert found == sorted(found, reverse=True)
    assert [row["kept"] for row in rows] == ["yes"] * 50 + ["no"] * (len(names) - 50)


def test_drawn_terms_have_probabilities_and_scales(run, tmp_path):
    words = ["select", "demo", "--draw", "--terms", "200"]
    for seed, name in ((1, "first"), (1, "again"), (2, "other")):
        assert run(*words, "--seed", seed, "-o", f"{name}.csv").code == 0
    text = (tmp_path / "first.csv").read_text(encoding="utf-8")
    assert (tmp_path / "again.csv").read_text(encoding="utf-8") == text
    rows = read_csv(tmp_path / "first.csv")
    probabilities = np.array([float(row["probability"]) for row in rows])
    scale = np.array([float(row["scale"]) for row in rows])
    kept = np.array([row["kept"] == "yes" for row in rows])
    assert probabilities.sum() == pytest.approx(200, rel=1e-5)
    assert scale[kept] ** 2 * probabilities[kept] == pytest.approx(1, rel=1e-5)
    assert not scale[~kept].any()
    assert 150 < kept.sum() < 250
    assert [row["kept"] for row in read_csv(tmp_path / "other.csv")] != [row["kept"] for row in rows]


def test_curve_on_all_terms_is_that_of_compare_and_elsewhere_that_of_a_pipeline(run):
    words = ["--score", "weighted", "--terms", "300", "--picture", "f1.svg", "--json"]
    found = json.loads(run("select", "demo", *words).out)
    points = {point["n_terms"]: point for point in found["curve"]["points"]}
    assert list(points) == [1, 2, 5, 10, 20, 50, 100, 200, 300, 500, 1000, 1960]
    demo = load("demo")
    [whole] = compare(demo, "rlsc", n_jobs=1).runs
    for name in ("micro_f1", "macro_f1"):
        assert points[1960][name] == pytest.approx(whole["scores"][name])

    space = VectorSpace(scheme="ltc")
    X, new = space.fit_transform(demo.train.texts), space.transform(demo.test.texts)
    penalty = RLSC().fit(X, demo.train.labels).lambda_
    model = make_pipeline(TermSelector("weighted", n_terms=300, mode="top"), RLSC(lambdas=penalty))
    answers = model.fit(X, demo.train.labels).predict(new)
    expected = scores(demo.test.labels, answers)
    assert points[300]["micro_f1"] == pytest.approx(expected["micro_f1"])
    assert points[300]["macro_f1"] == pytest.approx(expected["macro_f1"])
    kept = [row["term"] for row in found["terms"]]
    chosen = np.flatnonzero(model[0].get_support())
    assert sorted(kept) == sorted(space.forms_of(chosen))


def test_picture_is_a_file_of_its_own(run, tmp_path):
    outcome = run("select", "demo", "--terms", "100", "--picture", "f1.svg")
    assert "picture: f1.svg" in outcome.err
    assert "RLSC, own split: 240 documents to learn from, 120 to test on" in outcome.out
    root = ElementTree.parse(tmp_path / "f1.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{svg}svg"
    assert "prefers-color-scheme: dark" in root.find(f"{svg}style").text
    table = [line.split() for line in outcome.out.split("RLSC")[1].splitlines() if line.strip()[:1].isdigit()]
    lines = root.findall(f".//{svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == [len(table)] * 2
    hints = [each.text for each in root.findall(f".//{svg}title")]
    assert {f"{row[0]} terms: micro F1 {row[1]}" for row in table} <= set(hints)
    texts = [each.text for each in root.findall(f".//{svg}text")]
    assert {"all 1960", "100 terms", "demo, best terms by subspace of rank 100"} <= set(texts)
    width, height = float(root.get("width")), float(root.get("height"))
    spots = [spot.split(",") for line in lines for spot in line.get("points").split()]
    assert all(0 < float(x) < width and 0 < float(y) < height for x, y in spots)


def test_a_file_without_a_split_holds_out_a_fifth(run, mails):
    words = ["--score", "information_gain", "--terms", "12", "--picture", "f1.svg", "--json"]
    found = json.loads(run("select", mails, *words).out)
    assert found["n_documents"] == 60
    assert (found["curve"]["split"], found["curve"]["n_train"], found["curve"]["n_test"]) == ("drawn", 48, 12)
    assert found["curve"]["points"][-1]["micro_f1"] == 1
    classes = {row["term"]: row["class"] for row in found["terms"]}
    assert (classes["corn"], classes["vessel"], classes["bank"]) == ("grain", "ship", "money")


def test_unlabelled_documents_count_for_a_score_without_classes(run, tmp_path):
    rows = ["corn rose,grain", "wheat fell,grain", "ships sailed,ship", "ships sank,ship", "rye grew,"]
    (tmp_path / "some.csv").write_text("text,label\n" + "\n".join(rows) + "\n")
    words = ["select", "some.csv", "--terms", "20", "--json"]
    assert json.loads(run(*words, "--score", "weighted").out)["n_documents"] == 5
    found = json.loads(run(*words, "--score", "chi2").out)
    assert found["n_documents"] == 4
    assert "rye" not in {row["term"] for row in found["terms"]}
    # Two classes have equal scores; the class of a term is the one that it stands in.
    classes = {row["term"]: row["class"] for row in found["terms"]}
    assert (classes["corn"], classes["ships"]) == ("grain", "ship")


def test_more_terms_than_there_are(run):
    outcome = run("select", "demo", "--terms", "5000", "--score", "weighted", "--json")
    assert outcome.code == 0
    assert "there are 1960 terms: all are kept" in outcome.err
    found = json.loads(outcome.out)
    assert len(found["terms"]) == found["n_all_terms"] == 1960
    assert found["share_of_score"] == pytest.approx(1)


def test_rank_as_a_number_a_share_or_all(run):
    sums = {}
    for rank in ("5", "0.5", "rank"):
        words = ["--rank", rank, "--terms", "1960", "--json"]
        found = json.loads(run("select", "demo", *words).out)
        sums[rank] = sum(row["score"] for row in found["terms"])
    assert sums["5"] == pytest.approx(5)
    assert 5 < sums["0.5"] < sums["rank"] <= 240


def test_names_are_no_formulas_for_a_spreadsheet(run, tmp_path):
    rows = [f"{word},{name}" for word, name in (("corn", "=1+1"), ("ship", "-1"), ("bank", "plain"))] * 3
    (tmp_path / "odd.csv").write_text("text,label\n" + "\n".join(rows) + "\n")
    assert (
        run(
            "select", "odd.csv", "--score", "chi2", "--terms", "3", "-o", "terms.csv", "--missing", "keep"
        ).code
        == 0
    )
    found = {row["term"]: row["class"] for row in read_csv(tmp_path / "terms.csv")}
    assert found == {"corn": "'=1+1", "ship": "-1", "bank": "plain"}


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["demmo"], 2, "Did you mean 'demo'?"),
        (["demo", "--score", "subspaces"], 2, "Did you mean 'subspace'?"),
        (["demo", "--score", "zzz"], 2, "Choose from subspace, weighted"),
        (["demo", "--scheme", "ltd"], 2, "Did you mean 'ltc'?"),
        (["demo", "--terms", "0"], 2, "'--terms'"),
        (["demo", "--rank", "five"], 2, "give a whole number"),
        (["demo", "--rank", "2", "--score", "chi2"], 2, "--rank is for the score subspace"),
        (["demo", "--rank", "-1"], 1, "'rank' parameter"),
        (["demo", "--score", "uniform"], 2, "add --draw"),
        (["demo", "--picture", "f1.png"], 2, "ends in .svg"),
        (["demo", "--picture", "absent/f1.svg"], 1, "there is no folder absent"),
        (["demo", "-o", "."], 1, "is a folder"),
        (["demo", "-o", "terms.tsv"], 1, "terms.tsv cannot be written: give a file that ends in .csv"),
        (["absent.csv"], 1, "there is no file or folder absent.csv"),
        (["one.csv", "--score", "chi2"], 1, "only the class 'grain' to learn from, but the score chi2 needs"),
        (["one.csv", "--picture", "f1.svg"], 1, "a picture of F1 needs two classes or more"),
        (["none.csv", "--text", "text", "--score", "chi2"], 1, "no labelled document"),
        (["none.csv", "--text", "text", "--picture", "f1.svg"], 1, "no class has three labelled documents"),
        (["same.csv"], 1, "score zero: there is nothing to choose by"),
        (
            ["demo", "--score", "uniform", "--draw", "--terms", "1", "--seed", "3"],
            1,
            "the draw kept none of 1960",
        ),
    ],
)
def test_errors_are_sentences(run, tmp_path, words, code, sentence):
    (tmp_path / "one.csv").write_text("text,label\ncorn rose,grain\nwheat fell,grain\nrye too,grain\n")
    (tmp_path / "none.csv").write_text("text,label\ncorn rose,\nwheat fell,\nrye too,\n")
    (tmp_path / "same.csv").write_text("text,label\ncorn rose,grain\ncorn rose,ship\n")
    outcome = run("select", *words)
    assert outcome.code == code
    assert sentence in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    assert not list(tmp_path.glob("*.svg"))


def test_help_names_every_score_and_its_examples_work(run, mails):
    text = run("select", "--help").out
    assert all(name in text for name in SCORES)
    for line in text.split("Examples:")[1].strip().splitlines():
        assert run(*line.split()[1:]).code == 0, line
