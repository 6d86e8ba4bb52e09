import json

import pytest

from textspace.datasets import Corpus, check_documents, open_corpus, open_documents, open_training_data, read
from textspace.datasets._label_cells import list_separator, lists_of


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


CSV = """text,tags
Corn and wheat rose,grain;corn; grain
A tanker ran aground,ship
Nobody knows this one,
Nothing of the kind,[]
Corn by ship,"[""grain"", ""ship;boat""]"
"""


def test_cells_with_a_separator(write):
    corpus = read(write("tickets.csv", CSV), several=";")
    assert corpus.several
    assert corpus.labels.tolist() == [("grain", "corn"), ("ship",), None, (), ("grain", "ship;boat")]
    assert corpus.classes.tolist() == ["corn", "grain", "ship", "ship;boat"]
    assert corpus.unlabelled.texts == ["Nobody knows this one"]
    assert len(corpus.labelled) == 4
    assert repr(corpus) == "Corpus('tickets': 5 documents, several of 4 labels each, 1 unlabelled)"
    assert any("'tags' was guessed by its name" in note for note in corpus.notes)
    assert corpus.unlabelled.several


def test_lists_of_json_need_not_be_announced(write):
    rows = [
        {"text": "Corn rose", "label": ["grain", "corn", "grain"]},
        {"text": "A ship sank", "label": []},
        {"text": "Who knows", "label": None},
        {"text": "Numbers", "label": [3, 4]},
    ]
    corpus = read(write("tickets.jsonl", "\n".join(map(json.dumps, rows))))
    assert corpus.labels.tolist() == [("grain", "corn"), (), None, ("3", "4")]


def test_lists_among_single_labels_are_refused(write):
    rows = [{"text": "Corn rose", "label": ["grain"]}, {"text": "A ship sank", "label": "ship"}]
    path = write("tickets.jsonl", "\n".join(map(json.dumps, rows)))
    with pytest.raises(ValueError, match="line 2, column 'label' has the single label 'ship'"):
        read(path)


INDICATORS = (
    "text,grain,ship,pages\nCorn rose,1,0,7\nA ship sank,0,1,8\nNothing at all,0,0,1\nWho knows,,,3\n"
)


@pytest.mark.parametrize("options", [{"several": "columns"}, {"label": ["grain", "ship"]}])
def test_columns_of_yes_and_no(write, options):
    corpus = read(write("tickets.csv", INDICATORS), **options)
    assert corpus.labels.tolist() == [("grain",), ("ship",), (), None]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"label": ["grain", "pages"]}, r"row 1 \(line 2\), column 'pages': '7' says neither yes nor no"),
        ({"label": ["grain", "shop"]}, "has no column 'shop' for the label: did you mean 'ship'"),
        ({"label": ["grain", "ship"], "several": ";"}, "leave out several="),
    ],
)
def test_columns_that_say_something_else(write, options, said):
    with pytest.raises(ValueError, match=said):
        read(write("tickets.csv", INDICATORS), **options)


def test_a_table_without_columns_of_yes_and_no(write):
    with pytest.raises(ValueError, match="has no columns of yes and no"):
        read(write("tickets.csv", "text,n\nCorn rose,7\nA ship sank,8\n"), several="columns")


ASKED = "text,label\nCorn and wheat,grain;corn\nCorn,grain\nBy ship,ship;grain\nAt sea,ship\nMore corn,corn\n"


def test_labels_that_look_like_lists_are_asked_for(write):
    path = write("tickets.csv", ASKED)
    said = "column 'label': labels look like lists separated by ';': add --several ';' or --several none"
    for opened in (read, open_training_data):
        with pytest.raises(ValueError, match=said):
            opened(str(path))
    documents = open_documents(str(path))  # for `check`, which shows the rows
    assert "label lists" in kinds(check_documents(documents.texts, documents.labels))
    assert len(read(path, several="none").classes) == 5
    assert len(read(path, several=";").classes) == 3
    # a path of a tree is no list
    assert len(open_corpus(str(path), label_separator=";").classes) == 5


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (["a|b", "b|c", "a", "c"], "|"),
        (["a, b", "b, c", "c, a"], ","),
        (["Arts, culture", "Health, care", "Law"], None),
        (["Albany, NY", "Buffalo, NY", "Boston, MA"], None),
        (["comp.graphics", "sci.space"], None),
        (["a;b", "a;b", "c"], None),  # always together: one name
        ([None, "", 3, "a"], None),
        (["a;b", "b;c", "a", "c"], ";"),
        (["a|b|c", "c|a", "b"], "|"),
        (["a\nb", "b\nc", "c"], "\n"),
        (["['a', 'b']", "['b']", "['a']", "['b', 'a', 'c']", "['c', 'a']"], ","),
        (["Food, drink", "Arts, crafts", "Food, drink"], None),
        (["Austin, TX", "Dallas, TX", "Houston, TX"], None),
        (["sport/golf", "sport/hockey"], None),
        (["3,5", "2,5", "1,5"], None),
        (["3,5", "5,3"], None),
        (["a", "b"], None),
        (["a;b", *["a", "b"] * 100], None),
        ([""], None),
    ],
)
def test_what_looks_like_a_list(cells, separator):
    assert list_separator(cells) == separator


