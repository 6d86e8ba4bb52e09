"""A model as one file: a page that a browser opens, or a module of JavaScript."""

import base64
import json
from pathlib import Path

from textspace._files import atomic_open
from textspace.export._outline import SCRIPTS, outline_model
from textspace.export._packing import pack

SUFFIXES = ".html", ".js", ".mjs"
_ALWAYS = "characters", "tokens", "languages", "stems"
_LAST = "spaces", "scorers", "model"


def export_model(model, path, *, name=""):
    """Write a classifier as a page or a module that classifies without Python and without a server.

    A page (``.html``) has a field for a text, and shows the probabilities of the labels and the terms that
    speak for them. A module (``.js``, ``.mjs``) exports ``labels`` and the asynchronous ``classify(text)``,
    for browsers and for Node. Both hold all they need and ask for nothing else. The probabilities are those
    of the classifier, up to rounding.

    Parameters
    ----------
    model : TextClassifier
        Fitted by the default method, without embeddings. Of its stemmers those of English, French, German
        and Russian are known.
    path : str or os.PathLike
        The file, written whole or not at all. Its folder must exist.
    name : str, default=""
        What the page is called.

    Raises
    ------
    ValueError
        The model cannot be exported, or the file is neither a page nor a module.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace import TextClassifier
    >>> from textspace.export import export_model
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> model = TextClassifier().fit(texts, ["grain", "grain", "ship", "ship", "grain", "ship"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_model(model, Path(folder, "goods.html"), name="Goods")
    ...     Path(folder, "goods.html").read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path} is neither a page nor a module: give a file that ends in .html or .js.")
    outline = outline_model(model)
    data = base64.b64encode(pack(outline)).decode()
    stemmers = [f"stem-{stem}" for stem in outline["stemmers"]]
    code = "\n".join(_script(part) for part in (*_ALWAYS, *stemmers, *_LAST))
    if path.suffix.lower() == ".html":
        text = _page(code, data, name or "Text classifier")
    else:
        text = _module(code, data, outline["labels"])
    with atomic_open(path, "wb") as file:
        file.write(text.encode("utf-8", "replace"))


def _script(name):
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def _module(code, data, labels):
    # ASCII throughout: whatever encoding a server claims, the labels stay
    return (
        f"{code}\nconst DATA = {json.dumps(data)};\nexport const labels = {json.dumps(labels)};\n"
        f"{_script('module')}"
    )


def _page(code, data, name):
    import jinja2

    template = jinja2.Environment(autoescape=True).from_string(
        (SCRIPTS / "page.html").read_text(encoding="utf-8")
    )
    return template.render(name=name, style=_text("page.css"), code=code, page=_script("page"), data=data)


def _text(name):
    return (SCRIPTS / name).read_text(encoding="utf-8")
