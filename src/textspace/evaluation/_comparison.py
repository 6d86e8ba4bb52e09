"""Methods side by side on one corpus."""

import os
import platform
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version

import numpy as np
from scipy import sparse

from textspace.evaluation._map import document_map
from textspace.evaluation._results import Comparison
from textspace.evaluation._run import RESULTS
from textspace.evaluation._running import run_methods
from textspace.evaluation._saved import check_run
from textspace.evaluation._store import RunStore, fingerprint
from textspace.methods import find_methods, labelled_twin
from textspace.text import VectorSpace, endings_of, main_languages
from textspace.tuning import fold_splits, given_split, plain, share_splits, tune, vectorise


def compare(
    corpus,
    methods,
    *,
    split="auto",
    train_share=None,
    repeats=1,
    folds=None,
    cv=3,
    n_jobs=None,
    resume=None,
    oracle=False,
    random_state=0,
    progress=None,
    space=None,
    baseline=None,
    language="en",
):
    """Run methods on the same splits of a corpus.

    Settings of a method are chosen by cross-validation (micro F1) on the training documents; vocabulary and
    term weights come from the training documents too. A test document is used for nothing but the scores.

    Parameters
    ----------
    corpus : Corpus
        Documents. Those without a label, unless they are test documents, are learned from by the methods
        that can; beside each of these stands the same method without them. If there is a tree, labels are
        its leaves; methods that ask for it get it, and answers are scored by how near they are in it.
    methods : str, or iterable of str or Method
        Names as in :func:`textspace.methods.find_methods`, ``"lsi,svm"``.
    split : {"auto", "given", "share", "folds"}, default="auto"
        "given": the corpus's own; "share": a share of each class for training; "folds": k-fold. "auto" is
        folds if `folds` is given, share if `train_share` is given, else the corpus's own split, else share.
    train_share : float, default=None
        Share of each class that goes to training (.7 if not given), at least two documents.
    repeats : int, default=1
        How often to draw a share or folds.
    folds : int, default=None
        Number of folds (10 if not given).
    cv : int, default=3
        Folds of the training documents on which settings are chosen.
    n_jobs : int, default=None
        Number of processes, by default one a core. The results do not depend on it.
    resume : str or os.PathLike, default=None
        A folder that keeps every finished run (a method on a split). The same comparison, made again after a
        crash or Ctrl-C, takes them from there; methods may be added. Those that failed are run again.
    oracle : bool, default=False
        Also score every setting on the test documents, for "best on test" figures.
    random_state : int, default=0
        Seed of splits, folds and methods.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if that is a terminal.
    space : transformer, default=None
        From texts to rows; by default ``VectorSpace()`` of the `language`. Its ``scheme`` is set to that of
        each method.
    baseline : str, default=None
        Name of the method against which others are tested; by default "svm" if it takes part, else the first.
    language : str, default="en"
        Whose stems and stop words the space has, as in :func:`textspace.text.endings_of`. Where that is not
        English alone, tokens are whole: words may have no spaces between them.

    Returns
    -------
    Comparison
        A method that raises has an ``error`` in its run and does not stop the others.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> comparison = compare(load("demo"), "nb,svm", train_share=0.5, repeats=2, n_jobs=1)
    >>> [(run["method"], run["repeat"]) for run in comparison.runs]
    [('nb', 0), ('svm', 0), ('nb', 1), ('svm', 1)]
    """
    labels = _usable_labels(corpus)
    tree = _usable_tree(corpus, labels)
    methods = _with_twins(find_methods(methods), corpus, labels)
    names = [method.name for method in methods]
    if baseline is not None and baseline not in names:
        raise ValueError(f"the baseline {baseline!r} is not among the methods {', '.join(names)}.")
    classes, y = np.unique(labels, return_inverse=True)
    classes, y = (classes[1:], y - 1) if classes[0] == "" else (classes, y)
    splits, drawn = draw_splits(corpus, labels, split, train_share, repeats, folds, random_state)
    if space is None:
        is_counts = sparse.issparse(corpus.texts)
        if language == "auto" and (is_counts or main_languages(list(corpus.texts)) in (["en"], [])):
            language = "en"
        space = VectorSpace() if language == "en" else VectorSpace(tokens="whole", **endings_of(language))
    protocol = drawn | {"cv": cv, "oracle": oracle, "random_state": random_state, "space": repr(space)}
    described = {method.name: _describe_method(method) for method in methods}
    truth = [y[test].tolist() for _, test in splits]
    store = None
    if resume is not None:
        known = fingerprint(corpus, methods, protocol, version("textspace"))
        store = RunStore(resume, known, check=partial(_check_kept, described, truth, len(classes)))

    unlabelled = _unlabelled_rows(corpus, labels)

    def documents_of(repeat, method):
        more = unlabelled if method.unlabelled else ()
        wanted = {"scheme": method.scheme, "bigrams": method.bigrams, "unlabelled": more}
        return vectorise(corpus, *splits[repeat], space=space, **wanted)

    settings = {"classes": classes, "cv": cv, "oracle": oracle, "random_state": random_state}
    runs = run_methods(
        methods, len(splits), documents_of, settings, store=store, n_jobs=n_jobs, progress=progress
    )
    on_words = {
        method.name for method in methods if method.scheme not in ("trigrams", "texts") and not method.bigrams
    }
    widths = (run["n_terms"] for run in runs if run["method"] in on_words)
    n_terms = next((width for width in widths if width is not None), None)
    return Comparison(
        corpus=_describe_corpus(corpus, classes, y, splits, n_terms)
        | {"n_unlabelled": len(unlabelled), "tree": None if tree is None else tree.to_dict()},
        protocol=protocol | {"baseline": baseline or ("svm" if "svm" in names else names[0])},
        environment=environment(),
        methods=described,
        truth=truth,
        runs=runs,
        map=_map(methods, runs, documents_of, corpus.subset(splits[0][1]), classes, random_state),
    )


