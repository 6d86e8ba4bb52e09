"""Documents -> arrays."""

from textspace.text._alphabets import Alphabets, Block
from textspace.text._counted import CountedTexts, count_texts, learn_frequencies, weigh_counted
from textspace.text._embeddings import SentenceEmbeddings
from textspace.text._folding import FoldedTensorSpace
from textspace.text._static import StaticEmbeddings, find_embeddings
from textspace.text._trigrams import TrigramTensorSpace
from textspace.text._vector_space import VectorSpace

__all__ = [
    "Alphabets",
    "Block",
    "CountedTexts",
    "FoldedTensorSpace",
    "SentenceEmbeddings",
    "StaticEmbeddings",
    "TrigramTensorSpace",
    "VectorSpace",
    "count_texts",
    "find_embeddings",
    "learn_frequencies",
    "weigh_counted",
]
