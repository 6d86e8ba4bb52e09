"""Choosing and calibrating on training documents alone: splits, held-out values, search."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_decision_values": "LOGARITHMS RANKS SUMS decision_values knows_nearest nearest_of_classes "
        "ranking_values",
        "_estimators": "in_context plain seeded",
        "_search": "best_trial describe half_decade mean_score pipeline_parts sweep tune",
        "_splits": "fold_splits given_split share_splits",
        "_temperature": "fit_temperature held_out_values probabilities",
        "_train_test": "NoTextsError TrainTest vectorise",
    },
)
