"""Positions in arrays of a loaded model that do not exist are found before compiled code looks them up."""

import copy

import numpy as np
import pytest
from scipy import sparse

from textspace.models import TextClassifier
from textspace.models._check import check_model


def blend_view(model):
    return model.model_._blends[0].scorers[0]


def shorten_coefficients(model):
    vars(blend_view(model))["coef"] = blend_view(model).coef[:-1]


def shift_columns_of_words(model):
    model.space_.vocabulary_ = {word: column + 1 for word, column in model.space_.vocabulary_.items()}


def replace_pairs(model):
    model.space_._pairs = tuple(model.space_._pairs)


def break_sparse_weights(model):
    weights = model.model_._blends[0].scorers[1].weights
    weights.indices = weights.indices + 1000


def break_row_ends(model):
    weights = model.model_._blends[0].scorers[1].weights
    weights.indptr = weights.indptr[::-1].copy()


def hide_a_broken_matrix(model):
    matrix = sparse.csr_array(np.eye(3))
    matrix.indices[:] = -7
    model.settings_ = {"a": [1, (np.array([matrix, None], dtype=object),)]}


def other_format(model):
    model.settings_ = {"a": sparse.coo_array(np.eye(3))}


@pytest.mark.parametrize(
    "harm",
    [
        shorten_coefficients,
        shift_columns_of_words,
        replace_pairs,
        break_sparse_weights,
        break_row_ends,
        hide_a_broken_matrix,
        other_format,
    ],
)
def test_a_blend_whose_arrays_do_not_fit(harm, model):
    broken = copy.deepcopy(model)
    check_model(broken)
    harm(broken)
    with pytest.raises(ValueError, match=r"not fit together|indices|index|indptr"):
        check_model(broken)


def test_directions_of_latent_semantic_indexing(corpus, others):
    model = TextClassifier().fit(corpus.texts, corpus.labels, unlabelled=others.texts)
    check_model(model)
    latent = model.model_._blends[0].scorers[-1]
    vars(latent)["directions"] = latent.directions[:-1]
    with pytest.raises(ValueError, match="SubspaceBlend do not fit together"):
        check_model(model)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("_y", lambda codes: codes + 3),
        ("_y", lambda codes: codes - 1),
        ("_y", lambda codes: codes[:-1]),
        ("_fit_X", lambda X: X[:, :-1]),
        ("_fit_X", lambda X: X[:-1]),
        ("n_samples_fit_", lambda n: n + 1),
    ],
)
def test_neighbors_that_do_not_exist(name, change, corpus):
    model = TextClassifier("knn").fit(corpus.texts, corpus.labels)
    check_model(model)
    nearest = model.model_.estimator_
    setattr(nearest, name, change(getattr(nearest, name)))
    with pytest.raises(ValueError, match="KNeighborsClassifier do not fit together"):
        check_model(model)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("centres", lambda centres: centres[:-1]),
        ("starts", lambda starts: starts + 1),
        ("starts", lambda starts: starts[::-1]),
        ("points", lambda points: points[:, :-1]),
        ("points", lambda points: points[:-1]),
        ("rows", lambda rows: rows + 1),
    ],
)
@pytest.mark.filterwarnings("ignore:.*components")
@pytest.mark.usefixtures("many_documents")
def test_cells_of_documents_that_do_not_exist(name, change, corpus):
    model = TextClassifier("lsi").fit(corpus.texts, corpus.labels)
    check_model(model)
    nearest = model.model_.estimator_[-1]
    sound, codes = nearest.index_, nearest._codes
    nearest.index_ = sound._replace(**{name: change(getattr(sound, name))})
    with pytest.raises(ValueError, match="ClusterIndex do not fit together"):
        check_model(model)
    nearest.index_, nearest._codes = sound, codes + 3
    with pytest.raises(ValueError, match="NearestDocuments do not fit together"):
        check_model(model)


@pytest.mark.filterwarnings("ignore:.*components")
def test_documents_of_a_kernel(corpus):
    model = TextClassifier("kda").fit(corpus.texts, corpus.labels)
    check_model(model)
    space = model.model_.estimator_[0]
    space.X_fit_ = space.X_fit_[:, :-1]
    with pytest.raises(ValueError, match="SpectralRegressionKDA do not fit together"):
        check_model(model)


def test_anything_else_is_no_model():
    with pytest.raises(ValueError, match="a list in place of a TextClassifier"):
        check_model([1, 2])
