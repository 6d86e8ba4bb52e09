"""Classifiers of documents."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_calibrated": "CalibratedMethod",
        "_em_naive_bayes": "EMNaiveBayes",
        "_fast_text": "FastText",
        "_labelled_only": "LabelledOnly",
        "_nb_svm": "NBSVM",
        "_nearest_documents": "NearestDocuments",
        "_one_against_rest": "OneAgainstRest",
        "_rlsc": "RLSC",
        "_self_training": "SelfTraining",
        "_shares": "adjusted complete_shares estimate_shares label_shares new_shares shares_noise",
        "_top_down": "TopDownClassifier",
        "blend": "Calibration ManyClassBlend SeveralLabelsBlend SubspaceBlend are_many_labels best_penalty "
        "calibrate decide_labels fit_calibration",
    },
)
