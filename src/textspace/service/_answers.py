"""What a classifier answers, in the types of JSON."""

from dataclasses import asdict

import numpy as np

from textspace._version import __version__
from textspace.models import make_card


class Answers:
    """What a fitted `TextClassifier` answers to clients. Several threads may use it at the same time."""

    def __init__(self, model):
        self.model = model
        self.classes = {str(label): label for label in model.classes_.tolist()}
        self._names = list(self.classes)
        self._card = getattr(model, "card_", None) or make_card(model)
        model.explain("a first call loads what is compiled")

    def predict(self, calls):
        """Give label, path in the tree and the most probable classes of the texts of several calls.

        A call is (texts, top, min_confidence): `top` is how many classes to list. Each has one dict a text.
        """
        probabilities = self.model.predict_proba([text for texts, _, _ in calls for text in texts])
        ends = np.cumsum([len(texts) for texts, _, _ in calls])[:-1]
        return [
            self._predictions(own, top, min_confidence)
            for own, (_, top, min_confidence) in zip(np.split(probabilities, ends), calls, strict=True)
        ]

    def _predictions(self, probabilities, top, min_confidence):
        labels = self.model.decide(probabilities, min_confidence)
        order = np.argsort(-probabilities, axis=1, kind="stable")[:, :top].tolist()
        return [
            {
                "label": str(label),
                "path": self.path(str(label)),
                "probabilities": [{"label": self._names[c], "probability": float(row[c])} for c in best],
            }
            for label, best, row in zip(labels, order, probabilities, strict=True)
        ]

    def path(self, label):
        """Give the categories from the root to a label: the label alone where there is no tree."""
        if not label:
            return []
        tree = self.model.tree_
        return [label] if tree is None else list(tree.path(label))

    def explain(self, text, label, n_terms, n_neighbors):
        """Give the explanation of a text's score for a class, as a dict."""
        wanted = None if label is None else self.classes[label]
        return self.model.explain(text, wanted, n_terms=n_terms, n_neighbors=n_neighbors).to_dict()

    def describe(self, limits, corrections):
        """Give the model card, the classes, the limits of the service and whether it saves corrections."""
        return {
            "card": self._card,
            "classes": self._names,
            "paths": {name: self.path(name) for name in self._names},
            "corrections": corrections,
            "limits": asdict(limits),
            "version": __version__,
        }
