"""Kernel projections: documents -> coordinates, by comparison with documents or landmarks."""

from textspace._exports import export_estimators
from textspace.kernel._kda import SpectralRegressionKDA
from textspace.kernel._kdgpp import KDGPP
from textspace.kernel._kernel_dgpp import KernelDGPP
from textspace.kernel._lrwmmc import KernelLRWMMC
from textspace.kernel._lsi import KernelLSI
from textspace.kernel._manifold import ManifoldAdaptiveKernel
from textspace.kernel._nystroem import KMeansNystroem

__all__ = [
    "KDGPP",
    "KMeansNystroem",
    "KernelDGPP",
    "KernelLRWMMC",
    "KernelLSI",
    "ManifoldAdaptiveKernel",
    "SpectralRegressionKDA",
]

export_estimators(globals())
