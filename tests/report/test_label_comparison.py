import re
import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest

from textspace.datasets import Corpus
from textspace.evaluation import (
    MultilabelComparison,
    compare_multilabel,
    load_comparison,
    per_label,
    summarise_labels,
)
from textspace.report import write_report
from textspace.report._html import LABEL_SCORES, MOST_LABELS, render_labels

pytestmark = pytest.mark.slow

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
SECTIONS = ["verdict", "leaderboard", "labels", "cardinality", "settings"]
UNTESTED = "never tested"
METHODS = ["svm", "logistic", "sklearn.naive_bayes:CategoricalNB"]  # the last one fails


@pytest.fixture(scope="module")
def corpus(hostile):
    """Give documents whose labels are hostile texts, one of which no test document has."""
    rng = np.random.default_rng(0)
    texts, labels = [], []
    for number in range(90):
        chosen = rng.choice(len(hostile), number % 4, replace=False)
        words = [f"w{label}x{i}" for label in chosen for i in rng.choice(5, 2, replace=False)]
        texts.append(" ".join([*words, *(f"noise{i}" for i in rng.choice(9, 3))]))
        labels.append([hostile[label] for label in chosen])
    for number in range(5):
        labels[number] = [*labels[number], UNTESTED]
    split = np.where(np.arange(90) < 60, "train", "test")
    return Corpus(hostile[0], texts, labels, split, notes=tuple(hostile))


@pytest.fixture(scope="module")
def comparison(corpus):
    return compare_multilabel(corpus, METHODS)


@pytest.fixture(scope="module")
def page(comparison, take_apart):
    return take_apart(render_labels(summarise_labels(comparison)))


def table(page, number):
    """Give the rows of a table, each a list of the texts of its cells."""
    [found] = re.findall(r"<tbody>(.*?)</tbody>", page.split("<table")[number], re.DOTALL)
    rows = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in found.split("<tr")[1:]]
    return [[" ".join(re.sub("<.*?>", "", cell, flags=re.DOTALL).split()) for cell in row] for row in rows]


def test_the_page_has_its_sections_and_asks_for_nothing(page):
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == SECTIONS
    assert page.values("href") == [f"#{name}" for name in SECTIONS]
    assert not page.values("src")


def test_names_of_labels_stay_texts(page, comparison, corpus, hostile):
    assert hostile[0] in page.text_in("h1")
    heads = [attributes for tag, attributes in page.tags if tag == "th" and "data-value" in attributes]
    assert {head["data-value"] for head in heads} == {*hostile, UNTESTED}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert not {"img", "em"} & {tag for tag, _ in page.tags}
    assert len([tag for tag, _ in page.tags if tag == "script"]) == 1


def test_figures_are_those_of_the_comparison(comparison):
    text = render_labels(summarise_labels(comparison))
    finished = sorted(comparison.methods[:2], key=lambda row: -row["scores"]["micro_f1"])
    rows = table(text, 1)
    for row, shown in zip(finished, rows, strict=False):
        assert row["title"] in shown[0]
        figures = [row["scores"].get(key) for key in LABEL_SCORES[:-1]]
        assert shown[1:11] == ["–" if value is None else f"{value:.3f}" for value in figures]
        marks = ["–"] * 3
        if row["significance"]:
            marks = [row["significance"][key]["mark"].replace(">", "&gt;") for key in "sST"]
            marks = [mark.replace("<", "&lt;") for mark in marks]
        assert shown[12:] == marks
        for ends in row["intervals"]["micro_f1"]:
            assert f"{ends:.3f}" in text
    assert "failed" in rows[2][0]
    assert "CategoricalNB" in rows[2][0]


def test_each_label_has_the_f1_of_each_method(comparison, corpus, hostile, take_apart):
    summary = summarise_labels(comparison)
    rows = table(render_labels(summary), 3)
    assert [row[1:3] for row in rows] == [[str(one["train"]), str(one["test"])] for one in summary["labels"]]
    sizes = [one["train"] + one["test"] for one in summary["labels"]]
    assert sizes == sorted(sizes, reverse=True)
    order = {name: place for place, name in enumerate(comparison.corpus["classes"])}
    best, other = summary["leaderboard"]
    for shown, one in zip(rows, summary["labels"], strict=True):
        figures = [f"{row['f1'][order[one['name']]]:.3f}" for row in (best, other)]
        assert shown[3:] == (["–", "–"] if one["name"] == UNTESTED else figures)
    assert [one["test"] for one in summary["labels"] if one["name"] == UNTESTED] == [0]
    assert "a dash says that no test document has the label" in render_labels(summary)


def test_the_best_values_are_bold(comparison):
    low, high = ({"micro_f1": 0.5, "calibration_error": 0.2}, {"micro_f1": 0.6, "calibration_error": 0.1})
    rows = [row | {"scores": row["scores"] | low} for row in comparison.methods[:1]]
    rows += [row | {"scores": row["scores"] | high} for row in comparison.methods[1:2]]
    text = render_labels(summarise_labels(replace(comparison, methods=rows)))
    assert re.search(r'strong">0\.600<', text)
    assert re.search(r'strong">0\.100<', text)
    assert not re.search(r'strong">0\.[52]00<', text)
    alone = render_labels(summarise_labels(replace(comparison, methods=rows[:1])))
    assert 'class="number strong"' not in alone
    assert "Only this method finished" in alone


def test_how_many_labels_are_given(page, comparison):
    for row in comparison.methods[:2]:
        scores = row["scores"]
        said = (
            f"{scores['cardinality_true']:.2f} a document true, {scores['cardinality_predicted']:.2f} given"
        )
        assert said in page.shown
    n_without = comparison.corpus["cardinality"][0]
    assert f"{n_without} documents have 0 labels" in page.text_in("title")


