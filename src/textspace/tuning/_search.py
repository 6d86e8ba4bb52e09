"""Hyper-parameters: every setting on every fold, each projection fitted once."""

import warnings
from itertools import product

import numpy as np
from sklearn.base import clone

from textspace.tuning._estimators import in_context, seeded
from textspace.tuning._splits import fold_splits

_GAIN = 0.002  # in accuracy: a step beyond the edge of a grid that gains less is the last
_MOST_STEPS = 6  # half decades beyond an edge


def tune(estimator, grid, documents, *, cv, random_state, open_ended=()):
    """Choose the settings of a classifier on the training documents alone.

    Parameters
    ----------
    estimator : classifier
        Not fitted, and not changed.
    grid : mapping of str to sequence
        Values to try by parameter name, at least one each.
    documents : TrainTest
        Its training documents are learned from; its context is told to the estimator.
    cv : int
        Number of folds of the training documents. They are not cut where there is nothing to choose.
    random_state : int
        Seed of the folds, and of every step that takes one.
    open_ended : collection of str, default=()
        Names of parameters whose values are half decades, such as .3, 1 and 3. Where the best is the first or
        the last of them, the next half decades are tried too, as long as each gains .002.

    Returns
    -------
    estimator : classifier
        A copy that is seeded, knows its context and has the settings that were chosen; not fitted.
    params : dict of str to object
        These settings.
    trials : list of dict
        As :func:`sweep` gives them; empty where there is nothing to choose.

    Warns
    -----
    UserWarning
        The best of three numbers or more is the smallest or largest that was tried, and clearly better than
        the next: what lies beyond may be better still.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from textspace.tuning import TrainTest, tune
    >>> X, y = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]), np.array(["a"] * 3 + ["b"] * 3)
    >>> documents = TrainTest(X, y, None, None, {})
    >>> tune(KNeighborsClassifier(), {"n_neighbors": [4, 1]}, documents, cv=3, random_state=0)[:2]
    (KNeighborsClassifier(n_neighbors=1), {'n_neighbors': 1})
    """
    estimator = in_context(seeded(estimator, random_state), documents.context)
    trials, params = [], {name: values[0] for name, values in grid.items()}
    if any(len(values) > 1 for values in grid.values()):
        splits = fold_splits(documents.y_train, cv, random_state=random_state)
        trials = sweep(estimator, grid, documents.folds(splits))
        for name in open_ended:
            trials = _widened(estimator, name, trials, lambda: documents.folds(splits))
        params = best_trial(trials)["params"]
        for name in grid:
            _warn_at_edge(name, trials)
    return estimator.set_params(**params), params, trials


def _widened(estimator, name, trials, folds):
    """Add trials beyond the smallest or the largest value of a parameter as long as each gains enough."""
    for _ in range(_MOST_STEPS):
        best, direction = best_trial(trials), _edge(name, trials)
        if not direction:
            break
        step = round(2 * np.log10(best["params"][name])) + direction
        beyond = {key: [value] for key, value in (best["params"] | {name: half_decade(step)}).items()}
        trials = trials + sweep(estimator, beyond, folds())
    return trials


def _edge(name, trials):
    """Give 1 if the best value of a parameter is the largest tried, -1 if the smallest, and clearly best."""
    best = best_trial(trials)
    own = {key: value for key, value in best["params"].items() if key != name}
    line = {  # the trials that differ from the best in this parameter alone
        trial["params"][name]: -1.0 if trial["error"] else mean_score(trial)
        for trial in trials
        if {key: value for key, value in trial["params"].items() if key != name} == own
    }
    if len(line) < 3 or not all(type(value) in (int, float) for value in line):
        return 0
    values, at = sorted(line), best["params"][name]
    direction = {values[-1]: 1, values[0]: -1}.get(at, 0)
    next_to = values[-2] if direction > 0 else values[1]
    return direction if line[at] > line[next_to] + _GAIN else 0


def _warn_at_edge(name, trials):
    direction = _edge(name, trials)
    if direction:
        at = best_trial(trials)["params"][name]
        which = "largest" if direction > 0 else "smallest"
        short = name.split("__")[-1]
        warnings.warn(
            f"{short}={at:g} did best and is the {which} that was tried: what lies beyond may do better.",
            stacklevel=3,
        )


def half_decade(step):
    """Give 10 to the power of half the step, in one digit.

    Parameters
    ----------
    step : int
        Number of half decades from 1.

    Returns
    -------
    float
        1 or 3 times a power of 10.

    Examples
    --------
    >>> from textspace.tuning import half_decade
    >>> [half_decade(step) for step in range(-2, 3)]
    [0.1, 0.3, 1.0, 3.0, 10.0]
    """
    return float(f"{'13'[step % 2]}e{step // 2}")