def _check_kept(methods, truth, n_classes, run):
    """Raise a ValueError if a run that was kept is not whole, or of an earlier form."""
    check_run(run, methods, truth, n_classes)
    if not run.keys() >= {*RESULTS}:
        raise ValueError("it lacks some results")


def _usable_labels(corpus):
    """Labels with "" for each document that takes no part; ValueError unless there are two classes."""
    if getattr(corpus, "several", False):
        raise ValueError(
            f"the corpus {corpus.name!r} has several labels a document: compare_multilabel takes it."
        )
    labels = np.asarray(corpus.labels, dtype=str)
    if corpus.split is not None:
        labels = np.where(corpus.split == "unlabelled", "", labels)
    classes = np.unique(labels[labels != ""])
    if len(classes) < 2:
        found = f"only the class {str(classes[0])!r}" if len(classes) else "no labelled document"
        raise ValueError(
            f"the corpus {corpus.name!r} holds {found}: a comparison needs two classes or more, so check the "
            "labels and where they are taken from."
        )
    return labels


def _usable_tree(corpus, labels):
    """Make the tree of the classes, None without one; ValueError if labels are not its leaves."""
    if corpus.tree is None:
        return None
    from textspace.tree import as_tree

    tree = as_tree(corpus.tree)
    try:
        tree.check_labels(labels[labels != ""])
    except ValueError as error:
        raise ValueError(f"the labels of {corpus.name!r} do not fit its tree: {error}") from error
    return tree


def _unlabelled_rows(corpus, labels):
    """Positions of the documents from which a method may learn without a label; never test documents."""
    tested = False if corpus.split is None else corpus.split == "test"
    return np.flatnonzero((labels == "") & ~tested)


def _with_twins(methods, corpus, labels):
    """Beside each method that learns from unlabelled documents, where there are any, put it without them."""
    if not len(_unlabelled_rows(corpus, labels)):
        return methods
    return [
        each
        for method in methods
        for each in ([method, labelled_twin(method)] if method.unlabelled else [method])
    ]


