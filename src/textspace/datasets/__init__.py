"""Corpora: the public ones by name, the user's own from a file or a folder."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_catalogue": "CorpusInfo available binary_tasks fetch load",
        "_checks": "Finding check_documents",
        "_columns": "find_columns",
        "_corpus": "Corpus",
        "_folder": "RawDocuments",
        "_open": "CorpusUsageError open_corpus open_documents",
        "_rcv1": "load_rcv1",
        "_read": "read read_documents texts_of",
        "_training_data": "TrainingData open_training_data",
    },
)