def test_check_says_how_to_read_lists():
    labels = ["grain;ship", "ship;trade", "grain", "trade"] * 2
    texts = [f"text number {n} of all" for n in range(8)]
    found = kinds(check_documents(texts, labels))
    said = "labels look like lists separated by ';': add --several ';' or --several none."
    assert found["label lists"].sentence == said
    assert found["label lists"].groups == [[0], [1], [4], [5]]
    assert found["label lists"].stops
    assert "label lists" not in kinds(check_documents(texts, labels, lists=False))


@pytest.mark.parametrize(
    ("cell", "several", "labels"),
    [
        ("['a', \"it's\"]", ",", ("a", "it's")),
        ('["a", "b"]', ",", ("a", "b")),
        ("[a], b", ",", ("[a]", "b")),
        ("a\nb", "\n", ("a", "b")),
        ("a\nb", r"\n", ("a", "b")),  # as a shell gives it
        (3.0, ";", ("3",)),
    ],
)
def test_lists_as_programs_write_them(cell, several, labels):
    assert lists_of([cell], several, str).tolist() == [labels]


def test_placeholders_among_several_labels(write):
    path = write("tickets.csv", "text,tags\nCorn,grain;corn\nA ship,ship;?\nWho knows,n/a\nNo,[]\nNil,\n")
    with pytest.raises(ValueError, match=r"labels that may stand for none: '\?' \(1, first in row 2"):
        read(path, several=";")
    dropped = read(path, several=";", missing="drop")
    assert dropped.labels.tolist() == [("grain", "corn"), ("ship",), None, (), None]
    assert dropped.notes[-2:] == (
        "'?' beside other labels was left out, 1 times.",
        "1 document is labelled 'n/a' and counts as unlabelled.",
    )
    assert read(path, several=";", missing="keep").labels[2] == ("n/a",)
    found = open_documents(str(path), several=";")
    marks = kinds(check_documents(found.texts, found.labels))["missing labels"]
    assert marks.stops
    assert marks.groups == [[1], [2]]


def test_check_counts_documents_and_not_labels():
    texts = [f"word{i} corn{i} grain{i}" for i in range(4)]
    alone = kinds(check_documents(texts, [("a", "b"), ("c",), ("d", "e"), ("f",)]))["classes"]
    assert alone.stops
    assert "Each of the 6 labels is on one document only" in alone.sentence
    few = kinds(check_documents(texts, [("a", "b"), ("c",), ("d", "e"), ("a",)]))["classes"]
    assert "There are 5 labels for 4 documents." in few.sentence
    assert not any(finding.stops for finding in check_documents(texts, [("a",), (), ("a",), ()]))


def test_columns_of_yes_and_no_are_remembered(write):
    path = write("tickets.csv", INDICATORS)
    columns = read(path, several="columns").columns
    assert columns == {"text": ["text"], "label": ["grain", "ship"]}
    again = write("more.csv", INDICATORS.replace("pages", "flag").replace(",7", ",1").replace(",8", ",0"))
    assert read(again, like=columns).labels.tolist() == [("grain",), ("ship",), (), None]


def test_a_separator_that_is_in_no_cell_is_noted(write):
    corpus = read(write("tickets.csv", "text,label\nCorn rose,grain\nA ship sank,ship\n"), several="|")
    assert corpus.labels.tolist() == [("grain",), ("ship",)]
    assert any("No label cell holds the separator '|'" in note for note in corpus.notes)


