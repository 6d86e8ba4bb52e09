"""What every estimator must do, and every projection, whatever its method."""

import inspect
import pickle

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import textspace.kernel
import textspace.linear
import textspace.tensor
from textspace.classify import (
    NBSVM,
    RLSC,
    CalibratedMethod,
    EMNaiveBayes,
    LabelledOnly,
    ManyClassBlend,
    NearestDocuments,
    OneAgainstRest,
    SelfTraining,
    SeveralLabelsBlend,
    SubspaceBlend,
    TopDownClassifier,
)
from textspace.linear import (
    GraphProjection,
    LinearProjection,
    LocalRelevanceWeightedLSI,
    RatioProjection,
)
from textspace.selection import SampledLeastSquares, TermSelector
from textspace.text import FoldedTensorSpace

BASES = (LinearProjection, GraphProjection, RatioProjection)


def estimators_of(package):
    """Give the estimators that a package exports, without those that only serve as bases."""
    found = (getattr(package, name) for name in package.__all__)
    return [
        each
        for each in found
        if isinstance(each, type) and issubclass(each, BaseEstimator) and each not in BASES
    ]


PROJECTIONS = estimators_of(textspace.linear)
OTHERS = [
    *(each() for each in estimators_of(textspace.kernel)),
    *(each() for each in estimators_of(textspace.tensor)),
    CalibratedMethod(LogisticRegression()),
    CalibratedMethod(OneAgainstRest(LogisticRegression()), n_folds=2),  # for time: the one above has more
    OneAgainstRest(LogisticRegression()),
    ManyClassBlend(),
    EMNaiveBayes(),
    FoldedTensorSpace(shape=(2, None), order="class_profile"),  # learns from labels too
    LabelledOnly(LogisticRegression()),
    NearestDocuments(),
    NearestDocuments(algorithm="clusters", random_state=0),
    NBSVM(),
    RLSC(),
    SelfTraining(LogisticRegression()),
    SeveralLabelsBlend(),
    SubspaceBlend(),
    SampledLeastSquares(random_state=0),
    TermSelector(),
    TopDownClassifier(),
]
SUPERVISED = [projection for projection in PROJECTIONS if get_tags(projection()).target_tags.required]

# Class name -> {name of scikit-learn's check: why it cannot hold}.
_SPLITS = "it hands over a list of splits, but cv is a number of folds; test_rlsc.py holds the equivalence"
_FOLDS = "documents are dealt into folds one by one, and the copies of one into several; test_weights.py"
EXPECTED_FAILURES = {
    "RLSC": {
        "check_sample_weight_equivalence_on_dense_data": _SPLITS,
        "check_sample_weight_equivalence_on_sparse_data": _SPLITS,
        "check_class_weight_classifiers": "without an intercept no plane has all documents on one side",
    },
    "SubspaceBlend": {
        "check_sample_weight_equivalence_on_dense_data": _FOLDS,
        "check_sample_weight_equivalence_on_sparse_data": _FOLDS,
    },
}

# The checks use matrices of two or three columns, fewer than the default number of components, ranks or
# terms, and fewer rows than landmarks; and labels that are numbers, without the names of terms.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:.*{part}:UserWarning")
    for part in ("components", "landmarks", "ranks", "n_terms", "scales nothing", "-1 and 1 only")
]


@pytest.mark.slow
@parametrize_with_checks(
    [*(projection() for projection in PROJECTIONS), *OTHERS],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES.get(type(estimator).__name__, {}),
)
def test_scikit_learn(estimator, check):
    check(estimator)


def build(projection):
    """Give a small instance; settings that a class does not have are left out."""
    settings = {"n_components": 6, "n_neighbors": 3, "random_state": 0}
    return projection(
        **{name: settings[name] for name in inspect.signature(projection).parameters if name in settings}
    )


@pytest.fixture
def documents():
    """Give unit rows of 4 classes of different sizes over 60 terms, 15 terms a class, and integer labels."""
    rng = np.random.default_rng(7)
    y = rng.permutation(np.repeat([0, 1, 2, 3], [40, 32, 27, 21]))
    X = rng.random((120, 60)) * (rng.random((120, 60)) < 0.08)
    own = 15 * y[:, None] + rng.integers(0, 15, (120, 5))
    X[np.arange(120)[:, None], own] += rng.random((120, 5))
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), y


def assert_same_space(one, other, atol=1e-4):
    assert one.components_.shape == other.components_.shape
    assert subspace_angles(one.components_.T, other.components_.T).max() < atol


every_projection = pytest.mark.parametrize(
    "projection", PROJECTIONS, ids=lambda projection: projection.__name__
)
every_supervised = pytest.mark.parametrize(
    "projection", SUPERVISED, ids=lambda projection: projection.__name__
)


# Those that weigh a document before they project it are no linear maps: their own tests say what they are.
LINEAR = [each for each in PROJECTIONS if each is not LocalRelevanceWeightedLSI]


