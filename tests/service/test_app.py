import asyncio
import json
import re
import time
from pathlib import Path

import httpx2
import numpy as np
import pytest
from fastapi.testclient import TestClient

import textspace.service
from textspace.datasets import read
from textspace.models import TextClassifier
from textspace.service import Limits, create_app

JSON = {"Content-Type": "application/json"}
NASTY = '<img src=x onerror="alert(1)"> corn \x00\x1b[31m\x7f \u202e\u2028 </script> wheat'


@pytest.fixture(scope="module")
def limits():
    return Limits(body_bytes=100_000, texts=100, characters=5000)


@pytest.fixture(scope="module")
def client(model, limits):
    return TestClient(create_app(model, limits=limits))


def error(response):
    """The sentence of a refusal, which must be all that there is."""
    assert list(response.json()) == ["error"]
    sentence = response.json()["error"]
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    return sentence


def test_predictions_are_those_of_the_model(client, model):
    texts = ["the corn harvest", "a tanker at sea", "coffee and corn"] * 25  # more than one batch
    answer = client.post("/predict", json={"texts": texts, "top": 2}).json()
    probabilities = model.predict_proba(texts)
    assert [each["label"] for each in answer["predictions"]] == model.predict(texts).tolist()
    for prediction, row in zip(answer["predictions"], probabilities, strict=True):
        listed = prediction["probabilities"]
        assert [each["probability"] for each in listed] == pytest.approx(np.sort(row)[::-1][:2])
        assert listed[0]["label"] == prediction["label"] == model.classes_[row.argmax()]


def test_one_text_is_a_list_of_one(client):
    one = client.post("/predict", json={"text": "corn"}).json()
    assert one == client.post("/predict", json={"texts": ["corn"]}).json()
    assert one["predictions"][0]["path"] == ["farm", "grain"]


def test_doubt_steps_back_in_the_tree(client, model):
    texts = ["coffee corn", "corn ship", "wheat barley corn harvest"]
    for confidence in (0.0, 0.7, 0.95, 1.0):
        answer = client.post("/predict", json={"texts": texts, "min_confidence": confidence}).json()
        expected = model.predict(texts, min_confidence=confidence).tolist()
        assert [each["label"] for each in answer["predictions"]] == expected
        for each in answer["predictions"]:
            assert each["path"][-1:] == ([each["label"]] if each["label"] else [])


def test_explanation_is_that_of_the_model(client, model):
    text = "Corn and coffee at sea"
    answer = client.post("/explain", json={"text": text, "label": "ship", "n_terms": 3, "n_neighbors": 2})
    assert answer.json() == json.loads(json.dumps(model.explain(text, "ship", 3, 2).to_dict()))
    assert answer.json()["label"] == "ship"
    why = client.post("/explain", json={"text": text}).json()
    total = sum(term["contribution"] for term in why["terms"]) + why["constant"] + why["rest"]
    assert total == pytest.approx(why["score"], abs=1e-6)


def test_model_tells_what_a_page_needs(client, limits):
    answer = client.get("/model").json()
    assert answer["classes"] == ["coffee", "grain", "ship"]
    assert answer["paths"] == {"coffee": ["farm", "coffee"], "grain": ["farm", "grain"], "ship": ["ship"]}
    assert answer["limits"]["texts"] == limits.texts
    assert answer["corrections"] is False


def test_probes_tell_life_from_readiness(model):
    client = TestClient(create_app(model, token="s3cret", limits=Limits(calls=0)))
    assert client.get("/live").json() == {"status": "ok"}
    busy = client.get("/ready")
    assert busy.status_code == 503
    assert busy.json()["status"] == "busy"
    ready = TestClient(create_app(model)).get("/ready")
    assert ready.status_code == 200
    assert ready.json()["status"] == "ready"
    assert ready.json()["problem"] == ""


def test_metrics_count_requests_and_texts(model):
    client = TestClient(create_app(model))
    client.post("/predict", json={"texts": ["corn", "sea"]})
    client.post("/predict", json={"text": ""})
    client.get("/no/such/page")
    figures = client.get("/metrics").text
    assert 'textspace_requests_total{route="/predict",status="200"} 1\n' in figures
    assert 'textspace_requests_total{route="/predict",status="422"} 1\n' in figures
    assert 'textspace_requests_total{route="other",status="404"} 1\n' in figures
    assert "textspace_texts_total 2\n" in figures


