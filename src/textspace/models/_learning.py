"""From labelled texts to a space and a model, by whichever method."""

from functools import partial
from typing import Any, NamedTuple

from scipy import sparse

from textspace.models._default import (
    MANY_CLASSES,
    are_many,
    default_alphabets,
    fit_default,
    fit_many,
    many_alphabets,
)
from textspace.models._embedded import EmbeddedBlend, EmbeddedSpace
from textspace.models._several import fit_several
from textspace.text import find_embeddings


class Learned(NamedTuple):
    """What is learned: the fitted space, the rows of the texts, the fitted model, and how it came about."""

    space: Any
    X: Any
    model: Any
    settings: dict
    embedding: dict | None = None


def learn(classifier, data, tree):
    """Fit the space and the model that the parameters of a TextClassifier name, to LabelledTexts."""
    words = {"stem": classifier.stem, "stop_words": classifier.stop_words}
    if classifier.method not in ("auto", "blend"):
        return _learn_method(classifier, data, words=words, tree=tree, random_state=classifier.random_state)
    if sparse.issparse(data.labels):
        settings = {"quick": classifier.quick, "random_state": classifier.random_state}
        space, X, model = fit_several(data.texts, data.labels, data.labelled, **settings, **words)
        return Learned(space, X, model, {"alpha": model.alpha_})
    return _learn_blend(classifier, data, words)


def refuse_weights(weights, what):
    """Refuse weights of texts or classes where they go with something that does not take them."""
    if weights is not None:
        raise ValueError(
            f"weights go with the method 'auto', at most {MANY_CLASSES} classes and no embeddings, and "
            f"not with {what}: leave out sample_weight and class_weight."
        )


def _learn_method(classifier, data, **settings):
    """Learn by a method of the catalogue."""
    name = classifier.method
    refuse_weights(data.weights, f"the method {name!r}")
    if classifier.embeddings is not None:
        raise ValueError(f"embeddings go with the method 'auto' only, not with {name!r}.")
    from textspace.models._catalogue import fit_label_method, fit_method  # answers do without it

    if sparse.issparse(data.labels):
        labels = data.classes.astype(str)
        found = fit_label_method(name, data.texts, data.labels, data.labelled, labels=labels, **settings)
    else:
        found = fit_method(name, data.texts, data.labels, **settings)
    return Learned(*found)


def _learn_blend(classifier, data, words):
    """Learn one label a text by the default method."""
    n_classes, seed = len(data.classes), classifier.random_state
    many = classifier.method == "auto" and are_many(n_classes)
    if many or classifier.embeddings is not None:
        refuse_weights(data.weights, f"{n_classes} classes" if many else "embeddings")
    if classifier.embeddings is None:
        fit = partial(fit_default, quick=classifier.quick, sample_weight=data.weights)
        return Learned(*(fit_many if many else fit)(data.texts, data.labels, random_state=seed, **words), {})
    alphabets = many_alphabets(**words) if many else default_alphabets(data.texts, n_classes, **words)
    space = EmbeddedSpace(alphabets, find_embeddings(classifier.embeddings))
    X = space.fit_transform(data.texts)
    model = EmbeddedBlend(space.n_terms_, alphabets.blocks_, random_state=seed).fit(X, data.labels)
    return _judge_embedding(space, X, model)


def _judge_embedding(space, X, model):
    """Note what the embedding is worth, and leave it out where that is nothing."""
    gain = model.gain_
    kept = gain["log_loss_with"] is None or gain["log_loss_with"] < gain["log_loss_without"]
    seconds = round(space.encoding_seconds_, 3)
    about = {"kept": kept, "sha256": space.fingerprint_, "seconds": seconds, **gain}
    if kept:
        return Learned(space, X, model, {}, about)
    return Learned(space.terms, X[:, : space.n_terms_], model.terms_, {}, about)
