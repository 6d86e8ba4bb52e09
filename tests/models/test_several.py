"""Texts with several labels: tuples out, logits that add up, files, cards, trees, and what is refused."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logit
from sklearn.feature_extraction.text import CountVectorizer

from textspace.datasets import TrainingData
from textspace.evaluation import evaluate
from textspace.models import ModelFileError, TextClassifier, card_text, load, make_card, save, train
from textspace.models._several import _paying
from textspace.text import Block

from .conftest import COMMON, TOPICS, Forger

TREE = {"grain": "land", "metal": "land", "ship": "sea"}


def make_tagged(n_texts=90, seed=0, least=1):
    """Give texts of some topics each, and lists of them."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n_texts):
        own = sorted(rng.choice(list(TOPICS), rng.integers(least, 3), replace=False).tolist())
        words = [word for label in own for word in rng.choice(TOPICS[label].split(), 4)]
        texts.append(" ".join([*words, *rng.choice(COMMON.split(), 5)]))
        labels.append(own)
    return texts, labels


@pytest.fixture(scope="module")
def tagged():
    return make_tagged()


@pytest.fixture(scope="module")
def model(tagged):
    return TextClassifier().fit(*tagged)


def test_labels_are_tuples_by_falling_probability(model):
    texts, labels = make_tagged(60, seed=1)
    assert model.several_
    assert model.classes_.tolist() == ["grain", "metal", "ship"]
    probabilities, answers = model.predict_proba(texts), model.predict(texts)
    assert np.mean([set(answer) == set(own) for answer, own in zip(answers, labels, strict=True)]) > 0.8
    assert {type(answer) for answer in answers} == {tuple}
    for shares, answer in zip(probabilities, answers, strict=True):
        own = [shares[model.classes_.tolist().index(label)] for label in answer]
        assert own == sorted(own, reverse=True)
    assert not np.allclose(probabilities.sum(axis=1), 1)
    assert model.decide(probabilities) == answers


def test_a_threshold_of_ones_own(model):
    texts, _ = make_tagged(20, seed=1)
    probabilities = model.predict_proba(texts)
    answers = model.predict(texts, threshold=0.3)
    assert [len(answer) for answer in answers] == (probabilities > 0.3).sum(axis=1).tolist()
    assert model.predict(texts, threshold=1) == [()] * 20


@pytest.mark.parametrize("label", [None, "grain", "ship"])
def test_an_explanation_adds_up_to_the_logit(model, label):
    text = "the captain saw wheat in the port and a ripe crop"
    why = model.explain(text, label)
    total = why.constant + why.rest + sum(term.contribution for term in why.terms)
    assert total == pytest.approx(why.score, abs=1e-9)
    place = model.classes_.tolist().index(why.label)
    assert why.score == pytest.approx(model.decision_function([text])[0, place], abs=1e-6)
    assert why.probabilities[why.label] == pytest.approx(expit(why.score), abs=1e-6)
    assert list(why.probabilities.values()) == pytest.approx(sorted(model.predict_proba([text])[0])[::-1])
    assert {type(neighbor.label) for neighbor in why.neighbors} == {tuple}


def test_probabilities_of_training_texts_by_models_without_them(tagged, model):
    texts, labels = tagged
    held_out, seen = model.out_of_fold_proba_, model.predict_proba(texts)
    truth = np.array([[label in own for label in model.classes_] for own in labels])
    assert held_out.shape == (90, 3)
    assert (
        -np.log(np.where(truth, seen, 1 - seen)).mean()
        < -np.log(np.where(truth, held_out, 1 - held_out)).mean()
    )
    row = 4
    others = [each for each in range(90) if each != row]
    again = TextClassifier().fit([texts[i] for i in others], [labels[i] for i in others])
    np.testing.assert_allclose(again.predict_proba([texts[row]])[0], held_out[row], atol=0.15)


