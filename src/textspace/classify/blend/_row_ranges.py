"""Rows dealt out to threads, for compiled code that releases the lock."""

from concurrent.futures import ThreadPoolExecutor

from sklearn.utils import gen_batches

from textspace._compiled import thread_count

_MORE = 8  # ranges a thread: they take unequal times


def in_threads(work, n_rows):
    """Call `work` with slices of rows that cover all, in as many threads as compiled code may use."""
    n_threads = thread_count()
    batches = gen_batches(n_rows, max(1, -(-n_rows // (_MORE * n_threads))))
    if n_threads == 1:
        for rows in batches:
            work(rows)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, batches))
