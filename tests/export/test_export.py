import base64
import copy
import gzip
import json
import random
import re
import shutil
import subprocess

import numpy as np
import pytest
import Stemmer

from textspace import TextClassifier
from textspace.classify import ManyClassBlend
from textspace.datasets import load
from textspace.export import export_model
from textspace.export._outline import SCRIPTS

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node, which runs JavaScript, is not installed")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.slow
CLOSE = 1e-5

HARD = [
    "",
    " \n",
    "👍🏽👍 great 🇩🇪🇫🇷🇩 \U0001f469\u200d\U0001f4bb",
    "\ud83d half \udc00 of a pair \ud800x",
    "e\u0301te\u0301 cafe\u0301 naïve ﬁne Ｎｏｄｅ．ｊｓ a" + "\u0301" * 50 + "b",
    "Node.js/C++,v3.11.2 .NET AT&T UTF-8 e-mail C# #tag_x @handle.org U.S. end.Start a.b.c.d.e.f.g.h",
    "$1.50 12,5€ 2024-05-31 10:30 1234567 404 ٣٤٥ ² ½ Ⅷ ㎏ 3.14.15 -5 +49-30-123 __x__ a_b #1",
    "https://www.example.org/a/b?c=1&d=2 www.example.org file:///x mailto:a.b@example.org",
    "ΣΑΣ ὈΔΥΣΣΕΎΣ İstanbul ISPARTA ı ß ẞ STRASSE ǅ ﷺ",
    "日本語のテキスト、ひらがなカタカナ ภาษาไทย ខ្មែរ မြန်မာ ລາວ שָׁלוֹם مُحَمَّد ـــ",
    "x\u200dy\u200cz \ufeff zero\u00a0width\u2028line \U000e0067 \u1c89 \ua7cb \U00010d40 \U0001fae8",
]
SENTENCES = {
    "en": "The {0} was delivered on Monday, and the customers were happy with their {1}.",
    "de": "Die {0} wurde am Montag geliefert, und die Kundinnen waren zufrieden mit ihren {1}.",
    "fr": "La {0} était livrée lundi, et les clientes sont contentes de leurs nouvelles {1}.",
    "ru": "Новая {0} была доставлена в понедельник, и покупатели остались довольны своими {1}.",
}


@pytest.fixture(scope="module")
def demo():
    return load("demo")


@pytest.fixture(scope="module")
def model(demo):
    return TextClassifier().fit(demo.train.texts, demo.train.labels)


@pytest.fixture
def run(tmp_path):
    """Give a function that exports a model, and lets Node classify texts by it."""

    def answers(model, texts, **options):
        if NODE is None:
            pytest.skip("node, which runs JavaScript, is not installed")
        export_model(model, tmp_path / "model.mjs")
        (tmp_path / "texts.json").write_text(json.dumps(list(texts)))
        (tmp_path / "run.mjs").write_text(
            'import { classify, labels } from "./model.mjs";\nimport fs from "fs";\n'
            "const found = [];\n"
            f'for (const text of JSON.parse(fs.readFileSync("{tmp_path}/texts.json", "utf8")))'
            f" found.push(await classify(text, {json.dumps(options)}));\n"
            f'fs.writeFileSync("{tmp_path}/found.json", JSON.stringify(found));\n'
        )
        subprocess.run([NODE, tmp_path / "run.mjs"], check=True)
        return json.loads((tmp_path / "found.json").read_text())

    return answers


def as_array(answers, model):
    """Give the probabilities in the order of the classes."""
    by_label = [{each["label"]: each["probability"] for each in one["probabilities"]} for one in answers]
    return np.array([[own[str(label)] for label in model.classes_] for own in by_label])


