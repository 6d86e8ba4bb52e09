"""The image: what it runs is a command of ours, by a user without rights."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from textspace.cli._main import app

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instructions(name):
    """Give what stands behind an instruction, line for line, continued lines joined."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def test_the_last_user_has_no_rights():
    assert instructions("USER") == ["textspace"]
    before = DOCKERFILE.split("USER textspace")[0]
    assert "useradd --system --uid 10001" in before
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert all(
        line in compose for line in ("read_only: true", "no-new-privileges:true", "- ALL", ":/model:ro")
    )


def test_what_it_runs_is_understood():
    words = [*json.loads(instructions("ENTRYPOINT")[0]), *json.loads(instructions("CMD")[0])]
    assert words[0] == "textspace"
    # up to the model, which is not there
    outcome = CliRunner().invoke(app, words[1:])
    assert isinstance(outcome.exception, FileNotFoundError), outcome.output


@pytest.mark.parametrize("verb", ["train", "explain"])
def test_commands_of_the_build_have_their_options(verb):
    [steps] = [step for step in instructions("RUN") if "textspace train" in step]
    [command] = [part for part in steps.split("&&") if f"textspace {verb} " in part]
    words = shlex.split(command.split(">")[0])
    assert words[:2] == ["textspace", verb]


def test_what_is_copied_is_there_and_not_ignored():
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for line in instructions("COPY"):
        for name in line.split()[:-1]:
            assert (ROOT / name).exists()
            assert f"!{name}" in kept
