"""Files of format 1: the description that skops wrote of a model, put into today's words.

In them a type stands by the module in which it was defined at the time, and what skops could not write well
was packed by textspace (as a ``Packed``). skops itself is not needed to read them: its description is
translated part by part, and what has no translation is refused.
"""

import json
import re
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile

from textspace.models._archive import (
    ModelFileError,
    check_directory,
    check_sizes,
    read_array,
    read_json,
)
from textspace.models._description import ForeignPartError, describe

_SCHEMA = "schema.json"
_MEMBER = re.compile(r"[\w-]+\.(npy|npz|bin)")  # an array, a sparse matrix, packed data

# Where types of textspace were defined in format 1, and the names under which they are registered.
NAMES = {
    "classify._blend.SubspaceBlend": "classify.blend",
    "classify._blend_learning.Blend": "blend.sum",
    "classify._blend_views.ComplementView": "blend.complement",
    "classify._blend_views.LatentView": "blend.latent",
    "classify._blend_views.RidgeView": "blend.ridge",
    "classify._calibrated.CalibratedMethod": "classify.calibrated",
    "classify._calibration.Calibration": "blend.calibration",
    "classify._centroid_view.CentroidView": "blend.centroid",
    "classify._em_naive_bayes.EMNaiveBayes": "classify.em_naive_bayes",
    "classify._embedded.EmbeddedBlend": "models.embedded_blend",
    "classify._embedded.EmbeddedSpace": "models.embedded_space",
    "classify._labelled_only.LabelledOnly": "classify.labelled_only",
    "classify._nearest_documents.NearestDocuments": "classify.nearest_documents",
    "classify._rlsc.RLSC": "classify.rlsc",
    "classify._self_training.SelfTraining": "classify.self_training",
    "classify._text_classifier.TextClassifier": "models.text_classifier",
    "classify._top_down.TopDownClassifier": "classify.top_down",
    "hierarchy._lsi.LabelDrivenLSI": "linear.label_driven_lsi",
    "kernel._kda.SpectralRegressionKDA": "kernel.kda",
    "kernel._kdgpp.KDGPP": "kernel.kdgpp",
    "kernel._lrwmmc.KernelLRWMMC": "kernel.lrwmmc",
    "kernel._lsi.KernelLSI": "kernel.lsi",
    "kernel._nystroem.KMeansNystroem": "kernel.nystroem",
    "linear._centroids.ClassCentroids": "linear.centroids",
    "linear._clsi.CLSI": "linear.clsi",
    "linear._dgpp.DGPP": "linear.dgpp",
    "linear._dne.DNE": "linear.dne",
    "linear._lda.SpectralRegressionLDA": "linear.lda",
    "linear._lpp.LPP": "linear.lpp",
    "linear._lrwmmc.LRWMMC": "linear.lrwmmc",
    "linear._lsi.LSI": "linear.lsi",
    "linear._mfa.MFA": "linear.mfa",
    "linear._mmc.MaximumMarginCriterion": "linear.mmc",
    "linear._sda.SDA": "linear.sda",
    "linear._ss_lrwmmc.SemiSupervisedLRWMMC": "linear.ss_lrwmmc",
    "selection._selector.TermSelector": "selection.term_selector",
    "tensor._hosvd.HOSVD": "tensor.hosvd",
    "tensor._lrwmmc.TensorLRWMMC": "tensor.lrwmmc",
    "tensor._stm.SupportTensorMachine": "tensor.stm",
    "text._folding.FoldedTensorSpace": "text.folded_tensor_space",
    "text._trigrams.TrigramTensorSpace": "text.trigram_tensor_space",
    "text._vector_space.VectorSpace": "text.vector_space",
}

# The same for named tuples, whose fields stood there without their names.
TUPLES = {
    "builtins.tuple": ("tuple", None),
    "classify._cell_index.CellIndex": (
        "neighbors.cluster_index",
        ("metric", "centres", "starts", "points", "rows"),
    ),
    "classify._text_classifier.TrainingDocuments": (
        "models.training_documents",
        ("positions", "labels", "excerpts"),
    ),
    "hierarchy._scaling.ScaledTerm": ("linear.scaled_term", ("factor", "node", "reason")),
}

# Attributes that are called otherwise today: by the name of the type, the old name and the new one.
RENAMED = {
    "blend.sum": {"views": "scorers"},
    "blend.latent": {"view": "ridge"},
    **{
        f"linear.{name}": {"n_postings": "max_postings"}
        for name in ("dne", "lpp", "lrwmmc", "mfa", "sda", "ss_lrwmmc")
    },
}

_PACKED = "models._pack.Packed"
_SPARSE = re.compile(r"scipy\.sparse\._csr\.(csr_(array|matrix))")
_SCALAR = re.compile(r"numpy\.(bool|float32|float64|int32|int64|str_)")
_TYPE = re.compile(r"numpy\.(float32|float64)")


def read_format_1(content, path, memory):
    """Translate the archive that skops wrote, which stood in the file of this path.

    The description is given, as :func:`textspace.models._description.describe` makes it, and a function that
    gives the array of a name in it.
    """
    memory.take(len(content))
    archive = _opened(content, path)
    _check_members(archive, path)
    translator = _Translator(archive, memory)
    return translator.translate(read_json(archive.read(_SCHEMA), memory)), translator.array


def _opened(content, path):
    """Open an archive within the archive."""
    file = BytesIO(content)
    check_directory(file, path)
    return ZipFile(file)


