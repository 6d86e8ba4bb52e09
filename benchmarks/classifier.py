"""Raw texts to a model and to labels, against scikit-learn's usual pipeline; and the model file."""

import tempfile
import time
from pathlib import Path

from benchmarks._measure import best_of
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

from textspace.datasets import load
from textspace.models import TextClassifier, save
from textspace.models import load as load_model

# What reads the same as each alphabet of ours; openings, which scikit-learn has nothing for, are left out.
SAME = {
    "stems": TfidfVectorizer(sublinear_tf=True, stop_words="english", ngram_range=(1, 2)),
    "words": TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2)),
    "letters": TfidfVectorizer(
        sublinear_tf=True, min_df=2, analyzer="char_wb", ngram_range=(2, 5), max_features=300_000
    ),
}


def main(corpus="20newsgroups"):
    print("TextClassifier() against TfidfVectorizer and LinearSVC, C of three by 3 folds")
    documents = load(corpus)
    train, test = documents.train, documents.test
    peer = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, stop_words="english"),
        GridSearchCV(LinearSVC(), {"C": [0.1, 1.0, 10.0]}, cv=3),
    )
    ours, quick = TextClassifier(), TextClassifier(quick=True)
    for model in (ours, quick):
        model.fit(train.texts[:500], train.labels[:500])  # what is compiled once does not count
    models = {"default": ours, "quick": quick, "scikit-learn": peer}
    learning = {
        name: best_of(model.fit, train.texts, train.labels, repeats=1) for name, model in models.items()
    }
    _print(corpus, "train", learning)
    answering = {name: best_of(model.predict, test.texts) for name, model in models.items()}
    _print(corpus, "predict", answering)
    names = [block.name for block in ours.model_.blocks if block.name in SAME]
    quickly = SGDClassifier(max_iter=1, tol=None)  # its answers are not looked at
    same = make_pipeline(make_union(*(SAME[name] for name in names)), quickly)
    same.fit(train.texts, train.labels)
    answering["scikit-learn on " + ", ".join(names)] = best_of(same.predict, test.texts, repeats=1)
    rates = [f"{name} {len(test) / timing.wall:.0f}" for name, timing in answering.items()]
    print(f"  {corpus:13} predict, documents a second: {', '.join(rates)}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.textspace")
        save(ours, path)
        start = time.perf_counter()
        load_model(path)
        seconds = time.perf_counter() - start
        print(f"  {corpus:13} model file: {path.stat().st_size / 1e6:.1f} MB, loaded in {seconds:.2f} s")


def _print(corpus, what, timings):
    *own, (_, peer) = timings.items()
    for name, ours in own:
        print(
            f"  {corpus:13} {what:7} {name:7} {ours.wall:6.2f} s  scikit-learn {peer.wall:6.2f} s  "
            f"ratio {ours.wall / peer.wall:.2f} on the clock, {ours.cpu / peer.cpu:.2f} of CPU"
        )
