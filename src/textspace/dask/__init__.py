"""The core jobs on a Dask cluster: documents in row blocks, the same results, ordinary estimators."""

try:
    import dask  # noqa: F401
    import distributed  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError("a Dask cluster needs the extra 'dask': pip install 'textspace[dask]'.") from error

from textspace.dask._client import on_cluster
from textspace.dask._lda import DaskSpectralRegressionLDA
from textspace.dask._lrwmmc import DaskLRWMMC
from textspace.dask._lsi import DaskLSI
from textspace.dask._rlsc import DaskRLSC
from textspace.dask._selector import DaskTermSelector
from textspace.dask._text_classifier import text_classifier
from textspace.dask._vector_space import DaskVectorSpace

__all__ = [
    "DaskLRWMMC",
    "DaskLSI",
    "DaskRLSC",
    "DaskSpectralRegressionLDA",
    "DaskTermSelector",
    "DaskVectorSpace",
    "on_cluster",
    "text_classifier",
]
