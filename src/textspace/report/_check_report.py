"""What `textspace check` found, as one HTML file."""

from textspace._files import atomic_open
from textspace._wording import percent
from textspace.report._templates import template
from textspace.text import LANGUAGES

MOST_CLASSES = 300
MOST_GROUPS, MOST_ROWS = 100, 20  # of a finding, and of a group


def write_check_report(outcome, path):
    """Write what was found in documents: one HTML file that needs nothing but a browser.

    Parameters
    ----------
    outcome : dict
        As ``textspace check --json`` prints it.
    path : str or os.PathLike
        The page, written whole or not at all. Its folder must exist.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> row = {"file": "mails.csv", "row": 1, "where": "row 1", "id": "", "label": "grain", "text": "Corn"}
    >>> finding = {"kind": "short", "sentence": "1 document has fewer than 3 words.", "remedy": "Look at it."}
    >>> outcome = {
    ...     "data": "mails.csv", "documents": 1, "labelled": 1, "classes": {"grain": 1}, "split": None,
    ...     "languages": {"en": 1.0},
    ...     "lengths": [{"from": 0, "to": None, "documents": 1}], "notes": [], "columns": None,
    ...     "findings": [finding | {"stops": False, "groups": [[row]]}],
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_check_report(outcome, Path(folder, "check.html"))
    ...     "Corn" in Path(folder, "check.html").read_text(encoding="utf-8")
    True
    """
    page = template("check.html", titled=_titled, percent=percent).render(
        **outcome,
        class_rows=list(outcome["classes"].items())[:MOST_CLASSES],
        largest=max(outcome["classes"].values(), default=1),
        longest=max(each["documents"] for each in outcome["lengths"]) or 1,
        language_rows=[(LANGUAGES[code].name, share) for code, share in outcome["languages"].items()],
        headline=_headline(outcome),
        most_groups=MOST_GROUPS,
        most_rows=MOST_ROWS,
    )
    with atomic_open(path, "wb") as file:
        file.write(page.encode("utf-8", "replace"))  # half a surrogate pair has no bytes


def _titled(kind):
    return kind[:1].upper() + kind[1:]


def _headline(outcome):
    findings = outcome["findings"]
    if any(finding["stops"] for finding in findings):
        return "No model can be trained on these documents as they are."
    if not findings:
        return "Nothing was found to put right."
    return f"{len(findings)} kinds of things to look at." if len(findings) > 1 else "One thing to look at."
