// u and y between vowels are written U and Y, and are no vowels then.

{
  const VOWELS = new Set("aeiouyäöü");
  const STEP_1 = suffixSet("em ern er e en es s erin erinnen ln lns");
  const STEP_2 = suffixSet("en er est st et");
  const STEP_3 = suffixSet("end ung ig ik isch lich heit keit");
  const FOLDED = { "ß": "ss", ae: "ä", oe: "ö", ue: "ü", qu: "qu" };
  const PLAIN = { "ä": "a", "ö": "o", "ü": "u", U: "u", Y: "y" };

  const marked = (word) => {
    const letters = [...word];
    for (let i = 1; i + 1 < letters.length; i++) {
      const between = VOWELS.has(letters[i - 1]) && VOWELS.has(letters[i + 1]);
      if (between && (letters[i] === "u" || letters[i] === "y")) letters[i] = letters[i].toUpperCase();
    }
    return letters.join("");
  };

  const step1 = (word, r1) => {
    const suffix = longestSuffix(word, STEP_1), stem = without(word, suffix);
    if (!suffix || stem.length < r1) return word;
    if (suffix === "em") return stem.endsWith("syst") ? word : stem;
    if (suffix === "s") return /[bdfghklmnrt]$/.test(stem) ? stem : word;
    if (suffix === "ln" || suffix === "lns") return stem + "l";
    return /^e[ns]?$/.test(suffix) && stem.endsWith("niss") ? stem.slice(0, -1) : stem;
  };

  const step2 = (word, r1) => {
    const suffix = longestSuffix(word, STEP_2), stem = without(word, suffix);
    if (!suffix || stem.length < r1) return word;
    if (suffix === "st") return /...[bdfghklmnt]$/u.test(stem) ? stem : word;
    if (suffix === "et") {
      return /[dfgklmnrstUzä]$/.test(stem) && !/(geordn|intern|plan|tick|tr)$/.test(stem) ? stem : word;
    }
    return stem;
  };

  const step3 = (word, r1, r2) => {
    const suffix = longestSuffix(word, STEP_3), stem = without(word, suffix);
    if (!suffix || stem.length < r2) return word;
    const shorter = (endings, from) => {
      const more = endings.find((ending) => stem.endsWith(ending));
      return more && stem.length - more.length >= from ? without(stem, more) : stem;
    };
    if (suffix === "end" || suffix === "ung") return stem.endsWith("eig") ? stem : shorter(["ig"], r2);
    if (suffix === "lich" || suffix === "heit") return shorter(["er", "en"], r1);
    if (suffix === "keit") return shorter(["lich", "ig"], r2);
    return stem.endsWith("e") ? word : stem;
  };

  STEMMERS.german = (word) => {
    word = marked(word).replace(/ß|qu|ae|oe|ue/g, (letters) => FOLDED[letters]);
    const first = region(word, VOWELS), r2 = region(word, VOWELS, first), r1 = Math.max(first, 3);
    word = step3(step2(step1(word, r1), r1), r1, r2);
    return word.replace(/[äöüUY]/g, (letter) => PLAIN[letter]);
  };
}
