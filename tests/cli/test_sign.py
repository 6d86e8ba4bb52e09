"""The options --sign and --verify, of every verb that writes or opens a model."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")
VERBS = {
    "predict": ["predict", "MODEL", "mails.csv", "--text", "body", "-o", "labelled.csv"],
    "evaluate": ["evaluate", "MODEL", "mails.csv"],
    "explain": ["explain", "MODEL", "corn and wheat"],
    "report": ["report", "MODEL", "-o", "page.html"],
}


@pytest.fixture
def keys(tmp_path):
    """A private and a public key, by the commands of the documentation."""
    private, public = tmp_path / "private.pem", tmp_path / "public.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private, public


def test_what_train_signs_every_verb_verifies(run, mails, keys, trained):
    private, public = keys
    options = ["--method", "nb", "-o", "signed.textspace"]
    assert run("train", mails, *options, "--sign", private).code == 0
    for words in VERBS.values():
        words = [*words, "--verify", public]
        signed = run(*("signed.textspace" if word == "MODEL" else word for word in words))
        assert signed.code == 0, signed.err
        refused = run(*(trained if word == "MODEL" else word for word in words))
        assert refused.code == 1
        assert refused.err.splitlines()[-1].startswith(f"error: {trained} was not opened: it is not signed.")
    refused = run("serve", trained, "--port", 0, "--verify", public)
    assert refused.code == 1
    assert "it is not signed" in refused.err


def test_a_bad_key_is_found_out_before_the_training(run, keys, tmp_path):
    outcome = run("train", "absent.csv", "--sign", keys[1])
    assert outcome.code == 1
    assert f"error: {keys[1]} holds no ed25519 private key" in outcome.err
    outcome = run("train", "absent.csv", "--sign", tmp_path / "absent.pem")
    assert outcome.code == 1
    assert outcome.err.startswith(
        f"error: there is no key file {tmp_path / 'absent.pem'}: make one with `openssl"
    )


def test_results_cannot_be_verified(run, keys, tmp_path):
    (tmp_path / "results.json").write_text("{}")
    outcome = run("report", "results.json", "--verify", keys[1])
    assert outcome.code == 2
    assert "--verify is for the report of a model" in outcome.err
