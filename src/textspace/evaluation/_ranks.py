"""Methods on several corpora: their places, corpus by corpus, and the mean of these."""

import numpy as np


def mean_ranks(comparisons, measure="micro_f1"):
    """Rank methods on each of several corpora, and give the mean rank of each.

    Parameters
    ----------
    comparisons : sequence of Comparison
        One a corpus, of the same methods.
    measure : str, default="micro_f1"
        The score by which methods are ranked, as in :func:`scores`.

    Returns
    -------
    list of dict
        The best mean rank first: ``method``, ``title``, ``mean_rank`` (1 is best; equal scores share the mean
        of their ranks), ``ranks`` and ``scores``, one a comparison. Methods that failed on some corpus, or
        did not take part in it, are left out.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, mean_ranks
    >>> halves = [compare(load("demo"), "nb,svm", train_share=share, n_jobs=1) for share in (0.3, 0.6)]
    >>> [round(sum(row["ranks"])) for row in mean_ranks(halves)] == [2, 4]
    True
    """
    from scipy.stats import rankdata

    boards = [
        {row["method"]: row for row in comparison.leaderboard() if not row["error"]}
        for comparison in comparisons
    ]
    shared = [name for name in boards[0] if all(name in board for board in boards)]
    found = np.array([[board[name]["scores"][measure] for board in boards] for name in shared])
    ranks = rankdata(-found.reshape(len(shared), len(boards)), axis=0)
    rows = [
        {
            "method": name,
            "title": boards[0][name]["title"],
            "mean_rank": float(own.mean()),
            "ranks": own.tolist(),
            "scores": values.tolist(),
        }
        for name, own, values in zip(shared, ranks, found, strict=True)
    ]
    return sorted(rows, key=lambda row: row["mean_rank"])


def rank_table(comparisons):
    """Lay out micro F1 on several corpora and the mean ranks.

    Parameters
    ----------
    comparisons : sequence of Comparison
        As in :func:`mean_ranks`.

    Returns
    -------
    rich.table.Table
        One row a method.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, rank_table
    >>> halves = [compare(load("demo"), "nb,svm", train_share=share, n_jobs=1) for share in (0.3, 0.6)]
    >>> rank_table(halves).row_count
    2
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = mean_ranks(comparisons)
    macro = {row["method"]: row["mean_rank"] for row in mean_ranks(comparisons, "macro_f1")}
    left_out = [name for name in comparisons[0].methods if name not in macro]
    caption = "Micro F1, with the rank in brackets; the mean ranks are by micro and by macro F1."
    if left_out:
        caption += f" Not finished on every corpus, and left out: {', '.join(left_out)}."
    table = Table(title=Text("All corpora"), caption=Text(caption), box=box.SIMPLE)
    table.title_justify = table.caption_justify = "left"
    table.add_column("method", no_wrap=True)
    for name in ("mean rank", "macro", *(comparison.corpus["name"] for comparison in comparisons)):
        table.add_column(Text(name), justify="right")
    for row in rows:
        entries = [f"{score:.3f} ({rank:g})" for score, rank in zip(row["scores"], row["ranks"], strict=True)]
        ranks = f"{row['mean_rank']:.2f}", f"{macro[row['method']]:.2f}"
        table.add_row(*map(Text, (row["title"], *ranks, *entries)))
    return table
