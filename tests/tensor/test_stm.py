import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC

from textspace.tensor import SupportTensorMachine
from textspace.tensor._contraction import contract, flat_terms, mode_layout
from textspace.tensor._hinge import minimize_hinge
from textspace.tensor._machine import _orthogonal_terms, orthonormal_terms
from textspace.text import FoldedTensorSpace, VectorSpace


@pytest.fixture
def documents():
    """Give sparse unit rows of 4 classes of different sizes over 60 terms, and their labels."""
    rng = np.random.default_rng(7)
    y = rng.permutation(np.repeat([0, 1, 2, 3], [40, 32, 27, 21]))
    X = rng.random((120, 60)) * (rng.random((120, 60)) < 0.15)
    own = 15 * y[:, None] + rng.integers(0, 15, (120, 4))
    X[np.arange(120)[:, None], own] += rng.random((120, 4))
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), y


def objective(machine, X, y, C, row=0):
    """Value of the hinge objective of one machine, straight from its definition."""
    positive = machine.classes_[1 if len(machine.classes_) == 2 else row]
    targets = np.where(y == positive, 1.0, -1.0)
    coef, intercept = machine.coef_[row], machine.intercept_[row]
    losses = np.maximum(0, 1 - targets * (X @ coef + intercept))
    return coef @ coef / 2 + C * losses.sum()


@pytest.mark.parametrize("shape", [(12, 5), (None, 4), (5, 3, 4), (2, 3, 2, 5)])
@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_objective_never_rises_and_is_that_of_the_weights(shape, rank, C, documents):
    X, y = documents
    machine = SupportTensorMachine(shape, C=C, rank=rank).fit(X, y)
    assert len(machine.objective_trace_) == 4
    for row, trace in enumerate(machine.objective_trace_):
        assert len(trace) == machine.n_iter_[row] * len(shape)
        assert np.all(np.diff(trace) <= 1e-6 * np.array(trace[:-1]))
        np.testing.assert_allclose(objective(machine, X, y, C, row), trace[-1], rtol=1e-9)


@pytest.mark.parametrize("shape", [(60,), (60, 1), (1, 60), (1, None, 1)])
@pytest.mark.parametrize("C", [1e-3, 1.0, 10.0])
def test_one_mode_is_the_linear_support_vector_machine(shape, C, documents):
    X, y = documents
    X, y = X.toarray(), y == 2
    machine = SupportTensorMachine(shape, C=C).fit(X, y)
    svm = SVC(kernel="linear", C=C, tol=1e-8).fit(X, y)
    losses = np.maximum(0, 1 - np.where(y, 1, -1) * svm.decision_function(X))
    expected = svm.coef_[0] @ svm.coef_[0] / 2 + C * losses.sum()
    np.testing.assert_allclose(objective(machine, X, y, C), expected, rtol=1e-6)
    if C > 1e-3:  # the weights are unique; where they are zero any intercept of -1 and below is as good
        np.testing.assert_allclose(machine.decision_function(X), svm.decision_function(X), atol=1e-3)
        np.testing.assert_array_equal(machine.predict(X), svm.predict(X))


