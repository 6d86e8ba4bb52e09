"""Evaluations and comparisons as JSON files, which are checked when they are read."""

import json
from dataclasses import asdict, fields

from textspace._files import atomic_open
from textspace.evaluation._forms import read_json


class ResultsFile:
    """Base of the dataclasses of results, which have the fields ``format`` and ``version``."""

    _kind = "evaluation"

    @classmethod
    def from_dict(cls, content):
        """Make an object of what ``dataclasses.asdict`` gave.

        Parameters
        ----------
        content : dict
            Checked: a ValueError says what is wrong with it.

        Returns
        -------
        Evaluation, MultilabelEvaluation or MultilabelComparison
            Of the class on which it is called.
        """
        if not isinstance(content, dict) or content.get("format") != cls.format:
            raise ValueError(f"no {cls._kind} saved by textspace: it does not say {cls.format!r}.")
        if content.get("version") != cls.version:
            raise ValueError(
                f"version {content.get('version')!r:.40} of the format, but this textspace reads version "
                f"{cls.version}: upgrade textspace, or make the {cls._kind} again."
            )
        try:
            cls._check(content)
        except ValueError as error:
            raise ValueError(f"damaged: {error}") from error
        return cls(**{each.name: content[each.name] for each in fields(cls) if each.init})

    def save(self, path):
        """Write all to a JSON file, whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            The file.
        """
        with atomic_open(path) as file:
            json.dump(asdict(self), file)

    @classmethod
    def load(cls, path):
        """Read a file that :meth:`save` wrote.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        Evaluation, MultilabelEvaluation or MultilabelComparison
            Of the class on which it is called.
        """
        try:
            return cls.from_dict(read_json(path))
        except ValueError as error:
            raise ValueError(f"{path} is no {cls._kind} that can be read: {error}") from error
