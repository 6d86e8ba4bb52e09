"""Documents -> arrays."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_alphabets": "Alphabets Block",
        "_counted": "CountedTexts count_texts learn_frequencies weigh_counted",
        "_embeddings": "SentenceEmbeddings",
        "_folding": "FoldedTensorSpace",
        "_languages": "LANGUAGES Language detect_languages endings_of language_shares main_languages",
        "_openings": "has_openings opening_of",
        "_outline": "character_table outline_space",
        "_static": "StaticEmbeddings find_embeddings",
        "_trigrams": "TrigramTensorSpace",
        "_vector_space": "VectorSpace",
    },
)
