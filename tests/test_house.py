"""The rooms of the house and the order in which they stand: nothing reaches up, and no door is private."""

import pytest
from docs.figures import house

# From the ground up: a room imports only what stands before it. Those of one line do not know each other.
FLOORS = [
    "_cards _exports _files _folders _folds _frames _json _label_sets _labels _parallel _parameters _rows "
    "_saving _tensor_shape _version _wording",
    "_kept_code _label_lists _validation",
    "_compiled _machines",
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
    "export",
    "report",
    "service",
    "dask",
    "mlflow",
    "cli",
    "__main__",
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}


@pytest.fixture(scope="module")
def modules():
    return house.modules()


def test_every_room_has_its_floor(modules):
    rooms = {house.room_of(module) for module in modules} - {""}
    assert rooms == set(FLOOR_OF)


def test_nothing_is_imported_from_above(modules):
    reaching_up = [
        (module, name)
        for module, names in modules.items()
        for name in names
        if module != "textspace"  # the front door, which opens late
        and house.room_of(name) != house.room_of(module)
        and FLOOR_OF[house.room_of(name)] >= FLOOR_OF[house.room_of(module)]
    ]
    assert not reaching_up


def test_private_modules_are_imported_within_their_room_only(modules):
    through_the_window = [
        (module, name)
        for module, names in modules.items()
        for name in names
        if house.room_of(name) != house.room_of(module)
        and any(part.startswith("_") for part in name.split(".")[2:])
    ]
    assert not through_the_window


def test_rooms_have_no_circle_inside(modules):
    """Nor do the modules of a room import each other in a circle."""
    done, path = set(), []

    def visit(module):
        if module in path:
            raise AssertionError(" imports ".join([*path[path.index(module) :], module]))
        if module in done:
            return
        path.append(module)
        for name in modules.get(module, ()):
            if name in modules and not name.endswith(
                f".{house.room_of(name)}"
            ):  # a package only gathers its names
                visit(name)
        path.pop()
        done.add(module)

    for module in modules:
        visit(module)


def test_the_picture_of_the_house_is_true(modules):
    drawn = house.draw(house.rooms(modules))
    assert house.IMAGE.read_text(encoding="utf-8") == drawn, "draw it again: python docs/figures/house.py"
