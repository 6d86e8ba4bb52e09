import hashlib
import json
import os
from zipfile import ZipFile

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from textspace.evaluation import Evaluation, evaluate
from textspace.models import TextClassifier, load, make_card, read_card, save
from textspace.models._card import FORMAT
from textspace.tree import LabelTree

from .conftest import KEPT

TREE = {"grain": "land", "metal": "land", "ship": "sea"}


def fitted(corpus, method="auto", **params):
    return TextClassifier(method, **params).fit(corpus.texts, corpus.labels)


def round_trip(model, folder):
    save(model, folder / "model.textspace")
    return load(folder / "model.textspace")


def test_unlabelled_text_and_doubtful_answers_survive(corpus, others, tmp_path):
    model = TextClassifier(tree=LabelTree(TREE))
    model.fit(corpus.texts, corpus.labels, unlabelled=others.texts)
    again = round_trip(model, tmp_path)
    expected = model.predict(others.texts, min_confidence=0.97)
    np.testing.assert_array_equal(again.predict(others.texts, min_confidence=0.97), expected)
    assert again.tree == LabelTree(TREE)
    assert again.n_labelled_ == model.n_labelled_ == len(corpus)


@pytest.mark.parametrize(
    "stop_words", [["corn", "ore"], {"corn", "ore"}, frozenset(["corn", "ore"]), ("corn", "ore"), None]
)
def test_stop_words_of_any_kind_are_kept(stop_words, corpus, tmp_path):
    again = round_trip(fitted(corpus, "rlsc", stop_words=stop_words), tmp_path)
    assert again.stop_words == again.space_.stop_words == stop_words
    assert type(again.stop_words) is type(stop_words)


def test_a_tree_from_a_table(corpus, tmp_path):
    table = tmp_path / "tree.csv"
    table.write_text("child,parent\ngrain,land\nmetal,land\nship,sea\n")
    again = round_trip(fitted(corpus, "rlsc", tree=table), tmp_path)
    assert again.tree_ == LabelTree(TREE)
    assert again.tree == str(table)


def test_labels_may_be_numbers(corpus, others, tmp_path):
    model = TextClassifier("rlsc").fit(corpus.texts, np.unique(corpus.labels, return_inverse=True)[1] * 9)
    again = round_trip(model, tmp_path)
    assert again.classes_.tolist() == [0, 18, 9]  # sorted as text
    np.testing.assert_array_equal(again.predict(others.texts), model.predict(others.texts))


def test_text_that_is_no_text_is_kept(corpus, tmp_path):
    odd = ['half \ud800 pair, "quotes", \x00 and \u2028 \N{PILE OF POO}', *corpus.texts]
    model = TextClassifier("rlsc").fit(odd, ["metal\n,;\u00e9", *corpus.labels])
    again = round_trip(model, tmp_path)
    assert again.training_.excerpts == model.training_.excerpts
    assert again.classes_.tolist() == model.classes_.tolist()


def test_a_model_of_term_counts(corpus, tmp_path):
    counts = csr_array(CountVectorizer().fit_transform(corpus.texts))
    model = TextClassifier().fit(counts, corpus.labels)
    again = round_trip(model, tmp_path)
    np.testing.assert_array_equal(again.predict_proba(counts), model.predict_proba(counts))


def test_card_and_evaluation_travel_with_the_model(corpus, others, tmp_path):
    model = fitted(corpus)
    model.evaluation_ = evaluate(model, others.texts, others.labels)
    card = make_card(model, corpus)
    save(model, tmp_path / "a.textspace", card)
    again = load(tmp_path / "a.textspace")
    assert again.card_ == read_card(tmp_path / "a.textspace") == card
    assert again.evaluation_ == model.evaluation_
    assert load(tmp_path / "a.textspace", with_evaluation=False).evaluation_ is None
    save(again, tmp_path / "b.textspace")  # a loaded model keeps its card
    assert load(tmp_path / "b.textspace").card_ == card
    with ZipFile(tmp_path / "b.textspace") as archive:
        assert archive.namelist()[:4] == ["card.json", "evaluation.json", "model.json", "arrays/0.npy"]
        assert Evaluation.from_dict(json.loads(archive.read("evaluation.json"))) == model.evaluation_
        assert b"evaluation_" not in archive.read("model.json")


