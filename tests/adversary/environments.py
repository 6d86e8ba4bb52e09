"""Machines that are small, strange or full: verbs give what they give elsewhere, or say why not.

``run(seed, seconds)`` lets verbs train a model, label a table with it and evaluate it, in each environment of
`ENVIRONMENTS` and with one method after the other. What needs the rights of root is left out without them.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

METHODS = "nb", "auto", "lda", "knn"
MEMORY = 512 << 20
SMALL_FILE = 2000  # bytes
FUTURE = time.time() + 10 * 365 * 86400
ROWS = [
    (f"the {word} and the {other} naïve №{number}", label)
    for label, words in {"grain": "corn wheat crop", "ship": "port cargo tanker"}.items()
    for number in range(4)
    for word in words.split()
    for other in words.split()
]
CODE = """
import sys
from textspace.cli import main
for words in {verbs!r}:
    try:
        main(words)
    except SystemExit as end:
        if end.code:
            sys.exit(end.code)
"""
# the folder of the verbs stays as it is, or is a disk of its own; all else can only be read
READ_ONLY = 'mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro / && cd "$1"'
FULL = 'mount --make-rprivate / && mkdir -p "$1/full" && mount -t tmpfs -o size=4k full "$1/full" && cd "$1"'


@dataclass(frozen=True)
class Environment:
    """Where verbs run.

    `variables` are changed, removed if they are None; `limit` is called in the process, `prepare` with the
    folder before; `shell` is a command that root runs first, in a space of mounts of its own. An environment
    that `is_full` has room for no result, which is then to be said.
    """

    variables: dict = field(default_factory=dict)
    limit: Callable | None = None
    prepare: Callable = lambda folder: None
    shell: str = ""
    is_full: bool = False


def _damage_cache(folder):
    """Fill a folder of compiled code, and empty, cut or overwrite each of its files."""
    work("nb", folder, Environment({"TEXTSPACE_CACHE": str(folder / "cache")}))
    damages = (lambda content: b"", lambda content: content[:100], lambda content: b"x" * len(content))
    files = sorted((folder / "cache").iterdir())
    assert files, "no compiled code was kept"
    for number, path in enumerate(files):
        path.write_bytes(damages[number % 3](path.read_bytes()))


def _set_clock_back(folder):
    """Let the files be of a time to come, as if the clock had been set back since."""
    work("nb", folder, Environment())
    for path in folder.iterdir():
        os.utime(path, (FUTURE, FUTURE))


ENVIRONMENTS = {
    "512 MB of memory": Environment(
        limit=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
    ),
    "one core": Environment(limit=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})),
    "no UTF-8": Environment({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "Turkish": Environment({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
    "no home": Environment({"HOME": None, "USER": None, "LOGNAME": None, "XDG_CACHE_HOME": None}),
    "a home that is not there": Environment({"HOME": "/dev/null/home", "TEXTSPACE_CACHE": None}),
    "a damaged cache": Environment({"TEXTSPACE_CACHE": "cache"}, prepare=_damage_cache),
    "a clock that was set back": Environment(prepare=_set_clock_back),
    "a read-only system": Environment(shell=READ_ONLY),
    "a full disk": Environment(shell=FULL, is_full=True),
    "room for small files only": Environment(
        limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, SMALL_FILE)), is_full=True
    ),
}


def work(method, folder, environment):
    """Let the verbs train, predict and evaluate in a folder; give the process that has ended."""
    if not (folder / "mails.csv").exists():
        write_documents(folder)
    out = "full" if environment.shell == FULL else "."
    model = f"{out}/model.textspace"
    verbs = [
        ["train", "mails.csv", "--method", method, "-o", model],
        ["predict", model, "mails.csv", "--text", "text", "-o", f"{out}/labelled.csv"],
        ["evaluate", model, "mails.csv", "-o", f"{out}/evaluation.json"],
    ]
    command = [sys.executable, "-c", CODE.format(verbs=verbs)]
    if environment.shell:
        script = f'{environment.shell} && shift && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", script, "sh", str(folder), *command]
    variables = os.environ | environment.variables
    return subprocess.run(
        command, cwd=folder, capture_output=True, preexec_fn=environment.limit, timeout=900,
        env={name: value for name, value in variables.items() if value is not None},
    )  # fmt: skip


def write_documents(folder):
    """Put a table of texts with labels into a folder."""
    with open(folder / "mails.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *ROWS])


def check(name, method, expected):
    """Work in an environment and raise an AssertionError unless it is as `expected`, or full and said so."""
    environment = ENVIRONMENTS[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        environment.prepare(folder)
        ended = work(method, folder, environment)
        said = ended.stderr.decode("utf-8", "replace")
        where = f"{name}, method {method}: {said[-1500:]}"
        assert "Traceback" not in said, where
        assert said.count("compiled code is not kept") <= 1, where
        assert not list(folder.rglob(".*.part")), where
        if environment.is_full:
            assert ended.returncode == 1, where
            assert "model.textspace: make room there" in said, where
            assert not list(folder.rglob("model.textspace")), where
        else:
            assert ended.returncode == 0, where
            assert (folder / "labelled.csv").read_bytes() == expected, where


def ordinary(method):
    """Give what the verbs write where nothing is strange."""
    with tempfile.TemporaryDirectory() as place:
        ended = work(method, Path(place), Environment())
        assert ended.returncode == 0, ended.stderr.decode()
        return Path(place, "labelled.csv").read_bytes()


def can_mount():
    """Tell whether a process may have mounts of its own."""
    test = ["unshare", "-m", "mount", "--make-rprivate", "/"]
    try:
        return subprocess.run(test, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def run(seed, seconds):
    """Go through all environments with a method, then with the next, until the time is over."""
    end, n_tried, n_findings, mounts = time.monotonic() + seconds, 0, 0, can_mount()
    for number in range(seed, seed + 1_000_000):
        method = METHODS[number % len(METHODS)]
        expected = ordinary(method)
        for name, environment in ENVIRONMENTS.items():
            if time.monotonic() > end:
                print(f"environments: {n_tried} tried, {n_findings} findings")
                return n_tried, n_findings
            if environment.shell and not mounts:
                continue
            n_tried += 1
            try:
                check(name, method, expected)
            except AssertionError as error:
                print(error, flush=True)
                n_findings += 1
    return n_tried, n_findings
