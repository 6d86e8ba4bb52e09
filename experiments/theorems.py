"""What the papers prove or say of costs, measured: bounds, descent, and how time grows."""

from time import process_time

import numpy as np

from experiments.corpora import load_once
from experiments.estimators import estimator, vector_space
from experiments.experiment import Experiment
from experiments.markdown import number, select, table
from experiments.records import Records

QR_SIZES = (250, 500, 1000, 2000)
NYSTROEM_SIZES = (1000, 2000, 4000, 8000)
LANDMARKS = (50, 100, 200, 400)


def tasks():
    """Give one task for each measurement."""
    return [
        *({"about": "descent", "size": size} for size in (100, 400)),
        *({"about": "bound", "size": size} for size in (20, 40)),
        *({"about": "qr", "size": size} for size in QR_SIZES),
        *({"about": "documents of nystroem", "size": size} for size in NYSTROEM_SIZES),
        *({"about": "landmarks of nystroem", "size": size} for size in LANDMARKS),
    ]


def measure(about, size):
    """Make one measurement."""
    if about.endswith("nystroem"):
        of_documents = about.startswith("documents")
        return [nystroem(size if of_documents else 4000, 100 if of_documents else size)]
    return [{"descent": descent, "bound": bound, "qr": qr}[about](size)]


def documents(name, n_documents, scheme):
    """Give rows and classes of the first documents of a corpus drawn at random, by one seed."""
    corpus = load_once(name).train
    rows = np.random.default_rng(0).permutation(len(corpus.texts))[:n_documents]
    X = vector_space(scheme).fit_transform([corpus.texts[row] for row in rows])
    return X, np.array([corpus.labels[row] for row in rows])


def descent(size):
    """Give the largest rise of the objective of support tensor machines, as a share of it."""
    X, y = documents("reuters-r52", size, "tf")
    machine = estimator(
        "textspace.tensor.SupportTensorMachine",
        tensor_shape=(None, 50),
        C=10.0,
        rank=1,
        tol=1e-3,
        max_iter=100,
        warm_start=False,
    ).fit(X, y)
    rises = [max(np.diff(trace) / trace[:-1], default=0) for trace in machine.objective_trace_]
    steps = sum(len(trace) - 1 for trace in machine.objective_trace_)
    return {"machines": len(rises), "steps": steps, "largest_rise": max(0.0, *rises)}


def bound(size):
    """Compare what a selection of terms changes with the bound of Theorem 1, for documents of one pair."""
    from textspace.selection import decision_change, error_bound

    X, y = documents("20newsgroups", 11_000, "ltc")
    kept = np.flatnonzero(np.isin(y, ["sci.space", "rec.autos"]))
    train, new = kept[:size], kept[size : 4 * size]
    terms = np.unique(X[train].indices)
    X_train, X_new = X[train][:, terms].toarray(), X[new][:, terms].toarray()
    found = []
    for seed in range(5):
        selector = estimator(
            "textspace.selection.TermSelector",
            score="subspace",
            n_terms=int(0.9 * len(terms)),
            rank="rank",
            exact_budget=True,
            mode="sample",
            random_state=seed,
        ).fit(X_train)
        limits = error_bound(selector, X_train, X_new, lambda_=0.4)
        change = decision_change(selector, X_train, y[train], X_new, lambda_=0.4, tol=1e-8).size.max(axis=1)
        found.append((limits.epsilon, np.max(change / limits.bound), np.median(limits.bound), change.max()))
    epsilon, ratio, limit, change = np.max(found, axis=0)
    return {
        "terms": len(terms),
        "epsilon": epsilon,
        "largest_ratio": ratio,
        "bound": limit,
        "largest_change": change,
    }


