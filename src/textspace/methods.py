"""The catalogue of methods: what each is, how to build it, which settings to try.

The comparison, the report and the command line read it; nothing else lists methods. A new method is one more
entry here.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module

__all__ = [
    "BASELINES",
    "DEFAULT_METHODS",
    "METHODS",
    "Method",
    "find_methods",
    "for_several_labels",
    "labelled_twin",
]


@dataclass(frozen=True)
class Method:
    """One way to classify documents.

    Parameters
    ----------
    name : str
        Name on the command line, ``"lrwmmc"``.
    title : str
        Name in tables, ``"LRWMMC"``.
    summary : str
        One line that a newcomer understands.
    paper : str
        Where the method comes from.
    build : callable
        ``build()`` gives a new, unfitted scikit-learn classifier for a document matrix. A method that
        projects is a ``Pipeline``, most with the steps ``"space"`` and ``"classify"``: all steps before the
        last lead into the space, and settings of the last are tried without fitting them again.
    grid : mapping of str to sequence
        Hyper-parameters to be searched on training documents, named as in ``set_params``; ``{}`` for none.
    scheme : str, default="tfidf"
        Term weights of the document matrix, as in :class:`textspace.text.VectorSpace`; or ``"trigrams"`` for
        the trigrams of characters of :class:`textspace.text.TrigramTensorSpace`, which needs texts, or
        ``"texts"`` for the texts themselves, of which ``build()`` makes what it needs.
    bigrams : bool, default=False
        Whether pairs of adjacent words have columns too, behind those of the words.
    unlabelled : bool, default=False
        Whether the method learns from documents without a label too. They come with the empty string for a
        label, behind the labelled ones; terms and their weights are then learned from all.
    tree : bool, default=False
        Whether the method uses the tree of the classes, where there is one. It is told to every parameter
        ``tree`` of the estimator.
    several : bool, default=False
        Whether the method learns from documents of several labels, as :func:`for_several_labels` makes it.
    open_ended : sequence of str, default=()
        Settings of the grid, in half decades (.3, 1, 3), that are tried beyond its ends too where that gains.

    Examples
    --------
    Other settings for a method of the catalogue:

    >>> from dataclasses import replace
    >>> replace(METHODS["knn"], grid={"n_neighbors": [1, 3]}).grid
    {'n_neighbors': [1, 3]}
    """

    name: str
    title: str
    summary: str
    paper: str
    build: Callable
    grid: Mapping[str, Sequence]
    scheme: str = "tfidf"
    bigrams: bool = False
    unlabelled: bool = False
    tree: bool = False
    several: bool = False
    open_ended: Sequence[str] = ()


def labelled_twin(method):
    """Give the same method, told to learn from labelled documents only, under a name of its own.

    Parameters
    ----------
    method : Method
        One that learns from unlabelled documents.

    Returns
    -------
    Method
        Its twin.

    Examples
    --------
    >>> labelled_twin(METHODS["sda"]).title
    'SDA (labelled only)'
    """
    return replace(
        method,
        name=f"{method.name}-labelled",
        title=f"{method.title} (labelled only)",
        unlabelled=False,
    )


def for_several_labels(method):
    """Give a method as it learns from documents of several labels.

    Parameters
    ----------
    method : Method
        One of the catalogue, or any other.

    Returns
    -------
    Method
        ``build()`` gives a classifier that takes an indicator matrix: that of the method, or one machine a
        label (:class:`textspace.classify.OneAgainstRest`) where it takes one class a document.

    Raises
    ------
    ValueError
        The method needs one label a document.

    Examples
    --------
    >>> for_several_labels(METHODS["svm"]).grid
    {'estimator__C': [0.3, 1.0, 3.0, 10.0]}
    """
    if not method.several:
        able = [name for name, other in METHODS.items() if other.several]
        raise ValueError(
            f"the method {method.name!r} learns one label a document: for several labels choose auto, "
            f"{', '.join(able)}."
        )
    from sklearn.utils import get_tags

    from textspace.tuning import pipeline_parts

    _, last, prefix = pipeline_parts(method.build())
    # those of others may have lists of probabilities, one for each label
    has_values = hasattr(last, "decision_function") or type(last).__module__.startswith("textspace.")
    if get_tags(last).classifier_tags.multi_label and has_values:
        return method

    def within(name):
        own = name.removeprefix(prefix)
        return f"{prefix}estimator__{own}" if name.startswith(prefix) else name

    return replace(
        method,
        build=partial(_one_against_rest, method.build),
        grid={within(name): values for name, values in method.grid.items()},
        open_ended=tuple(map(within, method.open_ended)),
    )


def _one_against_rest(build):
    """Build a method with one machine a label in place of its classifier."""
    from sklearn.pipeline import Pipeline

    estimator = build()
    steps = estimator.steps if isinstance(estimator, Pipeline) else [("classify", estimator)]
    name, last = steps[-1]
    if getattr(last, "solver", None) == "lbfgs":  # whose gradient is small from the start for a rare label
        last.set_params(tol=1e-5)
    around = _estimator("textspace.classify.OneAgainstRest", estimator=last)
    return Pipeline([*steps[:-1], (name, around)]) if len(steps) > 1 else around


def find_methods(names):
    """Look up methods in the catalogue.

    Parameters
    ----------
    names : str, or iterable of str or Method
        Names, separated by commas in a string; of methods, of baselines, or ``"module:Class"`` for an
        estimator of one's own, made without arguments. It is given rows, or texts if its tags say that it
        takes strings. A :class:`Method` stands for itself.

    Returns
    -------
    list of Method
        In the given order.

    Examples
    --------
    >>> [method.title for method in find_methods("lsi,svm")]
    ['LSI', 'Linear SVM']
    >>> find_methods("sklearn.linear_model:RidgeClassifier")[0].title
    'RidgeClassifier'
    """
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    methods = [name if isinstance(name, Method) else _look_up(name) for name in names]
    taken = [method.name for method in methods]
    if not taken:
        raise ValueError(f"name at least one method of {', '.join(METHODS)}.")
    if len(set(taken)) < len(taken):
        twice = next(name for name in taken if taken.count(name) > 1)
        raise ValueError(f"the method {twice!r} is named twice: give each its own name.")
    return methods


def _look_up(name):
    if ":" in name:
        return _own(name)
    known = METHODS | BASELINES
    if name not in known:
        raise ValueError(
            f"there is no method {name!r}: choose from {', '.join(known)}, or name an estimator as "
            "module:Class."
        )
    return known[name]


def _own(name):
    """Make a method of an estimator that is named by its module and class."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils import get_tags

    estimator = _build_own(name)
    first = estimator.steps[0][1] if isinstance(estimator, Pipeline) else estimator
    takes_texts = get_tags(first).input_tags.string
    path, _, title = name.partition(":")
    return Method(
        name=name,
        title=title,
        summary=f"{title} of {path}.",
        paper="An estimator of one's own",
        build=partial(_build_own, name),
        grid={},
        scheme="texts" if takes_texts else "tfidf",
        several=not takes_texts,
    )


