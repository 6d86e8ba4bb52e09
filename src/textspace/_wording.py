"""Numbers, durations, parameters and lists of names as a reader wants them."""

import difflib
import re


def p_text(p_value):
    """Write a p value.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.00002), p_text(1.0)
    ('p = 0.031', 'p < 0.001', 'p = 1')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"


def signed_text(difference):
    """Write a difference with its sign.

    Examples
    --------
    >>> signed_text(0.0312), signed_text(-0.5)
    ('+0.031', '−0.500')
    """
    return f"{difference:+.3f}".replace("-", "−")


def seconds_text(seconds):
    """Write a duration.

    Examples
    --------
    >>> seconds_text(0.0001), seconds_text(0.0123), seconds_text(3.14), seconds_text(75.2), seconds_text(700)
    ('1 ms', '12 ms', '3.1 s', '75 s', '12 min')
    """
    if seconds >= 600:
        return f"{seconds / 60:.0f} min"
    if seconds < 0.0995:  # what would not be rounded to 0.1 s
        return f"{max(1000 * seconds, 1):.2g} ms"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


def percent(share):
    """Write a share.

    Examples
    --------
    >>> percent(0.8643), percent(1.0)
    ('86.4 %', '100 %')
    """
    return "100 %" if share == 1 else f"{100 * share:.1f} %"


def embedding_text(gain):
    """Say what an embedding was worth, by the entry of a model card.

    Examples
    --------
    >>> gain = {"accuracy_without": 0.47, "accuracy_with": 0.56, "seconds": 81.2}
    >>> embedding_text(gain)
    'The embedding changed the accuracy on held-out training documents from 47.0 % to 56.0 %; it took 81 s.'
    >>> embedding_text(gain | {"kept": False, "log_loss_without": 1.42, "log_loss_with": 1.43})
    'The embedding was left out and is not needed any more: the log loss on held-out training documents was
    1.420 without it and 1.430 with it.'
    """
    if not gain.get("kept", True):  # older files hold only what was kept
        return (
            "The embedding was left out and is not needed any more: the log loss on held-out training "
            f"documents was {gain['log_loss_without']:.3f} without it and "
            f"{gain['log_loss_with']:.3f} with it."
        )
    if gain["accuracy_with"] is None:
        return "What the embedding is worth is not known: no class has two documents."
    return (
        "The embedding changed the accuracy on held-out training documents from "
        f"{percent(gain['accuracy_without'])} to {percent(gain['accuracy_with'])}; it took "
        f"{seconds_text(gain['seconds'])}."
    )


_SCORERS = {"ridge": "ridge regression", "scaled ridge": "scaled ridge regression"}


def choice_text(method):
    """Say in which alphabets a blend reads texts and which of its scores is worth most.

    Given is the entry ``method`` of a model card that has ``scorers``.

    Examples
    --------
    >>> ridge = {"scorer": "ridge", "alphabet": "words", "penalty": 0.3, "gain": 0.01}
    >>> bayes = {"scorer": "naive Bayes", "alphabet": "letters", "penalty": None, "gain": 0.0274}
    >>> choice_text({"alphabets": ["words", "letters"], "left_out": ["stems"], "scorers": [ridge, bayes]})
    'It reads words as written and letters; stems do not pay and are left out. Of its 2 scores naive Bayes on
    letters is worth most: without it the log loss on held-out documents would be 0.027 higher.'
    >>> choice_text({"alphabets": ["stems"], "left_out": [], "scorers": [ridge | {"alphabet": "stems"}]})
    'It reads stems. It scores by ridge regression on stems.'
    """
    read, left_out = ([_alphabet(name) for name in method[key]] for key in ("alphabets", "left_out"))
    text = f"It reads {joined(read)}"
    text += f"; {joined(left_out)} do not pay and are left out. " if left_out else ". "
    scorers = sorted(method["scorers"], key=lambda scorer: -scorer["gain"])
    names = [
        f"{_SCORERS.get(one['scorer'], one['scorer'])} on {_alphabet(one['alphabet'])}" for one in scorers
    ]
    gain = scorers[0]["gain"]
    if len(scorers) == 1 or gain == 0:  # without documents to hold out nobody knows what they are worth
        return text + f"It scores by {joined(names)}."
    return text + (
        f"Of its {len(scorers)} scores {names[0]} is worth most: without it the log loss on held-out "
        f"documents would be {gain:.2g} higher."
    )


def _alphabet(name):
    return {"words": "words as written", "opening": "openings"}.get(name, name)


def parameter_name(name):
    """Shorten the name of a parameter for a reader.

    Examples
    --------
    >>> parameter_name("space__n_neighbors"), parameter_name("C")
    ('n_neighbors', 'C')
    """
    return name.split("__")[-1]


def parameters_text(params):
    """Write parameters as text.

    Examples
    --------
    >>> parameters_text({"space__n_neighbors": 5, "classify__metric": "cosine"})
    'n_neighbors=5, metric=cosine'
    """
    return ", ".join(f"{parameter_name(name)}={value}" for name, value in params.items())


def joined(names):
    """Write names one after the other, with "and" before the last.

    Examples
    --------
    >>> joined(["svm", "nb", "lsi"]), joined(["svm"])
    ('svm, nb and lsi', 'svm')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def name_hint(name, names):
    """Suggest the nearest of the names that there are.

    Examples
    --------
    >>> name_hint("smv", ["svm", "nb"]), name_hint("?", ["svm", "nb"])
    ("Did you mean 'svm'?", 'Choose from svm, nb.')
    """
    close = difflib.get_close_matches(name, names, n=1)
    return f"Did you mean {close[0]!r}?" if close else f"Choose from {', '.join(names)}."


def without_password(address):
    """Put stars in place of the passwords of a database's address.

    Examples
    --------
    >>> without_password("postgresql://reader:secret@host/mails"), without_password("mails.csv")
    ('postgresql://reader:***@host/mails', 'mails.csv')
    >>> without_password("postgresql://reader:a/b@c@host/mails?user=reader&password=secret")
    'postgresql://reader:***@host/mails?user=reader&password=***'
    """
    shown = re.sub(r"(://[^/@:]*:).*@", r"\1***@", str(address))
    return re.sub(r"([?&](?:password|passwd|pwd)=)[^&]*", r"\1***", shown, flags=re.IGNORECASE)
