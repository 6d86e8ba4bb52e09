import numpy as np

from textspace.models import gain_of_texts

WORDS = {"grain": ["corn", "wheat", "crop"], "ship": ["port", "cargo", "vessel"], "money": ["bank", "rate"]}


def test_texts_that_tell_several_labels_gain():
    rng = np.random.default_rng(0)
    labels = [tuple(rng.choice(list(WORDS), n % 3, replace=False).tolist()) for n in range(60)]
    noise = [" ".join(rng.choice(["today", "the", "news", "of", "all"], 4)) for _ in labels]
    telling = [
        " ".join([text, *(rng.choice(WORDS[label]) for label in own)])
        for text, own in zip(noise, labels, strict=True)
    ]
    assert gain_of_texts(noise, telling, labels) > 0.1
    assert gain_of_texts(telling, noise, labels) == 0