def _build_own(name):
    path, _, title = name.partition(":")
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)  # a module that lies where the command is given
    try:
        estimator = getattr(import_module(path), title)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{name} cannot be made: {error}: name a classifier as module:Class.") from error
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise ValueError(f"{name} is no classifier: it needs fit and predict.")
    return estimator


def _estimator(path, **params):
    """Build the estimator at a dotted path; imported only here, so that the catalogue itself is light."""
    module, name = path.rsplit(".", 1)
    return getattr(import_module(module), name)(**params)


def _projection(path, metric="euclidean", **params):
    """Build a projection followed by the nearest neighbour in its space."""
    return _pipeline(
        _estimator(path, **params), _estimator("textspace.classify.NearestDocuments", metric=metric)
    )


def _vote(path, **params):
    """Build a projection followed by the vote of the nearest neighbours in its space."""
    vote = _estimator("textspace.classify.NearestDocuments", n_neighbors=20, metric="cosine")
    return _pipeline(_estimator(path, **params), vote)


def _pipeline(space, classify):
    from sklearn.pipeline import Pipeline

    return Pipeline([("space", space), ("classify", classify)])


def _projection_of_all(path, **params):
    """Build a projection that learns from unlabelled documents too, followed by the nearest labelled one."""
    nearest = _estimator("textspace.classify.NearestDocuments")
    return _pipeline(
        _estimator(path, **params), _estimator("textspace.classify.LabelledOnly", estimator=nearest)
    )


