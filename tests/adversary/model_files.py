"""Model files that are forged at random: each is refused, or its model answers as it should or says why not.

``python -m tests.adversary model_files --seconds 3600 --seed 7`` goes on for an hour. The files are opened in
a process of their own, in which compiled code checks the bounds of its arrays; when it dies, another one goes
on with the next file. A case is told by its seed and number: the same two forge the same file.
"""

import copy
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
from scipy import sparse
from tests.models.conftest import Forger, make_corpus
from tests.signing_keys import write_keys
from tests.static_models import write_model

from textspace._kept_code import folder as kept_code
from textspace.classify import _nearest_documents
from textspace.classify.blend import _choice
from textspace.methods import METHODS
from textspace.models import ModelFileError, TextClassifier, _default, _embedded, load, save

TEXTS = ["wheat and copper, said the captain of the vessel", "corn 5 mill", ""]
TREE = {"grain": "land", "metal": "land", "ship": "sea"}
JUNK = [
    None, True, -1, 0, 3, 1 << 31, 1 << 70, 50_000_000, 0.5, float("nan"), 1e308, -1e308, "x", "",
    "euclidean", [], [1], [[1, 2]], {}, {"array": "0"}, {"tuple": []}, {"tuple": [1, 2]}, {"set": [1]},
    {"strings": ["a"]},
    {"words": ["a", "b"]}, {"dict": [["a", 1]]}, {"scalar": ["float64", 0.0]}, {"type": "float64"},
    {"scalar": ["float64", "nan"]}, {"csr_array": [[3, 4], {"array": "0"}, {"array": "0"}, {"array": "0"}]},
]  # fmt: skip
DTYPES = ["f2", "f4", "f8", ">f4", "i1", "i4", "i8", "u1", "u8", "?"]
STATIC, KEYS = "static", "keys"  # folders of an embedding and of the keys that sign, beside the models
OUT_OF_BOUNDS = "index is out of bounds"  # what compiled code says where it checks; numpy says which index
MEMORY, SECONDS = 300 << 20, 2.0  # that opening a file may take, besides 4 times its size and 1 s for 10 MB


def write_models(folder):
    """Fit every method of the catalogue, and the default in all its forms; give the files by name."""
    corpus, others = make_corpus(), make_corpus(per_class=(9, 8, 7), seed=1)
    two = np.flatnonzero(corpus.labels != "ship")
    quick = {
        name: replace(method, grid={setting: values[:1] for setting, values in method.grid.items()})
        for name, method in METHODS.items()
    }
    written, keys = {}, write_keys(Path(folder, KEYS))

    def fit(name, method="auto", rows=slice(None), unlabelled=None, embeddings=None):
        texts = np.array(corpus.texts, dtype=object)[rows].tolist()
        tree = TREE if unlabelled is None and rows == slice(None) else None
        model = TextClassifier(method, tree=tree, embeddings=embeddings)
        model.fit(texts, corpus.labels[rows], unlabelled)
        written[name] = Path(folder, f"{name}.textspace")
        save(model, written[name], sign=keys.private)

    with warnings.catch_warnings(), patch.dict(METHODS, quick):
        warnings.simplefilter("ignore")  # so few documents have fewer dimensions than asked for
        for name in METHODS:
            fit(name, name)
        with patch.object(_choice, "_LEAST", (-np.inf, 0.0)):  # all alphabets and scores are kept
            fit("auto")
            fit("auto-unlabelled", unlabelled=others.texts)
            fit("auto-two", rows=two.tolist())
        with patch.object(_default, "MANY_CLASSES", 2):
            fit("auto-many")
        static = write_model(Path(folder, STATIC))
        with patch.object(_embedded, "_judged", lambda *_, **__: (None, None)):  # it is kept
            fit("auto-embedded", embeddings=static)
        with patch.object(_nearest_documents, "_MANY", 10):
            for name in ("lsi", "sda"):
                fit(f"{name}-clusters", name)
    return written


