"""Models for where there is no Python: a page for the browser, and a module of JavaScript."""

from textspace.export._files import export_model

__all__ = ["export_model"]
