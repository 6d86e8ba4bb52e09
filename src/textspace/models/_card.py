"""The model card: what a model is, what it was learned from, and how far it can be trusted."""

import hashlib
import json
import platform
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
from scipy import sparse

from textspace._label_lists import are_lists
from textspace._labels import text_labels
from textspace._version import __version__
from textspace._wording import choice_text, embedding_text, percent
from textspace.classify import ManyClassBlend, SeveralLabelsBlend
from textspace.models._archive import FORMAT
from textspace.models._default import ALPHABETS
from textspace.models._labelled_texts import join_texts
from textspace.models._limits import intended_use, limits
from textspace.text import LANGUAGES, Alphabets, language_shares

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def make_card(model, texts=None, labels=None, *, unlabelled=None, name=None, columns=None):
    """Say what a model is and what it was learned from.

    Parameters
    ----------
    model : TextClassifier
        Fitted. The scores are those of its ``evaluation_``, an :class:`Evaluation`, where it has one.
    texts : Corpus, list of str or sparse matrix of raw term counts, default=None
        The documents it was fitted on. Without them the card tells neither their number nor their hash.
    labels : array-like of shape (n_documents,), or list of lists, default=None
        Their labels; not for a Corpus, which has them.
    unlabelled : list of str, default=None
        Documents that were given to ``fit`` without a label.
    name : str, default=None
        Name of the data; by default that of the Corpus.
    columns : dict, default=None
        ``{"text": [...], "label": ...}``, the names of the columns that the documents were read from; by
        default those of the Corpus.

    Returns
    -------
    dict
        Plain data, as it stands in a model file: ``format``, ``textspace``, ``versions``, ``created`` (UTC),
        ``method`` (name, title, settings; for the default method also the ``alphabets`` that it reads and
        those ``left_out``, and the ``scorers``, each with its penalty and by how much it lowers the mean log
        loss of held-out documents, its ``gain``), ``several`` (whether a document may have several labels),
        ``text`` (how terms are made), ``data`` (name, SHA-256, numbers of documents, of terms and of
        documents of each class, shares of ``languages``, ``columns``), ``shares`` (``assumed``, the share of
        each class among documents to come, and ``source``: "labels", "given" or "unlabelled documents"),
        ``scores`` (with their ``source``; None if the model was not evaluated), ``embeddings`` (the model's
        ``embedding_``: what an embedding was worth and whether it was kept; or None), ``tree`` (the parent of
        each category, or None), ``intended_use`` (a sentence) and ``limits`` (sentences).

    Examples
    --------
    >>> from textspace.models import TextClassifier, make_card
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> card = make_card(TextClassifier("svm").fit(texts, labels), texts, labels, name="goods")
    >>> card["method"]["title"], card["data"]["classes"]
    ('Linear SVM', {'grain': 3, 'ship': 3})
    >>> card["intended_use"]
    'To sort texts like those of "goods" into 2 classes.'
    """
    if hasattr(texts, "labels"):
        columns = columns or texts.columns
        texts, labels, name = texts.texts, texts.labels, name or texts.name
    evaluation = getattr(model, "evaluation_", None)
    card = {
        "format": FORMAT,
        "textspace": __version__,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "method": _method(model),
        "several": model.several_,
        "text": _text(model),
        "data": _data(model, texts, labels, unlabelled, name) | {"columns": columns},
        "shares": _shares(model),
        "scores": None if evaluation is None else {"source": evaluation.source, **evaluation.scores},
        "embeddings": getattr(model, "embedding_", None),  # which older files do not have
        "tree": None if model.tree_ is None else model.tree_.to_dict(),
    }
    return card | {"intended_use": intended_use(card), "limits": limits(card, model, evaluation)}


