"""Documents -> arrays."""

from textspace.text._embeddings import SentenceEmbeddings
from textspace.text._folding import FoldedTensorSpace
from textspace.text._trigrams import TrigramTensorSpace
from textspace.text._vector_space import VectorSpace

__all__ = ["FoldedTensorSpace", "SentenceEmbeddings", "TrigramTensorSpace", "VectorSpace"]