BODIES = {
    "no JSON": ("/predict", b'{"text": "corn"', 400, "no JSON"),
    "no UTF-8": ("/predict", b'{"text": "\xff\xfe"}', 400, ""),
    "nothing": ("/predict", b"", 400, "no JSON"),
    "a list": ("/predict", b'["corn"]', 422, "object"),
    "deep": ("/predict", b"[" * 1000, 400, "no JSON"),
    "much nesting": ("/predict", b"[" * 50_000, 413, "signs"),
    "many numbers": ("/predict", b'{"texts": [' + b"1," * 30_000 + b"1]}", 413, "signs"),
    "many keys": ("/predict", b"{" + b'"a": 1, ' * 5000 + b'"b": 1}', 413, "signs"),
    "long number": ("/predict", b'{"text": "corn", "top": ' + b"9" * 6000 + b"}", 413, "signs"),
    "large number": ("/predict", b'{"text": "corn", "top": ' + b"9" * 1000 + b"}", 200, ""),
    "endless number": ("/predict", b'{"text": "corn", "min_confidence": 1e999}', 422, "min_confidence"),
    "neither": ("/predict", b"{}", 422, "either"),
    "both": ("/predict", b'{"text": "corn", "texts": ["sea"]}', 422, "either"),
    "number": ("/predict", b'{"text": 5}', 422, "text"),
    "null among texts": ("/predict", b'{"texts": ["corn", null]}', 422, "texts[1]"),
    "text for texts": ("/predict", b'{"texts": "corn"}', 422, "texts"),
    "no texts": ("/predict", b'{"texts": []}', 422, "empty"),
    "empty": ("/predict", b'{"text": " \\n "}', 422, "empty"),
    "empty texts": ("/predict", b'{"texts": ["", " "]}', 422, "texts[0]"),
    "half a pair": ("/predict", b'{"text": "\\ud83d corn"}', 400, "surrogate"),
    "half a pair as label": ("/explain", b'{"text": "corn", "label": "\\ud83d"}', 400, "surrogate"),
    "half a pair as name": ("/predict", b'{"text": "corn", "\\udc00": 1}', 400, "surrogate"),
    "unknown field": ("/predict", b'{"txt": "corn"}', 422, "'txt'"),
    "top 0": ("/predict", b'{"text": "corn", "top": 0}', 422, "top"),
    "top true": ("/predict", b'{"text": "corn", "top": true}', 422, "top"),
    "confidence": ("/predict", b'{"text": "corn", "min_confidence": 1.5}', 422, "min_confidence"),
    "NaN": ("/predict", b'{"text": "corn", "min_confidence": NaN}', 422, "min_confidence"),
    "too many": ("/predict", json.dumps({"texts": ["corn"] * 101}).encode(), 413, "100 texts"),
    "too long": ("/predict", json.dumps({"text": "corn " * 1001}).encode(), 413, "5000"),
    "too large": ("/predict", b'{"text": "' + b"corn" * 25_000 + b'"}', 413, "100000 bytes"),
    "no text": ("/explain", b'{"label": "ship"}', 422, "'text' is missing"),
    "unknown class": ("/explain", b'{"text": "corn", "label": "gold"}', 422, "'gold'"),
    "category": ("/explain", b'{"text": "corn", "label": "farm"}', 422, "'farm'"),
    "too many terms": ("/explain", b'{"text": "corn", "n_terms": 5000}', 422, "n_terms"),
}


@pytest.mark.parametrize("name", list(BODIES))
def test_bad_request_is_refused_with_a_sentence(client, name):
    path, body, status, words = BODIES[name]
    response = client.post(path, content=body, headers=JSON)
    assert response.status_code == status
    assert status == 200 or words in error(response)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/predict", 405),
        ("GET", "/static/../_app.py", 404),
        ("GET", "/static/" + "a/" * 30_000, 414),
        ("GET", "/model/", 404),
    ],
)
def test_wrong_address_is_refused_with_a_sentence(client, method, path, status):
    response = client.request(method, path)
    assert response.status_code == status
    error(response)


