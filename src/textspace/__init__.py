"""Text classification in learned spaces: sparse, fast, scikit-learn compatible."""

__all__ = ["TextClassifier", "__version__"]


def __getattr__(name):
    """Load what is asked for when it is, so that ``import textspace`` stays quick."""
    if name == "TextClassifier":
        from textspace.models import TextClassifier

        return TextClassifier
    if name == "__version__":
        from textspace._version import __version__

        return __version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
