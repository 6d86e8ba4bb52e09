import json
import re
from dataclasses import replace

import pytest

from textspace.evaluation import Comparison, summarise
from textspace.report import render, write_report

pytestmark = pytest.mark.slow

SECTIONS = ["verdict", "data", "leaderboard", "confusion", "classes", "sweep", "map", "settings"]


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"n_documents": 2000, "n_classes": 52, "oracle": True},
        {"repeats": 5, "failed": [("nmf", 2), *(("knn", repeat) for repeat in range(5))]},
        {"n_classes": 2, "methods": ("svm",)},
        {"methods": ("svm", "lda"), "failed": [("svm", 0), ("lda", 0)]},
    ],
    ids=["12 classes", "52 classes", "5 splits", "one method, 2 classes", "all failed"],
)
def comparison(request, comparison_maker):
    return comparison_maker(**request.param)


@pytest.fixture(scope="module")
def text(comparison):
    """The page of the comparison."""
    return render(summarise(comparison))


def test_the_page_is_whole(comparison, text, take_apart):
    page = take_apart(text)
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == SECTIONS
    assert set(page.values("href")) == {f"#{section}" for section in SECTIONS}
    shown = " ".join(data for _, data in page.texts)
    for method in comparison.methods.values():
        assert method["title"] in shown


