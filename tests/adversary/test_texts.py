import pytest
from hypothesis import seed
from tests.adversary.texts import check_classifier, check_spaces, made

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("check", [check_spaces, check_classifier])
def test_any_text(check):
    seed(0)(made(check, 60))()
