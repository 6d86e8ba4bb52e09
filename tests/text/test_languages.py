"""The language of texts, and what follows from it."""

import pytest

from textspace.text import (
    LANGUAGES,
    VectorSpace,
    count_texts,
    detect_languages,
    endings_of,
    language_shares,
    main_languages,
)
from textspace.text._stop_words import STOP_WORD_LANGUAGES, stop_words

# The first article of the Universal Declaration of Human Rights.
ARTICLE = {
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.",
    "da": "Alle mennesker er født frie og lige i værdighed og rettigheder.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "en": "All human beings are born free and equal in dignity and rights.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
    "fi": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "sk": "Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv.",
    "sr": "Сва људска бића рађају се слободна и једнака у достојанству и правима.",
    "sv": "Alla människor är födda fria och lika i värde och rättigheter.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
    "zh": "人人生而自由，在尊严和权利上一律平等。",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
}


def test_each_language_is_told():
    assert detect_languages(ARTICLE.values()) == list(ARTICLE)


def test_a_text_without_letters_has_no_language():
    assert detect_languages(["", "42 !?", "\ud800"])[:2] == ["", ""]
    assert main_languages(["1", "2"]) == []
    assert language_shares([]) == {}


def test_a_choice_of_languages():
    assert detect_languages([ARTICLE["da"]], among=["de", "en"]) == ["de"]


def test_shares_are_those_of_the_characters():
    shares = language_shares([ARTICLE["en"]] * 30 + [ARTICLE["de"]] * 9 + [ARTICLE["fr"]])
    assert list(shares) == ["en", "de", "fr"]
    assert sum(shares.values()) == pytest.approx(1)
    assert main_languages([ARTICLE["en"]] * 30 + [ARTICLE["de"]] * 9 + [ARTICLE["fr"]]) == ["en", "de"]


def test_each_text_has_the_stems_and_stop_words_of_its_language():
    texts = [ARTICLE["en"], ARTICLE["de"], ARTICLE["ru"]]
    space = VectorSpace("tf", stem="auto", stop_words="auto").fit(texts * 3)
    assert sorted(space.languages_) == ["de", "en", "ru"]
    names = space.get_feature_names_out()
    rows = space.transform(texts)
    for code, row in zip(("en", "de", "ru"), rows, strict=True):
        own = VectorSpace("tf", **endings_of(code)).fit([ARTICLE[code]])
        assert set(names[row.indices]) == set(own.get_feature_names_out())
    assert "sind" not in names
    assert {column for _, _, column in space.spans(texts[1])} == set(rows[1].indices)


def test_one_language_needs_no_detection_of_each_text():
    space = VectorSpace(stem="auto", stop_words="auto").fit([ARTICLE["de"]] * 2 + ["Häuser"])
    assert space.languages_ == ["de"]
    assert space.transform(["Haus"]).nnz == 1


def test_partitions_ask_for_a_language():
    with pytest.raises(ValueError, match="give stem and stop_words other than 'auto'"):
        count_texts(["a"], VectorSpace(stem="auto"))


def test_unknown_languages_are_refused():
    with pytest.raises(ValueError, match="no language 'tlh': choose among auto, none, ar"):
        endings_of("tlh")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_can_be_asked_for(code):
    space = VectorSpace("tf", **endings_of(code)).fit(["abcd efgh"])
    assert space.n_terms_ == 2


def test_stop_words_are_in_lower_case():
    for language in STOP_WORD_LANGUAGES:
        assert language in LANGUAGES
        assert stop_words(language)
        assert all(word == word.lower() for word in stop_words(language))
    assert stop_words("zh") == frozenset()


def test_many_texts_are_told_in_batches():
    assert detect_languages(iter(list(ARTICLE.values()) * 200)) == list(ARTICLE) * 200
