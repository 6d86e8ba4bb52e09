"""Documents -> arrays."""

from textspace.text._vector_space import VectorSpace

__all__ = ["VectorSpace"]
