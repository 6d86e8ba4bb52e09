import json
import re
import signal
import socket
import urllib.request

import pytest

pytest.importorskip("uvicorn")


def test_a_model_is_served_until_ctrl_c(start, trained):
    process = start("serve", trained, "--port", "0")
    address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
    body = json.dumps({"text": "corn and wheat"}).encode()
    request = urllib.request.Request(f"{address}/predict", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert "grain" in answer.read().decode()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode in (0, 130)
    assert "Traceback" not in out + err


def test_a_port_in_use_and_a_missing_model(run, trained):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = run("serve", trained, "--port", taken.getsockname()[1])
    assert outcome.code == 1
    assert "is in use: choose another one with --port" in outcome.err
    outcome = run("serve", "absent.textspace")
    assert outcome.code == 1
    assert "there is no model file absent.textspace" in outcome.err
