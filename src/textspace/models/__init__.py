"""Classifiers of texts: what they are, why they answer as they do, and files that cannot run code."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_archive": "ModelFileError",
        "_card": "card_text data_digest make_card",
        "_column_weights": "gain_of_texts",
        "_default": "MANY_CLASSES",
        "_explanation": "Explanation Neighbor TermContribution",
        "_file": "load read_card save",
        "_signature": "read_signing_key",
        "_text_classifier": "TextClassifier",
        "_training": "train",
        "_training_documents": "draw_documents remember_documents",
    },
)
