"""JSON lines: one object a line; the columns are all keys that occur."""

import json

from textspace._json import whole_object
from textspace.tables._blocks import Block, Dialect, batched
from textspace.tables._format import Format
from textspace.tables._nested import flattened, put_back
from textspace.tables._text import open_lines, open_output


def read(path, how):
    """Yield the blocks of a file of JSON lines."""
    with open_lines(path, how.encoding) as lines:
        numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
        is_empty, apart = True, {}
        for batch in batched(numbered, lines):
            yield _block(batch, lines, apart)
            is_empty = False
        if is_empty:
            raise ValueError(f"{lines.name} is empty: give a file that has rows")


def _block(batch, lines, apart):
    objects = []
    for number, line in batch:
        try:
            value = json.loads(line, object_pairs_hook=whole_object)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{lines.name}, line {number}: not valid JSON ({error})") from error
        if not isinstance(value, dict):
            raise ValueError(
                f"{lines.name}, line {number}: expected a JSON object, such as {{'text': ..., 'label': ...}}"
            )
        objects.append(value)
    objects, nested = flattened(objects, apart)
    numbers = [number for number, _ in batch]
    return Block(
        list(dict.fromkeys(name for value in objects for name in value)),
        len(objects),
        column=lambda name: [value.get(name) for value in objects],
        where=lambda position: f"line {numbers[position]}",
        notes=lines.notes,
        share=lines.share,
        dialect=Dialect("jsonl", nested=nested),
    )


def write(blocks, path):
    """Write one object a row; blocks may differ in their columns."""
    with open_output(path) as file:
        for block in blocks:
            columns = [block.column(name) for name in block.names]
            nested = block.dialect.nested if block.dialect else ()
            for values in zip(*columns, strict=True):
                row = put_back(dict(zip(block.names, values, strict=True)), nested)
                file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


FORMAT = Format("jsonl", (".jsonl", ".ndjson", ".jsonl.gz"), read, write)
