"""The class whose mean document is nearest, for more than 1000 classes."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize

from textspace.classify import CentroidClassifier
from textspace.classify.blend import _blend as module
from textspace.models import TextClassifier, load, make_card, save

N_CLASSES, N_WORDS = 1200, 2500


def rows(n_samples=3600, seed=0):
    """Give unit float32 rows with three words of each class and eight others, some pairs of words behind."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % N_CLASSES
    own = (7 * y[:, None] + rng.integers(0, 6, (n_samples, 3))) % N_WORDS
    columns = np.hstack(
        [own, rng.integers(0, N_WORDS, (n_samples, 8)), rng.integers(N_WORDS, 2600, (n_samples, 2))]
    )
    X = sparse.csr_array(
        (rng.random(columns.size) + 0.5, columns.ravel(), np.arange(0, columns.size + 1, 13)),
        shape=(n_samples, 2600),
    )
    X.sum_duplicates()
    return normalize(X).astype(np.float32), y


@pytest.fixture(scope="module")
def fitted():
    X, y = rows()
    return CentroidClassifier(n_words=N_WORDS).fit(X, y), X, y


def test_answers_are_the_classes_of_the_largest_cosine(fitted):
    model, X, y = fitted
    new = rows(500, seed=1)[0]
    words = normalize(X[:, :N_WORDS]).toarray()
    means = np.array([words[y == c].mean(axis=0) for c in range(N_CLASSES)])
    cosines = cosine_similarity(new[:, :N_WORDS].toarray(), means)
    np.testing.assert_array_equal(model.predict(new), cosines.argmax(axis=1))
    expected = softmax(model.calibration_.factors[0] * cosines / cosines.max(axis=1, keepdims=True), axis=1)
    np.testing.assert_allclose(model.predict_proba(new), expected, rtol=1e-4)


def test_contributions_add_up(fitted):
    model, X, _ = fitted
    for x in (
        X[:1],
        sparse.csr_array(X[1:2].multiply(np.arange(2600) >= N_WORDS)),
        sparse.csr_array((1, 2600)),
    ):
        contributions, constant = model.contributions(x)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(x)[0], atol=1e-5)


def test_out_of_fold_values_are_of_means_without_the_document(fitted):
    model, X, y = fitted
    held_out = np.mean(model.out_of_fold_.argmax(axis=1) == y)
    assert held_out < np.mean(model.predict(X) == y)
    assert np.mean(model.predict(rows(1200, seed=2)[0]) == np.arange(1200)) == pytest.approx(
        held_out, abs=0.1
    )


def test_the_space_is_that_of_the_words(fitted):
    model, X, _ = fitted
    np.testing.assert_allclose(
        model.transform(X[:9]).toarray(), normalize(X[:9, :N_WORDS]).toarray(), rtol=1e-6
    )
    assert len(model.get_feature_names_out()) == N_WORDS


def test_unlabelled_rows_are_passed_over(fitted):
    model, X, y = fitted
    more = sparse.vstack([X, rows(100, seed=3)[0]], format="csr")
    other = CentroidClassifier(n_words=N_WORDS).fit(more, np.append(y, np.full(100, -1)))
    np.testing.assert_array_equal(other.class_scores(X[:50]), model.class_scores(X[:50]))


@pytest.mark.slow
def test_negative_numbers_and_dense_rows(fitted):
    y = fitted[2]
    rng = np.random.default_rng(0)
    embedded = rng.normal(size=(N_CLASSES, 40))[y] + 0.5 * rng.normal(size=(len(y), 40))
    assert CentroidClassifier().fit(embedded, y).score(embedded, y) > 0.95


def test_some_documents_at_a_time_equal_all_at_once(fitted, monkeypatch):
    model, X, _ = fitted
    expected = model.class_scores(X[:100])
    monkeypatch.setattr(module, "_SCORES", 7 * N_CLASSES)
    np.testing.assert_allclose(model.class_scores(X[:100]), expected, rtol=1e-12)


@pytest.mark.slow
def test_it_is_taken_for_two_thousand_classes_of_texts(tmp_path):
    rng = np.random.default_rng(0)
    names = [
        f"{a}{b}{c}{d}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdgklmnprstv" for d in "aeiou"
    ]
    words = np.array([f"{name}{end}" for name in names for end in "lmnrsx"])
    shares = 1 / np.arange(10, len(words) + 10)
    own = rng.integers(1000, len(words), (2000, 6))

    def texts(n_each):
        common = rng.choice(len(words), (2000 * n_each, 12), p=shares / shares.sum())
        chosen = np.take_along_axis(np.tile(own, (n_each, 1)), rng.integers(0, 6, (2000 * n_each, 4)), axis=1)
        return [" ".join(words[row]) for row in np.hstack([common, chosen])]

    labels = np.array([f"class {c}" for c in range(2000)])
    train, test = texts(2), texts(1)[:1000]
    model = TextClassifier(stem=None).fit(train, np.tile(labels, 2))
    assert isinstance(model.model_, CentroidClassifier)
    assert make_card(model)["method"]["title"] == "Nearest mean document"
    accuracy = np.mean(model.predict(test) == labels[:1000])
    assert accuracy > 0.6  # 1 in 2000 by chance
    save(model, tmp_path / "many.textspace")
    assert (tmp_path / "many.textspace").stat().st_size < 4e6
    again = load(tmp_path / "many.textspace")
    np.testing.assert_array_equal(again.predict(test[:20]), model.predict(test[:20]))
    why = again.explain(test[0])
    assert sum(term.contribution for term in why.terms) + why.constant + why.rest == pytest.approx(
        why.score, abs=1e-6
    )
