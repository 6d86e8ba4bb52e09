"""Comparisons that were damaged are refused with what is wrong; tests/adversary tries many more."""

import json

import pytest

from textspace.evaluation import Comparison


@pytest.fixture(scope="module")
def content(comparison_maker):
    """Give the text of a saved comparison."""
    return json.dumps(comparison_maker(n_documents=30, n_classes=4, methods=("svm", "lda")).to_dict())


def change(value, path, new):
    """Put a new value in place of a part; leave the part out if it is None."""
    *places, last = path
    for place in places:
        value = value[place]
    if new is None:
        del value[last]
    else:
        value[last] = new


@pytest.mark.parametrize(
    ("path", "new", "said"),
    [
        (
            ["runs", 0, "scores", "micro_f1"],
            "high",
            r"runs\[0\]: scores.micro_f1 should be a number",
        ),
        (["runs", 0, "scores", "micro_f1"], True, r"micro_f1 should be a number from 0 to 1, but is true"),
        (["runs", 0, "scores", "accuracy"], 2, r"scores.accuracy should be .*, but is 2"),
        (
            ["runs", 0, "seconds", "fit"],
            float("nan"),
            r"seconds.fit should be .*, but is NaN",
        ),
        (["runs", 1, "scores"], None, r"runs\[1\]: it lacks scores"),
        (["runs", 0, "predicted"], [0, 1], r"runs\[0\]: predicted is not a class for each of 30 documents"),
        (["runs", 0, "predicted", 3], 4, r"predicted is not a class for each of 30 documents"),
        (["runs", 0, "sign", "accepted", 3], [7], "sign.accepted is not a list of classes"),
        (["runs", 0, "params"], {"C": 77.0}, "params are not of the grid of svm"),
        (["runs", 0, "params"], {"C": {"a": 1}}, "params.C should be a plain value"),
        (["runs", 0, "search", 0, "std"], None, "lacks std"),
        (["runs", 0, "error"], "", "error is empty"),
        (["runs", 0, "repeat"], 1, "there is no split 1"),
        (["runs", 0, "method"], "lda", "runs and methods do not name the same methods"),
        (["runs", 0], None, "runs and methods do not name the same methods"),
        (["methods", "svm", "title"], 3, r"methods.svm.title should be a text, but is 3"),
        (["methods", "svm", "grid"], [], "methods.svm.grid should be an object"),
        (["truth", 0, 5], 9, "truth holds a class that there is not"),
        (["truth"], [], "no classes, no splits or no methods"),
        (["corpus", "classes", 1], "topic-00", "names a class twice"),
        (["corpus", "train_sizes", 1], 2**70, r"corpus.train_sizes\[1\] should be a whole number, 0 or more"),
        (["corpus", "test_sizes"], [1], "have not a number for each class"),
        (["corpus", "n_train"], 0, "corpus.n_train should be a whole number, 1 or more, but is 0"),
        (["corpus", "tree"], {"topic-00": "a"}, "topic-01"),
        (["protocol", "split"], "halves", "protocol.split should be one of folds, given, share"),
        (["protocol", "baseline"], None, "protocol lacks baseline"),
        (["map", "x"], [1.0], "map has not the same number"),
        (["map", "label", 0], 8, "map holds a class that there is not"),
        (["map", "method"], "knn", "map.method is 'knn', which has no finished run"),
    ],
)
def test_a_damaged_comparison_is_refused_with_what_is_wrong(content, tmp_path, path, new, said):
    damaged, file = json.loads(content), tmp_path / "results.json"
    change(damaged, path, new)
    file.write_text(json.dumps(damaged))
    with pytest.raises(ValueError, match=rf"results\.json is damaged: .*{said}.*Run the comparison again"):
        Comparison.load(file)


def test_deep_and_doubled_json_is_none(tmp_path):
    for text in ("[" * 100_000, '{"format": 1, "format": 2}', '{"runs": ' + "9" * 5000 + "}"):
        (tmp_path / "results.json").write_text(text)
        with pytest.raises(ValueError, match=r"results\.json is not a comparison .*it is not JSON"):
            Comparison.load(tmp_path / "results.json")