def test_only_json_is_taken(client):
    # a form of another site can send this type unasked
    response = client.post("/predict", content=b'{"text": "corn"}', headers={"Content-Type": "text/plain"})
    assert response.status_code == 415
    error(response)


def test_markup_and_control_characters_are_text_like_any_other(client, model):
    answer = client.post("/explain", json={"text": NASTY})
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["text"] == NASTY
    assert answer.json()["label"] == model.predict([NASTY])[0]


def test_text_without_known_words_has_an_answer(client):
    for text in ("zzz", "12345 !!!", "\x00", "漢字"):
        [prediction] = client.post("/predict", json={"text": text}).json()["predictions"]
        assert sum(each["probability"] for each in prediction["probabilities"]) == pytest.approx(1)
        assert client.post("/explain", json={"text": text}).json()["terms"] == []


def test_corrections_can_be_trained_on(model, tmp_path):
    path = tmp_path / "corrections.jsonl"
    client = TestClient(create_app(model, corrections=path))
    assert client.get("/model").json()["corrections"] is True
    for text, label in ((NASTY, "ship"), ("beans\r\nand more", "grain"), ("tanker", "ship")):
        response = client.post("/corrections", json={"text": text, "label": label})
        assert response.status_code == 201
        assert response.json() == {"label": label, "predicted": model.predict([text])[0], "new": False}
    corpus = read(path)
    assert corpus.texts == [NASTY, "beans\r\nand more", "tanker"]
    assert corpus.labels.tolist() == ["ship", "grain", "ship"]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [set(line) for line in lines] == [{"text", "label", "predicted", "time"}] * 3
    new = client.post("/corrections", json={"text": "a tanker of gas", "label": "energy"})
    assert new.status_code == 201
    assert new.json()["new"] is True
    assert read(path).labels[-1] == "energy"
    for label in ("", " ", "two\nlines", "x" * 201):
        refused = client.post("/corrections", json={"text": "tanker", "label": label})
        assert refused.status_code == 422
        assert "'label' must be a name" in error(refused)
    assert len(path.read_text().splitlines()) == 4


def test_correction_of_a_class_whose_name_is_half_a_pair_is_answered(tmp_path):
    """JSON lines may give such a name; no encoding has it."""
    texts, labels = ["corn", "wheat", "sea", "port"], ["\ud83d", "\ud83d", "b", "b"]
    client = TestClient(create_app(TextClassifier("nb").fit(texts, labels), corrections=tmp_path / "c.jsonl"))
    answer = client.post("/corrections", json={"text": "corn", "label": "b"})
    assert answer.status_code == 201
    assert json.loads(answer.content) == {"label": "b", "predicted": "\ud83d", "new": False}


def test_a_batch_with_bad_texts_answers_for_the_others_and_names_them(client):
    texts = ["corn", "", "ships at sea", "x" * 20_000, " "]
    response = client.post("/predict", json={"texts": texts})
    assert response.status_code == 200
    found = response.json()["predictions"]
    alone = client.post("/predict", json={"texts": [texts[0], texts[2]]}).json()["predictions"]
    assert [found[0], found[2]] == alone
    assert [each.get("error", "").split(":")[0] for each in found] == [
        "",
        "texts[1] is empty",
        "",
        "texts[3] has 20000 characters, more than 5000",
        "texts[4] is empty",
    ]
    assert all(each["label"] == "" and each["probabilities"] == [] for each in found if "error" in each)


def test_correction_that_cannot_be_written_is_refused_in_a_sentence(model, tmp_path, caplog):
    path = tmp_path / "corrections.jsonl"
    client = TestClient(create_app(model, corrections=path))
    path.unlink()
    path.mkdir()
    refused = client.post("/corrections", json={"text": "tanker", "label": "ship"})
    assert refused.status_code == 503
    assert "not saved" in error(refused)
    path.rmdir()
    assert client.post("/corrections", json={"text": "tanker", "label": "ship"}).status_code == 201
    assert "Traceback" not in caplog.text  # a full disk is not filled by its log


