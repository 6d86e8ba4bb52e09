"""Pictures as inline SVG: the confusion matrix, curves, the map of documents.

Colours come from the style sheet, so that a picture follows a light or dark page.
"""

from math import ceil, floor, log10

from markupsafe import Markup, escape

MOST_COLORS = 12  # more cannot be told apart by the eye alone
HUE_STEP = 137.508  # degrees between two classes beyond those: the golden angle, so that none are near
MOST_NAMES = 300  # of classes on a map
LONGEST_IN_MATRIX, LONGEST_ON_MAP = 28, 24  # characters of a name


def confusion_matrix(confusion):
    """Draw a confusion matrix: rows are true classes, colour is the share of the row.

    It has a fixed size in pixels; its box scrolls on a narrow screen.
    """
    names, counts = confusion["classes"], confusion["counts"]
    cell = min(44, max(13, 620 // len(names)))
    labels = shorten_apart(names, LONGEST_IN_MATRIX)
    letters = max(map(len, labels))
    margin = 12 + 6.6 * letters
    side = cell * len(names)
    elements = [tag("rect", class_="grid", x=margin, y=margin, width=side, height=side)]
    for i, label in enumerate(labels):
        middle = margin + cell * (i + 0.5)
        turned = f"translate({number(middle)} {number(margin - 6)}) rotate(-60)"
        elements.append(tag("text", label, x=margin - 6, y=middle, class_="row"))
        elements.append(tag("text", label, transform=turned))
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            if count:
                x, y = margin + cell * j, margin + cell * i
                elements.append(_matrix_cell(names[i], names[j], count, sum(row), x, y, cell, right=i == j))
    # The turned names of the last columns lean out of the grid to the right.
    width, height = round(margin + side + 3.4 * letters), round(margin + side + 2)
    return tag(
        "svg",
        *elements,
        class_="matrix",
        role="img",
        aria_label="Confusion matrix",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        font_size=min(12, cell - 2),
    )


def _matrix_cell(truth, given, count, total, x, y, size, *, right):
    share = count / total
    elements = [
        tag("title", f"{truth} → {given}: {count} of {total} ({share:.0%})"),
        tag(
            "rect",
            class_="right" if right else "wrong",
            x=x + 0.5,
            y=y + 0.5,
            width=size - 1,
            height=size - 1,
            fill_opacity=0.25 + 0.75 * share,
        ),
    ]
    if size >= 20:
        style = "count strong" if share > 0.5 else "count"
        elements.append(tag("text", count, class_=style, x=x + size / 2, y=y + size / 2))
    return tag("g", *elements)


def sweep_chart(sweep, *, width=320, height=200):
    """Draw the cross-validated score over a method's grid, one line a value of the other parameters."""
    points = [point for line in sweep["lines"] for point in line["points"]]
    reach = [point["mean"] + side * point["std"] for point in points for side in (-1, 1)]
    reach += [point["on_test"] for point in points if point["on_test"] is not None]
    pad = max(0.05 * (max(reach) - min(reach)), 0.005)
    ends = min(reach) - pad, max(reach) + pad
    elements, across, down = _frame(ends, len(sweep["values"]), width=width, height=height, bottom=26)
    for position, name in enumerate(sweep["values"]):
        label = shorten(name, max(3, 44 // len(sweep["values"])))
        elements.append(tag("text", label, class_="value", x=across(position), y=height - 8))
    for i, line in enumerate(sweep["lines"]):
        shift = 5 * (i - (len(sweep["lines"]) - 1) / 2)  # keeps the whiskers of the lines apart
        places = [(across(point["position"]) + shift, down(point["mean"])) for point in line["points"]]
        marks = [_sweep_point(point, x, down) for point, (x, _) in zip(line["points"], places, strict=True)]
        # A line between two names, of metrics say, would mean nothing.
        if sweep["ordered"]:
            marks.insert(0, _line(places))
        elements.append(tag("g", *marks, class_=f"c{i % MOST_COLORS}"))
    label = f"Score over the parameters of {sweep['title']}"
    return tag(
        "svg", *elements, class_="sweep", role="img", aria_label=label, viewBox=f"0 0 {width} {height}"
    )


def size_chart(chart, *, width=320, height=214):
    """Draw F1 over the size of the classes, one line a method, over an axis on which sizes double."""
    bins = chart["bins"]
    elements, across, down = _frame((0, 1), len(bins), width=width, height=height, bottom=40)
    every = 1 + len(bins) // 9  # more numbers would run into each other
    for position, bin in enumerate(bins):
        if position % every == 0:
            elements.append(tag("text", bin["first"], class_="value", x=across(position), y=height - 24))
        count = bin["n_classes"] or ""
        elements.append(tag("text", count, class_="value count", x=across(position), y=height - 8))
    for line in chart["lines"]:
        places = [(across(point["position"]), down(point["f1"])) for point in line["points"]]
        marks = [_line(places)]
        for point, (x, y) in zip(line["points"], places, strict=True):
            marks.append(tag("circle", tag("title", _size_text(line, bins, point)), cx=x, cy=y, r=3))
        elements.append(tag("g", *marks, class_=f"c{line['color'] % MOST_COLORS}"))
    label = "F1 over the number of training documents of a class"
    return tag(
        "svg", *elements, class_="sweep", role="img", aria_label=label, viewBox=f"0 0 {width} {height}"
    )


def _size_text(line, bins, point):
    bin = bins[point["position"]]
    size = f"{bin['first']} to {bin['last']}" if bin["first"] < bin["last"] else bin["first"]
    classes = "classes" if bin["n_classes"] > 1 else "class"
    return f"{line['title']}: {point['f1']:.3f}, {bin['n_classes']} {classes} of {size} training documents"


def _frame(ends, n_places, *, width, height, bottom, left=44, right=12, top=10):
    """Start a chart: rules with their scores, and functions from a place and from a score to pixels."""
    low, high = ends
    step = (width - left - right) / n_places

    def across(position):
        return left + step * (position + 0.5)

    def down(score):
        return top + (height - top - bottom) * (high - score) / (high - low)

    elements = []
    for tick in ticks(low, high):
        elements.append(tag("line", class_="rule", x1=left, x2=width - right, y1=down(tick), y2=down(tick)))
        elements.append(tag("text", f"{tick:.3g}", class_="score", x=left - 6, y=down(tick)))
    return elements, across, down


def _line(places):
    return tag("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in places))


def _sweep_point(point, x, down):
    y = down(point["mean"])
    marks = [
        tag("title", f"{point['text']}: {point['mean']:.3f} ± {point['std']:.3f}"),
        tag("line", x1=x, x2=x, y1=down(point["mean"] - point["std"]), y2=down(point["mean"] + point["std"])),
        tag("circle", cx=x, cy=y, r=3.5),
    ]
    if point["chosen"]:
        marks.append(tag("circle", class_="ring", cx=x, cy=y, r=7))
    if point["on_test"] is not None:
        diamond = f"M{number(x)} {number(down(point['on_test']) - 4.5)}l4.5 4.5l-4.5 4.5l-4.5 -4.5z"
        marks.append(tag("path", class_="on-test", d=diamond))
    return tag("g", *marks)


def document_map(places, *, width=1000, height=640, margin=24):
    """Draw documents as dots: one path a class, and a ring around the dots that were classified wrongly.

    A dot is a line of no length with round ends and a stroke that does not scale: it keeps its size in pixels
    on a phone and when the map is enlarged. The page's script adds the hover text and the enlargement, and
    shows the names for which there is room.
    """
    coloured, names = [], []
    titles = shorten_apart([group["name"] for group in places["groups"]], LONGEST_ON_MAP)
    for i, group in enumerate(places["groups"]):
        spots = [
            (margin + x * (width - 2 * margin), margin + (1 - y) * (height - 2 * margin))
            for x, y in zip(group["x"], group["y"], strict=True)
        ]
        right, wrong = (
            "".join(
                f"M{x:.1f} {y:.1f}h0"
                for (x, y), is_wrong in zip(spots, group["wrong"], strict=True)
                if is_wrong == wanted
            )
            for wanted in (False, True)
        )
        paths = [("dot", right), ("halo", wrong), ("gap", wrong), ("dot small", wrong)]
        drawn = [tag("path", class_=style, d=outline) for style, outline in paths if outline]
        coloured.append(tag("g", *drawn, data_group=i, **color_of(i)))
        x, y = (sorted(axis)[len(axis) // 2] for axis in zip(*spots, strict=True))
        if i < MOST_NAMES:
            fits = {"class_": "fits"} if i < MOST_COLORS else {}
            names.append(tag("text", titles[i], x=x, y=y, dy="-1em", data_group=i, **fits))
    return tag(
        "svg",
        tag("g", *coloured, class_="dots"),  # small classes lie above the large ones, which come first
        tag("g", *names, class_="names"),
        id="map-picture",
        role="img",
        aria_label="Map of documents",
        viewBox=f"0 0 {width} {height}",
        data_margin=margin,
    )


def color_of(position):
    """Give the attributes that colour a class: one of the style sheet's own, or a hue far from the others.

    Examples
    --------
    >>> color_of(3), color_of(13)
    ({'class_': 'c3'}, {'class_': 'hued', 'style': '--hue:137.51'})
    """
    if position < MOST_COLORS:
        return {"class_": f"c{position}"}
    return {"class_": "hued", "style": f"--hue:{number((position - MOST_COLORS) * HUE_STEP % 360)}"}


def tag(name, *content, **attributes):
    """Write an element; texts are escaped, numbers rounded, ``_`` in the name of an attribute becomes ``-``.

    Examples
    --------
    >>> tag("text", "a < b", x=1 / 3, class_="label")
    Markup('<text x="0.33" class="label">a &lt; b</text>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{written}>{''.join(map(escape, content))}</{name}>")


def number(value):
    """Round a number to two decimals, without zeros at the end; a text stays as it is.

    Examples
    --------
    >>> number(2.5), number(7), number(1 / 3), number("0 0 8 8")
    ('2.5', '7', '0.33', '0 0 8 8')
    """
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def ticks(low, high, count=5):
    """Choose about `count` round numbers between two bounds.

    Examples
    --------
    >>> ticks(0.82, 0.97, 4), ticks(0, 1)
    ([0.85, 0.9, 0.95], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    rough = (high - low) / count
    power = 10.0 ** floor(log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    return [round(step * i, 10) for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def shorten(text, limit):
    """Cut a text to at most `limit` characters, the last of them an ellipsis.

    Examples
    --------
    >>> shorten("interest rates", 9)
    'interest…'
    """
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def shorten_apart(names, limit):
    """Cut names to at most `limit` characters so that they differ: at the start where the ends alone differ.

    Examples
    --------
    >>> shorten_apart(["Human resources / travel", "Human resources / training", "Sales"], 12)
    ['…es / travel', '…/ training', 'Sales']
    """
    short = [shorten(name, limit) for name in names]
    return [
        name if short.count(name) == 1 or len(full) <= limit else "…" + full[1 - limit :].lstrip()
        for name, full in zip(short, names, strict=True)
    ]
