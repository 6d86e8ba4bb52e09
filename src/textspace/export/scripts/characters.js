// What becomes of characters: a table of this model's version of Unicode, whatever that of the browser is.

const SEPARATOR = "\0";
const [SEPARATES, STAYS, STANDS_ALONE, VANISHES, IS_HYPHEN] = [0, 1, 2, 3, 4];
const FLAGS = { space: 8, alpha: 16, decimal: 32, digit: 64, upper: 128, lower: 256, mark: 512, known: 1024, anyMark: 2048 };
const MOST_MARKS = 30;

class Characters {
  // `starts` and `numbers` of the ranges, as Python's `character_table` gives them.
  constructor({ starts, numbers }) {
    this.starts = starts;
    this.numbers = numbers;
    this.low = Uint16Array.from({ length: 0x3000 }, (_, code) => this.search(code));
  }

  // Characters that have a flag, between two of them, as the inside of a class of a regular expression.
  classOf(flag, first, last) {
    const code = (place) => `\\u{${place.toString(16)}}`;
    let ranges = "";
    for (let i = 0; i + 1 < this.starts.length; i++) {
      const inside = this.starts[i] >= first && this.starts[i] <= last;
      if (inside && this.numbers[i] & FLAGS[flag]) ranges += `${code(this.starts[i])}-${code(this.starts[i + 1] - 1)}`;
    }
    return ranges;
  }

  search(code) {
    let low = 0, high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= code) low = middle;
      else high = middle;
    }
    return this.numbers[low];
  }

  number(code) {
    return code < this.low.length ? this.low[code] : this.search(code);
  }

  is(character, flag) {
    return (this.number(character.codePointAt(0)) & FLAGS[flag]) !== 0;
  }

  rule(character) {
    return this.number(character.codePointAt(0)) & 7;
  }

  // Apply a function to the stretches of known characters: newer ones mean nothing here.
  known(text, change) {
    let result = "", stretch = "";
    for (const character of text) {
      if (this.is(character, "known")) {
        stretch += character;
      } else {
        result += change(stretch) + character;
        stretch = "";
      }
    }
    return result + change(stretch);
  }

  // Of more than 30 marks in a row, those beyond become a character without effect.
  withFewMarks(text) {
    let result = "", n = 0;
    for (const character of text) {
      n = this.is(character, "mark") ? n + 1 : 0;
      result += n > MOST_MARKS ? "\u034f" : character;
    }
    return result;
  }

  composed(text) {
    if (isAscii(text)) return text;
    return this.known(this.withFewMarks(text), (part) => part.normalize("NFKC"));
  }

  folded(text) {
    if (isAscii(text)) return text.toLowerCase();
    const lower = this.known(text, (part) => part.toLowerCase());
    return this.known(this.withFewMarks(lower), (part) => part.normalize("NFC"));
  }

  lower(token, isTurkish) {
    if (isTurkish) token = token.replaceAll("I", "ı");
    return this.known(token, (part) => part.toLowerCase()).replaceAll("i\u0307", "i");
  }

  // Runs of characters between white space; half a surrogate pair becomes the replacement character.
  runs(text) {
    let run = "";
    const found = [];
    for (const character of this.folded(text)) {
      if (character === SEPARATOR || this.is(character, "space")) {
        if (run) found.push(run);
        run = "";
      } else {
        run += /^[\ud800-\udfff]$/.test(character) ? "\ufffd" : character;
      }
    }
    if (run) found.push(run);
    return found;
  }

  // Whether a token has no ending to be cut off: short, in a few capitals, or not of letters only.
  isName(token) {
    const letters = [...token];
    if (letters.length < 4 || !letters.every((letter) => this.is(letter, "alpha"))) return true;
    return letters.length <= 5 && letters.some((letter) => this.is(letter, "upper")) &&
      !letters.some((letter) => this.is(letter, "lower"));
  }
}

function isAscii(text) {
  return /^[\0-\x7f]*$/.test(text);
}
