"""What a claim of a paper is, and how its verdict comes out of results."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from experiments.comparisons import best_on_test
from experiments.markdown import mean_of

CORPORA = {
    "Reuters21578": "R52",
    "Reuters-21578": "R52",
    "TREC-9": "Ohsumed",
    "20Newsgroup": "20NG",
    "20NG": "20NG",
    "Reuters tree (a)": "tree (a)",
    "Reuters tree (b)": "tree (b)",
    "20 Newsgroups": "20NG",
}


class Finding(NamedTuple):
    """Whether a claim holds in our results, and the numbers that say so."""

    holds: bool
    ours: str


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that results can contradict.

    Parameters
    ----------
    says : str
        The claim, in a sentence.
    where : str
        Table, figure or section of the paper.
    theirs : str
        The paper's numbers, if it has some.
    experiment : str
        Name of the experiment whose results decide it.
    decide : callable, optional
        ``decide(results)`` gives a :class:`Finding`, from the results as the experiment reads them.
    missing : str, optional
        What would be needed, for a claim that cannot be tested here; `experiment` is then what would decide.
    beside : str, optional
        Name of a second experiment, whose results `decide` takes too.
    """

    says: str
    where: str
    theirs: str
    experiment: str = ""
    decide: Callable | None = None
    missing: str = ""
    beside: str = ""


# Comparisons: results by data set of the paper


def score(comparison, method, name, *, on_test=False):
    """Give a mean score of a method, at settings from training documents or at those best on test."""
    if on_test:
        return best_on_test(comparison.runs_of(method)[0])["scores"][name]
    return float(np.mean([run["scores"][name] for run in comparison.runs_of(method)]))


def fit_seconds(comparison, method):
    """Give the mean time of a fit."""
    return float(np.mean([run["seconds"]["fit"] for run in comparison.runs_of(method)]))


def leads(comparisons, method, rivals, name, *, on_test=False):
    """Find whether a method is above its rivals on every data set, and by how much above the best of them."""
    said, holds = [], True
    for dataset, comparison in comparisons.items():
        best = max(rivals, key=lambda rival: score(comparison, rival, name, on_test=on_test))
        lead = score(comparison, method, name, on_test=on_test) - score(
            comparison, best, name, on_test=on_test
        )
        title = comparison.methods[best]["title"]
        said.append(f"{CORPORA[dataset]} {signed(lead)} against {title}")
        holds &= lead > 0
    return Finding(holds, "; ".join(said))


def leads_both_ways(comparisons, method, rivals, name):
    """Find whether a method is above its rivals with honest settings; say the same of those best on test."""
    honest = leads(comparisons, method, rivals, name)
    generous = leads(comparisons, method, rivals, name, on_test=True)
    return Finding(honest.holds, f"{honest.ours}. Settings best on test: {generous.ours}")


def over_grid(comparison, method, parameter, name="micro_f1"):
    """Give the best score on test for each value of one setting of a method."""
    found = {}
    for trial in comparison.runs_of(method)[0]["oracle"]:
        if trial["error"] is None:
            value = trial["params"][parameter]
            found[value] = max(found.get(value, 0.0), trial["scores"][name])
    return dict(sorted(found.items()))


# Records: flat dicts


def means(records, name, over, values, **wanted):
    """Give the mean of a value at each value of one key."""
    return np.array([mean_of(records, name, **{over: value}, **wanted) for value in values])


# Words


def signed(value, digits=3):
    """Give a number with its sign and without the zero before the point."""
    if abs(value) < 5 * 10 ** -(digits + 2):
        return "0"
    digits += abs(value) < 10**-digits  # so that the sign is seen
    return ("−" if value < 0 else "+") + f"{abs(value):.{digits}f}".removeprefix("0")


def plain(value, digits=3):
    """Give a number without the zero before the point."""
    return f"{value:.{digits}f}".removeprefix("0")


def listed(names, values, digits=3):
    """Give values with their names."""
    return ", ".join(f"{name} {plain(value, digits)}" for name, value in zip(names, values, strict=True))
