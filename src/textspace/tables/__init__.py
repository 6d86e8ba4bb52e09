"""Files of rows and columns, read and written in blocks of rows."""

from textspace.tables._blocks import Block, Dialect, Table
from textspace.tables._files import read_blocks, read_table, write_blocks
from textspace.tables._format import Format, Reading, format_of, is_elsewhere, known_formats
from textspace.tables._spreadsheet import safe_cell, spreadsheet_safe
from textspace.tables._text import STANDARD, read_text

__all__ = [
    "STANDARD",
    "Block",
    "Dialect",
    "Format",
    "Reading",
    "Table",
    "format_of",
    "is_elsewhere",
    "known_formats",
    "read_blocks",
    "read_table",
    "read_text",
    "safe_cell",
    "spreadsheet_safe",
    "write_blocks",
]
