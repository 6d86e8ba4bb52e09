"""The page of the papers' claims: its verdicts follow from the committed results."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from experiments import EXPERIMENTS
from experiments.claims import PAPERS, kdgpp, lrwmmc, page, srls, stm, verdicts
from experiments.claims.claim import Claim, Finding, leads, over_grid, plain, signed
from experiments.printed import weighted_f1
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
    brought = {name for name, each in EXPERIMENTS.items() if each.brought}
    assert brought == {claim.experiment for claim in CLAIMS if claim.missing and claim.experiment}


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


@pytest.mark.parametrize(("em", "holds"), [(0.4, True), (0.6, False)])
def test_naive_bayes_on_counts_is_taken_from_its_own_experiment(monkeypatch, em, holds):
    monkeypatch.setattr(lrwmmc, "N_LABELS", {"ohsumed-23": [200, 300]})
    own = {"corpus": "ohsumed-23", "by": "labelled"}
    counts = [own | {"n_labels": n, "micro": value} for n, value in ((200, 0.3), (300, em))]
    ours = [own | {"n_labels": n, "micro": 0.5, "method": "ss-lrwmmc"} for n in (200, 300)]
    others = [record | {"method": "em-nb", "micro": 0.0} for record in ours]
    found = lrwmmc._gains_over_counts(counts, [*ours, *others])
    assert found == (holds, f"Ohsumed {signed(0.5 - max(em, 0.3))} to +.200")


def with_best(best, **values):
    """Stand for a comparison in one split, with a score best on test."""
    return SimpleNamespace(
        methods={name: {"title": name.upper()} for name in values},
        runs_of=lambda name: [
            {
                "scores": {"micro_f1": values[name]},
                "oracle": [{"scores": {"micro_f1": best[name]}, "error": None}],
            }
        ],
    )


def test_the_printed_kernel_is_compared_with_the_linear_method_of_table_2():
    printed = {"TREC-9": with_best({"klrwmmc-printed": 0.7}, **{"klrwmmc-printed": 0.5})}
    linear = {"TREC-9": with_best({"lrwmmc": 0.65}, lrwmmc=0.6), "20Newsgroup": None}
    found = lrwmmc._printed_above_linear(printed, linear)
    assert found == (False, "Ohsumed −.100, settings best on test +.050")


def test_each_local_lsi_must_be_above_lsi():
    values = {"lsi": 0.5, "local-lsi-class": 0.6, "local-lsi": 0.45, "lrw-lsi": 0.7}
    found = lrwmmc._local_above_lsi({"TREC-9": comparison(**values)})
    assert found == (False, "Ohsumed LOCAL-LSI-CLASS +.100, LOCAL-LSI −.050, LRW-LSI +.200")
    assert lrwmmc._local_above_lsi({"TREC-9": comparison(**values | {"local-lsi": 0.51})}).holds


def test_the_lead_of_stm_is_that_at_the_chosen_penalty():
    own = {"variant": "plain", "rule": "sign"}
    records = [
        own | {"machine": machine, "C": C, "macro": macro, "chosen": chosen == C}
        for machine, chosen, values in (("stm", 10.0, (0.1, 0.5, 0.4)), ("svm", 1.0, (0.2, 0.3, 0.6)))
        for C, macro in zip((1.0, 10.0, 100.0), values, strict=True)
    ]
    found = stm._settings_lead(records, "plain")
    assert found == (
        True,
        "+.300 at the C of training documents; C = 1 −.100, C = 10 +.200, C = 100 −.200",
    )
    assert not stm._at_every_penalty([record | {"variant": "stratified"} for record in records]).holds


def test_a_smaller_penalty_must_raise_accuracy_for_the_graph_to_help():
    falling = {"kdgpp": 0.95, "kdgpp-0.1": 0.91, "kdgpp-0.01": 0.85}
    assert kdgpp._by_penalty({"20NG": comparison("accuracy", **falling)}) == (
        False,
        "20NG C = 1 .950, C = 0.1 .910, C = 0.01 .850",
    )
    assert kdgpp._by_penalty({"20NG": comparison("accuracy", **falling | {"kdgpp-0.1": 0.96})}).holds


def test_f1_weighted_by_documents_counted_by_hand():
    own = SimpleNamespace(truth=[[0, 0, 0, 1]], runs_of=lambda name: [{"predicted": [0, 0, 1, 1]}])
    # class 0: 2 of 2 right, 2 of 3 found, F1 .8; class 1: 1 of 2, 1 of 1, F1 2 / 3
    assert weighted_f1(own, "kdgpp") == pytest.approx((3 * 0.8 + 2 / 3) / 4)


def test_what_is_printed_is_told_from_the_other_rule_and_from_ours():
    records = [
        {"way": way, "choice": "SS(rank)", "n_terms": n, "recall": recall, "n_kept": kept}
        for way, recall in (("printed", 0.97), ("printed, f > 0", 0.17), ("ours", 0.5))
        for n, kept in ((10, 10), (100, 80), (1000, 990))
    ]
    assert srls._rules_of_zero(records) == (
        False,
        "relative recall of SS(rank) at r = 10: .970 with f >= 0, .170 with f > 0",
    )
    assert srls._terms_kept(records) == (False, "10 of 10, 80 of 100, 990 of 1000 for SS(rank)")


def test_growth_is_the_power_of_the_last_doubling():
    records = [{"n": n, "s": 3 * n**2.5} for n in (4, 1, 2)]
    assert growth(records, "n", "s") == pytest.approx(2.5)


def test_a_claim_may_need_two_experiments(monkeypatch, tmp_path):
    results = {"one": [1], "two": [2]}
    for name, found in results.items():
        monkeypatch.setitem(EXPERIMENTS, name, SimpleNamespace(load=lambda folder, found=found: found))
    claim = Claim("x", "1", "y", "one", lambda first, second: Finding(first < second, "ours"), beside="two")
    assert verdicts([claim], tmp_path) == [("confirmed", "ours")]


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