def _words_and_pairs(classify, *, binary=False):
    """Build a classifier of texts as most people would: scikit-learn's vectoriser of words and pairs."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    if binary:
        return _pipeline(CountVectorizer(binary=True, ngram_range=(1, 2), dtype=float), _estimator(classify))
    return _pipeline(TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)), _estimator(classify))


def _letters(classify):
    """Build a classifier of 2 to 5 letters within words."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    space = TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(2, 5))
    return _pipeline(space, _estimator(classify))


def _self_training():
    """Build self-training of least squares on terms, and on the LSI of all text beside them."""
    from sklearn.pipeline import FeatureUnion, Pipeline
    from sklearn.preprocessing import Normalizer

    lsi = Pipeline(
        [("project", _estimator("textspace.linear.LSI", n_components=200)), ("norm", Normalizer())]
    )
    classify = _estimator(
        "textspace.classify.SelfTraining", estimator=_estimator("textspace.classify.RLSC", lambdas=0.3)
    )
    return _pipeline(FeatureUnion([("terms", "passthrough"), ("lsi", lsi)]), classify)


def _support_tensor_machine():
    space = _estimator("textspace.text.FoldedTensorSpace", shape=(None, 50))
    return _pipeline(space, _estimator("textspace.tensor.SupportTensorMachine", tensor_shape=(None, 50)))


def _sampled_least_squares():
    selector = _estimator("textspace.selection.TermSelector", n_terms=2000, exact_budget=True)
    return _pipeline(selector, _estimator("textspace.classify.RLSC"))


_METRICS = {"classify__metric": ["euclidean", "cosine"]}
_METRICS_OF_ALL = {"classify__estimator__metric": ["euclidean", "cosine"]}
_WIDTHS = {"space__sigma": [2**0.5, 8**0.5, 32**0.5]}

