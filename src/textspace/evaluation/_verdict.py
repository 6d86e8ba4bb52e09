"""The verdict on a comparison in plain sentences."""

from textspace._wording import joined, p_text, seconds_text, signed_text

FEW_DOCUMENTS = 500  # below this many test documents, an interval is several points wide
FEW_IN_CLASS = 5
_TESTS = {  # of several labels a document
    "s": "the sign test over decisions",
    "S": "the sign test over labels",
    "T": "the t-test over labels",
}
_EFFECTS = {">": "significantly better", "<": "significantly worse", "~": "not significantly different"}
CLEARLY_CHEAPER = 2  # times; a smaller ratio may be the machine's doing


def verdict(summary):
    """Say in sentences what a comparison shows, and what it does not, from its summary.

    Gives ``headline``, a sentence; ``sentences`` and ``caveats``, lists of them.
    """
    sayings = (_against_rival, _cheapest, _best_space, _by_macro, _by_unlabelled, _in_tree)
    return _said(summary, sayings)


def label_verdict(summary):
    """Say the same of a comparison on several labels a document."""
    return _said(summary, (_against_baseline, _runner_up, _by_macro))


def _said(summary, sayings):
    best = summary["best"]
    if best is None:
        return {
            "headline": "No method finished, so there is nothing to compare.",
            "sentences": ["The leaderboard says what went wrong with each."],
            "caveats": [],
        }
    if len(summary["leaderboard"]) == 1:
        return {
            "headline": f"{best['title']} reaches {_score_text(best)}.",
            "sentences": [
                "Only this method finished: compare it with others to see what the score is worth."
            ],
            "caveats": _caveats(summary),
        }
    return {
        "headline": f"{best['title']} is best here, with {_score_text(best)}.",
        "sentences": [sentence for saying in sayings if (sentence := saying(summary))],
        "caveats": _caveats(summary),
    }


def _score_text(row):
    interval = row["intervals"]["micro_f1"]
    text = f"a micro F1 of {row['scores']['micro_f1']:.3f}"
    return text + (f" (95 % interval {interval[0]:.3f} to {interval[1]:.3f})" if interval else "")


def _named(row):
    return f"{row['title']} ({row['scores']['micro_f1']:.3f})"


def _is_worse(row):
    """Tell whether a row is significantly worse than the best one."""
    return row["against_best"] is not None and row["against_best"]["mark"].startswith("<")


def _against_rival(summary):
    best, baseline = summary["best"], summary["baseline"]
    rival = next(row for row in summary["leaderboard"] if row["method"] == summary["rival"]["method"])
    test = (
        "micro sign test" if summary["n_splits"] == 1 else f"corrected t-test, {summary['n_splits']} splits"
    )
    proof = f"({test}, {p_text(rival['against_best']['p_value'])})"
    significantly = "significantly" if _is_worse(rival) else "not significantly"
    if baseline is None:
        return (
            f"There is no baseline; the runner-up, {_named(rival)}, is {significantly} worse than it {proof}."
        )
    if baseline["method"] == best["method"]:
        return (
            "It is the baseline itself, which no other method beats; "
            f"the runner-up, {_named(rival)}, is {significantly} worse {proof}."
        )
    better = f"It is {significantly} better than the baseline, {_named(rival)} {proof}"
    if summary["only_right"] is None:
        return f"{better}."
    ours, theirs = summary["only_right"]
    return (
        f"{better}: only {best['title']} is right on {ours} test documents, only the baseline on {theirs}"
        + (", summed over the splits." if summary["n_splits"] > 1 else ".")
    )


def _against_baseline(summary):
    """Say by how much the best method is ahead of the baseline, unless that is the best."""
    best, baseline = summary["best"], summary["baseline"]
    if baseline is None or baseline is best:
        return None if baseline else "The baseline failed, so no method is tested against it."
    ahead = f"It is {_ahead(best, baseline)} ahead of the baseline, {_named(baseline)}"
    return f"{ahead}{_proof(best)}."


def _runner_up(summary):
    """Say how far the second method is behind, and whether luck can explain it, where that was tested."""
    best, baseline, second = summary["best"], summary["baseline"], summary["leaderboard"][1]
    if second is baseline:
        return None
    if best is baseline:
        return (
            "It is the baseline itself, which no other method beats; the runner-up, "
            f"{_named(second)}, is {_ahead(best, second)} behind{_proof(second)}."
        )
    return f"The runner-up, {_named(second)}, is {_ahead(best, second)} behind."


def _ahead(row, other):
    return f"{row['scores']['micro_f1'] - other['scores']['micro_f1']:.3f}"


def _proof(row):
    """Say what each test of a method against the baseline shows; nothing where there is none."""
    said = []
    for mark, effect in _EFFECTS.items():
        tests = ((name, (row["significance"] or {}).get(key)) for key, name in _TESTS.items())
        shown = [
            f"{name} ({p_text(test['p_value'])})" for name, test in tests if test and test["mark"][0] == mark
        ]
        said += [f"{effect} by {joined(shown)}"] if shown else []
    return f": {'; '.join(said)}" if said else ""


