"""A TextClassifier, to be saved and served, of what was learned on a cluster."""

import numpy as np
from sklearn.base import clone

from textspace._rows import softmax
from textspace.classify import CalibratedMethod, label_shares
from textspace.dask._base import DaskEstimator
from textspace.models import TextClassifier, draw_documents, remember_documents
from textspace.tuning import SUMS, decision_values, fit_temperature


def text_classifier(space, classifier, texts, labels):
    """Make a TextClassifier of a vector space and a classifier that were learned on a cluster.

    Its probabilities are calibrated on texts that neither has learned from. Its explanations show these texts
    as neighbours. A few thousand are enough.

    Parameters
    ----------
    space : DaskVectorSpace or VectorSpace
        Fitted.
    classifier : DaskRLSC or RLSC
        Fitted on rows of that space, with text as labels.
    texts : list of str
        Texts that were not learned from, in memory.
    labels : array-like of shape (n_texts,)
        Their labels.

    Returns
    -------
    TextClassifier
        Fitted; for :func:`textspace.models.save`, the service and the report.

    Examples
    --------
    With a space and a classifier that were learned in memory:

    >>> from textspace.classify import RLSC
    >>> from textspace.dask import text_classifier
    >>> from textspace.text import VectorSpace
    >>> space = VectorSpace()
    >>> X = space.fit_transform(["wheat and corn", "corn harvest", "ships at sea", "a sea port"])
    >>> classifier = RLSC().fit(X, ["grain", "grain", "ship", "ship"])
    >>> model = text_classifier(space, classifier, ["corn crop", "a ship sank"], ["grain", "ship"])
    >>> model.predict(["ripe corn", "the port"])
    array(['grain', 'ship'], dtype='<U5')
    """
    space = space.to_local() if isinstance(space, DaskEstimator) else space
    classifier = classifier.to_local() if isinstance(classifier, DaskEstimator) else classifier
    classes, labels = classifier.classes_, np.asarray(labels)
    if classes.dtype.kind != "U":
        raise ValueError(
            "the classifier was learned with numbers as labels: learn it with text, y.astype(str)."
        )
    unknown = np.flatnonzero(~np.isin(labels, classes))
    if unknown.size:
        label = str(labels[unknown[0]])
        raise ValueError(f"the classifier has no class {label!r}, the label of text {unknown[0]}.")
    X = space.transform(texts)
    calibrated = CalibratedMethod(clone(classifier))
    calibrated.estimator_, calibrated.classes_ = classifier, classes
    calibrated.n_features_in_ = X.shape[1]
    values = decision_values(classifier, X, ask=SUMS)
    calibrated.temperature_ = fit_temperature(values, np.searchsorted(classes, labels))
    calibrated.out_of_fold_ = values / calibrated.temperature_
    model = TextClassifier("rlsc", stem=space.stem, stop_words=space.stop_words)
    model.classes_, model.space_, model.model_, model.tree_ = classes, space, calibrated, None
    model.reads_texts_, model.several_ = True, False
    model.settings_ = {"lambdas": classifier.lambda_}
    model.n_labelled_ = len(labels)
    model.class_shares_ = model.shares_ = label_shares(labels, classes)
    model.out_of_fold_proba_ = softmax(calibrated.out_of_fold_)
    rows = draw_documents(len(labels))
    model.training_ = remember_documents(calibrated.transform(X[rows]), labels[rows], texts, rows)
    return model
