"""Claims of the five papers, each with what our results say of it."""

from collections import Counter
from functools import cache

from experiments import EXPERIMENTS
from experiments.claims import kdgpp, lrwmmc, slsi, srls, stm
from experiments.claims.claim import Claim, Finding
from experiments.claims.places import command, places_of
from experiments.markdown import table

PAPERS = {
    "LRWMMC": (
        'Gu and Zhou, "Local relevance weighted maximum margin criterion for text classification"',
        lrwmmc.CLAIMS,
    ),
    "STM": ('Cai, He, Wen, Han and Ma, "Support tensor machines for text categorization"', stm.CLAIMS),
    "SRLS": (
        'Dasgupta, Drineas, Harb, Josifovski and Mahoney, "Feature selection methods for text '
        'classification"',
        srls.CLAIMS,
    ),
    "KDGPP": (
        'Wang and Sun, "Efficient kernel discriminative geometry preserving projection for document '
        'classification"',
        kdgpp.CLAIMS,
    ),
    "SLSI": (
        'Quan, Chen, Luo and Xiong, "Adaptive label-driven scaling for latent semantic indexing"',
        slsi.CLAIMS,
    ),
}
INTRODUCTION = """# What the papers claim, and what we find

Every claim of the five papers that a measurement can contradict, with the verdict of ours. *Confirmed* means
that the sentence holds on every data set it speaks of, *refuted* that it does not on at least one;
*untestable* that we have not the data. A verdict follows from the committed results of an experiment, at
settings chosen on training documents unless it says otherwise; run the experiment again, and `make claims`
writes this page anew. Before the claims of a paper stand its tables and figures, each with ours: *printed*
are those with the paper's algorithm and preprocessing, and settings best on test, where that differs.
[The experiments](experiments.md) have the tables, and say where corpora stand in for others: Ohsumed with 23
classes for TREC-9's subset, pairs of classes for TechTC-100, ModApte for RCV2, 30 categories of TDT2 for 56.
"""

__all__ = ["PAPERS", "Claim", "Finding", "page", "verdicts"]


def verdicts(claims, folder):
    """Give the verdict and our numbers for each claim, from the results in a folder."""
    load, found = cache(lambda name: EXPERIMENTS[name].load(folder)), []
    for claim in claims:
        if claim.missing:
            found.append(("untestable", f"needs {claim.missing}"))
        else:
            holds, ours = claim.decide(*map(load, filter(None, (claim.experiment, claim.beside))))
            found.append(("confirmed" if holds else "refuted", ours))
    return found


def page(folder):
    """Give the page of all claims, in Markdown, from the results in a folder."""
    counts, parts = {}, []
    for paper, (reference, claims) in PAPERS.items():
        found = verdicts(claims, folder)
        counts[paper] = Counter(verdict for verdict, _ in found)
        rows = [
            [claim.says, claim.where, f"**{verdict}**", ours, claim.theirs, _again(claim)]
            for claim, (verdict, ours) in zip(claims, found, strict=True)
        ]
        headings = ["claim", "where", "verdict", "ours", "theirs", "run it again"]
        where = places_of(paper)
        parts.append(f"## {paper}\n\n{reference}\n\n{where}\n\n{table(headings, rows)}\n")
    return "\n".join([INTRODUCTION, _summary(counts), *parts])


def _again(claim):
    return ", ".join(command(name) for name in (claim.experiment, claim.beside) if name)


def _summary(counts):
    names = ["confirmed", "refuted", "untestable"]
    rows = [[paper, *(found[name] for name in names), found.total()] for paper, found in counts.items()]
    total = sum(counts.values(), Counter())
    rows.append(["all", *(total[name] for name in names), total.total()])
    return table(["paper", *names, "claims"], rows) + "\n"
