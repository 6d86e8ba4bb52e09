"""A picture of a learned space: test documents as points in the plane."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from textspace.tuning import pipeline_parts

MOST_POINTS = 2000
FEWEST_FOR_TSNE = 50
TEXT_LENGTH = 160
MOST_DIMENSIONS = 50  # of sparse rows: t-SNE looks at near neighbours only


def document_map(estimator, documents, texts, classes, *, places=None, random_state=0):
    """Lay out test documents in the plane as they lie in the space of a projection, which is fitted here.

    Gives ``layout``, how they were laid out, and lists with an entry a document: ``x``, ``y``, ``label`` and
    ``predicted`` (positions in `classes`, which are sorted), ``text``, and ``place``, its identifier and row
    in its file, if `places` are given as a `Corpus` has them. At most 2000 documents, drawn at
    random, are laid out by t-SNE; fewer than 50 by principal components; one or two dimensions as they are.
    """
    rows = np.arange(len(documents.y_test))
    if len(rows) > MOST_POINTS:
        rows = np.sort(np.random.default_rng(random_state).choice(rows, MOST_POINTS, replace=False))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the run of the method has them already
        fitted = clone(estimator).fit(documents.X_train, documents.y_train)
    space, last, _ = pipeline_parts(fitted)
    points = space.transform(documents.X_test[rows])
    last = getattr(last, "estimator", last)  # out of what wraps it, such as LabelledOnly
    if last.get_params().get("metric") == "cosine":
        points = normalize(points)
    layout, plane = lay_out(points, random_state=random_state)
    x, y = plane.T
    return {
        "layout": layout,
        "x": np.round(x.astype(float), 4).tolist(),
        "y": np.round(y.astype(float), 4).tolist(),
        "label": np.searchsorted(classes, documents.y_test[rows]).tolist(),
        "predicted": np.searchsorted(classes, fitted.predict(documents.X_test[rows])).tolist(),
        "text": [_text(texts, row) for row in rows],
    } | _places(places, rows)


def lay_out(points, *, random_state=0):
    """Lay out points of shape (n, m) in the plane; give the name of the way and an array of shape (n, 2)."""
    from sklearn.decomposition import PCA, TruncatedSVD
    from sklearn.manifold import TSNE

    if sparse.issparse(points):  # chosen terms, say
        m = min(MOST_DIMENSIONS, points.shape[1])
        points = TruncatedSVD(m, random_state=random_state).fit_transform(points)
    n, m = points.shape
    if m <= 2 or n < 3:
        return "as it is", np.pad(points[:, :2], ((0, 0), (0, max(0, 2 - m))))
    if n < FEWEST_FOR_TSNE:
        return "principal components", PCA(n_components=2, random_state=random_state).fit_transform(points)
    # Half of the default number of steps: the picture hardly changes after them.
    tsne = TSNE(perplexity=min(30, n // 4), init="pca", max_iter=500, random_state=random_state)
    with threadpool_limits(1):  # several threads wait for each other wherever the cores are busy
        return "t-SNE", tsne.fit_transform(points)


def _text(texts, row):
    if sparse.issparse(texts):
        return f"test document {row + 1}"
    return " ".join(texts[row].split())[:TEXT_LENGTH]


def _places(places, rows):
    """Name documents by identifier and row, if these are known."""
    if places is None:
        return {}
    return {"place": [", ".join(filter(None, places[row][::-1])) for row in rows]}
