"""The folder that keeps compiled code from one start to the next.

Compiling takes seconds, so the code is kept: in the folder that $TEXTSPACE_CACHE names, else in ``textspace``
below $NUMBA_CACHE_DIR, else in the user's cache folder. What cannot be kept or read is compiled at each
start, which is slower but no error. Nobody else may be able to write to what is loaded, because it is run.
"""

import hashlib
import os
import pickle
import secrets
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from textspace._folders import cache_folder

_ROOT = 0  # as good an owner as oneself: the folder of an image, filled when that was built


class Folder:
    """Bytes under names, in a folder to which only its owner can write.

    Trouble is told in one warning for all of it, after which nothing is kept any more.

    Parameters
    ----------
    path : pathlib.Path or None
        It is made when it is needed. None keeps nothing.
    """

    def __init__(self, path):
        self.path = path
        self._is_open = path is not None
        self._is_writable = self._is_open

    def read(self, name):
        """Give the bytes that are kept under a name, or None."""
        if not self._is_open:
            return None
        try:
            self._check(os.stat(self.path), self.path)
            with open(self.path / name, "rb") as file:
                self._check(os.fstat(file.fileno()), self.path / name)
                return file.read()
        except _UnsafeError as error:
            self._is_open = self._is_writable = False
            _warn(error)
        except OSError:  # nothing there, or nothing that can be read: it is compiled and written again
            pass
        return None

    def write(self, name, content):
        """Keep bytes under a name; who reads at the same time finds all of the old ones or of the new."""
        if not self._is_writable:
            return
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check(os.stat(self.path), self.path)
            descriptor, part = tempfile.mkstemp(prefix=".part-", dir=self.path)
            try:
                with open(descriptor, "wb") as file:
                    file.write(content)
                os.replace(part, self.path / name)
            except BaseException:
                with suppress(OSError):
                    os.unlink(part)
                raise
        except OSError as error:
            self._is_writable = False
            _warn(error if isinstance(error, _UnsafeError) else f"{self.path}: {error.strerror or error}")

    @staticmethod
    def _check(status, path):
        if not hasattr(os, "geteuid"):  # on Windows the folders of a user are his own
            return
        if status.st_uid not in (os.geteuid(), _ROOT):
            raise _UnsafeError(f"{path} belongs to another user")
        if status.st_mode & 0o022:
            raise _UnsafeError(f"others can write to {path}: take that right from them with chmod go-w")


class _UnsafeError(OSError):
    """Someone else may have written what would be run."""


def _warn(trouble):
    warnings.warn(
        f"compiled code is not kept, so that each start takes longer ({trouble}); the environment variable "
        "TEXTSPACE_CACHE can name another folder, which must be yours alone to write to",
        stacklevel=2,
    )


@cache
def folder():
    """Give the folder of this process."""
    try:
        if chosen := os.environ.get("TEXTSPACE_CACHE"):
            return Folder(Path(chosen).expanduser())
        if numba.config.CACHE_DIR:
            return Folder(Path(numba.config.CACHE_DIR) / "textspace")
        return Folder(cache_folder() / "compiled")
    except RuntimeError as error:  # no home
        _warn(error)
        return Folder(None)


class KeptCode(NullCache):
    """What numba asks before it compiles a function for types of arguments, and tells afterwards.

    A file holds the code for one signature and processor. It begins with a hash of the code and of all that
    it was made from: a damaged file, and one of another source or version, are alike compiled anew.
    """

    def __init__(self, function):
        self._function = function

    @property
    def cache_path(self):
        """Where the files lie, for those who ask numba."""
        return str(folder().path)

    def load_overload(self, sig, target_context):
        """Give what was compiled for a signature, or None."""
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        content = folder().read(name)
        if content is None or content[:32] != self._seal(name, content[32:]):
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
        except Exception:  # whatever it is, to compile it again mends it
            return None

    def save_overload(self, sig, data):
        """Keep what was compiled for a signature."""
        if data.lifted or data.library.has_dynamic_globals:  # addresses of this process
            return
        name = self._name(sig, data.codegen)
        content = dumps(data._reduce())
        folder().write(name, self._seal(name, content) + content)

    def _name(self, sig, codegen):
        function = self._function
        machine = codegen.magic_tuple(), sys.implementation.cache_tag
        key = repr((function.__code__.co_filename, function.__qualname__, str(sig), machine))
        module = function.__module__.rpartition(".")[2]
        return f"{module}.{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def _seal(self, name, content):
        line = self._function.__code__.co_firstlineno
        made_from = name, line, _sources(self._function), numba.__version__, sys.version
        return hashlib.sha256(repr(made_from).encode() + content).digest()


def _sources(function):
    """Hash the files of a function and of the compiled ones that its module has, which go into its code."""
    found, waiting = {}, [function]
    while waiting:
        function = waiting.pop()
        file = function.__code__.co_filename
        if file not in found:
            found[file] = _hash(file)
            others = vars(sys.modules[function.__module__]).values()
            waiting += [each.py_func for each in others if hasattr(each, "py_func")]
    return sorted(found.values())


@cache
def _hash(file):
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:  # removed since it was imported
        return secrets.token_hex()  # which nothing was made from
