"""From texts on a cluster to a model file."""

import numpy as np
import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

import dask.bag as db

from textspace.classify import RLSC
from textspace.dask import DaskRLSC, DaskVectorSpace, text_classifier
from textspace.datasets import load
from textspace.models import load as load_model
from textspace.models import save
from textspace.text import VectorSpace


@pytest.mark.parametrize("n_hashed", [None, 4096])
def test_a_model_that_is_saved_and_explains(client, tmp_path, n_hashed):
    corpus = load("demo")
    texts, labels = list(corpus.texts), np.asarray(corpus.labels)
    space = DaskVectorSpace(n_hashed=n_hashed, client=client)
    X = space.fit_transform(db.from_sequence(texts[::2], npartitions=3))
    classifier = DaskRLSC(client=client).fit(X, labels[::2])
    model = text_classifier(space, classifier, texts[1::2], labels[1::2])
    save(model, tmp_path / "demo.textspace")
    again = load_model(tmp_path / "demo.textspace")
    words = VectorSpace(n_hashed=n_hashed).fit(texts[::2])
    local = RLSC(1.0).fit(words.transform(texts[::2]), labels[::2])
    expected = local.predict(words.transform(texts[1::2]))
    assert np.mean(again.predict(texts[1::2]) == expected) > 0.99
    np.testing.assert_allclose(again.predict_proba(texts[:3]).sum(axis=1), 1, rtol=1e-6)
    why = again.explain(texts[1])
    assert sum(term.contribution for term in why.terms) + why.constant == pytest.approx(why.score, abs=1e-4)


def test_what_it_cannot_take(documents):
    X, y = documents
    numbers = RLSC(1.0).fit(X, np.unique(y, return_inverse=True)[1])
    space = VectorSpace(n_hashed=X.shape[1]).fit(["corn"])
    with pytest.raises(ValueError, match="numbers as labels"):
        text_classifier(space, numbers, ["corn"], [1])
    with pytest.raises(ValueError, match="no class 'wheat', the label of text 1"):
        text_classifier(space, RLSC(1.0).fit(X, y), ["corn", "wheat"], ["corn", "wheat"])
