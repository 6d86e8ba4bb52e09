"""What may be wrong with a set of labelled documents, before anything is learned from it."""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np

from textspace._label_lists import are_lists
from textspace.datasets._label_cells import list_separator
from textspace.datasets._label_checks import as_texts, of_label_lists, one_a_row
from textspace.datasets._missing import missing_marks

RARE = 5  # documents: a class with fewer is hard to learn
FEW = 5  # documents, each of a class of its own, are a beginning
DOCUMENTS_A_CLASS = 3  # with fewer on average, the labels may be no classes at all
FEWEST_WORDS = 3
LETTERS_A_WORD = 2  # of writing without spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
)
MOST_CHARACTERS = 100_000
NEAR = 0.95  # cosine of texts that are almost the same
NAMED = 5  # labels, or languages, in a sentence
TELLING = 100  # characters of a text whose language can be told
# UTF-8 that was taken for Western European text, in which é became Ã© and ’ became â€™.
MOJIBAKE = re.compile("Ã[\u00a0-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ•–—˜™š›œžŸ]|â€[™œž˜¦\u009d]|ï»¿")
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
HTML = re.compile(r"</[a-z][a-z0-9]*\s*>|<(a|br|div|hr|img|p|span)\b[^<>]*>|&(nbsp|amp|lt|gt|quot|#\d+);")


@dataclass(frozen=True)
class Finding:
    """Something that a user may want to put right.

    Parameters
    ----------
    kind : str
        What it is, in a word or two: "duplicates", "rare classes" ...
    sentence : str
        What was found.
    remedy : str
        What to do.
    groups : list of list of int, default=()
        Positions of the documents concerned; those of one group belong together.
    stops : bool, default=False
        Whether nothing can be learned until it is put right.
    """

    kind: str
    sentence: str
    remedy: str
    groups: list = ()
    stops: bool = False


def check_documents(
    texts, labels, *, split=None, tree=None, missing=True, lists=True, near=True, language=None
):
    """Look for what may be wrong with documents.

    Parameters
    ----------
    texts : list of str
        Documents.
    labels : list of str, or list of tuple of str
        Their labels, "" for none. Of several labels a document a tuple for each, None where not known.
    split : list of str, default=None
        "train", "test" or "unlabelled" for each; None where there is no split.
    tree : LabelTree, default=None
        Categories in which the labels lie.
    missing : bool, default=True
        Whether to look for labels that may stand for none, such as "n/a".
    lists : bool, default=True
        Whether to look for single labels that may be lists, such as "a;b".
    near : bool, default=True
        Whether to look for texts that are almost the same and for those without words, which takes longest.
    language : str, default=None
        Code of the language that the texts should be in (:data:`textspace.text.LANGUAGES`), to look for those
        in another one; any by default.

    Returns
    -------
    list of Finding
        Those that stop learning come first.

    Examples
    --------
    >>> texts = ["Corn and wheat rose.", "Corn and  wheat rose.", "A ship ran aground", "Ships at sea"]
    >>> for finding in check_documents(texts, ["grain", "ship", "ship", "ship"]):
    ...     print(finding.kind, finding.groups)
    classes ()
    rare classes [[0], [1, 2, 3]]
    duplicates [[0, 1]]
    conflicts [[0, 1]]
    """
    others = list(_of_languages(texts, language)) if language else []
    if are_lists(labels):
        return _check_several(texts, labels, split, tree, missing=missing, near=near) + others
    # A document without a text is left out when a model is trained, and its label with it.
    labels = np.where([bool(text.strip()) for text in texts], np.asarray(labels, dtype=str), "")
    split = np.asarray(["train"] * len(texts) if split is None else split, dtype=str)
    counts = Counter(labels[(labels != "") & (split == "train")].tolist())
    found = [
        *(_of_lists(labels) if lists else ()),
        *_of_counts(counts, counts.total()),
        *_of_labels(labels, split, tree, missing=missing),
        *_of_each_text(texts),
        *_of_repeats(texts, labels, split, near=near),
        *others,
    ]
    return sorted(found, key=lambda finding: not finding.stops)


def _check_several(texts, labels, split, tree, *, missing, near):
    """Look at documents of several labels, at the labels one by one as at those of single ones."""
    lists = [each if text.strip() and each != "" else None for text, each in zip(texts, labels, strict=True)]
    split = np.asarray(["train"] * len(texts) if split is None else split, dtype=str)
    ones, parts, rows = one_a_row(lists, split)
    counts = Counter(ones[parts == "train"].tolist())
    by_label = [
        replace(finding, groups=[rows[group].tolist() for group in finding.groups])
        for finding in _of_labels(ones, parts, tree, missing=missing)
    ]
    found = [
        *(Finding(*each) for each in of_label_lists(lists, split)),
        *(_of_counts(counts, sum(each is not None for each in lists)) if len(counts) > 1 else ()),
        *by_label,
        *_of_each_text(texts),
        *_of_repeats(texts, as_texts(lists), split, near=near),
    ]
    return sorted(found, key=lambda finding: not finding.stops)


