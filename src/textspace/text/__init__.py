"""Documents -> arrays."""

from textspace.text._alphabets import Alphabets, Block
from textspace.text._counted import CountedTexts, count_texts, learn_frequencies, weigh_counted
from textspace.text._embeddings import SentenceEmbeddings
from textspace.text._folding import FoldedTensorSpace
from textspace.text._languages import (
    LANGUAGES,
    Language,
    detect_languages,
    endings_of,
    language_shares,
    main_languages,
)
from textspace.text._outline import character_table, outline_space
from textspace.text._static import StaticEmbeddings, find_embeddings
from textspace.text._trigrams import TrigramTensorSpace
from textspace.text._vector_space import VectorSpace

__all__ = [
    "LANGUAGES",
    "Alphabets",
    "Block",
    "CountedTexts",
    "FoldedTensorSpace",
    "Language",
    "SentenceEmbeddings",
    "StaticEmbeddings",
    "TrigramTensorSpace",
    "VectorSpace",
    "character_table",
    "count_texts",
    "detect_languages",
    "endings_of",
    "find_embeddings",
    "language_shares",
    "learn_frequencies",
    "main_languages",
    "outline_space",
    "weigh_counted",
]
