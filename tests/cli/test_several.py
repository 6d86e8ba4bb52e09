import csv
import json
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from textspace.cli._several import cell_of, label_list_columns

ROWS = [
    ("the corn harvest rose", "grain;corn"),
    ("wheat harvest fell", "grain"),
    ("corn went by ship", "corn;ship"),
    ("a tanker at sea", "ship"),
    ("more corn and wheat", "grain;corn;corn"),
    ("nothing to report", "[]"),
    ("nobody knows", ""),
]


@pytest.fixture
def tickets(tmp_path):
    with open(tmp_path / "tickets.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "tags"), *ROWS])
    return tmp_path / "tickets.csv"


def test_check_asks_how_labels_are_to_be_read(run, tickets):
    for verb in ("check", "train"):
        outcome = run(verb, "tickets.csv")
        assert outcome.code == 1
        assert "labels look like lists separated by ';': add --several ';' or --several none" in outcome.err


def test_check_counts_labels(run, tickets):
    outcome = run("check", "tickets.csv", "--several", ";", "--json")
    found = json.loads(outcome.out)
    assert found["classes"] == {"corn": 3, "grain": 3, "ship": 2}
    assert (found["documents"], found["labelled"]) == (7, 6)
    assert len(json.loads(run("check", "tickets.csv", "--several", "none", "--json").out)["classes"]) == 6


def test_check_shows_the_rows_of_several_labels(run, tmp_path):
    with open(tmp_path / "tickets.csv", "w", newline="", encoding="utf-8") as file:
        again = ("the corn  harvest rose", "ship"), ("nothing  to report", "")
        csv.writer(file).writerows([("text", "tags"), *ROWS, *again])
    outcome = run("check", "tickets.csv", "--several", ";", "-o", "found.csv", "--report", "found.html")
    assert outcome.code == 0, outcome.err
    assert "Languages: English 100%." in outcome.out
    assert "documents of each class: corn 3, grain 3, ship 3" in outcome.out
    assert "row 1 (line 2) [grain;corn] the corn harvest rose" in outcome.out
    assert "row 6 (line 7) [[]] nothing to report" in outcome.out
    with open(tmp_path / "found.csv", encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["kind"] == "conflicts"]
    assert [(row["label"], row["row"]) for row in found] == [("grain;corn", "1"), ("ship", "8")]
    page = (tmp_path / "found.html").read_text(encoding="utf-8")
    assert all(text in page for text in ("grain;corn", "English", "100 %", "labels from tags"))


def test_check_takes_paths_for_no_lists(run, tickets):
    outcome = run("check", "tickets.csv", "--label-separator", ";", "--json")
    assert "label lists" not in [finding["kind"] for finding in json.loads(outcome.out)["findings"]]


def test_check_wants_tests_of_the_same_kind(run, tmp_path):
    (tmp_path / "test.jsonl").write_text('{"text": "corn rose", "tags": ["corn"]}\n')
    (tmp_path / "single.csv").write_text("text,tags\ncorn rose,corn\n")
    outcome = run("check", "test.jsonl", "--test", "single.csv")
    assert outcome.code == 1
    assert (
        "test.jsonl has several labels a document, but single.csv has one: say with --several" in outcome.err
    )


def test_columns_of_yes_and_no_and_of_texts_are_found_again(run, tmp_path):
    rng = np.random.default_rng(0)
    book = openpyxl.Workbook()
    book.active.append(["subject", "body", "id", *WORDS])
    for number in range(60):
        labels = rng.choice(list(WORDS), number % 4, replace=False).tolist()
        words = [word for label in labels for word in rng.choice(WORDS[label], 3, replace=False)]
        row = " ".join(words[:2]), " ".join(["today the", *words, f"number{number}"]), number % 2
        book.active.append([*row, *(int(label in labels) for label in WORDS)])
    book.save(tmp_path / "tickets.xlsx")
    columns = ["--text", "subject", "--text", "body", *(f"--label={label}" for label in WORDS)]
    trained = run("train", "tickets.xlsx", *columns, "-o", "m.textspace")
    assert trained.code == 0, trained.err
    outcome = run("evaluate", "m.textspace", "tickets.xlsx", "--json")
    assert {row["label"] for row in json.loads(outcome.out)["labels"]} == set(WORDS)
    assert "the model was trained on these very documents" in outcome.err
    assert run("predict", "m.textspace", "tickets.xlsx", "-o", "out.json").code == 0
    rows = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert all(isinstance(row["labels"], list) for row in rows)


def test_check_reads_columns_of_yes_and_no(run, tmp_path):
    (tmp_path / "t.csv").write_text("text,grain,ship\nCorn rose high,1,0\nA ship sank here,0,1\n")
    for options in (["--several", "columns"], ["--label", "grain", "--label", "ship"]):
        found = json.loads(run("check", "t.csv", *options, "--json").out)
        assert found["classes"] == {"grain": 1, "ship": 1}


def test_train_says_that_there_is_nothing_to_learn(run, tmp_path):
    (tmp_path / "t.csv").write_text("text,label\nCorn rose high,[]\nA ship sank here,[]\n")
    outcome = run("train", "t.csv", "--several", ";")
    assert outcome.code == 1
    assert "all 2 documents of t.csv are without labels" in outcome.err


def test_known_corpora_say_themselves_how_many_labels_they_have(run):
    outcome = run("train", "demo", "--several", ";")
    assert outcome.code == 2
    assert "--several are for your own files" in outcome.err


def test_select_names_the_label_that_a_term_tells_about(run, trained):
    options = "select", trained / "tickets.csv", "--several", ";", "--score", "chi2", "--terms", "12"
    found = json.loads(run(*options, "--picture", "f1.svg", "--json").out)
    told = {row["term"]: row["class"] for row in found["terms"]}
    assert len(told) == 12
    assert all(word in WORDS[label] for word, label in told.items())
    assert found["curve"]["points"][-1]["micro_f1"] > 0.8


class Sayings:
    """A model that says of each text the probabilities that stand in it."""

    several_ = True
    classes_ = np.array(["a;b", "corn", "grain"])

    def predict_proba(self, texts):
        return np.array([[float(word) for word in text.split()] for text in texts])

    def decide(self, probabilities):
        order = np.argsort(-probabilities, axis=1)
        return [
            tuple(self.classes_[own[row[own] > 0.5]]) for own, row in zip(order, probabilities, strict=True)
        ]


TEXTS = [".1 .7 .9", " ", ".6 .1 .2", ".1 .2 .3"]


def test_labels_come_by_falling_probability():
    found = label_list_columns(Sayings(), TEXTS)
    assert found["labels"] == ["grain;corn", "", '["a;b"]', "[]"]
    assert found["confidence"] == ["0.9;0.7", "", "0.6", ""]
    found = label_list_columns(Sayings(), TEXTS, as_lists=True)
    assert found["labels"] == [["grain", "corn"], None, ["a;b"], []]
    assert found["confidence"] == [[0.9, 0.7], None, [0.6], []]


def test_categories_of_a_tree_have_a_probability_too():
    class Above(Sayings):
        def decide(self, probabilities, min_confidence=None):
            return [("goods",) if min_confidence else ("corn",)] * len(probabilities)

        def probability_of(self, label, own):
            return {"goods": own.max()}[label]

    found = label_list_columns(Above(), TEXTS, min_confidence=0.5, as_lists=True)
    assert found["labels"] == [["goods"], None, ["goods"], ["goods"]]
    assert found["confidence"] == [[0.9], None, [0.6], [0.3]]


def test_a_threshold_takes_the_place_of_the_models_decision():
    found = label_list_columns(Sayings(), TEXTS, threshold=0.15, as_lists=True)
    assert found["labels"] == [["grain", "corn"], None, ["a;b", "grain"], ["grain", "corn"]]


def test_the_most_probable_labels_come_in_any_case():
    found = label_list_columns(Sayings(), TEXTS, top=2)
    assert found["label_1"] == ["grain", "", "a;b", "grain"]
    assert found["label_2"] == ["corn", "", "grain", "corn"]
    assert found["confidence_2"] == [0.7, None, 0.2, 0.2]
    assert len(label_list_columns(Sayings(), TEXTS, top=9)) == 2 + 2 * 3
    assert label_list_columns(Sayings(), [""], top=1)["label_1"] == [""]


@pytest.mark.parametrize("labels", [["grain", "corn"], [], ["a;b", "c"], ["[x", "y"], [" a"]])
def test_a_cell_is_read_as_it_was_written(tmp_path, labels):
    from textspace.datasets import read

    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "labels"), ("corn", cell_of(labels)), ("ship", "x;y")])
    assert read(tmp_path / "t.csv", several=";").labels[0] == tuple(labels)


