import re
from dataclasses import replace

import numpy as np
import pytest

from textspace.datasets import load
from textspace.evaluation import evaluate
from textspace.models import TextClassifier, make_card, save
from textspace.models import load as load_model
from textspace.report import write_model_report
from textspace.report._errors import marked_pieces, shown_documents
from textspace.report._model_report import SECTIONS, safe_json

pytestmark = pytest.mark.slow

OUT_OF_FOLD = "out-of-fold training documents"
COMMON = ["market", "price", "report", "week", "money", "public", "plan", "year", "house", "work"]


def fitted(corpus, method):
    """Fit a model, and evaluate it on the documents of the folds that it was not fitted on."""
    model = TextClassifier(method).fit(corpus.texts, corpus.labels)
    evaluation = evaluate(
        model, corpus.texts, corpus.labels, probabilities=model.out_of_fold_proba_, source=OUT_OF_FOLD
    )
    return model, evaluation


@pytest.fixture(scope="module")
def written(take_apart):
    """Give the function that writes a report and takes it apart."""

    def written(path, model, evaluation):
        write_model_report(model, path, evaluation)
        return take_apart(path.read_text(encoding="utf-8"))

    return written


def topics(n_classes, n_each=6, seed=0):
    """Texts of n_classes topics, each with a few words of its own among common ones."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([f"topic {c:02d}" for c in range(n_classes)], n_each)
    letters = [chr(97 + c // 10) + chr(97 + c % 10) for c in range(n_classes)]
    texts = [
        " ".join([*(f"own{letters[c]}{rng.choice(list('xyz'))}" for _ in range(2)), *rng.choice(COMMON, 8)])
        for c in np.repeat(np.arange(n_classes), n_each)
    ]
    # every fifth document speaks of the next topic too
    for i in range(0, len(texts), 5):
        texts[i] += f" own{letters[(i // n_each + 1) % n_classes]}x" * 3
    return texts, labels


@pytest.fixture(scope="module")
def demo():
    return fitted(load("demo"), "auto")


@pytest.fixture(scope="module")
def demo_page(demo, tmp_path_factory, written):
    path = tmp_path_factory.mktemp("report") / "model.html"
    return written(path, *demo), path


def test_the_page_is_whole(demo, demo_page):
    page, _ = demo_page
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == list(SECTIONS)
    assert page.values("href") == [f"#{section}" for section in SECTIONS]
    model, evaluation = demo
    assert f"{evaluation.scores['macro_f1']:.3f}" in page.shown
    assert f"{evaluation.scores['calibration_error']:.3f}" in page.shown
    for name in model.classes_:
        assert name in page.shown
    for sentence in ("reliability", "reject curve", "What to do next", "Model card", "sha256"):
        assert sentence in page.shown


def test_the_page_requests_nothing(demo_page):
    page, path = demo_page
    text = path.read_text(encoding="utf-8")
    assert not page.values("src")
    own = text.replace(safe_json(page.data), "")  # documents may speak of addresses
    assert not re.search(r"https?:|//\w|@import|url\(|fetch\(|XMLHttp|import\(|innerHTML|eval\(", own)
    policy = next(a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("n_classes", [2, 12, 60])
def test_cells_and_pairs_have_the_counts_of_the_confusion_matrix(n_classes, tmp_path, written):
    texts, labels = topics(n_classes, n_each=3)
    model = TextClassifier("nb").fit(texts, labels)
    # every third answer is right, the others are off by one or two
    wrong = np.arange(len(labels)) % 3
    codes = (np.searchsorted(model.classes_, labels) + wrong) % n_classes
    evaluation = evaluate(model, texts, labels, probabilities=np.eye(n_classes)[codes])
    page = written(tmp_path / "model.html", model, evaluation)
    found = {}
    for tag, attributes in page.tags:
        if tag == "button" and "data-truth" in attributes:
            truth, predicted, count = (
                int(attributes[f"data-{key}"]) for key in ("truth", "predicted", "count")
            )
            assert found.setdefault((truth, predicted), count) == count
    counts = evaluation.confusion()
    expected = {(i, j): counts[i, j] for i, j in zip(*np.nonzero(counts), strict=True)}
    if n_classes == 60:  # the list of pairs holds what is no part of the block
        assert {pair for pair in found if pair[0] == pair[1]} < {
            pair for pair in expected if pair[0] == pair[1]
        }
        expected = {pair: count for pair, count in expected.items() if pair[0] != pair[1] or pair in found}
    assert found == expected
    # and every cell has its documents
    documents = page.data["documents"]
    for (truth, predicted), count in found.items():
        here = [one for one in documents if (one["truth"], one["predicted"]) == (truth, predicted)]
        assert len(here) == count


def test_marks_are_those_of_the_explanations(demo, demo_page):
    model, evaluation = demo
    explained = [one for one in demo_page[0].data["documents"] if one["why"]]
    assert len(explained) > 3
    texts = dict(zip(evaluation.rows, evaluation.texts, strict=True))
    for one in explained[:5]:
        text = texts[one["row"]]
        given, right = (model.explain(text, model.classes_[one[key]]) for key in ("predicted", "truth"))
        against = {found.term: found.contribution for found in right.terms}
        added = {found.term: found.contribution - against[found.term] for found in given.terms}
        shown = dict(one["why"]["terms"])
        assert set(shown) == set(sorted(added, key=lambda term: -abs(added[term]))[: len(shown)])
        np.testing.assert_allclose(
            [shown[term] for term in shown], [added[term] for term in shown], atol=1e-4
        )
        # what each character is worth, by the spans and by the pieces
        worth = np.zeros(len(text))
        for found in given.terms:
            if found.term in shown:
                for start, end in found.spans:
                    worth[start:end] += added[found.term]
        pieces = [(piece, 0.0) if isinstance(piece, str) else piece for piece in one["pieces"]]
        assert "".join(piece for piece, _ in pieces) == text
        marked = np.concatenate([np.full(len(piece), weight) for piece, weight in pieces])
        np.testing.assert_allclose(marked, worth, atol=1e-4)
        assert one["why"]["score"] == pytest.approx(given.score - right.score, abs=1e-4)


def test_overlapping_marks_add_up():
    pieces = marked_pieces("abcdef", [([(0, 4)], 1.0), ([(2, 6)], 2.0), ([(5, 6)], -1.0)])
    assert pieces == [("ab", 1.0), ("cd", 3.0), ("e", 2.0), ("f", 1.0)]
    assert marked_pieces("plain", []) == [("plain", 0.0)]


def test_errors_come_first_by_falling_confidence(demo):
    documents = shown_documents(*demo, most_explained=3)
    wrong = [one["truth"] != one["predicted"] for one in documents]
    assert wrong == sorted(wrong, reverse=True)
    assert sum(wrong) == np.sum(np.array(demo[1].truth) != demo[1].predicted)
    sure = [one["confidence"] for one in documents[: sum(wrong)]]
    assert sure == sorted(sure, reverse=True)
    assert sum(one["why"] is not None for one in documents) == 3
    assert all(one["why"] is None for one in shown_documents(*demo, seconds=0.0))


def test_a_training_document_is_no_neighbour_of_itself():
    texts, labels = topics(4)
    model = TextClassifier("nb").fit(texts, labels)
    answers = np.eye(4)[(np.searchsorted(model.classes_, labels) + 1) % 4]
    evaluation = evaluate(model, texts, labels, probabilities=answers, source=OUT_OF_FOLD)
    for one in shown_documents(model, evaluation):
        assert len(one["why"]["near"]) == 3
        assert texts[one["row"]] not in [excerpt for _, _, excerpt in one["why"]["near"]]


def test_texts_and_labels_stay_texts(tmp_path, written, hostile):
    texts, labels = topics(len(hostile), n_each=8)
    names = np.unique(labels)
    renamed = {name: f"{hostile[c]} {c}" for c, name in enumerate(names)}
    loud = [f"{hostile[i % len(hostile)]} \U0001f600 {text}" for i, text in enumerate(texts)]
    pages = []
    for each, given in ((texts, labels), (loud, [renamed[label] for label in labels])):
        model = TextClassifier("nb").fit(each, given)
        codes = (np.searchsorted(model.classes_, given) + 1) % len(names)
        evaluation = evaluate(model, each, given, probabilities=np.eye(len(names))[codes])
        pages.append(written(tmp_path / "model.html", model, evaluation))
    plain, page = pages
    for tag in {tag for tag, _ in page.tags} | {tag for tag, _ in plain.tags}:
        of_tag = [[set(a) for name, a in one.tags if name == tag] for one in pages]
        if tag != "span":  # as many spans as there are terms
            assert len(of_tag[0]) == len(of_tag[1])
        assert all(a in of_tag[0] for a in of_tag[1])
    data = page.data
    assert set(data["classes"]) == set(renamed.values())
    shown = {"".join(p if isinstance(p, str) else p[0] for p in one["pieces"]) for one in data["documents"]}
    assert shown == set(loud)
    assert "<" not in safe_json(data)


def test_a_method_without_terms_has_a_page(tmp_path, written):
    corpus = load("demo")
    model, evaluation = fitted(corpus, "knn")
    assert model.explain(corpus.texts[0]).terms == []
    page = written(tmp_path / "model.html", model, evaluation)
    assert "There are no terms to show" in page.shown
    documents = page.data["documents"]
    assert any(one["why"] and one["why"]["note"] and one["why"]["near"] for one in documents)
    assert all(isinstance(piece, str) for one in documents for piece in one["pieces"])


def test_unknown_labels_are_errors_without_a_cell(tmp_path, written):
    texts, labels = topics(3)
    model = TextClassifier("nb").fit(texts, labels)
    evaluation = evaluate(model, [*texts, "market price", "ownaax"], [*labels, "foreign", "foreign"])
    page = written(tmp_path / "model.html", model, evaluation)
    assert "2 documents have labels that the model never saw (foreign)" in page.shown
    unknown = [one for one in page.data["documents"] if one["truth"] == -1]
    assert len(unknown) == 2
    assert not any(one["suspect"] for one in unknown)
    assert all(int(value) >= 0 for value in page.values("data-truth"))
    assert "unknown label" in page.shown


def test_a_model_without_errors_has_a_page(tmp_path, written):
    texts, labels = topics(3)
    model = TextClassifier("nb").fit(texts, labels)
    right = np.eye(3)[np.searchsorted(model.classes_, labels)]
    page = written(tmp_path / "model.html", model, evaluate(model, texts, labels, probabilities=right))
    assert "It makes no error here." in page.shown
    assert "There is none among these documents." in page.shown


def test_a_tree_and_a_learning_curve_are_shown_where_there_are(demo_page, tmp_path, written):
    texts, labels = topics(4)
    tree = {
        "topic 00": "first half",
        "topic 01": "first half",
        "topic 02": "second half",
        "topic 03": "second half",
    }
    model = TextClassifier("nb", tree=tree).fit(texts, labels)
    answers = np.eye(4)[np.searchsorted(model.classes_, labels) ^ 1]  # always the sister
    evaluation = evaluate(model, texts, labels, probabilities=answers)
    curve = [
        {"n_train": 10, "micro_f1": 0.5, "macro_f1": 0.4},
        {"n_train": 20, "micro_f1": 0.7, "macro_f1": 0.6},
    ]
    evaluation = replace(evaluation, learning_curve=curve)
    page = written(tmp_path / "model.html", model, evaluation)
    assert "In the tree of categories" in page.shown
    assert re.search(r"first half\s+1\.000", page.shown)
    assert re.search(r"topic 01\s+0\.000", page.shown)
    assert "from 10 to 20 micro F1 rose by 0.200" in page.shown
    assert "learning curve" in page.shown
    assert "In the tree of categories" not in demo_page[0].shown


def test_half_a_surrogate_pair_does_not_stop_the_page(tmp_path, written):
    texts, labels = topics(2)
    texts = [text + " \ud83d" for text in texts]
    model = TextClassifier("nb").fit(texts, labels)
    written(tmp_path / "model.html", model, evaluate(model, texts, labels))


@pytest.mark.parametrize(
    "change",
    [
        {"data": None},
        {"data": [1]},
        {"data": {"name": "topics", "sha256": None, "classes": {"a": "<script>"}}},
        {"data": {"name": ["topics"], "sha256": None, "classes": {}}},
        {"method": "svm"},
        {"method": {"title": None}},
    ],
)
def test_a_card_that_does_not_tell_of_the_model_is_refused(change, tmp_path):
    """A file may have it from anyone."""
    texts, labels = topics(2)
    model = TextClassifier("svm").fit(texts, labels)
    model.card_ = make_card(model) | change
    with pytest.raises(ValueError, match="the model card does not say"):
        write_model_report(model, tmp_path / "model.html", evaluate(model, texts, labels))
    assert not any(tmp_path.iterdir())


def test_a_model_from_a_file_has_the_same_page(tmp_path):
    texts, labels = topics(4)
    model = TextClassifier("nb").fit(texts, labels)
    model.evaluation_ = evaluate(model, texts, labels)
    model.card_ = make_card(model, texts, labels, name="topics")
    save(model, tmp_path / "topics.textspace")
    write_model_report(model, tmp_path / "first.html")
    write_model_report(load_model(tmp_path / "topics.textspace"), tmp_path / "second.html")
    first, second = ((tmp_path / f"{name}.html").read_text(encoding="utf-8") for name in ("first", "second"))
    assert first == second
    assert "<h1>topics</h1>" in first


def test_what_cannot_be_reported_is_said(demo, tmp_path):
    model, evaluation = demo
    with pytest.raises(ValueError, match="without an evaluation: give one"):
        write_model_report(model, tmp_path / "model.html")
    other = replace(evaluation, classes=[*evaluation.classes[:-1], "zinc"])
    with pytest.raises(ValueError, match="with other classes: make one"):
        write_model_report(model, tmp_path / "model.html", other)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_leaves_nothing_behind(tmp_path):
    texts, labels = topics(2)
    model = TextClassifier("nb").fit(texts, labels)
    with pytest.raises(FileNotFoundError):
        write_model_report(model, tmp_path / "absent" / "model.html", evaluate(model, texts, labels))
    assert list(tmp_path.iterdir()) == []
