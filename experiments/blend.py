"""The default classifier against linear ones, with many labels and few, with and without unlabelled text."""

import warnings
from functools import cache
from time import process_time
from typing import NamedTuple

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, linear_svm, vector_space
from experiments.experiment import Experiment, save_figure
from experiments.few_labels import with_the_others
from experiments.markdown import mean_of, number, select, table
from experiments.records import Records

CORPORA = {
    "reuters-r52": "Reuters R52",
    "20newsgroups": "20 Newsgroups",
    "ohsumed-23": "Ohsumed-23",
    "tdt2-30": "TDT2-30",
}
# Name -> share of each class that has labels (at least two documents), or their number.
REGIMES = {"10 a class": 10, "5 %": 0.05, "10 %": 0.1, "all": 1.0}
REPEATS = 5
TESTS = ("s", "S", "T")
CONTENDERS = {
    "blend": "blend",
    "svm": "LinearSVC",
    "calibrated-svm": "LinearSVC, calibrated",
    "logreg": "logistic regression",
    "nb": "complement naive Bayes",
    "blend-unlabelled": "blend, with unlabelled text",
    "svm-unlabelled": "LinearSVC, self-training with unlabelled text",
}
COLOURS = {
    "blend": "#1f5fa8",
    "svm": "#c2571a",
    "calibrated-svm": "#e3a063",
    "logreg": "#3fa7a0",
    "nb": "#999999",
    "blend-unlabelled": "#1f5fa8",
    "svm-unlabelled": "#c2571a",
}


def tasks():
    """Give one task a draw: five for few labels and for the halves of TDT2, one for a corpus's own split."""
    return [
        {"corpus": corpus, "regime": regime, "seed": seed}
        for corpus in CORPORA
        for regime in REGIMES
        for seed in range(1 if regime == "all" and corpus != "tdt2-30" else REPEATS)
    ]


@cache
def halves(corpus, seed):
    """Give the training and the test rows: the corpus's own, or random halves."""
    from textspace.tuning import given_split, share_splits

    corpus = load_once(corpus)
    if corpus.split is not None:
        return given_split(corpus.labels, corpus.split)[0]
    return share_splits(corpus.labels, 0.5, random_state=seed)[0]


def draw_labels(y, amount, *, seed):
    """Choose the documents that keep their labels: a share of each class, at least two, or a number."""
    rng = np.random.default_rng(seed)
    chosen = []
    for label in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == label))
        wanted = amount if amount > 1 else max(2, round(amount * len(rows)))
        chosen.append(rows[:wanted])
    return np.sort(np.concatenate(chosen))


@cache
def weigh_all(corpus, seed):
    """Weigh the rows of all training documents, which is the same for every draw of labels."""
    train, test = halves(corpus, seed)
    return _weigh(load_once(corpus), train, test)


def _weigh(corpus, learned, test):
    from textspace.tuning import vectorise

    space = vector_space("ltc", bigrams=True)
    return vectorise(corpus, learned, test, space=space, scheme="ltc", bigrams=True)


def measure(corpus, regime, seed):
    """Give a record for each method."""
    own = seed if load_once(corpus).split is None else 0
    train, test = halves(corpus, own)
    everything = weigh_all(corpus, own)
    if regime == "all":
        found = _fit(everything)
    else:
        kept = draw_labels(everything.y_train, REGIMES[regime], seed=seed)
        few = _weigh(load_once(corpus), train[kept], test)
        found = _fit(few)
        partly = with_the_others(everything, kept)
        found |= _fit_unlabelled(partly, found["svm"].model.best_estimator_)
    return [
        {
            "method": name,
            "n_labelled": int(np.sum(fitted.documents.y_train != "")),
            "seconds": fitted.seconds,
            **_scored(fitted),
            **_tested(found["blend"], fitted, "blend"),
            **(_tested(found["blend-unlabelled"], fitted, "unlabelled") if len(found) > 5 else {}),
        }
        for name, fitted in found.items()
    ]


class Fitted(NamedTuple):
    """A model, the documents it was fitted on, its answers on the test documents, and the seconds it took."""

    model: object
    documents: object
    answers: np.ndarray
    seconds: float


