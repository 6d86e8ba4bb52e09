"""Methods as they learn from documents of several labels."""

from dataclasses import replace
from functools import partial

from textspace.methods._building import make
from textspace.methods._catalogue import METHODS


def for_several_labels(method):
    """Give a method as it learns from documents of several labels.

    Parameters
    ----------
    method : Method
        One of the catalogue, or any other.

    Returns
    -------
    Method
        ``build()`` gives a classifier that takes an indicator matrix: that of the method, or one machine a
        label (:class:`textspace.classify.OneAgainstRest`) where it takes one class a document.

    Raises
    ------
    ValueError
        The method needs one label a document.

    Examples
    --------
    >>> from textspace.methods import METHODS, for_several_labels
    >>> for_several_labels(METHODS["svm"]).grid
    {'estimator__C': [0.3, 1.0, 3.0, 10.0]}
    """
    if not method.several:
        able = [name for name, other in METHODS.items() if other.several]
        raise ValueError(
            f"the method {method.name!r} learns one label a document: for several labels choose auto, "
            f"{', '.join(able)}."
        )
    from sklearn.utils import get_tags

    from textspace.tuning import pipeline_parts

    _, last, prefix = pipeline_parts(method.build())
    # those of others may have lists of probabilities, one for each label
    has_values = hasattr(last, "decision_function") or type(last).__module__.startswith("textspace.")
    if get_tags(last).classifier_tags.multi_label and has_values:
        return method

    def within(name):
        own = name.removeprefix(prefix)
        return f"{prefix}estimator__{own}" if name.startswith(prefix) else name

    return replace(
        method,
        build=partial(_one_against_rest, method.build),
        grid={within(name): values for name, values in method.grid.items()},
        open_ended=tuple(map(within, method.open_ended)),
    )


def _one_against_rest(build):
    """Build a method with one machine a label in place of its classifier."""
    from sklearn.pipeline import Pipeline

    estimator = build()
    steps = estimator.steps if isinstance(estimator, Pipeline) else [("classify", estimator)]
    name, last = steps[-1]
    if getattr(last, "solver", None) == "lbfgs":  # whose gradient is small from the start for a rare label
        last.set_params(tol=1e-5)
    around = make("textspace.classify.OneAgainstRest", estimator=last)
    return Pipeline([*steps[:-1], (name, around)]) if len(steps) > 1 else around
