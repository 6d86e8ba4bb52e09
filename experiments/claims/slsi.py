"""Claims of Quan et al., "Adaptive label-driven scaling for LSI", SIGIR 2008."""

from functools import partial

from experiments.claims.claim import CORPORA, Claim, Finding, leads, score, signed

MACRO = "macro_f1_of_means"


def _sometimes(comparisons, method, rival, name):
    """Find whether a method is above another on at least one data set."""
    found = {
        CORPORA[dataset]: score(comparison, method, name) - score(comparison, rival, name)
        for dataset, comparison in comparisons.items()
    }
    said = "; ".join(f"{dataset} {signed(lead)}" for dataset, lead in found.items())
    return Finding(max(found.values()) > 0, said)


CLAIMS = [
    *(
        Claim(
            f"scaling the terms of labels (NADP) is above plain LSI in {title} F1 on all three trees",
            "Tables 1 to 3",
            theirs,
            "slsi-table1",
            partial(leads, method="nadp", rivals=["k-lsi"], name=name),
        )
        for title, name, theirs in (
            ("micro", "micro_f1", "+.026, 0, +.006"),
            ("macro", MACRO, "+.029, +.002, +.006"),
        )
    ),
    *(
        Claim(
            f"adaptive scaling (SLSI) is above NADP in {title} F1 on all three trees",
            "Tables 1 to 3",
            theirs,
            "slsi-table1",
            partial(leads, method="slsi", rivals=["nadp"], name=name),
        )
        for title, name, theirs in (
            ("micro", "micro_f1", "+.005, +.043, +.005"),
            ("macro", MACRO, "+.004, +.040, +.005"),
        )
    ),
    Claim(
        "SLSI is above plain LSI on all three trees",
        "Tables 1 to 3",
        "+.031, +.043, +.011 micro F1",
        "slsi-table1",
        partial(leads, method="slsi", rivals=["k-lsi"], name="micro_f1"),
    ),
    Claim(
        "in some cases SLSI is above the hierarchical SVM",
        "Tables 2 and 3",
        "−.015, +.021, +.010 micro F1",
        "slsi-table1",
        partial(_sometimes, method="slsi", rival="hsvm", name="micro_f1"),
    ),
]