def test_answer_of_a_busy_service_is_described(model):
    client = TestClient(create_app(model, limits=Limits(calls=0)))
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["status"]) == (503, "busy")
    description = client.get("/openapi.json").json()
    said = description["paths"]["/ready"]["get"]["responses"]["503"]["content"]["application/json"]["schema"]
    described = description["components"]["schemas"][said["$ref"].split("/")[-1]]
    assert answer.json().keys() == described["properties"].keys()


def test_corrections_without_a_file_are_refused(client):
    response = client.post("/corrections", json={"text": "corn", "label": "grain"})
    assert response.status_code == 403
    assert "--corrections" in error(response)


def test_token_guards_all_that_tells_of_the_model(model):
    client = TestClient(create_app(model, token="s3cret"))
    routes = [("GET", "/model"), ("GET", "/metrics"), ("POST", "/predict"), ("POST", "/explain")]
    for method, path in [*routes, ("POST", "/corrections"), ("GET", "/nothing")]:
        for given in (None, "Bearer", "Bearer wrong", "Bearer s3cret2", "Basic s3cret", "Bearer \xfc"):
            headers = {} if given is None else {"Authorization": given.encode("latin-1")}
            response = client.request(method, path, headers=headers)
            assert response.status_code == 401
            assert response.headers["WWW-Authenticate"] == "Bearer"
            error(response)
    for path in ("/", "/docs", "/openapi.json", "/live", "/ready", "/static/page.js"):
        assert client.get(path).status_code == 200
    allowed = client.post("/predict", json={"text": "corn"}, headers={"Authorization": "bearer s3cret"})
    assert allowed.status_code == 200
    assert "HTTPBearer" in client.get("/openapi.json").text


@pytest.mark.parametrize("token", ["", "two words", "schlüssel", "line\n"])
def test_token_that_fits_in_no_header_is_refused(model, token):
    with pytest.raises(ValueError, match="token"):
        create_app(model, token=token)


def test_names_of_other_sites_are_refused(model):
    client = TestClient(create_app(model, hosts=("localhost", "127.0.0.1", "::1")))
    for host, status in [
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("LOCALHOST:", 200),
        ("evil.example", 421),
        ("[::1]evil.example", 421),
        ("[::1]:80.evil.example", 421),
        ("localhost:80.evil.example", 421),
        ("evil.example@localhost", 421),
        ("localhost@evil.example", 421),
        ("[localhost]", 421),
        ("", 421),
    ]:
        assert client.get("/model", headers={"Host": host}).status_code == status


def test_failure_shows_nothing_of_the_inside(model):
    class Broken(TextClassifier):
        def predict_proba(self, texts):
            if "corn" in texts:
                raise RuntimeError("inner matter")
            return super().predict_proba(texts)

    broken = Broken()
    broken.__dict__.update(model.__dict__)
    response = TestClient(create_app(broken)).post("/predict", json={"text": "corn"})
    assert response.status_code == 500
    assert "inner" not in response.text
    assert "log" in error(response)
    assert "content-security-policy" in response.headers


def slow_copy(model, seconds):
    class Slow(TextClassifier):
        def predict_proba(self, texts):
            slow.n_batches += 1
            time.sleep(seconds)
            return super().predict_proba(texts)

    slow = Slow()
    slow.__dict__.update(model.__dict__)
    slow.n_batches = 0
    return slow


def test_long_work_is_given_up(model):
    slow = slow_copy(model, 0.1)
    client = TestClient(create_app(slow, limits=Limits(seconds=0.8)))
    assert client.post("/predict", json={"text": "corn"}).status_code == 200
    response = client.post("/predict", json={"texts": ["corn"] * 900})
    assert response.status_code == 503
    assert "0.8 s" in error(response)
    assert slow.n_batches < 20  # of 29


def test_calls_beyond_the_limit_are_refused(model):
    async def ask():
        transport = httpx2.ASGITransport(create_app(slow_copy(model, 0.2), limits=Limits(calls=2)))
        async with httpx2.AsyncClient(transport=transport, base_url="http://service") as client:
            calls = [client.post("/predict", json={"text": "corn"}) for _ in range(4)]
            first = await asyncio.gather(*calls)
            return first, await client.post("/predict", json={"text": "corn"})

    first, later = asyncio.run(ask())
    assert sorted(response.status_code for response in first) == [200, 200, 503, 503]
    refused = next(response for response in first if response.status_code == 503)
    assert refused.headers["Retry-After"] == "1"
    assert "try again" in error(refused)
    assert later.status_code == 200


