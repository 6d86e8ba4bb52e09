"""All cells of a comparison: in parallel, with a progress bar, stopped and continued."""

import sys
from contextlib import contextmanager

from joblib import Parallel, cpu_count, delayed, effective_n_jobs, parallel_config
from joblib.externals.loky.process_executor import TerminatedWorkerError

from textspace.evaluation._cell import run_cell


def run_cells(methods, n_splits, documents_of, settings, *, store=None, n_jobs=None, progress=None):
    """Run every cell that the store does not hold.

    Parameters
    ----------
    methods : list of Method
        One cell for each of them on each split.
    n_splits : int
        Number of splits.
    documents_of : callable
        ``documents_of(repeat, scheme)`` gives the :class:`Documents` of a split.
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
            documents = {}  # one matrix a scheme, shared by the methods
            for method in methods:
                if (repeat, method.name) not in done:
                    if method.scheme not in documents:
                        documents[method.scheme] = documents_of(repeat, method.scheme)
                    yield delayed(_run_job)(
                        (repeat, method.name),
                        estimators[method.name],
                        method.grid,
                        documents[method.scheme],
                        settings,
                    )

    n_jobs = min(effective_n_jobs(-1 if n_jobs is None else n_jobs), max(1, len(keys) - len(done)))
    finished = dict(done)
    try:
        with (
            _plain_interrupt(),
            _in_parallel(n_jobs) as parallel,
            _bar(progress, len(keys), len(done)) as advance,
        ):
            for (repeat, name), cell in parallel(jobs()):
                finished[repeat, name] = {"method": name, "repeat": repeat, **cell}
                if store:
                    store.save(finished[repeat, name])
                advance()
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


@contextmanager
def _plain_interrupt():
    """Turn Ctrl-C back into itself: compiled code that it meets reports a SystemError instead."""
    try:
        yield
    except SystemError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


@contextmanager
def _in_parallel(n_jobs):
    """Give a function that runs joblib's jobs and yields what they return as they end."""
    if n_jobs == 1:
        yield lambda jobs: (function(*args, **kwargs) for function, args, kwargs in jobs)
        return
    # Copy on write: the processes share the document matrix, and no code meets a read-only array.
    threads = max(1, cpu_count() // n_jobs)
    with parallel_config("loky", inner_max_num_threads=threads):
        yield Parallel(n_jobs, batch_size=1, mmap_mode="c", return_as="generator_unordered")


@contextmanager
def _bar(progress, total, done):
    """Show a progress bar on the standard error stream; give the function that advances it by one."""
    if not (sys.stderr.isatty() if progress is None else progress):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("comparing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