def _fit(documents):
    """Fit the methods that need labels."""
    svm = _fitted(_search(linear_svm(), {"C": [0.1, 1.0, 10.0]}), documents)
    logreg = estimator(
        "sklearn.linear_model.LogisticRegression",
        C=1.0,
        l1_ratio=0.0,
        tol=1e-3,
        max_iter=200,
        solver="lbfgs",
        fit_intercept=True,
        class_weight=None,
    )
    bayes = estimator("sklearn.naive_bayes.ComplementNB", alpha=1.0, fit_prior=True, norm=False)
    return {
        "blend": _fitted(subspace_blend(documents.context["n_words"]), documents),
        "svm": svm,
        "calibrated-svm": _fitted(CalibratedSVM(svm.model.best_estimator_), documents),
        "logreg": _fitted(_search(logreg, {"C": [100.0, 1000.0]}), documents),
        "nb": _fitted(_search(bayes, {"alpha": [0.1, 0.3, 1.0]}), documents),
    }


def _fit_unlabelled(documents, svm):
    """Fit the methods that take documents without a label."""
    return {
        "blend-unlabelled": _fitted(subspace_blend(documents.context["n_words"]), documents),
        "svm-unlabelled": _fitted(self_training(svm), documents),
    }


def self_training(svm):
    """Give the machine that learns again from its surest answers."""
    return estimator(
        "textspace.classify.SelfTraining",
        estimator=svm,
        threshold=0.7,
        quota=0.5,
        weight=0.5,
        n_rounds=3,
        cv=5,
    )


def subspace_blend(n_words):
    """Give our default classifier; so many columns are single words."""
    return estimator(
        "textspace.classify.SubspaceBlend",
        alpha=0.3,
        n_words=n_words,
        n_components=200,
        n_folds=5,
        random_state=0,
    )


def _fitted(model, documents):
    started = process_time()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # some have two documents
        model.fit(documents.X_train, documents.y_train)
    seconds = process_time() - started
    return Fitted(model, documents, model.predict(documents.X_test), seconds)


def _search(estimator, grid):
    from sklearn.model_selection import GridSearchCV

    return GridSearchCV(estimator, grid, cv=3)


