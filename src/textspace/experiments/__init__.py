"""The papers' experiments, declared: one file a paper, its figures beside ours."""

from textspace.experiments import (
    _blend,
    _kdgpp,
    _lrwmmc,
    _lrwmmc_fig4,
    _slsi,
    _srls,
    _srls_pairs,
    _stm,
    _unlabelled,
)
from textspace.experiments._experiment import Experiment
from textspace.experiments._study import Study

EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        _lrwmmc.TABLE_2,
        _lrwmmc.TABLE_3,
        _lrwmmc.TABLE_4,
        _lrwmmc_fig4.FIGURE_4,
        _kdgpp.TABLE_1,
        _stm.TABLE_3,
        _stm.TABLE_5,
        _srls.FIGURE_2,
        _srls_pairs.FIGURE_3,
        _srls.FIGURE_5,
        _slsi.TABLE_1,
        _unlabelled.GAIN,
        _blend.BLEND,
    )
}

__all__ = ["EXPERIMENTS", "Experiment", "Study"]
