import pytest
from tests.adversary import requests

pytest.importorskip("uvicorn")


def test_answers_are_checked():
    sentence = b'{"error": "no."}'
    whole = b"HTTP/1.1 422 Unprocessable\r\nContent-Length: %d\r\n\r\n%b" % (len(sentence), sentence)
    assert requests.first_answer(whole * 2) == (422, sentence, whole)
    assert requests.first_answer(whole[:-1]) is requests.first_answer(whole[:20]) is None
    for wrong in (whole.replace(b"422", b"500"), whole.replace(b"error", b"wrong"), b"nonsense"):
        with pytest.raises(AssertionError):
            requests.first_answer(wrong)


@pytest.mark.slow
def test_hostile_requests_are_answered():
    statuses, wrong = requests.send_for(0, 6)
    assert wrong == []
    assert {200, 400, 413, 422} <= set(statuses)
