"""The default classifier on few documents, on rare classes and on odd texts: it answers, and soberly."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from textspace._folds import deal_folds, fold_rows
from textspace.classify import SubspaceBlend
from textspace.models import TextClassifier, load, save
from textspace.models import _default as module
from textspace.text import VectorSpace

WORDS = np.array([a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in "bdklmnst"])
OWN = 20  # words of each topic; those from the 200th on are of all
SUBJECTS = ["film", "book", "meal", "car", "room", "song", "hotel", "phone", "game", "show"]
WEATHER = ["今日は天気がいいですね", "雨が降りそうです", "明日の天気は晴れです", "雨で気温が低いです"]
MARKET = ["株価が上がりました", "今日の株価は円安で上昇", "銀行の金利が上がりました", "円安で株価が下落"]


def topics(*sizes, share=0.3, seed=0):
    """Texts of twelve words with some of their topic, and labels a, b, ...; sorted by label."""
    rng = np.random.default_rng(seed)
    texts = []
    for topic, size in enumerate(sizes):
        own = WORDS[OWN * topic : OWN * (topic + 1)]
        for n in rng.binomial(12, share, size):
            texts.append(" ".join([*rng.choice(own, n), *rng.choice(WORDS[200:], 12 - n)]))
    return texts, np.repeat([chr(97 + topic) for topic in range(len(sizes))], sizes).tolist()


def fitted(texts, labels, **settings):
    """Fit, with every warning an error, and look at what must hold of all probabilities."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TextClassifier(**settings).fit(texts, labels)
        probabilities = model.predict_proba(texts[:100])
    for each in (probabilities, model.out_of_fold_proba_):
        assert np.isfinite(each).all()
        np.testing.assert_allclose(each.sum(axis=1), 1, rtol=1e-5)
    return model


def right_out_of_fold(model, labels):
    return np.mean(model.classes_[model.out_of_fold_proba_.argmax(axis=1)] == np.array(labels))


@pytest.mark.parametrize("sizes", [(10, 10), (5, 5, 5, 5), (25, 25), (10,) * 5], ids=str)
def test_a_few_documents_leave_a_doubt(sizes):
    texts, labels = topics(*sizes)
    model = fitted(texts, labels)
    new, truth = topics(*[100] * len(sizes), seed=1)
    shares = model.predict_proba(new)
    right = model.classes_[shares.argmax(axis=1)] == truth
    assert right.mean() > 0.7
    assert abs(shares.max(axis=1).mean() - right.mean()) < 0.12
    assert -np.mean(np.log(shares[np.arange(len(new)), np.searchsorted(model.classes_, truth)])) < 0.8


def test_twenty_documents_that_are_all_right_are_not_certain():
    texts, labels = topics(10, 10, share=0.9)
    model = fitted(texts, labels)
    assert right_out_of_fold(model, labels) == 1
    assert 0.9 < model.predict_proba(texts).max() < 0.99
    assert model.out_of_fold_proba_.max() < 0.99


@pytest.mark.parametrize("sizes", [(1, 1), (1,) * 8, (2, 1), (2, 1, 1)], ids=str)
def test_classes_of_one_document(sizes):
    texts, labels = topics(*sizes, share=0.8)
    model = fitted(texts, labels)
    assert model.predict(texts).tolist() == labels
    assert 0.5 < model.predict_proba(texts).max() < 0.999


def test_a_rare_class_is_found():
    texts, labels = topics(297, 3, share=0.5)
    model = fitted(texts, labels)
    assert model.predict(texts).tolist() == labels
    new, _ = topics(297, 30, share=0.5, seed=1)
    rare = model.predict_proba(new)[:, 1]
    assert rare[297:].min() > 5 * np.median(rare[:297])
    assert np.mean(model.predict(new[297:]) == "b") > 0.8
    assert np.mean(model.predict(new[:297]) == "b") < 0.01


@pytest.mark.parametrize("sizes", [(4997, 3), (4500, 1), (2500, 2500, 2, 1)], ids=str)
def test_very_rare_classes_among_many_documents(sizes):
    texts, labels = topics(*sizes, share=0.5)
    model = fitted(texts, labels)
    assert model.class_shares_.tolist() == [size / sum(sizes) for size in sizes]
    assert right_out_of_fold(model, labels) > 0.99


