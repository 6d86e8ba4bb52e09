import pytest

from textspace.datasets import check_documents
from textspace.tree import LabelTree

GRAIN = [
    "corn and wheat prices rose in the spring market",
    "the barley harvest was late and the farmers worried",
    "a dry summer ruined most of the maize crop",
    "oats were sown early on heavy clay soil",
    "rye bread needs flour from a good mill",
]
SHIP = [
    "the tanker ran aground near the southern harbour",
    "container freight rates doubled since the strike",
    "a pilot guided the vessel through the narrow canal",
    "dockers unloaded timber from two old steamers",
    "the ferry was delayed by fog and heavy seas",
]
TEXTS, LABELS = [*GRAIN, *SHIP], ["grain"] * 5 + ["ship"] * 5


def found(*more, split=None, tree=None):
    """Check sound documents and a few more, and give the findings by their kind."""
    texts = [*TEXTS, *(text for text, _ in more)]
    labels = [*LABELS, *(label for _, label in more)]
    return {each.kind: each for each in check_documents(texts, labels, split=split, tree=tree)}


def test_sound_documents_have_no_findings():
    assert found() == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("thanks", "short"),
        ("sugar " * 20_000, "long"),
        ("caf\ufffd with sugar and milk", "encoding"),
        ("cafÃ© with sugar and milk", "encoding"),
        ("donâ€™t add sugar or milk", "encoding"),
        ("sugar\x00 and milk and tea", "control characters"),
        ("17 and 23 and 42", "no words"),
    ],
)
def test_one_bad_text(text, kind):
    findings = found((text, "grain"))
    assert findings[kind].groups == [[10]]
    assert findings[kind].sentence.startswith("1 ")
    assert not any(finding.stops for finding in findings.values())


@pytest.mark.parametrize(
    "text",
    ["CAFÉ, Ângela â Ã and naïve words", "tabs\tand\nline\r\nbreaks are fine", "汉字 文本 很 好"],
)
def test_letters_that_are_no_trouble(text):
    assert not {"encoding", "control characters"} & found((text, "grain")).keys()


def test_repeats_do_not_depend_on_spaces():
    findings = found((GRAIN[0].replace(" ", "\n "), "grain"), (SHIP[1], "ship"), (SHIP[1], "ship"))
    assert findings["duplicates"].groups == [[0, 10], [6, 11, 12]]
    assert findings["duplicates"].sentence.startswith(
        "5 documents share the same text with others, in 2 groups"
    )
    assert "conflicts" not in findings


def test_repeats_with_another_label():
    findings = found((GRAIN[0], "ship"), (SHIP[0].upper(), "grain"), (SHIP[2], ""))
    assert findings["conflicts"].groups == [[0, 10]]
    assert findings["near-conflicts"].groups == [[5, 11]]
    assert findings["duplicates"].groups == [[0, 10], [7, 12]]


def test_almost_repeated():
    findings = found((GRAIN[1] + "!", "grain"), (f"No. 12: {SHIP[3]}", "ship"))
    assert findings["near-duplicates"].groups == [[1, 10], [8, 11]]
    assert not {"duplicates", "near-conflicts"} & findings.keys()


def test_leakage():
    split = ["train"] * 10 + ["test"] * 4 + ["unlabelled"]
    more = [(GRAIN[0], "grain"), (SHIP[0] + "!", "ship"), ("sugar cane grows tall", "grain")]
    findings = found(*more, ("sugar cane grows tall", "grain"), (GRAIN[1], ""), split=split)
    assert findings["leakage"].groups == [[0, 10]]
    assert findings["near-leakage"].groups == [[5, 11]]
    assert findings["duplicates"].groups == [[12, 13]]
    assert "near-duplicates" not in findings


def test_a_text_that_leaks_exactly_is_not_said_to_leak_almost():
    findings = found((GRAIN[0] + "!", "grain"), (GRAIN[0], "grain"), split=["train"] * 11 + ["test"])
    assert findings["leakage"].groups == [[0, 11]]
    assert "near-leakage" not in findings


def test_an_empty_document_does_not_count_for_its_class():
    texts = [*GRAIN, *SHIP[:4], ""]
    [rare] = [each for each in check_documents(texts, LABELS) if each.kind == "rare classes"]
    assert rare.groups == [[5, 6, 7, 8]]


def test_rare_classes_of_the_training_documents():
    split = ["train"] * 10 + ["train", "test"]
    findings = found(("gold and silver rose", "metal"), ("copper fell again today", "metal"), split=split)
    assert findings["rare classes"].groups == [[10]]
    assert "'metal' (1)" in findings["rare classes"].sentence


@pytest.mark.parametrize(
    ("one", "other"),
    [("grain", "Grain"), ("soft_drinks", "soft drinks"), ("caf\u00e9", "cafe\u0301"), ("a b", "a  b")],
)
def test_labels_that_differ_in_spelling_only(one, other):
    texts = [f"text number {word}" for word in "abcdefghij"]
    labels = [one] * 3 + [other] * 2 + ["else"] * 5
    [finding] = [each for each in check_documents(texts, labels) if each.kind == "spellings"]
    assert sorted(finding.groups) == [[0, 1, 2], [3, 4]]
    assert finding.remedy.endswith(f"write all as {one!r}.")


def test_labels_that_only_test_documents_have():
    findings = found(("gold and silver rose", "metal"), split=["train"] * 10 + ["test"])
    assert findings["unseen labels"].groups == [[10]]
    assert "'metal'" in findings["unseen labels"].sentence


@pytest.mark.parametrize(("labels", "said"), [(["a"] * 3, "only the label 'a'"), ([""] * 3, "no labels")])
def test_nothing_to_tell_apart_stops(labels, said):
    first = check_documents(GRAIN[:3], labels)[0]
    assert first.stops
    assert said in first.sentence


def test_a_label_for_every_document_is_doubted():
    findings = {each.kind: each for each in check_documents(TEXTS, [f"id{n}" for n in range(10)])}
    assert findings["classes"].sentence.startswith("Each of the 10 labels is on one document only")
    assert findings["classes"].stops
    assert "and 5 more" in findings["rare classes"].sentence


def test_labels_outside_the_tree_stop():
    tree = LabelTree({"grain": "food", "ship": None})
    assert "tree" not in found(tree=tree)
    finding = found(("gold and silver rose", "metal"), tree=tree)["tree"]
    assert finding.stops
    assert "'metal'" in finding.sentence


def test_texts_without_any_word():
    [*_, finding] = check_documents(["1 2 3", "4 5 6"], ["a", "b"])
    assert finding.kind == "no words"
    assert finding.groups == [[0], [1]]


@pytest.mark.slow
def test_real_corpora(corpus_or_skip):
    corpus = corpus_or_skip("reuters-r52")
    findings = {each.kind: each for each in check_documents(corpus.texts, corpus.labels, split=corpus.split)}
    groups = findings["leakage"].groups
    assert groups
    for rows in groups:
        assert len({" ".join(corpus.texts[row].split()) for row in rows}) == 1
        assert {"train", "test"} <= set(corpus.split[rows])


def test_writing_without_spaces_is_not_short():
    texts = [
        "全てのライトを消すパズルです。",
        "thanks",
        "corn and wheat rose",
    ]
    [short] = [finding for finding in check_documents(texts, ["a", "b", "a"]) if finding.kind == "short"]
    assert short.groups == [[1]]
