"""Results as DataFrames of the library that the user has."""

from importlib import import_module

LIBRARIES = "pandas", "polars"


def make_frame(columns, library="pandas"):
    """Make a DataFrame.

    Parameters
    ----------
    columns : dict of str to list
        The columns by their names.
    library : {"pandas", "polars"}, default="pandas"
        Whose DataFrame it is.

    Returns
    -------
    DataFrame
        Of that library.

    Examples
    --------
    >>> make_frame({"class": ["grain"], "f1": [0.9]}, "polars").shape
    (1, 2)
    """
    if library not in LIBRARIES:
        raise ValueError(f"library is {library!r}: choose from {', '.join(LIBRARIES)}.")
    try:
        frames = import_module(library)
    except ImportError:
        raise ImportError(f"{library} is not installed: pip install {library}.") from None
    return frames.DataFrame(columns)
