"""The rooms of the house and the order in which they stand: nothing reaches up, and no door is private."""

import ast
import re
from pathlib import Path

import textspace

SOURCE = Path(textspace.__file__).parent
# From the ground up: a room imports only what stands before it. Those of one line do not know each other.
FLOORS = [
    "_files _labels _parallel _parameters _saving _tensor_shape _validation _version",
    "tables",
    "text",
    "tree",
    "neighbors",
    "graphs",
    "solvers",
    "linear",
    "kernel",
    "tensor",
    "selection",
    "tuning",
    "classify",
    "methods",
    "datasets",
    "evaluation",
    "models",
    "report",
    "service",
    "dask",
    "cli",
    "__main__",
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}
DOTTED = re.compile(r"textspace(\.\w+)+")


def module_name(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path):
    """Give the modules of textspace that a file imports, anywhere in it, or names in text to import later."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            if node.module == "textspace":
                yield from (f"textspace.{alias.name}" for alias in node.names)
            elif node.module.startswith("textspace."):
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("textspace"))
        elif isinstance(node, ast.Constant) and id(node) not in documented and is_dotted(node.value):
            yield node.value


def is_dotted(value):
    return isinstance(value, str) and DOTTED.fullmatch(value)


MODULES = {module_name(path): sorted(set(imports_of(path))) for path in sorted(SOURCE.rglob("*.py"))}


def room_of(module):
    return module.split(".")[1] if "." in module else ""


def test_every_room_has_its_floor():
    rooms = {room_of(module) for module in MODULES} - {""}
    assert rooms == set(FLOOR_OF)


def test_nothing_is_imported_from_above():
    reaching_up = [
        (module, name)
        for module, names in MODULES.items()
        for name in names
        if module != "textspace"  # the front door, which opens late
        and room_of(name) != room_of(module)
        and FLOOR_OF[room_of(name)] >= FLOOR_OF[room_of(module)]
    ]
    assert not reaching_up


def test_private_modules_are_imported_within_their_room_only():
    through_the_window = [
        (module, name)
        for module, names in MODULES.items()
        for name in names
        if room_of(name) != room_of(module) and any(part.startswith("_") for part in name.split(".")[2:])
    ]
    assert not through_the_window


def test_rooms_have_no_circle_inside():
    """Nor do the modules of a room import each other in a circle."""
    done, path = set(), []

    def visit(module):
        if module in path:
            raise AssertionError(" imports ".join([*path[path.index(module) :], module]))
        if module in done:
            return
        path.append(module)
        for name in MODULES.get(module, ()):
            if name in MODULES and not name.endswith(f".{room_of(name)}"):  # a package only gathers its names
                visit(name)
        path.pop()
        done.add(module)

    for module in MODULES:
        visit(module)