def dropped(path):
    """Yield the model of a file forged in each way that drops a row, or a column, of one of its arrays."""
    sound = Forger(path)
    for part in _matrices(sound.description):
        for axis in (0, 1):
            forged = copy.deepcopy(sound)
            yield f"matrix {json.dumps(part)[:60]} axis {axis}", _drop_of_matrix(forged, part, axis)
    for name, content in sound.members.items():
        if name.endswith(".npy"):
            array = _array(content)
            for axis in range(array.ndim):
                forged = copy.copy(sound)
                forged.members = sound.members | {name: _bytes(_without_last(array, axis))}
                yield f"{name} axis {axis}", forged


def _without_last(array, axis):
    return array[tuple(slice(None, -1 if each == axis else None) for each in range(array.ndim))]


def _matrices(part):
    """Yield the sparse matrices of a description."""
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        if isinstance(each, dict) and next(iter(each), None) in ("csr_array", "csr_matrix"):
            yield each
        else:
            yield from _matrices(each)


def _drop_of_matrix(forged, part, axis):
    """Make a matrix one row, or one column, smaller, as a sound one."""
    [(kind, (shape, *parts))] = part.items()
    names = [f"arrays/{each['array']}.npy" for each in parts]
    matrix = sparse.csr_array(tuple(_array(forged.members[name]) for name in names), shape=shape)
    matrix = matrix[:-1] if axis == 0 else matrix[:, :-1]
    smaller = {kind: [list(matrix.shape), *parts]}
    forged.description = json.loads(
        json.dumps(forged.description).replace(json.dumps(part), json.dumps(smaller))
    )
    for name, array in zip(names, (matrix.data, matrix.indices, matrix.indptr), strict=True):
        forged.members[name] = _bytes(array)
    return forged


def forge(path, draw, folder):
    """Forge a file in one to three ways that are drawn at random; give its path."""
    forger = _forger(path)
    out = Path(folder, "forged.textspace")
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        draw.choice((_change_array, _change_array, _change_part, _change_part, _change_bytes))(forger, draw)
    forger.write(out)
    if draw.random() < 0.05:
        _flip(out, draw)
    return out


_sound = cache(Forger)


def _forger(path):
    """Give a forger of a file, which is read once only."""
    forger = copy.copy(_sound(path))
    forger.members, forger.description = dict(forger.members), json.loads(forger.members["model.json"])
    return forger


def _change_array(forger, draw):
    """Change one array, or swap two."""
    names = [name for name in forger.members if name.startswith("arrays/")]
    name = draw.choice(names)
    if draw.random() < 0.1:
        other = draw.choice(names)
        forger.members[name], forger.members[other] = forger.members[other], forger.members[name]
        return
    with suppress(Exception):  # one that is forged already may be no array, and not all can be changed so
        forger.members[name] = _bytes(np.array(_changed(_array(forger.members[name]), draw)))


def _changed(array, draw):
    axis = draw.randrange(max(array.ndim, 1))
    match draw.randrange(11):
        case 0:
            return _without_last(array, axis)
        case 1:
            return np.concatenate([array, array[-1:]]) if axis == 0 else np.hstack([array, array[:, -1:]])
        case 2:
            return array.T if array.ndim > 1 else array[::-1]
        case 3:
            return array.astype(draw.choice(DTYPES))
        case 4:
            return array[:0]
        case 5:
            return array.reshape(draw.choice(((-1,), (1, -1), (-1, 1), (1, 1, -1))))
        case 6:
            return np.full_like(array, draw.choice((0, 1, -1, 1e300)))
        case 7:
            return array[draw.choice((slice(0, 1), slice(None, None, 2), slice(None, None, -1)))]
        case _:
            array = array.copy()
            place = draw.randrange(array.size)
            if array.dtype.kind == "f":
                values = np.nan, np.inf, -np.inf, 1e308, -1e30, 0, -1, 1e-300
            else:
                values = -1, 0, 1, 5, 100, 1 << 31, -(1 << 31), 1 << 62, 255
            array.ravel()[place] = draw.choice(values)
            return array


