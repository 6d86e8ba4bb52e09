"""Documents that are tensors -> classes, or coordinates in few dimensions."""

from textspace._exports import export_estimators
from textspace.tensor._hosvd import HOSVD
from textspace.tensor._lrwmmc import TensorLRWMMC
from textspace.tensor._stm import SupportTensorMachine

__all__ = ["HOSVD", "SupportTensorMachine", "TensorLRWMMC"]

export_estimators(globals())
