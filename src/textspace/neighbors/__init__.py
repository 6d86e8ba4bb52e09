"""Nearest documents: exactly, by shortened lists of each term, by clusters, and how many each way finds."""

from textspace._exports import late

__getattr__, __all__ = late(
    __name__,
    {
        "_clusters": "ClusterIndex METRICS build_index index_recall nearest_points",
        "_exact": "ClassNeighbors class_neighbors kernel_neighbors nearest_neighbors",
        "_lists": "posting_neighbors",
        "_queries": "query_neighbors",
        "_recall": "RECALL_SAMPLE exact_relevance neighbor_recall share_found",
    },
)
