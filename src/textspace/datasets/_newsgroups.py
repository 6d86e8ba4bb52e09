"""20 Newsgroups by date, raw posts, and the eight groups of the SLSI paper."""

import hashlib
import re

from textspace.datasets._archive import read_tar
from textspace.datasets._corpus import Corpus

SUBJECT = re.compile(r"^subject:[ \t]*(.*(?:\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
SPLITS = {"20news-bydate-train": "train", "20news-bydate-test": "test"}

# X. Quan et al., "Adaptive Label-Driven Scaling for Latent Semantic Indexing" (SIGIR 2008), Table 3.
EIGHT_GROUPS = (
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
)
EIGHT_SIZE = 100


def read_bydate(path):
    """Read all posts: subject and body, the other headers dropped."""
    return _corpus("20newsgroups-bydate", _read_posts(path))


def read_eight(path):
    """Read 100 training and 100 test posts of each of eight groups, with the tree of their dotted names.

    The paper does not say which posts it drew. Here they are the first by the hash of their name: a draw that
    looks random and is the same on every machine.
    """
    posts = {place: post for place, post in _read_posts(path).items() if place[1] in EIGHT_GROUPS}
    ranked = {}
    for place in sorted(posts, key=_draw):
        ranked.setdefault(place[:2], []).append(place)
    drawn = {place for places in ranked.values() for place in places[:EIGHT_SIZE]}
    posts = {place: post for place, post in posts.items() if place in drawn}
    return _corpus("20newsgroups-8", posts, tree=dotted_tree(EIGHT_GROUPS))


def dotted_tree(names):
    """Make the tree of dotted names, child to parent.

    >>> dotted_tree(["rec.autos", "rec.sport.hockey"])
    {'rec.autos': 'rec', 'rec.sport.hockey': 'rec.sport', 'rec.sport': 'rec'}
    """
    tree = {}
    for name in names:
        while "." in name:
            parent = name.rpartition(".")[0]
            tree[name] = parent
            name = parent
    return tree


def _draw(place):
    return hashlib.sha256("/".join(place).encode()).digest()


def _corpus(name, posts, **fields):
    texts = [_subject_and_body(post) for post in posts.values()]
    return Corpus(name, texts, [group for _, group, _ in posts], [split for split, _, _ in posts], **fields)


def _read_posts(path):
    """Read the raw posts by (split, group, number), training posts first, in the order of these."""
    posts = {}
    for name, content in read_tar(path).items():
        folder, group, number = ["", "", *name.split("/")][-3:]
        if folder in SPLITS:
            posts[SPLITS[folder], group, number] = content
    return dict(sorted(posts.items(), key=lambda item: (item[0][0] != "train", item[0])))


def _subject_and_body(post):
    # Posts are of the time before UTF-8; no byte is without a meaning in Latin-1.
    headers, _, body = post.decode("latin-1").replace("\r\n", "\n").partition("\n\n")
    subject = SUBJECT.search(headers)
    return f"{subject.group(1) if subject else ''}\n\n{body}".strip()
