"""Time, CPU and memory of each stage on one machine as documents grow in number, threefold each time.

``python -m benchmarks growth`` goes up to 300,000 documents; fewer sizes:
``python -c "from benchmarks.growth import table; table((10_000, 30_000))"``. Each size has a process of its
own, so that its peak memory is its own.
"""

import multiprocessing
import warnings

import numpy as np
from benchmarks._documents import N_HASHED, drawn
from benchmarks._measure import measured

from textspace.classify import RLSC
from textspace.graphs import relevance_graph
from textspace.linear import LSI, SpectralRegressionLDA
from textspace.neighbors import class_neighbors, neighbor_recall, posting_neighbors
from textspace.solvers import top_directions
from textspace.text import VectorSpace

SIZES = (10_000, 30_000, 100_000, 300_000)
EXACT = 100_000  # documents up to which the exact graph is measured
POSTINGS = 300
NEIGHBORS = 5
COMPONENTS = 50


def main():
    table(SIZES)


def table(sizes):
    """Print what each stage takes at each size, and how CPU for a document grows between them."""
    earlier, n_earlier = {}, None
    for n_documents in sizes:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            stages, recall = pool.apply(measure_size, (n_documents,))
        print(f"{n_documents} documents, {N_HASHED} hashed terms; recall of the shortened lists {recall:.3f}")
        for name, (timing, megabytes) in stages.items():
            line = f"  {name:14} {timing.wall:7.1f} s {timing.cpu:8.1f} s CPU {megabytes:7.0f} MB"
            line += f" {1e6 * timing.cpu / n_documents:8.0f} us a document"
            if name in earlier:
                line += f", {timing.cpu / earlier[name] * n_earlier / n_documents:.2f} of the one before"
            print(line, flush=True)
        earlier, n_earlier = {name: timing.cpu for name, (timing, _) in stages.items()}, n_documents


def measure_size(n_documents):
    """Measure all stages, after a small round for what is loaded or compiled once."""
    warnings.filterwarnings("ignore", ".*components were asked for")
    run_stages(*drawn(1500), lambda name, call, *arguments: call(*arguments))
    stages = {}

    def run(name, call, *arguments):
        result, *stages[name] = measured(call, *arguments)
        return result

    return stages, run_stages(*drawn(n_documents), run)


def run_stages(texts, y, run):
    """Run one stage after the other; give the recall of the neighbours by shortened lists."""
    X = run("vectorise", VectorSpace(n_hashed=N_HASHED).fit_transform, texts)
    del texts
    classes = np.unique(y, return_inverse=True)[1]
    if len(y) <= EXACT:
        run("exact graph", exact_graph, X, classes)
    graph, neighbors = run("graph", graph_by_lists, X, classes)
    _, components = run("directions", directions, X, graph)
    run("LSI", LSI(COMPONENTS, random_state=0).fit, X)
    run("SR-LDA", SpectralRegressionLDA().fit, X, y)
    classifier = run("RLSC", RLSC(1.0).fit, X, y)
    run("predict", classifier.predict, X)
    run("transform", X.__matmul__, components.T)
    return neighbor_recall(X, classes, neighbors, random_state=0)


def exact_graph(X, y):
    return relevance_graph(class_neighbors(X, y, n_neighbors=NEIGHBORS))


def graph_by_lists(X, y):
    neighbors = posting_neighbors(X, y, n_neighbors=NEIGHBORS, max_postings=POSTINGS)
    return relevance_graph(neighbors), neighbors


def directions(X, graph):
    return top_directions(X, graph, n_components=COMPONENTS, random_state=0)
