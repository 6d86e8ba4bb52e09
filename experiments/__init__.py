"""The papers' experiments, declared: one file a paper, its figures beside ours."""

from experiments import (
    blend,
    kdgpp,
    lrwmmc,
    lrwmmc_bydate,
    printed,
    several_labels,
    slsi,
    slsi_grid,
    srls,
    srls_pairs,
    srls_printed,
    stm,
    stm_settings,
    theorems,
    unlabelled,
)
from experiments.comparisons import Comparisons
from experiments.experiment import Experiment
from experiments.records import Records

EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        lrwmmc.TABLE_2,
        lrwmmc.TABLE_3,
        lrwmmc.TABLE_4,
        lrwmmc.FIGURE_4,
        lrwmmc_bydate.TABLE_2_DRAW,
        lrwmmc_bydate.TABLE_2,
        lrwmmc_bydate.TABLES_3_AND_4,
        lrwmmc_bydate.FIGURE_4,
        kdgpp.TABLE_1,
        stm.TABLE_3,
        stm.TABLE_5,
        stm_settings.SETTINGS,
        srls.FIGURE_2,
        srls_pairs.FIGURE_3,
        srls.FIGURE_5,
        srls_printed.FIGURE_3,
        srls_printed.FIGURE_5,
        srls_printed.FIGURE_5_NEWS,
        srls_printed.TECHTC,
        srls_printed.RCV1,
        slsi.TABLE_1,
        slsi_grid.GRID,
        theorems.THEOREMS,
        printed.RELATIVES,
        printed.RELATIVES_TREC9,
        printed.LRWMMC_PRINTED,
        printed.FIGURE_4_COUNTS,
        printed.KDGPP_PRINTED,
        printed.KDGPP_PRINTED_NEWS,
        unlabelled.GAIN,
        blend.BLEND,
        several_labels.SEVERAL_LABELS,
    )
}

__all__ = ["EXPERIMENTS", "Comparisons", "Experiment", "Records"]
