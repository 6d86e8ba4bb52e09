"""Tables of the printed methods."""

import numpy as np

from experiments import EXPERIMENTS, printed
from experiments.comparisons import report
from textspace.datasets import Corpus
from textspace.evaluation import compare
from textspace.methods import METHODS


def small_comparison():
    texts = [f"{word} number {row}" for word in ("corn", "rice", "gold") for row in range(8)]
    labels = np.repeat(["corn", "rice", "gold"], 8)
    methods = [METHODS["cm"], METHODS["nb"]]
    return compare(Corpus("small", texts, labels), methods, train_share=0.5, oracle=True, n_jobs=1)


def test_there_is_no_best_on_test_of_what_is_not_known_of_a_setting():
    text = report(
        {"ours": small_comparison()},
        published={},
        measures={"accuracy": "accuracy", "AUC": "auc", "fit s": "fit"},
    )
    [headings] = [line for line in text.splitlines() if line.startswith("| method")]
    assert headings.count("best on test") == 1
    [row] = [line for line in text.splitlines() if line.startswith("| Class centroids")]
    assert row.count("|") == headings.count("|")


def test_weighted_f1_stands_below_the_tables():
    comparison = small_comparison()
    text = printed.report_with_weighted_f1(
        {"ours": comparison}, published={}, measures={"accuracy": "accuracy"}
    )
    last = text.rstrip().splitlines()[-2:]
    assert last == [
        f"| {METHODS[name].title} | {printed.weighted_f1(comparison, name):.4f} |" for name in ("cm", "nb")
    ]


def test_what_is_printed_has_the_settings_of_its_name():
    rows = {method.name: method.build() for method in printed.kdgpp_methods()}
    params = {name: row.named_steps["space"].get_params() for name, row in rows.items()}
    assert [params[f"nmf-{n}"]["n_components"] for n in (50, 100)] == [50, 100]
    assert [params[name]["C"] for name in ("kdgpp", "kdgpp-0.1", "kdgpp-0.01")] == [1.0, 0.1, 0.01]
    assert [params[f"kdgpp-100-{name}"]["solver"] for name in ("closed", "sdp")] == ["closed", "sdp"]
    letter = params["kernel-dgpp-printed"]
    assert (letter["normalize"], letter["scatter"], letter["per_class"]) == ("coefficients", "squared", False)
    assert params["mfa"]["penalty"] == "classes"
    # the same graph for DGPP and KDGPP
    geometry = ("alpha", "sigma2", "regularization", "scatter")
    assert all(params["dgpp"][name] == params["kdgpp"][name] for name in geometry)
    [algorithm2] = [row for row in printed.kernel_methods() if row.name == "klrwmmc-printed"]
    space = algorithm2.build().named_steps["space"]
    assert (space.relevance, space.normalize, space.approximation) == ("kernel", "coefficients", "auto")


def test_documents_of_the_printed_kdgpp_have_no_stems():
    assert EXPERIMENTS["kdgpp-printed"].results.space().stem is None
