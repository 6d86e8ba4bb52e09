import gzip
import hashlib
from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix, issparse

from textspace import datasets
from textspace.datasets import available, fetch, load
from textspace.datasets._catalogue import CORPORA
from textspace.datasets._collections import TDT2_TERMS, read_tdt2
from textspace.datasets._newsgroups import _subject_and_body
from textspace.datasets._reuters import Story

pytestmark = pytest.mark.slow

# D. Cai et al., "Support Tensor Machines for Text Categorization", Table 1: category, train, test.
STM_TABLE_1 = """
earn 2673 1040   acq 1435 620     crude 223 98      trade 225 73         money-fx 176 69     interest 140 57
ship 107 35      sugar 90 24      coffee 89 21      gold 70 20           money-supply 70 17  gnp 49 14
cpi 45 15        cocoa 41 12      alum 29 16        grain 38 7           copper 31 13        jobs 32 10
reserves 30 8    rubber 29 9      iron-steel 26 11  ipi 27 9             nat-gas 22 11       veg-oil 19 11
tin 17 10        cotton 15 9      bop 15 8          wpi 12 8             pet-chem 13 6       livestock 13 5
gas 10 8         orange 12 6      retail 15 1       strategic-metal 9 6  housing 13 1        zinc 8 4
lumber 7 4       fuel 4 7         carcass 6 5       heat 6 4             lei 8 2
"""

COUNTS = {
    "reuters-r8": (5485, 2189, 8),
    "reuters-r52": (6532, 2568, 52),
    "reuters-modapte-41": (5899, 2314, 41),
    "reuters-tree-a": (531, 196, 4),
    "reuters-tree-b": (226, 94, 6),
    "20newsgroups": (11293, 7528, 20),
    "20newsgroups-bydate": (11314, 7532, 20),
    "20newsgroups-8": (800, 800, 8),
    "ohsumed-23": (3357, 4043, 23),
    "imdb": (37595, 12405, 2),
    "debian-en": (11089, 4911, 57),
    "debian-de": (5608, 2392, 50),
    "debian-fr": (5548, 2452, 54),
    "debian-ja": (4343, 2010, 41),
    "debian-ru": (2200, 943, 29),
    "reuters-modapte-90": (7770, 3019, 90),
    "debian-tags": (5207, 2275, 564),
    "debian-tags-de": (4198, 1765, 549),
    "debian-tags-fr": (3813, 1648, 560),
    "debian-tags-ja": (3493, 1607, 542),
    "debian-tags-ru": (1843, 767, 479),
}
ONLY_TESTED = {  # number of classes that no training document has
    "debian-en": 1,
    "debian-fr": 1,
    "debian-tags": 37,
    "debian-tags-de": 34,
    "debian-tags-fr": 23,
    "debian-tags-ja": 30,
    "debian-tags-ru": 40,
}


@pytest.fixture(scope="module")
def corpus(corpus_or_skip):
    """Give a function that loads a corpus once for all tests of this file."""
    return cache(corpus_or_skip)


def fetch_or_skip(name):
    try:
        return fetch(name, download=False)
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


def sizes(corpus):
    return dict(Counter(corpus.labels.tolist()))


@pytest.mark.parametrize("name", COUNTS)
def test_exact_counts(corpus, name):
    found = corpus(name)
    assert (len(found.train), len(found.test), len(found.classes)) == COUNTS[name]
    assert len(found) == len(found.train) + len(found.test)
    assert len(found.train.classes) + ONLY_TESTED.get(name, 0) == len(found.classes)
    assert found.name == name


@pytest.mark.parametrize("name", COUNTS)
def test_every_document_has_text_and_label(corpus, name):
    found = corpus(name)
    assert all(isinstance(text, str) and text.strip() for text in found.texts)
    assert all(found.labels)
    assert len(found.unlabelled) == 0


