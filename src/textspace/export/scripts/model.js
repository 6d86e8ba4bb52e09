// A model: its data unpacked, and the answers it gives.

const SHOWN_TERMS = 20;

class Model {
  constructor(data) {
    Object.assign(this, data);
    this.table = new Characters(data.characters);
    let start = 0;
    this.spaces = data.spaces.map((outline) => {
      const space = new (outline.kind === "letters" ? LetterSpace : WordSpace)(outline, this.table);
      space.start = start;
      start += space.nColumns;
      return space;
    });
  }

  // Give the probabilities of all labels, the label or labels that follow, and the terms that speak for one.
  classify(text, { explain = null, terms = SHOWN_TERMS } = {}) {
    const n = this.labels.length, rows = this.rows(String(text));
    const scored = this.blends.map((blend) => this.score(blend, rows.entries));
    const values = Array.from({ length: n }, (_, c) => sum(scored.map((own) => own.values[c])) / scored.length + this.shift[c]);
    const probabilities = this.several ? values.map((value) => 1 / (1 + Math.exp(-value))) : softmax(values);
    const order = probabilities.map((_, c) => c).sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    const given = this.several ? order.filter((c) => probabilities[c] > this.thresholds[c]) : [order[0]];
    if (!given.length && this.atLeastOne) given.push(order[0]);
    const chosen = explain === null ? order[0] : this.labels.indexOf(explain);
    if (chosen < 0) throw new Error(`there is no label ${JSON.stringify(explain)}: choose one of labels.`);
    return {
      label: this.several ? null : this.labels[order[0]],
      labels: given.map((c) => this.labels[c]),
      probabilities: order.map((c) => ({ label: this.labels[c], probability: probabilities[c] })),
      explained: this.labels[chosen],
      terms: terms > 0 ? this.terms(rows, scored, chosen, terms) : [],
    };
  }

  rows(text) {
    const found = this.spaces.map((space) => {
      const places = space.places(openingOf(text, space.opening));
      return { space, places, entries: weighed(places, space) };
    });
    const entries = found.flatMap(({ space, entries: own }) =>
      own.map(({ column, weight }) => ({ column: column + space.start, weight })));
    return { found, entries };
  }

  score({ scorers, factors, bias }, entries) {
    const values = Float64Array.from(bias), parts = [];
    let j = 0;
    for (const scorer of scorers) {
      const place = columnPlaces(scorer);
      const own = entries.flatMap(({ column, weight }) => {
        const inside = place(column);
        return inside >= 0 ? [{ column: inside, weight }] : [];
      });
      const { scores, split } = SCORERS[scorer.kind](scorer, own, bias.length);
      const ownFactors = factors.slice(j, j + scores.length);
      scores.forEach((score, k) => score.forEach((value, c) => (values[c] += at(ownFactors[k], c) * value)));
      parts.push({ place, adds: split(ownFactors) });
      j += scores.length;
    }
    return { values, parts };
  }

  // List what terms add to the score of a label, the largest first; those of letters stand for their word.
  terms({ found, entries }, scored, chosen, most) {
    const adds = new Map();
    for (const { column, weight } of entries) {
      let total = 0;
      for (const { place, adds: of } of scored.flatMap(({ parts }) => parts)) {
        const inside = place(column);
        if (inside < 0) continue;
        const own = of(inside);
        total += weight * (own[chosen] - (this.several ? 0 : sum(own) / own.length));
      }
      adds.set(column, total / scored.length);
    }
    const sums = new Map();
    const add = (name, value) => {
      const key = name.toLowerCase(), before = sums.get(key) ?? { term: name, contribution: 0 };
      sums.set(key, { term: before.term, contribution: before.contribution + value });
    };
    for (const { space, places, entries: own } of found) {
      if (space.kind === "words") {
        const names = writtenNames(places);
        for (const { column } of own) add(names.get(column) || space.name(column), adds.get(column + space.start));
        continue;
      }
      const times = new Map();
      for (const { column } of places) times.set(column, (times.get(column) ?? 0) + 1);
      for (const { column, run } of places) {
        const total = adds.get(column + space.start);
        if (total !== undefined) add(`${bare(run)} (letters)`, total / times.get(column));
      }
    }
    return [...sums.values()].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution)).slice(0, most);
  }
}

// Name columns by what stands in the text, where that is one word only; "" where there are several.
function writtenNames(places) {
  const names = new Map();
  for (const { column, written } of places) {
    const known = names.get(column) ?? written;
    names.set(column, known.toLowerCase() === written.toLowerCase() ? known : "");
  }
  return names;
}

// Give the function from a column of documents to that of a scorer, -1 where it looks elsewhere.
function columnPlaces(scorer) {
  if (scorer.columns === undefined) {
    return (column) => (column >= scorer.first && column < scorer.first + scorer.n_columns ? column - scorer.first : -1);
  }
  scorer.places ??= new Map(Array.from(scorer.columns, (column, place) => [column, place]));
  return (column) => scorer.places.get(column) ?? -1;
}

// A run of characters without the punctuation around it, unless that is all.
function bare(run) {
  return run.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || run;
}

function softmax(values) {
  const most = largest(values), shares = values.map((value) => Math.exp(value - most)), total = sum(shares);
  return shares.map((share) => share / total);
}

// Unpack base64 of a gzipped file: a line of JSON, then arrays, byte by byte in planes.
async function unpack(encoded) {
  const letters = atob(encoded), packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return revived(header, bytes.subarray(end + 1));
}

const ARRAYS = { i1: Int8Array, u1: Uint8Array, u2: Uint16Array, i2: Int16Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };

function revived(value, bytes) {
  if (Array.isArray(value)) return value.map((item) => revived(item, bytes));
  if (value === null || typeof value !== "object") return value;
  if (value.array === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, revived(item, bytes)]));
  }
  const [type, at, length, step] = value.array;
  if (type === "text") {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(at, at + length));
    return length ? text.split(SEPARATOR) : [];
  }
  const array = new ARRAYS[type](length), whole = new Uint8Array(array.buffer), size = array.BYTES_PER_ELEMENT;
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0, from = at + plane * length; i < length; i++) whole[i * size + plane] = bytes[from + i];
  }
  return step === undefined ? array : Float32Array.from(array, (number) => number * step);
}
