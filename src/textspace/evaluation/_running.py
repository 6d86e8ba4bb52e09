"""All cells of a comparison: those that are not there yet, kept as they end."""

import sys

from joblib import delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from textspace._parallel import run_jobs
from textspace.evaluation._cell import run_cell
from textspace.tuning import NoTextsError


def run_cells(methods, n_splits, documents_of, settings, *, store=None, n_jobs=None, progress=None):
    """Run every cell that the store does not hold.

    Parameters
    ----------
    methods : list of Method
        One cell for each of them on each split.
    n_splits : int
        Number of splits.
    documents_of : callable
        ``documents_of(repeat, method)`` gives the :class:`Documents` of a split for a method.
    settings : dict
        Keyword arguments of :func:`run_cell`.
    store : CellStore, default=None
        Holds finished cells and receives new ones.
    n_jobs, progress
        As in :func:`compare`.

    Returns
    -------
    list of dict
        All cells, by split and then by method.
    """
    estimators = {method.name: method.build() for method in methods}
    keys = [(repeat, method.name) for repeat in range(n_splits) for method in methods]
    done = {(repeat, name): store.load(name, repeat) for repeat, name in keys} if store else {}
    done = {key: cell for key, cell in done.items() if cell is not None}

    def jobs():
        for repeat in range(n_splits):
            documents = {}  # shared by the methods that want the same
            for method in methods:
                if (repeat, method.name) not in done:
                    wanted = method.scheme, method.bigrams, method.unlabelled
                    if wanted not in documents:
                        try:
                            documents[wanted] = documents_of(repeat, method)
                        except NoTextsError as error:  # the other methods go on
                            documents[wanted] = error
                    yield delayed(_run_job)(
                        (repeat, method.name),
                        estimators[method.name],
                        method.grid,
                        documents[wanted],
                        settings,
                    )

    finished = dict(done)
    results = run_jobs(
        jobs(), total=len(keys), done=len(done), n_jobs=n_jobs, progress=progress, label="comparing"
    )
    try:
        for (repeat, name), cell in results:
            finished[repeat, name] = {"method": name, "repeat": repeat, **cell}
            if store:
                store.save(finished[repeat, name])
    except (KeyboardInterrupt, TerminatedWorkerError):
        if store:
            print(
                f"Stopped after {len(finished)} of {len(keys)} cells. They are kept in {store.folder}: run "
                "the same comparison again with this folder to continue.",
                file=sys.stderr,
            )
        raise
    return [finished[key] for key in keys]


def _run_job(key, estimator, grid, documents, settings):
    return key, run_cell(estimator, grid, documents, **settings)
