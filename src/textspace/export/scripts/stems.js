// Stemmers of words in lower case, after the algorithms that are described at snowballstem.org.
// Each file stem-NAME.js adds one; only those of a model's languages stand in its page.

const STEMMERS = {};

// Give the longest of some suffixes that a word ends in, at or behind a place; "" if there is none.
function longestSuffix(word, suffixes, from = 0) {
  for (let start = from; start < word.length; start++) {
    if (suffixes.has(word.slice(start))) return word.slice(start);
  }
  return "";
}

function suffixSet(...lists) {
  return new Set(lists.join(" ").split(/\s+/));
}

// Give the place behind the first letter that is no vowel and stands behind a vowel, from a place on.
function region(word, vowels, from = 0) {
  let place = from;
  while (place < word.length && !vowels.has(word[place])) place++;
  while (place < word.length && vowels.has(word[place])) place++;
  return Math.min(place + 1, word.length);
}

function without(word, suffix, replacement = "") {
  return word.slice(0, word.length - suffix.length) + replacement;
}