def test_one_label_each_in_lists_is_the_model_of_single_labels(corpus, others):
    single = TextClassifier().fit(corpus.texts, corpus.labels)
    model = TextClassifier().fit(corpus.texts, [[label] for label in corpus.labels])
    assert model.several_
    np.testing.assert_allclose(
        model.predict_proba(others.texts), single.predict_proba(others.texts), atol=1e-6
    )
    assert model.predict(others.texts) == [(label,) for label in single.predict(others.texts)]
    sure = model.predict_proba(others.texts) > 0.5
    assert [len(each) for each in model.predict(others.texts, threshold=0.5)] == sure.sum(axis=1).tolist()


def test_the_score_is_the_share_of_texts_with_all_labels_right(model):
    texts, labels = make_tagged(60, seed=1)
    right = [set(answer) == set(own) for answer, own in zip(model.predict(texts), labels, strict=True)]
    assert model.score(texts, labels) == pytest.approx(np.mean(right))
    assert model.score(texts, [set(own) for own in labels]) == pytest.approx(np.mean(right))
    assert model.score(texts, [[*own, "rivers"] for own in labels]) == 0
    assert model.score(texts, labels, sample_weight=right) == 1
    with pytest.raises(ValueError, match="row 0 of y holds 'grain': give a list of labels"):
        model.score(texts, ["grain"] * 60)
    with pytest.raises(ValueError, match="row 59 of y holds None"):
        model.score(texts, [*labels[:59], None])
    with pytest.raises(ValueError, match=r"\[1, 60\]"):
        model.score(texts, labels[:1])


def test_labels_imply_what_is_above_them_in_a_score_too(tagged):
    model = TextClassifier(tree=TREE, ancestors=True).fit(*tagged)
    answers = model.predict(tagged[0])
    assert model.score(tagged[0], answers) == 1
    assert model.score(tagged[0], [[label for label in own if label in TREE] for own in answers]) == 1


def test_none_is_unlabelled_and_an_empty_list_is_none_of_them(tagged):
    texts, labels = tagged
    texts = [*texts, "price market week", "report said year", "quinoa quinoa wheat"]
    model = TextClassifier(stem=None).fit(
        texts, [*labels, [], [], None], unlabelled=["amaranth amaranth wheat"]
    )
    assert model.n_labelled_ == 92
    assert {"quinoa", "amaranth"} <= set(model.space_.get_feature_names_out())
    assert not model.model_.at_least_one_
    assert model.predict(["price market week report"]) == [()]
    assert len(model.training_.labels) == 92


def test_a_tag_that_texts_have_or_not():
    texts = ["wheat corn", "corn crop", "ships at sea", "a sea port", "ripe corn", "the port"] * 5
    model = TextClassifier().fit(texts, [["grain"], ["grain"], [], [], ["grain"], []] * 5)
    assert model.predict(["a corn crop", "a port at sea"]) == [("grain",), ()]


def test_counts_of_terms(tagged):
    texts, labels = tagged
    counts = CountVectorizer().fit_transform(texts)
    model = TextClassifier().fit(counts, labels)
    hits = [set(answer) == set(own) for answer, own in zip(model.predict(counts), labels, strict=True)]
    assert np.mean(hits) > 0.9