def test_one_mode_is_the_linear_support_vector_machine_of_every_class(documents):
    X, y = documents
    machine = SupportTensorMachine((None, 1)).fit(X, y)
    svm = OneVsRestClassifier(SVC(kernel="linear", C=10.0, tol=1e-8)).fit(X, y)
    np.testing.assert_allclose(machine.decision_function(X), svm.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(machine.predict(X), svm.predict(X))


@pytest.mark.parametrize("shape", [(12, 5), (5, 12), (60, 1)])
def test_full_rank_is_the_linear_support_vector_machine(shape, documents):
    X, y = documents
    machine = SupportTensorMachine(shape, C=10.0, rank=min(shape)).fit(X, y)
    svm = SupportTensorMachine((60,), C=10.0).fit(X, y)
    for trace, best in zip(machine.objective_trace_, svm.objective_trace_, strict=True):
        np.testing.assert_allclose(trace[-1], best[-1], rtol=1e-6)
    np.testing.assert_allclose(machine.decision_function(X), svm.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("shape", [(12, 5), (5, 3, 4)])
def test_more_terms_lower_the_objective(shape, documents):
    X, y = documents
    ends = [
        [trace[-1] for trace in SupportTensorMachine(shape, rank=rank, tol=1e-5).fit(X, y).objective_trace_]
        for rank in (1, 2, 4)
    ]
    assert np.all(np.diff(ends, axis=0) < 0)


@pytest.mark.parametrize("shape", [(12, 5), (5, 3, 4)])
def test_each_mode_is_optimal_for_the_others(shape, documents):
    X, y = documents
    y = y == 1
    machine = SupportTensorMachine(shape, C=1.0, tol=1e-9).fit(X, y)
    vectors = [factor[0, :, 0] for factor in machine.factors_]
    tensors = X.toarray().reshape(-1, *shape, order="F")
    for mode in range(len(shape)):
        contracted, beta = tensors, 1.0
        for other in reversed([m for m in range(len(shape)) if m != mode]):
            contracted = np.tensordot(contracted, vectors[other], axes=(other + 1, 0))
            beta *= vectors[other] @ vectors[other]
        svm = SVC(kernel="linear", C=1.0, tol=1e-9).fit(contracted / np.sqrt(beta), y)
        losses = np.maximum(0, 1 - np.where(y, 1, -1) * svm.decision_function(contracted / np.sqrt(beta)))
        best = svm.coef_[0] @ svm.coef_[0] / 2 + losses.sum()
        np.testing.assert_allclose(machine.objective_trace_[0][-1], best, rtol=1e-5)


@pytest.mark.parametrize(("shape", "rank"), [((12, 5), 1), ((12, 5), 3), ((5, 3, 4), 2)])
def test_weights_are_the_outer_products_of_the_factors(shape, rank, documents):
    X, y = documents
    machine = SupportTensorMachine(shape, rank=rank).fit(X, y)
    assert [factor.shape for factor in machine.factors_] == [(4, size, rank) for size in shape]
    letters = "abcd"[: len(shape)]
    product = ",".join(f"m{letter}r" for letter in letters) + f"->m{letters}"
    tensors = np.einsum(product, *machine.factors_)
    np.testing.assert_allclose(machine.coef_, tensors.reshape(4, -1, order="F"), atol=1e-10)
    lengths = [np.linalg.norm(factor, axis=1) for factor in machine.factors_]
    np.testing.assert_allclose(lengths, np.broadcast_to(lengths[0], np.shape(lengths)), rtol=1e-9)


def test_planted_rank_one_weights_are_recovered():
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=20), rng.normal(size=10)
    planted = np.outer(u, v).ravel(order="F")
    X = rng.normal(size=(400, 200))
    y = np.where(X @ planted > 0, "yes", "no")
    machine = SupportTensorMachine((20, 10)).fit(X, y)
    svm = LinearSVC(loss="hinge", C=10.0, max_iter=10**5).fit(X, y)

    def cosine(coef):
        return coef @ planted / np.linalg.norm(coef) / np.linalg.norm(planted)

    assert cosine(machine.coef_[0]) > 0.97
    assert cosine(svm.coef_[0]) < 0.9
    new = rng.normal(size=(2000, 200))
    assert np.mean(machine.predict(new) == np.where(new @ planted > 0, "yes", "no")) > 0.9


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("rank", [1, 2])
def test_sparse_equals_dense(container, rank, documents):
    X, y = documents
    dense = SupportTensorMachine((None, 5), rank=rank).fit(X.toarray(), y)
    machine = SupportTensorMachine((None, 5), rank=rank).fit(container(X), y)
    np.testing.assert_allclose(machine.coef_, dense.coef_, atol=1e-8)
    np.testing.assert_allclose(
        machine.decision_function(container(X)), dense.decision_function(X.toarray()), atol=1e-8
    )


def test_float32_stays_float32_and_agrees_with_float64(documents):
    X, y = documents
    single = SupportTensorMachine((None, 5)).fit(X.astype(np.float32), y)
    assert single.coef_.dtype == single.decision_function(X.astype(np.float32)).dtype == np.float32
    double = SupportTensorMachine((None, 5)).fit(X, y)
    np.testing.assert_allclose(single.coef_, double.coef_, atol=0.02 * abs(double.coef_).max())


def test_names_of_classes_and_order_of_documents_do_not_matter(documents):
    X, y = documents
    machine = SupportTensorMachine((None, 5)).fit(X, y)
    words = SupportTensorMachine((None, 5)).fit(X, np.array(["d", "a", "c", "b"])[y])
    np.testing.assert_allclose(words.coef_, machine.coef_[[1, 3, 2, 0]], atol=1e-12)
    order = np.random.default_rng(1).permutation(len(y))
    shuffled = SupportTensorMachine((None, 5)).fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.coef_, machine.coef_, atol=1e-3 * abs(machine.coef_).max())


