"""The Dask client that an estimator works with, and whether its workers can serve."""

from contextlib import contextmanager

import distributed
from joblib import parallel_config

from textspace._version import __version__

_TIMEOUT_SECONDS = 10  # how long a scheduler may take to answer


def find_client(client):
    """Give the client, or for None the one made last; its workers must have this version of textspace."""
    if client is None:
        try:
            client = distributed.default_client()
        except ValueError:
            raise ValueError(
                "there is no Dask client: make one with distributed.Client(ADDRESS), or with "
                "distributed.Client() for workers on this machine, and give it as client=."
            ) from None
    versions = client.run(_installed_version())
    if not versions:
        raise ValueError(
            f"the Dask scheduler at {client.scheduler.address} has no workers: start some with "
            f"'dask worker {client.scheduler.address}', or wait for them with client.wait_for_workers(1)."
        )
    for worker, version in versions.items():
        if version != __version__:
            found = f"textspace {version}" if version else "no textspace"
            raise ValueError(
                f"the Dask worker {worker} has {found}, but this process has {__version__}: "
                "install the same version on all machines and start the worker again."
            )
    return client


@contextmanager
def on_cluster(address):
    """Let comparisons and experiments work on a Dask cluster, through joblib's Dask backend.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as "tcp://host:8786".

    Examples
    --------
    >>> from textspace.dask import on_cluster
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare
    >>> with on_cluster("tcp://host:8786"):  # doctest: +SKIP
    ...     comparison = compare(load("reuters-r52"), "svm,lrwmmc", folds=10)
    """
    try:
        client = distributed.Client(address, timeout=_TIMEOUT_SECONDS)
    except (OSError, ValueError) as error:  # nobody there, or no address
        raise ValueError(
            f"no Dask scheduler answers at {address}: 'dask scheduler' starts one and says its address."
        ) from error
    with client:
        find_client(client)
        with parallel_config("dask"):
            yield


def _installed_version():
    """Make a function that travels as a whole: a worker without textspace could not look it up by name."""

    def installed_version():
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("textspace")
        except PackageNotFoundError:
            return None

    return installed_version