def test_a_file_keeps_it_and_the_card_says_it(model, tagged, tmp_path):
    texts, labels = tagged
    card = make_card(model, texts, labels, name="goods")
    assert card["several"]
    assert card["method"]["title"] == "Blend for several labels"
    assert card["data"]["classes"] == {
        label: sum(label in own for own in labels) for label in ("grain", "metal", "ship")
    }
    assert card["intended_use"] == 'To give texts like those of "goods" any of 3 labels.'
    assert "Blend for several labels" in card_text(card)
    assert make_card(model, texts, [own[::-1] for own in labels])["data"]["sha256"] == card["data"]["sha256"]
    save(model, tmp_path / "model.textspace", card)
    again = load(tmp_path / "model.textspace")
    assert again.several_
    more, _ = make_tagged(10, seed=2)
    np.testing.assert_allclose(again.predict_proba(more), model.predict_proba(more), atol=1e-7)
    assert again.predict(more) == model.predict(more)
    assert again.explain(more[0]) == model.explain(more[0])
    assert again.training_.labels == model.training_.labels


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state["model_"]["classify.several_labels"].update(thresholds_=[0.5, 0.5]),
        lambda state: state["model_"]["classify.several_labels"].update(_form="other"),
        lambda state: state["model_"]["classify.several_labels"].update(n_features_in_=7),
        lambda state: state["model_"]["classify.several_labels"].pop("at_least_one_"),
        lambda state: state.update(ancestors=True),
        lambda state: state.update(
            ancestors=True, tree_={"tree.label_tree": {"parents": {"dict": [["ship", "sea"]]}}}
        ),
        lambda state: state.update(classes_={"strings": ["grain", "ship"]}),
        lambda state: state["training_"]["models.training_documents"].update(labels=[{"tuple": ["grain"]}]),
        lambda state: _scorers(state)[0]["blend.label_ridge"].update(first=3),
        lambda state: _scorers(state)[0]["blend.label_ridge"].update(intercept=[0.5]),
        lambda state: _scorers(state)[0]["blend.label_ridge"].update(table=None),
        lambda state: _scorers(state).reverse(),
        lambda state: _blend(state)["calibration"]["blend.label_calibration"].update(bias=[0.0, 0.0]),
    ],
)
def test_a_forged_file_is_refused(model, tmp_path, change):
    save(model, tmp_path / "model.textspace")
    forger = Forger(tmp_path / "model.textspace")
    assert load(forger.write(tmp_path / "same.textspace")).several_
    change(forger.state)
    with pytest.raises(ModelFileError):
        load(forger.write(tmp_path / "forged.textspace"))


def _blend(state):
    [blend] = state["model_"]["classify.several_labels"]["_blends"]
    return blend["blend.sum"]


def _scorers(state):
    return _blend(state)["scorers"]


def test_a_label_implies_the_categories_above_it_only_if_told(tagged, tmp_path):
    texts, labels = tagged
    plain = TextClassifier(tree=TREE).fit(texts, labels)
    assert plain.classes_.tolist() == ["grain", "metal", "ship"]
    model = TextClassifier(tree=TREE, ancestors=True).fit(texts, labels)
    assert model.classes_.tolist() == ["grain", "land", "metal", "sea", "ship"]
    answers = model.predict(
        ["wheat corn barley bushel", "tanker freight dock captain", "ore cargo zinc dock"]
    )
    assert [sorted(answer) for answer in answers] == [
        ["grain", "land"],
        ["sea", "ship"],
        ["land", "metal", "sea", "ship"],
    ]
    save(model, tmp_path / "model.textspace")
    assert load(tmp_path / "model.textspace").predict(["wheat corn bushel"]) == model.predict(
        ["wheat corn bushel"]
    )
    sizes = dict(zip(model.classes_, 90 * model.class_shares_, strict=True))
    assert round(sizes["sea"]) == sum("ship" in own for own in labels)


def test_an_inner_category_may_be_a_label_of_its_own(tagged):
    texts, labels = tagged
    model = TextClassifier(tree=TREE).fit(texts, [own + ["sea"] * ("ship" in own) for own in labels])
    assert "sea" in model.classes_


@pytest.mark.parametrize(
    ("settings", "change", "message"),
    [
        ({"method": "dne"}, lambda y: y, "'dne' learns one label a document: for several labels choose auto"),
        (
            {"method": "svm"},
            lambda y: [["grain"], *[[]] * 89],
            "only the label 'grain', which svm cannot",
        ),
        ({"shares": {"grain": 0.5}}, lambda y: y, "without embeddings and shares"),
        ({"ancestors": True}, lambda y: y, "needs the tree"),
        ({"tree": {"grain": "land"}}, lambda y: y, "metal"),
        ({}, lambda y: y[:-1], "there are 90 texts, but 89 labels"),
        ({}, lambda y: [["grain"], *y[1:-1], "ship"], "row 89 holds 'ship', while others hold lists"),
        ({}, lambda y: [[]] * 90, "y has no label"),
        ({}, lambda y: sparse.csr_array(np.eye(90, 4)), "y is an indicator matrix"),
        ({}, lambda y: np.ones((90, 3), dtype=int), "y is an indicator matrix"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_a_sentence(tagged, settings, change, message):
    texts, labels = tagged
    with pytest.raises(ValueError, match=message):
        TextClassifier(**settings).fit(texts, change(labels))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 2}, "threshold=2 must lie between 0 and 1"),
        ({"adapt": True}, "these have several labels"),
    ],
)
def test_what_goes_with_one_label_only(model, settings, message):
    with pytest.raises(ValueError, match=message):
        model.predict(["wheat"], **settings)