_ENTRIES = [
    Method(
        name="lsi",
        title="LSI",
        summary="Nearest neighbour in the space of the strongest singular vectors; ignores labels.",
        paper="Deerwester et al., Indexing by latent semantic analysis, JASIS 1990",
        build=partial(_projection, "textspace.linear.LSI", n_components=100),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="clsi",
        title="CLSI",
        summary="Nearest neighbour in the space joined from the singular vectors of each class.",
        paper="Gallopoulos and Zeimpekis, CLSI: a flexible approximation scheme from clustered term-document "
        "matrices, SDM 2005",
        build=partial(_projection, "textspace.linear.CLSI"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="local-lsi",
        title="Local LSI",
        summary="As CLSI, but the region of a class also holds the documents most easily taken for it.",
        paper="Schuetze, Hull and Pedersen, A comparison of classifiers and document representations for the "
        "routing problem, SIGIR 1995",
        build=partial(_projection, "textspace.linear.LocalLSI"),
        grid=_METRICS,
    ),
    Method(
        name="lrw-lsi",
        title="LRW-LSI",
        summary="As local LSI, but documents count by how relevant they are to the class.",
        paper="Liu et al., Improving text classification using local latent semantic indexing, ICDM 2004",
        build=partial(_projection, "textspace.linear.LocalRelevanceWeightedLSI"),
        grid=_METRICS,
    ),
    Method(
        name="sprinkled-lsi",
        title="Sprinkled LSI",
        summary="LSI of documents to which words were added that stand for their classes.",
        paper="Chakraborti et al., Supervised latent semantic indexing using adaptive sprinkling, IJCAI 2007",
        build=partial(_projection, "textspace.linear.SprinkledLSI"),
        grid={"space__adaptive": [False, True], **_METRICS},
    ),
    Method(
        name="cm",
        title="Class centroids",
        summary="Nearest neighbour in the space spanned by the mean document of each class.",
        paper="Zeimpekis and Gallopoulos, Linear and non-linear dimensional reduction via class "
        "representatives for text classification, ICDM 2006",
        build=partial(_projection, "textspace.linear.ClassCentroids"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="mmc",
        title="MMC",
        summary="Nearest neighbour in the space where class means are far apart and classes are tight.",
        paper="Li, Jiang and Zhang, Efficient and robust feature extraction by maximum margin criterion, "
        "NIPS 2003",
        build=partial(_projection, "textspace.linear.MaximumMarginCriterion"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="lda",
        title="SR-LDA",
        summary="Nearest neighbour in the space of linear discriminants, found by ridge regression.",
        paper="Cai, He and Han, Training linear discriminant analysis in linear time, ICDE 2008",
        build=partial(_projection, "textspace.linear.SpectralRegressionLDA", alpha=1.0),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="dne",
        title="DNE",
        summary="Nearest neighbour in the space that draws near neighbours of a class, pushes away others.",
        paper="Zhang et al., Optimal dimensionality of metric space for classification, ICML 2007",
        build=partial(_projection, "textspace.linear.DNE", n_components=100),
        grid={"space__n_neighbors": [1, 3, 5], **_METRICS},
    ),
    Method(
        name="lrwmmc",
        title="LRWMMC",
        summary="As DNE, but neighbours count by how relevant (similar) they are to the document.",
        paper="Gu and Zhou, Local relevance weighted maximum margin criterion for text classification, "
        "SDM 2009",
        build=partial(_projection, "textspace.linear.LRWMMC", n_components=100),
        grid={"space__n_neighbors": [3, 5, 10], **_METRICS},
    ),
    Method(
        name="lpp",
        title="LPP",
        summary="Nearest neighbour in the space that keeps similar documents near; ignores labels.",
        paper="Cai, He and Han, Document clustering using locality preserving indexing, TKDE 2005",
        build=partial(_projection, "textspace.linear.LPP"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="mfa",
        title="MFA",
        summary="Nearest neighbour in the space with a wide margin between neighbours of different classes.",
        paper="Yan et al., Graph embedding and extensions: a general framework for dimensionality reduction, "
        "PAMI 2007",
        build=partial(_projection, "textspace.linear.MFA"),
        grid=_METRICS,
    ),
    Method(
        name="dgpp",
        title="DGPP",
        summary="Nearest neighbour where classes are apart and each document lies where its class puts it.",
        paper="Song and Tao, Biologically inspired feature manifold for scene classification, TIP 2010",
        build=partial(_projection, "textspace.linear.DGPP"),
        grid={"space__alpha": [0.5, 1.0, 2.0]},
    ),
    Method(
        name="sda",
        title="SDA",
        summary="As SR-LDA, but unlabelled documents tell which documents are to stay near each other.",
        paper="Cai, He and Han, Semi-supervised discriminant analysis, ICCV 2007",
        build=partial(_projection_of_all, "textspace.linear.SDA"),
        grid={"space__smoothness": [0.0, 0.001, 0.01], **_METRICS_OF_ALL},
        unlabelled=True,
    ),
    Method(
        name="ss-lrwmmc",
        title="SS-LRWMMC",
        summary="As LRWMMC, but unlabelled documents tell which documents are to stay near each other.",
        paper="Gu and Zhou, Local relevance weighted maximum margin criterion for text classification, "
        "SDM 2009",
        build=partial(_projection_of_all, "textspace.linear.SemiSupervisedLRWMMC"),
        grid={"space__smoothness": [0.0, 4**-3, 4**-2], **_METRICS_OF_ALL},
        unlabelled=True,
    ),
    Method(
        name="em-nb",
        title="EM naive Bayes",
        summary="Naive Bayes in which unlabelled documents count for each class by its probability.",
        paper="Nigam et al., Text classification from labeled and unlabeled documents using EM, "
        "Machine Learning 2000",
        build=partial(_estimator, "textspace.classify.EMNaiveBayes"),
        grid={"alpha": [0.001, 0.01, 0.1], "weight": [0.0, 0.1, 1.0]},
        unlabelled=True,
    ),
    Method(
        name="self-training",
        title="Self-training",
        summary="RLSC on terms and LSI that learns again from its surest answers on unlabelled documents.",
        paper="Yarowsky, Unsupervised word sense disambiguation rivaling supervised methods, ACL 1995",
        build=_self_training,
        grid={},
        scheme="ltc",
        unlabelled=True,
    ),
    Method(
        name="k-lsi",
        title="K-LSI",
        summary="Vote of the 20 nearest neighbours in the space of 50 singular vectors; ignores labels.",
        paper="Quan et al., Adaptive label-driven scaling for latent semantic indexing, SIGIR 2008",
        build=partial(_vote, "textspace.linear.LSI", n_components=50),
        grid={},
        several=True,
    ),
    Method(
        name="nadp",
        title="NADP",
        summary="As K-LSI, but words in the names of categories weigh more.",
        paper="Quan et al., Adaptive label-driven scaling for latent semantic indexing, SIGIR 2008",
        build=partial(_vote, "textspace.linear.LabelDrivenLSI", adaptive=False),
        grid={},
        tree=True,
    ),
    Method(
        name="slsi",
        title="SLSI",
        summary="As NADP, the words of a category that holds many others weighing less.",
        paper="Quan et al., Adaptive label-driven scaling for latent semantic indexing, SIGIR 2008",
        build=partial(_vote, "textspace.linear.LabelDrivenLSI"),
        grid={},
        tree=True,
    ),
    Method(
        name="lsk",
        title="LSK",
        summary="LSI by comparison with the training documents through a Gaussian kernel; ignores labels.",
        paper="Cristianini, Shawe-Taylor and Lodhi, Latent semantic kernels, ICML 2001",
        build=partial(_projection, "textspace.kernel.KernelLSI", metric="cosine"),
        grid=_WIDTHS,
        several=True,
    ),
    Method(
        name="kda",
        title="SR-KDA",
        summary="Linear discriminants by comparison with the training documents through a Gaussian kernel.",
        paper="Cai, He and Han, Efficient kernel discriminant analysis via spectral regression, ICDM 2007",
        build=partial(_projection, "textspace.kernel.SpectralRegressionKDA", metric="cosine"),
        grid=_WIDTHS,
        several=True,
    ),
    Method(
        name="klrwmmc",
        title="Kernel LRWMMC",
        summary="LRWMMC by comparison with the training documents through a Gaussian kernel.",
        paper="Gu and Zhou, Local relevance weighted maximum margin criterion for text classification, "
        "SDM 2009",
        build=partial(_projection, "textspace.kernel.KernelLRWMMC"),
        grid=_WIDTHS,
    ),
    Method(
        name="kernel-dgpp",
        title="Kernel DGPP",
        summary="DGPP by comparison with landmarks among the training documents through a Gaussian kernel.",
        paper="Wang and Sun, Efficient kernel discriminative geometry preserving projection for document "
        "classification",
        build=partial(_projection, "textspace.kernel.KernelDGPP", approximation="nystroem"),
        grid=_WIDTHS,
    ),
    Method(
        name="kdgpp",
        title="KDGPP",
        summary="DGPP in the space of a kernel that is learned from labels and neighbourhoods of landmarks.",
        paper="Wang and Sun, Efficient kernel discriminative geometry preserving projection for document "
        "classification",
        build=partial(_projection, "textspace.kernel.KDGPP"),
        grid={},
    ),
    Method(
        name="hosvd",
        title="HOSVD",
        summary="LSI for letter trigrams: a few directions for each of the three letters; ignores labels.",
        paper="Liu et al., Text representation: from vector to tensor, ICDM 2005",
        build=partial(_projection, "textspace.tensor.HOSVD"),
        grid=_METRICS,
        scheme="trigrams",
        several=True,
    ),
    Method(
        name="tlrwmmc",
        title="Tensor LRWMMC",
        summary="LRWMMC for letter trigrams: a few directions for each of the three letters.",
        paper="Gu and Zhou, Local relevance weighted maximum margin criterion for text classification, "
        "SDM 2009",
        build=partial(_projection, "textspace.tensor.TensorLRWMMC"),
        grid=_METRICS,
        scheme="trigrams",
    ),
    Method(
        name="stm",
        title="STM",
        summary="Support tensor machine: terms folded into a matrix, one weight a row and one a column.",
        paper="Cai et al., Support tensor machines for text categorization, UIUCDCS-R-2006-2714, 2006",
        build=_support_tensor_machine,
        grid={"classify__C": [1.0, 10.0]},
        scheme="tf",
        several=True,
    ),
    Method(
        name="nmf",
        title="NMF",
        summary="Nearest neighbour in a space of additive topics; ignores labels.",
        paper="Lee and Seung, Learning the parts of objects by non-negative matrix factorization, "
        "Nature 1999",
        # No grid: one fit takes longer than all of most other methods.
        build=partial(
            _projection, "sklearn.decomposition.NMF", metric="cosine", n_components=50, max_iter=50
        ),
        grid={},
        several=True,
    ),
    Method(
        name="blend",
        title="Subspace blend",
        summary="Calibrated sum of least squares, discriminants and naive Bayes on words and pairs of words.",
        paper="Not from a paper: our default; Wolpert, Stacked generalization, Neural Networks 1992",
        build=partial(_estimator, "textspace.classify.SubspaceBlend"),
        grid={},
        scheme="ltc",
        bigrams=True,
        unlabelled=True,
        several=True,
    ),
    Method(
        name="svm",
        title="Linear SVM",
        summary="One separating plane a class with a wide margin, on all terms.",
        paper="Joachims, Text categorization with support vector machines, ECML 1998",
        build=partial(_estimator, "sklearn.svm.LinearSVC"),
        grid={"C": [0.3, 1.0, 3.0, 10.0]},
        open_ended=("C",),
        several=True,
    ),
    Method(
        name="hsvm",
        title="Top-down SVM",
        summary="A linear SVM at each node of a tree of categories; without a tree, one for all.",
        paper="Dumais and Chen, Hierarchical classification of web content, SIGIR 2000",
        build=partial(_estimator, "textspace.classify.TopDownClassifier"),
        grid={},
        tree=True,
        several=True,
    ),
    Method(
        name="rlsc",
        title="RLSC",
        summary="Regularised least squares, each class against the rest, on all terms.",
        paper="Rifkin, Yeo and Poggio, Regularized least-squares classification, 2003",
        # It chooses its penalty itself.
        build=partial(_estimator, "textspace.classify.RLSC", criterion="squared_error"),
        grid={},
        scheme="ltc",
        several=True,
    ),
    Method(
        name="srls",
        title="SRLS",
        summary="RLSC on 2000 terms, drawn by their part in the leading singular vectors.",
        paper="Dasgupta et al., Feature selection methods for text classification, KDD 2007",
        build=_sampled_least_squares,
        grid={},
        scheme="ltc",
        several=True,
    ),
    Method(
        name="logreg",
        title="Logistic regression",
        summary="Class probabilities from a weighted sum of all terms.",
        paper="Genkin, Lewis and Madigan, Large-scale Bayesian logistic regression for text categorization, "
        "Technometrics 2007",
        build=partial(_estimator, "sklearn.linear_model.LogisticRegression", max_iter=200, tol=1e-3),
        grid={"C": [10.0, 30.0, 100.0]},
        open_ended=("C",),
        several=True,
    ),
    Method(
        name="nb",
        title="Complement naive Bayes",
        summary="Class probabilities from term frequencies outside each class; no tuning to speak of.",
        paper="Rennie et al., Tackling the poor assumptions of naive Bayes text classifiers, ICML 2003",
        build=partial(_estimator, "sklearn.naive_bayes.ComplementNB"),
        grid={"alpha": [0.1, 0.3, 1.0]},
        open_ended=("alpha",),
        several=True,
    ),
    Method(
        name="knn",
        title="kNN",
        summary="Vote of the most similar training documents, on all terms.",
        paper="Yang, An evaluation of statistical approaches to text categorization, "
        "Information Retrieval 1999",
        build=partial(_estimator, "textspace.classify.NearestDocuments", metric="cosine"),
        grid={"n_neighbors": [1, 5, 15, 30]},
        several=True,
    ),
]

METHODS = {method.name: method for method in _ENTRIES}

# What a sceptic would bring: they read texts by themselves, take part in comparisons, and make no model file.
BASELINES = {
    method.name: method
    for method in (
        Method(
            name="svm-sklearn",
            title="TfidfVectorizer + LinearSVC",
            summary="scikit-learn alone: words and pairs of words, logarithms of counts, a linear SVM.",
            paper="Joachims, Text categorization with support vector machines, ECML 1998",
            build=partial(_words_and_pairs, "sklearn.svm.LinearSVC"),
            grid={"classify__C": [0.1, 0.3, 1.0, 3.0]},
            scheme="texts",
            open_ended=("classify__C",),
            several=True,
        ),
        Method(
            name="svm-letters",
            title="Linear SVM, 2 to 5 letters",
            summary="scikit-learn alone: sequences of 2 to 5 letters within words, a linear SVM.",
            paper="Cavnar and Trenkle, N-gram-based text categorization, SDAIR 1994",
            build=partial(_letters, "sklearn.svm.LinearSVC"),
            grid={"classify__C": [0.1, 0.3, 1.0, 3.0]},
            scheme="texts",
            open_ended=("classify__C",),
            several=True,
        ),
        Method(
            name="nb-svm",
            title="NB-SVM",
            summary="A linear SVM a class on words and pairs of words that naive Bayes has weighed.",
            paper="Wang and Manning, Baselines and bigrams: simple, good sentiment and topic classification, "
            "ACL 2012",
            build=partial(_words_and_pairs, "textspace.classify.NBSVM", binary=True),
            grid={"classify__C": [0.01, 0.03, 0.1, 0.3]},
            scheme="texts",
            open_ended=("classify__C",),
            several=True,
        ),
        Method(
            name="fasttext",
            title="fastText",
            summary="Softmax regression on vectors of words and pairs that are learned with it.",
            paper="Joulin et al., Bag of tricks for efficient text classification, EACL 2017",
            build=partial(_estimator, "textspace.classify.FastText"),
            grid={"lr": [0.1, 0.3, 1.0]},
            scheme="texts",
            open_ended=("lr",),
        ),
    )
}

# What a comparison takes where none is named: quick ones, of every kind.
DEFAULT_METHODS = (
    "lsi", "clsi", "cm", "mmc", "lda", "dne", "lrwmmc", "nmf", "blend", "svm", "logreg", "nb", "knn"
)  # fmt: skip