def test_catalogue_states_these_counts():
    stated = {info.name: (info.n_train, info.n_test, info.n_classes) for info in available()}
    assert {name: stated[name] for name in COUNTS} == COUNTS
    others = {"demo", "tdt2-30", "tdt2-56", "techtc", "techtc-standin", "rcv1"}
    assert list(stated) == list(CORPORA)
    assert set(stated) == set(COUNTS) | others


def test_modapte_41_is_table_1_of_the_paper(corpus):
    cells = STM_TABLE_1.split()
    names, train, test = cells[::3], map(int, cells[1::3]), map(int, cells[2::3])
    found = corpus("reuters-modapte-41")
    assert sizes(found.train) == dict(zip(names, train, strict=True))
    assert sizes(found.test) == dict(zip(names, test, strict=True))


def test_trees_have_the_papers_test_documents(corpus):
    a, b = corpus("reuters-tree-a"), corpus("reuters-tree-b")
    assert sizes(a.test) == {"corn": 34, "wheat": 47, "ship": 86, "nat-gas": 29}
    # The paper's recalls fit 11 documents of iron and 14 of tin: the reverse of the collection.
    assert sizes(b.test) == {"barley": 12, "rice": 21, "cocoa": 18, "copper": 18, "iron-steel": 14, "tin": 11}
    for found in (a, b):
        assert set(found.tree) == set(found.classes)
        assert len(set(found.tree.values())) == 2
        assert "inferred" in found.notes[0]


def test_sgml_becomes_plain_text(corpus):
    found = corpus("reuters-modapte-41")
    assert found.texts[0].startswith("BAHIA COCOA REVIEW\nShowers continued throughout the week in\nthe ")
    whole = "".join(found.texts)
    assert not any(mark in whole for mark in ("<BODY>", "</", "&lt;", "&#", "\x03"))
    assert "<IBM>" in whole  # a company's code, written with &lt; in the source


def test_story_without_title_and_body_is_taken_whole():
    source = '<TEXT TYPE="UNPROC">&#2;\nFREIGHTS &lt;AB>\n A&amp;P <b>  Nil\n&#3;</TEXT>'
    story = Story("test", ["ship"], source)
    assert story.text.split() == ["FREIGHTS", "<AB>", "A&P", "Nil"]


def test_raw_posts_keep_subject_and_body_only(corpus):
    found = corpus("20newsgroups-bydate")
    assert found.texts[0].startswith("Alt.Atheism FAQ: Atheist Resources\n\nArchive-name: atheism/resources")
    assert sum("NNTP-Posting-Host:" in text for text in found.texts) < 20  # those quoted in bodies


@pytest.mark.parametrize(
    ("post", "text"),
    [
        (b"From: a\nSubject: one\n  two\nLines: 3\n\nbody\n", "one\n  two\n\nbody"),
        (b"Subject: one\n\nbody\n\nSubject: two", "one\n\nbody\n\nSubject: two"),
        (b"From: a\r\nSUBJECT:one\r\n\r\nbody\r\n", "one\n\nbody"),
        (b"From: a\n\nbody caf\xe9", "body caf\xe9"),
        (b"Subject: no body", "no body"),
    ],
)
def test_headers_of_a_post(post, text):
    assert _subject_and_body(post) == text


def test_eight_groups_are_drawn_from_the_raw_posts(corpus):
    found, whole = corpus("20newsgroups-8"), corpus("20newsgroups-bydate")
    assert set(sizes(found.train).values()) == set(sizes(found.test).values()) == {100}
    for split in ("train", "test"):
        posts = set(zip(getattr(whole, split).texts, getattr(whole, split).labels.tolist(), strict=True))
        drawn = getattr(found, split)
        assert posts.issuperset(zip(drawn.texts, drawn.labels.tolist(), strict=True))


