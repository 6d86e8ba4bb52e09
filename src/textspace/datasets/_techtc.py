"""TechTC-100: a hundred tasks of two classes, pages of the Open Directory as term counts.

E. Gabrilovich and S. Markovitch, "Text Categorization with Many Redundant Features: Using Aggressive Feature
Selection to Make SVMs Competitive with C4.5" (ICML 2004). The archive has a folder Exp_ID1_ID2 a task, named
by the two categories. In it, vectors.dat has the documents in SVM-light form, +1 for the first category and
-1 for the second, and features.idx numbers the words.
"""

import re

from textspace.datasets._archive import damaged, read_zip, zip_names
from textspace.datasets._corpus import Corpus
from textspace.datasets._vectors import malformed, read_vectors

N_TASKS = 100
VECTORS = re.compile(r"(?:^|/)Exp_(\d+)_(\d+)/vectors\.dat$")


def read_techtc(path):
    """Read the tasks one after the other, in the order of their categories' numbers.

    They are corpora of counts, with the words in `terms` and the numbers of the two categories as labels.
    """
    tasks = {}
    for name in zip_names(path):
        found = VECTORS.search(name)
        if found:
            tasks[int(found[1]), int(found[2])] = name
    if len(tasks) != N_TASKS:
        raise damaged(path, f"it gives {len(tasks)} tasks where {N_TASKS} are expected")
    for (first, second), name in sorted(tasks.items()):
        index = f"{name.removesuffix('vectors.dat')}features.idx"
        words, vectors = (content.decode("latin-1") for content in read_zip(path, [index, name]))
        terms = _read_terms(words, f"{path}, {index}")
        labels, counts = read_vectors(
            vectors.split("\n"),
            f"{path}, {name}",
            n_terms=len(terms),
            read_label={"+1": str(first), "1": str(first), "-1": str(second)}.__getitem__,
        )
        if set(labels) != {str(first), str(second)}:
            raise damaged(path, f"{name} does not have documents of two classes")
        yield Corpus(f"techtc-{first}-{second}", counts, labels, terms=terms)


def _read_terms(content, where):
    """Read the words: a number and a word a line, the numbers from 1 on; "#" begins a comment."""
    terms = []
    for row, line in enumerate(content.split("\n"), start=1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        if fields[0] != str(len(terms) + 1):
            raise malformed(where, row, line, 0, f"the number {len(terms) + 1}")
        if len(fields) != 2:
            raise malformed(where, row, line, min(len(fields), 2), "a number and one word")
        terms.append(fields[1])
    return terms
