import pickle
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from sklearn.base import clone
from tests.static_models import VECTORS, write_model, write_tensors

from textspace.text import SentenceEmbeddings, StaticEmbeddings, find_embeddings

tokenizers = pytest.importorskip("tokenizers", reason="static embeddings need the extra 'static'")

NAMES = list(VECTORS)
TABLE = np.array(list(VECTORS.values()), dtype=np.float32)
TEXTS = [
    "Corn, maize and\n\tcorn",
    "ship",
    "",
    "qqq ship",
    "the harvest of corn",
    "qqq",
    "port\u2003port sea",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("static") / "model")


@pytest.fixture(scope="module")
def static(folder):
    return StaticEmbeddings(folder).fit([])


def test_tokens_are_those_of_the_whole_text(static):
    tokenizer = tokenizers.Tokenizer.from_file(str(static.source / "tokenizer.json"))
    tokenizer.no_truncation()
    expected = [np.bincount(tokenizer.encode(text).ids, minlength=len(NAMES)) for text in TEXTS]
    counts = static.tokens(TEXTS)
    np.testing.assert_array_equal(counts.toarray(), expected)
    assert counts.dtype == np.float32
    assert counts.has_canonical_format


def test_rows_are_unit_means_of_the_vectors_of_known_tokens(static):
    rows = static.transform(TEXTS)
    mean = (
        2 * TABLE[NAMES.index("corn")] + sum(TABLE[NAMES.index(each)] for each in (",", "maize", "and"))
    ) / 5
    np.testing.assert_allclose(rows[0], mean / np.linalg.norm(mean), rtol=1e-6)
    np.testing.assert_array_equal(rows[1], rows[3])  # the unknown token has no vector
    assert not rows[2].any()
    assert not rows[5].any()
    assert rows.dtype == np.float32
    assert static.transform([]).shape == (0, 3) == (0, static.n_features_out_)


def test_spans_hold_the_tokens_that_are_counted(static):
    text = "Corn, harvest\n 😀 \ud800 of MAIZE"
    spans = static.spans(text)
    assert [(text[start:end], NAMES[token]) for start, end, token in spans] == [
        ("Corn", "corn"),
        (",", ","),
        ("har", "har"),
        ("vest", "##vest"),
        ("😀", "[UNK]"),
        ("\ud800", "[UNK]"),
        ("of", "[UNK]"),
        ("MAIZE", "maize"),
    ]
    counts = np.bincount([token for _, _, token in spans], minlength=len(NAMES))
    np.testing.assert_array_equal(static.tokens([text]).toarray()[0], counts)


def test_a_word_has_the_tokens_that_it_has_in_the_middle_of_a_text(tmp_path):
    words = ["a", "Ġa", "c", "Ġc", "ca", "Ġca"]
    model = tokenizers.models.BPE({word: i for i, word in enumerate([*words, "Ġ"])}, [("Ġ", "a"), ("Ġ", "c")])
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    folder = write_model(tmp_path / "model", embeddings=np.eye(7, dtype=np.float32))
    tokenizer.save(str(folder / "tokenizer.json"))
    static = StaticEmbeddings(folder).fit([])
    assert static.spans("ca  a") == [(0, 1, 3), (1, 2, 0), (4, 5, 1)]
    np.testing.assert_array_equal(static.tokens(["ca  a"]).toarray(), [[1, 1, 0, 1, 0, 0, 0]])


def test_weights_and_mapping_are_those_of_the_tokens(tmp_path):
    mapping = np.arange(len(NAMES))[::-1].copy()
    weights = np.linspace(0.5, 1, len(NAMES)).astype(np.float32)
    found = StaticEmbeddings(
        write_model(tmp_path, embeddings=TABLE.astype(np.float16), mapping=mapping, weights=weights)
    ).fit([])
    expected = TABLE.astype(np.float16)[::-1] * weights[:, None]
    expected[0] = 0  # the unknown token
    np.testing.assert_array_equal(found.vectors_, expected)


def test_files_are_those_that_the_library_of_the_format_writes(tmp_path):
    numpy = pytest.importorskip("safetensors.numpy", reason="the library of the format is not installed")
    write_model(tmp_path)
    own = StaticEmbeddings(tmp_path).fit([]).vectors_
    numpy.save_file({"other": np.arange(5), "embeddings": TABLE}, tmp_path / "model.safetensors")
    np.testing.assert_array_equal(StaticEmbeddings(tmp_path).fit([]).vectors_, own)