def _cheapest(summary):
    best = summary["best"]
    equals = [row for row in summary["leaderboard"] if row["method"] != best["method"] and not _is_worse(row)]
    if not equals:
        return "Every other method is significantly worse."
    cheapest = min(equals, key=_cost)
    if _cost(cheapest) > _cost(best) / CLEARLY_CHEAPER:
        return (
            f"Not significantly worse: {joined(row['title'] for row in equals)}. "
            f"None of them is clearly cheaper ({seconds_text(_cost(best))} to fit and predict)."
        )
    others = [row["title"] for row in equals if row is not cheapest]
    return (
        f"The cheapest method within the noise is {_named(cheapest)}: {seconds_text(_cost(cheapest))} to fit "
        f"and predict instead of {seconds_text(_cost(best))}, and not significantly worse than "
        f"{best['title']} ({p_text(cheapest['against_best']['p_value'])})."
        + (f" The same holds of {joined(others)} at a higher price." if others else "")
    )


def _cost(row):
    return row["seconds"]["fit"] + row["seconds"]["predict"]


def _best_space(summary):
    """Name the best method that learns a space, unless it is the best of all."""
    first = next((row for row in summary["leaderboard"] if row["n_dimensions"] < row["n_terms"]), None)
    if first is None or first["method"] == summary["best"]["method"]:
        return None
    terms = "trigrams" if summary["methods"][first["method"]].get("scheme") == "trigrams" else "terms"
    return (
        f"The best learned space is that of {_named(first)}, with {first['n_dimensions']:,.0f} dimensions "
        f"instead of {first['n_terms']:,.0f} {terms}."
    )


def _by_macro(summary):
    best = summary["best"]
    first = max(summary["leaderboard"], key=lambda row: row["scores"]["macro_f1"])
    if first["scores"]["macro_f1"] == best["scores"]["macro_f1"]:
        return None
    return (
        f"By macro F1, which counts every {_unit(summary)[0]} alike, {first['title']} is ahead "
        f"({first['scores']['macro_f1']:.3f} against {best['scores']['macro_f1']:.3f})."
    )


def _unit(summary):
    """Name what documents are put into: one, and several of them."""
    return ("label", "labels") if "labels" in summary else ("class", "classes")


def _by_unlabelled(summary):
    """Say what unlabelled documents did to the methods that learned from them."""
    effects = {">": "helps {}", "<": "does harm to {}", "~": "makes no significant difference to {}"}
    said = []
    for mark, effect in effects.items():
        gains = [gain for gain in summary["unlabelled"] if gain["mark"].startswith(mark)]
        if gains:
            named = joined(f"{gain['title']} ({signed_text(gain['difference'])})" for gain in gains)
            said.append(effect.format(named))
    return f"Unlabelled text {joined(said)}." if said else None


def _in_tree(summary):
    """Say how far down the tree the answers of the best method lead."""
    if summary["tree"] is None:
        return None
    level = 0 if sum(node["depth"] == 0 for node in summary["tree"]["nodes"]) > 1 else 1
    errors = summary["best"]["hierarchical"]["error_by_level"]
    if level + 1 >= len(errors):
        return None
    wrong = 1 - summary["best"]["scores"]["accuracy"]
    return (
        f"Its answers are in the wrong category for {wrong:.1%} of the test documents, and at the top of the "
        f"tree for {errors[level]:.1%}."
    )


def _caveats(summary):
    corpus, finished = summary["corpus"], summary["leaderboard"]
    caveats = [
        f"{row['title']} failed in {row['n_failed']} of {summary['n_splits']} splits, which its figures omit."
        for row in finished
        if row.get("n_failed")
    ]
    if summary["failed"]:
        names = joined(row["title"] for row in summary["failed"])
        caveats.append(f"{names} failed: the leaderboard gives the reason.")
    interval = summary["best"]["intervals"]["micro_f1"]
    if corpus["n_test"] < FEW_DOCUMENTS and interval:
        caveats.append(
            f"There are only {corpus['n_test']} test documents: "
            f"the score of the best method is known to ±{50 * (interval[1] - interval[0]):.1f} points."
        )
    small = sum(0 < size < FEW_IN_CLASS for size in corpus["test_sizes"])
    if small:
        caveats.append(
            f"{small} of {len(corpus['classes'])} {_unit(summary)[1]} have fewer than {FEW_IN_CLASS} test "
            "documents: their F1, and macro F1 with it, hangs on single documents."
        )
    if len(finished) > 2:
        caveats.append(
            f"The best of {len(finished)} methods was picked by its score on the test documents, which "
            "favours the lucky: expect a little less on new ones."
        )
    return caveats
