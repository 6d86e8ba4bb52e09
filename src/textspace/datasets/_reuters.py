"""The subsets of Reuters-21578 (SGML) that the papers use.

The ModApte split is the one with TOPICS="YES" and LEWISSPLIT="TRAIN" or "TEST" (D. D. Lewis's README).
"""

import html
import re
from collections import Counter
from typing import NamedTuple

from textspace.datasets._archive import read_tar
from textspace.datasets._corpus import Corpus

# X. Quan et al., "Adaptive Label-Driven Scaling for Latent Semantic Indexing" (SIGIR 2008), names the leaves
# in its tables. The parents of tree (a) are the Reuters topics that the leaves most often come with.
TREE_A = {"corn": "grain", "wheat": "grain", "ship": "crude", "nat-gas": "crude"}
TREE_B = {
    "barley": "food",
    "rice": "food",
    "cocoa": "food",
    "copper": "metal",
    "iron-steel": "metal",
    "tin": "metal",
}
PARENTS_NOTE = "The paper's text names the leaves of the tree only; the parents {parents} are inferred."

MODAPTE = re.compile(r'<REUTERS TOPICS="YES" LEWISSPLIT="(TRAIN|TEST)"')
MARK_UP = re.compile(r"<[^>]*>")


class Story(NamedTuple):
    """A story of the ModApte split."""

    split: str
    topics: list
    source: str  # its SGML

    @property
    def text(self):
        """Title and body; a story that is not divided into these (TYPE="UNPROC") as a whole."""
        texts = [_between(self.source, f"<{tag}>", f"</{tag}>") for tag in ("TITLE", "BODY")]
        if texts == ["", ""]:
            texts = [MARK_UP.sub(" ", _between(self.source, "<TEXT", "</TEXT>").partition(">")[2])]
        # html.unescape turns the references to control characters, which frame each story, into nothing.
        return html.unescape("\n".join(texts)).strip()


def read_modapte_41(path):
    """Read the 41 categories of D. Cai et al., "Support Tensor Machines for Text Categorization" (2006).

    Stories with a body and exactly one topic (one that is listed twice counts as two); topics with at least
    ten of these stories.
    """
    stories = [s for s in _read_stories(path) if len(s.topics) == 1 and "<BODY>" in s.source]
    sizes = Counter(story.topics[0] for story in stories)
    stories = [story for story in stories if sizes[story.topics[0]] >= 10]
    return _corpus("reuters-modapte-41", stories, [story.topics[0] for story in stories])


def read_modapte_90(path):
    """Read the stories with at least one of the 90 topics that both a training and a test story have.

    Y. Yang and X. Liu, "A re-examination of text categorization methods" (SIGIR 1999). This rule gives 7,770
    training stories; some copies of the collection have one fewer. A topic that a story lists twice counts
    once.
    """
    stories = _read_stories(path)
    learned, tested = (
        {topic for story in stories if story.split == side for topic in story.topics}
        for side in ("train", "test")
    )
    stories = [story for story in stories if learned & tested & set(story.topics)]
    labels = [[topic for topic in story.topics if topic in learned & tested] for story in stories]
    return _corpus("reuters-modapte-90", stories, labels)


def read_tree(name, tree, path):
    """Read the stories, of every text type, that have exactly one of a tree's leaves among their topics."""
    stories, labels = [], []
    for story in _read_stories(path):
        leaves = [topic for topic in story.topics if topic in tree]
        if len(leaves) == 1:
            stories.append(story)
            labels += leaves
    parents = " and ".join(repr(parent) for parent in dict.fromkeys(tree.values()))
    return _corpus(name, stories, labels, tree=dict(tree), notes=(PARENTS_NOTE.format(parents=parents),))


def _corpus(name, stories, labels, **fields):
    return Corpus(
        name, [story.text for story in stories], labels, [story.split for story in stories], **fields
    )


def _read_stories(path):
    """Read the stories of the ModApte split in the order of the collection."""
    contents = read_tar(path)
    stories = []
    for name in sorted(name for name in contents if name.endswith(".sgm")):
        # One byte of the collection is not ASCII; Latin-1 takes it.
        for source in contents[name].decode("latin-1").split("</REUTERS>"):
            found = MODAPTE.search(source)
            if found:
                topics = _between(source, "<TOPICS>", "</TOPICS>").replace("<D>", "").split("</D>")[:-1]
                stories.append(Story(found.group(1).lower(), topics, source))
    return stories


def _between(text, start, end):
    return text.partition(start)[2].partition(end)[0]