def _change_part(forger, draw):
    """Put something else into a place of the description, take it out, or swap two places."""
    places = list(_places(forger.description))
    if not places:
        return
    part, key = draw.choice(places)
    match draw.randrange(8):
        case 0:
            del part[key]
        case 1:
            other, place = draw.choice(places)
            part[key] = copy.deepcopy(other[place])
        case 2 if type(part[key]) is int:
            part[key] += draw.choice((-1, 1, 1 << 20, 50_000_000, 1 << 40))
        case 3 if isinstance(part, list):
            part.append(part[key])
        case 4 if isinstance(part, dict):
            names = [name for each, name in places if isinstance(each, dict)]
            part[draw.choice(names)] = part.pop(key)
        case 5 if draw.random() < 0.1:
            nested = part[key]
            for _ in range(draw.choice((10, 100, 300))):
                nested = [nested]
            part[key] = nested
        case _:
            part[key] = copy.deepcopy(draw.choice(JUNK))


def _places(part):
    """Yield the containers of a description, each with a key of it; of long lists a few items."""
    if isinstance(part, dict):
        keys = list(part)
    else:
        keys = list(range(len(part)))[:12] if isinstance(part, list) else ()
    for key in keys:
        yield part, key
        yield from _places(part[key])


def _change_bytes(forger, draw):
    """Flip, cut off, repeat or insert bytes of a member, of its header more often than not."""
    name = draw.choice(list(forger.members))
    content = bytearray(forger.members[name])
    if not content:
        return
    place = draw.randrange(min(len(content), draw.choice((64, 128, len(content)))))
    match draw.randrange(4):
        case 0:
            content[place] ^= 1 << draw.randrange(8)
        case 1:
            del content[place:]
        case 2:
            content[place:place] = content[place : place + draw.randrange(64)]
        case _:
            content[place] = draw.choice(b'0123456789"{}[],<>Uf\x00\xff')
    if name == "model.json":
        try:
            forger.description = json.loads(bytes(content))
        except (ValueError, RecursionError):
            return
    forger.members[name] = bytes(content)


def _flip(path, draw):
    """Change bytes of the archive itself, and seal it anew."""
    from textspace.models._archive import seal

    content = bytearray(path.read_bytes())
    for _ in range(draw.choice((1, 1, 5))):
        place = draw.choice((draw.randrange(len(content)), len(content) - 1 - draw.randrange(600)))
        content[max(4, place)] = draw.randrange(256)
    path.write_bytes(content)
    with open(path, "r+b") as file:
        seal(file)


def outcome(path):
    """Open a file and ask its model; say what comes of it, or what is wrong, which begins with "wrong"."""
    before, start = _most_memory(), time.process_time()
    try:
        model = load(path, embeddings=path.parent / STATIC)
    except ModelFileError:
        model = None
    except Exception as error:
        return f"wrong: load raises {type(error).__name__}: {error}"
    size = path.stat().st_size
    if _most_memory() - before > MEMORY + 4 * size:
        return f"wrong: it takes {(_most_memory() - before) >> 20} MB"
    if time.process_time() - start > SECONDS + size / 1e7:
        return f"wrong: it takes {time.process_time() - start:.1f} s"
    if model is None:
        return "refused"
    try:
        return _answers(model)
    except MemoryError as error:
        return f"wrong: it has no room for an answer: {error}"
    except Exception as error:
        if str(error) == OUT_OF_BOUNDS:
            return "wrong: compiled code looks beyond the end of an array"
        return f"no answer ({type(error).__name__})"


def is_wrongly_verified(path, sound):
    """Whether a file counts as signed though its members are not those of the sound one."""
    try:
        load(path, embeddings=path.parent / STATIC, verify=path.parent / KEYS / "public.pem")
    except ModelFileError:
        return False
    return Forger(path).members != _sound(sound).members


