"""What a classifier answers, as JSON."""

import json
from dataclasses import asdict
from functools import partial
from typing import NamedTuple

import numpy as np

from textspace._version import __version__
from textspace.models import make_card

_dumps = partial(json.dumps, allow_nan=False, separators=(",", ":"))
_NUMBER = 26  # characters of a probability, its bracket and its comma
_MOST_GIVEN = 100  # labels that are given to a text, the most probable ones


class Prediction(NamedTuple):
    """The label of one text, or a list of them, and all that is answered about it in JSON."""

    label: str | list
    json: str


class Answers:
    """What a fitted `TextClassifier` answers to clients. Several threads may use it at the same time.

    An answer is put together piece by piece: to write one of megabytes in one call would stop all other
    threads meanwhile.
    """

    def __init__(self, model):
        self.model = model
        self.classes = {str(label): label for label in model.classes_.tolist()}
        self._names = list(self.classes)
        self._openings = [f'{{"label":{_dumps(name)},"probability":' for name in self._names]
        self._sizes = np.cumsum(sorted(map(len, self._openings), reverse=True))
        self._heads = {}  # of as many labels as the tree has categories
        self._longest_head = max(len(self._head(name)) for name in self._names)
        self._card = getattr(model, "card_", None) or make_card(model)
        self._load_compiled_code()

    def _load_compiled_code(self):
        """Let no client wait for it: else Python reads the first thousands of texts, then it is loaded."""
        import numba  # noqa: F401 - it is used from when it is there

        text = "A first call loads what is compiled; it reads words, pairs and letters."
        self.model.explain(text)
        self.model.predict_proba([text] * 32)

    def predict(self, calls):
        """Give label, path in the tree and the most probable classes of the texts of several calls.

        A call is (texts, top, min_confidence): `top` is how many classes to list. Each has one `Prediction` a
        text.
        """
        probabilities = self.model.predict_proba([text for texts, _, _ in calls for text in texts])
        ends = np.cumsum([len(texts) for texts, _, _ in calls])[:-1]
        return [
            self._predictions(own, top, min_confidence)
            for own, (_, top, min_confidence) in zip(np.split(probabilities, ends), calls, strict=True)
        ]

    def _predictions(self, probabilities, top, min_confidence):
        if self.model.several_:
            given = self.model.decide(probabilities, threshold=min_confidence)
            labels = [[str(label) for label in own[:_MOST_GIVEN]] for own in given]
        else:
            labels = [str(label) for label in self.model.decide(probabilities, min_confidence)]
        order = np.argsort(-probabilities, axis=1, kind="stable")[:, :top]
        shares = np.take_along_axis(probabilities, order, axis=1).astype(float)
        return [
            Prediction(label, self._opening(label) + self._listed(best, share) + "]}")
            for label, best, share in zip(labels, order.tolist(), shares.tolist(), strict=True)
        ]

    def _head(self, label):
        if label not in self._heads:
            self._heads[label] = self._write_head(label)
        return self._heads[label]

    def _opening(self, label):
        """Begin an answer; of several labels, which are a list, with the first and all of them."""
        if isinstance(label, str):
            return self._head(label)
        return f'{{"labels":{_dumps(label)},' + self._head(label[0] if label else "")[1:]

    def _write_head(self, label):
        return f'{{"label":{_dumps(label)},"path":{_dumps(self.path(label))},"probabilities":['

    def _listed(self, classes, probabilities):
        pairs = zip(classes, probabilities, strict=True)
        return ",".join([f"{self._openings[c]}{probability!r}}}" for c, probability in pairs])

    def most_bytes(self, n_texts, top):
        """Give a size that the answer to a call does not exceed."""
        top, most = (min(number, len(self._names)) for number in (top, _MOST_GIVEN))
        given = int(self._sizes[most - 1]) + 20 if self.model.several_ else 0
        return 20 + n_texts * (self._longest_head + given + int(self._sizes[top - 1]) + top * _NUMBER + 3)

    def path(self, label):
        """Give the categories from the root to a label: the label alone where there is no tree."""
        if not label:
            return []
        tree = self.model.tree_
        return [label] if tree is None else list(tree.path(label))

    def explain(self, text, label, n_terms, n_neighbors):
        """Give the explanation of a text's score for a class."""
        wanted = None if label is None else self.classes[label]
        explanation = self.model.explain(text, wanted, n_terms=n_terms, n_neighbors=n_neighbors)
        return write(explanation.to_dict())

    def describe(self, limits, corrections):
        """Give the model card, the classes, the limits of the service and whether it saves corrections."""
        return write(
            {
                "card": self._card,
                "classes": self._names,
                "several": self.model.several_,
                "paths": {name: self.path(name) for name in self._names},
                "corrections": corrections,
                "limits": asdict(limits),
                "version": __version__,
            }
        )


def refused_text(sentence):
    """Write what is answered for a text among others that cannot be classified.

    >>> refused_text("texts[1] is empty.")
    '{"label":"","path":[],"probabilities":[],"error":"texts[1] is empty."}'
    """
    return _dumps({"label": "", "path": [], "probabilities": [], "error": sentence})


def write(answer):
    """Write a dict as JSON in ASCII, item by item.

    >>> write({"label": "corn", "terms": [1, {"a": 2.5}]})
    '{"label":"corn","terms":[1,{"a":2.5}]}'
    """
    written = (
        f"[{','.join(map(_dumps, value))}]" if isinstance(value, list) else _dumps(value)
        for value in answer.values()
    )
    return (
        "{" + ",".join(f"{_dumps(name)}:{value}" for name, value in zip(answer, written, strict=True)) + "}"
    )
