"""What the report of a model shows: the summary of its evaluation, documents and terms, as plain data."""

from copy import copy

from textspace.evaluation import summarise_evaluation
from textspace.models import make_card
from textspace.report._errors import shown_documents
from textspace.report._model_terms import class_terms, dimension_terms


def summarise_model(model, evaluation):
    """Compute everything that the report of a fitted model shows.

    To what :func:`textspace.evaluation.summarise_evaluation` gives are added ``documents`` as by
    :func:`shown_documents`, ``n_explained``, ``class_terms``, ``class_terms_note`` and ``dimensions``. What
    the model does not allow is None or empty.
    """
    card = getattr(model, "card_", None) or _card(model, evaluation)
    documents = shown_documents(model, evaluation)
    terms, note = _class_terms(model, evaluation)
    return summarise_evaluation(evaluation, card, model.tree_) | {
        "documents": documents,
        "n_explained": sum(document["why"] is not None for document in documents),
        "class_terms": terms,
        "class_terms_note": note,
        "dimensions": dimension_terms(model),
    }


def _card(model, evaluation):
    """Make the card of a model that was not loaded from a file."""
    judged = copy(model)
    judged.evaluation_ = evaluation
    return make_card(judged)


def _class_terms(model, evaluation):
    """Average over the documents at hand: those of the evaluation, and the excerpts of training documents."""
    if not evaluation.texts:
        return [], "the model was trained on counts of terms, not on texts."
    training = model.training_
    codes = {name: code for code, name in enumerate(evaluation.classes)}
    texts = [*evaluation.texts, *training.excerpts]
    labels = [evaluation.truth[row] for row in evaluation.rows]
    labels += [codes[str(label)] for label in training.labels]
    return class_terms(model, texts, labels)
