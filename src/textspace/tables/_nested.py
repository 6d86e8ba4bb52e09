"""Objects within the rows of JSON, as columns: ``{"ticket": {"text": ...}}`` as "ticket.text"."""

BETWEEN = "."
DEEPEST = 5  # objects within objects; what lies deeper stays as it is


def flattened(rows, apart=None):
    """Give rows whose objects are taken apart, and the names that came of them.

    A column that also has other values is left as it is, and so is a row that would lose a value, as a name
    is there already. `apart` says by the name of a column what was decided in the rows before, which holds
    for those to come: it is a dict, to which the columns of these rows are added.

    >>> flattened([{"id": 7, "ticket": {"subject": "Corn", "from": {"name": "Bo"}}}])[0]
    [{'id': 7, 'ticket.subject': 'Corn', 'ticket.from.name': 'Bo'}]
    """
    apart = {} if apart is None else apart
    kinds = {
        (name, isinstance(value, dict)) for row in rows for name, value in row.items() if value is not None
    }
    objects = {name for name, is_object in kinds if is_object}
    others = {name for name, is_object in kinds if not is_object}
    for name in objects | others:
        apart.setdefault(name, name not in others)
    objects = {name for name in objects if apart[name]}
    if not objects:
        return rows, frozenset()
    flat, made = [], set()
    for row in rows:
        pairs = [pair for name, value in row.items() for pair in _pairs(name, value, objects)]
        whole = {BETWEEN.join(path): value for path, value in pairs}
        if len(whole) < len(pairs):
            flat.append(row)
            continue
        flat.append(whole)
        made.update(BETWEEN.join(path) for path, _ in pairs if len(path) > 1)
    return flat, frozenset(made)


def _pairs(name, value, objects):
    if name not in objects or value is None:
        return [((name,), value)]
    return list(_parts(value, (name,), DEEPEST))


def _parts(value, path, depth):
    if not (isinstance(value, dict) and value and depth):
        yield path, value
        return
    for name, inner in value.items():
        yield from _parts(inner, (*path, name), depth - 1)


def put_back(row, made):
    """Put values of a row into objects again, those whose names were made by `flattened`; none for None.

    >>> put_back({"id": 7, "ticket.subject": "Corn", "label": "grain"}, {"ticket.subject"})
    {'id': 7, 'ticket': {'subject': 'Corn'}, 'label': 'grain'}
    """
    if not made:
        return row
    whole = {}
    for name, value in row.items():
        if name not in made:
            whole[name] = value
        elif value is not None:
            *path, last = name.split(BETWEEN)
            place = whole
            for part in path:
                place = place.setdefault(part, {})
            place[last] = value
    return whole
