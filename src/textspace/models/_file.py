"""A model in one file, which cannot run code when it is opened.

A zip archive with ``card.json``, the model card; ``evaluation.json``, if the model has been evaluated;
``model.json``, the description of the fitted classifier, and its ``arrays``; ``signature``, if it is signed.
The comment at the end of the archive is the digest of all that stands before it.
"""

import json
import os
import re
from contextlib import contextmanager
from dataclasses import asdict
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
from sklearn.utils.validation import check_is_fitted

from textspace._compiled import LongWorkError, as_written
from textspace._files import atomic_open
from textspace.classify import label_shares
from textspace.models._archive import (
    FORMAT,
    Memory,
    ModelFileError,
    allowed_memory,
    array_bytes,
    array_memory,
    changed,
    check_directory,
    check_file,
    check_sizes,
    check_total,
    is_sealed,
    json_memory,
    read_array,
    read_json,
    read_member,
    seal,
    unsealed,
    without_waiting,
)
from textspace.models._description import ForeignPartError, build, describe
from textspace.models._embedded import EmbeddedSpace
from textspace.models._signature import MEMBER as _SIGNATURE
from textspace.models._signature import read_public_key, read_signing_key, sign_archive, verify_archive
from textspace.models._text_classifier import TextClassifier
from textspace.models._types import types_of

_CARD, _EVALUATION, _MODEL, _MODEL_1 = "card.json", "evaluation.json", "model.json", "model.skops"
_ARRAY = "arrays/{}.npy"
_MEMBER = re.compile(rf"card\.json|evaluation\.json|model\.json|model\.skops|arrays/\d+\.npy|{_SIGNATURE}")
_MOST_CARD_BYTES = 1 << 26
_LEVEL = 1  # of compression: the next ones take longer and gain two hundredths