def sweep(estimator, grid, splits, *, score=None):
    """Score every setting of a grid on every split.

    Parameters
    ----------
    estimator : classifier
        Not fitted, and not changed. In a Pipeline, settings that differ only in the last step share the
        fitted steps before it.
    grid : mapping of str to sequence
        Values to try by parameter name; ``{}`` stands for the estimator as it is.
    splits : iterable of tuples (X_train, y_train, X_test, y_test)
        Documents and labels to fit on and to score on, such as the folds of the training documents.
    score : callable, default=None
        ``score(y_test, predicted)`` gives what is kept of a split; None stands for the micro F1, which with
        one label a document is the accuracy.

    Returns
    -------
    list of dict
        One a setting, in the order of the grid (the last parameter changes fastest): ``params``, ``scores``
        (a list with the score of each split) and ``error``. A setting that raises on some split,
        such as one with more neighbours than there are documents, has ``scores`` None and the reason in
        ``error``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]), np.array([0, 0, 0, 1, 1, 1])
    >>> splits = [(X[::2], y[::2], X[1::2], y[1::2])]
    >>> for trial in sweep(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, splits):
    ...     print(trial["params"], trial["scores"], trial["error"])
    {'n_neighbors': 1} [1.0] None
    {'n_neighbors': 9} None ValueError: Expected n_neighbors <= n_samples_fit, but n_neighbors = 9, ...
    """
    score = score or _micro_f1
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    trials = [{"params": params, "scores": [], "error": None} for params in points]
    for X_train, y_train, X_test, y_test in splits:
        answers = _answers(estimator, points, X_train, y_train, X_test)
        for trial, answer in zip(trials, answers, strict=True):
            if isinstance(answer, Exception):
                trial["error"] = trial["error"] or describe(answer)
            else:
                trial["scores"].append(score(y_test, answer))
    return [trial | {"scores": None} if trial["error"] else trial for trial in trials]


def _micro_f1(y_test, predicted):
    if np.ndim(predicted) < 2:
        return float(np.mean(np.asarray(predicted) == y_test))
    hits = y_test.multiply(predicted).sum()
    return float(2 * hits / max(y_test.sum() + np.sum(predicted), 1))


def best_trial(trials):
    """Give the trial with the highest mean score, the first of equals.

    Parameters
    ----------
    trials : list of dict
        As :func:`sweep` gives them.

    Returns
    -------
    dict
        One of them.

    Raises
    ------
    ValueError
        Every trial failed.

    Examples
    --------
    >>> from textspace.tuning import best_trial
    >>> trials = [
    ...     {"params": {"C": 1.0}, "scores": [0.7, 0.9], "error": None},
    ...     {"params": {"C": 10.0}, "scores": [0.8, 0.9], "error": None},
    ... ]
    >>> best_trial(trials)["params"]
    {'C': 10.0}
    """
    worked = [trial for trial in trials if trial["error"] is None]
    if not worked:
        raise ValueError(f"every setting of the grid failed, the first with {trials[0]['error']}")
    return max(worked, key=mean_score)


def mean_score(trial):
    """Mean score of a trial over its folds.

    Parameters
    ----------
    trial : dict
        One that :func:`sweep` gave, and that did not fail.

    Returns
    -------
    float
        The mean.

    Examples
    --------
    >>> from textspace.tuning import mean_score
    >>> mean_score({"params": {}, "scores": [0.7, 0.9], "error": None})
    0.8
    """
    # Rounded, so that the order in which folds are summed cannot decide between equals.
    return round(float(np.mean(trial["scores"])), 12)


def describe(error):
    """Put an exception into one line.

    Parameters
    ----------
    error : Exception
        What was raised.

    Returns
    -------
    str
        Its type and message.

    Examples
    --------
    >>> from textspace.tuning import describe
    >>> describe(ValueError("too few   documents"))
    'ValueError: too few documents'
    """
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _answers(estimator, points, X_train, y_train, X_test):
    """Predict X_test with every setting; where one raises, its exception stands in place of the answers."""
    space, classifier, prefix = pipeline_parts(estimator)
    answers = [None] * len(points)
    for space_params, positions in _by_space(points, prefix):
        try:
            spaces = (X_train, X_test)
            if space is not None:
                fitted = clone(space).set_params(**space_params)
                spaces = (fitted.fit_transform(X_train, y_train), fitted.transform(X_test))
        except Exception as error:
            for position in positions:
                answers[position] = error
            continue
        for position in positions:
            own = {k.removeprefix(prefix): v for k, v in points[position].items() if k.startswith(prefix)}
            try:
                answers[position] = (
                    clone(classifier).set_params(**own).fit(spaces[0], y_train).predict(spaces[1])
                )
            except Exception as error:
                answers[position] = error
    return answers


def pipeline_parts(estimator):
    """Split a classifier into its space and what decides there.

    Parameters
    ----------
    estimator : classifier
        A pipeline, or any other one.

    Returns
    -------
    space : Pipeline or None
        The steps before the last; None where there are none.
    classifier : classifier
        The last step.
    prefix : str
        What the names of its parameters begin with in those of the estimator.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from textspace.linear import LSI
    >>> from textspace.tuning import pipeline_parts
    >>> pipeline_parts(make_pipeline(LSI(), LinearSVC()))[1:]
    (LinearSVC(), 'linearsvc__')
    """
    from sklearn.pipeline import Pipeline

    if isinstance(estimator, Pipeline) and len(estimator.steps) > 1:
        return estimator[:-1], estimator[-1], f"{estimator.steps[-1][0]}__"
    return None, estimator, ""


def _by_space(points, prefix):
    """Group the positions of grid points whose parameters differ only in those with the prefix."""
    groups = []
    for position, params in enumerate(points):
        space_params = {k: v for k, v in params.items() if not k.startswith(prefix)}
        for other, positions in groups:
            if other == space_params:
                positions.append(position)
                break
        else:
            groups.append((space_params, [position]))
    return groups
