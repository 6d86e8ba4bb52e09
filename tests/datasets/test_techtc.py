import zipfile
from itertools import islice

import numpy as np
import pytest

from textspace.datasets import binary_tasks

FEATURES = "# words of the task\n#\n\n1 guitar\n2 band\n3 wheel\n"
VECTORS = "# a task\n#\n# first page\n+1 1:3 2:1\n# second page\n-1 2:1 3:7\n# third page\n-1 3:1\n"


@pytest.fixture
def make(tmp_path):
    """Give a function that writes an archive of 100 small tasks with some members replaced."""

    def write(n_tasks=100, folder="", **members):
        contents = {}
        for number in range(n_tasks):
            task = f"{folder}Exp_{1000 - number}_{5000 + number}"
            contents[f"{task}/features.idx"] = FEATURES
            contents[f"{task}/vectors.dat"] = VECTORS
        contents |= {f"{folder}Exp_901_5099/{name.replace('_', '.')}": text for name, text in members.items()}
        with zipfile.ZipFile(tmp_path / "techtc100_preprocessed.zip", "w") as archive:
            for name, text in contents.items():
                if text is not None:
                    archive.writestr(name, text)
        return tmp_path

    return write


@pytest.mark.parametrize("folder", ["", "techtc100_preprocessed/"])
def test_tasks_have_counts_words_and_two_categories(make, folder):
    tasks = list(binary_tasks("techtc", data_home=make(folder=folder)))
    names = [task.name for task in tasks]
    assert names == [f"techtc-{number}-{6000 - number}" for number in range(901, 1001)]
    for number, task in enumerate(tasks, start=901):
        np.testing.assert_array_equal(task.texts.toarray(), [[3, 1, 0], [0, 1, 7], [0, 0, 1]])
        assert task.labels.tolist() == [str(number), str(6000 - number), str(6000 - number)]
        assert task.terms == ["guitar", "band", "wheel"]
        assert task.split is None


def test_lines_may_end_in_the_way_of_windows(make):
    home = make(vectors_dat=VECTORS.replace("\n", "\r\n"), features_idx=FEATURES.replace("\n", "\r\n"))
    first, second = islice(binary_tasks("techtc", data_home=home), 2)
    assert (first.texts != second.texts).nnz == 0
    assert first.terms == second.terms


@pytest.mark.parametrize(
    ("member", "content", "message"),
    [
        ("vectors_dat", VECTORS + "0 1:1\n", "vectors.dat, line 9, column 1: expected a label, found '0'"),
        ("vectors_dat", VECTORS + "-1 1:1 4:1\n", "vectors.dat, line 9, column 8: .*from 1 to 3 .*'4:1'"),
        ("vectors_dat", VECTORS + "-1 one\n", "vectors.dat, line 9, column 4: expected term:value .*'one'"),
        ("vectors_dat", "+1 1:1\n", "vectors.dat does not have documents of two classes"),
        (
            "features_idx",
            FEATURES + "5 car\n",
            "features.idx, line 7, column 1: expected the number 4, .*'5'",
        ),
        ("features_idx", FEATURES + "4\n", "features.idx, line 7, column 2: .*one word, found nothing"),
        ("features_idx", FEATURES + "4 a car\n", "features.idx, line 7, column 5: .*one word, found 'car'"),
        ("features_idx", None, "damaged or not the expected file .*Exp_901_5099/features.idx"),
    ],
)
def test_malformed_member_names_file_line_and_column(make, member, content, message):
    home = make(**{member: content})
    with pytest.raises(ValueError, match=rf"techtc100_preprocessed\.zip.*{message}"):
        next(binary_tasks("techtc", data_home=home))


def test_archive_with_another_number_of_tasks(make):
    with pytest.raises(ValueError, match=r"it gives 99 tasks where 100 are expected.*get it again"):
        next(binary_tasks("techtc", data_home=make(n_tasks=99)))


def test_archive_with_a_path_that_leads_out_of_it(make):
    with pytest.raises(
        ValueError, match=r"is refused: its member '\.\./Exp_1000_5000/features.idx' points out"
    ):
        next(binary_tasks("techtc", data_home=make(folder="../")))


def test_missing_archive_says_where_it_goes(tmp_path):
    expected = f"techtc100_preprocessed.zip is not in {tmp_path} and cannot be downloaded: get it from .*page"
    with pytest.raises(FileNotFoundError, match=expected):
        binary_tasks("techtc", data_home=tmp_path)


def test_unknown_collection_lists_the_names():
    with pytest.raises(
        ValueError, match="no collection of tasks 'demo': the names are techtc, techtc-standin"
    ):
        binary_tasks("demo")
