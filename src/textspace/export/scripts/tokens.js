// Texts into whole tokens: names, numbers, addresses and emoji.

const SIGNS = ".,\\-+#@/:&_", MONEY = "$¢£¤¥฿₠-⃀";
const FLAG = "\u{1f1e6}-\u{1f1ff}", UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff";
const UNSPACED_LETTER = new RegExp(
  `^[${UNSPACED}\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{323af}]`, "u",
);
const SENTENCE = "[A-ZÀ-ÞΑ-ΩЀ-Я][a-zß-ÿα-ωа-џ]"; // begins right behind a full stop
const MOST_DIGITS = 6; // of a number that is a token as it stands

class Tokens {
  constructor(characters) {
    this.characters = characters;
    const digits = characters.classOf("decimal", 0, 0x10ffff);
    const W = `[^${SIGNS}${MONEY}]`, D = `[${digits}]`, L = `[^${SIGNS}${MONEY}${digits}]`;
    const name = [
      `@${W}+(?:[._]${W}+)*`, // @handle
      `(?<!${W})#(?=${D}*${L})${W}+(?:_${W}+)*`, // #hashtag
      `${W}{1,4}\\+\\+(?!${W})`, `${L}#(?!${W})`, // C++, C#
      `[A-Z]{1,3}&[A-Z]{1,3}(?!${W})`, // AT&T
      `${L}-${W}+`, `${L}${W}*(?:-${D}+)+(?!${W})`, // e-mail, UTF-8
      `(?<![${SIGNS}])(?<!${W})\\.${L}${W}*`, // .NET
      `${W}+(?:\\.(?!${SENTENCE})${W}+){0,5}?\\.(?!${SENTENCE})${W}{1,4}(?!${W}|\\.${W})`, // Node.js
    ].join("|");
    this.pattern = new RegExp([
      `(?<scheme>[A-Za-z]+://)(?:www\\.)?(?<host>${W}+(?:\\.${W}+)*)?`,
      `(?:www\\.)(?<site>${W}+(?:\\.${W}+)*)`,
      `(?<money>[${MONEY}])${D}+(?:[.,]${D}+)*`,
      `${D}+(?:[.,]${D}+)*(?<behind>[${MONEY}])`,
      `(?<number>${D}+(?:[.,:/\\-]${D}+)*)(?!${W})`,
      `(?<name>${name})`,
      `(?<word>${W}+)`,
      `(?<sign>[+${MONEY}])`,
    ].join("|"), "gu");
    this.digits = new RegExp(D, "gu");
    const marks = characters.classOf("anyMark", 0xe00, 0x17ff);
    this.part = new RegExp(`[${FLAG}]{1,2}|[${UNSPACED}][${marks}]*|[^${FLAG}${UNSPACED}]+`, "gu");
    this.takenApart = new RegExp(`[${FLAG}${UNSPACED}]`, "u");
  }

  of(text) {
    let runs = "";
    for (const character of this.characters.composed(text)) {
      const rule = this.characters.rule(character);
      if (rule === STAYS) runs += character;
      else if (rule === SEPARATES) runs += SEPARATOR;
      else if (rule === STANDS_ALONE) runs += SEPARATOR + character + SEPARATOR;
      else if (rule === IS_HYPHEN) runs += "-";
    }
    return loosened(runs).split(SEPARATOR).flatMap((run) => (run ? this.cut(run) : []));
  }

  cut(run) {
    if (/^[A-Za-z]+$/.test(run)) return [run];
    const found = [];
    for (const { 0: whole, groups } of run.matchAll(this.pattern)) {
      if (groups.scheme !== undefined) {
        found.push("://");
        if (groups.host !== undefined) found.push(groups.host);
      } else if (groups.site !== undefined) found.push(groups.site);
      else if (groups.money !== undefined) found.push(groups.money + "0");
      else if (groups.behind !== undefined) found.push(groups.behind + "0");
      else if (groups.number !== undefined) found.push(this.classOf(whole));
      else if (groups.word !== undefined && this.takenApart.test(whole)) found.push(...whole.match(this.part));
      else found.push(whole);
    }
    return found;
  }

  // A number itself, or its shape where it is long or has other signs than points in it.
  classOf(number) {
    const digits = [...number.replaceAll(".", "")];
    const plain = digits.length <= MOST_DIGITS && digits.every((digit) => this.characters.is(digit, "digit"));
    return plain ? number : number.replace(this.digits, "0");
  }
}

// Make a separator of each sign that is no part of a name or number, as far as its neighbours tell.
function loosened(runs) {
  if (!/[,:/\-._&]/.test(runs)) return runs;
  const isDigit = (sign) => sign >= "0" && sign <= "9";
  const isCapital = (sign) => sign >= "A" && sign <= "Z";
  const isPart = (sign) => sign >= "\x80" || isDigit(sign) || /^[A-Za-z]$/.test(sign);
  const at = (place) => (place >= 0 && place < runs.length ? runs[place] : SEPARATOR);
  // Whether a single letter stands before a place, and no part of a word before that.
  const isSingle = (place) => {
    const first = /[\udc00-\udfff]/.test(at(place - 1)) ? place - 2 : place - 1;
    return !isPart(at(first - 1));
  };
  const result = [];
  let isTag = false;
  for (let i = 0; i < runs.length; i++) {
    const sign = runs[i];
    if (sign === SEPARATOR) isTag = false;
    else if (sign === "@" || sign === "#") isTag = true;
    if (!",:/-._&".includes(sign)) {
      result.push(sign);
      continue;
    }
    const before = at(i - 1), behind = at(i + 1);
    let stays = isDigit(before) && isDigit(behind);
    if (sign === "_") stays = isTag;
    else if (sign === "&") stays = isCapital(before) && isCapital(behind);
    else if (sign === ".") stays = isPart(behind) && (isPart(before) || before === SEPARATOR);
    else if (sign === "-") stays = isPart(before) && (isDigit(behind) || (isPart(behind) && isSingle(i)));
    else if (sign === ":") stays = stays || (behind === "/" && at(i + 2) === "/");
    else if (sign === "/") {
      stays = stays || (before === ":" && behind === "/") || (before === "/" && at(i - 2) === ":");
    }
    result.push(stays ? sign : SEPARATOR);
    if (!stays) isTag = false;
  }
  return result.join("");
}
