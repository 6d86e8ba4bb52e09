"""A small corpus, a model of it, and files that were tampered with."""

import io
import json
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from textspace.classify import _nearest_documents
from textspace.datasets import Corpus
from textspace.models import TextClassifier, save
from textspace.models._archive import seal, unsealed

collect_ignore = ["data"]  # scripts that made the kept files

TOPICS = {
    "grain": "wheat corn barley harvest bushel crop mill",
    "metal": "copper tin zinc ore smelter mine ingot",
    "ship": "port vessel cargo tanker freight dock captain",
}
KEPT = Path(__file__).parent / "data"
COMMON = "price market week report said year trade"


def make_corpus(per_class=(14, 12, 10), seed=0):
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for (label, words), count in zip(TOPICS.items(), per_class, strict=True):
        for _ in range(count):
            own, other = rng.choice(words.split(), 4), rng.choice((COMMON + " " + words).split(), 5)
            texts.append(" ".join([*own, *other]))
            labels.append(label)
    order = rng.permutation(len(texts))
    return Corpus("made-up", [texts[i] for i in order], np.array(labels)[order])


class Forger:
    """Take a model file apart and put it together again, changed, with a digest that is right."""

    def __init__(self, path):
        with ZipFile(path) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        self.description = json.loads(self.members["model.json"])

    @property
    def state(self):
        """The state of the classifier, to be changed."""
        return self.description["models.text_classifier"]

    def write(self, path, changes=None):
        described = {"model.json": json.dumps(self.description).encode()}
        return self.write_members(path, self.members | described | (changes or {}))

    def write_members(self, path, members, compression=0):
        with open(path, "w+b") as file:
            with ZipFile(file, "w", compression) as archive:
                for name, content in members.items():
                    if content is not None:
                        archive.writestr(name, content)
                archive.comment = unsealed()
            seal(file)
        return path


class OldForger:
    """The same for a file of format 1, which has no digest."""

    def __init__(self, path):
        with ZipFile(path) as archive:
            self.outer = {name: archive.read(name) for name in archive.namelist()}
        with ZipFile(io.BytesIO(self.outer["model.skops"])) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        self.schema = json.loads(self.members["schema.json"])

    @property
    def state(self):
        """The state of the classifier, to be changed."""
        return self.schema["content"]["content"]

    def write(self, path, compression=0):
        inner = io.BytesIO()
        with ZipFile(inner, "w", compression) as archive:
            for name, content in (self.members | {"schema.json": json.dumps(self.schema).encode()}).items():
                archive.writestr(name, content)
        with ZipFile(path, "w") as archive:
            for name, content in (self.outer | {"model.skops": inner.getvalue()}).items():
                archive.writestr(name, content)
        return path


@pytest.fixture(scope="session")
def corpus():
    return make_corpus()


@pytest.fixture(scope="session")
def others():
    return make_corpus(per_class=(9, 8, 7), seed=1)


@pytest.fixture(scope="session")
def model(corpus):
    return TextClassifier().fit(corpus.texts, corpus.labels)


@pytest.fixture
def saved(model, tmp_path):
    save(model, tmp_path / "model.textspace")
    return tmp_path / "model.textspace"


@pytest.fixture
def forger(saved):
    return Forger(saved)


@pytest.fixture
def old_forger():
    return OldForger(KEPT / "format-1-auto.textspace")


@pytest.fixture
def many_documents(monkeypatch):
    """Let ten documents be so many that they are sorted into clusters."""
    monkeypatch.setattr(_nearest_documents, "_MANY", 10)