@pytest.mark.parametrize("scale", [1e-2, 1e3])
def test_scaling_the_documents_scales_the_weights_back(scale, documents):
    X, y = documents
    machine = SupportTensorMachine((12, 5), C=10.0).fit(X, y)
    scaled = SupportTensorMachine((12, 5), C=10.0 / scale**2).fit(scale * X, y)
    np.testing.assert_allclose(
        scaled.decision_function(scale * X), machine.decision_function(X), rtol=1e-3, atol=1e-3
    )


def test_two_classes_have_one_machine_that_turns_with_them(documents):
    X, y = documents
    machine = SupportTensorMachine((12, 5)).fit(X, y == 3)
    assert machine.coef_.shape == (1, 60)
    assert machine.decision_function(X).shape == (120,)
    np.testing.assert_array_equal(machine.predict(X), machine.decision_function(X) > 0)
    turned = SupportTensorMachine((12, 5)).fit(X, y != 3)
    np.testing.assert_allclose(turned.decision_function(X), -machine.decision_function(X), atol=1e-3)


def test_many_classes_are_decided_by_the_largest_value(documents):
    X, y = documents
    machine = SupportTensorMachine((12, 5)).fit(X, np.array(["corn", "gold", "ship", "zinc"])[y])
    values = machine.decision_function(X)
    assert values.shape == (120, 4)
    np.testing.assert_array_equal(machine.predict(X), machine.classes_[values.argmax(axis=1)])


def test_a_document_without_entries_gets_the_intercept(documents):
    X, y = documents
    X = sparse.vstack([X, sparse.csr_array((2, 60))], format="csr")
    machine = SupportTensorMachine((12, 5)).fit(X, np.append(y, [0, 3]))
    np.testing.assert_array_equal(machine.decision_function(X[-1:])[0], machine.intercept_)


def test_a_class_that_nothing_tells_apart_is_decided_by_its_intercept():
    X = np.tile([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]], (10, 1))
    y = np.zeros(20, dtype=int)
    y[:2] = 1  # as many of either kind in both classes, in proportion
    for rank in (1, 2):
        machine = SupportTensorMachine((2, 2), rank=rank).fit(X, y)
        np.testing.assert_allclose(machine.coef_, 0, atol=1e-6)
        np.testing.assert_allclose(machine.decision_function(X), -1, atol=1e-6)
        np.testing.assert_allclose(machine.objective_trace_[0], 40.0)


def test_a_mode_that_finds_nothing_at_first_is_passed_over():
    # the columns of all documents sum to zero: with u all ones, v = 0 is optimal
    rng = np.random.default_rng(0)
    first = rng.random((60, 3, 1)) * [[1.0, 0.5, 0.0]]
    tensors = np.concatenate([first, -first], axis=1)
    targets = first[:, :, 0].sum(axis=1) > first[:, :, 0].sum(axis=1).mean()
    machine = SupportTensorMachine((6, 3)).fit(tensors.reshape(60, -1, order="F"), targets)
    assert machine.objective_trace_[0][0] == 2 * 10.0 * min(targets.sum(), (~targets).sum())
    assert machine.objective_trace_[0][-1] < 0.5 * machine.objective_trace_[0][0]


