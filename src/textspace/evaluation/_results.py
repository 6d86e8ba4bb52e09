"""The outcome of a comparison: plain data that is saved, loaded and printed."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from textspace._files import atomic_open
from textspace._frames import make_frame
from textspace.evaluation._by_size import mean_by_size, mean_class_f1
from textspace.evaluation._forms import read_json
from textspace.evaluation._leaderboard import leaderboard, rich_table
from textspace.evaluation._multilabel_results import MultilabelComparison
from textspace.evaluation._saved import check_comparison
from textspace.evaluation._sign import by_rule
from textspace.evaluation._unlabelled import twin_gains

FORMAT, VERSION = "textspace-comparison", 2


@dataclass(frozen=True)
class Comparison:
    """What methods achieved on a corpus, as :func:`compare` found it.

    All fields hold plain data (dicts, lists, strings, numbers), as they stand in the saved file. Classes are
    given by their position in ``corpus["classes"]``.

    Parameters
    ----------
    corpus : dict
        Name, sizes (of the first split), ``classes``, ``notes``, ``n_unlabelled`` documents, and the ``tree``
        of the classes: the parent of each category, None for roots; None if there is no tree.
    protocol : dict
        How documents were split, how often, with which seed; the ``baseline``.
    environment : dict
        Versions, platform, date.
    methods : dict of str to dict
        Title, summary, paper, grid and scheme by the method's name.
    truth : list of list of int
        True classes of the test documents, one list a repeat.
    runs : list of dict
        One a method and repeat: predictions, scores, chosen parameters, seconds; or an ``error``. ``sign``
        holds the yes/no answers of a classifier that gives them, and their scores.
    map : dict or None, default=None
        Test documents of the first split as points in the plane, in the space of the projection with the
        highest micro F1; None without a projection among the methods.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare
    >>> comparison = compare(load("demo"), "svm,nb", n_jobs=1)
    >>> sorted(comparison.methods)
    ['nb', 'svm']
    >>> comparison.best() in comparison.methods
    True
    """

    corpus: dict
    protocol: dict
    environment: dict
    methods: dict
    truth: list
    runs: list
    map: dict | None = None

    def __str__(self):
        """Give the table as plain text."""
        from rich.console import Console

        console = Console(width=200, no_color=True, force_terminal=False)
        with console.capture() as capture:
            console.print(self.table())
        return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())

    def runs_of(self, method):
        """Give the finished runs of a method, in the order of the repeats; failed ones are left out.

        Parameters
        ----------
        method : str
            Name of the method.

        Returns
        -------
        list of dict
            Some of ``runs``.
        """
        own = [run for run in self.runs if run["method"] == method and run["error"] is None]
        return sorted(own, key=lambda run: run["repeat"])

    def leaderboard(self, rule="argmax"):
        """Sum up each method in a row.

        Parameters
        ----------
        rule : {"argmax", "sign"}, default="argmax"
            As in :func:`textspace.evaluation.leaderboard`.

        Returns
        -------
        list of dict
            As :func:`textspace.evaluation.leaderboard` gives it.
        """
        return leaderboard(self, rule)

    def table(self, rule="argmax"):
        """Lay out the leaderboard; ``print(comparison)`` prints it as text.

        Parameters
        ----------
        rule : {"argmax", "sign"}, default="argmax"
            As in :func:`textspace.evaluation.leaderboard`.

        Returns
        -------
        rich.table.Table
            One row a method.
        """
        return rich_table(self, rule)

    def to_frame(self, library="pandas"):
        """Give the leaderboard as a DataFrame, one method a row.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"
            Whose DataFrame it is.

        Returns
        -------
        DataFrame
            Of that library: ``method``, ``title``, each of the :func:`textspace.evaluation.scores`, seconds
            of fitting and predicting, and ``error``; None where a method failed.
        """
        rows = self.leaderboard()
        scores = next((list(row["scores"]) for row in rows if not row["error"]), [])
        columns = {name: [row[name] for row in rows] for name in ("method", "title")}
        columns |= {name: [row["scores"] and row["scores"][name] for row in rows] for name in scores}
        for name in ("fit", "predict"):
            columns[f"{name}_seconds"] = [row["seconds"] and row["seconds"][name] for row in rows]
        return make_frame(columns | {"error": [row["error"] for row in rows]}, library)

    def class_f1(self, method, rule="argmax"):
        """Average the F1 of each class over the splits in which it is tested.

        Parameters
        ----------
        method : str
            Name of the method.
        rule : {"argmax", "sign"}, default="argmax"
            As in :func:`textspace.evaluation.leaderboard`.

        Returns
        -------
        array of shape (c,)
            In the order of ``corpus["classes"]``; NaN for a class that is never tested.
        """
        return mean_class_f1(by_rule(self, rule), method)

    def f1_by_size(self, method, rule="argmax"):
        """Average the F1 of a method over the classes with the same number of training documents.

        Parameters
        ----------
        method : str
            Name of the method.
        rule : {"argmax", "sign"}, default="argmax"
            As in :func:`textspace.evaluation.leaderboard`.

        Returns
        -------
        dict of str to array
            As :func:`textspace.evaluation.f1_by_size` gives it. The F1 of a class is its mean over the splits
            in which it is tested; sizes are those of the first split.
        """
        f1 = self.class_f1(method, rule)
        tested = ~np.isnan(f1)
        return mean_by_size(f1[tested], np.array(self.corpus["train_sizes"])[tested])

    def unlabelled_gains(self):
        """Compare each method that learned from unlabelled documents with itself without them.

        Returns
        -------
        list of dict
            One for each such method that finished with and without them, the largest gain first. Keys:
            ``method``, ``title``; ``without`` and ``with``, the micro F1 (means over the splits);
            ``difference`` and its 95 % ``interval``, None for a single document or split; ``p_value`` and
            ``mark``, as in :class:`SignificanceTest`, of a test: for one split the sign test on the
            documents that only one of the two has right, for several :func:`resampled_t_test`, whose
            variance the interval has too; ``n_helped`` and ``n_harmed``, the documents that are right only
            with and only without, summed over the splits, None where the predictions are not known.
        """
        return twin_gains(self)

    def best(self):
        """Name the method with the highest mean micro F1, the first of equals."""
        first = self.leaderboard()[0]
        if first["error"] is not None:
            raise ValueError(f"no method finished; {first['method']!r} failed with {first['error']}")
        return first["method"]

    def to_dict(self):
        """Give all as one dict, as it is saved."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    def save(self, path):
        """Write the comparison to a JSON file, whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            The file.
        """
        with atomic_open(path) as file:
            json.dump(self.to_dict(), file)

    @classmethod
    def load(cls, path):
        """Read a comparison from a file that :meth:`save` wrote.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If the file is not one, or is damaged: it names the file and what is wrong.
        """
        return cls._from(_read(path), path)

    @classmethod
    def _from(cls, content, path):
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"{path} is not a comparison saved by textspace: it does not say {FORMAT!r}.")
        if content.get("version") == 1:  # there the runs were called cells
            content = {"runs" if name == "cells" else name: value for name, value in content.items()}
        elif content.get("version") != VERSION:
            raise ValueError(
                f"{path} has version {content.get('version')!r:.40} of the format, but this textspace reads "
                f"versions 1 to {VERSION}: read it with the textspace that wrote it, or run the comparison "
                "again."
            )
        try:
            check_comparison(content)
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error} Run the comparison again.") from error
        return cls(**{name: content[name] for name in cls.__dataclass_fields__})


def load_comparison(path):
    """Read a comparison that was saved, of one label a document or of several.

    Parameters
    ----------
    path : str or os.PathLike
        A file that :meth:`Comparison.save` or :meth:`MultilabelComparison.save` wrote.

    Returns
    -------
    Comparison or MultilabelComparison
        What the file says that it is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import compare, load_comparison
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     compare(load("demo"), "nb", n_jobs=1).save(Path(folder, "results.json"))
    ...     sorted(load_comparison(Path(folder, "results.json")).methods)
    ['nb']
    """
    content = _read(path)
    if isinstance(content, dict) and content.get("format") == MultilabelComparison.format:
        return MultilabelComparison.load(path)
    return Comparison._from(content, path)


def _read(path):
    try:
        return read_json(path)
    except ValueError as error:
        raise ValueError(f"{path} is not a comparison saved by textspace: {error}") from error
