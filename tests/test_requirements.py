"""What ``make`` installs is what pyproject.toml asks for, by the versions of constraints.txt, with hashes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {"core": [], "test": ["test"]}  # file: the extras that it holds
RENEW = "renew it: make constraints"


def required(extras):
    """Give the requirements of the project with some extras, and what it is built by."""
    lines = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]
    for extra in extras:
        lines = lines + PROJECT["project"]["optional-dependencies"][extra]
    for each in map(Requirement, lines):
        if each.name == PROJECT["project"]["name"]:
            yield from required(each.extras)
        else:
            yield each


def locked(name):
    """Give the version and the number of hashes of each package of a file."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    found = {}
    for entry in text.replace("\\\n", " ").splitlines():
        package, version = re.match(r"([\w.-]+)==([\w.!+-]+)[ ;]", entry).groups()
        found[canonicalize_name(package)] = version, len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry))
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_all_that_is_asked_for_is_locked_with_hashes(name):
    packages = locked(name)
    for each in required(LOCKS[name]):
        version, _ = packages.get(canonicalize_name(each.name), ("0", 0))
        assert each.specifier.contains(version), f"requirements/{name}.txt lacks {each}: {RENEW}"
    assert all(n_hashes for _, n_hashes in packages.values())
    assert packages["numpy"][1] > 20  # wheels of every platform, not of one


@pytest.mark.parametrize("name", LOCKS)
def test_versions_are_those_of_the_constraints(name):
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    constraints = {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in lines}
    packages = locked(name)
    others = {each: found for each, (found, _) in packages.items() if found != constraints.get(each, found)}
    assert not others, RENEW
