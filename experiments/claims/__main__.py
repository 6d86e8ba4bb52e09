"""Write docs/claims.md from the results in ``results``."""

from pathlib import Path

from experiments.claims import page
from textspace._files import atomic_open

ROOT = Path(__file__).parents[2]

with atomic_open(ROOT / "docs" / "claims.md") as file:
    file.write(page(ROOT / "results"))
