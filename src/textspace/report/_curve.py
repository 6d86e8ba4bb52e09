"""F1 against the number of terms, as a picture of its own."""

from math import log10

from markupsafe import Markup

from textspace.report._figures import number, shorten, tag, ticks

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 58, 136, 92, 52
MEASURES = {"micro_f1": "micro F1", "macro_f1": "macro F1"}
# Colours as in the report; under a name of its own, so that they stay inside where a page takes the SVG in.
STYLE = """
.term-curve { --card: #fff; --ink: #1b2430; --muted: #5c6877; --line: #dde2e8; --c0: #0b6fb8; --c1: #d55e00;
  font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
@media (prefers-color-scheme: dark) {
  .term-curve { --card: #1b212a; --ink: #e6eaf0; --muted: #9aa7b6; --line: #323c49;
    --c0: #57aee8; --c1: #f08a4b; }
}
.term-curve .page { fill: var(--card); }
.term-curve text { fill: var(--muted); }
.term-curve .title { fill: var(--ink); font-size: 17px; font-weight: 600; }
.term-curve .score { text-anchor: end; dominant-baseline: central; }
.term-curve .value { text-anchor: middle; }
.term-curve .rule { stroke: var(--line); }
.term-curve .mark { stroke: var(--card); stroke-width: 4px; paint-order: stroke; }
.term-curve .chosen { stroke: var(--muted); stroke-dasharray: 2 3; }
.term-curve .all { stroke: currentColor; stroke-dasharray: 6 4; stroke-opacity: .6; }
.term-curve .c0 { color: var(--c0); } .term-curve .c1 { color: var(--c1); }
.term-curve polyline { fill: none; stroke: currentColor; stroke-width: 2; }
.term-curve circle { fill: currentColor; }
.term-curve .name { fill: currentColor; font-weight: 600; dominant-baseline: central; }
"""


def term_curve(points, *, notes, chosen):
    """Draw micro and macro F1 over the number of terms, on a logarithmic axis.

    Parameters
    ----------
    points : list of dict
        ``n_terms``, ``micro_f1`` and ``macro_f1``, by ascending numbers of terms; the last is on all terms.
    notes : sequence of str
        At most two lines below the title.
    chosen : int
        A number of terms to mark, unless it is that of all terms.

    Returns
    -------
    Markup
        A whole ``<svg>`` file, with its style, for light and dark screens.

    Examples
    --------
    >>> from textspace.report import term_curve
    >>> points = [{"n_terms": n, "micro_f1": f1, "macro_f1": f1} for n, f1 in ((10, 0.5), (100, 0.9))]
    >>> str(term_curve(points, notes=["Best terms"], chosen=10))[:40]
    '<svg xmlns="http://www.w3.org/2000/svg" '
    """
    sizes = [point["n_terms"] for point in points]
    found = [point[measure] for point in points for measure in MEASURES]
    low, high = max(0, min(found) - 0.03), min(1, max(found) + 0.03)

    def across(size):
        share = log10(size / sizes[0]) / log10(sizes[-1] / sizes[0]) if len(sizes) > 1 else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def down(score):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - score) / (high - low)

    elements = [
        tag("rect", class_="page", width=WIDTH, height=HEIGHT),
        tag("text", "F1 against the number of terms", class_="title", x=LEFT - 34, y=30),
        *(tag("text", shorten(note, 92), x=LEFT - 34, y=50 + 18 * i) for i, note in enumerate(notes)),
        *_axes(sizes, (low, high), across, down),
    ]
    if sizes[0] <= chosen < sizes[-1]:
        x = across(chosen)
        elements.append(tag("line", class_="chosen", x1=x, x2=x, y1=TOP, y2=HEIGHT - BOTTOM))
        side = {"x": x + 5} if x < WIDTH - RIGHT - 80 else {"x": x - 5, "text_anchor": "end"}
        elements.append(tag("text", f"{chosen} terms", class_="mark", y=HEIGHT - BOTTOM - 8, **side))
    places = _apart([down(points[-1][measure]) for measure in MEASURES], 18)
    for i, ((measure, title), place) in enumerate(zip(MEASURES.items(), places, strict=True)):
        spots = [(across(point["n_terms"]), down(point[measure])) for point in points]
        last = spots[-1][1]
        marks = [
            tag("line", class_="all", x1=LEFT, x2=WIDTH - RIGHT, y1=last, y2=last),
            tag("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in spots)),
            *(
                tag("circle", tag("title", _words(point, measure)), cx=x, cy=y, r=3.5)
                for point, (x, y) in zip(points, spots, strict=True)
            ),
            tag("text", f"{title} {points[-1][measure]:.3f}", class_="name", x=WIDTH - RIGHT + 10, y=place),
        ]
        elements.append(tag("g", *marks, class_=f"c{i}"))
    return tag(
        "svg",
        tag("style", Markup(STYLE)),
        *elements,
        xmlns="http://www.w3.org/2000/svg",
        class_="term-curve",
        role="img",
        aria_label="F1 against the number of terms",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    ) + Markup("\n")


def _axes(sizes, ends, across, down):
    """Rules with their scores, powers of ten, and the number of all terms."""
    bottom = HEIGHT - BOTTOM
    elements = [tag("line", class_="rule", x1=LEFT, x2=WIDTH - RIGHT, y1=bottom, y2=bottom)]
    for score in ticks(*ends):
        elements.append(tag("line", class_="rule", x1=LEFT, x2=WIDTH - RIGHT, y1=down(score), y2=down(score)))
        elements.append(tag("text", f"{score:.3g}", class_="score", x=LEFT - 8, y=down(score)))
    powers = [10**power for power in range(8) if sizes[0] <= 10**power <= sizes[-1]]
    for size in powers:
        elements.append(tag("line", class_="rule", x1=across(size), x2=across(size), y1=TOP, y2=bottom))
        if across(sizes[-1]) - across(size) > 60:  # else it would run into the last
            elements.append(tag("text", size, class_="value", x=across(size), y=bottom + 18))
    elements.append(tag("text", f"all {sizes[-1]}", class_="value", x=across(sizes[-1]), y=bottom + 18))
    middle = (LEFT + WIDTH - RIGHT) / 2
    elements.append(tag("text", "number of terms", class_="value", x=middle, y=bottom + 40))
    return elements


def _apart(places, gap):
    """Move two places away from each other until there is a gap between them."""
    first, second = places
    lack = gap - abs(first - second)
    if lack <= 0:
        return places
    side = lack / 2 if first <= second else -lack / 2
    return [first - side, second + side]


def _words(point, measure):
    return f"{point['n_terms']} terms: {MEASURES[measure]} {point[measure]:.3f}"
