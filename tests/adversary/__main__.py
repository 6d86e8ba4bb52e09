"""Forge input at random, for as long as one likes.

``python -m tests.adversary [NAME] --seconds 3600 --seed 7``. Each module beside this one that has a function
``run(seed, seconds)`` is a regime under its name. It prints what it finds and gives the numbers of trials and
of findings, or raises the first of them. Without a name all regimes run one after the other and share the
time; each of them runs in several processes, with seeds of their own. One that makes no trial, or is ended,
has failed.
"""

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

# Of the time; by these two hours on two quiet cores reach 100,000 model files and tables, 50,000 estimators
# and lists of texts, and 200 kills of each verb.
SHARES = {
    "environments": 0.04, "estimators": 0.2, "kills": 0.22, "learning": 0.03, "model_files": 0.22,
    "requests": 0.03, "tables": 0.11, "texts": 0.15,
}  # fmt: skip


def main():
    """Run regimes; exit with 1 if they find anything, make no trial or are ended."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if "def run(" in path.read_text())
    names.remove("__main__")
    parser = argparse.ArgumentParser(prog="python -m tests.adversary")
    parser.add_argument("name", nargs="?", choices=names, help="one of the regimes; all by default")
    parser.add_argument("--seconds", type=float, default=3600, help="how long, all together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes of each regime")
    options = parser.parse_args()
    if options.name is not None and options.jobs == 1:
        sys.exit(run_here(options.name, options.seed, options.seconds))
    codes = []
    for name in [options.name] if options.name else names:
        seconds = options.seconds * (1 if options.name else SHARES[name])
        print(f"{name}, {seconds:.0f} s, seed {options.seed}", flush=True)
        command = [sys.executable, "-m", "tests.adversary", name, "--jobs", "1", "--seconds", str(seconds)]
        seeds = [options.seed * options.jobs + job for job in range(options.jobs)]
        started = [subprocess.Popen([*command, "--seed", str(seed)]) for seed in seeds]
        for seed, process in zip(seeds, started, strict=True):
            codes.append(process.wait())
            if codes[-1]:
                print(f"{name}, seed {seed}: failed with exit code {codes[-1]}", flush=True)
    sys.exit(any(codes))


def run_here(name, seed, seconds):
    """Run a regime in this process; tell whether it found anything, or made no trial."""
    try:
        n_trials, n_findings = importlib.import_module(f"tests.adversary.{name}").run(seed, seconds)
    except AssertionError as error:
        print(error)
        return True
    if not n_trials:
        print(f"{name}, seed {seed}: no trial was made: give more --seconds")
    return n_findings > 0 or n_trials == 0


if __name__ == "__main__":
    main()
