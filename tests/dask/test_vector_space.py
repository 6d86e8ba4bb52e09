"""DaskVectorSpace against VectorSpace, from every kind of source."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

import dask.bag as db
import dask.dataframe as dd
from dask import delayed

from textspace.dask import DaskRLSC, DaskVectorSpace
from textspace.datasets import load
from textspace.text import VectorSpace
from textspace.text._reading import _BLOCK_BYTES


@pytest.fixture(scope="module")
def corpus():
    return load("demo")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_hashed": 1000, "scheme": "ltc"},
        {"min_df": 2, "max_terms": 100},
    ],
)
def test_rows_equal_those_in_memory(client, corpus, settings):
    texts = db.from_sequence(corpus.texts, npartitions=5)
    space = DaskVectorSpace(client=client, **settings)
    rows = space.fit_transform(texts)
    local = VectorSpace(**settings)
    expected = local.fit_transform(corpus.texts)
    assert rows.shape == expected.shape
    assert sp.issparse(rows.compute())
    np.testing.assert_array_equal(rows.compute().toarray(), expected.toarray())
    new = ["a new text of corn and ships", ""]
    np.testing.assert_array_equal(space.to_local().transform(new).toarray(), local.transform(new).toarray())


def test_all_kinds_of_sources(client, corpus, tmp_path):
    frame = pd.DataFrame({"body": list(corpus.texts), "topic": corpus.labels})
    partitions = dd.from_pandas(frame, npartitions=3)
    partitions.to_parquet(tmp_path / "texts")
    expected = VectorSpace().fit_transform(corpus.texts).toarray()
    space = DaskVectorSpace(column="body", client=client)
    sources = [
        partitions,
        partitions["body"],
        str(tmp_path / "texts"),
        [delayed(list(corpus.texts[:40])), delayed(list(corpus.texts[40:]))],
    ]
    for source in sources:
        np.testing.assert_array_equal(space.fit(source).transform(source).compute().toarray(), expected)


@pytest.mark.parametrize("n_hashed", [None, 1000])
def test_a_partition_of_several_blocks(client, corpus, n_hashed):
    short = pd.Series([f"{text} " for text in corpus.texts])
    repeats = -(-6 * _BLOCK_BYTES // short.str.len().sum())
    texts = dd.from_pandas(short, npartitions=2).str.repeat(repeats)
    rows = DaskVectorSpace(n_hashed=n_hashed, client=client).fit_transform(texts)
    expected = VectorSpace(n_hashed=n_hashed).fit_transform(short.str.repeat(repeats))
    assert (rows.compute() != expected).nnz == 0


@pytest.mark.parametrize("n_hashed", [None, 1000])
def test_texts_are_read_once(client, corpus, tmp_path, n_hashed):
    def read(number):
        with (tmp_path / "log").open("a") as log:
            log.write(f"{number}\n")
        return list(corpus.texts[number::2])

    rows = DaskVectorSpace(n_hashed=n_hashed, client=client).fit_transform([delayed(read)(i) for i in (0, 1)])
    rows.compute()
    assert sorted((tmp_path / "log").read_text().split()) == ["0", "1"]


def test_from_parquet_to_predictions(client, corpus, tmp_path):
    frame = pd.DataFrame({"body": list(corpus.texts), "topic": corpus.labels})
    dd.from_pandas(frame, npartitions=3).to_parquet(tmp_path / "texts")
    stored = dd.read_parquet(tmp_path / "texts")
    X = DaskVectorSpace(column="body", client=client).fit_transform(stored)
    model = DaskRLSC(client=client).fit(X, stored["topic"])
    assert (model.predict(X).compute() == corpus.labels).mean() > 0.9


@pytest.mark.parametrize(
    ("column", "source", "sentence"),
    [
        (None, "frame", "say with column= which"),
        ("text", "frame", "no column 'text': there are body, topic"),
        (None, "list", "for texts in memory there is VectorSpace"),
        ("topic", "missing", "document 0 .* is NoneType|drop it, or put an empty string"),
    ],
)
def test_bad_sources(client, column, source, sentence):
    frame = dd.from_pandas(pd.DataFrame({"body": ["corn"], "topic": ["grain"]}), npartitions=1)
    sources = {"frame": frame, "list": ["corn"], "missing": db.from_sequence([None, "corn"], npartitions=1)}
    with pytest.raises((ValueError, TypeError), match=sentence):
        DaskVectorSpace(column=column, client=client).fit(sources[source])