WORDS = {
    "grain": ["corn", "wheat", "harvest", "barley", "crop", "farm"],
    "ship": ["port", "cargo", "vessel", "tanker", "harbour", "freight"],
    "money": ["bank", "rate", "dollar", "bond", "interest", "loan"],
}


def write_tickets(path, n=60, seed=0):
    """Write documents of none to three labels."""
    rng = np.random.default_rng(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "tags"])
        for number in range(n):
            labels = rng.choice(list(WORDS), number % 4, replace=False).tolist()
            words = [word for label in labels for word in rng.choice(WORDS[label], 3, replace=False)]
            rows.writerow([" ".join(["today the", *words, f"number{number}"]), ";".join(labels) or "[]"])
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train a model of several labels, with a report, once for all tests."""
    from textspace.cli import main

    folder = tmp_path_factory.mktemp("several")
    write_tickets(folder / "tickets.csv")
    write_tickets(folder / "test.csv", n=12, seed=1)
    with open(folder / "test.csv", "a", encoding="utf-8") as file:
        file.write("a new kind of corn,odd;grain\n")
    options = ["--several", ";", "-o", str(folder / "m.textspace"), "--report", str(folder / "m.html")]
    with pytest.raises(SystemExit) as stop:
        main(["train", str(folder / "tickets.csv"), *options])
    assert not stop.value.code
    return folder


def test_train_writes_a_model_and_a_page(trained):
    page = (trained / "m.html").read_text(encoding="utf-8")
    assert "several of 3 labels a document" in page
    assert (trained / "m.textspace").stat().st_size > 1000


def test_another_process_opens_a_model_of_another_method(run, start, trained, tmp_path):
    options = ["--several", ";", "--method", "svm", "-o", "m.textspace"]
    assert run("train", trained / "tickets.csv", *options).code == 0
    process = start("predict", "m.textspace", trained / "test.csv", "-o", "labelled.csv")
    assert "13 rows" in process.communicate(timeout=120)[1]


def test_evaluate_gives_the_scores_of_several_labels(run, trained):
    options = trained / "m.textspace", trained / "test.csv", "--several", ";"
    found = json.loads(run("evaluate", *options, "--json").out)
    wanted = "micro_f1 macro_f1 subset_accuracy precision_at_1 precision_at_3 precision_at_5 ndcg_at_5"
    assert found["scores"].keys() >= {*wanted.split(), "calibration_error", "macro_f1_tested", "example_f1"}
    assert found["scores"]["micro_f1"] > 0.8
    assert found["unknown_labels"] == {"odd": 1}
    assert {row["label"] for row in found["labels"]} == set(WORDS)
    assert sum(row["true"] for row in found["cardinality"]) == 13
    printed = run("evaluate", *options).out
    assert "labels that the model has not learned, all counted as misses: 'odd' (1)" in printed
    assert "nDCG@5" in printed


def test_evaluate_asks_for_lists(run, trained, tmp_path):
    (tmp_path / "single.csv").write_text("text,label\ncorn harvest,grain\nthe port,ship\n")
    outcome = run("evaluate", trained / "m.textspace", "single.csv")
    assert outcome.code == 1
    assert "has one label a document, but the model gives several: say with --several" in outcome.err
    assert run("evaluate", trained / "m.textspace", "single.csv", "--several", ";").code == 0


def test_evaluate_warns_of_documents_that_were_learned_from(run, trained):
    outcome = run("evaluate", trained / "m.textspace", trained / "tickets.csv", "--several", ";")
    assert "the model was trained on these very documents" in outcome.err


def test_predict_writes_labels_that_can_be_read_again(run, trained, tmp_path):
    from textspace.datasets import read

    (tmp_path / "new.csv").write_text("text\ncorn harvest by cargo vessel\nthe\n")
    outcome = run("predict", trained / "m.textspace", "new.csv", "-o", "out.csv", "--top", "2")
    assert outcome.code == 0
    with open(tmp_path / "out.csv", encoding="utf-8") as file:
        first, second = csv.DictReader(file)
    assert set(first["labels"].split(";")) == {"grain", "ship"} == {first["label_1"], first["label_2"]}
    assert second["labels"] == "[]"
    assert read(tmp_path / "out.csv", label="labels", several=";").labels.tolist()[1] == ()
    lines = run("predict", trained / "m.textspace", "new.csv", "--json", "--threshold", "0").out.splitlines()
    assert len(json.loads(lines[0])["labels"]) == 3


def test_predict_refuses_what_is_for_one_label(run, trained, tmp_path):
    (tmp_path / "new.csv").write_text("text\ncorn\n")
    outcome = run("predict", trained / "m.textspace", "new.csv", "--min-confidence", ".5")
    assert outcome.code == 2
    assert "--threshold" in outcome.err


def test_every_label_that_is_given_is_explained(run, trained):
    found = json.loads(
        run("explain", trained / "m.textspace", "corn harvest by vessel at the port", "--json").out
    )
    assert set(found["labels"]) == {"grain", "ship"}
    assert [why["label"] for why in found["explanations"]] == found["labels"]
    for why in found["explanations"]:
        total = why["constant"] + why["rest"] + sum(term["contribution"] for term in why["terms"])
        assert total == pytest.approx(why["score"], abs=1e-6)
    printed = run("explain", trained / "m.textspace", "corn harvest by vessel at the port").out
    assert "What speaks for 'grain'" in printed
    assert "What speaks for 'ship'" in printed


def test_compare_prints_methods_for_several_labels(run, trained):
    options = "compare", trained / "tickets.csv", "--several", ";", "--methods", "blend,svm-thresholds"
    outcome = run(*options, "--json", "-o", "found.json", "--report", "found.html")
    found = json.loads(outcome.out)
    assert [row["method"] for row in found["methods"]] == ["blend", "svm-thresholds"]
    assert found == json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert "report: found.html" in outcome.err
    page = Path("found.html").read_text(encoding="utf-8")
    assert all(label in page for label in WORDS)
    for row in found["methods"]:
        assert row["title"] in page
        assert f"{row['scores']['micro_f1']:.3f}" in page
        assert all(f"{f1:.3f}" in page for f1 in row["f1"])
    assert run("report", "found.json", "-o", "again.html").code == 0
    assert Path("again.html").read_text(encoding="utf-8") == page
    assert "micro F1" in run(*options).out
    printed = run(*options[:-1], "svm,cm", "--folds", "2", "--baseline", "cm").out
    assert "against cm" in printed
    assert "over the test documents of 2 splits together" in printed
    outcome = run(*options, "--resume", "kept")
    assert outcome.code == 2
    assert "--resume is for one label a document" in outcome.err
    assert "'dne' learns one label a document" in run(*options[:-1], "dne").err
    outcome = run("compare", "demo", "--methods", "logistic")
    assert outcome.code == 2
    assert "there is no method 'logistic'" in outcome.err


def write_table(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def labelled_texts(n=40, seed=0):
    """Give texts and the labels that their words speak of."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(n):
        labels = rng.choice(list(WORDS), 1 + number % 2, replace=False).tolist()
        words = [word for label in labels for word in rng.choice(WORDS[label], 3, replace=False)]
        found.append((" ".join(["today", *words, f"number{number}"]), labels))
    return found


