"""The cheapest of the environments of ``tests/adversary/environments.py``."""

import sys

import pytest
from tests.adversary.environments import check, ordinary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the limits of Linux"),
]


@pytest.fixture(scope="module")
def expected():
    return ordinary("nb")


@pytest.mark.parametrize("name", ["512 MB of memory", "one core", "no UTF-8", "room for small files only"])
def test_verbs_work_there_or_say_why_not(name, expected):
    check(name, "nb", expected)
