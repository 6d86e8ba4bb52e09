"""The types of which a model file may consist: a fixed list, whatever the file asks for.

skops itself trusts all estimators of scikit-learn and many functions of numpy and scipy. Here nothing is
trusted but what a TextClassifier by a method of the catalogue consists of, and it is read in the one way in
which it was written: no function, method, ``partial`` or random generator is among it.
"""

_OBJECTS = """
    sklearn.decomposition._nmf.NMF
    sklearn.linear_model._logistic.LogisticRegression
    sklearn.naive_bayes.ComplementNB
    sklearn.neighbors._classification.KNeighborsClassifier
    sklearn.pipeline.FeatureUnion
    sklearn.pipeline.Pipeline
    sklearn.preprocessing._data.Normalizer
    sklearn.preprocessing._function_transformer.FunctionTransformer
    sklearn.svm._classes.LinearSVC
    textspace.classify._calibrated.CalibratedMethod
    textspace.classify.blend._blend.Blend
    textspace.classify.blend._calibration.Calibration
    textspace.classify.blend._centroid_classifier.CentroidClassifier
    textspace.classify.blend._centroids.FittedCentroids
    textspace.classify.blend._complement.FittedComplement
    textspace.classify.blend._latent.FittedLatent
    textspace.classify.blend._ridge.FittedRidge
    textspace.classify.blend._subspace_blend.SubspaceBlend
    textspace.classify._em_naive_bayes.EMNaiveBayes
    textspace.models._embedded.EmbeddedBlend
    textspace.models._embedded.EmbeddedSpace
    textspace.classify._labelled_only.LabelledOnly
    textspace.classify._nearest_documents.NearestDocuments
    textspace.classify._rlsc.RLSC
    textspace.classify._self_training.SelfTraining
    textspace.models._text_classifier.TextClassifier
    textspace.classify._top_down.TopDownClassifier
    textspace.linear._label_driven_lsi.LabelDrivenLSI
    textspace.kernel._kda.SpectralRegressionKDA
    textspace.kernel._kdgpp.KDGPP
    textspace.kernel._lrwmmc.KernelLRWMMC
    textspace.kernel._lsi.KernelLSI
    textspace.kernel._nystroem.KMeansNystroem
    textspace.linear._centroids.ClassCentroids
    textspace.linear._clsi.CLSI
    textspace.linear._dgpp.DGPP
    textspace.linear._dne.DNE
    textspace.linear._lda.SpectralRegressionLDA
    textspace.linear._lpp.LPP
    textspace.linear._lrwmmc.LRWMMC
    textspace.linear._lsi.LSI
    textspace.linear._mfa.MFA
    textspace.linear._mmc.MaximumMarginCriterion
    textspace.linear._sda.SDA
    textspace.linear._ss_lrwmmc.SemiSupervisedLRWMMC
    textspace.models._pack.Packed
    textspace.selection._selector.TermSelector
    textspace.tensor._hosvd.HOSVD
    textspace.tensor._lrwmmc.TensorLRWMMC
    textspace.tensor._stm.SupportTensorMachine
    textspace.text._folding.FoldedTensorSpace
    textspace.text._trigrams.TrigramTensorSpace
    textspace.text._vector_space.VectorSpace
"""

# What skops calls a loader, that is how a part is read, with the types that may be read so.
ALLOWED = {
    "BytesNode": "builtins.bytes",
    "ConstructorFromReduceNode": "builtins.frozenset",  # of stop words
    "DictNode": "builtins.dict",
    "JsonNode": "builtins.str",
    "ListNode": "builtins.list",
    "NdArrayNode": """
        numpy.ndarray numpy.bool numpy.float32 numpy.float64 numpy.int32 numpy.int64 numpy.str_
    """,
    "ObjectNode": _OBJECTS,
    "SetNode": "builtins.set",
    "SparseMatrixNode": """
        scipy.sparse._csc.csc_array scipy.sparse._csc.csc_matrix
        scipy.sparse._csr.csr_array scipy.sparse._csr.csr_matrix
    """,
    "TupleNode": """
        builtins.tuple
        textspace.neighbors._clusters.ClusterIndex
        textspace.models._text_classifier.TrainingDocuments
        textspace.linear._label_scaling.ScaledTerm
    """,
    "TypeNode": "builtins.str numpy.float32 numpy.float64",
}
ALLOWED = {loader: frozenset(names.split()) for loader, names in ALLOWED.items()}
TRUSTED = sorted(frozenset().union(*ALLOWED.values()))


def foreign_part(schema):
    """Look for a part of a model that is not on the list.

    Parameters
    ----------
    schema : dict
        The content of ``schema.json`` in a file by skops: every part that skops would read is a dict in it
        with the keys ``__loader__``, ``__module__`` and ``__class__``.

    Returns
    -------
    str or None
        The name of the type, and how it would be read; None if there is nothing foreign.

    Examples
    --------
    >>> foreign_part({"content": [{"__loader__": "FunctionNode", "__module__": "os", "__class__": "system"}]})
    'os.system (by FunctionNode)'
    """
    ahead = [schema]
    while ahead:
        part = ahead.pop()
        if isinstance(part, list):
            ahead.extend(part)
        elif isinstance(part, dict):
            ahead.extend(part.values())
            if "__loader__" in part:
                loader, kind = part["__loader__"], f"{part.get('__module__')}.{part.get('__class__')}"
                if not isinstance(loader, str) or kind not in ALLOWED.get(loader, ()):
                    return f"{kind} (by {loader})"
    return None
