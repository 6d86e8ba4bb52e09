import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from textspace.text import SentenceEmbeddings

pytest.importorskip("onnxruntime", reason="sentence embeddings need the extra 'embed'")
pytest.importorskip("tokenizers", reason="sentence embeddings need the extra 'embed'")

# Ten words with a vector of eight numbers each: words of grain are alike, and so are words of ships.
ENCODER = Path(__file__).parent / "data" / "tiny-encoder"


@pytest.fixture(scope="module")
def encoder():
    return SentenceEmbeddings(ENCODER).fit([])


def test_rows_are_the_unit_means_of_the_vectors_of_tokens(encoder):
    corn, crop = encoder.transform(["corn", "crop"])
    both = encoder.transform(["corn crop"])[0]
    rows = encoder.transform(["corn", "corn corn corn", "Corn"])
    np.testing.assert_allclose(rows, np.tile(corn, (3, 1)), atol=1e-6)
    assert corn @ both > corn @ crop
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert rows.dtype == np.float32


def test_words_of_a_kind_are_near(encoder):
    grain, ship, maize = encoder.transform(["corn and wheat", "ship at sea", "maize"])
    assert maize @ grain > maize @ ship


@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_texts_do_not_depend_on_what_they_are_encoded_with(encoder, batch_size):
    texts = ["corn", "wheat crop port sea ship", "", "sea", "vessel vessel", "corn crop"]
    rows = SentenceEmbeddings(ENCODER, batch_size=batch_size).fit([]).transform(texts)
    for text, row in zip(texts, rows, strict=True):
        np.testing.assert_allclose(encoder.transform([text])[0], row, atol=1e-6)


def test_what_is_beyond_the_longest_text_is_left_out(encoder):
    short = SentenceEmbeddings(ENCODER, max_tokens=2).fit([])
    np.testing.assert_allclose(
        short.transform(["corn crop ship"]), encoder.transform(["corn crop"]), atol=1e-6
    )


def test_no_text_gives_no_row(encoder):
    assert encoder.transform([]).shape == (0, encoder.n_features_out_) == (0, 8)


def test_a_copy_opens_the_encoder_again(encoder):
    copy = pickle.loads(pickle.dumps(encoder))
    np.testing.assert_array_equal(copy.transform(["corn"]), encoder.transform(["corn"]))


def test_another_encoder_is_refused(encoder, tmp_path):
    folder = shutil.copytree(ENCODER, tmp_path / "encoder")
    own = SentenceEmbeddings(folder).fit([])
    (folder / "tokenizer.json").write_bytes((ENCODER / "tokenizer.json").read_bytes() + b"\n")
    with pytest.raises(ValueError, match="another encoder"):
        pickle.loads(pickle.dumps(own)).transform(["corn"])


@pytest.mark.parametrize(
    ("missing", "message"), [("model.onnx", "no model.onnx in"), ("tokenizer.json", "no tokenizer.json in")]
)
def test_a_folder_without_an_encoder_is_named(tmp_path, missing, message):
    folder = shutil.copytree(ENCODER, tmp_path / "encoder")
    (folder / missing).unlink()
    with pytest.raises(FileNotFoundError, match=message):
        SentenceEmbeddings(folder).fit([])


def test_a_broken_encoder_is_named(tmp_path):
    folder = shutil.copytree(ENCODER, tmp_path / "encoder")
    (folder / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be opened"):
        SentenceEmbeddings(folder).fit([])
