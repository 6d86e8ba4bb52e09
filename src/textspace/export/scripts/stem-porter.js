// M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980. A consonant y is written Y.

{
  const VOWELS = new Set("aeiouy");
  const NOT_SHORT = new Set("aeiouywxY"); // behind a short syllable
  const DOUBLES = suffixSet("bb dd ff gg mm nn pp rr tt");
  const STEP_2 = new Map(Object.entries({
    tional: "tion", enci: "ence", anci: "ance", abli: "able", entli: "ent", eli: "e", izer: "ize",
    ization: "ize", ational: "ate", ation: "ate", ator: "ate", alli: "al", alism: "al", aliti: "al",
    fulness: "ful", ousli: "ous", ousness: "ous", iveness: "ive", iviti: "ive", biliti: "ble",
  }));
  const STEP_3 = new Map(Object.entries({
    alize: "al", icate: "ic", iciti: "ic", ical: "ic", ative: "", ful: "", ness: "",
  }));
  const STEP_4 = suffixSet(
    "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize sion tion",
  );

  const hasVowel = (stem) => [...stem].some((letter) => VOWELS.has(letter));

  const endsShort = (word) => {
    const [first, second, third] = word.slice(-3);
    return word.length > 2 && !VOWELS.has(first) && VOWELS.has(second) && !NOT_SHORT.has(third);
  };

  const step1 = (word, r1) => {
    if (word.endsWith("sses") || word.endsWith("ies")) word = word.slice(0, -2);
    else if (word.endsWith("s") && !word.endsWith("ss")) word = word.slice(0, -1);
    if (word.endsWith("eed")) return word.length - 3 >= r1 ? word.slice(0, -1) : word;
    const ending = ["ed", "ing"].find((suffix) => word.endsWith(suffix));
    if (!ending || !hasVowel(without(word, ending))) return word;
    word = without(word, ending);
    if (/(at|bl|iz)$/.test(word)) return word + "e";
    if (DOUBLES.has(word.slice(-2))) return word.slice(0, -1);
    return word.length === r1 && endsShort(word) ? word + "e" : word;
  };

  const replaced = (word, endings, r1) => {
    const suffix = longestSuffix(word, endings);
    return suffix && word.length - suffix.length >= r1 ? without(word, suffix, endings.get(suffix)) : word;
  };

  const step4 = (word, r2) => {
    const suffix = longestSuffix(word, STEP_4).replace(/^[st](?=ion$)/, "");
    return suffix && word.length - suffix.length >= r2 ? without(word, suffix) : word;
  };

  const step5 = (word, r1, r2) => {
    if (word.endsWith("e")) {
      const place = word.length - 1;
      if (place >= r2 || (place >= r1 && !endsShort(word.slice(0, -1)))) word = word.slice(0, -1);
    }
    return word.endsWith("ll") && word.length - 1 >= r2 ? word.slice(0, -1) : word;
  };

  STEMMERS.porter = (word) => {
    word = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
    const r1 = region(word, VOWELS), r2 = region(word, VOWELS, r1);
    word = step1(word, r1);
    if (/[yY]$/.test(word) && hasVowel(word.slice(0, -1))) word = word.slice(0, -1) + "i";
    word = replaced(replaced(word, STEP_2, r1), STEP_3, r1);
    return step5(step4(word, r2), r1, r2).replaceAll("Y", "y");
  };
}