def test_a_class_of_one_document(documents):
    X, y = documents
    y[5] = 9
    machine = SupportTensorMachine((12, 5)).fit(X, y)
    assert np.isfinite(machine.decision_function(X)).all()
    assert machine.decision_function(X)[5].argmax() == 4


def test_narrow_rows_are_padded(documents):
    X, y = documents
    machine = SupportTensorMachine((None, 7)).fit(X, y)
    padded = sparse.hstack([X, sparse.csr_array((120, 3))], format="csr")
    wide = SupportTensorMachine((9, 7)).fit(padded, y)
    assert machine.tensor_shape_ == (9, 7)
    assert machine.coef_.shape == (4, 60)
    np.testing.assert_allclose(wide.coef_[:, :60], machine.coef_, atol=1e-10)


def test_warm_start_goes_on_from_the_last_fit(documents):
    X, y = documents
    cold = SupportTensorMachine((12, 5), tol=1e-6).fit(X, y)
    machine = SupportTensorMachine((12, 5), tol=1e-6, warm_start=True).fit(X, y).fit(X, y)
    for trace, before in zip(machine.objective_trace_, cold.objective_trace_, strict=True):
        assert trace[0] <= before[-1] * (1 + 1e-6)
    assert machine.n_iter_.sum() < cold.n_iter_.sum()
    wider = machine.set_params(rank=2).fit(X, y)
    assert wider.factors_[0].shape == (4, 12, 2)
    with pytest.raises(ValueError, match="lower rank 1"):
        wider.set_params(rank=1).fit(X, y)
    with pytest.raises(ValueError, match="other classes or another tensor shape"):
        wider.set_params(rank=2).fit(X, y + 1)


def test_documents_that_are_too_long_are_refused():
    X = 1e21 * np.array([[0.0, 1.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="scale them to unit length"):
        SupportTensorMachine(tensor_shape=(None, 2), rank=2).fit(X, [0, 1])


def test_unsettled_alternation_warns(documents):
    X, y = documents
    with pytest.warns(ConvergenceWarning, match="4 had not settled after max_iter=1 sweeps"):
        SupportTensorMachine((12, 5), max_iter=1).fit(X, y)


def test_rank_above_what_the_shape_can_need_is_capped(documents):
    X, y = documents
    with pytest.warns(UserWarning, match=r"rank=9 is more than .* \(12, 5\) can need: 5 terms"):
        machine = SupportTensorMachine((12, 5), rank=9).fit(X, y)
    assert machine.factors_[0].shape == (4, 12, 5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tensor_shape": (7, 8)}, "56 entries, but the documents have 60 columns"),
        ({"tensor_shape": (None, None)}, "one may be None"),
        ({"C": 0.0}, r"'C' parameter .* range \(0.0, 1e\+60\]"),
        ({"rank": 0}, r"'rank' parameter .* range \[1, inf\)"),
        ({"max_iter": 0}, r"'max_iter' parameter .* range \[1, inf\)"),
    ],
)
def test_bad_settings_are_refused(settings, message, documents):
    with pytest.raises(ValueError, match=message):
        SupportTensorMachine(**settings).fit(*documents)


def test_one_class_only_is_refused(documents):
    X, y = documents
    with pytest.raises(ValueError, match="only one class: '1'"):
        SupportTensorMachine().fit(X, np.ones_like(y))


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_contraction_leaves_one_mode(mode, documents):
    X, _ = documents
    shape, rng = (5, 3, 4), np.random.default_rng(0)
    factors = [rng.normal(size=(size, 2)) for size in shape]
    others = factors[:mode] + factors[mode + 1 :]
    data, indices, indptr = contract(mode_layout(X, shape, mode), flat_terms(others))
    found = sparse.csr_array((data, indices, indptr), shape=(120, 2 * shape[mode])).toarray()
    tensors = np.moveaxis(X.toarray().reshape(120, *shape, order="F"), mode + 1, 1)
    expected = np.einsum("nabc,br,cr->nar", tensors, *others)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, atol=1e-12)