def test_many_labels_are_cut_with_a_sentence(comparison):
    names = [f"label {number}" for number in range(MOST_LABELS + 50)]
    sizes = list(range(len(names)))
    many = replace(
        comparison,
        corpus=comparison.corpus | {"classes": names, "train_sizes": sizes, "test_sizes": sizes},
        methods=[row if row["error"] else row | {"f1": [0.5] * len(names)} for row in comparison.methods],
    )
    text = render_labels(summarise_labels(many))
    rows = table(text, 3)
    assert len(rows) == MOST_LABELS
    assert (rows[0][0], rows[-1][0]) == (names[-1], names[50])
    assert f"{MOST_LABELS} of {len(names)} are shown" in text


def test_splits_that_overlap_have_no_tests_but_intervals(corpus, take_apart):
    found = compare_multilabel(corpus, ["logistic", "svm"], train_share=0.5, repeats=2)
    shown = take_apart(render_labels(summarise_labels(found))).shown
    assert "documents are tested more than once" in shown
    assert "over the splits (Student's t)" in shown
    assert "50% of each label for training, drawn at random, 2 times" in shown
    low, high = found.methods[0]["intervals"]["micro_f1"]
    assert low <= np.mean([split["micro_f1"] for split in found.methods[0]["splits"]]) <= high


def test_no_method_finished(comparison, take_apart):
    failed = replace(comparison, methods=comparison.methods[2:])
    shown = take_apart(render_labels(summarise_labels(failed))).shown
    assert "No method finished, so there is nothing to compare." in shown


def test_a_saved_comparison_gives_the_same_page(comparison, tmp_path):
    comparison.save(tmp_path / "results.json")
    again = load_comparison(tmp_path / "results.json")
    assert again == comparison
    assert isinstance(again, MultilabelComparison)
    for number, each in enumerate((comparison, again)):
        write_report(each, tmp_path / f"{number}.html")
    assert (tmp_path / "0.html").read_bytes() == (tmp_path / "1.html").read_bytes()


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("f1", [0.5], "f1 has not a number for each label"),
        ("cardinality", [1], "cardinality does not count n_test documents"),
        ("settings", [], "settings are not there for each split"),
        ("intervals", {"micro_f1": [0.6, 0.5]}, "has not a lower and an upper end"),
        ("scores", {"micro_f1": 2}, "scores lacks macro_f1"),
        ("significance", {"s": {"p_value": 0.5, "mark": "<b>"}}, "significance lacks S, T"),
    ],
)
def test_damaged_files_are_refused(comparison, part, value, said):
    content = asdict(comparison)
    content["methods"][0][part] = value
    with pytest.raises(ValueError, match=re.escape(f"methods[0].{said}") if "lacks" in said else said):
        MultilabelComparison.from_dict(content)


def test_f1_of_labels_is_that_of_decisions():
    texts = ["corn and wheat", "wheat by ship", "a ship at sea", "corn crop", "ship with corn"] * 6
    labels = [["grain"], ["grain", "ship"], ["ship"], ["grain"], ["ship", "odd"]] * 6
    found = compare_multilabel(Corpus("goods", texts, labels), ["svm"])
    [row] = found.methods
    assert row["f1"] == per_label(np.eye(3), np.eye(3))["f1"].tolist()  # as each text comes six times
    assert found.corpus["classes"] == ["grain", "odd", "ship"]
    assert sum(found.corpus["cardinality"]) == sum(row["cardinality"]) == found.corpus["n_test"]


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen_and_sorts(comparison, tmp_path, width):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("Chromium is not on the path")
    write_report(comparison, tmp_path / "page.html")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        tab = browser.new_page(viewport={"width": width, "height": 900})
        tab.set_default_timeout(60_000)
        tab.goto((tmp_path / "page.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        tab.locator("#labels thead button", has_text="test docs").click()
        sizes = tab.locator("#labels tbody td:nth-child(3)").all_inner_texts()
        browser.close()
    assert list(map(int, sizes)) == sorted(comparison.corpus["test_sizes"])


def test_the_verdict_says_what_each_test_shows(comparison):
    def told(baseline, other, tests):
        rows = [
            row | {"scores": row["scores"] | {"micro_f1": f1}, "significance": marks}
            for row, f1, marks in zip(comparison.methods, (baseline, other), (None, tests), strict=False)
        ]
        verdict = summarise_labels(replace(comparison, methods=rows))["verdict"]
        return " ".join([verdict["headline"], *verdict["sentences"]])

    tests = {
        "s": {"p_value": 0.4, "mark": "~"},
        "S": {"p_value": 0.001, "mark": ">>"},
        "T": {"p_value": 0.04, "mark": ">"},
    }
    titles = [row["title"] for row in comparison.methods]
    said = told(0.5, 0.6, tests)
    assert said.startswith(f"{titles[1]} is best here, with a micro F1 of 0.600")
    assert (
        f"It is 0.100 ahead of the baseline, {titles[0]} (0.500): significantly better by the sign test over "
        "labels (p = 0.001) and the t-test over labels (p = 0.04); not significantly different by the sign "
        "test over decisions (p = 0.4)."
    ) in said
    assert f"the runner-up, {titles[1]} (0.400), is 0.100 behind: significantly better" in told(
        0.5, 0.4, tests
    )
    assert f"the runner-up, {titles[1]} (0.400), is 0.100 behind." in told(0.5, 0.4, None)