def test_requests_of_one_client_are_counted(model):
    client = TestClient(create_app(model, limits=Limits(client_rate=5.0)))
    answers = [client.get("/docs") for _ in range(30)]
    assert [answer.status_code for answer in answers[:10]] == [200] * 10
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert int(refused.headers["Retry-After"]) >= 1
    assert "5 requests a second" in error(refused)
    assert client.get("/live").status_code == client.get("/ready").status_code == 200
    other = TestClient(create_app(model, limits=Limits(client_rate=0)))
    assert {other.get("/docs").status_code for _ in range(30)} == {200}


def test_answer_is_refused_before_the_work_if_it_could_be_too_long(model):
    client = TestClient(create_app(model, limits=Limits(answer_bytes=20_000)))
    few = client.post("/predict", json={"texts": ["corn"] * 50, "top": 10**9})
    assert few.status_code == 200
    assert len(few.content) < 20_000
    many = client.post("/predict", json={"texts": ["corn"] * 500, "top": 10**9})
    assert many.status_code == 413
    assert "'top'" in error(many)
    long = client.post("/explain", json={"text": "corn " * 4000})
    assert long.status_code == 413
    assert "20000" in error(long)


def test_correction_that_is_too_long_or_too_much_is_refused(model, tmp_path):
    path = tmp_path / "corrections.jsonl"
    limits = Limits(correction_bytes=1000, corrections_bytes=2000)
    client = TestClient(create_app(model, corrections=path, limits=limits))
    long = client.post("/corrections", json={"text": "corn " * 300, "label": "grain"})
    assert long.status_code == 413
    assert "shorten" in error(long)
    answers = [client.post("/corrections", json={"text": "corn " * 100, "label": "grain"}) for _ in range(5)]
    saved = sum(answer.status_code == 201 for answer in answers)
    assert 0 < saved == len(path.read_text().splitlines()) < 5
    assert "full" in error(answers[-1])
    assert path.stat().st_size <= 2000


def test_every_answer_forbids_content_from_elsewhere(client):
    answers = [
        client.get(path) for path in ("/", "/docs", "/static/page.js", "/model", "/nothing", "/metrics")
    ]
    for response in [*answers, client.post("/predict", content=b"{", headers=JSON)]:
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_page_asks_nothing_of_other_sites():
    files = sorted((Path(textspace.service.__file__).parent / "static").iterdir())
    assert [file.name for file in files] == [
        "docs.html",
        "docs.js",
        "files.js",
        "icon.svg",
        "page.html",
        "page.js",
        "style.css",
        "table.js",
        "workbook.js",
    ]
    for file in files:
        text = file.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(
            r"https?://(?!schemas\.openxmlformats\.org/)|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(",
            text,
        )


def test_description_names_every_route(client):
    description = client.get("/openapi.json").json()
    assert sorted(description["paths"]) == [
        "/corrections",
        "/explain",
        "/live",
        "/metrics",
        "/model",
        "/predict",
        "/ready",
    ]
    for methods in description["paths"].values():
        for route in methods.values():
            assert route["description"]
            assert "4XX" in route["responses"]
    schemas = description["components"]["schemas"]
    for name in (
        "Prediction",
        "ExplainAnswer",
        "ModelAnswer",
    ):
        for field in schemas[name]["properties"].values():
            assert field["description"]
    for path in ("/predict", "/explain", "/corrections"):
        body = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert all(field["description"] for field in body["properties"].values())


def test_answers_are_as_described(client):
    from textspace.service import _schemas as schemas

    predict = client.post("/predict", json={"text": "corn at sea"}).json()
    explain = client.post("/explain", json={"text": "corn at sea"}).json()
    for kind, answer in [
        (schemas.PredictAnswer, predict),
        (schemas.ExplainAnswer, explain),
        (schemas.ModelAnswer, client.get("/model").json()),
        (schemas.Live, client.get("/live").json()),
        (schemas.Ready, client.get("/ready").json()),
    ]:
        assert set(kind.model_validate(answer).model_dump()) == set(answer)
