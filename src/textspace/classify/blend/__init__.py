"""Classifiers by calibrated sums of scores: the blend, that of very many classes, that of several labels."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_calibration": "Calibration calibrate fit_calibration",
        "_label_decisions": "decide_labels",
        "_label_ridge": "best_penalty",
        "_many_classes": "ManyClassBlend",
        "_several_labels": "SeveralLabelsBlend are_many_labels",
        "_subspace_blend": "SubspaceBlend",
    },
)
