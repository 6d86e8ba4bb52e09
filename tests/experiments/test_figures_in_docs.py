"""Figures that README and the documentation quote are those of the committed results."""

import re
from pathlib import Path

import pytest

from experiments import EXPERIMENTS
from experiments.claims.places import PLACES, command, places_of

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
PAPERS = ("lrwmmc", "stm", "srls", "kdgpp", "slsi")
ROW = re.compile(r"^\| `([\w-]+)` \| [^|]* \| (.*) \|$", re.MULTILINE)
# Columns of the table of methods, and where their figures were measured: of several tables the first counts
COLUMNS = ("reuters-r52", "20newsgroups", "ohsumed-23")
TABLES = (
    "lrwmmc-table2",
    "lrwmmc-table3",
    "lrwmmc-table4",
    "lrwmmc-relatives",
    "lrwmmc-relatives-trec9",
)


def measured():
    """Give micro and macro F1 by method and corpus."""
    found = {}
    for name in TABLES:
        for comparison in EXPERIMENTS[name].load(RESULTS).values():
            for row in comparison.leaderboard():
                scores = row["scores"]["micro_f1"], row["scores"]["macro_f1"]
                found.setdefault((row["method"], comparison.corpus["name"]), scores)
    return found


def test_the_methods_of_the_readme_have_the_figures_of_the_results():
    found, compared = measured(), 0
    for method, cells in ROW.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        for corpus, cell in zip(COLUMNS, cells.split(" | ")[-3:], strict=False):
            if (method, corpus) in found and " / " in cell:
                shown = [float(figure.strip("* ")) for figure in cell.split(" / ")]
                assert shown == pytest.approx(found[method, corpus], abs=0.0015), (method, corpus)
                compared += 1
    assert compared >= 36


def test_every_experiment_of_the_papers_has_its_place():
    placed = {name for places in PLACES.values() for names in places.values() for name in names}
    declared = {name for name in EXPERIMENTS if name.startswith(PAPERS)}
    assert declared | {"theorems"} == placed


def test_every_committed_table_of_the_papers_is_in_the_documentation():
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    for folder in RESULTS.iterdir():
        if (folder / "table.md").exists():
            assert f"```{{include}} ../results/{folder.name}/table.md" in text, folder.name


def test_a_place_links_to_a_table_or_says_what_it_needs():
    shown = places_of("SRLS")
    assert "[srls-fig3](../results/srls-fig3/table.md)" in shown
    assert "`textspace reproduce srls-techtc --data FOLDER` (needs TechTC-100)" in shown
    assert command("srls-fig2") == "`textspace reproduce srls-fig2`"
