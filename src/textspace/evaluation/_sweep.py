"""The parameters that a method was tried with, arranged for a chart."""

import numpy as np

from textspace._wording import parameter_name, parameters_text


def parameter_sweep(comparison, row):
    """Arrange the grid of a method, given by its row of the leaderboard; None if there was nothing to choose.

    The parameter with the most values is the x axis; each combination of the others is a line. Means and
    deviations are averaged over the repeats. Gives ``title``; ``axis``, the parameter on the x axis, its
    ``values`` as texts, and whether they are ``ordered``; ``lines``: ``name`` and ``points``, each with
    ``position``, ``mean``, ``std``, ``chosen`` (in how many repeats), ``on_test`` (None unless the test
    documents were scored) and ``text``; ``score`` on the test documents, and ``best_on_test``: ``params`` and
    ``score``, or None.
    """
    runs = comparison.runs_of(row["method"])
    tried = _gather(
        runs, "search", lambda entry: None if entry["mean"] is None else (entry["mean"], entry["std"])
    )
    on_test = _gather(runs, "oracle", lambda entry: entry["scores"] and entry["scores"]["micro_f1"])
    if len(tried) < 2:
        return None
    grid = comparison.methods[row["method"]]["grid"]
    axis = max(grid, key=lambda name: len(grid[name]))
    values = [_hashable(value) for value in grid[axis]]
    beyond = {dict(key)[axis] for key in tried} - set(values)  # where the grid was widened
    values = sorted({*values, *beyond}) if beyond else values
    lines = {}
    for key, (mean, std) in tried.items():
        params = dict(key)
        others = {name: value for name, value in params.items() if name != axis and len(grid[name]) > 1}
        lines.setdefault(parameters_text(others), []).append(
            {
                "position": values.index(params[axis]),
                "mean": float(mean),
                "std": float(std),
                "chosen": sum(_key(run["params"]) == key for run in runs),
                "on_test": float(on_test[key]) if key in on_test else None,
                "text": parameters_text(params),
            }
        )
    best = max(on_test, key=on_test.get, default=None)
    return {
        "title": row["title"],
        "axis": parameter_name(axis),
        "values": [str(list(value) if isinstance(value, tuple) else value) for value in values],
        "ordered": all(isinstance(value, int | float) for value in values),
        "lines": [
            {"name": name, "points": sorted(points, key=lambda point: point["position"])}
            for name, points in lines.items()
        ],
        "score": row["scores"]["micro_f1"],
        "best_on_test": best and {"params": parameters_text(dict(best)), "score": float(on_test[best])},
    }


def _gather(runs, part, value):
    """Average over the repeats what `value` makes of a grid point; one that ever failed is left out."""
    found = {}
    for run in runs:
        for entry in run[part] or []:
            found.setdefault(_key(entry["params"]), []).append(value(entry))
    return {key: np.mean(values, axis=0) for key, values in found.items() if None not in values}


def _key(params):
    return tuple((name, _hashable(value)) for name, value in sorted(params.items()))


def _hashable(value):
    return tuple(value) if isinstance(value, list) else value
