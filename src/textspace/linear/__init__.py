"""Linear projections: documents -> coordinates in few dimensions."""

from textspace._exports import export_estimators
from textspace.linear._base import GraphProjection, LinearProjection, RatioProjection
from textspace.linear._centroids import ClassCentroids, class_sums
from textspace.linear._clsi import CLSI
from textspace.linear._dgpp import DGPP
from textspace.linear._dne import DNE
from textspace.linear._label_driven_lsi import LabelDrivenLSI
from textspace.linear._label_scaling import ScaledTerm
from textspace.linear._lda import (
    SpectralRegressionLDA,
    class_responses,
    discriminant_directions,
    response_basis,
)
from textspace.linear._local_lsi import LocalLSI
from textspace.linear._lpp import LPP
from textspace.linear._lrw_lsi import LocalRelevanceWeightedLSI
from textspace.linear._lrwmmc import LRWMMC
from textspace.linear._lsi import LSI
from textspace.linear._mfa import MFA
from textspace.linear._mmc import MaximumMarginCriterion
from textspace.linear._scaling_effect import ScalingEffect, scaling_effect
from textspace.linear._sda import SDA
from textspace.linear._sprinkled_lsi import SprinkledLSI
from textspace.linear._ss_lrwmmc import SemiSupervisedLRWMMC

__all__ = [
    "CLSI",
    "DGPP",
    "DNE",
    "LPP",
    "LRWMMC",
    "LSI",
    "MFA",
    "SDA",
    "ClassCentroids",
    "GraphProjection",
    "LabelDrivenLSI",
    "LinearProjection",
    "LocalLSI",
    "LocalRelevanceWeightedLSI",
    "MaximumMarginCriterion",
    "RatioProjection",
    "ScaledTerm",
    "ScalingEffect",
    "SemiSupervisedLRWMMC",
    "SpectralRegressionLDA",
    "SprinkledLSI",
    "class_responses",
    "class_sums",
    "discriminant_directions",
    "response_basis",
    "scaling_effect",
]

export_estimators(globals())