def _of_labels(labels, split, tree, *, missing):
    known = labels != ""
    counts = Counter(labels[known & (split == "train")].tolist())
    marks = missing_marks(labels.tolist()) if missing else {}
    if marks:
        yield Finding(
            "missing labels",
            f"{_listed(map(repr, marks))} may stand for no label at all.",
            "Add --missing drop to take these documents as unlabelled, or --missing keep to learn them as "
            "classes.",
            list(marks.values()),
            stops=True,
        )
    if tree is not None:
        try:
            tree.check_labels(labels[known])
        except ValueError as error:
            yield Finding("tree", str(error), "Correct the labels, or the tree.", stops=True)
    rare = sorted(
        (label for label in counts if counts[label] < RARE), key=lambda label: (counts[label], label)
    )
    if rare:
        named = _listed([f"{label!r} ({counts[label]})" for label in rare])
        yield Finding(
            "rare classes",
            f"{_count(len(rare), 'class has', 'classes have')} fewer than {RARE} documents: {named}.",
            "Collect more, or give these documents the label of a larger class.",
            [np.flatnonzero((labels == label) & (split == "train")).tolist() for label in rare],
        )
    common = Counter(labels[known].tolist())
    for alike in _spellings(common):
        yield Finding(
            "spellings",
            f"{_listed([repr(label) for label in alike])} are different classes, but differ in case, spaces, "
            "hyphens or accents only.",
            f"If they are one class, write all as {max(alike, key=common.get)!r}.",
            [np.flatnonzero(labels == label).tolist() for label in alike],
        )
    unseen = sorted(set(labels[known & (split == "test")].tolist()) - set(counts))
    if unseen:
        yield Finding(
            "unseen labels",
            f"{_count(len(unseen), 'label', 'labels')} of test documents, {_listed(map(repr, unseen))}, "
            "have no training document, so that no model can give them.",
            "Correct these labels, or use some of these documents for training.",
            [np.flatnonzero((labels == label) & (split == "test")).tolist() for label in unseen],
        )


def _of_lists(labels):
    """Look for single labels that seem to be lists."""
    separator = list_separator(labels.tolist())
    if separator:
        yield Finding(
            "label lists",
            f"labels look like lists separated by {separator!r}: add --several {separator!r} or --several "
            "none.",
            "As it is, each list is a class of its own.",
            [[row] for row, label in enumerate(labels) if separator in label],
            stops=True,
        )


def _of_counts(counts, n_documents):
    """Look at how many labels there are."""
    if len(counts) < 2:
        have = f"only the label {next(iter(counts))!r}" if counts else "no labels"
        yield Finding(
            "classes",
            f"The documents to train on have {have}: there is nothing to tell apart.",
            "Give a file with two labels or more, or name another column with --label.",
            stops=True,
        )
    elif len(counts) == counts.total() > FEW:
        yield Finding(
            "classes",
            f"Each of the {len(counts)} labels is on one document only: there is nothing to learn from.",
            "Name another column with --label: these are identifiers, or texts.",
            stops=True,
        )
    elif counts.total() < DOCUMENTS_A_CLASS * len(counts):
        yield Finding(
            "classes",
            f"There are {len(counts)} labels for {n_documents} documents.",
            "Name another column with --label if these are no categories; else merge labels.",
        )


def _spellings(labels):
    alike = defaultdict(list)
    for label in sorted(labels):
        letters = unicodedata.normalize("NFKC", label).casefold()
        alike[re.sub(r"[\s_-]+", " ", letters)].append(label)
    return [group for group in alike.values() if len(group) > 1]


def _of_each_text(texts):
    """Look at one text at a time."""
    traits = [
        (
            "empty",
            lambda text: not text.strip(),
            "no text",
            "Such rows are left out: fill in the text, or delete them.",
        ),
        (
            "short",
            lambda text: 0 < _n_words(text) < FEWEST_WORDS,
            f"fewer than {FEWEST_WORDS} words",
            "Look at some: little can be learned from them.",
        ),
        (
            "long",
            lambda text: len(text) > MOST_CHARACTERS,
            f"more than {MOST_CHARACTERS:,} characters",
            "Look at some: a missing quotation mark may have put several documents into one.",
        ),
        (
            "encoding",
            lambda text: not text.isascii() and ("\ufffd" in text or MOJIBAKE.search(text)),
            "letters that were lost or garbled by a wrong encoding, such as \ufffd or Ã©",
            "Write the file again from its source as UTF-8, or give its --encoding.",
        ),
        (
            "HTML",
            HTML.search,
            "tags or signs of HTML, such as <br> or &nbsp;",
            "Take them out: else they are learned as words.",
        ),
        (
            "control characters",
            CONTROL.search,
            "control characters, such as NUL",
            "They are taken as spaces: delete them if they stand within words.",
        ),
    ]
    for kind, has, what, remedy in traits:
        rows = [[row] for row, text in enumerate(texts) if has(text)]
        if rows:
            yield Finding(
                kind, f"{_count(len(rows), 'document has', 'documents have')} {what}.", remedy, rows
            )


