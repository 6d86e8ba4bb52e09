"""Documents mean the same in every container; what cannot be computed with is refused."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags
from tests.adversary.estimators import METHODS, estimators, functions

from textspace._validation import check_rows
from textspace.classify import ManyClassBlend
from textspace.linear import LRWMMC
from textspace.solvers import DocumentProducts
from textspace.text import VectorSpace

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def scattered(dense, container=sparse.csr_matrix):
    """Give documents as scipy's documentation builds them: an entry for each time that a term is met."""
    rows, columns = np.nonzero(dense)
    counts = dense[rows, columns].astype(int)
    rows, columns = np.repeat(rows, counts), np.repeat(columns, counts)
    order = np.random.default_rng(0).permutation(len(rows))
    rows, columns = np.append(rows[order], [0, 3]), np.append(columns[order], [1, 2])
    data = np.append(np.ones(len(order)), [0.0, 0.0])
    place = np.argsort(rows, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))])
    X = container((data[place], columns[place], starts), shape=dense.shape)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    for array in (X.data, X.indices, X.indptr):
        array.flags.writeable = False
    return X


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 8).astype(np.int32)
    dense = rng.poisson(0.4, (24, 12)) + 2 * (np.arange(12) // 4 == y[:, None]) * rng.poisson(1, (24, 12))
    return dense.astype(float), y


def results(estimator, X, y):
    fitted = clone(estimator).fit(X, y)
    found = [getattr(fitted, name)(X) for name in METHODS if hasattr(fitted, name)]
    return [each.toarray() if sparse.issparse(each) else each for each in found]


SPARSE = [each for each in estimators() if get_tags(each).input_tags.sparse or isinstance(each, VectorSpace)]


@pytest.mark.parametrize("estimator", SPARSE, ids=lambda each: str(each).partition("(")[0])
def test_repeated_unsorted_and_zero_entries_change_nothing(estimator, documents):
    dense, y = documents
    expected = results(estimator, sparse.csr_array(dense), y)
    for container in (sparse.csr_matrix, sparse.csr_array):
        X = scattered(dense, container)
        for one, other in zip(results(estimator, X, y), expected, strict=True):
            np.testing.assert_array_equal(one, other)
        assert X.data.max() == 1  # as it was


@pytest.mark.parametrize("name", functions())
def test_functions_take_every_container(name, documents):
    dense, y = documents
    function = functions()[name]
    expected = str(function(sparse.csr_array(dense), y))
    assert str(function(scattered(dense, sparse.csr_array), y)) == expected
    columns = sparse.csc_array(dense)
    assert str(function(columns, y)) == expected


def test_what_is_in_order_is_not_copied():
    X = sparse.csr_array(np.eye(3))
    assert np.shares_memory(check_rows(X).data, X.data)
    dense = np.eye(3)
    assert check_rows(dense) is dense


def test_a_truth_told_twice_is_one():
    X = sparse.csr_array(([True, True], [1, 1], [0, 2]), shape=(1, 2))
    np.testing.assert_array_equal(check_rows(X).toarray(), [[0, 1]])


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_counts_of_a_small_type_do_not_overflow(container):
    entries = np.ones(300, dtype=np.uint8), (np.zeros(300, dtype=int), np.zeros(300, dtype=int))
    X = sparse.coo_array(entries, shape=(1, 1))
    if container is not sparse.coo_array:
        X = container((X.data, X.row, np.array([0, 300])), shape=(1, 1))
    assert check_rows(X).toarray().item() == 300


def test_order_is_seen_even_where_a_matrix_believes_in_another():
    X = sparse.csr_array(([1.0, 2.0], [1, 0], [0, 2]), shape=(1, 2))
    X.has_sorted_indices = X.has_canonical_format = True
    np.testing.assert_array_equal(check_rows(X).indices, [0, 1])


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
def test_row_ends_whose_differences_wrap_are_refused(container):
    X = container(np.eye(4))
    X.indptr = np.array([0, 1 << 30, (1 << 31) - 1, -(1 << 30), 4], np.int32)
    with pytest.raises(ValueError, match=r"damaged sparse matrix.*index pointer is not in order"):
        check_rows(X)


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
def test_entries_outside_the_matrix_are_refused(container):
    X = container(np.eye(2))
    X.indices[0] = 7
    with pytest.raises(ValueError, match=r"damaged sparse matrix.*must be < 2"):
        check_rows(X)


@pytest.mark.parametrize(
    ("scale", "dtype"), [(1e300, np.float64), (1e-300, np.float64), (1e30, np.float32), (1e-30, np.float32)]
)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_numbers_whose_powers_are_lost_are_refused(scale, dtype, container, documents):
    dense, y = documents
    X = container((dense * scale).astype(dtype))
    for use in (LRWMMC(2).fit, lambda X, y: DocumentProducts(X)):
        with pytest.raises(ValueError, match=r"whose powers float\d\d (does not hold|cannot tell from zero)"):
            use(X, y)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_a_row_whose_squares_are_lost_is_empty(documents, convert):
    dense = documents[0].copy()
    dense[4] *= 1e-200
    X = convert(dense)
    checked = check_rows(X)
    assert not checked[[4]].any() if isinstance(checked, np.ndarray) else checked[[4]].nnz == 0
    assert abs(X[[4]]).max() > 0  # the caller's own is as it was
    empty = documents[0].copy()
    empty[4] = 0
    fitted = LRWMMC(2).fit(*documents)
    np.testing.assert_array_equal(fitted.transform(X), fitted.transform(convert(empty)))


def test_a_nearly_empty_document_alone_is_no_error(documents):
    fitted = LRWMMC(2).fit(*documents)
    assert np.abs(fitted.transform(documents[0][:1] * 1e-40)).max() < 1e-30


def test_a_sparse_row_without_columns_is_refused(documents):
    fitted = LRWMMC(2).fit(*documents)
    with pytest.raises(ValueError, match="2D"):
        fitted.transform(sparse.coo_array(documents[0][0]))


def test_what_single_precision_would_lose_is_seen_before(documents):
    dense, y = documents
    with pytest.raises(ValueError, match="float32 cannot tell from zero"):
        ManyClassBlend().fit(dense * 1e-300, y)


def test_counts_are_summed_before_they_are_judged():
    halves = sparse.csr_array(([0.5, 0.5, 1.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    assert VectorSpace(scheme="tf").fit_transform(halves).shape == (2, 2)
    with pytest.raises(ValueError, match="cannot be above"):
        VectorSpace().fit(sparse.csr_array([[1e300]]))