def test_a_threshold_does_not_go_with_one_label(corpus):
    model = TextClassifier("nb").fit(corpus.texts, corpus.labels)
    with pytest.raises(ValueError, match="give min_confidence"):
        model.predict(["wheat"], threshold=0.5)


def test_alphabets_are_chosen_on_a_sample(tagged, monkeypatch):
    monkeypatch.setattr("textspace.models._several._SAMPLE", 40)
    texts, labels = tagged
    model = TextClassifier().fit(texts, labels)
    assert 1 <= len(model.space_.blocks_) <= 3
    assert model.model_.n_features_in_ == model.space_.n_terms_
    quick = TextClassifier(quick=True).fit(texts, labels)
    assert [block.name for block in quick.space_.blocks_] == ["stems", "words"]


def test_an_alphabet_must_pay_for_its_work_and_stems_choose_the_penalty(monkeypatch):
    tried, losses = [], iter([1.0, 0.99, 0.95, 1.0, 0.99, 0.95])

    def best_penalty(X, truth, alphas=(0.5, 2.0), random_state=0):
        tried.append((X.shape[1], list(alphas)))
        return alphas[-1], next(losses)

    monkeypatch.setattr("textspace.models._several.best_penalty", best_penalty)
    blocks = [Block("stems", 0, 2, 2), Block("words", 2, 4, 2), Block("letters", 4, 6, 0)]
    X, truth = sparse.csr_array(np.ones((10, 6))), sparse.csr_array(np.ones((10, 1)))
    assert _paying(blocks, X, truth, 1.0, 0) == (["stems", "words", "letters"], 2.0)
    assert tried == [(2, [0.5, 2.0]), (4, [2.0]), (6, [2.0])]
    times = 0.5e9 / 20  # half a billion multiplications
    assert _paying(blocks, X, truth, times, 0) == (["stems", "letters"], 2.0)
    assert tried[-1] == (4, [2.0])


def test_of_many_texts_and_labels_stems_tell_alone(tagged, monkeypatch):
    texts, labels = tagged
    monkeypatch.setattr("textspace.models._several._MOST_PAIRS", 3 * len(texts) - 1)
    model = TextClassifier().fit(texts, labels)
    assert [block.name for block in model.space_.blocks_] == ["stems"]


def test_logits_are_what_probabilities_follow_from(model):
    texts, _ = make_tagged(5, seed=3)
    np.testing.assert_allclose(model.decision_function(texts), logit(model.predict_proba(texts)), atol=1e-6)
    assert sparse.issparse(model.training_.positions)


@pytest.mark.parametrize("name", ["svm", "lda", "hsvm", "knn", "stm", "nb"])
def test_other_methods_learn_several_labels_and_come_back_from_a_file(tagged, tmp_path, name):
    model = TextClassifier(name, tree=TREE).fit(*tagged)
    texts, labels = make_tagged(40, seed=1)
    answers = model.predict(texts)
    assert np.mean([set(answer) == set(own) for answer, own in zip(answers, labels, strict=True)]) > 0.5
    assert model.out_of_fold_proba_.shape == (90, 3)
    save(model, tmp_path / "model.textspace")
    again = load(tmp_path / "model.textspace")
    np.testing.assert_array_equal(again.predict_proba(texts), model.predict_proba(texts))
    assert again.predict(texts) == answers
    why = again.explain(texts[0])
    total = why.constant + why.rest + sum(term.contribution for term in why.terms)
    assert why.note or total == pytest.approx(logit(why.probabilities[why.label]), abs=1e-6)
    assert bool(why.note) == (name in ("hsvm", "knn"))


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.update(thresholds_=None),
        lambda state: state.update(calibration_=None),
        lambda state: state.pop("at_least_one_"),
        lambda state: state["calibration_"]["blend.label_calibration"].update(bias=[0.0]),
        lambda state: state["estimator_"]["classify.one_against_rest"].update(estimators_=[]),
    ],
)
def test_a_forged_file_of_another_method_is_refused(tagged, tmp_path, change):
    save(TextClassifier("svm").fit(*tagged), tmp_path / "model.textspace")
    forger = Forger(tmp_path / "model.textspace")
    change(forger.state["model_"]["classify.calibrated"])
    with pytest.raises(ModelFileError):
        load(forger.write(tmp_path / "forged.textspace"))


