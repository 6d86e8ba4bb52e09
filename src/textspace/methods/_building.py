"""How methods are built: all is imported when it is built, so that the catalogue itself is light."""

from functools import partial
from importlib import import_module


def make(path, **params):
    """Make the estimator at a dotted path."""
    module, name = path.rsplit(".", 1)
    return getattr(import_module(module), name)(**params)


def chain(space, classify):
    """Make the pipeline of what leads into a space and of what classifies there: two functions make them."""
    from sklearn.pipeline import Pipeline

    return Pipeline([("space", space()), ("classify", classify())])


def projection(path, metric="euclidean", **params):
    """Make a projection followed by the nearest neighbour in its space."""
    nearest = partial(make, "textspace.classify.NearestDocuments", metric=metric)
    return chain(partial(make, path, **params), nearest)


def projection_of_all(path):
    """Make a projection that learns from unlabelled documents too, followed by the nearest labelled one."""
    nearest = make("textspace.classify.NearestDocuments")
    return chain(partial(make, path), partial(make, "textspace.classify.LabelledOnly", estimator=nearest))


def vote(path, **params):
    """Make a projection followed by the vote of the nearest neighbours in its space."""
    voters = partial(make, "textspace.classify.NearestDocuments", n_neighbors=20, metric="cosine")
    return chain(partial(make, path, **params), voters)


def self_training():
    """Make self-training of least squares on terms, and on the LSI of all text beside them."""
    from sklearn.pipeline import FeatureUnion, Pipeline
    from sklearn.preprocessing import Normalizer

    lsi = Pipeline([("project", make("textspace.linear.LSI", n_components=200)), ("norm", Normalizer())])
    space = partial(FeatureUnion, [("terms", "passthrough"), ("lsi", lsi)])
    squares = make("textspace.classify.RLSC", lambdas=0.3)
    return chain(space, partial(make, "textspace.classify.SelfTraining", estimator=squares))


def vectorized(classify, vectorizer="TfidfVectorizer", **params):
    """Make a classifier of texts as most people would: behind a vectoriser of scikit-learn."""
    space = partial(make, f"sklearn.feature_extraction.text.{vectorizer}", **params)
    return chain(space, partial(make, classify))