def draw_splits(corpus, labels, split, train_share, repeats, folds, random_state):
    """Give the splits, and how they were drawn as it stands in the protocol."""
    if split == "auto":
        drawn = "folds" if folds is not None else "share"
        split = "given" if folds is train_share is None and corpus.split is not None else drawn
    unfit = {"given": (folds, train_share), "share": (folds,), "folds": (train_share,)}
    if split not in unfit:
        raise ValueError(f"split is {split!r}: choose from auto, given, share, folds.")
    if any(value is not None for value in unfit[split]) or (split == "given" and repeats != 1):
        raise ValueError(
            f"split={split!r} does not go with folds={folds}, train_share={train_share}, repeats={repeats}: "
            "folds is for split='folds', train_share for 'share', repeats for both."
        )
    if split == "given":
        if corpus.split is None:
            raise ValueError(
                f"the corpus {corpus.name!r} has no split of its own: draw one, train_share=0.7."
            )
        splits = given_split(labels, corpus.split)
    elif split == "share":
        train_share = 0.7 if train_share is None else train_share
        splits = share_splits(labels, train_share, repeats=repeats, random_state=random_state)
    else:
        folds = 10 if folds is None else folds
        splits = fold_splits(labels, folds, repeats=repeats, random_state=random_state)
    return splits, {"split": split, "train_share": train_share, "repeats": repeats, "folds": folds}


def _map(methods, runs, documents_of, tested, classes, random_state):
    """Draw the space of the projection with the highest mean micro F1, as it was in the first split."""
    best, best_score, best_run = None, -1.0, None
    for method in methods:
        own = [run for run in runs if run["method"] == method.name and run["error"] is None]
        # A space as wide as the documents, such as all terms folded into a tensor, is no projection.
        if own and own[0]["repeat"] == 0 and own[0]["n_dimensions"] < own[0]["n_terms"]:
            score = np.mean([run["scores"]["micro_f1"] for run in own])
            if score > best_score:
                best, best_score, best_run = method, score, own[0]
    if best is None:
        return None
    documents = documents_of(0, best)
    chosen = {name: [value] for name, value in _chosen(best, best_run).items()}
    estimator, _, _ = tune(best.build(), chosen, documents, cv=None, random_state=random_state)
    points = document_map(
        estimator, documents, tested.texts, classes, places=tested.places, random_state=random_state
    )
    return {"method": best.name, "repeat": 0, **points}


def _chosen(method, run):
    """Find the values of the grid that a run names: JSON may have changed their type."""
    return {
        name: next(  # none where the grid was widened
            (value for value in values if plain({name: value})[name] == run["params"][name]),
            run["params"][name],
        )
        for name, values in method.grid.items()
    }


def _describe_corpus(corpus, classes, y, splits, n_terms):
    train, test = splits[0]
    untaught = [classes[c] for c in np.setdiff1d(y[test], y[train])]
    notes = list(corpus.notes)
    if np.sum(y < 0):
        notes.append(
            f"{np.sum(y < 0)} documents without a label: only methods that learn from unlabelled documents "
            "use them."
        )
    if untaught:
        notes.append(f"No training document teaches the classes {', '.join(untaught)} of the test documents.")
    untested = [classes[c] for c in np.setdiff1d(y[train], y[test])]
    if untested:
        notes.append(
            f"No test document has the classes {', '.join(untested)}: macro averages leave them out."
        )
    lengths = (
        corpus.texts.sum(axis=1) if sparse.issparse(corpus.texts) else [len(t.split()) for t in corpus.texts]
    )
    return {
        "name": corpus.name,
        "n_train": len(train),
        "n_test": len(test),
        "n_terms": n_terms,
        "classes": classes.tolist(),
        "train_sizes": np.bincount(y[train], minlength=len(classes)).tolist(),
        "test_sizes": np.bincount(y[test], minlength=len(classes)).tolist(),
        "mean_length": float(np.mean(lengths)),
        "notes": notes,
    }


def _describe_method(method):
    return {
        "title": method.title,
        "summary": method.summary,
        "paper": method.paper,
        "grid": plain({name: list(values) for name, values in method.grid.items()}),
        "scheme": method.scheme,
        "bigrams": method.bigrams,
        "unlabelled": method.unlabelled,
        "open_ended": list(method.open_ended),
    }


def environment():
    """Give versions, platform and date."""
    packages = ("textspace", "numpy", "scipy", "scikit-learn", "numba")
    return {
        **{name: version(name) for name in packages},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