def test_what_is_little_to_learn_from_is_said(run, tmp_path):
    write_table(tmp_path / "two.csv", [("text", "tags"), ("corn rose", "grain;corn"), ("a ship", "ship")])
    outcome = run("train", "two.csv", "--several", ";", "-o", "m.textspace", "--quick")
    assert outcome.code == 0
    assert "that is little to learn from: 2 documents, and 3 of 3 labels have fewer than 5" in outcome.err
    outcome = run("train", "two.csv", "--several", ";", "-o", "m.textspace", "--method", "rlsc")
    assert outcome.code == 1
    assert "there are 2 documents, too few to hold some out" in outcome.err


def test_a_label_in_every_document_and_one_in_a_single_one(run, tmp_path):
    rows = [(text, ";".join(["all", *labels])) for text, labels in labelled_texts()]
    write_table(tmp_path / "t.csv", [("text", "tags"), (rows[0][0], rows[0][1] + ";rare"), *rows[1:]])
    outcome = run("train", "t.csv", "--several", ";", "-o", "m.textspace", "--method", "svm", "--json")
    assert outcome.code == 0, outcome.err
    assert "labels of all (1)" in outcome.err
    assert json.loads(outcome.out)["n_classes"] == 5
    compared = json.loads(
        run(
            "compare", "t.csv", "--several", ";", "--methods", "rlsc,svm", "--json", "--train-share", ".5"
        ).out
    )
    for row in compared["methods"]:
        assert row["scores"]["micro_f1"] > 0.7  # the label of all is given to all