def test_eight_groups_are_the_same_on_every_machine(corpus):
    found = corpus("20newsgroups-8")
    content = "\0".join([*found.texts, *found.labels, *found.split]).encode()
    assert hashlib.sha256(content).hexdigest().startswith("40dcb782988599b3")


def test_eight_groups_have_the_tree_of_their_names(corpus):
    tree = corpus("20newsgroups-8").tree
    assert tree["rec.sport.hockey"] == "rec.sport"
    assert tree["rec.sport"] == tree["rec.autos"] == "rec"
    assert {parent for parent in tree.values() if parent not in tree} == {"rec", "sci"}


def test_tdt2_is_counts_without_class_and_day(corpus):
    found = corpus("tdt2-30")
    assert issparse(found.texts)
    assert found.texts.format == "csr"
    assert found.texts.shape == (9394, 36771)
    assert found.texts.dtype == np.float32
    assert np.all(found.texts.data == np.round(found.texts.data))
    assert found.texts.data.max() < 100  # the day, above 100 in every row, is not among them
    assert found.split is None
    assert found.terms is None
    assert len(found.classes) == 30
    assert sizes(found)["01"] == 1844


def test_tdt2_with_a_vector_of_classes(tmp_path):
    counts = np.zeros((3, TDT2_TERMS))
    counts[[0, 1, 2], [5, 0, TDT2_TERMS - 1]] = [1, 2, 3]
    savemat(tmp_path / "TDT2.mat", {"fea": csc_matrix(counts), "gnd": np.array([[1], [2], [30]])})
    found = read_tdt2(tmp_path / "TDT2.mat")
    assert np.array_equal(found.texts.toarray(), counts)
    assert found.labels.tolist() == ["01", "02", "30"]


def test_tdt2_of_the_paper_leaves_out_topics_of_ten_documents(tmp_path):
    classes = np.repeat([1, 2, 3], [11, 10, 12])
    counts = csc_matrix((np.ones(33), (np.arange(33), np.arange(33))), shape=(33, TDT2_TERMS))
    savemat(tmp_path / "TDT2-all.mat", {"fea": counts, "gnd": classes[:, None]})
    found = read_tdt2(tmp_path / "TDT2-all.mat", name="tdt2-56", fewest=11)
    assert sizes(found) == {"01": 11, "03": 12}
    assert found.name == "tdt2-56"
    assert found.texts.indices.tolist() == [*range(11), *range(21, 33)]


def test_a_review_that_occurs_twice_is_on_one_side(corpus):
    found = corpus("imdb")
    sides = [set(each.texts) for each in (found.train, found.test)]
    assert not sides[0] & sides[1]
    assert len(sides[0]) + len(sides[1]) < len(found)  # some do occur twice
    assert sizes(found) == {"positive": 25000, "negative": 25000}
    assert not any("<br" in text for text in found.texts)


def test_packages_are_described_by_title_and_text(corpus):
    found = corpus("debian-ru")
    assert found.texts[0].startswith("редактор карт для OpenStreetMap.org\nMerkaartor — редактор карт")
    assert found.labels[0] == "science"
    assert found.split[0] == "test"


@pytest.mark.parametrize("line", ['{"title": "a", "text": "b"}', "no JSON", "[1]", "caf\xe9"])
def test_what_is_no_description_is_damaged(tmp_path, line):
    with gzip.open(tmp_path / "debian-ja.jsonl.gz", "wb") as file:
        file.write(line.encode("latin-1"))
    with pytest.raises(ValueError, match=r"debian-ja\.jsonl\.gz is damaged or not the expected file"):
        load("debian-ja", data_home=tmp_path)


def test_modapte_90_has_several_topics_a_story(corpus):
    found = corpus("reuters-modapte-90")
    assert found.several
    assert found.labels[0] == ("cocoa",)
    n_labels = [len(labels) for labels in found.labels]
    assert max(n_labels) == 15
    learned = Counter(topic for labels in found.train.labels for topic in labels)
    tested = Counter(topic for labels in found.test.labels for topic in labels)
    # as everybody counts them, training and test stories
    known = {"earn": (2877, 1087), "acq": (1650, 719), "money-fx": (538, 179), "crude": (389, 189)}
    assert {name: (learned[name], tested[name]) for name in known} == known
    assert set(learned) == set(tested)


