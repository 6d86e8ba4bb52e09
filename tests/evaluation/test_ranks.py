import numpy as np
from tests.comparisons import make_comparison

from textspace.evaluation import mean_ranks, rank_table


def test_mean_ranks_are_the_means_of_the_places():
    comparisons = [make_comparison(seed=seed) for seed in range(3)]
    rows = mean_ranks(comparisons)
    assert {row["method"] for row in rows} == set(comparisons[0].methods)
    assert rows == sorted(rows, key=lambda row: row["mean_rank"])
    ranks = np.array([row["ranks"] for row in rows])
    n_methods = len(rows)
    np.testing.assert_allclose(ranks.sum(axis=0), n_methods * (n_methods + 1) / 2)  # ties share
    for place, comparison in enumerate(comparisons):
        first = comparison.leaderboard()[0]["method"]
        assert min(rows, key=lambda row: row["ranks"][place])["method"] == first


def test_methods_that_failed_somewhere_are_left_out_and_named():
    whole, broken = make_comparison(), make_comparison(failed=[("svm", 0)], seed=1)
    assert "svm" not in {row["method"] for row in mean_ranks([whole, broken])}
    assert "left out: svm" in str(rank_table([whole, broken]).caption)
