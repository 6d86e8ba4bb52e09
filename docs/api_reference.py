"""The reference of the API: one page for each package, made from what the package exports."""

import importlib
import inspect
from pathlib import Path

# In the order of the house, from the ground up; a test compares the two.
PACKAGES = (
    "textspace",
    "textspace.tables",
    "textspace.text",
    "textspace.tree",
    "textspace.neighbors",
    "textspace.graphs",
    "textspace.solvers",
    "textspace.linear",
    "textspace.kernel",
    "textspace.tensor",
    "textspace.selection",
    "textspace.tuning",
    "textspace.classify",
    "textspace.methods",
    "textspace.datasets",
    "textspace.evaluation",
    "textspace.models",
    "textspace.report",
    "textspace.service",
    "textspace.dask",
    "textspace.cli",
)
LONGEST = 80  # letters of a constant that is shown


def exported(package):
    """Give the names that a package exports, by what they are.

    Parameters
    ----------
    package : str
        Its dotted name.

    Returns
    -------
    dict of str to list of str
        "Classes", "Functions" and "Constants", those that there are.
    """
    module = importlib.import_module(package)
    found = {"Classes": [], "Functions": [], "Constants": []}
    for name in getattr(module, "__all__", ()):
        each = getattr(module, name)
        kind = "Classes" if inspect.isclass(each) else "Functions" if callable(each) else "Constants"
        found[kind].append(name)
    return {kind: names for kind, names in found.items() if names}


def pages():
    """Give the pages of the reference.

    Returns
    -------
    dict of str to str
        Text of each page by the name of its file, the index first; for MyST.
    """
    packages = [package for package in PACKAGES if exported(package)]
    lines = ["# API", "", "What each package exports, from the ground up.", ""]
    lines += ["```{toctree}", ":maxdepth: 1", "", *packages, "```", ""]
    return {"index.md": "\n".join(lines)} | {f"{package}.md": _page(package) for package in packages}


def _page(package):
    module = importlib.import_module(package)
    lines = [f".. currentmodule:: {package}", "", inspect.getdoc(module), ""]
    for kind, names in exported(package).items():
        lines += [f".. rubric:: {kind}", ""]
        if kind == "Constants":
            lines += [f"- ``{name}``{_shown(getattr(module, name))}" for name in names]
        else:
            lines += [".. autosummary::", "   :toctree: generated", "   :nosignatures:", ""]
            lines += [f"   {name}" for name in names]
        lines.append("")
    return "\n".join([f"# {package}", "", "```{eval-rst}", *lines, "```", ""])


def _shown(value):
    text = repr(value)
    return f": ``{text}``" if len(text) <= LONGEST else ""


def write(folder):
    """Write the pages into a folder; one that has not changed is not touched, so that builds stay quick.

    Parameters
    ----------
    folder : path
        Made if it is not there; pages of packages that are no more are removed.
    """
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    made = pages()
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
