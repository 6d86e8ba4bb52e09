"""Many independent pieces of work: in parallel, with a progress bar, stopped by Ctrl-C."""

import sys
from contextlib import contextmanager

from joblib import Parallel, cpu_count, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend


def run_jobs(jobs, *, total, done=0, n_jobs=None, progress=None, label="working"):
    """Run joblib's jobs and give what they return, as each ends.

    Parameters
    ----------
    jobs : iterable of joblib.delayed calls
        Taken one by one, so that a generator may prepare what they need.
    total : int
        Number of pieces of work, those that need no job included.
    done : int, default=0
        How many of them need no job because they were done before.
    n_jobs : int, default=None
        Number of processes, by default one a core. Where a joblib backend for Dask is active (see
        :func:`textspace.dask.on_cluster`), all threads of the cluster work.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if that is a terminal.
    label : str, default="working"
        What the progress bar says.

    Yields
    ------
    object
        The result of a job; the order is that in which they end.
    """
    n_jobs = min(effective_n_jobs(-1 if n_jobs is None else n_jobs), max(1, total - done))
    with (
        _plain_interrupt(),
        _in_parallel(n_jobs) as parallel,
        _bar(progress, label, total, done) as advance,
    ):
        for result in parallel(jobs):
            yield result
            advance()


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
    if type(get_active_backend()[0]).__name__ == "DaskDistributedBackend":
        yield Parallel(-1, batch_size=1, return_as="generator_unordered")
        return
    if n_jobs == 1:
        yield lambda jobs: (function(*args, **kwargs) for function, args, kwargs in jobs)
        return
    # Copy on write: the processes share the document matrix, and no code meets a read-only array.
    threads = max(1, cpu_count() // n_jobs)
    with parallel_config("loky", inner_max_num_threads=threads):
        yield Parallel(n_jobs, batch_size=1, mmap_mode="c", return_as="generator_unordered")


@contextmanager
def _bar(progress, label, total, done):
    """Show a progress bar on the standard error stream; give the function that advances it by one."""
    if not (sys.stderr.isatty() if progress is None else progress):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
