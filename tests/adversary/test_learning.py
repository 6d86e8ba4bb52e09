import pytest
from tests.adversary.learning import trial

pytestmark = pytest.mark.slow


def test_few_texts_of_few_words_are_learned_or_refused():
    for number in range(20):
        trial(0, number)
