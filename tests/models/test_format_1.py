import json

import numpy as np
import pytest

from textspace._saving import saved_types
from textspace.methods import METHODS
from textspace.models import _format_1, card_text, load, read_card, save
from textspace.models._archive import Memory
from textspace.models._explanation import nearest_documents
from textspace.models._format_1 import NAMES, RENAMED, TUPLES, read_format_1
from textspace.models._types import types_of

from .conftest import KEPT

ANSWERS = json.loads((KEPT / "format-1.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def registered():
    """All types of textspace that methods of the catalogue consist of."""
    for method in METHODS:
        types_of(method)
    return saved_types()


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
@pytest.mark.parametrize("name", ANSWERS["models"])
def test_a_kept_file_still_loads_and_gives_the_same_answers(name, tmp_path):
    """``data/make_format_1.py`` tells what is in the files."""
    texts, expected = ANSWERS["texts"], ANSWERS["models"][name]
    model = load(KEPT / name)
    assert model.card_["format"] == 1
    _check_answers(model, texts, expected)
    save(model, tmp_path / "new.textspace")
    assert read_card(tmp_path / "new.textspace")["format"] == 2
    _check_answers(load(tmp_path / "new.textspace"), texts, expected)


def _check_answers(model, texts, expected):
    assert model.predict(texts).tolist() == expected["labels"]
    assert model.predict(texts, min_confidence=0.9).tolist() == expected["doubtful"]
    shares = model.predict_proba(texts)[:, : len(expected["probabilities"][0])]
    np.testing.assert_allclose(shares, expected["probabilities"], rtol=0, atol=1e-6)
    [nearest] = nearest_documents(model.training_, model.transform(texts[:1])[0], 1)  # in the space alone
    assert nearest.excerpt == expected["neighbor"]
    assert model.explain(texts[0]).neighbors
    assert expected["n_evaluated"] == (model.evaluation_ and model.evaluation_.scores["n_documents"])
    assert card_text(model.card_).startswith("Use ")


def test_all_kept_files_have_answers_and_all_methods_a_file():
    kept = {path.name for path in KEPT.glob("format-1-*.textspace")}
    assert kept == set(ANSWERS["models"])
    # those that the catalogue had when format 1 was last written
    methods = {name for name in METHODS if f"format-1-{name}.textspace" in kept}
    assert len(methods) == 33


def test_old_names_stand_for_types_that_there_are(registered):
    assert set(NAMES.values()) <= set(registered)
    assert {name for name, fields in TUPLES.values() if fields} <= set(registered)
    assert len(set(NAMES.values())) == len(NAMES)


def test_fields_of_tuples_are_those_of_today(registered):
    for name, fields in TUPLES.values():
        if fields is not None:
            renamed = RENAMED.get(name, {})
            assert {renamed.get(field, field) for field in fields} == set(registered[name].kind._fields)


def test_renamed_attributes_belong_to_types_that_there_are(registered):
    assert set(RENAMED) <= set(registered)


def test_attributes_take_the_names_that_they_have_today(old_forger, monkeypatch):
    renamed = {
        "models.text_classifier": {"stem": "stemmer"},
        "blend.ridge": {"coef": "weights"},
        "models.training_documents": {"excerpts": "beginnings"},
    }
    monkeypatch.setattr(_format_1, "RENAMED", renamed)
    description, _ = read_format_1(
        old_forger.outer["model.skops"], "model.textspace", Memory("model.textspace", 0)
    )
    state = description["models.text_classifier"]
    assert state["stemmer"] == "porter"
    assert "stem" not in state
    assert list(state["training_"]["models.training_documents"]) == ["positions", "labels", "beginnings"]
    [blend] = state["model_"]["classify.blend"]["_blends"]
    ridge = blend["blend.sum"]["views"][0]["blend.ridge"]
    assert list(ridge) == ["weights", "intercept", "sizes"]
