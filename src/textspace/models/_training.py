"""From documents to a model that has been evaluated and has a card."""

import time
from collections import Counter
from dataclasses import replace

import numpy as np
from scipy import sparse

from textspace._label_lists import are_lists
from textspace._label_sets import label_lists
from textspace.evaluation import OUT_OF_FOLD, evaluate, learning_curve
from textspace.models._card import make_card
from textspace.models._text_classifier import TextClassifier
from textspace.text import endings_of
from textspace.tuning import share_splits

_FEWEST = 50  # documents of several labels each from which on some are held out for a learning curve
_MOST_PROBABILITIES = 1 << 26  # of training documents and labels, that are scored
HELD_OUT = 0.2  # share that the learning curve is scored on where there are no test documents


def train(
    data,
    *,
    method="auto",
    embeddings=None,
    shares=None,
    quick=False,
    ancestors=False,
    random_state=0,
    language="auto",
    with_curve=False,
):
    """Fit a classifier of texts, evaluate it, and make its card.

    Parameters
    ----------
    data : textspace.datasets.TrainingData
        What to learn from. Without test documents the scores are out of fold: each document is judged by a
        model that has not seen it.
    method, embeddings, shares, quick, ancestors, random_state
        As in :class:`TextClassifier`.
    language : str, default="auto"
        Code of the language whose stems and stop words are used (:data:`textspace.text.LANGUAGES`); "none"
        for words as they are, "auto" for the language that the texts turn out to be in, each by itself where
        there are several.
    with_curve : bool, default=False
        Whether the evaluation has a learning curve, for which the classifier is fitted several times.

    Returns
    -------
    model : TextClassifier
        Fitted, with ``evaluation_`` and ``card_``, ready to be saved.
    seconds : float
        What the fit took.

    Examples
    --------
    >>> from textspace.datasets import TrainingData
    >>> from textspace.models import train
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> model, _ = train(TrainingData("goods", texts, labels), method="rlsc")
    >>> model.evaluation_.source, model.card_["data"]["name"]
    ('out-of-fold training documents', 'goods')
    """
    start = time.perf_counter()
    settings = {"embeddings": embeddings, "shares": shares, "quick": quick, "random_state": random_state}
    if language != "auto":
        settings |= endings_of(language)
    model = TextClassifier(method, tree=data.tree, ancestors=ancestors, **settings)
    unlabelled = data.unlabelled or None
    model.fit(data.texts, data.labels, unlabelled=unlabelled)
    seconds = time.perf_counter() - start
    if data.test_texts:
        found = evaluate(model, data.test_texts, data.test_labels, places=data.test_places)
    else:
        found = evaluate(model, **_out_of_fold(model, data), source=OUT_OF_FOLD)
    if with_curve and _can_have_curve(data, model):
        found = replace(found, learning_curve=learning_curve(model, *_for_curve(data)))
    model.evaluation_ = found
    about = {"name": data.name, "columns": data.columns}
    model.card_ = make_card(model, data.texts, data.labels, unlabelled=unlabelled, **about)
    return model, seconds


def _can_have_curve(data, model):
    """Whether there is something to score on: without test documents a part of some class is held out."""
    if data.test_texts:
        return True
    if model.several_:
        return len(data.labels) >= _FEWEST
    return max(Counter(data.labels).values()) > 2


def _out_of_fold(model, data):
    """Give labelled texts, their labels and probabilities: of very many labels those of some texts alone."""
    texts, labels, places, held_out = data.texts, data.labels, data.places, model.out_of_fold_proba_
    if sparse.issparse(held_out):
        labelled = [row for row, each in enumerate(labels) if each is not None]
        n_rows = min(len(labelled), max(1, _MOST_PROBABILITIES // held_out.shape[1]))
        drawn = np.sort(np.random.default_rng(0).choice(len(labelled), n_rows, replace=False))
        rows = [labelled[place] for place in drawn]
        texts, labels = [texts[row] for row in rows], [labels[row] for row in rows]
        places = None if places is None else [places[row] for row in rows]
        held_out = held_out[drawn].toarray()
    return {"texts": texts, "labels": labels, "probabilities": held_out, "places": places}


def _for_curve(data):
    """Give texts and labels to learn from, and others to be scored on."""
    if data.test_texts:
        return data.texts, data.labels, data.test_texts, data.test_labels
    labels = label_lists(data.labels) if are_lists(data.labels) else np.array(data.labels)
    [split] = share_splits(labels, 1 - HELD_OUT, random_state=0)
    return [part for rows in split for part in ([data.texts[row] for row in rows], labels[rows].tolist())]