def _of_repeats(texts, labels, split, *, near):
    """Look for texts that occur again, in other words or in the same ones."""
    same = defaultdict(list)
    for row, text in enumerate(texts):
        if text.strip():
            same[" ".join(text.split())].append(row)
    same = list(same.values())
    yield from _of_groups(same, labels, split, prefix="", text="the same text")
    if not near:
        return
    # A text of train and test is leakage by itself; here it stands for its training document.
    firsts = [min(rows, key=lambda row: (split[row] != "train", row)) for rows in same]
    blank, alike = _almost_the_same(texts, firsts)
    if blank:
        yield Finding(
            "no words",
            f"{_count(len(blank), 'text has', 'texts have')} no word to learn from: only stop words, numbers "
            "or signs.",
            "Look at some: all that can be said of them is which class is the most frequent.",
            [[row] for row in blank],
        )
    yield from _of_groups(alike, labels, split, prefix="near-", text="almost the same text")


def _almost_the_same(texts, rows):
    """Give the rows whose texts have no words, and lists of rows whose texts are almost the same."""
    from sklearn.feature_extraction.text import TfidfTransformer

    from textspace.datasets._near_duplicates import near_duplicates
    from textspace.text import VectorSpace

    try:
        counts = VectorSpace(scheme="tf").fit_transform([texts[row] for row in rows])
    except ValueError:  # not one of them has a word
        return rows, []
    # Its weights are never zero, as they are elsewhere for a word of every text: here that is a word too.
    X = TfidfTransformer().fit_transform(counts)
    groups = defaultdict(list)
    for row, group in zip(rows, near_duplicates(X, threshold=NEAR), strict=True):
        groups[group].append(row)
    return [rows[i] for i in np.flatnonzero(np.diff(X.indptr) == 0)], list(groups.values())


def _of_groups(groups, labels, split, *, prefix, text):
    """Look at groups of documents of one text: within train or test, between the two, and at their labels."""
    groups = [rows for rows in groups if len(rows) > 1]
    names = np.unique(split)
    within = [[row for row in rows if split[row] == name] for rows in groups for name in names]
    within = [rows for rows in within if len(rows) > 1]
    if within:
        yield Finding(
            f"{prefix}duplicates",
            f"{sum(map(len, within))} documents share {text} with others, in "
            f"{_count(len(within), 'group', 'groups')}.",
            "Keep one of each: repeats weigh double and make scores look better than they are.",
            within,
        )
    across = [rows for rows in groups if {"train", "test"} <= set(split[rows].tolist())]
    if across:
        n_test = sum(np.count_nonzero(split[rows] == "test") for rows in across)
        yield Finding(
            f"{prefix}leakage",
            f"{_count(n_test, 'test document has', 'test documents have')} {text} as a training document.",
            "Delete them from one of the two: scores on them say nothing about new documents.",
            across,
        )
    differing = [rows for rows in groups if len(set(labels[rows].tolist()) - {""}) > 1]
    if differing:
        yield Finding(
            f"{prefix}conflicts",
            f"The labels differ in {_count(len(differing), 'group', 'groups')} of documents with {text}.",
            "Decide which label is right, and correct the others.",
            differing,
        )


def _n_words(text):
    """Count the words of a text, about, where no spaces part them.

    >>> _n_words("corn rose"), _n_words("小麦が上がった")
    (2, 4)
    """
    words = len(text.split())
    if text.isascii() or words >= FEWEST_WORDS:
        return words
    return max(words, -(-len(UNSPACED.findall(text)) // LETTERS_A_WORD))


def _count(number, one, many):
    return f"{number} {one if number == 1 else many}"


def _listed(names):
    names = list(names)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _of_languages(texts, language):
    """Find texts that are long enough to tell that they are in another language than they should be."""
    from textspace.text import LANGUAGES, detect_languages

    long = [row for row, text in enumerate(texts) if len(text.strip()) >= TELLING]
    told = detect_languages([texts[row] for row in long])
    others = defaultdict(list)
    for row, code in zip(long, told, strict=True):
        if code not in (language, ""):
            others[code].append(row)
    if others:
        most = sorted(others, key=lambda code: -len(others[code]))
        names = ", ".join(f"{LANGUAGES[code].name} ({len(others[code])})" for code in most[:NAMED])
        yield Finding(
            "languages",
            f"{sum(map(len, others.values()))} of {len(long)} texts of {TELLING} characters and more are not "
            f"in {LANGUAGES[language].name}, but in {names}{', ...' if len(most) > NAMED else ''}.",
            "Look at them: with --language auto each text has the stems and stop words of its own language.",
            [others[code] for code in most],
        )
