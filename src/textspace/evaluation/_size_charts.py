"""F1 over the size of the classes, arranged for a chart."""

FEWEST_CLASSES = 8  # with fewer, a bin holds one or two classes, and a curve would show their luck
FEWEST_BINS = 3
MOST_METHODS = 3


def size_charts(comparison, leaderboards):
    """Average F1 over classes of about the same number of training documents.

    Sizes are sorted into bins that double: 1, 2 to 3, 4 to 7 and so on; a class without a training document
    has a bin of its own. Of each of the `leaderboards`, finished rows by decision rule, the first three are
    drawn, and the baseline. Gives for each rule ``rule``; ``bins``, each with ``first``, ``last`` (training
    documents) and ``n_classes``; ``lines``, each with ``title``, ``color`` (a number that a method keeps in
    all charts) and ``points`` of ``position`` (of a bin) and ``f1``. Empty where there are too few classes,
    or classes of too few sizes, for a curve.
    """
    if sum(size > 0 for size in comparison.corpus["test_sizes"]) < FEWEST_CLASSES:
        return []
    baseline = comparison.protocol["baseline"]
    charts, colors = [], {}
    for rule, rows in leaderboards.items():
        shown = [row for place, row in enumerate(rows) if place < MOST_METHODS or row["method"] == baseline]
        curves = [_binned(comparison.f1_by_size(row["method"], rule)) for row in shown]
        filled = {digits for curve in curves for digits in curve}
        if len(filled) < FEWEST_BINS:
            continue
        first = min(filled)
        lines = [
            {
                "title": row["title"],
                "color": colors.setdefault(row["method"], len(colors)),
                "points": [{"position": digits - first, "f1": f1} for digits, (f1, _) in curve.items()],
            }
            for row, curve in zip(shown, curves, strict=True)
        ]
        bins = [_bin(digits, curves) for digits in range(first, max(filled) + 1)]
        charts.append({"rule": rule, "bins": bins, "lines": lines})
    return charts


def _binned(curve):
    """Average a curve over bins: a dict from the number of binary digits to F1 and number of classes."""
    totals = {}
    for size, f1, count in zip(*(curve[key].tolist() for key in ("size", "f1", "n_categories")), strict=True):
        total, n_classes = totals.get(size.bit_length(), (0.0, 0))
        totals[size.bit_length()] = total + f1 * count, n_classes + count
    return {digits: (total / n_classes, n_classes) for digits, (total, n_classes) in totals.items()}


def _bin(digits, curves):
    n_classes = max((curve[digits][1] for curve in curves if digits in curve), default=0)
    return {"first": 2**digits // 2, "last": 2**digits - 1, "n_classes": n_classes}
