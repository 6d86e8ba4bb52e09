"""How much one client may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a service takes before it refuses, with a sentence that names the limit.

    Each process of a service counts on its own.

    Attributes
    ----------
    body_bytes : int, default=4_000_000
        Size of a request's body.
    answer_bytes : int, default=8_000_000
        Size of an answer.
    texts : int, default=1000
        Texts in one call.
    characters : int, default=200_000
        Length of one text.
    explained_characters : int, default=30_000
        Length of a text that is to be explained, which takes a hundred times as long as to classify it.
    seconds : float, default=20.0
        Time for a body to arrive, then for the work, and then for the answer to be taken.
    head_seconds : float, default=10.0
        Time for the head of a request to arrive, counted from the answer before it.
    calls : int, default=64
        Calls at work or waiting at the same time.
    connections : int, default=512
        Open connections. A new one takes the place of the one that has been idle longest.
    client_connections : int, default=48
        Open connections of one client.
    client_rate : float, default=300.0
        Requests of one client in a second, on average over two; 0 for any number.
    correction_bytes : int, default=500_000
        Size of one correction, as a line of the file.
    corrections_bytes : int, default=100_000_000
        Size of the file of corrections.

    Examples
    --------
    >>> from textspace.service import Limits
    >>> Limits(texts=50).texts
    50
    """

    body_bytes: int = 4_000_000
    answer_bytes: int = 8_000_000
    texts: int = 1000
    characters: int = 200_000
    explained_characters: int = 30_000
    seconds: float = 20.0
    head_seconds: float = 10.0
    calls: int = 64
    connections: int = 512
    client_connections: int = 48
    client_rate: float = 300.0
    correction_bytes: int = 500_000
    corrections_bytes: int = 100_000_000