def test_packages_have_several_tags(corpus):
    found = corpus("debian-tags-ru")
    assert found.labels[0][:2] == ("field::geography", "implemented-in::c++")
    assert found.texts[0].startswith("редактор карт для OpenStreetMap.org\n")


@pytest.mark.parametrize("line", ['{"title": "a", "text": "b"}', "no JSON", '{"tags": 3}'])
def test_what_has_no_tags_is_damaged(tmp_path, line):
    with gzip.open(tmp_path / "debian-ja.jsonl.gz", "wb") as file:
        file.write(line.encode())
    with pytest.raises(ValueError, match="is damaged or not the expected file"):
        load("debian-tags-ja", data_home=tmp_path)


def test_demo_is_whole():
    demo = load("demo")
    assert 350 <= len(demo) <= 450
    assert len(demo.classes) == 12
    assert set(demo.tree) == set(demo.classes)
    assert len(set(demo.tree.values())) == 4
    assert len(demo.unlabelled) > 0
    assert set(demo.unlabelled.labels) == {""}
    assert demo.train.classes.tolist() == demo.test.classes.tolist() == demo.classes.tolist()
    assert all(text.strip() for text in demo.texts)


def test_unknown_name_lists_the_names():
    with pytest.raises(ValueError, match=r"no corpus 'reuters-52': did you mean 'reuters-r52'\? .*tdt2-30"):
        load("reuters-52")


@pytest.mark.parametrize(
    ("name", "loader"),
    [("techtc", "binary_tasks"), ("techtc-standin", "binary_tasks"), ("rcv1", "load_rcv1")],
)
def test_what_is_not_one_corpus_names_its_loader(name, loader):
    assert {info.name: info.loader for info in available()}[name] == loader
    assert callable(getattr(datasets, loader))
    with pytest.raises(ValueError, match=rf"{name} is not one corpus .* with textspace\.datasets\.{loader}"):
        load(name)


def test_every_other_corpus_is_loaded_by_load():
    assert {info.loader for info in available() if info.name in COUNTS or info.name == "tdt2-30"} == {"load"}


def test_another_archive_is_found_out_by_its_counts(tmp_path):
    (tmp_path / "20news-bydate.tar.gz").symlink_to(fetch_or_skip("ohsumed-23").resolve())
    with pytest.raises(ValueError, match=r"not the expected file \(it gives 0 documents where 18846 are"):
        load("20newsgroups-bydate", data_home=tmp_path)


@pytest.mark.parametrize("name", ["reuters-r8", "reuters-tree-a", "20newsgroups-8", "ohsumed-23", "tdt2-30"])
def test_truncated_file_is_damaged(tmp_path, name):
    whole = fetch_or_skip(name)
    (tmp_path / whole.name).write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(ValueError, match=f"{whole.name} is damaged or not the expected file .*get it again"):
        load(name, data_home=tmp_path)


@pytest.mark.parametrize("content", [b"", b"<html>moved</html>", b"MATLAB 5.0 MAT-file" + bytes(200)])
def test_what_is_no_mat_file_is_damaged(tmp_path, content):
    (tmp_path / "TDT2.mat").write_bytes(content)
    with pytest.raises(ValueError, match=r"TDT2\.mat is damaged or not the expected file"):
        load("tdt2-30", data_home=tmp_path)


def test_loading_writes_nothing():
    folder = fetch_or_skip("ohsumed-23").parent

    def state():
        return [(path, path.stat().st_mtime_ns) for path in (folder, *sorted(folder.iterdir()))]

    before = state()
    load("ohsumed-23")
    assert state() == before
