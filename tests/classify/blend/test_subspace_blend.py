"""The blend, by what its answers must add up to and what they must not depend on."""

import pickle
import zlib
from contextlib import contextmanager

import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from textspace._folds import deal_folds
from textspace.classify import RLSC, SubspaceBlend
from textspace.classify.blend import _choice, _subspace_blend
from textspace.classify.blend._arrays import on_a_grid
from textspace.classify.blend._base import check_memory
from textspace.classify.blend._choice import KeptScorer
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import FittedLatent
from textspace.classify.blend._ridge import RidgeScorer, ridge_scores
from textspace.classify.blend._scaled_ridge import ScaledRidgeScorer
from textspace.classify.blend._unlabelled import does_no_harm
from textspace.text import Block, VectorSpace

BLOCKS = [Block("words", 0, 200, 150), Block("letters", 200, 320, 120)]
NAMES = "ridge", "scaled ridge", "naive Bayes"
which_one = pytest.mark.parametrize("which", ["labelled", "unlabelled", "one block"])


def partly(y, n_labelled):
    return np.where(np.arange(len(y)) < n_labelled, y, "")


@contextmanager
def keeping_all():
    """Let no scorer be left out, and regressions be solved to many digits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_choice, "_LEAST", (-np.inf, 0.0))
        for scorer in (RidgeScorer, ScaledRidgeScorer):
            patch.setattr(scorer, "tolerance", (1e-5, 1e-5))
        yield


@pytest.fixture
def all_kept():
    """Let tests learn as the fitted blends did."""
    with keeping_all():
        yield


@pytest.fixture(scope="module")
def fitted(two_blocks):
    """Give blends of all scorers: of labelled documents, of unlabelled ones too, and of one block."""
    X, y = two_blocks()
    with keeping_all():
        return {
            "labelled": SubspaceBlend(BLOCKS).fit(X, y),
            "unlabelled": SubspaceBlend(BLOCKS, n_components=20, random_state=0).fit(X, partly(y, 60)),
            "one block": SubspaceBlend().fit(X, y),
        }


def test_all_scorers_of_all_blocks_are_tried(fitted):
    both = [(block.name, name) for block in BLOCKS for name in NAMES]
    assert [(kept.block, kept.name) for kept in fitted["labelled"].kept_] == both
    assert [(kept.block, kept.name) for kept in fitted["unlabelled"].kept_] == both
    assert [(kept.block, kept.name) for kept in fitted["one block"].kept_] == [("terms", n) for n in NAMES]
    assert len(fitted["labelled"].calibration_.weights) == 8  # two of each ridge regression
    for kept in fitted["labelled"].kept_:
        assert (kept.alpha is None) == (kept.name == "naive Bayes")


def test_out_of_fold_values_are_those_of_blends_that_have_not_seen_the_document(fitted, two_blocks, all_kept):
    X, y = two_blocks()
    model = fitted["labelled"]
    codes = np.unique(y, return_inverse=True)[1]
    folds, row = deal_folds(5, codes, n_samples=len(y)), 7
    sizes, others, scores = np.bincount(codes).astype(float), folds != folds[row], []
    for kept in model.kept_:
        [block] = [block for block in BLOCKS if block.name == kept.block]
        rows = X[:, block.start : block.stop]
        if kept.name == "ridge":
            ridge = Ridge(alpha=kept.alpha).fit(rows[others].toarray(), np.eye(5)[codes[others]])
            scores += ridge_scores(ridge.predict(rows[[row]].toarray()), sizes)
            continue
        if kept.name == "naive Bayes":
            rows = rows[:, : block.n_words]
            scorer = ComplementScorer(slice(0, block.n_words))
        else:
            scorer = ScaledRidgeScorer(slice(0, rows.shape[1]), (kept.alpha,))
        scores += scorer.fit(rows[others], codes[others], n_classes=5).scores(rows[[row]])
    np.testing.assert_allclose(model.out_of_fold_[row], model.calibration_(scores)[0], atol=1e-3)
    assert model.out_of_fold_.shape == (150, 5)


def test_one_row_of_out_of_fold_values_a_labelled_document_in_their_order(fitted, two_blocks):
    semi = fitted["unlabelled"]
    _, y = two_blocks()
    assert semi.out_of_fold_.shape == (60, 5)
    answers = semi.classes_[semi.out_of_fold_.argmax(axis=1)]
    assert np.mean(answers == y[:60]) > 0.6


@which_one
def test_contributions_add_up_to_the_decision_values(fitted, which, two_blocks):
    X, _ = two_blocks(seed=5)
    model = fitted[which]
    values = model.class_scores(X)
    for row in range(0, 150, 10):
        contributions, constant = model.contributions(X[[row]])
        assert contributions.shape == (320, 5)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, values[row], atol=1e-9)
        np.testing.assert_array_equal(np.unique(contributions.nonzero()[0]), np.sort(X[[row]].indices))


@which_one
def test_a_document_without_terms_and_one_without_words(fitted, which):
    model = fitted[which]
    pairs_only = sparse.csr_array(([1.0], ([0], [170])), shape=(1, 320))
    for x in (sparse.csr_array((1, 320)), pairs_only):
        contributions, constant = model.contributions(x)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(x)[0], atol=1e-9)
        assert np.isfinite(model.predict_proba(x)).all()
        assert np.isfinite(model.transform(x)).all()


def test_contributions_take_one_document(fitted, two_blocks):
    X, _ = two_blocks()
    with pytest.raises(ValueError, match="one document, a single row, but X has 2 rows"):
        fitted["labelled"].contributions(X[:2])


@which_one
def test_answers_agree_with_each_other(fitted, which, two_blocks):
    X, y = two_blocks(seed=5)
    model = fitted[which]
    values, shares = model.class_scores(X), model.predict_proba(X)
    np.testing.assert_allclose(shares, softmax(values, axis=1))
    np.testing.assert_array_equal(model.predict(X), model.classes_[values.argmax(axis=1)])
    assert np.mean(model.predict(X) == y) > 0.8
    positions = model.transform(X)
    assert positions.shape == (150, 4)
    assert positions.dtype == np.float32


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array, np.asarray])
def test_any_container_of_documents(fitted, container, two_blocks, all_kept):
    X, y = two_blocks()
    dense = X.toarray().astype(np.float64)
    model = SubspaceBlend(BLOCKS).fit(container(dense), y)
    values = fitted["labelled"].class_scores(X)
    np.testing.assert_allclose(model.class_scores(container(dense)), values, atol=1e-3)


def test_entries_in_any_order_and_in_several_pieces(fitted, two_blocks):
    X, _ = two_blocks()
    model = fitted["labelled"]
    row = X[[3]]
    turned = sparse.csr_array(
        (np.tile(row.data[::-1] / 2, 2), np.tile(row.indices[::-1], 2), [0, 2 * row.nnz]), shape=row.shape
    )
    whole, pieces = model.contributions(row), model.contributions(turned)
    np.testing.assert_allclose(pieces[0].toarray(), whole[0].toarray(), atol=1e-6)
    np.testing.assert_allclose(model.class_scores(turned), model.class_scores(row), atol=1e-6)
    assert turned.nnz == 2 * row.nnz  # the argument stays as it is


def test_numbers_or_text_for_labels(fitted, two_blocks, all_kept):
    X, y = two_blocks()
    numbers = np.unique(y, return_inverse=True)[1]
    model = SubspaceBlend(BLOCKS).fit(X, numbers)
    np.testing.assert_array_equal(model.predict(X), numbers)
    np.testing.assert_allclose(model.class_scores(X), fitted["labelled"].class_scores(X))


@pytest.mark.parametrize("sizes", [[1, 1], [2, 1, 1], [1, 40], [2, 2, 30], [1] * 20])
def test_tiny_classes(sizes):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = np.eye(len(sizes), 30)[y] + 0.2 * rng.random((len(y), 30))
    model = SubspaceBlend().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.out_of_fold_).all()
    contributions, constant = model.contributions(X[:1])
    np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(X[:1])[0], atol=1e-9)


def test_two_classes_have_two_columns(documents):
    X, y = documents(n_classes=2)
    model = SubspaceBlend().fit(X, y)
    assert model.class_scores(X).shape == model.predict_proba(X).shape == (150, 2)
    assert model.transform(X).shape == (150, 1)
    contributions, constant = model.contributions(X[[0]])
    np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(X[[0]])[0], atol=1e-9)
    held_out, truth = documents(n_classes=2, seed=5)
    assert model.score(held_out, truth) > 0.85
    semi = SubspaceBlend(n_components=20).fit(X, partly(y, 40))
    assert semi.score(held_out, truth) > 0.8


def test_many_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(300), 3)
    X = sparse.csr_array(normalize(np.eye(300)[y] + 0.05 * (rng.random((900, 300)) < 0.01)))
    model = SubspaceBlend().fit(X, y)
    assert model.score(X, y) > 0.99
    assert model.transform(X[:3]).shape == (3, 299)


def test_negative_numbers_leave_naive_bayes_out(documents):
    X, y = documents()
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(200, 200)))[0] @ X.T.toarray()
    model = SubspaceBlend().fit(X.T, y)
    assert [kept.name for kept in model.kept_] == ["ridge"]
    assert len(model.calibration_.weights) == 2
    assert model.score(X.T, y) > 0.95
    without_words = SubspaceBlend([("vectors", 0, 200, 0)]).fit(np.abs(X.T), y)
    assert [kept.name for kept in without_words.kept_] == ["ridge"]


def test_a_block_of_noise_is_left_out_and_a_block_that_helps_kept(two_blocks):
    X, y = two_blocks(1200, strengths=(0.4, 0.0))
    assert {kept.block for kept in SubspaceBlend(BLOCKS).fit(X, y).kept_} == {"words"}
    X, y = two_blocks(1200, strengths=(0.4, 0.4))
    model = SubspaceBlend(BLOCKS).fit(X, y)
    assert {kept.block for kept in model.kept_} == {"words", "letters"}
    assert sum(kept.gain <= 0 for kept in model.kept_) <= 1  # one stays in any case, for its space
    held_out, truth = two_blocks(600, strengths=(0.4, 0.4), seed=1)
    for block in BLOCKS:
        alone = SubspaceBlend([block]).fit(X, y)
        assert alone.score(held_out, truth) < model.score(held_out, truth) - 0.05


def test_scorers_are_chosen_as_they_are_when_all_is_learned(two_blocks):
    X, y = two_blocks()
    model = SubspaceBlend(BLOCKS)
    chosen, kept = model.choose_scorers(X, y), SubspaceBlend(BLOCKS).fit(X, y).kept_
    assert [own[:3] for own in chosen] == [own[:3] for own in kept]
    np.testing.assert_allclose([own.gain for own in chosen], [own.gain for own in kept], atol=1e-3)
    assert not hasattr(model, "kept_")  # nothing is learned


def test_scaled_regressions_are_not_tried_where_nothing_else_pays(two_blocks, monkeypatch):
    X, y = two_blocks(1200, strengths=(0.4, 0.0))
    tried, held_out = [], ScaledRidgeScorer.held_out

    def noted(scorer, *args, **settings):
        tried.append(scorer.columns)
        return held_out(scorer, *args, **settings)

    monkeypatch.setattr(ScaledRidgeScorer, "held_out", noted)
    chosen = SubspaceBlend(BLOCKS).choose_scorers(X, y)
    assert {kept.block for kept in chosen} == {"words"}
    assert tried == [slice(0, 200)]
    SubspaceBlend(BLOCKS).fit(X, y)
    assert len(tried) == 3  # where all is learned, all are tried


def test_scores_of_noise_are_weighed_without_a_warning(two_blocks, all_kept):
    X, y = two_blocks(300, strengths=(0.0, 0.6))
    weights = SubspaceBlend(BLOCKS).fit(X, y).calibration_.weights
    assert weights[:4].max() < 0.2 * weights[4:].max()


def test_only_the_scorers_that_are_named_are_tried_near_their_penalties(fitted, two_blocks, all_kept):
    X, y = two_blocks()
    all_scorers = fitted["labelled"].kept_
    named = [all_scorers[3], all_scorers[2]]
    again = SubspaceBlend(BLOCKS, named).fit(X, y).kept_
    assert [kept[:3] for kept in again] == [kept[:3] for kept in named]
    far = [KeptScorer("words", "ridge", 0.1, 0.0)]
    [kept] = SubspaceBlend(BLOCKS, far).fit(X, y).kept_
    assert kept.alpha == 0.3  # the larger of the two that are tried
    assert all_scorers[0].alpha > 0.3


@pytest.mark.parametrize("strengths", [(0.6, 0.0), (0.0, 0.6)], ids=["first", "second"])
@pytest.mark.parametrize("n_labelled", [300, 150])
def test_blocks_that_no_scorer_looks_at_can_go(two_blocks, strengths, n_labelled, monkeypatch):
    monkeypatch.setattr(_choice, "_LEAST", (10.0, 0.0))  # more than noise ever gains
    monkeypatch.setattr(_choice, "TELLING", 0)
    X, y = two_blocks(300, strengths=strengths, seed=1)
    model = SubspaceBlend(BLOCKS, n_components=20, random_state=0).fit(X, partly(y, n_labelled))
    values, positions, (contributions, constant) = (
        model.class_scores(X),
        model.transform(X),
        model.contributions(X[[0]]),
    )
    [name] = {kept.block for kept in model.kept_}
    [block] = [block for block in BLOCKS if block.name == name]
    used = model.drop_unused_blocks()
    np.testing.assert_array_equal(used, np.arange(block.start, block.stop))
    assert model.n_features_in_ == len(used)
    assert model.blocks == [Block(name, 0, len(used), block.n_words)]
    np.testing.assert_array_equal(model.class_scores(X[:, used]), values)
    np.testing.assert_array_equal(model.transform(X[:, used]), positions)
    left, same = model.contributions(X[[0]][:, used])
    np.testing.assert_array_equal(left.toarray(), contributions.toarray()[used])
    np.testing.assert_array_equal(same, constant)
    np.testing.assert_array_equal(model.drop_unused_blocks(), np.arange(len(used)))


def test_self_training_is_left_out_where_more_answers_are_lost_than_won():
    y = np.zeros(100, dtype=int)
    right, wrong = np.array([1.0, 0.0]), np.array([0.0, 1.0])

    def values(n_before, n_after):
        """The first documents are answered rightly before, the last ones after."""
        before, after = np.tile(wrong, (2, 100, 1))
        before[:n_before] = right
        after[100 - n_after :] = right
        return np.array([before, after])

    assert does_no_harm(values(60, 60), y)
    assert does_no_harm(values(60, 55), y)  # 45 lost and 40 won
    assert not does_no_harm(values(60, 40), y)
    assert does_no_harm(values(40, 60), y)


def test_unlabelled_documents_help(documents):
    X, y = documents(600, seed=3)
    train, test = X[:450], X[450:]
    few = SubspaceBlend(n_components=20).fit(train[:15], y[:15]).score(test, y[450:])
    assert SubspaceBlend(n_components=20).fit(train, partly(y[:450], 15)).score(test, y[450:]) > few + 0.03


def test_other_shares_among_unlabelled_documents_are_told_and_leave_self_training_out(documents):
    X, y = documents(800, seed=2)
    codes = np.unique(y, return_inverse=True)[1]
    labelled = np.concatenate([np.flatnonzero(codes == c)[:20] for c in range(5)])
    others = np.setdiff1d(np.arange(800), labelled)
    lopsided = np.concatenate([others[codes[others] == 0], others[codes[others] != 0][:40]])
    models, truths = [], []
    for rows in (others, lopsided):
        marked = np.concatenate([y[labelled], np.full(len(rows), "")])
        models.append(SubspaceBlend(n_components=20).fit(X[np.concatenate([labelled, rows])], marked))
        truths.append(np.bincount(codes[rows], minlength=5) / len(rows))
    alike, other = models
    np.testing.assert_array_equal(alike.unlabelled_shares_, 0.2)
    assert alike.self_trained_
    np.testing.assert_allclose(
        other.unlabelled_shares_, (100 * 0.2 + len(lopsided) * truths[1]) / (100 + len(lopsided)), atol=0.05
    )
    assert not other.self_trained_
    assert other.out_of_fold_.shape == (100, 5)


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_marks_of_unlabelled_rows(fitted, mark, two_blocks, all_kept):
    X, y = two_blocks()
    codes = np.unique(y, return_inverse=True)[1]
    marked = [int(code) if row < 60 else mark for row, code in enumerate(codes)]
    model = SubspaceBlend(BLOCKS, n_components=20, random_state=0).fit(X, marked)
    np.testing.assert_allclose(model.class_scores(X), fitted["unlabelled"].class_scores(X), atol=1e-6)


def test_fewer_dimensions_than_components(documents):
    X, y = documents(n_samples=40, n_classes=3)
    model = SubspaceBlend(n_components=200).fit(X, partly(y, 20))
    assert np.isfinite(model.class_scores(X)).all()


def test_probabilities_are_calibrated(documents):
    X, y = documents(6000, strength=0.4, seed=1)
    model = SubspaceBlend().fit(X[:2000], y[:2000])
    shares = model.predict_proba(X[2000:])
    right = model.classes_[shares.argmax(axis=1)] == y[2000:]
    assert 0.6 < right.mean() < 0.95
    assert abs(shares.max(axis=1).mean() - right.mean()) < 0.04


def test_clone_pickle_and_repetition(fitted, two_blocks, all_kept):
    X, y = two_blocks()
    for model in fitted.values():
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(model)).class_scores(X), model.class_scores(X)
        )
    seeded, labels = clone(fitted["unlabelled"]), partly(y, 60)
    np.testing.assert_array_equal(
        seeded.fit(X, labels).class_scores(X), clone(seeded).fit(X, labels).class_scores(X)
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_folds": 1}, "n_folds"),
        ({"blocks": "words"}, "'blocks' parameter of SubspaceBlend must be"),
        (
            {"blocks": [("words", 0, 201, 201)]},
            r"block \('words', 0, 201, 201\) does not fit: .* most 200",
        ),
        ({"blocks": [("words", 9, 9, 0)]}, "does not fit"),
        ({"blocks": [("words", 0, 100, 101)]}, "how many of the first columns are single words"),
        ({"blocks": [("words", 0, 100)]}, r"block \('words', 0, 100\) does not fit: give a name"),
        ({"blocks": []}, "places documents in a space: add 'ridge' of a block"),
        ({"scorers": []}, "places documents in a space"),
        ({"scorers": [KeptScorer("terms", "naive Bayes", None, 0.0)]}, "places documents in a space"),
        (
            {"scorers": [KeptScorer("letters", "ridge", 1.0, 0.0)]},
            r"no scorer \('letters', 'ridge'\): choose among \[\('terms', 'ridge'\)",
        ),
    ],
)
def test_wrong_settings_are_refused(settings, words, documents):
    with pytest.raises(ValueError, match=words):
        SubspaceBlend(**settings).fit(*documents())


def test_what_cannot_fit_into_memory_is_refused_with_a_sentence():
    check_memory(10_000, 100_000, 100)
    with pytest.raises(MemoryError, match=r"1000 classes times 100000000 terms .* put rare classes together"):
        check_memory(10_000, 100_000_000, 1000)
    check_memory(10_000, 0, 1001)  # no coefficients


@pytest.mark.slow
def test_is_above_its_scorers_and_a_linear_svm_on_a_corpus(corpus_or_skip):
    corpus = corpus_or_skip("reuters-r52")
    space = VectorSpace("ltc", bigrams=True)
    X, y = space.fit_transform(corpus.train.texts[::8]), corpus.train.labels[::8]
    X_new, y_new = space.transform(corpus.test.texts), corpus.test.labels
    model = SubspaceBlend([("words", 0, X.shape[1], space.n_words_)]).fit(X, y)
    score = model.score(X_new, y_new)
    assert score > 0.9
    assert abs(model.predict_proba(X_new).max(axis=1).mean() - score) < 0.03
    words = X[:, : space.n_words_], X_new[:, : space.n_words_]
    assert score > ComplementNB(alpha=0.3).fit(words[0], y).score(words[1], y_new) + 0.02
    assert score > RLSC(0.3).fit(X, y).score(X_new, y_new)
    assert score > LinearSVC(random_state=0).fit(X, y).score(X_new, y_new)


def test_what_is_learned_lies_on_a_grid_and_shrinks_to_less_than_half(fitted, documents, monkeypatch):
    monkeypatch.setattr(_subspace_blend, "does_no_harm", lambda values, y: False)
    X, y = documents(200)
    model = SubspaceBlend(n_components=20, random_state=0).fit(X, partly(y, 100))
    assert not model.self_trained_
    [latent] = [one for one in model._blends[0].scorers if isinstance(one, FittedLatent)]
    rng = np.random.default_rng(0)
    assert fitted["unlabelled"].self_trained_
    matrices = [
        latent.directions,
        *(fitted[name]._blends[0].space.coef for name in ("labelled", "unlabelled")),
    ]
    matrices.append(on_a_grid(rng.normal(size=(1000, 50)).astype(np.float32)))
    for matrix in matrices:
        size = np.sqrt(np.mean(matrix**2))
        steps = matrix / np.float32(2 ** np.floor(np.log2(size / 32)))
        assert matrix.dtype == np.float32
        np.testing.assert_array_equal(steps, np.rint(steps))
    assert len(zlib.compress(matrices[-1].tobytes(), 1)) < 0.5 * matrices[-1].nbytes
    assert not on_a_grid(np.zeros((2, 2), dtype=np.float32)).any()
