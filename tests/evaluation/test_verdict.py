from dataclasses import replace

import pytest

from textspace.evaluation import scores, summarise


def with_answers(comparison, method, predicted, **seconds):
    """Replace what a method answered in the first repeat, and the time it took."""
    runs = []
    for run in comparison.runs:
        if (run["method"], run["repeat"]) == (method, 0):
            new = {"predicted": predicted, "scores": scores(comparison.truth[0], predicted)}
            run = run | new | {"seconds": run["seconds"] | seconds}
        runs.append(run)
    return replace(comparison, runs=runs)


def with_errors(truth, n_errors):
    """The truth, with errors on the first documents."""
    wrong = [(label + 1) % 12 for label in truth[:n_errors]]
    return wrong + truth[n_errors:]


@pytest.fixture
def pair(comparison_maker):
    """Two methods of which the second makes 20 errors of 300, the first a number to be chosen."""
    comparison = comparison_maker(methods=("svm", "lda"))
    truth = comparison.truth[0]
    comparison = with_answers(comparison, "svm", with_errors(truth, 20), fit=2.0, predict=0.5)

    def make(n_errors, **seconds):
        return summarise(with_answers(comparison, "lda", with_errors(truth, n_errors), **seconds))["verdict"]

    return make


def test_a_clear_lead_over_the_baseline_is_significant(pair):
    said = pair(2)
    assert said["headline"].startswith("SR-LDA is best here, with a micro F1 of 0.993")
    assert "It is significantly better than the baseline, Linear SVM (0.933)" in said["sentences"][0]
    assert "only SR-LDA is right on 18 test documents, only the baseline on 0" in said["sentences"][0]
    assert "micro sign test, p < 0.001" in said["sentences"][0]
    assert said["sentences"][1] == "Every other method is significantly worse."


def test_a_lead_of_one_document_is_not(pair):
    said = pair(19)
    assert said["headline"].startswith("SR-LDA is best")
    assert "not significantly better than the baseline" in said["sentences"][0]


def test_the_cheapest_of_equals_is_named(pair):
    said = pair(19, fit=10.0, predict=0.1)
    assert "The cheapest method within the noise is Linear SVM (0.933): 2.5 s" in said["sentences"][1]
    assert "instead of 10 s" in said["sentences"][1]
    said = pair(19, fit=0.1, predict=0.1)
    assert "Not significantly worse: Linear SVM. None of them is clearly cheaper" in said["sentences"][1]


def test_a_baseline_that_wins_is_said_so(pair):
    said = pair(60)
    assert said["headline"].startswith("Linear SVM is best")
    assert "It is the baseline itself" in said["sentences"][0]
    assert "SR-LDA (0.800), is significantly worse" in said["sentences"][0]
    assert "The best learned space is that of SR-LDA (0.800), with 11 dimensions" in " ".join(
        said["sentences"]
    )


def test_what_unlabelled_text_does_is_said(comparison_maker, with_twins):
    comparison = comparison_maker(methods=("svm", "lda", "cm"))
    truth = comparison.truth[0]
    comparison = with_answers(comparison, "cm", with_errors(truth, 20))
    for n_errors, sentence in (
        (5, "Unlabelled text helps SR-LDA (+0.050)."),
        (50, "Unlabelled text does harm to SR-LDA (−0.100)."),
        (19, "Unlabelled text makes no significant difference to SR-LDA (+0.003)."),
    ):
        found = with_twins(with_answers(comparison, "lda", with_errors(truth, n_errors)))
        assert sentence in summarise(found)["verdict"]["sentences"]


def test_how_far_down_the_tree_the_answers_lead_is_said(comparison_maker, with_tree):
    comparison = comparison_maker(methods=("svm", "lda"), n_classes=12)
    truth = comparison.truth[0]
    # Classes whose numbers differ by three have the same parent, but for the last class, which has none.
    near = [(label + 3) % 9 if label < 9 else label for label in truth]
    inside = [place for place, label in enumerate(truth) if label < 9][:30]
    near = [near[place] if place in inside else label for place, label in enumerate(truth)]
    far = [truth.index(0), truth.index(1), truth.index(2)]
    near = [11 if place in far else label for place, label in enumerate(near)]
    found = with_answers(with_answers(comparison, "lda", near), "svm", with_errors(truth, 100))
    wrong = len(set(inside) | set(far))
    [sentence] = [each for each in summarise(with_tree(found))["verdict"]["sentences"] if "tree" in each]
    assert sentence == (
        f"Its answers are in the wrong category for {wrong / 300:.1%} of the test documents, and at the top "
        "of the tree for 1.0%."
    )


def test_a_space_of_trigrams_is_measured_against_the_trigrams(comparison_maker):
    comparison = comparison_maker(methods=("svm", "lda"))
    behind = with_answers(comparison, "lda", with_errors(comparison.truth[0], 60))
    behind.runs[1].update(n_terms=27**3, n_dimensions=18**3)
    methods = behind.methods | {"lda": behind.methods["lda"] | {"scheme": "trigrams"}}
    said = summarise(replace(behind, methods=methods, corpus=behind.corpus | {"n_terms": None}))["verdict"]
    assert "with 5,832 dimensions instead of 19,683 trigrams." in " ".join(said["sentences"])


@pytest.mark.slow
def test_caveats(comparison_maker):
    few = summarise(comparison_maker(n_documents=100, n_classes=30))["verdict"]["caveats"]
    assert any("only 100 test documents" in caveat for caveat in few)
    assert any("of 30 classes have fewer than 5 test documents" in caveat for caveat in few)
    many = summarise(comparison_maker(n_documents=2000, n_classes=3))["verdict"]["caveats"]
    assert not any("test documents:" in caveat for caveat in many)
    failed = [("nmf", 2), *(("knn", repeat) for repeat in range(5))]
    broken = summarise(comparison_maker(repeats=5, failed=failed))["verdict"]["caveats"]
    assert any(caveat.startswith("kNN failed:") for caveat in broken)
    assert any(caveat.startswith("NMF failed in 1 of 5 splits") for caveat in broken)


def test_one_method_and_no_method(comparison_maker):
    alone = summarise(comparison_maker(methods=("svm",)))["verdict"]
    assert alone["headline"].startswith("Linear SVM reaches")
    nothing = summarise(comparison_maker(methods=("svm",), failed=[("svm", 0)]))["verdict"]
    assert nothing["headline"].startswith("No method finished")
