import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB

from textspace.methods import METHODS
from textspace.models import TextClassifier, load, save

pytestmark = pytest.mark.slow

TREE = {"grain": "land", "metal": "land", "ship": "sea"}
EXPLAINED = ("auto", "hsvm", "lsi", "nadp", "rlsc", "svm")


@pytest.mark.usefixtures("first_settings_only")
@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_every_method_predicts_the_same_when_it_is_loaded(method, corpus, others, tmp_path):
    model = TextClassifier(method, tree=TREE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # so few documents have fewer dimensions than asked for
        model.fit(corpus.texts, corpus.labels)
        shares, positions = model.predict_proba(others.texts), model.transform(others.texts)
        save(model, tmp_path / "model.textspace")
        again = load(tmp_path / "model.textspace")
        np.testing.assert_allclose(again.predict_proba(others.texts), shares, rtol=0, atol=1e-7)
        np.testing.assert_allclose(again.transform(others.texts), positions, atol=1e-6)
        np.testing.assert_array_equal(again.predict(others.texts), model.predict(others.texts))
    assert (again.method, again.settings_, again.tree_) == (model.method, model.settings_, model.tree_)
    if method in EXPLAINED:
        assert again.explain(others.texts[0]) == model.explain(others.texts[0])


@pytest.mark.usefixtures("first_settings_only", "many_documents")
@pytest.mark.filterwarnings("ignore:.*components")
@pytest.mark.parametrize("method", ["lsi", "sda", "k-lsi"])
def test_clusters_of_many_documents_are_kept(method, corpus, others, tmp_path):
    model = TextClassifier(method).fit(corpus.texts, corpus.labels)
    save(model, tmp_path / "model.textspace")
    again = load(tmp_path / "model.textspace")
    np.testing.assert_allclose(
        again.predict_proba(others.texts), model.predict_proba(others.texts), atol=1e-7
    )
    last = again.model_.estimator_[-1]
    assert getattr(last, "estimator_", last).index_ is not None


def test_a_new_method_of_the_catalogue_can_be_saved_at_once(corpus, others, tmp_path, monkeypatch):
    """Its entry is all that it takes, also where it is built of what no other method contains."""
    entry = replace(METHODS["nb"], name="bernoulli", build=BernoulliNB, grid={"alpha": [0.1]})
    monkeypatch.setitem(METHODS, "bernoulli", entry)
    model = TextClassifier("bernoulli").fit(corpus.texts, corpus.labels)
    save(model, tmp_path / "model.textspace")
    again = load(tmp_path / "model.textspace")
    assert type(again.model_.estimator_) is BernoulliNB
    np.testing.assert_array_equal(again.predict_proba(others.texts), model.predict_proba(others.texts))