@pytest.mark.parametrize("sizes", [(3000, 3), (6000, 1, 2), (10,) * 900], ids=["3", "2, 1", "900 classes"])
def test_the_sample_has_two_documents_of_each_class(sizes):
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)).astype(str), sizes))
    rows = module._sample(labels)
    names, counts = np.unique(labels[rows], return_counts=True)
    assert (counts >= np.minimum(np.unique(labels, return_counts=True)[1], 2)).all()
    assert len(names) == len(sizes)
    assert len(rows) <= 2000 + 2 * len(sizes)


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_folds_never_lose_a_class(n_folds):
    rng = np.random.default_rng(n_folds)
    for _ in range(20):
        y = rng.choice(30, rng.integers(n_folds, 60), p=rng.dirichlet(np.full(30, 0.3)))
        repeated = np.flatnonzero(np.bincount(y) > 1)
        for train, test in fold_rows(deal_folds(n_folds, y, n_samples=len(y))):
            assert np.isin(repeated, y[train]).all()
            assert len(train) + len(test) == len(y)


def test_the_order_of_the_documents_hardly_matters():
    texts, labels = topics(60, 60, 60)
    order = np.random.default_rng(0).permutation(len(texts))
    sorted_ = fitted(texts, labels)
    mixed = fitted([texts[i] for i in order], [labels[i] for i in order])
    assert right_out_of_fold(sorted_, labels) > 0.9
    assert np.mean(sorted_.predict(texts) == mixed.predict(texts)) > 0.97


ODD = {
    "one character": ["a", "b"] * 20,
    "digits": [f"{i % 4 + 4 * j} {100 + i}" for i in range(20) for j in range(2)],
    "no letter": [text for pair in [("?!", "**"), ("--", "##"), ("%% ?!", "@@ **")] * 7 for text in pair],
    "Japanese": [text for pair in zip(WEATHER * 6, MARKET * 6, strict=True) for text in pair],
    "a stop word": [f"this {of} is {not_}good" for of in SUBJECTS * 2 for not_ in ("", "not ")],
    "emoji": [
        text
        for pair in [("😀 😀", "😡"), ("😂", "😢 😭"), ("😍👍", "👎"), ("🎉😀", "💩😡")] * 5
        for text in pair
    ],
    "empty": [text for own in topics(20)[0] for text in (own, "")],
    "spaces and breaks": [text for own in topics(20)[0] for text in (own, " \n\t\r\n")],
}


@pytest.mark.parametrize("texts", ODD.values(), ids=ODD)
def test_odd_texts_are_told_apart(texts):
    labels = ["x", "y"] * (len(texts) // 2)
    model = fitted(texts, labels)
    assert right_out_of_fold(model, labels) > 0.9
    assert model.predict(texts).tolist() == labels
    assert model.explain(texts[0]).label == "x"


def test_a_stop_word_is_learned_for_other_subjects():
    model = fitted(ODD["a stop word"], ["good", "bad"] * 20)
    assert model.predict(["this chair is good", "this chair is not good"]).tolist() == ["good", "bad"]


def test_emoji_that_most_documents_of_a_class_have():
    rng = np.random.default_rng(0)
    labels = np.repeat(["glad", "sad"], 60)
    emoji = np.where(rng.random(120) < 0.95, np.repeat([" 😀", " 😡"], 60), "")
    texts = [text + mark for text, mark in zip(topics(120, share=0)[0], emoji, strict=True)]
    model = fitted(texts, labels.tolist())
    assert right_out_of_fold(model, labels) > 0.93
    assert model.predict(["tomorrow 😡", "tomorrow 😀"]).tolist() == ["sad", "glad"]


def test_emoji_of_all_skin_tones():
    rng = np.random.default_rng(0)
    labels, tones = np.repeat(["glad", "sad"], 60), ["", *"🏻🏼🏽🏾🏿"]
    marks = [
        (hand + rng.choice(tones)) * (rng.random() < 0.95) for hand in np.repeat(["👍", "👎"], 60).tolist()
    ]
    texts = [text + mark for text, mark in zip(topics(120, share=0)[0], marks, strict=True)]
    model = fitted(texts, labels.tolist())
    assert right_out_of_fold(model, labels) > 0.93


@pytest.mark.parametrize(
    ("sizes", "words"), [((5000, 5000), "one text"), ((10, 10), "same"), ((12, 6, 3), "same")], ids=str
)
def test_equal_texts_have_the_shares_of_the_labels(sizes, words):
    labels = np.repeat([*"abc"][: len(sizes)], sizes)
    model = fitted([words] * len(labels), labels.tolist())
    np.testing.assert_allclose(model.predict_proba([words])[0], model.class_shares_, atol=0.08)


def test_no_text_at_all_gets_a_sentence():
    with pytest.raises(ValueError, match="check that the documents hold words"):
        TextClassifier().fit([""] * 20, ["x", "y"] * 10)


def test_thousands_of_classes_of_one_document():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, 12)) for _ in range(2000)]
    labels = [f"class {i:04d}" for i in range(2000)]
    assert np.mean(fitted(texts, labels).predict(texts[:200]) == labels[:200]) > 0.99


