"""The types of which a model file may consist: a fixed set for each method, whatever the file asks for.

Nothing is trusted but what a TextClassifier by a method of the catalogue consists of. Types of textspace have
registered themselves (:mod:`textspace._saving`). Those of scikit-learn are the ones that the catalogue builds
the method of, under names such as "sklearn.LinearSVC". A file only names types: it cannot make us import any.
"""

from itertools import pairwise
from pkgutil import resolve_name

from textspace._saving import SavedType, one_machine_a_class, saved_types
from textspace.methods import METHODS, for_several_labels
from textspace.neighbors import METRICS

_LINEAR = {"coef_": "k d", "intercept_": "k", "classes_": "c", "n_features_in_": "d", "n_iter_": "_"}
_MOST_TOPICS, _MOST_PRODUCTS = 500, 10**9  # of the solver of NMF, which runs when a document is placed


def _steps_fit_together(pipeline):
    """Whether each step takes as many columns as the one before it gives."""
    widths = [
        (getattr(before, "_n_features_out", None), getattr(after, "n_features_in_", None))
        for (_, before), (_, after) in pairwise(pipeline.steps)
    ]
    return all(given == taken for given, taken in widths if None not in (given, taken))


def _neighbors_exist(nearest):
    """Whether there are as many documents as vote, by a distance of ours: compiled code trusts it."""
    return (
        1 <= nearest.n_neighbors <= nearest.n_samples_fit_
        and nearest.metric == nearest.effective_metric_
        and nearest.metric in METRICS
        and not nearest.effective_metric_params_
        and (nearest.algorithm, nearest._fit_method, nearest.weights) == ("brute", "brute", "uniform")
    )


def _are_few_topics(factors):
    """Whether the products of pairs of topics have room, and each step of the solver takes these alone."""
    n_topics = factors.n_components_
    n_products = factors.max_iter * n_topics**2
    return factors.solver == "cd" and n_topics <= _MOST_TOPICS and n_products <= _MOST_PRODUCTS


# What is true of the arrays of scikit-learn's classes: their sizes, and what sizes cannot say.
_STATES = {
    "ComplementNB": (
        {
            "feature_log_prob_": "c d",
            "feature_count_": "c d",
            "feature_all_": "d",
            "class_count_": "c",
            "class_log_prior_": "c",
            "classes_": "c",
            "n_features_in_": "d",
        },
        None,
    ),
    "KNeighborsClassifier": (
        {"_fit_X": "n d", "_y": "n < c", "classes_": "c", "n_samples_fit_": "n", "n_features_in_": "d"},
        _neighbors_exist,
    ),
    "LinearSVC": (_LINEAR, one_machine_a_class),
    "LogisticRegression": (_LINEAR, one_machine_a_class),
    "NMF": (
        {"components_": "m d", "n_components_": "m", "n_features_in_": "d"},
        _are_few_topics,
    ),
    "Pipeline": ({}, _steps_fit_together),
}


def types_of(method):
    """Give all types that a model by a method of the catalogue, or "auto", may consist of, by their names.

    Examples
    --------
    >>> [name for name in types_of("svm") if name.startswith("sklearn.")]
    ['sklearn.LinearSVC']
    """
    classes = []
    if method in METHODS:  # what is imported is registered
        import textspace.models._catalogue  # noqa: F401  (what any method needs beside its own)

        chosen = METHODS[method]
        forms = [chosen, for_several_labels(chosen)] if chosen.several else [chosen]
        classes = [kind for form in forms for kind in _classes_within(form.build())]
    ours = saved_types()
    held = [
        kind for saved in ours.values() if saved.kind in classes for kind in map(resolve_name, saved.holds)
    ]
    theirs = {f"sklearn.{kind.__name__}": kind for kind in classes + held if is_of_sklearn(kind)}
    return ours | {
        name: SavedType(name, kind, *_STATES.get(kind.__name__, (None,))) for name, kind in theirs.items()
    }


def is_of_sklearn(kind):
    """Whether a class is one of scikit-learn's."""
    return kind.__module__.startswith("sklearn.")


def _classes_within(estimator):
    """Yield the classes of an estimator and of all estimators within it."""
    yield type(estimator)
    for value in estimator.get_params(deep=True).values():
        if hasattr(value, "get_params") and not isinstance(value, type):
            yield type(value)
        elif isinstance(value, str) and value == "passthrough":
            from sklearn.preprocessing import FunctionTransformer

            yield FunctionTransformer  # which FeatureUnion puts into its place
