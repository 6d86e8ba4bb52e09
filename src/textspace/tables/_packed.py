"""Files packed with gzip, unpacked as they are read, and no further than is likely to be honest."""

import gzip
import os
import zlib

# Text is seldom packed to less than a hundredth. A small file may be, and does no harm.
MOST_TIMES = 200
SLACK = 1 << 24


def refuse_bomb(name, n_bytes, size):
    """Raise a ValueError if a file of a size unpacks to too many bytes."""
    if n_bytes > MOST_TIMES * size + SLACK:
        raise ValueError(
            f"{name} is refused: it unpacks to more than {MOST_TIMES} times its size. If it is sound, unpack "
            "it yourself"
        )


class Unpacked:
    """The bytes of a gzip file; `tell` gives the position in the packed file."""

    def __init__(self, file, name):
        self._file, self._name, self._n_bytes = file, name, 0
        self._size = os.fstat(file.fileno()).st_size
        self._unpacked = gzip.GzipFile(fileobj=file)

    def read1(self, size):
        """Give at most so many bytes; none at the end."""
        try:
            piece = self._unpacked.read1(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(f"{self._name} is damaged or no gzip file ({error}): pack it again") from error
        self._n_bytes += len(piece)
        refuse_bomb(self._name, self._n_bytes, self._size)
        return piece

    read = read1

    def seek(self, position):
        """Go back to the start, the only position there is."""
        self._unpacked.seek(position)
        self._n_bytes = 0

    def tell(self):
        """Give how much of the packed file has been read, in bytes."""
        return self._file.tell()