def test_the_fingerprint_tells_models_apart(static, folder, tmp_path):
    assert clone(static).fit([]).fingerprint_ == static.fingerprint_
    other = write_model(tmp_path, embeddings=TABLE + 1)
    assert StaticEmbeddings(other).fit([]).fingerprint_ != static.fingerprint_


def test_a_copy_holds_all_that_it_needs(tmp_path):
    folder = write_model(tmp_path)
    copy = pickle.dumps(StaticEmbeddings(folder).fit([]))
    (folder / "model.safetensors").unlink()
    np.testing.assert_allclose(pickle.loads(copy).transform(["vessel"]), [[0, 1, 0]])


def test_a_static_model_is_known_by_its_files(folder, tmp_path):
    assert isinstance(find_embeddings(folder), StaticEmbeddings)
    assert isinstance(find_embeddings(tmp_path), SentenceEmbeddings)
    write_tensors(tmp_path / "model.safetensors", **{"encoder.weight": TABLE})
    assert isinstance(find_embeddings(tmp_path), SentenceEmbeddings)


@pytest.mark.parametrize("missing", ["tokenizer.json", "model.safetensors"])
def test_a_folder_without_a_model_is_named(tmp_path, missing):
    (write_model(tmp_path) / missing).unlink()
    with pytest.raises(FileNotFoundError, match=f"no {missing} in {tmp_path}: give the folder"):
        StaticEmbeddings(tmp_path).fit([])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"other": TABLE}, "no table of vectors"),
        ({"embeddings": TABLE[0]}, "no table of vectors"),
        ({"embeddings": TABLE[1:]}, "12 vectors, but its tokenizer knows 13 tokens"),
        ({"embeddings": TABLE * np.float32(np.nan)}, "no numbers"),
        ({"embeddings": TABLE, "weights": TABLE[1:, 0].copy()}, "12 weights for 13 tokens"),
        ({"embeddings": TABLE, "mapping": np.arange(1, 14)}, "vectors that it does not hold"),
    ],
    ids=["no vectors", "one dimension", "too few", "nan", "weights", "mapping"],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path, arrays, message):
    with pytest.raises(ValueError, match=message):
        StaticEmbeddings(write_model(tmp_path, **arrays)).fit([])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:-10], r"cut off: it has \d+ of \d+ bytes"),
        (lambda content: content[:40], "is cut off"),
        (lambda content: b"", "is cut off"),
        (lambda content: content[:8] + b"[" + content[9:], "is damaged"),
        (lambda content: content.replace(b"[13, 3]", b"[13,-3]"), "is damaged"),
        (lambda content: content.replace(b"[13, 3]", b"[13, 9]"), "is damaged"),
    ],
    ids=["end", "header", "empty", "no json", "negative", "shape"],
)
def test_a_damaged_file_of_vectors_is_named(tmp_path, change, message):
    path = write_model(tmp_path) / "model.safetensors"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=message) as error:
        StaticEmbeddings(tmp_path).fit([])
    assert str(path) in str(error.value)


def test_a_damaged_tokenizer_is_named(tmp_path):
    (write_model(tmp_path) / "tokenizer.json").write_text("{}")
    with pytest.raises(ValueError, match=r"tokenizer.json cannot be opened"):
        StaticEmbeddings(tmp_path).fit([])


def test_one_text_alone_is_refused(static):
    with pytest.raises(TypeError, match="put it in a list"):
        static.transform("corn")
    with pytest.raises(TypeError, match="one text, but was given list"):
        static.spans(["corn"])


def test_a_missing_library_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)  # as if it were not installed
    with pytest.raises(ImportError, match=r"need tokenizers: pip install 'textspace\[static\]'"):
        StaticEmbeddings(folder).fit([])


@pytest.mark.skipif(find_spec("wordllama") is None, reason="the extra 'static' is not installed")
def test_the_package_knows_what_words_mean():
    static = StaticEmbeddings("wordllama").fit([])
    grain, ship, maize, tanker = static.transform(["corn and wheat", "a ship at sea", "maize", "oil tanker"])
    assert maize @ grain > maize @ ship
    assert tanker @ ship > tanker @ grain
    assert "wordllama" not in sys.modules


@pytest.mark.skipif(find_spec("wordllama") is not None, reason="the extra 'static' is installed")
def test_a_missing_package_is_named():
    with pytest.raises(ImportError, match=r"pip install 'textspace\[static\]'"):
        StaticEmbeddings("wordllama").fit([])
