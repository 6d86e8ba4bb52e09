"""A model in one file, which cannot run code when it is opened.

A zip archive with ``card.json``, the model card; ``evaluation.json``, if the model has been evaluated; and
``model.skops``, the fitted classifier as skops writes it.
"""

import io
import json
import re
from contextlib import contextmanager
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from textspace._files import atomic_open
from textspace.evaluation._evaluation import Evaluation
from textspace.models._card import FORMAT, make_card
from textspace.models._error import ModelFileError

_CARD, _EVALUATION, _MODEL = "card.json", "evaluation.json", "model.skops"
_SCHEMA = "schema.json"
_PART = re.compile(r"[\w-]+\.(npy|npz|bin)")  # an array, a sparse matrix, packed data
# The first two have files of their own. The others, with a number for each training document and class, are
# what the evaluation was made of.
_NOT_WRITTEN = ("card_", "evaluation_", "out_of_fold_", "out_of_fold_proba_")

_GIGABYTE = 1 << 30
_MOST_BYTES = 4 * _GIGABYTE  # uncompressed
_MOST_CARD_BYTES = 1 << 26
_BOMB_BYTES, _BOMB_RATIO = _GIGABYTE, 200  # coefficients shrink by a tenth, text by two thirds
_LEVEL = 1  # of compression: the next ones take longer and gain two hundredths


def save(model, path, card=None):
    """Write a fitted model to a file, whole or not at all.

    Parameters
    ----------
    model : TextClassifier
        Fitted. Its ``evaluation_``, if it has one, is written too; its ``out_of_fold_proba_`` are not.
    path : str or os.PathLike
        The file; its suffix should be ``.textspace``.
    card : dict, default=None
        From :func:`make_card`; by default the model's ``card_``, or else one without facts on the data.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.models import TextClassifier
    >>> from textspace.models import load, save
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> model = TextClassifier().fit(texts, labels)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, Path(folder, "goods.textspace"))
    ...     again = load(Path(folder, "goods.textspace"))
    >>> again.predict(["ripe corn", "the port"])
    array(['grain', 'ship'], dtype='<U5')
    >>> again.card_["method"]["name"]
    'auto'
    """
    import skops.io

    from textspace.models._pack import pack
    from textspace.models._types import foreign_part

    if card is None:
        card = getattr(model, "card_", None) or make_card(model)
    members = {_CARD: _json_bytes(card | {"format": FORMAT}, indent=1)}
    if getattr(model, "evaluation_", None) is not None:
        members[_EVALUATION] = _json_bytes(model.evaluation_.to_dict())
    content = skops.io.dumps(pack(model, leave_out=_NOT_WRITTEN))
    foreign = foreign_part(_schema(content))
    if foreign:
        raise ValueError(
            f"the model cannot be saved: it holds {foreign}, which is no part of a textspace model, so that "
            "load would refuse it. Use a method of the catalogue."
        )
    members[_MODEL] = content
    with atomic_open(path, "wb") as file, ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        _check_sizes(archive.infolist(), "the model")


def load(path, embeddings=None):
    """Read a model from a file that :func:`save` wrote.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    embeddings : str or os.PathLike, default=None
        For a model with sentence embeddings, the folder of the encoder that it was trained with. It is not in
        the file, and no file says where to look for it.

    Returns
    -------
    TextClassifier
        Fitted, with the model card as ``card_`` and the :class:`Evaluation`, or None, as ``evaluation_``.

    Raises
    ------
    ModelFileError
        The file is damaged, is no model, was made by a newer textspace or holds anything that is no part of
        a model. Nothing of it has been run then, nor any code that it names been imported.

    Examples
    --------
    >>> from textspace.models import load
    >>> load("goods.textspace").predict(["ripe corn"])  # doctest: +SKIP
    array(['grain'], dtype='<U5')
    """
    import skops.io

    from textspace.models._check import check_model
    from textspace.models._embedded import EmbeddedSpace
    from textspace.models._pack import unpack
    from textspace.models._types import TRUSTED, foreign_part

    with _opened(path) as archive:
        card = _read_card(archive, path)
        if _MODEL not in archive.namelist():
            raise ModelFileError(f"{path} is damaged: it holds a model card, but no model. Get it anew.")
        evaluation = None
        if _EVALUATION in archive.namelist():
            evaluation = Evaluation.from_dict(json.loads(_read(archive, _EVALUATION)))
        content = _read(archive, _MODEL)
        _check_parts(content, path)
        foreign = foreign_part(_schema(content))
        if foreign:
            raise ModelFileError(
                f"{path} was not opened: it holds {foreign}, which is no part of a textspace model and might "
                "run code. If it is from someone else, ask for one that textspace has written."
            )
        model = unpack(skops.io.loads(content, trusted=TRUSTED))
        check_model(model)
    model.card_, model.evaluation_ = card, evaluation
    if isinstance(model.space_, EmbeddedSpace):
        if embeddings is None:
            raise ValueError(
                f"{path} was trained with sentence embeddings: say in which folder their encoder lies "
                "(--embeddings FOLDER)."
            )
        model.space_.attach(embeddings)
        model.embeddings = embeddings
    return model


