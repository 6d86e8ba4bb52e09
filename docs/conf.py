"""Sphinx settings."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api_reference

api_reference.write(Path(__file__).parent / "api")

project = "textspace"
author = "The textspace developers"
version = release = installed_version("textspace")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
exclude_patterns = ["_build", "figures"]
html_theme = "furo"
html_title = f"textspace {version}"
# scikit-learn's inherited docstrings refer to labels of its own documentation
suppress_warnings = ["ref.ref"]
