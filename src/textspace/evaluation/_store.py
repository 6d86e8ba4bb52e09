"""Finished runs on disk, so that work that was stopped can go on."""

import hashlib
import json
from pathlib import Path

import numpy as np
from scipy import sparse

from textspace._files import atomic_open
from textspace.evaluation._forms import read_json


class RunStore:
    """A folder with one file for each finished run, so that work that was stopped can go on.

    Parameters
    ----------
    folder : str or os.PathLike
        Made if it does not exist.
    belongs_to : dict of str to object
        What the runs depend on, by name, in values that JSON knows: a corpus, a protocol, a version. A folder
        that was used before must belong to the same; names that it does not know are added.
    check : callable, default=None
        Called with a run that was read, a dict; raises a ValueError if it is not whole. Such a file, of an
        earlier version say, counts as no run.
    work : str, default="comparison"
        What the runs are made for, as error messages say it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = RunStore(folder, {"corpus": "demo"})
    ...     store.save("svm-0", {"accuracy": 0.9})
    ...     RunStore(folder, {"corpus": "demo"}).load("svm-0")
    {'accuracy': 0.9}
    """

    def __init__(self, folder, belongs_to, *, check=None, work="comparison"):
        self.folder, self.check, self.work = Path(folder), check, work
        self._description = self.folder / "belongs_to.json"
        self._open(belongs_to)

    def _open(self, belongs_to):
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"{self.folder} is a file: resume needs the name of a folder.")
        known = {}
        if self._description.exists():
            known = _read(self._description)
            if not isinstance(known, dict):
                raise ValueError(f"{self._description} is damaged: name another folder to resume from.")
            self._compare(known, belongs_to)
        elif self.folder.exists() and any(self.folder.glob("[!.]*")):
            raise ValueError(
                f"the folder {self.folder} holds other files: name an empty or a new one to resume from."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write(self._description, known | belongs_to)

    def _compare(self, known, belongs_to):
        differing = [name for name, value in belongs_to.items() if known.get(name, value) != value]
        if differing:
            raise ValueError(
                f"the folder {self.folder} belongs to another {self.work} (other {', '.join(differing)}): "
                "run that one again unchanged, or name another folder to resume from, or delete this one."
            )

    def load(self, name):
        """Give a finished run.

        Parameters
        ----------
        name : str
            Name of the run.

        Returns
        -------
        dict or None
            None if there is none, or one that is damaged or lacks something.
        """
        run = _read(self._path(name))
        if not isinstance(run, dict):
            return None
        try:
            if self.check is not None:
                self.check(run)
        except ValueError:
            return None
        return run

    def save(self, name, run):
        """Write a run; after this call it survives the end of the process.

        Parameters
        ----------
        name : str
            Name of the run.
        run : dict
            What JSON knows.
        """
        self._write(self._path(name), run)

    def _path(self, name):
        return self.folder / f"{name}.json"

    def _write(self, path, content):
        try:
            with atomic_open(path) as file:
                json.dump(content, file)
        except OSError as error:
            raise OSError(
                error.errno,
                f"{error.strerror}: the finished runs in the folder are kept; make room and run the same "
                f"{self.work} again to continue",
                str(path),
            ) from error


def fingerprint(corpus, methods, protocol, version):
    """Describe what the runs of a comparison depend on, as a :class:`RunStore` takes it.

    Texts, labels, split and tree are hashed, and of each method the built estimator's parameters, the grid,
    the scheme and the use of unlabelled documents.
    """
    return {
        "corpus": _corpus_digest(corpus),
        "protocol": protocol,
        "textspace": version,
        **{f"method {method.name!r}": _method_digest(method) for method in methods},
    }


def _corpus_digest(corpus):
    digest = hashlib.sha256()
    if sparse.issparse(corpus.texts):
        counts = corpus.texts.tocsr()
        for array in (counts.data, counts.indices, counts.indptr):
            digest.update(str(array.dtype).encode() + np.ascontiguousarray(array).tobytes())
    else:
        _add_strings(digest, corpus.texts)
    _add_strings(digest, corpus.labels)
    _add_strings(digest, [] if corpus.split is None else corpus.split)
    _add_strings(digest, [] if corpus.tree is None else map(str, sorted(corpus.tree.items())))
    return digest.hexdigest()


def _add_strings(digest, strings):
    # The length first: ["ab", "c"] and ["a", "bc"] must differ.
    for string in strings:
        encoded = str(string).encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)


def _method_digest(method):
    settings = {name: _stable_text(value) for name, value in method.build().get_params().items()}
    documents = method.scheme, method.bigrams, method.unlabelled
    text = json.dumps([sorted(settings.items()), _stable_text(dict(method.grid)), *documents])
    return hashlib.sha256(text.encode()).hexdigest()


def _stable_text(value):
    # A function's text holds its address, which changes from run to run.
    return getattr(value, "__qualname__", None) or repr(value)


def _read(path):
    """Read a JSON file; None if there is none, or one that was damaged from outside."""
    try:
        return read_json(path)
    except (FileNotFoundError, ValueError):
        return None
