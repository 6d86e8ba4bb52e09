// Texts into rows: the columns of words, pairs of words and letters, weighed and of unit length.

const BLANKS = " \t\n\r\f\v", LONGEST_WORD = 30;
const UNKNOWN = -1, DROPPED = -2; // columns of a word that is not known, and of one that is left out

// Give what a space reads of a text: all of it or, up to twice `length` characters, its first line, or `length`
// characters and the rest of a word.
function openingOf(text, length) {
  if (length === null) return text;
  const start = text.length - text.replace(/^[ \t\n\r\f\v]+/, "").length;
  const characters = Array.from(text.slice(start, start + 4 * length + 2 * LONGEST_WORD));
  let end = characters.slice(0, 2 * length + 1).findIndex((character) => "\n\r".includes(character));
  if (end < 0) {
    end = length;
    const last = Math.min(length + LONGEST_WORD, characters.length);
    while (end < last && !BLANKS.includes(characters[end])) end++;
  }
  return text.slice(0, start) + characters.slice(0, end).join("");
}

class WordSpace {
  constructor(outline, characters) {
    Object.assign(this, outline);
    this.characters = characters;
    this.tokens = new Tokens(characters);
    this.columns = new Map(this.words.map((word, column) => [word, column]));
    this.seen = this.endings.map(() => new Map());
    this.stopWords = this.endings.map(([, stopWords]) => new Set(stopWords));
    this.nColumns = this.words.length + this.seconds.length;
  }

  // Give the columns of a text, one for each place of a term, with what is written there.
  places(text) {
    const nLanguages = this.endings.length;
    const language = nLanguages > 1 ? languageOf(text, this.weights, nLanguages, this.characters) : 0;
    const found = [];
    let before = UNKNOWN, last = "";
    for (const token of this.tokens.of(text)) {
      const column = this.columnOf(token, language);
      if (column === DROPPED) continue;
      if (column >= 0) {
        found.push({ column, written: token });
        const pair = before >= 0 ? this.pair(before, column) : UNKNOWN;
        if (pair >= 0) found.push({ column: this.words.length + pair, written: joined(last, token) });
      }
      before = column;
      last = token;
    }
    return found;
  }

  columnOf(token, language) {
    const seen = this.seen[language];
    if (!seen.has(token)) {
      const [stem] = this.endings[language];
      const lower = this.characters.lower(token, stem === "turkish");
      const term = stem === null || this.characters.isName(token) ? lower : STEMMERS[stem](lower);
      const isStopWord = this.stopWords[language].has(lower);
      seen.set(token, isStopWord ? DROPPED : (this.columns.get(term) ?? UNKNOWN));
    }
    return seen.get(token);
  }

  pair(first, second) {
    let low = this.starts[first], high = this.starts[first + 1];
    const end = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seconds[middle] < second) low = middle + 1;
      else high = middle;
    }
    return low < end && this.seconds[low] === second ? low : UNKNOWN;
  }

  // Name a column as people write it.
  name(column) {
    const word = (place) => this.forms?.[place] || this.words[place];
    if (column < this.words.length) return word(column);
    const pair = column - this.words.length;
    return joined(word(this.firsts[pair]), word(this.seconds[pair]));
  }
}

// Two words beside each other; letters of writing without spaces have none between them.
function joined(first, second) {
  return UNSPACED_LETTER.test(first) && UNSPACED_LETTER.test(second) ? first + second : `${first} ${second}`;
}

class LetterSpace {
  constructor(outline, characters) {
    Object.assign(this, outline);
    this.characterTable = characters;
    this.columns = new Map();
    this.longest = 0;
    const path = [];
    let node = 0;
    for (const character of new TextDecoder("utf-8", { ignoreBOM: true }).decode(outline.characters)) {
      const length = this.lengths[node];
      path.length = length - 1;
      path.push(character);
      if (this.is_term[node]) this.columns.set(path.join(""), this.columns.size);
      this.longest = Math.max(this.longest, length);
      node++;
    }
    this.nColumns = this.columns.size;
  }

  places(text) {
    const found = [];
    for (const run of this.characterTable.runs(text)) {
      const letters = [" ", ...run, " "];
      for (let start = 0; start < letters.length; start++) {
        let ngram = "";
        for (const letter of letters.slice(start, start + this.longest)) {
          ngram += letter;
          const column = this.columns.get(ngram);
          if (column !== undefined) found.push({ column, run });
        }
      }
    }
    return found;
  }
}

// Weigh counts as a space does: give ascending columns and the weights of a row of unit length.
function weighed(places, { scheme, idf }) {
  const counts = new Map();
  for (const { column } of places) counts.set(column, (counts.get(column) ?? 0) + 1);
  const columns = [...counts.keys()].sort((a, b) => a - b), entries = [];
  let square = 0;
  for (const column of columns) {
    let weight = counts.get(column);
    if (scheme === "ltc" || scheme === "even") weight = Math.fround(Math.fround(Math.log(weight)) + 1);
    if (idf !== null) weight = Math.fround(weight * idf[column]);
    if (weight === 0) continue;
    square += weight * weight;
    entries.push({ column, weight });
  }
  for (const entry of entries) entry.weight = Math.fround(entry.weight / Math.sqrt(square));
  return entries;
}
