import gzip

import numpy as np
import pytest
from sklearn.preprocessing import MultiLabelBinarizer

from textspace.datasets import load_rcv1
from textspace.datasets._rcv1 import N_TERMS, read_rcv1

TRAIN = "2286  2:0.25 47236:0.75\n2287  1:1\n2290  \n"
TEST = "26151  3:0.5\n"
TOPICS = """\
E11 2286 1
ECAT 2286 1
M11 2286 1
C24 2287 1
CCAT 2287 1
GCAT 2290 1
C24 26151 1
CCAT 26151 1
G154 99999 1
"""


@pytest.fixture
def pack(tmp_path):
    """Give a function that writes a gzipped file."""

    def write(name, text):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()))
        return path

    return write


@pytest.fixture
def files(pack):
    return [pack("train.gz", TRAIN), pack("test.gz", TEST)], pack("topics.gz", TOPICS)


def test_vectors_and_topics(files):
    X, Y, topics, documents = read_rcv1(*files)
    assert documents.tolist() == [2286, 2287, 2290, 26151]
    assert X.shape == (4, N_TERMS)
    assert X.format == Y.format == "csr"
    assert X.dtype == np.float32
    assert X.nnz == 4
    assert [X[0, 1], X[0, N_TERMS - 1], X[1, 0], X[3, 2]] == [0.25, 0.75, 1, 0.5]
    expected = [{"E11", "ECAT", "M11"}, {"C24", "CCAT"}, {"GCAT"}, {"C24", "CCAT"}]
    binarizer = MultiLabelBinarizer(classes=["C24", "CCAT", "E11", "ECAT", "G154", "GCAT", "M11"])
    np.testing.assert_array_equal(Y.toarray(), binarizer.fit_transform(expected))
    assert topics.tolist() == binarizer.classes_.tolist()
    assert Y.dtype == np.uint8


def test_columns_of_the_topics_are_the_same_for_every_split(files):
    (train, test), topics = files
    whole = read_rcv1([train, test], topics)
    for path, rows in ((train, slice(0, 3)), (test, slice(3, 4))):
        half = read_rcv1([path], topics)
        assert half.topics.tolist() == whole.topics.tolist()
        np.testing.assert_array_equal(half.Y.toarray(), whole.Y[rows].toarray())
        np.testing.assert_array_equal(half.X.indices, whole.X[rows].indices)


def test_order_and_repetition_of_topic_lines_do_not_matter(files, pack):
    vectors, topics = files
    lines = TOPICS.splitlines()[::-1] * 300
    found = read_rcv1(vectors, pack("reversed.gz", "\n".join(lines)))
    expected = read_rcv1(vectors, topics)
    assert found.topics.tolist() == expected.topics.tolist()
    np.testing.assert_array_equal(found.Y.toarray(), expected.Y.toarray())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x2288 1:1", "bad.gz, line 4, column 1: expected a label, found 'x2288'"),
        ("2288 1:1 0.5", "bad.gz, line 4, column 10: expected term:value .*found '0.5'"),
        ("2288 47237:1", "bad.gz, line 4, column 6: .*a term from 1 to 47236 .*'47237:1'"),
        ("2287 1:1", r"bad.gz is damaged or not the expected file \(document 2287 comes twice\)"),
    ],
)
def test_malformed_vectors_name_file_line_and_column(pack, files, line, message):
    with pytest.raises(ValueError, match=message):
        read_rcv1([pack("bad.gz", TRAIN + line + "\n")], files[1])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("E11", "line 10, column 4: expected the number of a document, found nothing"),
        ("E11 x 1", "line 10, column 5: expected the number of a document, found 'x'"),
        ("E11 2286", "line 10, column 9: expected a 1, found nothing"),
        ("E11 2286 0", "line 10, column 10: expected a 1, found '0'"),
        ("E11 2286 1 E12", "line 10, column 12: expected nothing more, found 'E12'"),
    ],
)
def test_malformed_topics_name_file_line_and_column(pack, files, line, message):
    with pytest.raises(ValueError, match=rf"bad\.gz, {message}.*get it again"):
        read_rcv1(files[0], pack("bad.gz", TOPICS + line + "\n"))


def test_document_without_a_topic_means_another_file(pack, files):
    topics = TOPICS.replace("GCAT 2290 1\n", "")
    with pytest.raises(ValueError, match=r"short\.gz is damaged .*it has no topic of document 2290"):
        read_rcv1(files[0], pack("short.gz", topics))


@pytest.mark.parametrize("split", ["train", "test"])
def test_another_file_is_found_out_by_its_counts(pack, tmp_path, split):
    pack("lyrl2004_vectors_train.dat.gz", TRAIN)
    for number in range(4):
        pack(f"lyrl2004_vectors_test_pt{number}.dat.gz", TEST.replace("26151", f"2615{number}"))
    topics = "".join(f"CCAT {number} 1\n" for number in (2286, 2287, 2290, 26150, 26151, 26152, 26153))
    pack("rcv1v2.topics.qrels.gz", topics)
    counts = {"train": "3 documents where 23149", "test": "4 documents where 781265"}[split]
    with pytest.raises(ValueError, match=rf"lyrl2004_vectors_{split}.* is damaged .*{counts} are expected"):
        load_rcv1(split, data_home=tmp_path)


def test_missing_file_says_where_it_goes(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=rf"rcv1v2.topics.qrels.gz is not in {tmp_path}: .*put it there"
    ):
        load_rcv1(data_home=tmp_path, download=False)


def test_unknown_split(tmp_path):
    with pytest.raises(ValueError, match="split='all' is not known: use 'train' or 'test'"):
        load_rcv1("all", data_home=tmp_path)
