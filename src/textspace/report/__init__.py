"""Results as one offline HTML file."""

from textspace.report._check_report import write_check_report
from textspace.report._curve import term_curve
from textspace.report._html import render, write_report
from textspace.report._model_report import write_model_report
from textspace.report._space_plots import plot_space, write_space_maps

__all__ = [
    "plot_space",
    "render",
    "term_curve",
    "write_check_report",
    "write_model_report",
    "write_report",
    "write_space_maps",
]
