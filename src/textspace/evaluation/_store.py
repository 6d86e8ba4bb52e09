"""Finished cells on disk, so that a comparison that was stopped can go on."""

import hashlib
import json
from pathlib import Path

import numpy as np
from scipy import sparse

from textspace._files import atomic_open
from textspace.evaluation._cell import RESULTS


class CellStore:
    """A folder with one file for each finished cell, and one that says what they belong to.

    Parameters
    ----------
    folder : str or os.PathLike
        Made if it does not exist.
    fingerprint : dict
        From :func:`fingerprint`. The folder must belong to the same corpus, protocol and version, and to the
        same settings of each method; methods may be added.
    """

    def __init__(self, folder, fingerprint):
        self.folder = Path(folder)
        self._description = self.folder / "comparison.json"
        self._open(fingerprint)

    def _open(self, fingerprint):
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"{self.folder} is a file: resume needs the name of a folder.")
        methods = {}
        if self._description.exists():
            known = _read(self._description)
            self._compare(known, fingerprint)
            methods = known["methods"]
        elif self.folder.exists() and any(self.folder.glob("[!.]*")):
            raise ValueError(
                f"the folder {self.folder} holds other files: name an empty or a new one to resume from."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write(self._description, fingerprint | {"methods": methods | fingerprint["methods"]})

    def _compare(self, known, fingerprint):
        if not isinstance(known, dict) or known.keys() != fingerprint.keys():
            raise ValueError(f"{self._description} is damaged: name another folder to resume from.")
        differing = [part for part in ("corpus", "protocol", "textspace") if known[part] != fingerprint[part]]
        differing += [
            f"method {name!r}"
            for name, digest in fingerprint["methods"].items()
            if known["methods"].get(name, digest) != digest
        ]
        if differing:
            raise ValueError(
                f"the folder {self.folder} belongs to another comparison (other {', '.join(differing)}): run "
                "that one again unchanged, or name another folder to resume from, or delete this one."
            )

    def load(self, method, repeat):
        """Give a finished cell, or None. One that failed, or lacks some results, counts as not finished."""
        cell = _read(self._path(method, repeat))
        return cell if cell and cell["error"] is None and cell.keys() >= set(RESULTS) else None

    def save(self, cell):
        """Write a cell; after this call it survives the end of the process."""
        self._write(self._path(cell["method"], cell["repeat"]), cell)

    def _path(self, method, repeat):
        return self.folder / f"{method}-{repeat}.json"

    def _write(self, path, content):
        try:
            with atomic_open(path) as file:
                json.dump(content, file)
        except OSError as error:
            raise OSError(
                error.errno,
                f"{error.strerror}: the finished cells in the folder are kept; make room and run the same "
                "comparison again to continue",
                str(path),
            ) from error


def fingerprint(corpus, methods, protocol, version):
    """Describe what cells depend on, in a form that can be compared.

    Parameters
    ----------
    corpus : Corpus
        Texts, labels, split and tree are hashed.
    methods : list of Method
        The built estimator's parameters, the grid, the scheme and the use of unlabelled documents are hashed.
    protocol : dict
        Compared as it is.
    version : str
        Version of textspace.

    Returns
    -------
    dict
    """
    return {
        "corpus": _corpus_digest(corpus),
        "methods": {method.name: _method_digest(method) for method in methods},
        "protocol": protocol,
        "textspace": version,
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
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