def qr(size):
    """Time the solver by QR, eigenvectors of all terms and the matrix-free solver; compare the spaces."""
    X, y = documents("reuters-r52", size, "tfidf")
    spaces, seconds = {}, {}
    for solver in ("qr", "lanczos"):
        space = estimator(
            "textspace.linear.LRWMMC",
            n_components=20,
            n_neighbors=5,
            symmetrize="or",
            max_postings=None,
            solver=solver,
            tol=1e-6,
            random_state=0,
        )
        space.fit(X[:200], y[:200])  # compiles
        start = process_time()
        spaces[solver] = space.fit(X, y).components_
        seconds[solver] = process_time() - start
    start = process_time()
    if size <= 500:  # more would take minutes
        np.linalg.eigh((X.T @ X).toarray())  # of the size of the paper's matrix, and as dense
        seconds["terms"] = process_time() - start
    cosines = np.linalg.svd(spaces["qr"] @ spaces["lanczos"].T, compute_uv=False)
    return {
        "terms": X.shape[1],
        "terms_by_terms": seconds.get("terms"),
        "qr": seconds["qr"],
        "matrix_free": seconds["lanczos"],
        "smallest_cosine": cosines.min(),
    }


def nystroem(n_documents, n_landmarks):
    """Time kernel features by landmarks, and compare centres of clusters with random documents."""
    from sklearn.metrics.pairwise import rbf_kernel

    X, _ = documents("20newsgroups", n_documents, "tfidf")
    space = estimator(
        "textspace.kernel.KMeansNystroem",
        kernel="gaussian",
        sigma=1.0,
        degree=2,
        n_landmarks=n_landmarks,
        per_class=False,
        random_state=0,
    )
    space.fit(X[:500])  # compiles
    start = process_time()
    features = space.fit_transform(X)
    seconds = process_time() - start
    sample, landmarks = X[:500], X[-n_landmarks:]
    kernel, random, among = (
        rbf_kernel(left, right, gamma=1.0)
        for left, right in ((sample, sample), (sample, landmarks), (landmarks, landmarks))
    )
    approximations = features[:500] @ features[:500].T, random @ np.linalg.pinv(among) @ random.T
    clustered, drawn = (np.linalg.norm(kernel - other) / np.linalg.norm(kernel) for other in approximations)
    return {
        "documents": n_documents,
        "landmarks": n_landmarks,
        "seconds": seconds,
        "megabytes": features.nbytes / 2**20,
        "error": clustered,
        "error_of_random_landmarks": drawn,
    }


def growth(records, over, name):
    """Give the power with which a value grows over the largest two sizes."""
    (small, low), (large, high) = sorted((record[over], record[name]) for record in records)[-2:]
    return float(np.log(high / low) / np.log(large / small))


def report(records):
    """Give a table for each kind of measurement."""
    parts = []
    for about, title in TITLES.items():
        found = select(records, about=about)
        names = [name for name in found[0] if name != "about"]
        rows = [[_cell(record[name]) for name in names] for record in found]
        parts.append(f"## {title}\n\n{table([name.replace('_', ' ') for name in names], rows)}\n")
    return "\n".join(parts)


def _cell(value):
    return value if isinstance(value, int) else number(value, 4)


TITLES = {
    "descent": "STM, Theorem 1: the objective never rises",
    "bound": "SRLS, Theorem 1: what selected terms change, as a share of the bound",
    "qr": "LRWMMC, section 7: seconds by QR and by the matrix-free solver, and the cosine of their spaces",
    "documents of nystroem": "KDGPP, equations 18 and 19: kernel features by landmarks, over documents",
    "landmarks of nystroem": "KDGPP, equations 18 and 19: the same over landmarks",
}

THEOREMS = Experiment(
    name="theorems",
    title="Proofs and costs of the papers",
    summary=(
        "What the papers prove or say of time and memory, measured on documents of R52 and 20 Newsgroups. "
        "Seconds are those of the processor. The rise of the objective is the largest of any step of any "
        "machine. The bound is that of Theorem 1 with the epsilon that the drawn terms have, for documents "
        "of two newsgroups, in five draws of nine tenths of the terms. Errors of kernels are of 500 "
        "documents, in the Frobenius norm, as shares of the kernel's."
    ),
    results=Records(tasks, measure),
    report=report,
)