class CalibratedSVM:
    """A linear SVM whose decision values are calibrated as the scores of the blend are."""

    def __init__(self, svm):
        self.svm = svm

    def fit(self, X, y):
        """Fit the machine, and its calibration on folds that are held out in turn."""
        from sklearn.base import clone

        from textspace.classify import fit_calibration
        from textspace.tuning import held_out_values

        self.classes_, codes = np.unique(y, return_inverse=True)
        values, truth = held_out_values(self.svm, X, codes, n_folds=5)
        self.calibration_ = fit_calibration([values], truth)
        self.svm_ = clone(self.svm).fit(X, y)
        return self

    def predict_proba(self, X):
        """Give the probabilities of the classes."""
        from scipy.special import softmax

        return softmax(self.calibration_([self.svm_.decision_function(X)]), axis=1)

    def predict(self, X):
        """Give the most probable class of each document."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _scored(fitted):
    from textspace.evaluation import calibration_error, scores

    truth = fitted.documents.y_test
    found = scores(truth, fitted.answers)
    record = {"micro": found["micro_f1"], "macro": found["macro_f1"], "error": None}
    if hasattr(fitted.model, "predict_proba"):
        confidence = fitted.model.predict_proba(fitted.documents.X_test).max(axis=1)
        record["error"] = calibration_error(confidence, fitted.answers == truth)
    return record


def _tested(blend, other, name):
    """Give the marks of the tests of a blend against another method; ``>`` where the blend is better."""
    from textspace.evaluation import significance

    tests = significance(blend.documents.y_test, blend.answers, other.answers)
    return {f"{name} {test}": getattr(tests, test).mark for test in TESTS}


def report(records):
    """Give a table for each corpus."""
    parts = []
    headings = ["labels", "method", "micro F1", "spread", "macro F1", "calibration error"]
    headings += ["blend: s, S, T", "paired p", "blend with unlabelled text: s, S, T", "paired p", "s"]
    for corpus, title in CORPORA.items():
        rows = [
            _row(select(records, corpus=corpus, regime=regime), method)
            for regime in REGIMES
            for method in CONTENDERS
        ]
        parts.append(f"## {title}\n\n{table(headings, [row for row in rows if row])}\n")
    return "\n".join(parts)


def _row(records, method):
    found = select(records, method=method)
    if not found:
        return None
    micro = [record["micro"] for record in found]
    tests = []
    for blend, name in (("blend", "blend"), ("blend-unlabelled", "unlabelled")):
        against = select(records, method=blend)
        same = method == blend or not against
        tests += ["", ""] if same else [_marks(found, name), _paired(against, found)]
    return [
        f"{found[0]['regime']} ({found[0]['n_labelled']})",
        CONTENDERS[method],
        number(np.mean(micro)),
        number(np.std(micro, ddof=1)) if len(micro) > 1 else "",
        number(mean_of(found, "macro")),
        number(mean_of(found, "error"), 3),
        *tests,
        number(mean_of(found, "seconds"), 1),
    ]


def _marks(found, name):
    """Give the marks of one split, or how many of several say that the blend is better or worse."""
    marks = [[record[f"{name} {test}"] for record in found] for test in TESTS]
    if len(found) == 1:
        return ", ".join(mark for [mark] in marks)
    return ", ".join(f"{sum('>' in m for m in each)}/{sum('<' in m for m in each)}" for each in marks)


def _paired(blend, other):
    """Give the p value of the paired t-test over the draws, with the sign of the difference."""
    from scipy.stats import ttest_rel

    if len(blend) < 2:
        return ""
    pairs = [[record["micro"] for record in records] for records in (blend, other)]
    test = ttest_rel(*pairs)
    p_value = "< 0.001" if test.pvalue < 0.001 else f"{test.pvalue:.3f}"
    return f"{'+' if test.statistic > 0 else '-'} {p_value}"


def draw(records, folder):
    """Draw micro F1 by the number of labels, a panel for each corpus."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(CORPORA), figsize=(11, 3.4), layout="constrained")
    for axis, (corpus, title) in zip(axes, CORPORA.items(), strict=True):
        for method, name in CONTENDERS.items():
            values = [
                mean_of(records, "micro", corpus=corpus, regime=regime, method=method) for regime in REGIMES
            ]
            curve = np.array(values, dtype=float)
            style = {"color": COLOURS[method], "marker": "o", "markersize": 4}
            if method.endswith("unlabelled"):
                style |= {"linestyle": "--", "markerfacecolor": "white"}
            axis.plot(range(1, len(REGIMES)), curve[1:], label=name, **style)
            axis.plot(0, curve[0], **style)  # ten a class have other shares: no line leads from there
        axis.set(title=title, xticks=range(len(REGIMES)), xticklabels=REGIMES)
        axis.tick_params(axis="x", labelrotation=30)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("micro F1")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return [save_figure(figure, folder / "figure.svg")]


BLEND = Experiment(
    name="blend",
    title="The blend, our default classifier, against linear classifiers",
    summary="Unit ltc rows of Porter stems and of pairs of adjacent ones (TDT2: of its terms), stop words "
    "removed. Labels: a share of each class, at least two documents, or ten a class, drawn five times; *all* "
    "is the corpus's own split, or five random halves of TDT2. The first five methods have the same rows, "
    "those of the labelled documents. The last two are given the other training documents too, without "
    "labels; terms and their weights then come from all. C of LinearSVC (.1, 1, 10) and of logistic "
    "regression (100, 1000) and the smoothing of naive Bayes (.1, .3, 1) are chosen by 3-fold "
    "cross-validation. *Calibrated* is LinearSVC with its C, its decision values weighed and shifted class "
    "by class as the scores of the blend are, on five folds that are held out in turn. Figures are means "
    "over the draws; *spread* is their standard deviation. Macro F1 is the mean over the classes. The "
    "calibration error is the expected one over 15 bins. Tests are of the blend, without and with unlabelled "
    "text, against the method of the line: Yang and Liu's s, S and T, `>` where the blend is better at "
    "p <= .05, or `better/worse` draws at that level; and a paired t-test of micro F1 over the draws, with "
    "the sign of the difference. The last column is processor time of fitting, in seconds, with the search.",
    results=Records(tasks, measure),
    report=report,
    draw=draw,
)
