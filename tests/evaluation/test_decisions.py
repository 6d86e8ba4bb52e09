import numpy as np
import pytest
from scipy import sparse

from textspace.evaluation._decisions import as_decisions, binary_decisions


@pytest.mark.parametrize("container", [np.array, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize(("odd", "said"), [(2.0, "holds 2 "), (np.nan, "holds nan "), (-1.0, "holds -1 ")])
def test_an_indicator_is_yes_or_no(container, odd, said):
    Y = np.array([[1.0, 0.0], [0.0, 1.0]])
    kept = as_decisions(container(Y))
    assert kept.dtype == bool
    assert sparse.issparse(kept) == (container is not np.array)
    Y[1, 1] = odd
    with pytest.raises(ValueError, match=said):
        as_decisions(container(Y))


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_is_told_with_its_row(missing):
    with pytest.raises(ValueError, match="no label in row 1"):
        binary_decisions(["a", "a"], np.array(["a", missing], dtype=object))