def test_a_document_with_very_many_labels(run, tmp_path):
    rows = [(text, ";".join(labels)) for text, labels in labelled_texts()]
    many = ";".join([rows[0][1], *(f"x{number}" for number in range(500))])
    write_table(tmp_path / "t.csv", [("text", "tags"), (rows[0][0], many), *rows[1:]])
    outcome = run("train", "t.csv", "--several", ";", "-o", "m.textspace", "--quick")
    assert outcome.code == 0, outcome.err
    assert "500 of 503 labels have fewer than 5 of them" in outcome.err
    assert "many labels (1)" in outcome.err


def test_columns_say_yes_or_no_in_each_cell(run, tmp_path):
    rows = [[text, *(int(label in labels) for label in WORDS), 0] for text, labels in labelled_texts()]
    write_table(tmp_path / "t.csv", [("text", *WORDS, "never"), *rows])
    outcome = run("train", "t.csv", "--several", "columns", "-o", "m.textspace", "--quick", "--json")
    assert json.loads(outcome.out)["n_classes"] == 3
    assert "No document has the label 'never'." in outcome.err
    for odd in ("2", "NaN"):
        rows[7][2] = odd
        write_table(tmp_path / "t.csv", [("text", *WORDS, "never"), *rows])
        outcome = run("train", "t.csv", "--several", "columns", "-o", "m.textspace", "--quick")
        assert outcome.code == 1
        assert f"row 8 (line 9), column 'ship': '{odd}' says neither yes nor no" in outcome.err


