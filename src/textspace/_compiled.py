"""Functions that numba compiles, unless there is so little to do that plain Python is quicker.

To load numba and compiled code takes half a second, in which Python reads thousands of characters. So numba
is loaded when it is first needed. Until then a function that can tell how long it would take is run as it is
written, as long as all such calls together take little; the results are the same. Where nothing may be
loaded or compiled at all, `as_written` says so. Compiled code runs in threads, beside which those of the BLAS
are held back.
"""

import os
import sys
import threading
from contextlib import contextmanager
from functools import update_wrapper

import numpy as np

_FEW = 50_000  # steps, of a few microseconds each, that Python takes before numba is loaded


def compiled(*, steps=None, **options):
    """Compile a function of a module with numba at its first call, or load what was compiled before.

    Parameters
    ----------
    steps : callable, default=None
        ``steps(*arguments)`` gives about how often the innermost loop runs. None is for a function that is
        always compiled, unless one that is run as it is written calls it. Compiled and plain code must do the
        same: in numpy's arithmetic a float32 stays what it is beside a number that is written out.
    **options
        As of :func:`numba.njit`, without ``cache``.

    Returns
    -------
    callable
        The decorator. What it decorates is no closure, because the code is kept by the source alone.

    Examples
    --------
    >>> @compiled(nogil=True)
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """
    return lambda function: Compiled(function, steps, options)


def thread_count():
    """Give the number of threads that compiled code may use: $NUMBA_NUM_THREADS, or one a core."""
    _plain.refuse_if_bound("what runs in threads")
    import numba

    return numba.config.NUMBA_NUM_THREADS


@contextmanager
def blas_threads(limit):
    """Hold the BLAS to a number of threads, for all threads of the process; also a decorator.

    threadpoolctl gives each its limit back as it found it. Where several threads come and go, what one finds
    is the limit of another, and would stay: here the last that goes restores what the first found.
    """
    own = object()
    _blas.enter(own, limit)
    try:
        yield
    finally:
        _blas.leave(own)


class _Blas:
    """Who holds the BLAS to how many threads, and what it had before."""

    def __init__(self):
        self._lock, self._limits, self._before = threading.Lock(), {}, None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self):
        """Let go of what another thread held while the process was forked: in the child there is none."""
        self._lock = threading.Lock()

    def enter(self, own, limit):
        with self._lock:
            limits = _set_limits(limit)
            self._before = self._before if self._limits else limits
            self._limits[own] = limit

    def leave(self, own):
        with self._lock:
            del self._limits[own]
            if self._limits:
                _set_limits(next(reversed(self._limits.values())))
            else:
                self._before.restore_original_limits()


def _set_limits(limit):
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limit, user_api="blas")


_blas = _Blas()


class LongWorkError(Exception):
    """A function is to be run as it is written, and would take long."""


@contextmanager
def as_written():
    """Let this thread load and compile nothing: what Python is not quick at ends in a LongWorkError."""
    _plain.is_bound = True
    try:
        yield
    finally:
        _plain.is_bound = False


class Compiled:
    """A function that is compiled when it is called; compiled functions may call it too."""

    def __init__(self, function, steps, options):
        update_wrapper(self, function)
        self.py_func, self._steps, self._options = function, steps, options
        self._has_source = os.path.isfile(function.__code__.co_filename)
        self._dispatcher = None

    def __call__(self, *arguments):
        """Run the function, compiled or not."""
        if _plain.is_running and (self._dispatcher is None or _plain.is_bound):
            return self.py_func(*arguments)
        if self._is_quick(arguments):
            return _plain.run(self.py_func, arguments)
        _plain.refuse_if_bound(self.__qualname__)
        return self.dispatcher(*arguments)

    def _is_quick(self, arguments):
        """Whether plain Python takes less time than numba takes to be loaded."""
        if self._steps is None:
            return False
        if _plain.is_bound:
            return self._steps(*arguments) <= _FEW
        is_loaded = self._dispatcher is not None or "numba" in sys.modules
        return not is_loaded and _plain.may_take(self._steps(*arguments))

    @property
    def dispatcher(self):
        """What numba makes of the function."""
        if self._dispatcher is None:
            from numba import njit

            from textspace._kept_code import KeptCode

            dispatcher = njit(self.py_func, **self._options)
            is_compiled = dispatcher is not self.py_func  # it is the same where NUMBA_DISABLE_JIT is set
            if is_compiled and self._has_source:
                dispatcher._cache = KeptCode(self.py_func)
            self._dispatcher = dispatcher
        return self._dispatcher

    @property
    def _numba_type_(self):
        """What numba takes it for where compiled code calls it."""
        return self.dispatcher._numba_type_

    def __reduce__(self):
        return self.__qualname__


class _Plain(threading.local):
    """What this thread runs as it is written, and how many steps are left to do so."""

    is_running, is_bound, left = False, False, _FEW

    def may_take(self, steps):
        self.left -= steps
        return self.left >= 0

    def refuse_if_bound(self, what):
        if self.is_bound:
            raise LongWorkError(what)

    def run(self, function, arguments):
        self.is_running = True
        try:
            with np.errstate(over="ignore"):  # hashes do
                return function(*arguments)
        finally:
            self.is_running = False


_plain = _Plain()
