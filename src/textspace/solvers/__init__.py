"""Products -> directions: what turns a graph or responses into a space."""

from textspace.solvers._dual_ridge import DualRidge
from textspace.solvers._eigen import operator_directions, top_combinations, top_directions
from textspace.solvers._krylov_ridge import KrylovRidge
from textspace.solvers._lanczos import ConvergenceError, block_lanczos
from textspace.solvers._left_out import dual_diagonals, left_out
from textspace.solvers._products import DocumentProducts, GramProducts
from textspace.solvers._ratio import ratio_directions
from textspace.solvers._ridge import column_squares, graph_ridge, is_scaled, ridge
from textspace.solvers._ridge_path import ridge_path, ridge_predictions
from textspace.solvers._singular import significant, top_singular_vectors
from textspace.solvers._spectral_ridge import SpectralRidge
from textspace.solvers._symmetric import largest_eigenpairs

__all__ = [
    "ConvergenceError",
    "DocumentProducts",
    "DualRidge",
    "GramProducts",
    "KrylovRidge",
    "SpectralRidge",
    "block_lanczos",
    "column_squares",
    "dual_diagonals",
    "graph_ridge",
    "is_scaled",
    "largest_eigenpairs",
    "left_out",
    "operator_directions",
    "ratio_directions",
    "ridge",
    "ridge_path",
    "ridge_predictions",
    "significant",
    "top_combinations",
    "top_directions",
    "top_singular_vectors",
]
