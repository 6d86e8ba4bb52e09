import pytest

from textspace.evaluation._running import run_methods
from textspace.methods import METHODS


@pytest.mark.parametrize(("cause", "seen"), [(KeyboardInterrupt(), KeyboardInterrupt), (None, SystemError)])
def test_ctrl_c_in_compiled_code_is_ctrl_c(cause, seen):
    def documents_of(repeat, method):
        raise SystemError("returned a result with an exception set") from cause

    with pytest.raises(seen):
        run_methods([METHODS["nb"]], 1, documents_of, {}, n_jobs=1)
