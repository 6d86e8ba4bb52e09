import pytest
from tests.adversary.estimators import trial

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(4))
def test_containers_shapes_and_labels_that_are_drawn(seed):
    for number in range(100):
        trial(seed, number)
