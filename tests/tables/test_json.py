import json

import pytest

from textspace.tables import read_blocks, read_table, write_blocks

ROWS = [{"text": "corn", "label": "x"}, {"text": "wheat", "label": "y"}]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        "\n".join(map(json.dumps, ROWS)),
        json.dumps({"text": ["corn", "wheat"], "label": ["x", "y"]}),
        json.dumps({"text": {"0": "corn", "1": "wheat"}, "label": {"0": "x", "1": "y"}}),
    ],
)
def test_the_forms_that_programs_write(tmp_path, content, rows_of, small_blocks):
    (tmp_path / "rows.json").write_text(content)
    assert rows_of(read_blocks(tmp_path / "rows.json")) == ROWS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("[]", "has no rows"),
        ('[{"text": "corn"}, 5]', "row 2: expected an array of objects"),
        ('"corn"', "expected an array of objects"),
        ('{"text": ["a"], "label": ["x", "y"]}', "expected an array of objects"),
        ('[{"text": "corn"}', "damaged: not valid JSON"),
        ('[{"text": "corn", "text": "wheat"}]', "damaged: not valid JSON"),
    ],
)
def test_what_is_no_table(tmp_path, content, said):
    (tmp_path / "rows.json").write_text(content)
    with pytest.raises(ValueError, match=rf"rows\.json.*{said}"):
        next(read_blocks(tmp_path / "rows.json"))


def test_one_object_is_one_row(tmp_path):
    (tmp_path / "rows.json").write_text('{"text": "corn", "label": "x"}')
    assert read_table(tmp_path / "rows.json").column("text") == ["corn"]


def test_an_array_is_written(tmp_path, rows_of):
    (tmp_path / "rows.json").write_text(json.dumps(ROWS))
    write_blocks(read_blocks(tmp_path / "rows.json"), tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == ROWS
