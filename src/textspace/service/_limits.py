"""How much one client may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a service takes before it refuses, with a sentence that names the limit.

    Attributes
    ----------
    body_bytes : int, default=8_000_000
        Size of a request's body.
    texts : int, default=1000
        Texts in one call.
    characters : int, default=200_000
        Length of one text.
    seconds : float, default=20.0
        Time for a call to arrive, and then for the work and the answer.
    calls : int, default=64
        Calls at work or waiting at the same time.

    Examples
    --------
    >>> from textspace.service import Limits
    >>> Limits(texts=50).texts
    50
    """

    body_bytes: int = 8_000_000
    texts: int = 1000
    characters: int = 200_000
    seconds: float = 20.0
    calls: int = 64
