"""The page of the papers' claims: its verdicts follow from the committed results."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from experiments import EXPERIMENTS
from experiments.claims import PAPERS, kdgpp, lrwmmc, page, srls, stm, verdicts
from experiments.claims.claim import Claim, Finding, leads, over_grid, plain, signed
from experiments.theorems import growth

ROOT = Path(__file__).parents[2]
CLAIMS = [claim for _, claims in PAPERS.values() for claim in claims]


def comparison(score="micro_f1", **values):
    """Stand for a comparison of methods by one score, in two splits."""
    return SimpleNamespace(
        methods={name: {"title": name.upper()} for name in values},
        runs_of=lambda name: [{"scores": {score: values[name] + off}} for off in (-0.1, 0.1)],
    )


def test_the_page_is_that_of_the_committed_results():
    written = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert page(ROOT / "results") == written, "make claims writes it anew"


def test_every_claim_can_be_run_again_or_says_what_it_lacks():
    assert len(CLAIMS) > 70
    for claim in CLAIMS:
        assert claim.says
        assert claim.where
        assert claim.theirs
        if claim.missing:
            assert claim.decide is None
        else:
            assert claim.experiment in EXPERIMENTS


def test_every_experiment_of_the_papers_decides_a_claim():
    measured = [name for name in EXPERIMENTS if (ROOT / "results" / name).exists()]
    papers = {name for name in measured if name.split("-")[0] in ("lrwmmc", "stm", "srls", "kdgpp", "slsi")}
    assert papers | {"theorems"} <= {claim.experiment for claim in CLAIMS}


def test_a_lead_must_hold_on_every_data_set():
    results = {"TREC-9": comparison(a=0.7, b=0.5, c=0.6), "20NG": comparison(a=0.5, b=0.4, c=0.5004)}
    assert leads(results, "a", ["b"], "micro_f1") == (True, "Ohsumed +.200 against B; 20NG +.100 against B")
    assert leads(results, "a", ["b", "c"], "micro_f1") == (
        False,
        "Ohsumed +.100 against C; 20NG −.0004 against C",
    )
    assert not leads({"20NG": comparison(a=0.5, b=0.5)}, "a", ["b"], "micro_f1").holds


def test_a_curve_takes_the_best_of_the_other_settings():
    trials = [
        {"params": {"k": k, "metric": metric}, "scores": {"micro_f1": value}, "error": None}
        for k, metric, value in ((3, "a", 0.1), (3, "b", 0.3), (1, "a", 0.2))
    ]
    trials.append({"params": {"k": 5}, "scores": None, "error": "it failed"})
    own = SimpleNamespace(runs_of=lambda method: [{"oracle": trials}])
    assert list(over_grid(own, "dne", "k").items()) == [(1, 0.2), (3, 0.3)]


@pytest.mark.parametrize(("last", "holds"), [(0.4, True), (0.6, False)])
def test_falling_with_the_region_is_seen(last, holds):
    trials = [
        {"params": {"space__n_neighbors": k}, "scores": {"micro_f1": value}, "error": None}
        for k, value in ((1, 0.5), (3, 0.45), (50, last))
    ]
    own = SimpleNamespace(runs_of=lambda method: [{"oracle": trials}])
    assert lrwmmc._falls_with_region({"20NG": own}).holds == holds


def test_marks_agree_where_most_splits_and_the_means_point_as_the_paper_does():
    marks = [">>", ">", "<"]
    records = [
        {"share": 0.05, "method": method, "rule": "sign", "s": mark, "f1": f1}
        for mark in marks
        for method, f1 in (("stm", [0.9, 0.8, 0.7, 0.6, 0.9, 0.8]), ("svm", [0.7, 0.6, 0.5, 0.4, 0.7, 0.7]))
    ]
    assert stm._marks(records, {0.05: (">>", ">", ">>")}).holds
    found = stm._marks(records, {0.05: ("<", "~", ">>")})
    assert found == (False, "1 of 3 marks point the same way")


def test_small_categories_are_told_from_large_ones():
    sizes = [100, 2, 50, 3]
    records = [
        {"share": 0.3, "rule": "sign", "method": method, "sizes": sizes, "f1": f1}
        for method, f1 in (("stm", [0.8, 0.6, 0.7, 0.5]), ("svm", [0.9, 0.4, 0.8, 0.4]))
    ]
    found = stm._by_size(records, 0.3)
    assert found == (True, "mean F1 +.150 on the smaller half of the categories, −.100 on the larger")
    swapped = [record | {"method": {"stm": "svm", "svm": "stm"}[record["method"]]} for record in records]
    assert not stm._by_size(swapped, 0.3).holds


def test_methods_below_others_are_below_each_of_them():
    below, above = ({"20NG": comparison("accuracy", lsi=0.5, nmf=nmf, lda=0.7)} for nmf in (0.6, 0.8))
    assert kdgpp._below(below, ["lsi", "nmf"], ["lda"]).holds
    assert not kdgpp._below(above, ["lsi", "nmf"], ["lda"]).holds


def test_tasks_are_counted_at_a_thousand_terms():
    ahead = {"SS(rank)": 0.9, "IG": 0.8}
    records = [
        {"choice": choice, "micro": [0.5] * 6 + [value if task < 45 else 1.7 - value]}
        for choice, value in ahead.items()
        for task in range(100)
    ]
    assert srls._better_on_half(records) == Finding(True, "SS is above IG on 45 of 100 tasks")
    assert not srls._better_on_average(records).holds


def test_growth_is_the_power_of_the_last_doubling():
    records = [{"n": n, "s": 3 * n**2.5} for n in (4, 1, 2)]
    assert growth(records, "n", "s") == pytest.approx(2.5)


def test_a_claim_that_lacks_data_is_untestable(tmp_path):
    claim = Claim("all is well", "1", "yes", missing="the data")
    assert verdicts([claim], tmp_path) == [("untestable", "needs the data")]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1234, "+.123"), (-0.0004, "−.0004"), (0, "0"), (-2e-5, "0"), (-1.5, "−1.500"), (0.9996, "+1.000")],
)
def test_signs_are_seen(value, text):
    assert signed(value) == text


def test_numbers_lose_the_zero_before_the_point():
    assert [plain(0.5, 2), plain(1.25, 2), plain(12, 0)] == [".50", "1.25", "12"]
