"""Forge input at random, for as long as one likes.

``python -m tests.adversary [NAME] --seconds 3600 --seed 7``. Each module beside this one that has a function
``run(seed, seconds)`` is a regime under its name. It prints what it finds and gives the number of findings,
or raises the first of them; without a name all regimes run one after the other.
"""

import argparse
import importlib
import sys
from pathlib import Path

parser = argparse.ArgumentParser(prog="python -m tests.adversary")
parser.add_argument("name", nargs="?", help="a module of tests/adversary; all by default")
parser.add_argument("--seconds", type=float, default=600, help="how long each of them runs")
parser.add_argument("--seed", type=int, default=0)
arguments = parser.parse_args()

files = Path(__file__).parent.glob("*.py")
names = sorted(path.stem for path in files if not path.stem.startswith(("_", "test_", "conftest")))
if arguments.name is not None and arguments.name not in names:
    parser.error(f"there is no {arguments.name}: choose among {', '.join(names)}.")
found = 0
for name in [arguments.name] if arguments.name else names:
    module = importlib.import_module(f"tests.adversary.{name}")
    if not hasattr(module, "run"):
        continue
    print(f"{name}, seed {arguments.seed}")
    try:
        found += module.run(arguments.seed, arguments.seconds)
    except AssertionError as error:
        print(error)
        found += 1
sys.exit(found > 0)
