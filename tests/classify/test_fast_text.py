import sys

import numpy as np
import pytest

from textspace.classify import FastText

TEXTS = ["Corn and wheat rose.", "The wheat harvest!", "Ships at sea", "A ship sank at sea"] * 6
LABELS = np.array(["grain", "grain", "ship", "ship"] * 6)


def test_fasttext_learns_from_texts():
    pytest.importorskip("fasttext")
    model = FastText(lr=1.0, dim=10, bucket=1000).fit(TEXTS, LABELS)
    shares = model.predict_proba(["Wheat", "at sea", ""])
    assert model.predict(["Wheat", "at sea"]).tolist() == ["grain", "ship"]
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-3)


def test_what_to_install_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "fasttext", None)
    with pytest.raises(ImportError, match="pip install fasttext-community"):
        FastText().fit(TEXTS, LABELS)
