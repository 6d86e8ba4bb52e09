"""The papers' experiments, declared: one file a paper, its figures beside ours."""

from textspace.experiments._experiment import Experiment
from textspace.experiments._kdgpp import TABLE_1
from textspace.experiments._lrwmmc import TABLE_2, TABLE_3
from textspace.experiments._study import Study

EXPERIMENTS = {experiment.name: experiment for experiment in (TABLE_2, TABLE_3, TABLE_1)}

__all__ = ["EXPERIMENTS", "Experiment", "Study"]
