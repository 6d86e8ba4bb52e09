import numpy as np
import pytest

from textspace.classify.blend import _choice
from textspace.datasets import load
from textspace.models import TextClassifier, _default
from textspace.models._default import default_alphabets
from textspace.report._model_terms import N_TERMS, class_terms, dimension_terms
from textspace.text import Alphabets


@pytest.fixture(scope="module")
def corpus():
    return load("demo")


def test_terms_of_a_linear_model_are_the_means_of_the_explanations(corpus):
    texts, labels = corpus.texts[:60], np.asarray(corpus.labels[:60], dtype=str)
    model = TextClassifier("nb").fit(texts, labels)
    codes = np.searchsorted(model.classes_.astype(str), labels)
    found, note = class_terms(model, texts, codes)
    assert note == ""
    assert [entry["class"] for entry in found] == np.unique(codes).tolist()
    for entry in found:
        name = model.classes_[entry["class"]]
        own = [text for text, label in zip(texts, labels, strict=True) if label == name]
        means = {}
        for text in own:
            for found in model.explain(text, name).terms:
                means[found.term] = means.get(found.term, 0.0) + found.contribution / len(own)
        best = sorted(means.values(), reverse=True)[: len(entry["terms"])]
        np.testing.assert_allclose([part for _, part in entry["terms"]], best, rtol=1e-4)
        np.testing.assert_allclose([means[term] for term, _ in entry["terms"]], best, rtol=1e-4)


@pytest.mark.parametrize("names", [["stems", "words", "letters"], ["letters"]])
def test_letters_are_listed_where_there_are_no_words(corpus, names, monkeypatch):
    def some_alphabets(*sizes, **words):
        spaces = default_alphabets(*sizes, **words).spaces
        return Alphabets([(name, space) for name, space in spaces if name in names])

    monkeypatch.setattr(_choice, "_LEAST", (-np.inf, 0.0))  # nothing is left out
    monkeypatch.setattr(_default, "default_alphabets", some_alphabets)
    texts, labels = corpus.texts[:60], np.asarray(corpus.labels[:60], dtype=str)
    model = TextClassifier().fit(texts, labels)
    found, _ = class_terms(model, texts, np.searchsorted(model.classes_.astype(str), labels))
    for entry in found:
        terms = [term for term, _ in entry["terms"]]
        assert len(set(terms)) == len(terms)
        assert any("·" in term for term in terms) == (names == ["letters"])
        assert not any(term != term.strip() for term in terms)


def test_documents_of_no_class_are_left_out(corpus):
    texts = corpus.texts[:40]
    model = TextClassifier("nb").fit(texts, ["a", "b"] * 20)
    codes = np.tile([0, -1], 20)
    found, _ = class_terms(model, texts, codes)
    assert [entry["class"] for entry in found] == [0]
    assert found == class_terms(model, texts[::2], np.zeros(20, int))[0]


def test_a_method_whose_scores_are_no_sums_says_so(corpus):
    model = TextClassifier("knn").fit(corpus.texts, corpus.labels)
    found, note = class_terms(model, corpus.texts, np.zeros(len(corpus.texts), int))
    assert found == []
    assert "no sum over terms" in note


@pytest.mark.slow
def test_dimensions_have_the_terms_of_the_largest_loadings(corpus):
    model = TextClassifier("lsi").fit(corpus.texts, corpus.labels)
    names = model.space_.get_feature_names_out()
    components = model.model_.estimator_[0].components_
    found = dimension_terms(model)
    assert 0 < len(found) <= len(components)
    for entry, direction in zip(found, components, strict=False):
        order = np.argsort(direction)
        top = [(names[i], direction[i]) for i in order[::-1][:N_TERMS] if direction[i] > 0]
        bottom = [(names[i], direction[i]) for i in order[:N_TERMS] if direction[i] < 0]
        for pairs, expected in ((entry["up"], top), (entry["down"], bottom)):
            np.testing.assert_allclose([part for _, part in pairs], [part for _, part in expected])
    assert dimension_terms(TextClassifier("nb").fit(corpus.texts, corpus.labels)) == []