def read_card(path):
    """Read the model card of a file without loading the model.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    dict
        As made by :func:`make_card`.

    Examples
    --------
    >>> from textspace.models import read_card
    >>> read_card("goods.textspace")["method"]["name"]  # doctest: +SKIP
    'auto'
    """
    with _opened(path) as archive:
        return _read_card(archive, path)


@contextmanager
def _opened(path):
    """Open a model file; what goes wrong with it while it is open becomes a ModelFileError."""
    with open(path, "rb") as file:
        start = file.read(4)
        if start[:1] == b"\x80":
            raise ModelFileError(
                f"{path} is a pickle, which could run any code when opened, so textspace does not open it: "
                "load it where you trust it, and write it with textspace.models.save."
            )
        if start[:2] != b"PK":
            raise ModelFileError(
                f"{path} is not a textspace model: it does not begin like one. Give a file that "
                "`textspace train -o` wrote."
            )
        try:
            with ZipFile(file) as archive:
                _check_members(archive, path)
                yield archive
        except ModelFileError:
            raise
        except MemoryError as error:
            raise ModelFileError(f"{path} needs more memory than there is: close other programs.") from error
        # whatever else a forged or damaged file brings about, it is the file's fault
        except Exception as error:
            why = str(error) or type(error).__name__
            raise ModelFileError(f"{path} is damaged or no textspace model: {why}. Get it anew.") from error


def _check_members(archive, path):
    names = archive.namelist()
    if _CARD not in names:
        raise ModelFileError(f"{path} is not a textspace model: it is a zip archive without a model card.")
    foreign = [name for name in names if name not in (_CARD, _EVALUATION, _MODEL)]
    if foreign or len(set(names)) < len(names):
        what = f"{foreign[0]!r}, which" if foreign else "a file twice, which"
        raise ModelFileError(f"{path} was not opened: it holds {what} no textspace writes.")
    _check_sizes(archive.infolist(), path)


def _check_sizes(members, path):
    """Refuse archives that would fill the memory; zipfile reads no more than the sizes they declare."""
    size = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if size > _MOST_BYTES or (size > _BOMB_BYTES and size > _BOMB_RATIO * packed):
        raise ModelFileError(
            f"{path} is too large: it would take {size / _GIGABYTE:.1f} GB of memory from {packed} bytes on "
            f"the disk; {_MOST_BYTES // _GIGABYTE} GB are the limit."
        )


def _check_parts(content, path):
    """Check the archive within, whose arrays are stored as they are; sparse matrices are archives again."""
    with ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        names = [member.filename for member in members]
        if _SCHEMA not in names or len(set(names)) < len(names):
            raise ModelFileError(f"{path} is damaged: {_MODEL} does not describe the model. Get it anew.")
        for member in members:
            if member.filename != _SCHEMA and not _PART.fullmatch(member.filename):
                raise ModelFileError(
                    f"{path} was not opened: it holds {member.filename!r}, which no textspace writes."
                )
            if member.compress_type != ZIP_STORED or member.file_size != member.compress_size:
                raise ModelFileError(f"{path} was not opened: {member.filename!r} in it is compressed twice.")
            if member.filename.endswith(".npz"):
                with ZipFile(io.BytesIO(archive.read(member))) as matrix:
                    _check_sizes(matrix.infolist(), path)


def _read_card(archive, path):
    if archive.getinfo(_CARD).file_size > _MOST_CARD_BYTES:
        raise ModelFileError(f"{path} was not opened: its model card is too large.")
    card = json.loads(_read(archive, _CARD))
    number = card.get("format") if isinstance(card, dict) else None
    if type(number) is not int or number < 1:
        raise ModelFileError(f"{path} is not a textspace model: its card does not say which format it has.")
    if number > FORMAT:
        raise ModelFileError(
            f"{path} was made by a newer textspace (format {number}; this one "
            f"reads up to format {FORMAT}): upgrade textspace to open it."
        )
    return card


def _read(archive, name):
    """Read a member, never more than it declares: the rest of a bomb stays compressed."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        content = member.read(size)
    if len(content) < size:
        raise BadZipFile(f"{name} is cut off")
    return content


def _schema(content):
    with ZipFile(io.BytesIO(content)) as archive:
        return json.loads(archive.read(_SCHEMA))


def _json_bytes(content, indent=None):
    return json.dumps(content, indent=indent).encode("ascii")
