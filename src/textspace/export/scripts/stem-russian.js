// Of each class the longest ending counts that lies behind the first vowel.

{
  const VOWELS = new Set("аеиоуыэюя");
  const GERUND = suffixSet("в вши вшись ив ивши ившись ыв ывши ывшись");
  const ADJECTIVE = suffixSet(
    "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею",
  );
  const PARTICIPLE = suffixSet("ем нн вш ющ щ ивш ывш ующ");
  const VERB = suffixSet(
    "ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно",
    "ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю",
  );
  const NOUN = suffixSet(
    "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я",
  );
  // These must follow а or я.
  const BEHIND_A = suffixSet(
    "в вши вшись ем нн вш ющ щ ла на ете йте ли й л н ло но ет ют ны ть ешь нно",
  );

  // Give the ending of a class; "" if there is none, or it does not follow а or я as it should.
  const ending = (word, endings, rv) => {
    const suffix = longestSuffix(word, endings, rv), place = word.length - suffix.length - 1;
    const fits = !BEHIND_A.has(suffix) || (place >= rv && (word[place] === "а" || word[place] === "я"));
    return fits ? suffix : "";
  };

  const step1 = (word, rv) => {
    const gerund = ending(word, GERUND, rv);
    if (gerund) return without(word, gerund);
    word = without(word, longestSuffix(word, suffixSet("ся сь"), rv));
    const adjective = longestSuffix(word, ADJECTIVE, rv);
    if (adjective) {
      word = without(word, adjective);
      return without(word, ending(word, PARTICIPLE, rv));
    }
    const verb = ending(word, VERB, rv);
    return verb ? without(word, verb) : without(word, longestSuffix(word, NOUN, rv));
  };

  STEMMERS.russian = (word) => {
    word = word.replaceAll("ё", "е");
    let rv = 0;
    while (rv < word.length && !VOWELS.has(word[rv])) rv++;
    rv = Math.min(rv + 1, word.length);
    const r1 = region(word, VOWELS), r2 = region(word, VOWELS, r1);
    word = step1(word, rv);
    word = without(word, longestSuffix(word, suffixSet("и"), rv));
    const derivational = longestSuffix(word, suffixSet("ост ость"), rv);
    if (word.length - derivational.length >= r2) word = without(word, derivational);
    const last = longestSuffix(word, suffixSet("нн ейш ейше ь"), rv);
    if (last === "нн") return word.slice(0, -1);
    word = without(word, last);
    return last && last !== "ь" && longestSuffix(word, suffixSet("нн"), rv) ? word.slice(0, -1) : word;
  };
}
