"""Evaluations as JSON files, which are checked when they are read."""

import json
from dataclasses import asdict, fields

from textspace._files import atomic_open
from textspace.evaluation._forms import read_json


class EvaluationFile:
    """Base of the dataclasses of evaluations, which have the fields ``format`` and ``version``."""

    @classmethod
    def from_dict(cls, content):
        """Make an evaluation of what ``dataclasses.asdict`` gave.

        Parameters
        ----------
        content : dict
            Checked: a ValueError says what is wrong with it.

        Returns
        -------
        Evaluation or MultilabelEvaluation
            The evaluation.
        """
        if not isinstance(content, dict) or content.get("format") != cls.format:
            raise ValueError(f"no evaluation saved by textspace: it does not say {cls.format!r}.")
        if content.get("version") != cls.version:
            raise ValueError(
                f"version {content.get('version')!r:.40} of the format, but this textspace reads version "
                f"{cls.version}: upgrade textspace, or evaluate again."
            )
        try:
            cls._check(content)
        except ValueError as error:
            raise ValueError(f"damaged: {error}") from error
        return cls(**{each.name: content[each.name] for each in fields(cls) if each.init})

    def save(self, path):
        """Write the evaluation to a JSON file, whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            The file.
        """
        with atomic_open(path) as file:
            json.dump(asdict(self), file)

    @classmethod
    def load(cls, path):
        """Read an evaluation from a file that :meth:`save` wrote.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        Evaluation or MultilabelEvaluation
            The evaluation.
        """
        try:
            return cls.from_dict(read_json(path))
        except ValueError as error:
            raise ValueError(f"{path} is not an evaluation to be read: {error}") from error
