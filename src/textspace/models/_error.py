"""What is raised for a file that is no model, or none to be trusted."""


class ModelFileError(ValueError):
    """A file was not opened as a model: it is damaged, foreign, too new, or holds what could run code."""
