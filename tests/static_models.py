"""Small static models, written as files: a tokenizer, and vectors in the format of safetensors."""

import json

import numpy as np

# Words of grain are alike, and so are words of ships; "har" and "##vest" are parts of a word.
VECTORS = {
    "[UNK]": (9, 9, 9),
    "corn": (2, 0, 0.1),
    "maize": (1, 0.1, 0),
    "wheat": (1, 0, 0.2),
    "crop": (1, 0.2, 0.1),
    "har": (0.5, 0, 0),
    "##vest": (0.4, 0.1, 0),
    "ship": (0, 1, 0.1),
    "vessel": (0, 1, 0),
    "sea": (0.1, 1, 0),
    "port": (0, 2, 0.2),
    "and": (0, 0, 0.5),
    ",": (0, 0, 0.1),
}
TYPES = {np.dtype(kind): name for kind, name in (("f2", "F16"), ("f4", "F32"), ("i1", "I8"), ("i8", "I64"))}


def write_tensors(path, **arrays):
    """Write arrays as a safetensors file."""
    header, content = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        ends = [len(content), len(content) + array.nbytes]
        header[name] = {"dtype": TYPES[array.dtype], "shape": array.shape, "data_offsets": ends}
        content += array.tobytes()
    described = json.dumps(header).encode()
    path.write_bytes(len(described).to_bytes(8, "little") + described + content)


def write_model(folder, **arrays):
    """Write a model of the words above into a folder, with other arrays if some are given."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    words = {word: place for place, word in enumerate(VECTORS)}
    tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_truncation(2)  # which is not to be heeded
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    arrays = arrays or {"embeddings": np.array(list(VECTORS.values()), dtype=np.float32)}
    write_tensors(folder / "model.safetensors", **arrays)
    (folder / "config.json").write_text('{"model_type": "model2vec"}')
    return folder
