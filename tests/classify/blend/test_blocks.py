import numpy as np
import pytest

from textspace.classify import SubspaceBlend
from textspace.classify.blend import _choice
from textspace.text import Block


def test_a_block_is_dropped_whole_or_not_at_all(monkeypatch):
    """Naive Bayes reads the words of a block only, but documents to come have its pairs of words too."""
    monkeypatch.setattr(_choice, "_LEAST", (-np.inf, 0.0))  # nothing is left out
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.random((60, 14)) * (rng.random((60, 14)) < 0.5)
    X[np.arange(60), y] += 1
    X[np.arange(60), 9 + y] += 1
    blocks = [Block("stems", 0, 6, 4), Block("words", 6, 9, 3), Block("letters", 9, 14, 5)]
    model = SubspaceBlend(blocks, [("stems", "naive Bayes", None, 0.0), ("letters", "ridge", 1.0, 0.0)]).fit(
        X, y
    )
    scores = model.class_scores(X)
    used = model.drop_unused_blocks()
    assert used.tolist() == [*range(6), *range(9, 14)]
    assert model.blocks == [Block("stems", 0, 6, 4), Block("letters", 6, 11, 5)]
    np.testing.assert_array_equal(model.class_scores(X[:, used]), scores)
    with pytest.raises(ValueError, match="14 features"):
        model.class_scores(X)
