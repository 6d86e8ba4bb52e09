"""Tables 1 to 3 of Quan et al., SIGIR 2008, category by category."""

from experiments.markdown import table

METHODS = ("k-lsi", "nadp", "slsi", "hsvm")
# precision, recall and F1 in percent, each by K-LSI, NADP, SLSI and SVM, in the paper's order of categories
PUBLISHED = {
    "Reuters tree (a)": {
        "corn": "86.21 89.66 90.00 96.88 73.53 76.47 79.41 91.18 79.37 82.54 84.38 93.94",
        "wheat": "86.96 89.13 89.13 93.88 85.11 87.23 87.23 97.87 86.02 88.17 88.17 95.83",
        "ship": "94.19 95.40 97.65 95.29 94.19 96.51 96.51 94.19 94.19 95.95 97.08 94.74",
        "nat-gas": "80.00 85.29 82.86 83.33 96.55 100.0 100.0 86.21 87.50 92.06 90.63 84.75",
        "macro-average": "86.84 89.87 89.91 92.35 87.34 90.05 90.79 92.36 87.09 89.96 90.35 92.35",
        "micro-average": "88.78 91.32 91.84 93.37 88.78 91.33 91.84 93.37 88.78 91.33 91.84 93.37",
    },
    "Reuters tree (b)": {
        "barley": "100.0 100.0 100.0 92.31 83.33 83.33 91.67 100.0 90.91 90.91 95.65 96.00",
        "rice": "89.47 88.89 94.44 95.24 80.95 76.19 80.95 95.24 85.00 82.05 87.18 95.24",
        "cocoa": "78.26 75.00 81.82 85.71 100.0 100.0 100.0 100.0 87.80 85.71 90.00 92.31",
        "copper": "89.47 91.74 100.0 93.75 94.44 100.0 100.0 83.33 91.89 97.30 100.0 88.24",
        "iron-steel": "100.0 100.0 100.0 100.0 90.91 90.91 100.0 90.91 95.24 95.24 100.0 95.24",
        "tin": "92.31 92.31 92.86 84.62 85.71 85.71 92.86 78.57 88.89 88.89 92.86 81.48",
        "macro-average": "91.59 91.82 94.85 91.94 89.23 89.36 94.25 91.34 90.39 90.57 94.55 91.64",
        "micro-average": "89.36 89.36 93.62 91.49 89.36 89.36 93.62 91.49 89.36 89.36 93.62 91.49",
    },
    "20 Newsgroups": {
        "rec.autos": "76.67 78.02 78.89 69.07 69.00 71.00 71.00 67.00 72.63 74.35 74.74 68.02",
        "rec.sport.baseball": "68.81 70.64 70.64 74.74 75.00 77.00 77.00 71.00 71.77 73.68 73.68 72.82",
        "rec.sport.hockey": "77.66 79.12 79.12 62.59 73.00 73.00 72.00 87.00 75.26 75.39 75.39 72.80",
        "rec.motorcycles": "73.39 75.00 75.93 76.00 80.00 81.00 82.00 76.00 76.56 77.88 78.85 76.00",
        "sci.crypt": "79.44 78.18 82.69 83.63 85.00 86.00 86.00 85.00 82.13 81.90 84.31 85.29",
        "sci.electronics": "69.07 68.75 66.67 75.73 67.00 66.00 68.00 78.00 68.02 67.35 67.33 76.85",
        "sci.med": "77.55 77.00 78.57 78.16 76.00 77.00 77.00 68.00 76.77 77.00 77.78 72.73",
        "sci.space": "79.17 80.00 78.57 83.50 76.00 76.00 77.00 70.00 77.55 77.95 77.78 77.78",
        "macro-average": "75.22 75.84 76.38 75.43 75.13 75.75 76.25 75.25 75.17 75.79 76.32 75.83",
        "micro-average": "75.13 75.75 76.25 75.25 75.13 75.75 76.25 75.25 75.13 75.75 76.25 75.25",
    },
}


def report_categories(comparisons):
    """Give precision, recall and F1 of each category and both averages, in percent, the paper's beside."""
    parts = []
    for dataset, comparison in comparisons.items():
        ours = {method: by_category(comparison, method) for method in METHODS}
        for place, measure in enumerate(("precision", "recall", "F1")):
            rows = []
            for category, figures in PUBLISHED[dataset].items():
                theirs = figures.split()[4 * place : 4 * place + 4]
                cells = [
                    f"{100 * ours[method][category][place]:.1f} ({float(figure):.1f})"
                    for method, figure in zip(METHODS, theirs, strict=True)
                ]
                rows.append([category, *cells])
            headings = [f"{measure}, %", *(comparison.methods[method]["title"] for method in METHODS)]
            parts.append(
                f"### {dataset}: {measure} of each category (the paper's)\n\n{table(headings, rows)}\n"
            )
    return "\n".join(parts)


def by_category(comparison, method):
    """Give precision, recall and F1 of each category and of both averages."""
    from sklearn.metrics import precision_recall_fscore_support

    [truth], [run] = comparison.truth, comparison.runs_of(method)
    classes = comparison.corpus["classes"]
    own = precision_recall_fscore_support(
        truth, run["predicted"], labels=range(len(classes)), average=None, zero_division=0
    )[:3]
    found = dict(zip(classes, zip(*own, strict=True), strict=True))
    precision, recall = own[0].mean(), own[1].mean()
    right = sum(one == other for one, other in zip(truth, run["predicted"], strict=True)) / len(truth)
    return found | {
        "macro-average": (precision, recall, 2 * precision * recall / (precision + recall)),
        "micro-average": (right, right, right),
    }
