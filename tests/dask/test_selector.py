"""DaskTermSelector against TermSelector."""

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask import DaskTermSelector
from textspace.selection import TermSelector
from textspace.selection._scores import SCORES


@pytest.mark.parametrize("score", sorted(SCORES))
def test_scores_and_choice_equal_those_in_memory(client, documents, cut, score):
    X, y = documents
    X = sp.hstack([X, sp.csr_matrix((600, 9))], format="csr")  # with terms that never occur
    settings = {"n_terms": 40, "rank": 10, "random_state": 3}
    distributed = DaskTermSelector(score, client=client, **settings).fit(cut(X), y)
    local = TermSelector(score, **settings).fit(X, y)
    # the singular vectors are found to a residual of a thousandth
    rtol = 1e-2 if score == "subspace" else 1e-9
    np.testing.assert_allclose(distributed.scores_, local.scores_, rtol=rtol, atol=1e-12)
    np.testing.assert_allclose(distributed.scale_, local.scale_, rtol=rtol)


def test_blocks_stay_sparse(client, documents, cut):
    X, y = documents
    selector = DaskTermSelector("chi2", 20, mode="top", client=client).fit(cut(X), cut(y))
    chosen = selector.transform(cut(X))
    assert chosen.shape == (600, 20)
    assert sp.issparse(chosen.compute())
    expected = TermSelector("chi2", 20, mode="top").fit(X, y).transform(X)
    np.testing.assert_array_equal(chosen.compute().toarray(), expected.toarray())
    np.testing.assert_array_equal(selector.to_local().transform(X).toarray(), expected.toarray())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"score": "beauty"}, "'score' parameter of DaskTermSelector must be a str among"),
        ({"score": "chi2"}, "needs the classes"),
        ({"score": SCORES["weighted"]}, "'score' parameter of DaskTermSelector must be a str among"),
        ({"rank": 0.5}, "'rank' parameter of DaskTermSelector must be an int"),
    ],
)
def test_bad_settings(client, documents, cut, settings, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        DaskTermSelector(client=client, **settings).fit(cut(documents[0]))


def test_weights_below_zero_have_no_chi2(client, documents, cut):
    X, y = documents
    with pytest.raises(ValueError, match="smallest entry of X is -"):
        DaskTermSelector("chi2", client=client).fit(cut(-X), y)
