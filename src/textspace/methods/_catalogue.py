"""The methods, one entry each."""

from functools import partial

from textspace.methods._building import (
    chain,
    make,
    projection,
    projection_of_all,
    self_training,
    vote,
)
from textspace.methods._method import Method

_GU_AND_ZHOU = (
    "Gu and Zhou, Local relevance weighted maximum margin criterion for text classification, SDM 2009"
)
_QUAN = "Quan et al., Adaptive label-driven scaling for latent semantic indexing, SIGIR 2008"
_WANG_AND_SUN = (
    "Wang and Sun, Efficient kernel discriminative geometry preserving projection for document classification"
)
_METRICS = {"classify__metric": ["euclidean", "cosine"]}
_METRICS_OF_ALL = {"classify__estimator__metric": ["euclidean", "cosine"]}
_WIDTHS = {"space__sigma": [2**0.5, 8**0.5, 32**0.5]}

_ENTRIES = [
    Method(
        name="lsi",
        title="LSI",
        summary="Nearest neighbour in the space of the strongest singular vectors; ignores labels.",
        paper="Deerwester et al., Indexing by latent semantic analysis, JASIS 1990",
        build=partial(projection, "textspace.linear.LSI", n_components=100),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="clsi",
        title="CLSI",
        summary="Nearest neighbour in the space joined from the singular vectors of each class.",
        paper="Gallopoulos and Zeimpekis, CLSI: a flexible approximation scheme from clustered term-document "
        "matrices, SDM 2005",
        build=partial(projection, "textspace.linear.CLSI"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="local-lsi",
        title="Local LSI",
        summary="As CLSI, but the region of a class also holds the documents most easily taken for it.",
        paper="Schuetze, Hull and Pedersen, A comparison of classifiers and document representations for the "
        "routing problem, SIGIR 1995",
        build=partial(projection, "textspace.linear.LocalLSI"),
        grid=_METRICS,
    ),
    Method(
        name="lrw-lsi",
        title="LRW-LSI",
        summary="As local LSI, but documents count by how relevant they are to the class.",
        paper="Liu et al., Improving text classification using local latent semantic indexing, ICDM 2004",
        build=partial(projection, "textspace.linear.LocalRelevanceWeightedLSI"),
        grid=_METRICS,
    ),
    Method(
        name="sprinkled-lsi",
        title="Sprinkled LSI",
        summary="LSI of documents to which words were added that stand for their classes.",
        paper="Chakraborti et al., Supervised latent semantic indexing using adaptive sprinkling, IJCAI 2007",
        build=partial(projection, "textspace.linear.SprinkledLSI"),
        grid={"space__adaptive": [False, True], **_METRICS},
    ),
    Method(
        name="cm",
        title="Class centroids",
        summary="Nearest neighbour in the space spanned by the mean document of each class.",
        paper="Zeimpekis and Gallopoulos, Linear and non-linear dimensional reduction via class "
        "representatives for text classification, ICDM 2006",
        build=partial(projection, "textspace.linear.ClassCentroids"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="mmc",
        title="MMC",
        summary="Nearest neighbour in the space where class means are far apart and classes are tight.",
        paper="Li, Jiang and Zhang, Efficient and robust feature extraction by maximum margin criterion, "
        "NIPS 2003",
        build=partial(projection, "textspace.linear.MaximumMarginCriterion"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="lda",
        title="SR-LDA",
        summary="Nearest neighbour in the space of linear discriminants, found by ridge regression.",
        paper="Cai, He and Han, Training linear discriminant analysis in linear time, ICDE 2008",
        build=partial(projection, "textspace.linear.SpectralRegressionLDA", alpha=1.0),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="dne",
        title="DNE",
        summary="Nearest neighbour in the space that draws near neighbours of a class, pushes away others.",
        paper="Zhang et al., Optimal dimensionality of metric space for classification, ICML 2007",
        build=partial(projection, "textspace.linear.DNE", n_components=100),
        grid={"space__n_neighbors": [1, 3, 5], **_METRICS},
    ),
    Method(
        name="lrwmmc",
        title="LRWMMC",
        summary="As DNE, but neighbours count by how relevant (similar) they are to the document.",
        paper=_GU_AND_ZHOU,
        build=partial(projection, "textspace.linear.LRWMMC", n_components=100),
        grid={"space__n_neighbors": [3, 5, 10], **_METRICS},
    ),
    Method(
        name="lpp",
        title="LPP",
        summary="Nearest neighbour in the space that keeps similar documents near; ignores labels.",
        paper="Cai, He and Han, Document clustering using locality preserving indexing, TKDE 2005",
        build=partial(projection, "textspace.linear.LPP"),
        grid=_METRICS,
        several=True,
    ),
    Method(
        name="mfa",
        title="MFA",
        summary="Nearest neighbour in the space with a wide margin between neighbours of different classes.",
        paper="Yan et al., Graph embedding and extensions: a general framework for dimensionality reduction, "
        "PAMI 2007",
        build=partial(projection, "textspace.linear.MFA"),
        grid=_METRICS,
    ),
    Method(
        name="dgpp",
        title="DGPP",
        summary="Nearest neighbour where classes are apart and each document lies where its class puts it.",
        paper="Song and Tao, Biologically inspired feature manifold for scene classification, TIP 2010",
        build=partial(projection, "textspace.linear.DGPP"),
        grid={"space__alpha": [0.5, 1.0, 2.0]},
    ),
    Method(
        name="sda",
        title="SDA",
        summary="As SR-LDA, but unlabelled documents tell which documents are to stay near each other.",
        paper="Cai, He and Han, Semi-supervised discriminant analysis, ICCV 2007",
        build=partial(projection_of_all, "textspace.linear.SDA"),
        grid={"space__smoothness": [0.0, 0.001, 0.01], **_METRICS_OF_ALL},
        unlabelled=True,
    ),
    Method(
        name="ss-lrwmmc",
        title="SS-LRWMMC",
        summary="As LRWMMC, but unlabelled documents tell which documents are to stay near each other.",
        paper=_GU_AND_ZHOU,
        build=partial(projection_of_all, "textspace.linear.SemiSupervisedLRWMMC"),
        grid={"space__smoothness": [0.0, 4**-3, 4**-2], **_METRICS_OF_ALL},
        unlabelled=True,
    ),
    Method(
        name="em-nb",
        title="EM naive Bayes",
        summary="Naive Bayes in which unlabelled documents count for each class by its probability.",
        paper="Nigam et al., Text classification from labeled and unlabeled documents using EM, "
        "Machine Learning 2000",
        build=partial(make, "textspace.classify.EMNaiveBayes"),
        grid={"alpha": [0.001, 0.01, 0.1], "weight": [0.0, 0.1, 1.0]},
        unlabelled=True,
    ),
    Method(
        name="self-training",
        title="Self-training",
        summary="RLSC on terms and LSI that learns again from its surest answers on unlabelled documents.",
        paper="Yarowsky, Unsupervised word sense disambiguation rivaling supervised methods, ACL 1995",
        build=self_training,
        grid={},
        scheme="ltc",
        unlabelled=True,
    ),
    Method(
        name="k-lsi",
        title="K-LSI",
        summary="Vote of the 20 nearest neighbours in the space of 50 singular vectors; ignores labels.",
        paper=_QUAN,
        build=partial(vote, "textspace.linear.LSI", n_components=50),
        grid={},
        several=True,
    ),
    Method(
        name="nadp",
        title="NADP",
        summary="As K-LSI, but words in the names of categories weigh more.",
        paper=_QUAN,
        build=partial(vote, "textspace.linear.LabelDrivenLSI", adaptive=False),
        grid={},
        tree=True,
    ),
    Method(
        name="slsi",
        title="SLSI",
        summary="As NADP, the words of a category that holds many others weighing less.",
        paper=_QUAN,
        build=partial(vote, "textspace.linear.LabelDrivenLSI"),
        grid={},
        tree=True,
    ),
    Method(
        name="lsk",
        title="LSK",
        summary="LSI by comparison with the training documents through a Gaussian kernel; ignores labels.",
        paper="Cristianini, Shawe-Taylor and Lodhi, Latent semantic kernels, ICML 2001",
        build=partial(projection, "textspace.kernel.KernelLSI", metric="cosine"),
        grid=_WIDTHS,
        several=True,
    ),
    Method(
        name="kda",
        title="SR-KDA",
        summary="Linear discriminants by comparison with the training documents through a Gaussian kernel.",
        paper="Cai, He and Han, Efficient kernel discriminant analysis via spectral regression, ICDM 2007",
        build=partial(projection, "textspace.kernel.SpectralRegressionKDA", metric="cosine"),
        grid=_WIDTHS,
        several=True,
    ),
    Method(
        name="klrwmmc",
        title="Kernel LRWMMC",
        summary="LRWMMC by comparison with the training documents through a Gaussian kernel.",
        paper=_GU_AND_ZHOU,
        build=partial(projection, "textspace.kernel.KernelLRWMMC"),
        grid=_WIDTHS,
    ),
    Method(
        name="kernel-dgpp",
        title="Kernel DGPP",
        summary="DGPP by comparison with landmarks among the training documents through a Gaussian kernel.",
        paper=_WANG_AND_SUN,
        build=partial(projection, "textspace.kernel.KernelDGPP", approximation="nystroem"),
        grid=_WIDTHS,
    ),
    Method(
        name="kdgpp",
        title="KDGPP",
        summary="DGPP in the space of a kernel that is learned from labels and neighbourhoods of landmarks.",
        paper=_WANG_AND_SUN,
        build=partial(projection, "textspace.kernel.KDGPP"),
        grid={},
    ),
    Method(
        name="hosvd",
        title="HOSVD",
        summary="LSI for letter trigrams: a few directions for each of the three letters; ignores labels.",
        paper="Liu et al., Text representation: from vector to tensor, ICDM 2005",
        build=partial(projection, "textspace.tensor.HOSVD"),
        grid=_METRICS,
        scheme="trigrams",
        several=True,
    ),
    Method(
        name="tlrwmmc",
        title="Tensor LRWMMC",
        summary="LRWMMC for letter trigrams: a few directions for each of the three letters.",
        paper=_GU_AND_ZHOU,
        build=partial(projection, "textspace.tensor.TensorLRWMMC"),
        grid=_METRICS,
        scheme="trigrams",
    ),
    Method(
        name="stm",
        title="STM",
        summary="Support tensor machine: terms folded into a matrix, one weight a row and one a column.",
        paper="Cai et al., Support tensor machines for text categorization, UIUCDCS-R-2006-2714, 2006",
        build=partial(
            chain,
            partial(make, "textspace.text.FoldedTensorSpace", shape=(None, 50)),
            partial(make, "textspace.tensor.SupportTensorMachine", tensor_shape=(None, 50)),
        ),
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
        build=partial(projection, "sklearn.decomposition.NMF", metric="cosine", n_components=50, max_iter=50),
        grid={},
        several=True,
    ),
    Method(
        name="blend",
        title="Subspace blend",
        summary="Calibrated sum of least squares, discriminants and naive Bayes on words and pairs of words.",
        paper="Not from a paper: our default; Wolpert, Stacked generalization, Neural Networks 1992",
        build=partial(make, "textspace.classify.SubspaceBlend"),
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
        build=partial(make, "sklearn.svm.LinearSVC"),
        grid={"C": [0.3, 1.0, 3.0, 10.0]},
        open_ended=("C",),
        several=True,
    ),
    Method(
        name="hsvm",
        title="Top-down SVM",
        summary="A linear SVM at each node of a tree of categories; without a tree, one for all.",
        paper="Dumais and Chen, Hierarchical classification of web content, SIGIR 2000",
        build=partial(make, "textspace.classify.TopDownClassifier"),
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
        build=partial(make, "textspace.classify.RLSC", criterion="squared_error"),
        grid={},
        scheme="ltc",
        several=True,
    ),
    Method(
        name="srls",
        title="SRLS",
        summary="RLSC on 2000 terms, drawn by their part in the leading singular vectors.",
        paper="Dasgupta et al., Feature selection methods for text classification, KDD 2007",
        build=partial(
            chain,
            partial(make, "textspace.selection.TermSelector", n_terms=2000, exact_budget=True),
            partial(make, "textspace.classify.RLSC"),
        ),
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
        build=partial(make, "sklearn.linear_model.LogisticRegression", max_iter=200, tol=1e-3),
        grid={"C": [10.0, 30.0, 100.0]},
        open_ended=("C",),
        several=True,
    ),
    Method(
        name="nb",
        title="Complement naive Bayes",
        summary="Class probabilities from term frequencies outside each class; no tuning to speak of.",
        paper="Rennie et al., Tackling the poor assumptions of naive Bayes text classifiers, ICML 2003",
        build=partial(make, "sklearn.naive_bayes.ComplementNB"),
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
        build=partial(make, "textspace.classify.NearestDocuments", metric="cosine"),
        grid={"n_neighbors": [1, 5, 15, 30]},
        several=True,
    ),
]

METHODS = {method.name: method for method in _ENTRIES}

# What a comparison takes where none is named: quick ones, of every kind.
DEFAULT_METHODS = (
    "lsi", "clsi", "cm", "mmc", "lda", "dne", "lrwmmc", "nmf", "blend", "svm", "logreg", "nb", "knn"
)  # fmt: skip
