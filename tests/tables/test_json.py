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


NESTED = [
    {"id": 1, "mail": {"text": "corn", "to": {"name": "Bo"}}, "tags": ["a"]},
    {"id": 2, "mail": {"text": "wheat", "to": {"name": "Chen"}}, "tags": []},
]


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl"])
def test_objects_within_rows_are_columns_and_are_written_as_objects(tmp_path, name):
    lines = "\n".join(map(json.dumps, NESTED))
    (tmp_path / name).write_text(lines if name.endswith("l") else json.dumps(NESTED))
    [block] = read_blocks(tmp_path / name)
    assert block.names == ["id", "mail.text", "mail.to.name", "tags"]
    assert block.column("mail.to.name") == ["Bo", "Chen"]
    write_blocks([block.with_columns({"label": ["x", "y"]})], tmp_path / f"out-{name}")
    text = (tmp_path / f"out-{name}").read_text()
    found = [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)
    assert found == [row | {"label": label} for row, label in zip(NESTED, "xy", strict=True)]


def test_a_column_of_objects_and_other_values_stays_as_it_is(tmp_path):
    rows = [{"mail": {"text": "corn"}}, {"mail": "wheat"}, {"mail.text": "rye", "mail": None}]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    [block] = read_blocks(tmp_path / "rows.json")
    assert block.column("mail") == [{"text": "corn"}, "wheat", None]


def test_no_value_is_lost_if_a_name_is_there_already(tmp_path):
    rows = [{"mail": {"text": "corn"}, "mail.text": "rye"}]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    [block] = read_blocks(tmp_path / "rows.json")
    assert (block.column("mail"), block.column("mail.text")) == ([{"text": "corn"}], ["rye"])


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl"])
def test_columns_of_objects_are_taken_apart_in_all_blocks_or_in_none(tmp_path, small_blocks, name):
    rows = [{"mail": {"text": f"corn {n}"}, "note": "x", "tag": "y"} for n in range(6)]
    rows[4] |= {"mail": "wheat", "note": {"a": 1}}
    rows[4]["tag"] = rows[5]["tag"] = {"a": 1}
    rows[0]["note"] = {"a": 1}
    lines = "\n".join(map(json.dumps, rows))
    (tmp_path / name).write_text(lines if name.endswith("l") else json.dumps(rows))
    table = read_table(tmp_path / name)
    assert table.column("mail.text") == [*(f"corn {n}" for n in range(4)), None, "corn 5"]
    assert table.column("mail") == [None] * 4 + ["wheat", None]
    assert not {"note.a", "tag.a"} & set(table.names)
    write_blocks(read_blocks(tmp_path / name), tmp_path / f"out-{name}")
    assert read_table(tmp_path / f"out-{name}").column("mail") == table.column("mail")
