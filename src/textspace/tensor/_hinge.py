"""The linear support vector machine that each mode of a support tensor machine is, solved tightly.

``min 1/2 ||w||^2 + C sum_i max(0, 1 - y_i (w x_i + b))`` over w and b; b is not penalised.

The hinge is replaced by its smooth neighbour ``max_{0 <= a <= C} a (1 - z) - (a - a0)^2 / (2 s)`` around the
current duals a0, which is quadratic for margins z in a band of width C / s and linear elsewhere. Newton's
method with an exact line search finds its minimum; the duals there are the next a0. This is the method of
multipliers: it ends at the minimum of the hinge itself, at any sharpness s, and in few rounds where the duals
are nearly right from the start, as they are when modes alternate.
"""

import numpy as np

from textspace._compiled import compiled

LEAST_GAIN = 1e-6  # share of the objective of w = 0 below which a gain counts as none

_WIDTH = 0.03  # of the band in the first round
_LEAST_WIDTH = 1e-4
_SHARPEN = 4.0  # how much narrower the band is in the next round
_MAX_ROUNDS = 30
_MAX_STEPS = 100  # of Newton's method in a round
_GRADIENT = 1e-4  # where Newton's method stops in the first round, relative to the objective of w = 0
_SLOPE = 1e-2  # where a line search stops, relative to its start
_SLACK = 0.5  # documents that lie further beyond the margin are left out until they are needed


@compiled(nogil=True)
def minimize_hinge(rows, targets, C, weights, intercept, duals, tol):
    """Minimise the objective, starting from given weights and duals, which are overwritten.

    `rows` are data, indices and indptr of the documents; `targets` are 1 for documents of the class and -1
    for the others, and both must be there. The duals lie between 0 and C, zero where nothing is known; at the
    end ``w = sum_i duals_i y_i x_i``. The duality gap becomes at most `tol`, relative to the objective, and
    at most a tenth of what w gains over a constant decision, unless that gain is known to be below
    `LEAST_GAIN`.

    Gives the intercept, the objective, and how far at most that lies above the minimum.
    """
    data, indices, indptr = rows
    n_samples, n_features = len(targets), len(weights)
    margins, lengths = np.empty(n_samples), np.empty(n_samples)
    is_active, place = np.empty(n_samples, np.bool_), np.empty(n_samples, np.int64)
    n_positive = 0
    for i in range(n_samples):
        total = square = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * weights[indices[k]]
            square += data[k] ** 2
        margins[i], lengths[i] = targets[i] * (intercept + total), np.sqrt(square)
        is_active[i], place[i] = duals[i] > 0 or margins[i] < 1 + _SLACK, -1
        n_positive += targets[i] > 0
    first_margins, first_weights, first_intercept = margins.copy(), weights.copy(), intercept
    constant = 2 * C * min(n_positive, n_samples - n_positive)  # objective of w = 0
    active = np.flatnonzero(is_active)
    gram, known, n_known = np.empty((64, 64)), np.empty(64, np.int64), np.zeros(1, np.int64)
    gradient, smooth_duals, shifts = np.empty(n_features), np.zeros(n_samples), np.empty(n_samples)
    objective = gap = np.inf
    sharpness, enough = C / _WIDTH, _GRADIENT * constant
    for _ in range(_MAX_ROUNDS):
        for _ in range(_MAX_STEPS):
            slope_b, band = _gradient(
                rows, targets, C, weights, duals, margins, active, sharpness, gradient, smooth_duals
            )
            # what the gradient alone adds to the duality gap
            gap = _inner(gradient, gradient) / 2 + abs(slope_b) * (1 + abs(intercept))
            if gap <= enough:
                break
            if _prefers_documents(indptr, band, n_features, place, n_known[0]):
                gram, known = _remember_products(rows, band, n_features, gram, known, place, n_known)
                step, step_b = _direction_over_documents(
                    rows, gradient, slope_b, band, sharpness, gram, place
                )
            else:
                step, step_b = _direction_over_features(rows, gradient, slope_b, band, sharpness)
            descent = -_inner(gradient, step) - slope_b * step_b
            if descent <= 1e-20 * constant:  # nothing but rounding is left
                break
            for i in active:
                total = step_b
                for k in range(indptr[i], indptr[i + 1]):
                    total += data[k] * step[indices[k]]
                shifts[i] = targets[i] * total
            length = _line_search(weights, step, C, duals, margins, shifts, active, sharpness, descent)
            for k in range(n_features):
                weights[k] += length * step[k]
            intercept += length * step_b
            for i in active:
                margins[i] += length * shifts[i]
        objective = _inner(weights, weights) / 2
        for i in active:
            duals[i] = smooth_duals[i]
            loss = C * max(0.0, 1 - margins[i])
            objective += loss
            gap += loss - duals[i] * (1 - margins[i])
        # a margin moves by at most |x| |dw| + |db|: only where that could reach 1 is it computed
        reach = 0.0
        for k in range(n_features):
            reach += (weights[k] - first_weights[k]) ** 2
        reach, drift = np.sqrt(reach), abs(intercept - first_intercept)
        for i in range(n_samples):
            if not is_active[i] and first_margins[i] - lengths[i] * reach - drift < 1:
                total = intercept
                for k in range(indptr[i], indptr[i + 1]):
                    total += data[k] * weights[indices[k]]
                margins[i] = targets[i] * total
                if margins[i] < 1:
                    is_active[i] = True
                    objective += C * (1 - margins[i])
                    gap += C * (1 - margins[i])
        active = np.flatnonzero(is_active)
        gain = constant - objective
        if gap <= tol * objective and (gap <= gain / 10 or gain + gap <= LEAST_GAIN * constant):
            break
        sharpness = min(_SHARPEN * sharpness, C / _LEAST_WIDTH)
        enough = max(min(gap / 100, enough / 10), tol / 10 * objective)
    return intercept, objective, gap


