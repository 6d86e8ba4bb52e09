"""Runs that are not there yet, kept as they end."""

import sys

from joblib import delayed

from textspace._parallel import run_jobs
from textspace.evaluation._run import run_method
from textspace.tuning import NoTextsError


def run_missing(names, jobs, *, store=None, n_jobs=None, progress=None, label="working"):
    """Make the runs that a store does not hold, keep each as it ends, and give all.

    After Ctrl-C, the loss of a process or any other end before time, a sentence on the standard error stream
    says how to continue.

    Parameters
    ----------
    names : list of str
        One a run: its name in the store.
    jobs : callable
        ``jobs(missing)`` yields a ``joblib.delayed`` call for each of the missing names. It gives the name
        and the run, a dict. A run with an ``error`` is not kept.
    store : RunStore, default=None
        Holds finished runs and receives new ones.
    n_jobs : int, default=None
        Number of processes, by default one a core.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if that is a terminal.
    label : str, default="working"
        What the progress bar says.

    Returns
    -------
    list of dict
        The runs, in the order of the names.

    Examples
    --------
    >>> def square(name):
    ...     return name, {"square": int(name) ** 2}
    >>> run_missing(["2", "3"], lambda missing: map(delayed(square), missing), n_jobs=1)
    [{'square': 4}, {'square': 9}]
    """
    kept = {} if store is None else {name: store.load(name) for name in names}
    finished = {name: run for name, run in kept.items() if run is not None}
    missing = [name for name in names if name not in finished]
    results = run_jobs(
        jobs(missing), total=len(names), done=len(finished), n_jobs=n_jobs, progress=progress, label=label
    )
    try:
        for name, run in results:
            finished[name] = run
            if store is not None and run.get("error") is None:
                store.save(name, run)
    except BaseException:  # Ctrl-C within compiled code is a SystemError
        if store is not None:
            n_kept = sum(run.get("error") is None for run in finished.values())
            print(
                f"Stopped after {n_kept} of {len(names)} runs. They are kept in {store.folder}: run the same "
                f"{store.work} again to continue.",
                file=sys.stderr,
            )
        raise
    return [finished[name] for name in names]


def run_methods(methods, n_splits, documents_of, settings, *, store=None, n_jobs=None, progress=None):
    """Run every method on every split, but for the runs that the store holds; by split and then by method.

    ``documents_of(repeat, method)`` gives the :class:`TrainTest` of a split for a method; `settings` are
    keyword arguments of :func:`run_method`, and the others those of :func:`run_missing`.
    """
    estimators = {method.name: method.build() for method in methods}
    keys = [(repeat, method) for repeat in range(n_splits) for method in methods]
    names = [f"{method.name.replace(':', '.')}-{repeat}" for repeat, method in keys]

    def jobs(missing):
        wanted = set(missing)
        last, documents = None, {}  # of one split, shared by the methods that want the same
        for name, (repeat, method) in zip(names, keys, strict=True):
            if name not in wanted:
                continue
            if repeat != last:
                last, documents = repeat, {}
            kind = method.scheme, method.bigrams, method.unlabelled
            if kind not in documents:
                try:
                    documents[kind] = documents_of(repeat, method)
                except NoTextsError as error:  # the other methods go on
                    documents[kind] = error
            who = {"method": method.name, "repeat": repeat}
            own = settings | {"open_ended": method.open_ended}
            yield delayed(_run)(name, who, estimators[method.name], method.grid, documents[kind], own)

    return run_missing(names, jobs, store=store, n_jobs=n_jobs, progress=progress, label="comparing")


def _run(name, who, estimator, grid, documents, settings):
    return name, who | run_method(estimator, grid, documents, **settings)
