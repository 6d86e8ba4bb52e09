"""Models in MLflow: a ``python_function`` whose artifact is the model file.

It needs the extra ``mlflow``. The model file runs no code when it is opened.
"""

import tempfile
from pathlib import Path

__all__ = ["log_model", "save_model"]

MODEL_FILE = "model.textspace"


def save_model(model, path, **settings):
    """Write a classifier as a model of MLflow, a folder.

    Parameters
    ----------
    model : textspace.TextClassifier
        Fitted.
    path : str or os.PathLike
        The folder, which must be empty or not there.
    **settings : dict
        As in ``mlflow.pyfunc.save_model``, such as ``input_example`` and ``signature``.

    Examples
    --------
    >>> from textspace.mlflow import save_model
    >>> save_model(model, "tickets")  # doctest: +SKIP
    >>> mlflow.pyfunc.load_model("tickets").predict(["The printer is jammed"])  # doctest: +SKIP
         label  probability
    0  printer        0.973
    """
    with _Artifact(model) as artifact:
        _pyfunc().save_model(path=str(path), **artifact, **settings)


def log_model(model, name, **settings):
    """Log a classifier to the run of MLflow that is active.

    Parameters
    ----------
    model : textspace.TextClassifier
        Fitted.
    name : str
        Name of the model.
    **settings : dict
        As in ``mlflow.pyfunc.log_model``, such as ``registered_model_name``.

    Returns
    -------
    mlflow.models.model.ModelInfo
        Where it is.

    Examples
    --------
    >>> from textspace.mlflow import log_model
    >>> info = log_model(model, "tickets")  # doctest: +SKIP
    >>> mlflow.pyfunc.load_model(info.model_uri)  # doctest: +SKIP
    """
    with _Artifact(model) as artifact:
        return _pyfunc().log_model(name=name, **artifact, **settings)


class _Artifact(tempfile.TemporaryDirectory):
    """The model file in a folder that goes away, and what MLflow is told of it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def __enter__(self):
        from textspace._version import __version__
        from textspace.models import save

        path = Path(super().__enter__(), MODEL_FILE)
        save(self.model, path)
        return {
            "loader_module": __name__,
            "data_path": str(path),
            "pip_requirements": [f"textspace=={__version__}"],
        }


class _Classifier:
    """What MLflow calls: texts, or a table with columns of texts, in; a table of answers out."""

    def __init__(self, model, columns):
        self.model = model
        self.columns = columns

    def predict(self, model_input, params=None):
        """Give a DataFrame: ``label``, or the list ``labels``, and ``probability``, the highest of all."""
        import pandas as pd

        texts = self._texts(model_input)
        probabilities = self.model.predict_proba(texts)
        name = "labels" if self.model.several_ else "label"
        labels = [list(each) if self.model.several_ else each for each in self.model.decide(probabilities)]
        return pd.DataFrame({name: labels, "probability": probabilities.max(axis=1)})

    def _texts(self, table):
        if not hasattr(table, "columns"):
            return list(table)
        columns = [str(name) for name in table.columns]
        wanted = columns if len(columns) == 1 else self.columns
        missing = [name for name in wanted if name not in columns]
        if missing or not wanted:
            raise ValueError(
                f"the table has the columns {', '.join(columns)}, and the model was trained on "
                f"{', '.join(self.columns) or 'a column of texts'}: name the columns so, or give one."
            )
        parts = [table.iloc[:, columns.index(name)].fillna("").astype(str) for name in wanted]
        return ["\n".join(filter(None, own)) for own in zip(*parts, strict=True)]


def _load_pyfunc(path):
    """Open the model, for MLflow, which looks for a function of this name."""
    from textspace.models import load

    model = load(path)
    columns = (model.card_.get("data") or {}).get("columns") or {}
    return _Classifier(model, [str(name) for name in columns.get("text") or ()])


def _pyfunc():
    try:
        from mlflow import pyfunc
    except ImportError:
        raise ImportError("MLflow is not installed: pip install 'textspace[mlflow]'.") from None
    return pyfunc