def _answers(model):
    shares = model.predict_proba(TEXTS)
    labels = model.predict(TEXTS, min_confidence=0.4)
    positions = model.transform(TEXTS)
    why = model.explain(TEXTS[0]).to_dict()
    if shares.shape != (len(TEXTS), len(model.classes_)) or not np.allclose(shares.sum(axis=1), 1, atol=1e-4):
        return f"wrong: the probabilities are {shares.tolist()}"
    if labels.shape != (len(TEXTS),) or not np.isfinite(positions).all():
        return f"wrong: the labels are {labels}, the places {positions}"
    json.dumps(why, allow_nan=False, default=str)
    return "answered"


def _most_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def attack(folder, seed, first, last, seconds=None):
    """Forge files of the models in a folder, and print the outcome of each; a case that ends us is the last.

    With the seed "dropped", the cases are those of :func:`dropped`, of all models.
    """
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    out, paths = Path(folder, "forged.textspace"), sorted(Path(folder).glob("*[!d].textspace"))
    for path in paths:
        outcome(path)  # what is compiled and loaded first is not what a file takes
    start = time.monotonic()
    for case, what, sound, write in (
        _drops(paths) if seed == "dropped" else _draws(paths, seed, first, last, folder)
    ):
        if seconds is not None and time.monotonic() - start > seconds:
            break
        print("case", case, what, flush=True)
        write(out)
        found = outcome(out)
        if is_wrongly_verified(out, sound):
            found = "wrong: it counts as signed"
        print("outcome", found, flush=True)


def _drops(paths):
    number = 0
    for path in paths:
        for what, forged in dropped(path):
            yield number, f"{path.stem} {what}", path, forged.write
            number += 1


def _draws(paths, seed, first, last, folder):
    for case in range(first, last):
        draw = random.Random(f"{seed} {case}")
        path = draw.choice(paths)
        yield case, path.stem, path, lambda _, path=path, draw=draw: forge(path, draw, folder)


def tally(folder, seed, first=0, last=1 << 60, seconds=None):
    """Let a process attack; count its outcomes, and list what is wrong.

    When it dies by a file, the next one goes on behind that.
    """
    counts, wrong, end = Counter(), [], None if seconds is None else time.monotonic() + seconds
    environment = os.environ | {
        "NUMBA_BOUNDSCHECK": "1",
        "TEXTSPACE_CACHE": str(Path(kept_code().path or folder, "checked")),  # apart from what does not check
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    while True:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            break
        arguments = ", ".join(map(repr, (str(folder), seed, first, last, left)))
        code = f"from tests.adversary.model_files import attack; attack({arguments})"
        process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-c", code],
            stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parents[2],
        )  # fmt: skip
        case, is_open = None, False
        for line in process.stdout:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "case":
                case, is_open = rest, True
            elif kind == "outcome":
                is_open = False
                counts[rest if rest.startswith(("answered", "refused", "no answer")) else "wrong"] += 1
                if rest.startswith("wrong"):
                    wrong.append(f"seed {seed}, case {case}: {rest}")
        if process.wait() == 0:
            break
        wrong.append(f"seed {seed}, case {case}: the process ended with {process.returncode}")
        counts["wrong"] += 1
        if not is_open or seed == "dropped":
            break
        first = int(case.split()[0]) + 1
    return counts, wrong


def run(seed, seconds):
    """Forge files for so many seconds; print what is wrong with any; give the numbers of both."""
    with tempfile.TemporaryDirectory() as folder:
        write_models(folder)
        counts, wrong = tally(folder, "dropped")
        print(f"a row or column dropped: {dict(counts)}")
        more, others = tally(folder, seed, seconds=seconds)
    print(f"forged at random: {sum(more.values())} files, {dict(more.most_common())}")
    for each in wrong + others:
        print(each)
    return more.total(), len(wrong + others)


def _array(content):
    return np.load(io.BytesIO(content), allow_pickle=False)


def _bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