@pytest.mark.parametrize("projection", LINEAR, ids=lambda projection: projection.__name__)
def test_is_a_projection_on_its_components(projection, documents):
    X, y = documents
    fitted = build(projection).fit(X, y)
    assert fitted.n_features_in_ == fitted.components_.shape[1] == 60
    coordinates = fitted.transform(X)
    differences = coordinates[1:] - coordinates[:-1]
    np.testing.assert_allclose(differences, (X[1:] - X[:-1]) @ fitted.components_.T, atol=1e-10)


@every_projection
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_equals_dense(projection, container, documents):
    X, y = documents
    dense = build(projection).fit(X.toarray(), y)
    fitted = build(projection).fit(container(X), y)
    np.testing.assert_allclose(fitted.components_, dense.components_, atol=1e-8)
    np.testing.assert_allclose(fitted.transform(container(X)), dense.transform(X.toarray()), atol=1e-8)


@every_projection
def test_float32_stays_float32_and_agrees_with_float64(projection, documents):
    X, y = documents
    single = build(projection).fit(X.astype(np.float32), y)
    assert single.components_.dtype == single.transform(X.astype(np.float32)).dtype == np.float32
    assert_same_space(single, build(projection).fit(X, y), atol=1e-3)


@every_projection
def test_text_labels_equal_integer_labels(projection, documents):
    X, y = documents
    numbers = build(projection).fit(X, y)
    words = build(projection).fit(X, np.array(["acq", "corn", "earn", "wheat"])[y])
    np.testing.assert_allclose(words.components_, numbers.components_, atol=1e-12)


@every_projection
def test_order_of_documents_and_names_of_classes_do_not_matter(projection, documents):
    X, y = documents
    order = np.random.default_rng(1).permutation(len(y))
    fitted = build(projection).fit(X, y)
    assert_same_space(build(projection).fit(X[order], y[order]), fitted)
    assert_same_space(build(projection).fit(X, np.array([2, 0, 3, 1])[y]), fitted)


@every_projection
def test_two_fits_are_identical_and_signs_are_fixed(projection, documents):
    X, y = documents
    first, second = (build(projection).fit(X, y).components_ for _ in range(2))
    np.testing.assert_array_equal(first, second)
    largest = np.argmax(np.abs(first), axis=1)
    assert np.all(first[np.arange(len(first)), largest] > 0)


@every_projection
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_and_infinite_entries_are_refused(projection, value, documents):
    X, y = documents
    X.data[17] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        build(projection).fit(X, y)


@every_projection
def test_empty_documents_and_duplicates_do_no_harm(projection, documents):
    X, y = documents
    X = sparse.vstack([X, sparse.csr_array((3, 60)), X[:10], X[:1], X[:1]], format="csr")
    y = np.concatenate([y, [0, 0, 1], y[:10], [2, 3]])  # the last two contradict the first
    fitted = build(projection).fit(X, y)
    assert np.isfinite(fitted.components_).all()
    assert np.isfinite(fitted.transform(X)).all()


@every_projection
def test_a_class_of_one_document(projection, documents):
    X, y = documents
    y[5] = 9
    assert np.isfinite(build(projection).fit(X, y).transform(X)).all()


@every_supervised
def test_one_class_only_is_refused(projection, documents):
    X, y = documents
    with pytest.raises(ValueError, match="one class"):
        build(projection).fit(X, np.zeros_like(y))


@every_supervised
def test_missing_labels_are_refused(projection, documents):
    X, y = documents
    with pytest.raises(ValueError, match="requires y"):
        build(projection).fit(X, None)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        build(projection).fit(X, y[:-1])


@every_projection
@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_set_output_gives_a_named_table(projection, library, documents):
    pytest.importorskip(library)
    X, y = documents
    fitted = build(projection).set_output(transform=library).fit(X, y)
    names = [f"{projection.__name__.lower()}{column}" for column in range(len(fitted.components_))]
    np.testing.assert_array_equal(fitted.get_feature_names_out(), names)
    table = fitted.transform(X)
    assert list(table.columns) == names
    np.testing.assert_allclose(table.to_numpy(), build(projection).fit(X, y).transform(X))


CLASSIFIERS = [each for each in OTHERS if hasattr(each, "predict")]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda classifier: type(classifier).__name__)
def test_two_classes_have_one_decision_value(classifier, documents):
    X, y = documents
    X, y = X.toarray(), np.where(y > 1, "late", "early")
    fitted = clone(classifier).fit(X, y)
    if hasattr(fitted, "decision_function"):
        values = fitted.decision_function(X)
        assert values.shape == y.shape
        np.testing.assert_array_equal(fitted.predict(X) == "late", values > 0)


@every_projection
def test_clone_and_pickle(projection, documents):
    X, y = documents
    fitted = build(projection).fit(X, y)
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    assert not hasattr(fresh, "components_")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))


@every_projection
def test_a_wrong_number_of_terms_is_refused_in_a_pipeline(projection, documents):
    X, y = documents
    pipeline = make_pipeline(build(projection)).fit(X, y)
    with pytest.raises(ValueError, match="59 features"):
        pipeline.transform(X[:, :59])