def save(model, path, card=None, *, sign=None):
    """Write a fitted model to a file, whole or not at all.

    Parameters
    ----------
    model : TextClassifier
        Fitted. Its ``evaluation_``, if it has one, is written too; its ``out_of_fold_proba_`` are not.
    path : str or os.PathLike
        The file; its suffix should be ``.textspace``.
    card : dict, default=None
        From :func:`make_card`; by default the model's ``card_``, or else one that says little of the data.
    sign : str or os.PathLike, default=None
        PEM file of the ed25519 private key to sign with; needs ``pip install "textspace[sign]"``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.models import TextClassifier, load, save
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
    from textspace.models._card import make_card  # what answers need is loaded without it

    key = None if sign is None else read_signing_key(sign)
    if card is None:
        card = getattr(model, "card_", None) or make_card(model)
    try:
        description, arrays = describe(model, types_of(model.method))
    except ForeignPartError as part:
        raise ValueError(
            f"the model cannot be saved: it holds {part}, which is no part of a textspace model, so that "
            "load would refuse it. Use a method of the catalogue."
        ) from part
    texts = {_CARD: _finite_json("card", card | {"format": FORMAT}, indent=1)}
    if getattr(model, "evaluation_", None) is not None:
        texts[_EVALUATION] = _finite_json("evaluation", asdict(model.evaluation_))
    texts[_MODEL] = json.dumps(description).encode("ascii")
    needed = sum(map(json_memory, texts.values()))
    needed += sum(array_memory(array.dtype, array.size) for array in arrays.values())
    with atomic_open(path, "w+b") as file:
        _write(file, texts, arrays, ZIP_DEFLATED, key)
        if needed > allowed_memory(file.tell()):  # what unpacks to so much would not be opened
            file.seek(0)
            file.truncate()
            _write(file, texts, arrays, ZIP_STORED, key)


def _write(file, texts, arrays, compression, key):
    with ZipFile(file, "w", compression, compresslevel=_LEVEL) as archive:
        for name, content in texts.items():
            archive.writestr(name, content)
        for name, array in arrays.items():
            # what has steps is small already, and would take longer to unpack than all else
            how = ZIP_STORED if array.dtype == np.int8 else compression
            archive.writestr(_ARRAY.format(name), array_bytes(array), how)
        check_total(archive.infolist(), "the model")
        if key is not None:
            sign_archive(archive, key)
        archive.comment = unsealed()
    seal(file)


def load(path, embeddings=None, *, verify=None, with_evaluation=True):
    """Read a model from a file that :func:`save` wrote.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    embeddings : str or os.PathLike, default=None
        For a model with an embedding, the folder that it was trained with, or "wordllama". The embedding is
        not in the file, and no file says where to look for it.
    verify : str or os.PathLike, default=None
        PEM file of the ed25519 public key whose owner must have signed the file; needs
        ``pip install "textspace[sign]"``.
    with_evaluation : bool, default=True
        Whether to read how good the model was found to be, too; answers need it not, and come sooner.

    Returns
    -------
    TextClassifier
        Fitted, with the model card as ``card_`` and the :class:`Evaluation`, or None, as ``evaluation_``.

    Raises
    ------
    ModelFileError
        The file is damaged, is no model, was made by a newer textspace or holds anything that is no part of
        a model; or it is not signed by the key to verify, or has changed since. Nothing of it has been run
        then, nor any code that it names been imported.

    Examples
    --------
    >>> from textspace.models import load
    >>> load("goods.textspace").predict(["ripe corn"])  # doctest: +SKIP
    array(['grain'], dtype='<U5')
    """
    key = None if verify is None else read_public_key(verify)
    with _opened(path) as (archive, sealed, memory):
        if key is not None:
            verify_archive(archive, key, path, memory.size)
        card = _read_card(archive, path, memory)
        if card["format"] > 1 and not sealed:
            raise changed(path)
        evaluation = None
        if with_evaluation and _EVALUATION in archive.namelist():
            from textspace.evaluation import Evaluation

            evaluation = Evaluation.from_dict(read_json(read_member(archive, _EVALUATION), memory))
        try:
            model = _read_model(archive, path, card["format"], memory)
        except ForeignPartError as part:
            raise ModelFileError(
                f"{path} was not opened: it holds {part}, which is no part of a textspace model and might "
                "run code. If it is from someone else, ask for one that textspace has written."
            ) from part
    model.card_, model.evaluation_ = card, evaluation
    if isinstance(model.space_, EmbeddedSpace):
        if embeddings is None:
            raise ModelFileError(
                f"{path} was trained with an embedding: say in which folder it lies, or its name "
                "(--embeddings FOLDER)."
            )
        try:
            model.space_.attach(embeddings)
        except ValueError as error:
            raise ModelFileError(f"{path} was not opened: {error}") from error
        model.embeddings = embeddings
    _ask(model, path)
    return model


def _ask(model, path):
    """Refuse a model that cannot answer: the parts of a forged file may fit together and yet be of no use."""
    if not getattr(model, "reads_texts_", False):  # older files do not say it
        return
    try:
        with as_written():  # to compile code takes longer than to open a file may take
            model.predict(model.training_.excerpts[:1])
    except LongWorkError:  # compiled code comes last, and its arrays were checked
        return
    except Exception as error:
        why = str(error) or type(error).__name__
        raise ModelFileError(f"{path} is damaged: its model cannot answer ({why}). Get it anew.") from error


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
    with _opened(path, check_digest=False) as (archive, _, memory):
        return _read_card(archive, path, memory)


def _read_model(archive, path, format_number, memory):
    """Build the model of an archive; what is no part of a model is a ForeignPartError."""
    member = _MODEL if format_number > 1 else _MODEL_1
    if member not in archive.namelist():
        raise ModelFileError(f"{path} is damaged: it holds a model card, but no model. Get it anew.")
    content = read_member(archive, member)
    if format_number > 1:
        description = read_json(content, memory, may_be_nan=True)

        def arrays(name):
            member = _ARRAY.format(name)
            with archive.open(member) as file:
                return read_array(file, archive.getinfo(member).file_size, memory)
    else:
        from textspace.models._format_1 import read_format_1

        description, arrays = read_format_1(content, path, memory)
    model = build(description, arrays, types_of(_method_of(description)), memory.look_again)
    if not isinstance(model, TextClassifier):
        raise ValueError(f"{type(model).__name__} stands in place of TextClassifier")
    check_is_fitted(model)
    if not hasattr(model, "shares_"):  # written before shares were kept
        model.class_shares_ = model.shares_ = label_shares(model.training_.labels, model.classes_)
    if not hasattr(model, "several_"):  # written before there were several labels
        model.several_ = False
    return model


def _method_of(description):
    """Give the method that a model says it is by: all that it holds must be a part of that method."""
    state = description.get("models.text_classifier") if isinstance(description, dict) else None
    return state.get("method") if isinstance(state, dict) else None


@contextmanager
def _opened(path, check_digest=True):
    """Open a model file; tell whether it has a digest, and what memory it may take.

    What goes wrong becomes a ModelFileError.
    """
    with open(path, "rb", opener=without_waiting) as file:
        check_file(file, path)
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
        sealed = check_digest and is_sealed(file, path)
        memory = Memory(path, os.fstat(file.fileno()).st_size)
        try:
            check_directory(file, path)
            with ZipFile(file) as archive:
                _check_members(archive, path, memory.size)
                yield archive, sealed, memory
        except ModelFileError:
            raise
        except MemoryError as error:
            raise ModelFileError(f"{path} needs more memory than there is: close other programs.") from error
        # whatever else a forged or damaged file brings about, it is the file's fault
        except Exception as error:
            why = str(error) or type(error).__name__
            raise ModelFileError(f"{path} is damaged or no textspace model: {why}. Get it anew.") from error


def _check_members(archive, path, size):
    names = archive.namelist()
    if _CARD not in names:
        raise ModelFileError(f"{path} is not a textspace model: it is a zip archive without a model card.")
    foreign = [name for name in names if not _MEMBER.fullmatch(name)]
    if foreign or len(set(names)) < len(names):
        what = f"{foreign[0]!r}, which" if foreign else "a file twice, which"
        raise ModelFileError(f"{path} was not opened: it holds {what} no textspace writes.")
    check_sizes(archive.infolist(), path, size)


def _read_card(archive, path, memory):
    if archive.getinfo(_CARD).file_size > _MOST_CARD_BYTES:
        raise ModelFileError(f"{path} was not opened: its model card is too large.")
    card = read_json(read_member(archive, _CARD), memory)
    number = card.get("format") if isinstance(card, dict) else None
    if type(number) is not int or number < 1:
        raise ModelFileError(f"{path} is not a textspace model: its card does not say which format it has.")
    if number > FORMAT:
        raise ModelFileError(
            f"{path} was made by a newer textspace (format {number}; this one "
            f"reads up to format {FORMAT}): upgrade textspace to open it."
        )
    return card


def _finite_json(name, content, indent=None):
    try:
        return json.dumps(content, indent=indent, allow_nan=False).encode("ascii")
    except ValueError as error:
        raise ValueError(
            f"the model cannot be saved: its {name} holds a number that is not finite, so that load would "
            "refuse it. Make it anew."
        ) from error