@compiled(nogil=True)
def _inner(one, other):
    total = 0.0
    for k in range(len(one)):
        total += one[k] * other[k]
    return total


@compiled(nogil=True)
def _gradient(rows, targets, C, weights, duals, margins, active, sharpness, gradient, smooth_duals):
    """Fill in gradient and duals of the smooth objective; give its slope in b and the band's documents."""
    data, indices, indptr = rows
    band, n_band = np.empty(len(active), np.int64), 0
    for k in range(len(weights)):
        gradient[k] = weights[k]
    slope_b = 0.0
    for i in active:
        dual = duals[i] + sharpness * (1 - margins[i])
        if 0 < dual < C:
            band[n_band] = i
            n_band += 1
        smooth_duals[i] = min(max(dual, 0.0), C)
        if dual > 0:
            share = smooth_duals[i] * targets[i]
            slope_b -= share
            for k in range(indptr[i], indptr[i + 1]):
                gradient[indices[k]] -= share * data[k]
    return slope_b, band[:n_band]


@compiled(nogil=True)
def _line_search(weights, step, C, duals, margins, shifts, active, sharpness, descent):
    """Length of the step that minimises the smooth objective: safeguarded Newton on its derivative."""
    start, curvature = _inner(weights, step), _inner(step, step)
    low, high, length = 0.0, np.inf, 1.0
    for _ in range(50):
        slope, bend = start + length * curvature, curvature
        for i in active:
            dual = duals[i] + sharpness * (1 - margins[i] - length * shifts[i])
            if dual > 0:
                if dual < C:
                    bend += sharpness * shifts[i] ** 2
                slope -= min(dual, C) * shifts[i]
        if abs(slope) <= _SLOPE * descent:
            break
        if slope > 0:
            high = length
        else:
            low = length
        following = length - slope / bend if bend > 0 else np.inf
        if not low < following < high:
            following = 2 * length if np.isinf(high) else (low + high) / 2
        length = following
    return length


@compiled(nogil=True)
def _prefers_documents(indptr, band, n_features, place, n_known):
    """Whether a system in the band's documents costs less than one in the features, roughly."""
    n_band, fresh, squares = len(band), 0, 0.0
    for i in band:
        squares += (indptr[i + 1] - indptr[i]) ** 2
        fresh += place[i] < 0
    products = fresh * (n_known + fresh / 2) * np.sqrt(squares / max(n_band, 1))
    factor = 1 / 48  # a Cholesky factor takes size^3 / 3 operations, 16 at a time
    return factor * n_band**3 + n_band**2 + products < factor * n_features**3 + n_features**2 + squares / 2


