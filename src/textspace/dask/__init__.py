"""The core jobs on a Dask cluster: documents in row blocks, the same results, ordinary estimators."""

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
    "text_classifier",
]
