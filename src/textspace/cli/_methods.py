"""``textspace methods``: which methods there are, and what each of them is."""

from typing import Annotated

import typer

from textspace.cli._options import AsJson, check_name, examples
from textspace.cli._output import plain_table, print_json, print_table
from textspace.methods import BASELINES, DEFAULT_METHODS, METHODS

KNOWN = METHODS | BASELINES

EXAMPLES = examples("textspace methods", "textspace methods lrwmmc")


def methods(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A method, to see all of it.")] = None,
    as_json: AsJson = False,
):
    """List the methods, or show one of them.

    A method is known by its name to `textspace compare --methods` and to `textspace train --method`. Of one
    method all is shown: what it is, its paper, the settings that are tried, and the classes in Python.
    """
    if name is None:
        found = [_describe(method) for method in KNOWN.values()]
        print_json(found) if as_json else _print_all(found)
        return
    check_name(name, KNOWN, "method")
    found = _describe(KNOWN[name]) | {"classes": class_paths(KNOWN[name].build())}
    print_json(found) if as_json else _print_one(found)


def _describe(method):
    return {
        "name": method.name,
        "title": method.title,
        "summary": method.summary,
        "paper": method.paper,
        "scheme": method.scheme,
        "bigrams": method.bigrams,
        "unlabelled": method.unlabelled,
        "tree": method.tree,
        "several": method.several,
        "default": method.name in DEFAULT_METHODS,
        "grid": {name: list(values) for name, values in method.grid.items()},
    }


def class_paths(estimator):
    """Give the dotted paths by which the classes of an estimator and of those in it are imported.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from textspace.classify import RLSC
    >>> from textspace.linear import LSI
    >>> class_paths(make_pipeline(LSI(), RLSC()))
    ['textspace.linear.LSI', 'textspace.classify.RLSC']
    """
    from sklearn.pipeline import FeatureUnion, Pipeline

    inner = [each for each in estimator.get_params().values() if hasattr(each, "get_params")]
    found = [each for each in (estimator, *inner) if not isinstance(each, FeatureUnion | Pipeline)]
    return list(dict.fromkeys(_path(type(each)) for each in found if not isinstance(each, type)))


def _path(kind):
    """Give the path of a class through the packages that export it, which are not private."""
    parts = kind.__module__.split(".")
    public = next((place for place, part in enumerate(parts) if part.startswith("_")), len(parts))
    return ".".join([*parts[:public], kind.__name__])


def _print_all(found):
    from rich.text import Text

    table = plain_table("name", "uses", "title, summary and paper")
    table.leading = 1
    for one in found:
        uses = [word for word in ("unlabelled", "tree", "several") if one[word]]
        about = Text(f"{one['title']}. {one['summary']}\n").append(one["paper"], style="dim")
        table.add_row(one["name"], ", ".join(uses), about)
    print_table(table)
    print("Uses: texts without labels, a tree of labels, several labels a text.")
    print("`textspace methods NAME` shows all of a method.")


def _print_one(found):
    from rich.table import Table
    from rich.text import Text

    print(f"{found['name']}: {found['title']}\n")
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    terms = {"trigrams": "trigrams of letters"}.get(found["scheme"], f"words, weighted by {found['scheme']}")
    tried = [f"{name}: {', '.join(map(str, values))}" for name, values in found["grid"].items()]
    lines = {
        "summary": found["summary"],
        "paper": found["paper"],
        "terms": terms + (", and pairs of words" if found["bigrams"] else ""),
        "unlabelled": "learned from" if found["unlabelled"] else "not used",
        "tree": "used where there is one" if found["tree"] else "not used",
        "several": "learned" if found["several"] else "not learned: one label a document",
        "by default": "compared" if found["default"] else "not compared",
        "tried": "\n".join(tried) or "no settings",
        "classes": "\n".join(found["classes"]),
    }
    for what, text in lines.items():
        table.add_row(what, Text(text))
    print_table(table)
    print("\n`python -m pydoc CLASS` prints the documentation of a class.")
