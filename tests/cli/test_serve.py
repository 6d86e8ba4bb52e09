import socket

import pytest

pytest.importorskip("uvicorn")


def test_a_port_in_use_and_a_missing_model(run, trained):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = run("serve", trained, "--port", port)
    assert outcome.code == 1
    assert outcome.err == f"error: port {port} of 127.0.0.1 is in use: choose another one with --port.\n"
    outcome = run("serve", "absent.textspace")
    assert outcome.code == 1
    assert "there is no model file absent.textspace" in outcome.err