@compiled(nogil=True)
def _remember_products(rows, band, n_features, gram, known, place, n_known):
    """See that `gram` has all products between the band's documents, most of which were there a step ago.

    Row j of `gram` belongs to document ``known[j]``, and document i has row ``place[i]``, or -1; there are
    ``n_known[0]`` rows. `gram` and `known` are returned, longer where they were too short.
    """
    data, indices, indptr = rows
    fresh = 0
    for i in band:
        fresh += place[i] < 0
    if n_known[0] + fresh > 2 * len(band) + 64:
        for j in range(n_known[0]):
            place[known[j]] = -1
        n_known[0], fresh = 0, len(band)
    if n_known[0] + fresh > len(known):
        size = 2 * (n_known[0] + fresh)
        longer, larger = np.empty(size, np.int64), np.empty((size, size))
        for j in range(n_known[0]):
            longer[j] = known[j]
            for m in range(n_known[0]):
                larger[j, m] = gram[j, m]
        gram, known = larger, longer
    dense = np.zeros(n_features)
    for i in band:
        if place[i] >= 0:
            continue
        row = n_known[0]
        place[i], known[row], n_known[0] = row, i, row + 1
        for k in range(indptr[i], indptr[i + 1]):
            dense[indices[k]] = data[k]
        for j in range(row + 1):
            total = 0.0
            for k in range(indptr[known[j]], indptr[known[j] + 1]):
                total += data[k] * dense[indices[k]]
            gram[row, j] = gram[j, row] = total
        for k in range(indptr[i], indptr[i + 1]):
            dense[indices[k]] = 0.0
    return gram, known


@compiled(nogil=True)
def _direction_over_documents(rows, gradient, slope_b, band, sharpness, gram, place):
    """Newton's step by Woodbury's identity: a system as large as the band.

    The Hessian is ``I + s X.T X`` over the band's documents X, bordered by ``s X.T 1`` and ``s n`` for b.
    """
    data, indices, indptr = rows
    n_band, step = len(band), np.empty(len(gradient))
    for k in range(len(gradient)):
        step[k] = -gradient[k]
    if n_band == 0:
        return step, -slope_b / sharpness
    system, right = np.empty((n_band, n_band)), np.ones((2, n_band))
    for j in range(n_band):
        row = gram[place[band[j]]]
        for m in range(n_band):
            system[j, m] = row[place[band[m]]]
        right[0, j] = 0.0
        for k in range(indptr[band[j]], indptr[band[j] + 1]):
            right[0, j] += data[k] * step[indices[k]]
    _solve(system, 1 / sharpness, right)
    step_b, total = -slope_b, 0.0
    for j in range(n_band):
        step_b -= right[0, j]
        total += right[1, j]
    step_b /= total
    for j in range(n_band):
        share = right[0, j] + step_b * right[1, j]
        for k in range(indptr[band[j]], indptr[band[j] + 1]):
            step[indices[k]] -= share * data[k]
    return step, step_b


@compiled(nogil=True)
def _direction_over_features(rows, gradient, slope_b, band, sharpness):
    """Newton's step from the Hessian itself."""
    data, indices, indptr = rows
    n_features = len(gradient)
    hessian, right = np.zeros((n_features, n_features)), np.zeros((2, n_features))
    for i in band:
        for k in range(indptr[i], indptr[i + 1]):
            share = sharpness * data[k]
            right[1, indices[k]] += share
            for m in range(indptr[i], k + 1):  # indices ascend: the lower half
                hessian[indices[k], indices[m]] += share * data[m]
    for k in range(n_features):
        right[0, k] = -gradient[k]
        for m in range(k):
            hessian[m, k] = hessian[k, m]
    border = right[1].copy()
    _solve(hessian, 1.0, right)
    step_b = (-slope_b - _inner(border, right[0])) / (sharpness * len(band) - _inner(border, right[1]))
    step = np.empty(n_features)
    for k in range(n_features):
        step[k] = right[0, k] - step_b * right[1, k]
    return step, step_b


@compiled(nogil=True)
def _solve(matrix, ridge, right):
    """Solve ``(matrix + ridge I) x = r`` for each row r of the right-hand sides; both are overwritten."""
    size, largest = len(matrix), 0.0
    for i in range(size):
        largest = max(largest, matrix[i, i])
    for i in range(size):
        matrix[i, i] += ridge + 1e-13 * largest  # rounding must not make it indefinite
    factor = np.linalg.cholesky(matrix)
    for row in right:
        for i in range(size):
            for j in range(i):
                row[i] -= factor[i, j] * row[j]
            row[i] /= factor[i, i]
        for i in range(size - 1, -1, -1):
            row[i] /= factor[i, i]
            for j in range(i):
                row[j] -= row[i] * factor[i, j]
