"""Positions in arrays of a model that do not exist are found before compiled code looks them up."""

import copy
from functools import cache

import numpy as np
import pytest

from textspace.classify import _nearest_documents
from textspace.classify.blend import _choice, _subspace_blend
from textspace.models import ModelFileError, TextClassifier, load, make_card, save
from textspace.tree import LabelTree


def refused(model, folder, *said):
    """Assert that the file of a model whose arrays do not fit together is refused."""
    save(model, folder / "broken.textspace")
    with pytest.raises(ModelFileError) as caught:
        load(folder / "broken.textspace")
    for words in said:
        assert words in str(caught.value)


@pytest.fixture(scope="module")
def fitted(corpus, tmp_path_factory):
    """Give a function that fits a method, each only once, sees that its file loads, and gives a copy."""
    path = tmp_path_factory.mktemp("sound") / "model.textspace"
    tree = {"grain": "land", "metal": "land", "ship": "sea"}

    @cache
    def fit(method):
        model = TextClassifier(method, tree=tree).fit(corpus.texts, corpus.labels)
        save(model, path)
        load(path)
        return model

    return lambda method: copy.deepcopy(fit(method))


@pytest.fixture(scope="module")
def of_all(corpus):
    """Give a model that keeps all alphabets and scores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_choice, "_LEAST", (-np.inf, 0.0))
        model = TextClassifier().fit(corpus.texts, corpus.labels)
    assert list(model.space_.spaces_) == ["stems", "words", "letters"]
    return model


def with_two_swapped(ascending):
    """Swap two numbers; between unsigned ones the difference wraps, and is still positive."""
    return ascending[[0, 2, 1, *range(3, len(ascending))]]


def blend_scorer(model):
    return model.model_._blends[0].scorers[0]


def shorten_coefficients(model):
    vars(blend_scorer(model))["coef"] = blend_scorer(model).coef[:-1]


def shorten_all_coefficients(model):
    for blend in model.model_._blends:
        vars(blend.scorers[0])["coef"] = blend.scorers[0].coef[:-1]


def drop_a_class(model):
    model.model_.classes_ = model.model_.classes_[:-1]


def drop_a_constant(model):
    vars(model.model_.calibration_)["bias"] = model.model_.calibration_.bias[:-1]


def drop_a_scorer(model):
    del model.model_._blends[0].scorers[1]


def repeat_a_word(model):
    space = model.space_.spaces_["stems"]
    words = list(space.vocabulary_)
    space.vocabulary_ = dict.fromkeys([words[0], *words[2:]], 0)


def shuffle_pairs(model):
    space = model.space_.spaces_["stems"]
    space._pairs = space._pairs._replace(seconds=space._pairs.seconds + 1000)


def drop_a_weight(model):
    space = model.space_.spaces_["words"]
    space.idf_ = space.idf_[:-1]


def lengthen_letters(model):
    model.space_.spaces_["letters"].vocabulary_.lengths += 1


def forget_letters(model):
    model.space_.spaces_["letters"].vocabulary_.is_term[4:] = False


def drop_an_alphabet(model):
    del model.space_.spaces_["letters"]


def forge_an_alphabet(model):
    model.space_.spaces_["letters"] = "letters"


def sparse_weights(model):
    return next(scorer.weights for scorer in model.model_._blends[0].scorers if hasattr(scorer, "weights"))


def break_sparse_weights(model):
    weights = sparse_weights(model)
    weights.indices = weights.indices + 1000


def break_row_ends(model):
    weights = sparse_weights(model)
    weights.indptr = weights.indptr[::-1].copy()


def wrap_row_ends(model):
    """Let each row end behind the one before it only by numbers that wrap."""
    weights = sparse_weights(model)
    weights.indptr = weights.indptr.astype(np.int32)
    weights.indptr[1:4] = 1 << 30, (1 << 31) - 1, -(1 << 30)


def narrow_row_ends(model):
    weights = sparse_weights(model)
    weights.indptr = weights.indptr.astype(np.int8)


def drop_a_share(model):
    model.shares_ = model.shares_[:-1]


def drop_the_shares_of_the_labels(model):
    del model.class_shares_


def drop_an_excerpt(model):
    model.training_ = model.training_._replace(excerpts=model.training_.excerpts[1:])


def forge_an_excerpt(model):
    model.training_ = model.training_._replace(excerpts=[*model.training_.excerpts[1:], 7])


def grow_a_tree_of_other_labels(model):
    model.tree_ = LabelTree({"grain": "land", "metal": "land"})


def forget_languages(model):
    """Leave out what need not be there where texts are of one language."""
    del model.space_.spaces_["stems"].languages_


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (shorten_coefficients, "SubspaceBlend do not fit together"),
        (shorten_all_coefficients, "SubspaceBlend do not fit together"),
        (drop_a_class, "SubspaceBlend do not fit together"),
        (drop_a_constant, "Blend do not fit together"),
        (drop_a_scorer, "Blend do not fit together"),
        (repeat_a_word, "VectorSpace do not fit together"),
        (shuffle_pairs, "VectorSpace do not fit together"),
        (drop_a_weight, "VectorSpace do not fit together"),
        (lengthen_letters, "n-grams of letters are not in order"),
        (forget_letters, "VectorSpace do not fit together"),
        (drop_an_alphabet, "TextClassifier do not fit together"),
        (forge_an_alphabet, "Alphabets do not fit together"),
        (break_sparse_weights, "indices"),
        (break_row_ends, "index pointer"),
        (wrap_row_ends, "index pointer"),
        (narrow_row_ends, "a sparse matrix that is none"),
        (drop_a_share, "TextClassifier do not fit together"),
        (drop_the_shares_of_the_labels, "TextClassifier do not fit together"),
        (drop_an_excerpt, "TrainingDocuments do not fit together"),
        (forge_an_excerpt, "TrainingDocuments do not fit together"),
        (grow_a_tree_of_other_labels, "TextClassifier do not fit together"),
        (forget_languages, "its model cannot answer"),
    ],
)
def test_a_blend_whose_arrays_do_not_fit(harm, said, of_all, tmp_path):
    broken = copy.deepcopy(of_all)
    broken.card_ = make_card(of_all)
    harm(broken)
    refused(broken, tmp_path, said)


@pytest.fixture(scope="module")
def not_self_trained(corpus, others):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_subspace_blend, "does_no_harm", lambda values, y: False)
        return TextClassifier().fit(corpus.texts, corpus.labels, unlabelled=others.texts)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("directions", lambda directions: directions[:-1]),
        ("columns", lambda columns: columns + 1000),
        ("columns", lambda columns: columns[::-1]),
        ("columns", lambda columns: with_two_swapped(columns).astype(np.uint8)),
    ],
)
def test_directions_of_latent_semantic_indexing(name, change, not_self_trained, tmp_path):
    model = copy.deepcopy(not_self_trained)
    latent = model.model_._blends[0].scorers[-1]
    vars(latent)[name] = change(getattr(latent, name))
    refused(model, tmp_path, "do not fit together")


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
@pytest.mark.usefixtures("first_settings_only")
def test_neighbors_that_do_not_exist(name, change, fitted, tmp_path):
    model = fitted("knn")
    nearest = model.model_.estimator_.neighbors_
    setattr(nearest, name, change(getattr(nearest, name)))
    refused(model, tmp_path, "KNeighborsClassifier do not fit together")


@pytest.fixture(scope="module")
def clustered(corpus):
    """Give a model of documents that are so many that they are sorted into clusters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_nearest_documents, "_MANY", 10)
        return TextClassifier("lsi").fit(corpus.texts, corpus.labels)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("centres", lambda centres: centres[:-1]),
        ("starts", lambda starts: starts + 1),
        ("starts", lambda starts: starts[::-1]),
        ("starts", lambda starts: with_two_swapped(starts).astype(np.uint8)),
        ("points", lambda points: points[:, :-1]),
        ("points", lambda points: points[:-1]),
        ("rows", lambda rows: rows + 1),
        ("rows", np.zeros_like),
        ("metric", lambda metric: "manhattan"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*components")
def test_clusters_of_documents_that_do_not_exist(name, change, clustered, tmp_path):
    model = copy.deepcopy(clustered)
    nearest = model.model_.estimator_[-1]
    sound, codes = nearest.index_, nearest._codes
    nearest.index_ = sound._replace(**{name: change(getattr(sound, name))})
    refused(model, tmp_path, "ClusterIndex do not fit together")
    nearest.index_, nearest._codes = sound, codes + 3
    refused(model, tmp_path, "NearestDocuments do not fit together")


def of_space(name, change):
    def harm(model):
        space = model.model_.estimator_[0]
        setattr(space, name, change(getattr(space, name)))

    return harm


def of_machine(name, change):
    def harm(model):
        setattr(model.model_.estimator_, name, change(getattr(model.model_.estimator_, name)))

    return harm


def of_places(model):
    order = model.model_.estimator_[0].order_
    order[0] = order[1]


def less(array):
    return array[:-1]


def narrower(array):
    return array[:, :-1]


def wide(factors):
    """Give factors of more directions than a mode has, whose products would fill the memory."""
    return [np.tile(factor, (1, 1000)) for factor in factors]


@pytest.mark.usefixtures("first_settings_only")
@pytest.mark.filterwarnings("ignore:.*components", "ignore:.*ranks")
@pytest.mark.parametrize(
    ("method", "harm", "said"),
    [
        ("kda", of_space("X_fit_", narrower), "SpectralRegressionKDA"),
        ("kda", of_space("dual_coef_", less), "SpectralRegressionKDA"),
        ("kdgpp", of_space("landmarks_", less), "KDGPP"),
        ("kdgpp", of_space("landmarks_", lambda landmarks: landmarks[:, :1]), "KDGPP"),
        ("kdgpp", of_space("components_", narrower), "KDGPP"),
        ("lrwmmc", of_space("components_", narrower), "LRWMMC"),
        ("lrwmmc", of_space("eigenvalues_", less), "LRWMMC"),
        ("lda", of_space("mean_", less), "SpectralRegressionLDA"),
        ("slsi", of_space("term_scale_", less), "LabelDrivenLSI"),
        ("hosvd", of_space("factors_", less), "HOSVD"),
        ("hosvd", of_space("factors_", lambda factors: [factors[0][1:], *factors[1:]]), "HOSVD"),
        ("hosvd", of_space("tensor_shape_", lambda shape: (*shape[:-1], 28)), "HOSVD"),
        ("hosvd", of_space("factors_", wide), "HOSVD"),
        ("tlrwmmc", of_space("factors_", wide), "TensorLRWMMC"),
        ("stm", of_places, "FoldedTensorSpace"),
        ("srls", of_space("scale_", less), "TermSelector"),
        ("svm", of_machine("coef_", narrower), "LinearSVC"),
        ("svm", of_machine("coef_", less), "LinearSVC"),
        ("svm", of_machine("classes_", less), "LinearSVC"),
        ("svm", of_machine("coef_", lambda coef: coef.astype(int)), "LinearSVC"),
        ("svm", of_machine("coef_", lambda coef: coef.astype(str)), "LinearSVC"),
        ("nmf", of_space("max_iter", lambda most: 1 << 40), "NMF"),
        ("logreg", of_machine("intercept_", less), "LogisticRegression"),
        ("nb", of_machine("feature_log_prob_", narrower), "ComplementNB"),
        ("rlsc", of_machine("coef_", narrower), "RLSC"),
        ("em-nb", of_machine("feature_log_prob_", less), "EMNaiveBayes"),
        ("hsvm", of_machine("nodes_", less), "TopDownClassifier"),
    ],
)
def test_arrays_of_methods(method, harm, said, fitted, tmp_path):
    model = fitted(method)
    harm(model)
    refused(model, tmp_path, f"{said} do not fit together")


@pytest.mark.usefixtures("first_settings_only")
@pytest.mark.filterwarnings("ignore:.*components")
def test_the_steps_of_a_pipeline(fitted, tmp_path):
    model = fitted("lsi")
    space = model.model_.estimator_[0]
    space.components_, space.singular_values_ = less(space.components_), less(space.singular_values_)
    refused(model, tmp_path, "Pipeline do not fit together")


@pytest.mark.usefixtures("first_settings_only")
@pytest.mark.parametrize("method", ["svm", "knn", "nmf", "srls", "stm", "self-training", "auto"])
def test_positions_of_another_space(method, fitted, tmp_path):
    model = fitted(method)
    assert model.model_._n_features_out == model.training_.positions.shape[1]
    model.training_ = model.training_._replace(positions=model.training_.positions[:, :-1])
    refused(model, tmp_path, "TextClassifier do not fit together", "_n_features_out")


@pytest.mark.usefixtures("first_settings_only")
def test_a_space_of_other_terms(corpus, fitted, tmp_path):
    model = fitted("svm")
    model.space_ = copy.deepcopy(model.space_).fit(corpus.texts[:3])
    refused(model, tmp_path, "TextClassifier do not fit together")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opening", -5),
        ("opening", "ten"),
        ("opening", 10**30),
        ("min_df", "many"),
        ("scheme", "none"),
        ("stem", 3),
    ],
)
def test_settings_that_no_space_takes_are_refused(of_all, tmp_path, name, value):
    model = copy.deepcopy(of_all)
    vars(model.space_.spaces_["stems"])[name] = value
    save(model, tmp_path / "forged.textspace")
    with pytest.raises(ModelFileError, match="VectorSpace"):
        load(tmp_path / "forged.textspace")
