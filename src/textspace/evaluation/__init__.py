"""How good answers, models and methods are: scores, significance, evaluations, comparisons."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_by_size": "f1_by_size",
        "_comparison": "compare",
        "_confidence": "calibration_error reject_curve reliability_bins",
        "_evaluation": "Evaluation OUT_OF_FOLD evaluate",
        "_hierarchical": "hierarchical_scores per_node",
        "_intervals": "bootstrap_intervals repeat_interval",
        "_leaderboard": "leaderboard",
        "_learning_curve": "learning_curve",
        "_model_summary": "summarise_evaluation",
        "_multilabel_comparison": "LABEL_METHODS compare_multilabel",
        "_label_summary": "summarise_labels",
        "_multilabel_evaluation": "MultilabelEvaluation",
        "_multilabel_results": "MultilabelComparison",
        "_ranks": "mean_ranks rank_table",
        "_results": "Comparison load_comparison",
        "_running": "run_missing",
        "_scores": "confusion per_class scores",
        "_several_labels": "label_propensities multilabel_scores per_label",
        "_significance": "Significance SignificanceTest f1_significance resampled_t_test significance",
        "_space_maps": "SpaceMap map_spaces",
        "_store": "RunStore",
        "_summary": "summarise",
        "_term_curve": "f1_curve held_out_rows",
        "_unlabelled": "UnlabelledGain unlabelled_gain",
    },
)
