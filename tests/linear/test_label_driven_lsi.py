"""Label-driven LSI: which terms are scaled, by how much, and what comes of it."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from textspace.linear import LSI, LabelDrivenLSI
from textspace.text import VectorSpace
from textspace.tree import LabelTree

TREE = {"corn": "grain", "wheat": "grain", "nat-gas": "energy", "crude": "energy", "grain": "goods"}
TERMS = np.array(
    ["corn", "wheat", "grain", "good", "gas", "energi", "crude", "oil", "maiz"]
    + [f"term{i}" for i in range(31)],
    dtype=object,
)


@pytest.fixture(name="X")
def documents():
    return sparse.random_array((60, 40), density=0.3, format="csr", rng=np.random.default_rng(3))


def build(**params):
    return LabelDrivenLSI(**{"n_components": 8, "tree": TREE, "terms": TERMS, "random_state": 0, **params})


ignore_missing = pytest.mark.filterwarnings("ignore:words of category names:UserWarning")


@ignore_missing
def test_scale_zero_is_lsi(X):
    ours, plain = build(scale=0.0).fit(X), LSI(8, random_state=0).fit(X)
    np.testing.assert_array_equal(ours.components_, plain.components_)
    np.testing.assert_array_equal(ours.singular_values_, plain.singular_values_)
    np.testing.assert_allclose(ours.transform(X), plain.transform(X))


@ignore_missing
def test_is_lsi_of_the_scaled_documents_and_queries_are_scaled_too(X):
    space = build().fit(X)
    scaled = X.toarray() * space.term_scale_
    _, values, vectors = np.linalg.svd(scaled)
    np.testing.assert_allclose(space.singular_values_, values[:8])
    assert subspace_angles(space.components_.T, vectors[:8].T).max() < 1e-6
    np.testing.assert_allclose(space.transform(X[:5]), scaled[:5] @ space.components_.T)


@ignore_missing
def test_without_similar_terms_only_the_words_of_names_are_scaled(X):
    space = build(n_similar=0).fit(X)
    factors = {term: scaled.factor for term, scaled in space.scaled_terms_.items()}
    # 1 + 1 / (leaves below): four leaves, of which two in grain and in goods, two in energy
    assert factors == {
        "corn": 2, "wheat": 2, "gas": 2, "crude": 2, "grain": 1.5, "good": 1.5, "energi": 1.5,
    }  # fmt: skip
    assert {scaled.reason for scaled in space.scaled_terms_.values()} == {"in the name"}
    assert space.scaled_terms_["good"].node == "goods"
    assert list(factors.values()) == sorted(factors.values(), reverse=True)
    expected = np.ones(40)
    expected[:7] = [factors[term] for term in TERMS[:7]]
    np.testing.assert_array_equal(space.term_scale_, expected)


@ignore_missing
@pytest.mark.parametrize("similarity", ["cosine", "product"])
@pytest.mark.parametrize("n_similar", [1, 3])
def test_similar_terms_are_those_of_the_dense_matrix(X, similarity, n_similar):
    space = build(n_similar=n_similar, similarity=similarity, tree={"corn": "grain"}).fit(X)
    _, values, vectors = np.linalg.svd(X.toarray())
    similarities = vectors[:8].T @ np.diag(values[:8] ** 2) @ vectors[:8]
    if similarity == "cosine":
        lengths = np.sqrt(np.diag(similarities))
        similarities /= np.outer(lengths, lengths)
    expected = {"corn": "in the name", "grain": "in the name"}
    for column, word in ((2, "grain"), (0, "corn")):
        others = [other for other in np.argsort(-similarities[column]) if other != column]
        for other in others[:n_similar]:
            expected.setdefault(TERMS[other], f"near to {word!r}")
    assert set(space.scaled_terms_) == set(expected)
    for term in set(expected) - {"corn", "grain"}:
        assert space.scaled_terms_[term].reason.startswith("near to '")


def test_the_largest_factor_holds():
    # "grain" stands in the names of an inner node and of a leaf; "maiz" is near to both
    X = np.zeros((6, 4))
    X[:3, :3] = [[1, 1, 0.2], [1, 1, 0.3], [0.5, 0.5, 0.1]]
    X[3:, 3] = 1
    terms = ["grain", "maiz", "corn", "ship"]
    tree = {"grain trade": "grains", "corn": "grains", "ship": None}
    with pytest.warns(UserWarning, match=r"trade \(grain trade\)"):
        space = LabelDrivenLSI(2, tree=tree, terms=terms, scale=3.0).fit(X)
    assert space.scaled_terms_["grain"] == (4.0, "grain trade", "in the name")
    assert space.scaled_terms_["maiz"] == (4.0, "grain trade", "near to 'grain'")
    with pytest.warns(UserWarning, match="trade"):
        uniform = LabelDrivenLSI(2, tree=tree, terms=terms, scale=3.0, adaptive=False).fit(X)
    assert uniform.scaled_terms_["grain"].factor == 4.0
    assert set(uniform.term_scale_) == {4.0}


@pytest.mark.parametrize(("adaptive", "factor"), [(True, 2.0), (False, 4.0)])
def test_the_scale_is_shared_among_the_leaves_below_only_where_it_adapts(adaptive, factor):
    terms = ["grain", "corn", "rice", "wheat"]
    tree = {"corn": "grain", "rice": "grain", "wheat": "grain", "grain": None}
    space = LabelDrivenLSI(2, tree=tree, terms=terms, scale=3.0, n_similar=0, adaptive=adaptive)
    np.testing.assert_allclose(space.fit(np.eye(4)).term_scale_, [factor, 4.0, 4.0, 4.0])


def test_more_near_terms_than_there_are(X):
    space = build(tree={"corn": None}, n_similar=1000).fit(X)
    _, values, vectors = np.linalg.svd(X.toarray())
    near = (vectors[:8, 0] * values[:8] ** 2) @ vectors[:8]
    assert set(space.scaled_terms_) == set(TERMS[near > 1e-5 * near.max()])


def test_equally_near_terms_do_not_depend_on_rounding():
    rng = np.random.default_rng(0)
    X = rng.random((50, 30)) * (rng.random((50, 30)) < 0.3)
    X[:, 10:20] = X[:, [9]] * np.linspace(0.5, 2, 10)  # ten terms in one direction, the last the heaviest
    terms = [f"t{letter}" for letter in "abcdefghijklmnopqrstuvwxyzåäöü"]
    near = {
        next(term for term, scaled in fitted.scaled_terms_.items() if "near" in scaled.reason)
        for dtype in (np.float32, np.float64)
        for seed in range(3)
        for fitted in [
            LabelDrivenLSI(5, tree={"tj": None}, terms=terms, random_state=seed).fit(X.astype(dtype))
        ]
    }
    assert near == {terms[19]}


@pytest.mark.parametrize("n_similar", [0, 2])
def test_on_a_flat_tree_adaptive_and_uniform_are_one(X, n_similar):
    flat = LabelTree(dict.fromkeys(["corn", "wheat", "crude"]))
    one, other = (
        build(tree=flat, n_similar=n_similar, adaptive=adaptive).fit(X) for adaptive in (True, False)
    )
    assert one.scaled_terms_ == other.scaled_terms_
    np.testing.assert_array_equal(one.components_, other.components_)


def test_labels_make_a_flat_tree(X):
    y = np.array(["corn", "wheat", "crude", ""])[np.arange(60) % 4]
    from_labels = build(tree=None).fit(X, y)
    assert from_labels.tree_ == LabelTree(dict.fromkeys(["corn", "wheat", "crude"]))
    np.testing.assert_array_equal(
        from_labels.term_scale_, build(tree=dict.fromkeys(["corn", "wheat", "crude"])).fit(X).term_scale_
    )


@ignore_missing
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, np.asarray])
def test_sparse_equals_dense_and_float32_stays(X, container):
    dense = build(n_similar=2).fit(X.toarray())
    given = container(X.toarray())
    fitted = build(n_similar=2).fit(given)
    assert fitted.scaled_terms_ == dense.scaled_terms_
    np.testing.assert_allclose(fitted.components_, dense.components_, atol=1e-8)
    np.testing.assert_allclose(fitted.transform(given), dense.transform(X.toarray()), atol=1e-8)
    single = build(n_similar=2).fit(given.astype(np.float32))
    assert single.scaled_terms_ == dense.scaled_terms_
    assert single.transform(given.astype(np.float32)).dtype == np.float32
    assert single.components_.dtype == single.term_scale_.dtype == np.float32


@ignore_missing
def test_forms_of_a_tree_and_a_clone_agree(X):
    first = build().fit(X)
    for tree in (LabelTree(TREE), LabelTree.from_parents(TREE.items())):
        np.testing.assert_array_equal(build(tree=tree).fit(X).components_, first.components_)
    np.testing.assert_array_equal(clone(first).fit(X).components_, first.components_)


def test_missing_words_are_reported(X):
    with pytest.warns(UserWarning, match=r"nat \(nat-gas\)\. See missing_words_"):
        space = build().fit(X)
    assert space.missing_words_ == {"nat-gas": ("nat",)}
    with pytest.warns(UserWarning, match=r"barley \(barley\)\. No term is scaled for '2024'; 'barley'"):
        space = build(tree=dict.fromkeys(["barley", "corn", "2024"])).fit(X)
    assert space.missing_words_ == {"2024": (), "barley": ("barley",)}
    assert "corn" in space.scaled_terms_


def test_stop_words_in_longer_names_are_left_out(X):
    terms = np.where(TERMS == "term0", "and", TERMS)
    space = build(tree={"corn and wheat": None}, terms=terms, n_similar=0).fit(X)
    assert set(space.scaled_terms_) == {"corn", "wheat"}
    assert space.missing_words_ == {}
    assert set(build(tree={"And": None}, terms=terms, n_similar=0).fit(X).scaled_terms_) == {"and"}


@pytest.mark.parametrize(
    ("stem", "terms"), [("porter", {"hockei", "auto", "ga"}), (None, {"hockey", "autos", "gas"})]
)
def test_words_are_found_whether_terms_are_stemmed_or_not(stem, terms):
    texts = ["hockey autos", "autos and gas prices", "gas, gas", "hockey hockey ice", "georgia ga", "ice"]
    vectors = VectorSpace(stem=stem)
    X = vectors.fit_transform(texts)
    tree = dict.fromkeys(["hockey", "autos", "gas"])
    space = LabelDrivenLSI(3, tree=tree, terms=vectors.get_feature_names_out(), n_similar=0).fit(X)
    assert set(space.scaled_terms_) == terms
    assert space.missing_words_ == {}


def test_names_of_a_data_frame_serve_as_terms(X):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(X.toarray(), schema=list(TERMS))
    space = build(terms=None, tree={"corn": "grain"}).fit(frame)
    expected = build(tree={"corn": "grain"}).fit(X)
    assert space.scaled_terms_ == expected.scaled_terms_
    np.testing.assert_allclose(space.transform(frame), expected.transform(X), atol=1e-10)


def test_with_neither_tree_nor_terms_it_is_lsi_and_says_so(X):
    with pytest.warns(UserWarning, match="scales nothing and is plain LSI"):
        space = LabelDrivenLSI(4, random_state=0).fit(X, np.arange(60) % 3)
    np.testing.assert_array_equal(space.components_, LSI(4, random_state=0).fit(X).components_)
    assert space.scaled_terms_ == {}


def test_bad_arguments_are_refused(X):
    with pytest.raises(ValueError, match="does not know which column is which term: give terms="):
        build(terms=None).fit(X)
    with pytest.raises(ValueError, match="terms names 39 columns, but X has 40"):
        build(terms=TERMS[:39]).fit(X)
    with pytest.raises(ValueError, match="names a column twice"):
        build(terms=["corn"] * 40).fit(X)
    with pytest.raises(ValueError, match="not in the tree: 'maize'"):
        build().fit(X, ["corn"] * 59 + ["maize"])
    with pytest.raises(ValueError, match="cycle"):
        build(tree={"a": "b", "b": "a"}).fit(X)
    for params, message in [
        ({"scale": -1.0}, "'scale' parameter"),
        ({"n_similar": -1}, "'n_similar' parameter"),
        ({"n_components": 0}, "'n_components' parameter"),
        ({"similarity": "euclidean"}, "'similarity' parameter"),
        ({"stem": "klingon"}, "'stem' parameter"),
    ]:
        with pytest.raises(ValueError, match=message):
            build(**params).fit(X)


@ignore_missing
@pytest.mark.parametrize(
    ("name", "least", "gain"),
    [("reuters-tree-a", 0.91, 0.02), ("reuters-tree-b", 0.93, 0.08), ("20newsgroups-8", 0.84, -0.01)],
)
def test_figures_of_the_paper(corpus_or_skip, name, least, gain):
    corpus = corpus_or_skip(name)
    vectors = VectorSpace()
    X, X_new = vectors.fit_transform(corpus.train.texts), vectors.transform(corpus.test.texts)

    def micro_f1(space):
        space.fit(X, corpus.train.labels)
        nearest = KNeighborsClassifier(20, metric="cosine", algorithm="brute")
        nearest.fit(space.transform(X), corpus.train.labels)
        return nearest.score(space.transform(X_new), corpus.test.labels)

    terms = vectors.get_feature_names_out()
    adaptive = micro_f1(LabelDrivenLSI(tree=corpus.tree, terms=terms, random_state=0))
    assert adaptive >= least
    assert adaptive >= micro_f1(LSI(50, random_state=0)) + gain
