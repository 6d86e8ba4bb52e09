"""Draw the rooms of the package and who imports whom, from the source itself.

Run it with ``python docs/figures/house.py``. The test of the house draws it again and compares.
"""

import ast
import re
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "textspace"
IMAGE = ROOT / "docs" / "images" / "house.svg"
DOTTED = re.compile(r"textspace(\.\w+)+")
WIDTH, HEIGHT, GAP, ROW = 212, 54, 26, 92  # of a box, between boxes, from row to row
# What each room is for, in the words of its own docstring's beginning or shorter.
PURPOSES = {
    "tables": "files of rows, in blocks",
    "text": "texts to arrays",
    "tree": "categories that nest",
    "neighbors": "nearest documents",
    "graphs": "who should be near whom",
    "solvers": "products to directions",
    "linear": "linear projections",
    "kernel": "kernel projections",
    "tensor": "tensor projections, machines",
    "selection": "scores and choice of terms",
    "tuning": "splits, held-out values, search",
    "classify": "classifiers of rows",
    "methods": "the catalogue",
    "datasets": "corpora, one's own files",
    "evaluation": "scores, tests, comparisons",
    "models": "classifiers of texts, files",
    "export": "models without Python",
    "report": "results as a page",
    "service": "a model over HTTP",
    "dask": "the same on a cluster",
    "mlflow": "models in MLflow",
    "cli": "the command line",
}


def modules():
    """Give for each module, by its dotted name, the names of textspace that it imports, sorted."""
    return {_name(path): sorted(set(_imports(path))) for path in sorted(SOURCE.rglob("*.py"))}


def room_of(module):
    """Give the room of a dotted name: ``"linear"`` of ``"textspace.linear._lsi"``."""
    return module.split(".")[1] if "." in module else ""


def rooms(imports):
    """Give for each room that is a package or the catalogue the set of such rooms that it imports."""
    names = {room_of(module) for module in imports} - {""}
    names = {name for name in names if not name.startswith("_")}
    found = {name: set() for name in names}
    for module, targets in imports.items():
        own = room_of(module)
        if own in names:
            found[own] |= {room_of(target) for target in targets} & names - {own}
    return found


def draw(graph):
    """Give the picture as SVG: a room stands above all that it imports, and lines lead down to them.

    A line is left out where a longer way leads down to the same room.
    """
    rows = _rows(graph, _levels(graph))
    widest = max(map(len, rows)) * (WIDTH + GAP) - GAP
    places = {}
    for level, row in enumerate(rows):
        left = (widest - len(row) * (WIDTH + GAP) + GAP) / 2
        top = (len(rows) - 1 - level) * ROW
        places |= {room: (left + place * (WIDTH + GAP), top) for place, room in enumerate(row)}
    lines = [
        _line(places[room], places[target])
        for room in sorted(graph)
        for target in sorted(graph[room])
        if not any(target in _below(other, graph) for other in graph[room] - {target})
    ]
    boxes = [_box(room, *places[room]) for row in rows for room in row]
    size = widest + 2, len(rows) * ROW - ROW + HEIGHT + 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {size[0]:g} {size[1]:g}" '
            'font-family="sans-serif" font-size="15" text-anchor="middle">',
            '<rect x="-1" y="-1" width="100%" height="100%" fill="white"/>',
            *lines,
            *boxes,
            "</svg>\n",
        ]
    )


def _name(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path):
    """Give what a file imports, anywhere in it, and dotted names in text, by which some is imported late."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "textspace":
            yield from (f"textspace.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("textspace."):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("textspace"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
            yield node.value


def _levels(graph):
    """Put each room as high as those that import it allow, and all above what they import."""
    heights = {room: len(_below(room, graph)) for room in graph}  # more lie below whoever imports
    levels, top = {}, len(graph)
    for room in sorted(graph, key=lambda room: (-heights[room], room)):
        levels[room] = min((levels[other] for other in levels if room in graph[other]), default=top) - 1
    lowest = min(levels.values())
    return {room: level - lowest for room, level in levels.items()}


def _below(room, graph):
    return set().union(graph[room], *(_below(target, graph) for target in graph[room]))


def _rows(graph, levels):
    """List the rooms of each level, the lowest first, each near the middle of those below that it imports."""
    rows = []
    for level in range(max(levels.values()) + 1):
        row = sorted(room for room in graph if levels[room] == level)
        places = {room: (place + 0.5) / len(below) for below in rows for place, room in enumerate(below)}
        middle = {room: [places[each] for each in graph[room] if each in places] or [0.5] for room in row}
        rows.append(sorted(row, key=lambda room: fmean(middle[room])))  # the same in any order of the set
    return rows


def _line(start, end):
    (x1, y1), (x2, y2) = (start[0] + WIDTH / 2, start[1] + HEIGHT), (end[0] + WIDTH / 2, end[1])
    bend = (y2 - y1) / 2
    return (
        f'<path d="M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}" '
        'fill="none" stroke="#9db4cf" stroke-width="1.5"/>'
    )


def _box(room, x, y):
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        'fill="#eef3f9" stroke="#1f5fa8"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 22:g}" font-weight="bold">{room}</text>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 42:g}" font-size="13" fill="#444444">{PURPOSES[room]}</text>'
    )


if __name__ == "__main__":
    IMAGE.write_text(draw(rooms(modules())), encoding="utf-8")
