// Which of some languages a text is in: n-grams of its first characters are hashed, and weights added up.

const LONGEST_HASHED = 4, LOOKED_AT = 600, HASH_FACTOR = 0x9e3779b97f4a7c15n, ALL_BITS = (1n << 64n) - 1n;

// Give the position of the language; the first where the text has no letters.
function languageOf(text, weights, nLanguages, characters) {
  const nBits = Math.log2(weights.length / nLanguages);
  const scores = new Int32Array(nLanguages);
  const begun = characters.known([...text].slice(0, LOOKED_AT).join(""), (part) => part.toLowerCase());
  let history = [hashed(0n, " ")], last = " ", hasLetter = false;
  for (let character of [...begun, " "]) {
    if (character < "\x80" && !/[A-Za-z]/.test(character)) character = " ";
    if (character === " " && last === " ") continue;
    hasLetter ||= character !== " ";
    last = character;
    history = [0n, ...history.slice(0, LONGEST_HASHED - 1)].map((before) => hashed(before, character));
    for (const hash of history) {
      const row = Number(hash >> BigInt(64 - nBits)) * nLanguages;
      for (let i = 0; i < nLanguages; i++) scores[i] += weights[row + i];
    }
  }
  return hasLetter ? scores.indexOf(Math.max(...scores)) : 0;
}

function hashed(before, character) {
  return ((before ^ BigInt(character.codePointAt(0) + 1)) * HASH_FACTOR) & ALL_BITS;
}