def test_lists_and_single_labels_do_not_mix(run, tmp_path):
    lines = [{"text": "corn rose", "tags": ["grain"]}, {"text": "a ship", "tags": "ship"}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    outcome = run("train", "t.jsonl", "-o", "m.textspace")
    assert outcome.code == 1
    assert "line 2, column 'tags' has the single label 'ship' where others have lists" in outcome.err


def test_labels_of_the_test_file_that_were_never_seen(run, trained):
    options = "--several", ";", "--test", trained / "test.csv", "-o", "m.textspace", "--quick"
    outcome = run("train", trained / "tickets.csv", *options)
    assert outcome.code == 0, outcome.err
    assert "labels that the model has not learned, all counted as misses: 'odd' (1)" in outcome.out


def test_a_tree_of_labels(run, trained, tmp_path):
    (tmp_path / "tree.csv").write_text("child,parent\ngrain,goods\nship,goods\nmoney,\n")
    options = "--several", ";", "--tree", "tree.csv", "--method", "rlsc", "-o", "m.textspace"
    outcome = run("train", trained / "tickets.csv", *options, "--ancestors")
    assert outcome.code == 0, outcome.err
    assert "learned 4 labels" in outcome.out
    assert "tree F1" in outcome.out
    (tmp_path / "new.csv").write_text("text\ncorn harvest and wheat\n")
    assert "grain;goods" in run("predict", "m.textspace", "new.csv").out.replace("goods;grain", "grain;goods")
    assert run("train", trained / "tickets.csv", *options).code == 0
    (tmp_path / "new.csv").write_text("text\ncorn\nfarm port\ntanker\nbarley loan\n")
    lines = run("predict", "m.textspace", "new.csv", "--json", "--min-confidence", ".9").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert all(share >= 0.9 for row in found for share in row["confidence"])
    assert {label for row in found for label in row["labels"]} <= {"goods", *WORDS}
    outcome = run("predict", "m.textspace", "new.csv", "--threshold", ".5", "--min-confidence", ".5")
    assert "exclude each other" in outcome.err
    compared = run("compare", trained / "tickets.csv", *options[:4], "--methods", "svm,hsvm", "--ancestors")
    assert "tree F1" in compared.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--several", ";", "--ancestors"], "--ancestors needs the categories above labels"),
        (["--several", "none", "--ancestors"], "--ancestors is for several labels a document"),
        (["--several", ";", "--shares", "grain=.5"], "are for one label a document"),
        (["--several", ";", "--method", "kdgpp"], "'kdgpp' learns one label a document: for several labels"),
    ],
)
def test_what_does_not_go_with_several_labels(run, trained, options, said):
    outcome = run("train", trained / "tickets.csv", *options, "-o", "m.textspace")
    assert outcome.code in (1, 2)
    assert said in outcome.err
