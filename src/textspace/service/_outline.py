"""What of a JSON text stands outside its strings."""

_BLANKS = b" \t\r\n"


class Outline:
    r"""Counts the signs of a JSON text outside its strings, while it arrives in pieces.

    A text of few signs is parsed in little time, however long it is. One of four million numbers keeps a
    parser busy for a minute.

    >>> outline = Outline()
    >>> for piece in (b'{"text": "one, ', b'two \\', b'" and [three]"}'):
    ...     outline.add(piece)
    >>> outline.signs  # brackets, colon and four quotation marks
    7
    """

    def __init__(self):
        self.signs = 0
        self._inside = False
        self._begun = b""  # half of an escape

    def add(self, piece):
        """Count the signs of the next piece."""
        piece = self._begun + piece
        odd = (len(piece) - len(piece.rstrip(b"\\"))) % 2
        self._begun = piece[len(piece) - odd :]
        piece = piece[: len(piece) - odd].replace(b"\\\\", b"").replace(b'\\"', b"")
        parts = piece.split(b'"')
        outside = b"".join(parts[self._inside :: 2])
        self.signs += len(outside.translate(None, _BLANKS)) + len(parts) - 1
        self._inside ^= len(parts) % 2 == 0
