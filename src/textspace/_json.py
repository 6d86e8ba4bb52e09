"""Objects of JSON of which nothing is lost."""


def whole_object(pairs):
    """Make an object of names and values, as an ``object_pairs_hook``; refuse a name that comes twice.

    Of such a name one value would be lost in silence.

    >>> whole_object([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} comes twice")
    return found