def data_digest(texts, labels):
    """Give the SHA-256 of documents with their labels, which tells whether data is the same.

    Parameters
    ----------
    texts : list of str, or sparse matrix of term counts
        Documents.
    labels : array-like of str, shape (n_documents,), or of tuples
        Their labels, "" for none; or a tuple of several for each.

    Returns
    -------
    str
        Hexadecimal. Texts and labels go in one by one, each after its length in bytes (8 bytes, the lowest
        first), as UTF-8; a row of counts as text, "column:count" with spaces between; several labels as a
        sorted list of JSON.

    Examples
    --------
    >>> data_digest(["corn"], ["grain"]) == data_digest(["cor"], ["ngrain"])
    False
    """
    digest = hashlib.sha256()
    for text, label in zip(_rows_as_text(texts), labels, strict=True):
        for each in (text, json.dumps(sorted(label)) if isinstance(label, tuple) else label):
            encoded = str(each).encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def card_text(card):
    """Put a model card into lines to be read in a terminal.

    Parameters
    ----------
    card : dict
        From :func:`make_card` or :func:`read_card`.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> from textspace.models import TextClassifier, card_text, make_card
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> card = make_card(TextClassifier("svm").fit(texts, labels), texts, labels, name="goods")
    >>> "Linear SVM" in card_text(card)
    True
    """
    method, data, scores = card["method"], card["data"], card["scores"]
    settings = ", ".join(f"{key}={value}" for key, value in method["settings"].items())
    counted = [f"{data['n_labelled']:,} labelled documents"]
    if data["n_unlabelled"]:
        counted.append(f"{data['n_unlabelled']:,} unlabelled")
    counted += [f"{len(data['classes']):,} classes", f"{data['n_terms']:,} terms"]
    lines = {
        "Use": card["intended_use"],
        "Method": method["title"] + (f" ({settings})" if settings else ""),
        **({"Choice": choice_text(method)} if "scorers" in method else {}),
        "Text": ", ".join(
            f"{key}: {' '.join(value) if key == 'languages' else value}"
            for key, value in card["text"].items()
        ),
        "Data": ", ".join(counted),
        **({"Columns": _columns_text(data["columns"])} if data.get("columns") else {}),
        "SHA-256": data["sha256"] or "not recorded",
        "Scores": "not evaluated" if scores is None else _scores_text(scores),
        **({"Embedding": embedding_text(card["embeddings"])} if card.get("embeddings") else {}),
        "Made": f"{card['created']}, textspace {card['textspace']}, "
        + ", ".join(f"{key} {value}" for key, value in card["versions"].items()),
    }
    sizes = sorted(data["classes"].items(), key=lambda item: -(item[1] or 0))
    shown = [label if size is None else f"{label} {size}" for label, size in sizes[:20]]
    lines["Classes"] = ", ".join(shown) + (f" and {len(sizes) - 20} more" if len(sizes) > 20 else "")
    if "shares" in card:  # not in older files
        lines["Shares"] = _shares_text(card["shares"])
    width = max(map(len, lines))
    text = [f"{title:<{width}}  {line}" for title, line in lines.items()]
    return "\n".join([*text, *(f"{'Note':<{width}}  {sentence}" for sentence in card["limits"])])


def _columns_text(columns):
    label = columns["label"]
    said = "text: " + ", ".join(columns["text"])
    return f"{said}; label: {label if isinstance(label, str) else ', '.join(label)}" if label else said


def _scores_text(scores):
    return (
        f"micro F1 {scores['micro_f1']:.3f}, macro F1 {scores['macro_f1']:.3f}, calibration error "
        f"{scores['calibration_error']:.3f} ({scores['n_documents']:,} {scores['source']})"
    )


def _shares_text(shares):
    if shares["source"] == "labels":
        return "assumed to be those of the labels"
    largest = sorted(shares["assumed"].items(), key=lambda item: -item[1])[:10]
    how = "given" if shares["source"] == "given" else "estimated on the unlabelled documents"
    more = ", ..." if len(shares["assumed"]) > len(largest) else ""
    return f"{how}: " + ", ".join(f"{label} {percent(share)}" for label, share in largest) + more


def _shares(model):
    source = "labels" if np.array_equal(model.shares_, model.class_shares_) else "unlabelled documents"
    assumed = dict(zip(model.classes_.astype(str).tolist(), model.shares_.round(6).tolist(), strict=True))
    return {"source": source if model.shares is None else "given", "assumed": assumed}


def _method(model):
    from textspace.methods import METHODS

    title = METHODS["blend" if model.method == "auto" else model.method].title
    if isinstance(getattr(model.model_, "terms_", model.model_), ManyClassBlend):
        title = "Blend for many classes"
    if isinstance(model.model_, SeveralLabelsBlend):
        title = "Blend for several labels"
    method = {"name": model.method, "title": title, "settings": dict(model.settings_)}
    kept = getattr(getattr(model.model_, "terms_", model.model_), "kept_", [])  # older files do not tell
    return method | _choice(model, kept) if kept else method


