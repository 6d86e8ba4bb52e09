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
    "textspace.export",
    "textspace.report",
    "textspace.service",
    "textspace.dask",
    "textspace.mlflow",
    "textspace.cli",
)
LONGEST = 80  # letters of a constant that is shown


def exported(package):
    """Give what a package exports, by what it is.

    Parameters
    ----------
    package : str
        Its dotted name.

    Returns
    -------
    dict of str to dict of str to object
        "Classes", "Functions", "Constants", and "From other packages", whose pages document them; of each the
        objects by their names.
    """
    module = importlib.import_module(package)
    found = {"Classes": {}, "Functions": {}, "Constants": {}, "From other packages": {}}
    for name in getattr(module, "__all__", ()):
        each = getattr(module, name)
        kind = "Classes" if inspect.isclass(each) else "Functions" if callable(each) else "Constants"
        if kind != "Constants" and _home(each) != package:
            kind = "From other packages"
        found[kind][name] = each
    return {kind: names for kind, names in found.items() if names}


def _home(each):
    """Give the package in which a class or function is defined."""
    return max((package for package in PACKAGES if f"{each.__module__}.".startswith(f"{package}.")), key=len)


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
            lines += [f"- ``{name}``{_shown(each)}" for name, each in names.items()]
        elif kind == "From other packages":
            lines += [f"- ``{name}``: :obj:`{_home(each)}.{name}`" for name, each in names.items()]
        else:
            lines += [".. autosummary::", "   :toctree: generated", "   :nosignatures:", ""]
            lines += [f"   {name}" for name in names]
        lines.append("")
    return "\n".join([f"# {package}", "", "```{eval-rst}", *lines, "```", ""])


def _shown(value):
    text = repr(value)
    return f": ``{text}``" if len(text) <= LONGEST else ""


def _documented(package):
    """Give the names that have a page of their own below the page of a package."""
    found = exported(package)
    return [*found.get("Classes", ()), *found.get("Functions", ())]


def write(folder):
    """Write the pages into a folder; one that has not changed is not touched, so that builds stay quick.

    Parameters
    ----------
    folder : path
        Made if it is not there. Pages of packages and of names that are no more are removed: Sphinx would
        warn of them.
    """
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    made = pages()
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    names = {f"{package}.{name}" for package in PACKAGES for name in _documented(package)}
    for old in folder.glob("generated/*.rst"):
        if old.stem not in names:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