def test_long_texts():
    rng = np.random.default_rng(0)
    own = [WORDS[:20], WORDS[20:40]] * 2
    texts = [" ".join([*rng.choice(words, 50_000), *rng.choice(WORDS, 200_000)]) for words in own]
    texts += ["k" * 1_000_000, "m" * 1_000_000]  # a single word
    assert min(map(len, texts)) > 990_000
    model = fitted(texts, ["x", "y"] * 3)
    assert model.predict(texts).tolist() == ["x", "y"] * 3


def test_blocks_of_which_nothing_is_kept_are_dropped_whole():
    texts, labels = topics(100, 100)
    space = VectorSpace(bigrams=True)
    words, noise = space.fit_transform(texts), np.random.default_rng(0).random((200, 10))
    X = sparse.hstack([noise, words], format="csr")
    blocks = [("unused", 0, 5, 5), ("noise", 5, 10, 5), ("words", 10, X.shape[1], space.n_words_)]
    scorers = [("noise", "ridge", None, 0.0), ("words", "naive Bayes", None, 0.0)]
    model = SubspaceBlend(blocks, scorers).fit(X, labels)
    assert {kept.block for kept in model.kept_} == {"noise", "words"}
    scores = model.class_scores(X)
    # naive Bayes does not look at the pairs of words, but documents to come have them
    assert model.drop_unused_blocks().tolist() == list(range(5, X.shape[1]))
    np.testing.assert_array_equal(model.class_scores(X[:, 5:]), scores)


def test_quick_reads_words_only():
    texts, labels = topics(40, 40, 40)
    model = fitted(texts, labels, quick=True)
    assert right_out_of_fold(model, labels) > 0.9
    assert {kept.block for kept in model.model_.kept_} <= {"stems", "words"}
    assert {kept.name for kept in model.model_.kept_} <= {"ridge", "naive Bayes"}
    assert not any(space.n_terms_ > space.n_words_ for space in model.space_.spaces_.values())


def test_quick_reads_digits_where_there_is_no_stem():
    texts, labels = ["1 2", "2 1", "1 22", "7 8", "8 7", "7 88"], ["low"] * 3 + ["high"] * 3
    assert fitted(texts, labels, quick=True).predict(texts).tolist() == labels


def test_quick_tells_a_stop_word_apart():
    texts = ODD["a stop word"]
    assert fitted(texts, ["good", "bad"] * 20, quick=True).predict(texts).tolist() == ["good", "bad"] * 20


@pytest.mark.parametrize("settings", [{"method": "rlsc"}, {"embeddings": "wordllama"}], ids=str)
def test_quick_is_for_the_default_method(settings):
    with pytest.raises(ValueError, match="quick goes with the method 'auto' only"):
        TextClassifier(quick=True, **settings).fit(*topics(5, 5))


def test_a_model_that_reads_letters_survives_its_file(tmp_path):
    texts, labels = topics(1, 1, 1)  # of single documents all alphabets are kept
    model = fitted(texts, labels)
    assert "letters" in model.space_.spaces_
    save(model, tmp_path / "model.textspace")
    again = load(tmp_path / "model.textspace")
    np.testing.assert_allclose(again.predict_proba(texts), model.predict_proba(texts), rtol=1e-6)
    assert again.space_.get_feature_names_out().tolist() == model.space_.get_feature_names_out().tolist()


def with_titles(n, *, seed=0):
    """Texts whose first line tells the label; the others are of any topic."""
    texts, labels = topics(n, n, n, share=0.4, seed=seed)
    bodies = np.random.default_rng(seed).permutation(topics(n, n, n, share=0.4, seed=seed + 1)[0])
    return ["\n".join([text, *np.roll(bodies, row)[:2]]) for row, text in enumerate(texts)], labels


def test_openings_count_beside_the_whole_text():
    texts, labels = with_titles(120)
    new, truth = with_titles(100, seed=5)
    model = fitted(texts, labels)
    assert "opening" in model.space_.spaces_
    plain = [" ".join(reversed(text.split())) for text in texts]  # the title stands last
    other = fitted(plain, labels)
    assert "opening" not in other.space_.spaces_
    gain = model.score(new, truth) - other.score([" ".join(reversed(text.split())) for text in new], truth)
    assert gain > 0.02


def test_openings_are_not_tried_on_short_texts_or_few():
    texts, _ = with_titles(120)
    words = {"stem": None, "stop_words": None}
    names = [
        [name for name, _ in module.default_alphabets(own, 3, **words).spaces]
        for own in (texts, texts[:199], [text.split("\n")[0] for text in texts])
    ]
    assert names == [["stems", "words", "opening", "letters"], *[["stems", "words", "letters"]] * 2]
    quick = module.default_alphabets(texts, 3, quick=True, **words).spaces
    assert [(name, space.bigrams) for name, space in quick] == [("stems", False), ("words", False)]
