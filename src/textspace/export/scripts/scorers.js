// Scores of the classes, and what each term adds to them: the scorers of the blend, one function each.
//
// A scorer has its arrays under the names of Python's fields. `entries` are the columns of a document and their
// weights within the scorer's own columns. It gives `scores`, a list of arrays of one number a class, and
// `split(factors)`: a function from an entry to what it adds to the classes, the scores times their factors.

const LOWEST_VALUE = 0.05; // by which values of labels are divided at least

const SCORERS = {
  "blend.ridge": (scorer, entries, n) => ridge(scorer, entries, n, denseRows(scorer.coef, n)),

  "blend.linear"(scorer, entries, n) {
    const rows = denseRows(scorer.coef, n);
    return { scores: [plus(product(entries, rows, n), scorer.intercept)], split: ([factor]) => times(rows, () => factor) };
  },

  "blend.complement"(scorer, entries, n) {
    const table = sparseRows(scorer.weights, n);
    const rows = (column) => {
      const mean = scorer.means[column];
      return table(column).map((value, c) => value - mean + scorer.normalisers[c]);
    };
    const sums = product(entries, rows, n);
    const length = inverse(norm(scorer.by_document ? entries.map(({ weight }) => weight) : sums));
    return { scores: [sums.map((sum) => sum * length)], split: ([factor]) => times(rows, (c) => at(factor, c) * length) };
  },

  "blend.latent"(scorer, entries, n) {
    const m = scorer.directions.length / scorer.columns.length;
    const directions = denseRows(scorer.directions, m), coef = scorer.ridge.coef;
    const length = inverse(norm(product(entries, directions, m)));
    const rows = (column) => {
      const own = directions(column), values = new Float64Array(n);
      for (let k = 0; k < m; k++) {
        for (let c = 0; c < n; c++) values[c] += own[k] * length * coef[k * n + c];
      }
      return values;
    };
    return ridge(scorer.ridge, entries, n, rows);
  },

  "blend.centroid"(scorer, entries, n) {
    const length = inverse(norm(entries.map(({ weight }) => weight)));
    const table = sparseRows(scorer.centroids, n), rows = times(table, () => length);
    return relativeSums(entries, rows, n);
  },

  "blend.smoothed": (scorer, entries, n) => relativeSums(entries, sparseRows(scorer.ratios, n), n),

  "blend.sums"(scorer, entries, n) {
    const rows = sparseRows(scorer.table, n);
    return { scores: [product(entries, rows, n)], split: ([factor]) => times(rows, (c) => at(factor, c)) };
  },

  "blend.label_ridge"(scorer, entries, n) {
    const rows = sparseRows(scorer.table, n), values = plus(product(entries, rows, n), scorer.intercept);
    const most = Math.max(largest(values), LOWEST_VALUE);
    return {
      scores: [values, values.map((value) => value / most)],
      split: ([first, second]) => times(rows, (c) => at(first, c) + at(second, c) / most),
    };
  },
};

// Regression, and the cosine to each class in the discriminant space that follows from it.
function ridge({ intercept, sizes }, entries, n, rows) {
  const values = plus(product(entries, rows, n), intercept), total = sum(sizes);
  if (n === 2) return { scores: [values], split: ([factor]) => times(rows, () => factor) };
  const centred = values.map((value, c) => value - sizes[c] / total);
  const towards = (own) => {
    const mean = sum(own) / total;
    return own.map((value, c) => (value / sizes[c] - mean) / Math.sqrt(1 / sizes[c] - 1 / total));
  };
  const square = sum(centred.map((value, c) => (value * value) / sizes[c])) - sum(centred) ** 2 / total;
  const length = inverse(Math.sqrt(Math.max(square, 0)));
  const cosines = towards(centred).map((value) => value * length);
  const split = ([first, second]) => (column) => {
    const own = rows(column), nearness = towards(Float64Array.from(own));
    return nearness.map((value, c) => first * own[c] + second * length * value);
  };
  return { scores: [values, cosines], split };
}

// Sums that are divided by the largest of them, where that is above zero.
function relativeSums(entries, rows, n) {
  const sums = product(entries, rows, n), most = largest(sums) > 0 ? largest(sums) : 1;
  return {
    scores: [sums.map((value) => value / most)],
    split: ([factor]) => times(rows, (c) => at(factor, c) / most),
  };
}

function denseRows(table, n) {
  return (column) => table.subarray(column * n, (column + 1) * n);
}

function sparseRows({ indptr, indices, data }, n) {
  return (column) => {
    const row = new Float64Array(n);
    for (let i = indptr[column]; i < indptr[column + 1]; i++) row[indices[i]] = data[i];
    return row;
  };
}

function product(entries, rows, n) {
  const sums = new Float64Array(n);
  for (const { column, weight } of entries) {
    const row = rows(column);
    for (let c = 0; c < n; c++) sums[c] += weight * row[c];
  }
  return sums;
}

function times(rows, factor) {
  return (column) => Float64Array.from(rows(column), (value, c) => value * factor(c));
}

// A factor is one number for all classes, or has one for each.
function at(factor, c) {
  return typeof factor === "number" ? factor : factor[c];
}

function plus(values, others) {
  return values.map((value, c) => value + others[c]);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

function norm(values) {
  return Math.sqrt(values.reduce((total, value) => total + value * value, 0));
}

function inverse(length) {
  return length > 0 ? 1 / length : 0;
}
