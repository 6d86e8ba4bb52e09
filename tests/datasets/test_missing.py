import pytest

from textspace.datasets import read
from textspace.datasets._missing import MARKS, missing_marks


@pytest.mark.parametrize("mark", [*MARKS, "N/A", "NULL", "NaN", "None"])
def test_each_mark_is_asked_about_and_dropped_or_kept(tmp_path, mark):
    path = tmp_path / "mails.csv"
    path.write_text(f"text,label\ncorn rose,grain\na ship,ship\nwheat,{mark}\n")
    with pytest.raises(ValueError, match=r"mails\.csv: labels that may stand for none: .*row 3 \(line 4\)"):
        read(path)
    assert read(path, missing="keep").labels.tolist() == ["grain", "ship", mark]
    dropped = read(path, missing="drop")
    assert dropped.labels.tolist() == ["grain", "ship", ""]
    assert dropped.notes[-1] == f"1 document is labelled {mark!r} and counts as unlabelled."
    with pytest.raises(ValueError, match="missing is 'ask': give 'drop' or 'keep'"):
        read(path, missing="ask")


@pytest.mark.parametrize("labels", [["+", "-"], ["-1", "0", "1"], ["-1", "1", ""], ["nano", "nonet"], [""]])
def test_what_is_a_class_like_others(labels):
    assert missing_marks(labels) == {}