def test_orthonormal_terms_leave_out_collinear_ones():
    rng = np.random.default_rng(0)
    factors = [rng.normal(size=(4, 3)), rng.normal(size=(3, 3))]
    factors[0][:, 2], factors[1][:, 2] = -2 * factors[0][:, 1], 3 * factors[1][:, 1]
    basis, unfold, fold = orthonormal_terms(factors)
    assert basis.shape == (12, 2)
    np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(basis @ unfold.T, flat_terms(factors), atol=1e-12)
    np.testing.assert_allclose(flat_terms(factors) @ fold.T, basis, atol=1e-12)


@pytest.mark.parametrize("shape", [(6,), (4, 5), (3, 4, 2)])
def test_a_tensor_is_the_sum_of_its_orthogonal_terms(shape):
    tensor = np.random.default_rng(0).normal(size=shape)
    terms = np.array([flat_terms([v[:, None] for v in term])[:, 0] for term in _orthogonal_terms(tensor)])
    weights = terms @ tensor.ravel(order="F")
    np.testing.assert_allclose(terms @ terms.T, np.eye(len(terms)), atol=1e-12)
    np.testing.assert_allclose(weights @ terms, tensor.ravel(order="F"), atol=1e-12)
    assert np.all(np.diff(np.abs(weights)) <= 1e-12)


def test_rare_categories_of_reuters_gain_over_the_support_vector_machine(corpus_or_skip):
    corpus = corpus_or_skip("reuters-modapte-41")
    # as in the paper: terms and their order from the whole corpus, then about a twentieth to learn from
    space = FoldedTensorSpace(space=VectorSpace(scheme="tf", stem=None))
    X, y, rng = space.fit_transform(corpus.texts), corpus.labels, np.random.default_rng(0)
    members = [rng.permutation(np.flatnonzero(y == label)) for label in corpus.classes]
    rows = np.concatenate([each[: max(2, round(len(each) / 20))] for each in members])
    rest = np.setdiff1d(np.arange(len(y)), rows)
    machine = SupportTensorMachine(space.tensor_shape_).fit(X[rows], y[rows])
    svm = LinearSVC(loss="hinge", C=10.0, max_iter=10**5).fit(X[rows], y[rows])
    truth = y[rest, None] == machine.classes_

    def mean_f1(decided):
        hits = np.sum(decided & truth, axis=0)
        return np.mean(2 * hits / (decided.sum(axis=0) + truth.sum(axis=0)))

    gained = mean_f1(machine.decision_function(X[rest]) > 0) - mean_f1(svm.decision_function(X[rest]) > 0)
    assert gained > 0.01
    for trace in machine.objective_trace_:
        assert np.all(np.diff(trace) <= 1e-6 * np.array(trace[:-1]))


def test_several_labels_have_a_machine_each(documents):
    X, y = documents
    Y = np.column_stack([y == 0, y < 2, np.zeros_like(y), np.ones_like(y)]).astype(int)
    model = SupportTensorMachine((None, 6), rank=2).fit(X, Y)
    for label in (0, 1):
        alone = SupportTensorMachine((None, 6), rank=2).fit(X, Y[:, label])
        np.testing.assert_allclose(model.decision_function(X)[:, label], alone.decision_function(X))
    np.testing.assert_array_equal(model.predict(X)[:, 2:], Y[:, 2:])
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X) > 0)
    compiled_for = [targets.layout for _, targets, *_ in minimize_hinge.dispatcher.signatures]
    assert set(compiled_for) == {"C"}  # and not once more for several labels, which takes seconds


def test_a_price_whose_squares_are_infinite_is_refused(documents):
    with pytest.raises(
        ValueError, match="'C' parameter of SupportTensorMachine must be a float in the range"
    ):
        SupportTensorMachine((None, 5), C=1e300).fit(*documents)
