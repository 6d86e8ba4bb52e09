"""Text classification in learned spaces: sparse, fast, scikit-learn compatible."""

from importlib.metadata import version

__version__ = version("textspace")