def spoilt(texts, n):
    """Give pieces of texts with characters of all kinds put in."""
    draw = random.Random(0)
    signs = list(".,-+#@/:&_$€!?'\" \n0123") + list("".join(HARD))
    found = []
    for _ in range(n):
        piece = list(draw.choice(texts)[:200])
        for _ in range(20):
            any_one = chr(draw.choice([draw.randrange(0x3000), draw.randrange(0x110000)]))
            piece.insert(draw.randint(0, len(piece)), draw.choice(signs) if draw.random() < 0.8 else any_one)
        # half pairs side by side are a pair in JavaScript
        found.append("".join(piece).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
    return found


def test_probabilities_are_those_of_python(model, demo, run):
    assert list(model.space_.spaces_) == ["stems", "words", "letters"]
    texts = [*demo.test.texts[:40], *HARD, *spoilt(demo.test.texts, 200)]
    found = run(model, texts, terms=0)
    np.testing.assert_allclose(as_array(found, model), model.predict_proba(texts), rtol=0, atol=CLOSE)
    assert [one["label"] for one in found] == model.predict(texts).tolist()


def test_terms_add_up_to_what_python_says(model, demo, run):
    texts = demo.test.texts[:5]
    for own, text in zip(run(model, texts, terms=10**6), texts, strict=True):
        why = model.explain(text)
        assert own["explained"] == why.label
        total = sum(term["contribution"] for term in own["terms"])
        assert total == pytest.approx(why.score - why.constant, abs=1e-4)
        theirs = {term.term.lower(): term.contribution for term in why.terms}
        same = [term for term in own["terms"] if term["term"].lower() in theirs]
        assert len(same) > len(theirs) / 2
        pairs = [(term["contribution"], theirs[term["term"].lower()]) for term in same[:5]]
        assert sum(abs(a - b) < 1e-4 for a, b in pairs) >= 3  # names of stems may differ from place to place


def test_several_languages_are_told_apart(run):
    goods = {
        "tools": ["hammer", "Schrauben", "perceuses", "молотками"],
        "food": ["bread", "Kartoffeln", "pommes", "яблоками"],
    }
    texts, labels = [], []
    for number in range(40):
        for label, words in goods.items():
            for word, sentence in zip(words, SENTENCES.values(), strict=True):
                texts.append(sentence.format(word, f"{words[number % 4]} {number}"))
                labels.append(label)
    model = TextClassifier().fit(texts, labels)
    assert set(model.space_.spaces_["stems"].languages_) == set(SENTENCES)
    asked = [*HARD, *texts[:8], "Hämmer und Schraube", "une perceuse", "молоток", "hammers"]
    np.testing.assert_allclose(
        as_array(run(model, asked), model), model.predict_proba(asked), rtol=0, atol=CLOSE
    )


def test_several_labels_a_text(demo, run):
    labels = [
        [label, "short"] if len(text) < 200 else [label]
        for text, label in zip(demo.train.texts, demo.train.labels, strict=True)
    ]
    model = TextClassifier(quick=True).fit(demo.train.texts, labels)
    texts = [*demo.test.texts[:30], *HARD]
    found = run(model, texts, terms=0)
    np.testing.assert_allclose(as_array(found, model), model.predict_proba(texts), rtol=0, atol=CLOSE)
    assert [tuple(one["labels"]) for one in found] == [tuple(labels) for labels in model.predict(texts)]


def test_scores_of_many_classes(model, demo, run):
    many = copy.copy(model)
    many.model_ = ManyClassBlend(many.space_.blocks_).fit(
        many.space_.transform(demo.train.texts), demo.train.labels
    )
    texts = [*demo.test.texts[:20], *HARD]
    np.testing.assert_allclose(
        as_array(run(many, texts, terms=0), many), many.predict_proba(texts), rtol=0, atol=CLOSE
    )


def test_scores_in_the_space_of_unlabelled_texts(demo, run, monkeypatch):
    place = "textspace.classify.blend._subspace_blend.does_no_harm"
    monkeypatch.setattr(place, lambda *_: False)  # as that space takes part before self-training only
    half = len(demo.train.texts) // 2
    known, others = demo.train.texts[:half], demo.train.texts[half:]
    model = TextClassifier(quick=True).fit(known, demo.train.labels[:half], unlabelled=others)
    assert any(hasattr(scorer, "directions") for scorer in model.model_._blends[0].scorers)
    texts = [*demo.test.texts[:20], *HARD]
    found = run(model, texts, terms=10**6)
    np.testing.assert_allclose(as_array(found, model), model.predict_proba(texts), rtol=0, atol=CLOSE)
    why = model.explain(texts[0])
    total = sum(term["contribution"] for term in found[0]["terms"])
    assert total == pytest.approx(why.score - why.constant, abs=1e-4)


@needs_node
@pytest.mark.parametrize("name", ["porter", "german", "french", "russian"])
def test_stemmers_are_those_of_snowball(name, tmp_path):
    """Beginnings of words, and all suffixes of the algorithm behind them, up to three in a row."""
    script = (SCRIPTS / f"stem-{name}.js").read_text(encoding="utf-8")
    suffixes = {part for text in re.findall(r'"([^"\n]*)"', script) for part in text.split()}
    suffixes = sorted({*suffixes, *re.findall(r"(\w+):", script)} - {"", " "})
    suffixes = [suffix.lower() for suffix in suffixes if suffix.isalpha()]
    draw = random.Random(0)
    letters = "aeiouyбвгаеиоклмнрстß" if name == "russian" else "abcdefghijklmnopqrstuvwxyzäöüéèëïç"
    words = set()
    while len(words) < 20_000:
        start = "".join(draw.choices(letters, k=draw.randint(1, 5)))
        words.add(start + "".join(draw.choices(suffixes, k=draw.randint(1, 3))))
    words = sorted(word for word in words if len(word) > 3)
    code = (SCRIPTS / "stems.js").read_text(encoding="utf-8") + script
    (tmp_path / "words.json").write_text(json.dumps(words))
    (tmp_path / "run.cjs").write_text(
        f'{code}\nconst fs = require("fs");\n'
        f'const words = JSON.parse(fs.readFileSync("{tmp_path}/words.json"));\n'
        f'fs.writeFileSync("{tmp_path}/stems.json", JSON.stringify(words.map(STEMMERS.{name})));',
        encoding="utf-8",
    )
    subprocess.run([NODE, tmp_path / "run.cjs"], check=True)
    stems = json.loads((tmp_path / "stems.json").read_text())
    wrong = [
        (word, stem, right)
        for word, stem, right in zip(words, stems, Stemmer.Stemmer(name, 0).stemWords(words), strict=True)
        if stem != right
    ]
    assert not wrong


def test_what_cannot_go_there_is_refused(model, demo, tmp_path):
    with pytest.raises(ValueError, match="neither a page nor a module"):
        export_model(model, tmp_path / "model.txt")
    other = TextClassifier("rlsc").fit(demo.train.texts, demo.train.labels)
    with pytest.raises(ValueError, match="method 'auto'"):
        export_model(other, tmp_path / "model.html")
    spanish = TextClassifier(stem="spanish", quick=True).fit(demo.train.texts, demo.train.labels)
    with pytest.raises(ValueError, match="--language none"):
        export_model(spanish, tmp_path / "model.html")
    assert not list(tmp_path.iterdir())


def test_labels_stand_nowhere_as_html(demo, tmp_path):
    evil = "</script><img src=x onerror=alert(1)>"
    labels = [evil if label == "shipping" else label for label in demo.train.labels]
    model = TextClassifier(quick=True).fit(demo.train.texts, labels)
    export_model(model, tmp_path / "page.html", name=evil)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert page.count("</script>") == 1
    data = re.search(r'const DATA = "([^"]+)"', page)[1]
    assert evil.encode() in gzip.decompress(base64.b64decode(data))


def test_the_page_answers_in_a_browser(demo, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if BROWSER is None:
        pytest.skip("no browser is installed")
    evil = "<img src=x onerror=document.title='bad'>"
    labels = [evil if label == "shipping" else label for label in demo.train.labels]
    model = TextClassifier(quick=True).fit(demo.train.texts, labels)
    export_model(model, tmp_path / "page.html", name="Demo")
    [text] = ["The container ship left the port with its cargo"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(error))
        page.goto((tmp_path / "page.html").as_uri())
        page.fill("#text", text)
        page.wait_for_selector("#terms li")
        assert page.inner_text("#labels") == model.predict([text])[0] == evil
        share = float(page.inner_text("#probabilities .number").split()[0])
        assert share == pytest.approx(100 * model.predict_proba([text]).max(), abs=0.06)
        second = page.locator("#probabilities button").nth(1)
        second.click()
        assert page.inner_text("#explained") == second.locator(".name").inner_text()
        assert page.title() == "Demo"
        assert not errors
        browser.close()


def test_openings_are_read_as_in_python(run):
    draw = random.Random(0)
    filler = ["price", "market", "monday", "report", "company", "people"]
    titles = {"grain": "corn wheat crop", "sea": "ship port vessel"}

    def text(label):
        title = " ".join(draw.choices(titles[label].split(), k=2))
        return title + "\n" + " ".join(draw.choices(filler + " ".join(titles.values()).split(), k=60))

    labels = ["grain", "sea"] * 100
    model = TextClassifier().fit(list(map(text, labels)), labels)
    assert "opening" in model.space_.spaces_
    texts = [*map(text, labels[:20]), *HARD, *spoilt([" \n" + text("sea"), text("grain")[:90]], 100)]
    texts += ["👍" * n + " corn ship wheat port" for n in (95, 99, 100, 101, 129, 131, 199, 200, 201)]
    texts += [
        "\r\n \x0bcorn\rship",
        "corn\x0cport\nship",
        "corn\u2028ship",
        "x" * 140 + " corn\nport",
        "corn",
    ]
    found = as_array(run(model, texts, terms=0), model)
    np.testing.assert_allclose(found, model.predict_proba(texts), rtol=0, atol=CLOSE)
