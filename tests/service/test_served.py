import os
import time

import pytest
from fastapi.testclient import TestClient
from tests.signing_keys import write_keys

from textspace.models import ModelFileError, TextClassifier, save
from textspace.service import _served, create_app

pytestmark = pytest.mark.slow  # they wait for looks at a file


@pytest.fixture(scope="module")
def other():
    """A model with another class."""
    return TextClassifier("nb").fit(
        ["corn", "wheat", "sea", "port"], ["grain", "grain", "harbour", "harbour"]
    )


@pytest.fixture
def quick_looks(monkeypatch):
    monkeypatch.setattr(_served, "_SECONDS_BETWEEN_LOOKS", 0.02)


def wait_for(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def classes(client):
    return client.get("/model").json()["classes"]


def test_changed_file_is_served_and_a_damaged_one_is_not(model, other, tmp_path, quick_looks, caplog):
    path = tmp_path / "model.textspace"
    save(model, path)
    with TestClient(create_app(path)) as client:
        assert "ship" in classes(client)
        save(other, path)
        wait_for(lambda: classes(client) == ["grain", "harbour"])
        assert client.get("/ready").json()["problem"] == ""
        whole = path.read_bytes()
        path.write_bytes(whole[:-100])
        wait_for(lambda: client.get("/ready").json()["problem"])
        ready = client.get("/ready")
        assert ready.status_code == 200
        assert str(tmp_path) not in ready.text
        assert str(path) in caplog.text
        assert client.post("/predict", json={"text": "corn"}).json()["predictions"][0]["label"] == "grain"
        path.unlink()
        time.sleep(0.2)
        assert classes(client) == ["grain", "harbour"]
        save(model, path)
        wait_for(lambda: "ship" in classes(client))
        assert client.get("/ready").json()["problem"] == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among its files")
def test_a_pipe_in_place_of_the_file_is_not_waited_for(model, other, tmp_path, quick_looks):
    path, pipe = tmp_path / "model.textspace", tmp_path / "pipe"
    save(model, path)
    os.mkfifo(pipe)
    with TestClient(create_app(path)) as client:
        os.replace(pipe, path)
        wait_for(lambda: client.get("/ready").json()["problem"])
        path.unlink()
        save(other, path)
        wait_for(lambda: classes(client) == ["grain", "harbour"])


def test_file_that_is_not_signed_takes_no_place(model, other, tmp_path, quick_looks, caplog):
    path, (private, public) = tmp_path / "model.textspace", write_keys(tmp_path)
    save(model, path)
    with pytest.raises(ModelFileError, match="not signed"):
        create_app(path, verify=public)
    save(model, path, sign=private)
    with TestClient(create_app(path, verify=public)) as client:
        save(other, path)
        wait_for(lambda: client.get("/ready").json()["problem"])
        assert "it is not signed" in caplog.text
        assert "ship" in classes(client)
        save(other, path, sign=private)
        wait_for(lambda: classes(client) == ["grain", "harbour"])


def test_file_is_loaded_again_when_asked(other, tmp_path, quick_looks):
    path = tmp_path / "model.textspace"
    save(other, path)
    app = create_app(path)
    with TestClient(app):
        first = app.state.served.now
        time.sleep(0.2)
        assert app.state.served.now is first
        app.state.served.ask()
        wait_for(lambda: app.state.served.now is not first)


def test_no_call_fails_while_models_change(model, other, tmp_path, quick_looks):
    path = tmp_path / "model.textspace"
    save(model, path)
    app = create_app(path)
    seen = set()
    with TestClient(app) as client:
        end = time.monotonic() + 2
        turn = 0
        while time.monotonic() < end:
            if turn % 20 == 0:
                save((other, model)[turn // 20 % 2], path)
            answer = client.post("/predict", json={"texts": ["corn at sea"] * 100, "top": 3})
            assert answer.status_code == 200
            # all of one call by one model
            sizes = {len(each["probabilities"]) for each in answer.json()["predictions"]}
            assert len(sizes) == 1
            seen |= sizes
            turn += 1
    assert seen == {2, 3}