def test_the_page_requests_nothing(text, take_apart):
    page = take_apart(text)
    assert not page.values("src")
    assert all(link.startswith("#") for link in page.values("href"))
    assert not re.search(r"https?:|//\w|@import|url\(|fetch\(|XMLHttp|import\(", text)
    policy = next(a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_the_same_comparison_gives_the_same_file_also_after_saving(comparison, text, tmp_path):
    comparison.save(tmp_path / "results.json")
    write_report(Comparison.load(tmp_path / "results.json"), tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == text.encode()
    assert {path.name for path in tmp_path.iterdir()} == {"again.html", "results.json"}


def test_texts_of_the_corpus_stay_texts(comparison_maker, take_apart, hostile):
    comparison = comparison_maker(n_classes=12)
    names = [f"{hostile[number % len(hostile)]} {number}" for number in range(12)]
    texts = [hostile[number % len(hostile)] for number in range(len(comparison.map["text"]))]
    loud = replace(
        comparison,
        corpus=comparison.corpus | {"name": hostile[0], "classes": names, "notes": hostile},
        map=comparison.map | {"text": texts},
        methods={
            name: method | {"title": hostile[1], "paper": hostile[0]}
            for name, method in comparison.methods.items()
        },
    )
    plain, page = (take_apart(render(summarise(each))) for each in (comparison, loud))
    # The same elements with the same attributes: nothing of the texts became markup.
    count = {"li": len(hostile) - 1}  # one more item for each further note
    for name in {tag for tag, _ in page.tags}:
        of_name = [[sorted(a) for tag, a in each.tags if tag == name] for each in (plain, page)]
        assert len(of_name[1]) - len(of_name[0]) == count.get(name, 0)
        assert {tuple(a) for a in of_name[1]} <= {tuple(a) for a in of_name[0]}
    [data] = [json.loads(text) for text in page.text_in("script") if text.startswith("{")]
    assert data["text"] == texts
    assert set(data["names"]) == set(names)
    assert hostile[0] in page.text_in("h1")


def test_the_sign_rule_is_shown_where_there_are_answers(comparison_maker, take_apart):
    comparison = comparison_maker()
    page = take_apart(render(summarise(comparison)))
    assert "By the sign rule" in page.text_in("h3")
    assert "By the sign rule" in page.text_in("figcaption")
    [row] = [row for row in comparison.leaderboard("sign") if row["method"] == "logreg"]
    assert f"{row['scores']['micro_recall']:.3f}" in page.text_in("td")
    assert f"{100 * row['scores']['unassigned']:.1f} %" in page.text_in("td")
    # Results saved by an earlier version do not say anything of it.
    runs = [{key: value for key, value in run.items() if key != "sign"} for run in comparison.runs]
    old = take_apart(render(summarise(replace(comparison, runs=runs))))
    assert "By class size" in old.text_in("h3")
    assert "By the sign rule" not in [*old.text_in("h3"), *old.text_in("figcaption")]


@pytest.fixture
def section(take_apart):
    """Give the function that finds the text of a section of a page."""

    def section(page, name):
        [found] = re.findall(rf'<section id="{name}">.*?</section>', page, re.DOTALL)
        return " ".join(" ".join(data for _, data in take_apart(found).texts).split())

    return section


@pytest.mark.parametrize("repeats", [1, 3])
def test_a_tree_and_unlabelled_text_have_sections_of_their_own(
    comparison_maker, with_tree, with_twins, repeats, take_apart, section
):
    comparison = with_twins(with_tree(comparison_maker(repeats=repeats)))
    summary = summarise(comparison)
    text = render(summary)
    page = take_apart(text)
    found = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    expected = [*SECTIONS[:3], "unlabelled", *SECTIONS[3:5], "tree", *SECTIONS[5:]]
    assert found == expected
    assert page.values("href") == [f"#{name}" for name in expected]

    shown = section(text, "tree")
    for node in summary["tree"]["nodes"]:
        numbers = [f"{node[key]:.3f}" for key in ("f1", "precision", "recall")]
        assert " ".join([node["name"], *numbers, str(node["support"])]) in shown
    assert "One category without a test document and without an answer is left out." in shown
    for row in summary["leaderboard"]:
        assert f"{row['title']} {row['hierarchical']['hierarchical_f1']:.3f}" in shown

    shown = section(text, "unlabelled")
    [gain] = summary["unlabelled"]
    sign = "+" if gain["difference"] > 0 else "−"
    difference = f"{sign}{abs(gain['difference']):.3f}"
    assert f"SR-LDA {gain['without']:.3f} {gain['with']:.3f} {difference} {gain['mark']} p" in shown
    assert "1,234 documents that have no label" in shown
    assert "unlabelled documents 1,234" in section(text, "data")
    assert f"{gain['n_helped']} {gain['n_harmed']}" in shown


def test_twins_in_results_of_an_earlier_version_are_shown(comparison_maker, with_twins, section):
    comparison = with_twins(comparison_maker())
    corpus = {key: value for key, value in comparison.corpus.items() if key != "n_unlabelled"}
    text = render(summarise(replace(comparison, corpus=corpus)))
    assert "with the documents that have no label" in section(text, "unlabelled")


def test_names_of_categories_stay_texts(comparison_maker, with_tree, take_apart, hostile):
    comparison = with_tree(comparison_maker())
    tree = {child: hostile[0] if parent else None for child, parent in comparison.corpus["tree"].items()}
    page = take_apart(render(summarise(replace(comparison, corpus=comparison.corpus | {"tree": tree}))))
    assert hostile[0] in page.text_in("th")


def test_results_without_predictions_have_a_page(comparison_maker, take_apart):
    comparison = comparison_maker(repeats=3)
    runs = [run | {"predicted": None, "sign": None} for run in comparison.runs]
    page = take_apart(render(summarise(replace(comparison, truth=[[], [], []], runs=runs, map=None))))
    assert page.text_in("p").count("The results were saved without the predictions.") == 2


def test_best_on_test_is_always_named_so(comparison_maker):
    with_oracle = render(summarise(comparison_maker(oracle=True)))
    assert "Best on test:" in with_oracle
    assert "must not be used to choose" in with_oracle
    assert "on test:" not in render(summarise(comparison_maker()))


def test_an_unwritable_place_leaves_nothing_behind(comparison_maker, tmp_path):
    with pytest.raises(FileNotFoundError):
        write_report(comparison_maker(methods=("svm",)), tmp_path / "absent" / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_the_page_stays_small(comparison_maker):
    """The page can be sent by mail: a picture library inside it would take 5 MB."""
    assert len(render(summarise(comparison_maker(n_documents=2000, n_classes=52)))) < 1_000_000
