"""What is a finding: a result that is no number, or an error that nobody meant to raise."""

import linecache
import time
import traceback
import warnings

import numpy as np
from scipy import sparse

from textspace.solvers import ConvergenceError


class FindingError(AssertionError):
    """What a trial has found, in words."""


def repeat(trial, name, seed, seconds):
    """Make trials until the time is over and print what they find; give the numbers of both."""
    stop, n_trials, n_findings = time.monotonic() + seconds, 0, 0
    while time.monotonic() < stop:
        try:
            trial(seed, n_trials)
        except FindingError as finding:
            print(finding, flush=True)
            n_findings += 1
        n_trials += 1
    print(f"{name}: {n_trials} trials, {n_findings} findings")
    return n_trials, n_findings


def outcome(function, *arguments):
    """Give the result, or the error; arithmetic that warns in textspace is an error too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", category=RuntimeWarning, module="textspace")
        try:
            return function(*arguments)
        except Exception as error:
            return error


def judge(found, where, numbers):
    """Raise a Finding unless what was found is a finite result or an error that was raised on purpose."""
    if isinstance(found, Exception):
        if not _is_on_purpose(found):
            trace = "".join(traceback.format_exception(found))
            raise FindingError(f"{numbers}: {where}: {type(found).__name__}: {found}\n{trace}")
        return
    # a neighbour that is missing is infinitely far
    if any(np.isnan(array).any() for array in floats_of(found)):
        raise FindingError(f"{numbers}: {where}: the result holds NaN")


def _is_on_purpose(error):
    if not isinstance(error, ValueError | TypeError | ConvergenceError):
        return False
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    statement = linecache.getline(frame.f_code.co_filename, line)
    package = frame.f_globals.get("__name__", "").partition(".")[0]
    return package in ("textspace", "sklearn") and "raise" in statement


def floats_of(found):
    """Give the arrays of a result that hold floating-point numbers."""
    return [array for array in arrays_of(found) if array.dtype.kind == "f"]


def arrays_of(found):
    """Give the arrays that a result is made of."""
    if isinstance(found, tuple | list):
        return [array for each in found for array in arrays_of(each)]
    if sparse.issparse(found):
        return [found.toarray()]
    if hasattr(found, "__dataclass_fields__"):
        return [array for name in found.__dataclass_fields__ for array in arrays_of(getattr(found, name))]
    return [np.asarray(found)]