def _choice(model, kept):
    read = {own.block for own in kept}
    tried = ALPHABETS if getattr(model, "reads_texts_", True) else read  # older files do not tell
    tried = [name for name in tried if name != "opening"]  # which short texts have not
    return {
        "alphabets": [name for name in ALPHABETS if name in read],
        "left_out": [name for name in tried if name not in read],
        "scorers": [
            {"scorer": own.name, "alphabet": own.block, "penalty": own.alpha, "gain": round(own.gain, 6)}
            for own in kept
        ],
    }


def _term_space(model):
    return getattr(model.space_, "terms", model.space_)  # the rest of it is an embedding


def _text(model):
    space = _term_space(model)
    if not hasattr(space, "spans"):
        return {"terms": "letter trigrams"}
    spaces = list(space.spaces_.values()) if isinstance(space, Alphabets) else [space]
    stems = [one for one in spaces if one.stem is not None and one.letters is None] or [
        one for one in spaces if one.stop_words is not None and one.letters is None
    ]
    stop_words = model.stop_words if stems else None
    if not (stop_words is None or isinstance(stop_words, str)):
        stop_words = f"{len(stop_words)} words of one's own"
    return {
        "terms": "; ".join(map(_terms_text, spaces)),
        "languages": _languages(stems[0]) if stems else [],
        "stem": model.stem if stems else None,
        "stop_words": stop_words,
        "scheme": "; ".join(one.scheme for one in spaces),
    }


def _languages(space):
    """Give the codes of the languages whose endings or stop words a space knows."""
    if hasattr(space, "languages_"):
        return space.languages_
    stop_words = space.stop_words if isinstance(space.stop_words, str) else None
    return [
        code
        for code, language in LANGUAGES.items()
        if language.stem is not None
        and (
            space.stem in (language.stem, language.name.lower())
            or stop_words in (code, language.name.lower())
        )
    ]


def _terms_text(space):
    if space.letters is not None:
        return "n-grams of {} to {} letters".format(*space.letters)
    words = "words" if space.stem is not None or space.stop_words is not None else "words as they are written"
    opening = "" if space.opening is None else " of openings"
    return words + (" and pairs of adjacent words" if space.bigrams else "") + opening


def _data(model, texts, labels, unlabelled, name):
    n_labelled = model.n_labelled_
    data = {"name": name, "sha256": None, "n_labelled": n_labelled, "n_unlabelled": None}
    if texts is not None:
        if are_lists(labels):  # in a list of its own for each, so that they stand together in the digest
            known = [list(own) for own in labels if own is not None]
            labels = ["" if own is None else json.dumps(sorted(map(str, own))) for own in labels]
        else:
            labels = text_labels(labels)
            known = [[label] for label in labels if label != ""]
        texts, labels = join_texts(texts, labels, unlabelled)
        if len(known) != n_labelled:
            raise ValueError(
                f"{len(known)} documents have a label, but the model was fitted on {n_labelled}: "
                "give the documents that it was fitted on."
            )
        data |= {"sha256": data_digest(texts, labels), "n_unlabelled": len(labels) - n_labelled}
        if not sparse.issparse(texts):
            data["languages"] = {code: round(share, 4) for code, share in language_shares(texts).items()}
    else:
        known = [own if isinstance(own, tuple) else [own] for own in model.training_.labels]
    sizes = {}  # of a sample nothing is said
    if len(known) == n_labelled:
        sizes = Counter(str(label) for own in known for label in dict.fromkeys(own))
    classes = {label: sizes.get(label) for label in model.classes_.astype(str).tolist()}
    return data | {"n_terms": model.model_.n_features_in_, "classes": classes}


def _rows_as_text(texts):
    if not sparse.issparse(texts):
        yield from texts
        return
    counts = sparse.csr_array(texts, copy=True)
    counts.sum_duplicates()
    for start, end in zip(counts.indptr, counts.indptr[1:], strict=False):
        entries = zip(counts.indices[start:end].tolist(), counts.data[start:end].tolist(), strict=True)
        yield " ".join(f"{column}:{count:g}" for column, count in entries)
