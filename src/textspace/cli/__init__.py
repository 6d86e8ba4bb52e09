"""The command line, one file a verb. Nothing heavy is imported until a verb runs."""

from textspace.cli._main import main

__all__ = ["main"]