def test_saving_leaves_the_model_as_it_is(model, others, tmp_path):
    before, attributes = model.predict_proba(others.texts), dict(vars(model))
    save(model, tmp_path / "model.textspace")
    assert vars(model) == attributes
    np.testing.assert_array_equal(model.predict_proba(others.texts), before)
    assert load(tmp_path / "model.textspace").evaluation_ is None


def test_a_card_is_read_without_the_model(forger, tmp_path):
    path = forger.write(tmp_path / "card-only.textspace", {"model.json": b"nothing of use"})
    assert read_card(path)["method"]["name"] == "auto"


def test_a_model_that_could_not_be_read_back_is_not_written(corpus, tmp_path):
    model = fitted(corpus, "rlsc")
    save(model, tmp_path / "model.textspace")
    before = (tmp_path / "model.textspace").read_bytes()
    model.model_.estimator_.extra_ = {"a": [os.path.basename]}
    with pytest.raises(ValueError, match=r"cannot be saved: it holds posixpath\.basename"):
        save(model, tmp_path / "model.textspace")
    assert (tmp_path / "model.textspace").read_bytes() == before
    assert os.listdir(tmp_path) == ["model.textspace"]


@pytest.mark.parametrize("name", ["auto", "lsi", "hsvm"])
def test_a_kept_file_still_loads_and_gives_the_same_answers(name):
    """``data/make_format_2.py`` has written the files; it tells what is in them."""
    kept = json.loads((KEPT / "format-2.json").read_text(encoding="utf-8"))
    model = load(KEPT / f"format-2-{name}.textspace")
    assert model.predict(kept["texts"]).tolist() == kept["models"][name]["labels"]
    shares = kept["models"][name]["probabilities"]
    np.testing.assert_allclose(model.predict_proba(kept["texts"]), shares, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.shares_, 1 / 3)  # four labels a class: the file does not say it


def test_shares_are_kept(corpus, others, tmp_path):
    model = TextClassifier("rlsc", shares={"ship": 0.7}).fit(corpus.texts, corpus.labels)
    save(model, tmp_path / "model.textspace")
    again = load(tmp_path / "model.textspace")
    assert again.shares == {"ship": 0.7}
    np.testing.assert_array_equal(again.shares_, model.shares_)
    np.testing.assert_array_equal(again.predict_proba(others.texts), model.predict_proba(others.texts))


def test_files_of_every_format_are_kept():
    formats = {read_card(path)["format"] for path in KEPT.glob("*.textspace")}
    assert formats == set(range(1, FORMAT + 1))


def test_the_description_names_no_module(saved):
    with ZipFile(saved) as archive:
        description = archive.read("model.json").decode()
    assert '"classify.blend": {"blocks": [{"text.block": {"name": ' in description
    assert "textspace." not in description
    assert "sklearn" not in description


def test_the_digest_is_the_comment_of_the_archive(saved):
    content = saved.read_bytes()
    with ZipFile(saved) as archive:
        assert archive.comment == b"textspace sha256 " + content[-64:]
    assert hashlib.sha256(content[:-64]).hexdigest().encode() == content[-64:]


@pytest.mark.slow
def test_a_file_is_smaller_than_the_coefficients_and_excerpts_in_it(corpus_or_skip, tmp_path):
    corpus = corpus_or_skip("20newsgroups-bydate").train.subset(np.arange(0, 11314, 48))
    model = TextClassifier().fit(corpus.texts, corpus.labels)
    save(model, tmp_path / "model.textspace")
    coefficients = model.model_.n_features_in_ * 20 * 4
    excerpts = sum(map(len, model.training_.excerpts))
    assert (tmp_path / "model.textspace").stat().st_size < coefficients + excerpts
    again = load(tmp_path / "model.textspace")
    np.testing.assert_array_equal(again.predict(corpus.texts[:50]), model.predict(corpus.texts[:50]))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_load_would_refuse_is_not_saved(value, corpus, tmp_path):
    path = tmp_path / "model.textspace"
    model = fitted(corpus, "rlsc")
    machine = model.model_.estimator_
    machine.coef_[0, 0], whole = value, machine.coef_[0, 0]
    with pytest.raises(ValueError, match=r"coef_ of its RLSC holds a number that is not finite.*train again"):
        save(model, path)
    machine.coef_[0, 0] = whole
    with pytest.raises(ValueError, match=r"its card holds a number that is not finite"):
        save(model, path, make_card(model) | {"scores": {"micro_f1": value}})
    assert list(tmp_path.iterdir()) == []
