"""Text classification in learned spaces: sparse, fast, scikit-learn compatible."""

from textspace._version import __version__

__all__ = ["TextClassifier", "__version__"]


def __getattr__(name):
    """Load the classifier of texts when it is asked for, so that ``import textspace`` stays quick."""
    if name == "TextClassifier":
        from textspace.models import TextClassifier

        return TextClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