def _check_members(archive, path):
    """Check that arrays are stored as they are; sparse matrices are archives again."""
    members = archive.infolist()
    names = [member.filename for member in members]
    if _SCHEMA not in names or len(set(names)) < len(names):
        raise ModelFileError(f"{path} is damaged: it does not describe its model. Get it anew.")
    for member in members:
        if member.filename != _SCHEMA and not _MEMBER.fullmatch(member.filename):
            raise ModelFileError(
                f"{path} was not opened: it holds {member.filename!r}, which no textspace writes."
            )
        if member.compress_type != ZIP_STORED or member.file_size != member.compress_size:
            raise ModelFileError(f"{path} was not opened: {member.filename!r} in it is compressed twice.")
        if member.filename.endswith(".npz"):
            with _opened(archive.read(member), path) as matrix:
                check_sizes(matrix.infolist(), path, member.file_size)


class _Translator:
    def __init__(self, archive, memory):
        self.archive = archive
        self.memory = memory

    def array(self, name):
        """Give an array by its file or, within a sparse matrix, by the file and what it is there."""
        file, _, inner = name.partition("/")
        content = self.archive.read(file)
        if inner:
            with ZipFile(BytesIO(content)) as matrix:
                content = matrix.read(f"{inner}.npy")
        return read_array(BytesIO(content), len(content), self.memory)

    def translate(self, node):
        """Translate a part, which says how skops is to read it, and as what type."""
        loader, kind = node.get("__loader__"), f"{node.get('__module__')}.{node.get('__class__')}"
        ours = kind.removeprefix("textspace.")
        match loader:
            case "JsonNode" if kind == "builtins.str":
                return _plain(json.loads(node["content"]))
            case "DictNode" if kind == "builtins.dict":
                return {"dict": [[key, self.translate(part)] for key, part in node["content"].items()]}
            case "ListNode" if kind == "builtins.list":
                return self._items(node)
            case "SetNode" if kind == "builtins.set":
                return {"set": self._items(node)}
            case "ConstructorFromReduceNode" if kind == "builtins.frozenset":
                return {"frozenset": self._items(node["content"])[0]}
            case "TupleNode" if ours in TUPLES:
                return self._tuple(node, *TUPLES[ours])
            case "TypeNode" if _TYPE.fullmatch(kind):
                return {"type": node["__class__"]}
            case "NdArrayNode" if node["type"] == "numpy" and kind == "numpy.ndarray":
                return {"array": node["file"]}
            case "NdArrayNode" if node["type"] == "numpy" and _SCALAR.fullmatch(kind):
                return {"scalar": [node["__class__"], self.array(node["file"]).item()]}
            case "SparseMatrixNode" if _SPARSE.fullmatch(kind):
                return self._sparse(node)
            case "ObjectNode" if ours == _PACKED:
                return self._packed(node["content"]["content"])
            case "ObjectNode" if ours in NAMES:
                return self._state(NAMES[ours], node["content"]["content"])
            case "ObjectNode" if kind.startswith("sklearn."):
                # one that is no part of the method is refused when the model is built
                return self._state(f"sklearn.{node['__class__']}", node["content"]["content"])
        raise ForeignPartError(f"{kind} (by {loader})")

    def _items(self, node):
        return [self.translate(part) for part in node["content"]]

    def _tuple(self, node, name, fields):
        if fields is None:
            return {name: self._items(node)}
        return self._state(name, dict(zip(fields, node["content"], strict=True)))

    def _state(self, name, state):
        renamed = RENAMED.get(name, {})
        translated = {renamed.get(key, key): self.translate(part) for key, part in state.items()}
        if name == "classify.calibrated":
            _put_back_points(translated)
        return {name: translated}

    def _sparse(self, node):
        file = node["file"]
        arrays = [{"array": f"{file}/{name}"} for name in ("data", "indices", "indptr")]
        return {node["__class__"]: [self.array(f"{file}/shape").tolist(), *arrays]}

    def _packed(self, state):
        """Unpack what stood for plain data: its kind, its content as JSON, and the values of a dict."""
        kind = json.loads(state["kind"]["content"])
        content = read_json(self.archive.read(state["data"]["file"]), self.memory)
        if kind == "tree":
            return {"tree.label_tree": {"parents": _plain(content)}}
        if kind == "strings":
            return {"strings": content}
        if kind == "entries":
            return {"dict": [list(item) for item in zip(content, self._items(state["values"]), strict=True)]}
        return _plain(content)


def _put_back_points(calibrated):
    """Give the nearest neighbours of a calibrated method the points that it kept beside them.

    They were where a new document would be. Those of the neighbours themselves were not always: NMF places
    what it learns from a little otherwise.
    """
    points = calibrated.pop("_points", None)
    calibrated.pop("_point_codes", None)
    nearest = _last_neighbors(calibrated.get("estimator_"))
    if isinstance(points, dict) and nearest is not None:
        nearest["_fit_X"] = points


def _last_neighbors(part):
    """Find the state of the scikit-learn neighbours with which a classifier ends."""
    if isinstance(part, dict):
        for name, state in part.items():
            if name == "sklearn.KNeighborsClassifier":
                return state
            if name == "sklearn.Pipeline":
                return _last_neighbors(state["steps"][-1]["tuple"][1])
            if name in ("classify.labelled_only", "classify.nearest_documents"):
                return _last_neighbors(state.get("estimator_") or state.get("neighbors_"))
    return None


def _plain(content):
    """Describe what JSON gives."""
    return describe(content, {})[0]
