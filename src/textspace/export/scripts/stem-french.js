// Letters that are no vowels where they stand are written in capitals: U, I, Y, and H for a diaeresis.

{
  const VOWELS = new Set("aeiouyâàëéêèïîôûù");
  const STEP_1 = suffixSet(
    "ance iqUe isme able iste eux ances iqUes ismes ables istes atrice ateur ation atrices ateurs ations",
    "logie logies usion ution usions utions ence ences ement ements ité ités if ive ifs ives eaux aux oux",
    "euse euses issement issements amment emment ment ments",
  );
  const WITH_I = suffixSet(
    "îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is",
    "issaIent issais issait issant issante issantes issants isse issent isses issez issiez issions issons it",
  );
  const WITH_E = suffixSet(
    "é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez",
  );
  const WITH_A = suffixSet(
    "âmes ât âtes a ai aIent ait ant ante antes ants as asse assent asses assiez assions ais",
  );
  const WITH_S = suffixSet("ais aise aises");
  const OTHERS = new Set(["ions", ...WITH_E, ...WITH_A, ...WITH_S]);
  const PLAIN = { I: "i", U: "u", Y: "y", He: "ë", Hi: "ï", H: "" };

  const marked = (word) => {
    const letters = [...word], isVowel = (place) => VOWELS.has(letters[place]);
    for (let i = 0; i < letters.length; i++) {
      const next = letters[i + 1];
      if (isVowel(i) && (next === "u" || next === "i") && isVowel(i + 2)) letters[i + 1] = next.toUpperCase();
      else if (isVowel(i) && next === "y") letters[i + 1] = "Y";
      if (letters[i] === "y" && isVowel(i + 1)) letters[i] = "Y";
      if (letters[i] === "q" && next === "u") letters[i + 1] = "U";
    }
    return letters.join("").replaceAll("ë", "He").replaceAll("ï", "Hi");
  };

  const verbRegion = (word) => {
    const isVowel = (place) => VOWELS.has(word[place]);
    if (isVowel(0) && isVowel(1) && word.length > 2) return 3;
    if (/^(par|col|tap)/.test(word) || (word.startsWith("ni") && isVowel(2))) return 3;
    let place = 1;
    while (place < word.length && !isVowel(place)) place++;
    return Math.min(place + 1, word.length);
  };

  // Give the word that standard suffixes make, or null; `more` says whether those of verbs come next.
  const step1 = (word, rv, r1, r2) => {
    const suffix = longestSuffix(word, STEP_1), stem = without(word, suffix), place = stem.length;
    const none = { word, more: true };
    const as = (changed) => ({ word: changed, more: false });
    const cut = (own, ending, replacement) => {
      if (!own.endsWith(ending)) return null;
      const start = own.length - ending.length;
      if (start >= r2) return own.slice(0, start);
      return replacement === undefined ? own : own.slice(0, start) + replacement;
    };
    if (!suffix) return none;
    if (/^(ance|iqUe|isme|able|iste)s?$|^eux$/.test(suffix)) return place >= r2 ? as(stem) : none;
    if (/^at(rice|eur|ion)s?$/.test(suffix)) return place >= r2 ? as(cut(stem, "ic", "iqU") ?? stem) : none;
    if (/^logies?$/.test(suffix)) return place >= r2 ? as(stem + "log") : none;
    if (/^u[st]ions?$/.test(suffix)) return place >= r2 ? as(stem + "u") : none;
    if (/^ences?$/.test(suffix)) return place >= r2 ? as(stem + "ent") : none;
    if (/^ements?$/.test(suffix)) return place >= rv ? as(adverb(stem, cut, rv, r1, r2)) : none;
    if (/^ités?$/.test(suffix)) {
      return place >= r2 ? as(cut(stem, "abil", "abl") ?? cut(stem, "ic", "iqU") ?? cut(stem, "iv") ?? stem) : none;
    }
    if (/^i(f|ve)s?$/.test(suffix)) {
      if (place < r2) return none;
      const shorter = cut(stem, "at");
      return as(shorter !== null && shorter !== stem ? cut(shorter, "ic", "iqU") ?? shorter : stem);
    }
    if (suffix === "eaux") return as(stem + "eau");
    if (suffix === "aux") return place >= r1 ? as(stem + "al") : none;
    if (suffix === "oux") return /[bhjlnp]$/.test(stem) ? as(stem + "ou") : none;
    if (/^euses?$/.test(suffix)) return place >= r2 ? as(stem) : place >= r1 ? as(stem + "eux") : none;
    if (/^issements?$/.test(suffix)) {
      return place >= r1 && place > 0 && !VOWELS.has(stem[place - 1]) ? as(stem) : none;
    }
    if (suffix === "amment") return { word: place >= rv ? stem + "ant" : word, more: true };
    if (suffix === "emment") return { word: place >= rv ? stem + "ent" : word, more: true };
    return { word: place - 1 >= rv && VOWELS.has(stem[place - 1]) ? stem : word, more: true };
  };

  const adverb = (stem, cut, rv, r1, r2) => {
    const start = (ending) => (stem.endsWith(ending) ? stem.length - ending.length : -1);
    if (start("iv") >= 0) {
      const shorter = cut(stem, "iv");
      return shorter === stem ? stem : cut(shorter, "at") ?? shorter;
    }
    if (start("eus") >= 0) {
      return start("eus") >= r2 ? without(stem, "eus") : start("eus") >= r1 ? without(stem, "s", "x") : stem;
    }
    if (start("abl") >= 0 || start("iqU") >= 0) return cut(stem, stem.slice(-3));
    return /[iI]èr$/.test(stem) && stem.length - 3 >= rv ? stem.slice(0, -3) + "i" : stem;
  };

  const verb = (word, rv, r2) => {
    const suffix = longestSuffix(word, WITH_I, rv), place = word.length - suffix.length - 1;
    if (suffix && place >= rv && !VOWELS.has(word[place]) && word[place] !== "H") return without(word, suffix);
    const other = longestSuffix(word, OTHERS, rv), stem = without(word, other);
    if (other === "ions") return stem.length >= r2 ? stem : word;
    if (WITH_S.has(other) && /^.al$|auv$|épl$/.test(stem)) return word;
    return WITH_A.has(other) && stem.endsWith("e") && stem.length - 1 >= rv ? stem.slice(0, -1) : stem;
  };

  const residual = (word, rv, r2) => {
    if (/[^aiouès]s$|His$/.test(word)) word = word.slice(0, -1);
    const suffix = longestSuffix(word, suffixSet("ion ier ière Ier Ière e"), rv), stem = without(word, suffix);
    if (suffix === "ion") {
      return stem.length >= r2 && stem.length - 1 >= rv && /[st]$/.test(stem) ? stem : word;
    }
    return suffix.length > 1 ? stem + "i" : stem;
  };

  STEMMERS.french = (word) => {
    word = marked(word);
    const rv = verbRegion(word), r1 = region(word, VOWELS), r2 = region(word, VOWELS, r1);
    const first = step1(word, rv, r1, r2);
    const changed = first.more ? verb(first.word, rv, r2) : first.word;
    word = changed !== word
      ? changed.replace(/Y$/, "i").replace(/ç$/, "c")
      : residual(changed, rv, r2);
    word = word.replace(/(enn|onn|ett|ell|eill)$/, (ending) => ending.slice(0, -1));
    word = word.replace(/[éè]([^aeiouyâàëéêèïîôûù]+)$/, "e$1");
    return word.replace(/H[ei]|[HIUY]/g, (letters) => PLAIN[letters]);
  };
}
