import hashlib
from collections import Counter
from functools import cache

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.datasets import binary_tasks
from textspace.datasets._pairs import FAMILIES, choose_pairs


@cache
def tasks_or_skip():
    try:
        return list(binary_tasks(download=False))
    except FileNotFoundError as missing:
        pytest.skip(f"techtc-standin is not in the data folder: {missing}")


def is_near(source, first, second):
    return any({first, second} <= set(family) for family in FAMILIES[source])


def test_pairs_are_a_hundred_and_differ():
    pairs = choose_pairs()
    assert len(pairs) == len({frozenset(pair) for pair in pairs}) == 100


def test_near_and_far_pairs_of_both_corpora_are_mixed():
    pairs = choose_pairs()
    kinds = Counter((source, is_near(source, first, second)) for source, first, second in pairs)
    assert sum(count for (_, near), count in kinds.items() if near) == 54
    assert min(kinds.values()) >= 5
    assert len({(source, is_near(source, *pair)) for source, *pair in pairs[:20]}) == 4


def test_families_are_classes_of_the_corpora(corpus_or_skip):
    for source, families in FAMILIES.items():
        corpus = corpus_or_skip(source)
        sizes = Counter(corpus.labels.tolist())
        labels = [label for family in families for label in family]
        assert len(labels) == len(set(labels))
        # the 20 groups, and the topics that are large enough
        assert set(labels) == {label for label, size in sizes.items() if size >= 80}


@pytest.mark.slow
def test_every_task_has_75_documents_of_each_class_and_none_twice():
    tasks = tasks_or_skip()
    assert len(tasks) == 100
    for number, task in enumerate(tasks, start=1):
        assert task.name == f"techtc-standin-{number:03d}"
        assert Counter(task.labels.tolist()) == dict.fromkeys(task.classes.tolist(), 75)
        assert len(task.classes) == 2
        assert len(set(task.texts)) == 150
        assert task.split is None


def test_name_and_note_say_that_it_stands_in():
    task = tasks_or_skip()[2]
    first, second = task.labels[0], task.labels[-1]
    expected = f"A stand-in for a task of TechTC-100: {first} against {second}, 75 documents each, from "
    assert task.notes[0].startswith(expected)


def test_documents_are_those_of_the_corpora(corpus_or_skip):
    known = set()
    for source in FAMILIES:
        corpus = corpus_or_skip(source)
        known |= set(zip(corpus.labels.tolist(), corpus.texts, strict=True))
    for task in tasks_or_skip():
        assert known.issuperset(zip(task.labels.tolist(), task.texts, strict=True))


def test_tasks_are_the_same_on_every_machine():
    content = "\0".join("\0".join([task.name, *task.labels, *task.texts]) for task in tasks_or_skip())
    assert hashlib.sha256(content.encode()).hexdigest().startswith("0f13c9c5b2e4089b")


def test_tasks_of_one_class_draw_different_documents():
    draws = {}
    for task in tasks_or_skip():
        for label in task.classes:
            draws.setdefault(label, []).append(frozenset(task.subset(task.labels == label).texts))
    assert sum(len(found) for found in draws.values()) == 200
    for found in draws.values():
        assert len(set(found)) == len(found)


@pytest.mark.slow
def test_near_pairs_are_harder_than_far_ones():
    model = make_pipeline(TfidfVectorizer(sublinear_tf=True, stop_words="english"), LinearSVC())
    accuracies = {True: [], False: []}
    for task, pair in zip(tasks_or_skip(), choose_pairs(), strict=True):
        found = accuracies[is_near(*pair)]
        if len(found) < 6:
            found.append(cross_val_score(model, task.texts, task.labels, cv=4).mean())
    assert np.mean(accuracies[True]) < 0.93 < np.mean(accuracies[False])