def test_labels_that_are_not_sure_step_back_to_categories(tagged):
    model = TextClassifier("rlsc", tree=TREE).fit(*tagged)
    probabilities = np.array([[0.9, 0.1, 0.2], [0.55, 0.5, 0.1], [0.1, 0.1, 0.3], [0.9, 0.6, 0.1]])
    assert model.probability_of("land", probabilities) == pytest.approx([0.91, 0.775, 0.19, 0.96])
    assert model.probability_of("grain", probabilities).tolist() == [0.9, 0.55, 0.1, 0.9]
    model.model_.thresholds_[:] = 0.4
    assert model.decide(probabilities, min_confidence=0.7) == [("grain",), ("land",), (), ("grain",)]
    assert model.decide(probabilities, min_confidence=0.25)[2] == ("ship",)  # below its threshold
    with pytest.raises(ValueError, match="no label 'tin', nor a category"):
        model.probability_of("tin", probabilities)
    alone = TextClassifier("rlsc").fit(*tagged)
    alone.model_.thresholds_[:] = 0.4
    assert alone.decide(probabilities, min_confidence=0.7) == [("grain",), (), (), ("grain",)]


def test_ancestors_are_true_of_test_documents_too(tagged):
    texts, labels = tagged
    model = TextClassifier("rlsc", tree=TREE, ancestors=True).fit(texts, labels)
    found = evaluate(model, texts, labels)
    assert found.unknown_labels == {}
    implied = [{node for label in own for node in (label, TREE[label])} for own in labels]
    assert found.scores["cardinality_true"] == pytest.approx(np.mean([len(own) for own in implied]))
    assert found.scores["hierarchical_f1"] == pytest.approx(found.scores["micro_f1"])


def test_very_many_labels_have_sparse_probabilities(tagged, tmp_path, monkeypatch):
    monkeypatch.setattr("textspace.classify.blend._several_labels._MANY_PAIRS", 0)
    monkeypatch.setattr("textspace.models._several._MOST_PAIRS", 0)
    monkeypatch.setattr("textspace.models._text_classifier.MANY_CLASSES", 2)
    texts, labels = tagged
    model, _ = train(TrainingData("goods", texts, labels))
    assert sparse.issparse(model.out_of_fold_proba_)
    assert model.evaluation_.scores["n_documents"] == len(texts)
    assert [block.name for block in model.space_.blocks_] == ["stems"]
    more, truth = make_tagged(40, seed=3)
    probabilities, answers = model.predict_proba(more), model.predict(more)
    assert answers == model.decide(probabilities)
    assert np.mean([set(answer) == set(own) for answer, own in zip(answers, truth, strict=True)]) > 0.7
    for shares, pairs in zip(probabilities, model.likely_labels(more, 2), strict=True):
        found = [model.classes_.tolist().index(label) for label, _ in pairs]
        assert found == np.argsort(-shares)[:2].tolist()
        np.testing.assert_allclose([share for _, share in pairs], shares[found], atol=1e-5)
    save(model, tmp_path / "model.textspace")
    assert load(tmp_path / "model.textspace").predict(more) == answers


def test_too_many_probabilities_are_refused_with_a_sentence(model, monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    with pytest.raises(MemoryError, match=r"probabilities of 3 labels for 1 texts .* likely_labels"):
        model.predict_proba(["corn"])


def test_likely_classes_of_texts_of_one_label(corpus):
    model = TextClassifier().fit(corpus.texts, corpus.labels)
    [pairs] = model.likely_labels(corpus.texts[:1], 2)
    best = np.argsort(-model.predict_proba(corpus.texts[:1])[0])[:2]
    assert [label for label, _ in pairs] == model.classes_[best].tolist()