def test_documents_that_all_lack_labels(write):
    path = write("tickets.csv", "text,label\nCorn rose,\nA ship sank,\n")
    assert len(read(path, several=";", label="label").labelled) == 0


def test_a_document_with_hundreds_of_labels(write):
    many = ";".join(f"tag{i}" for i in range(500))
    corpus = read(write("tickets.csv", f"text,label\nCorn rose,{many}\nA ship sank,tag1\n"), several=";")
    assert len(corpus.labels[0]) == len(corpus.classes) == 500
    with pytest.raises(ValueError, match=r"row 1 \(line 2\), column 'label': a label has more than 500"):
        read(write("tickets.csv", f"text,label\nCorn rose,{many}\nA ship sank,tag1\n"), several="|")


def test_a_split_and_unlabelled_texts_beside_lists(write):
    path = write(
        "tickets.jsonl",
        "\n".join(
            json.dumps({"text": text, "label": label, "split": split})
            for text, label, split in [
                ("Corn rose", ["grain"], "train"),
                ("A ship sank", [], "train"),
                ("Who knows", None, "train"),
                ("Grain by ship", ["grain", "ship"], "test"),
            ]
        ),
    )
    more = write("more.txt", "Wheat fell\nCorn rose\n")
    data = open_training_data(str(path), unlabelled=more)
    assert data.labels == [("grain",), ()]
    assert data.unlabelled == ["Who knows", "Wheat fell"]
    assert data.test_labels == [("grain", "ship")]


def test_a_corpus_of_lists_refuses_single_labels():
    with pytest.raises(ValueError, match="document 2 has the single label 'ship'"):
        Corpus("tiny", ["a", "b"], [["grain"], "ship"])


def test_names_of_columns_that_hold_several(write):
    path = write("tickets.csv", "text,tags,kind\n" + "Corn rose,grain;corn,x\nA ship sank,ship,y\n" * 4)
    with pytest.raises(ValueError, match="the label may be in 'tags' or in 'kind'"):
        read(path)
    assert read(path, several=";").classes.tolist() == ["corn", "grain", "ship"]


def kinds(findings):
    return {finding.kind: finding for finding in findings}


def test_check_looks_at_each_label_alone():
    words = [f"word{i} corn{i} grain{i} harvest" for i in range(13)]
    labels = [("a", "all", "twin"), ("b", "all")] * 6 + [("B", "all")]
    found = kinds(check_documents(words, labels))
    assert "'all' is on every document" in found["labels of all"].sentence
    assert "'b', 'B'" in found["spellings"].sentence or "'B', 'b'" in found["spellings"].sentence
    assert [12] in found["rare classes"].groups
    assert "conflicts" not in found
    found = kinds(check_documents(words, [("a", "twin"), ("b",)] * 6 + [()], split=["train"] * 12 + ["test"]))
    assert not any(finding.stops for finding in found.values())
    many = [("a", "twin")] * 10 + [("b",)] * 3
    assert "'a' and 'twin'" in kinds(check_documents(words, many))["labels that come together"].sentence


def test_check_finds_equal_texts_of_other_labels_whatever_their_order():
    texts = ["corn and wheat rose", "corn and  wheat rose", "a ship sank at sea", "a ship sank  at sea"]
    found = kinds(check_documents(texts, [("a", "b"), ("b", "a"), ("a",), ("b",)]))
    assert found["conflicts"].groups == [[2, 3]]


def test_check_stops_where_there_is_nothing_to_learn():
    found = check_documents(["corn rose high", "a ship sank"], [(), ()])
    assert found[0].stops
    assert "All 2 lists of labels are empty" in " ".join(finding.sentence for finding in found)


def test_check_names_crowded_documents_and_labels_that_only_tests_have():
    many = tuple(f"t{i}" for i in range(101))
    found = kinds(
        check_documents(["corn rose high", "a ship sank"], [many, ("t1", "new")], split=["train", "test"])
    )
    assert found["many labels"].groups == [[0]]
    assert "'new'" in found["unseen labels"].sentence


def test_a_list_where_one_label_is_meant(write):
    path = write("tickets.jsonl", '{"text": "Corn rose", "label": ["grain", "corn"]}\n')
    with pytest.raises(ValueError, match="line 1, column 'label': expected one label"):
        read(path, several="none")
