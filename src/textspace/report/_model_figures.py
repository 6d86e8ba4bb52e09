"""Pictures of a model's report as inline SVG: reliability, accuracy over coverage, the learning curve."""

from textspace.report._figures import tag, ticks

WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 20, 12, 42
SUREST = 0.05  # share of the documents from which on the reject curve is drawn
COUNTS = 40  # height of the bars that count the documents of a bin


def reliability_chart(bins):
    """Draw the share of right answers over the probability that the model gave them, with counts below."""
    height = HEIGHT + COUNTS
    elements, across, down = _plot((0, 1), (0, 1), height=height, bottom=BOTTOM + COUNTS)
    elements += _below(across, ticks(0, 1), _percent, "probability given", height)
    elements.append(tag("line", class_="ideal", x1=across(0), y1=down(0), x2=across(1), y2=down(1)))
    most = max(one["n_documents"] for one in bins)
    floor = height - BOTTOM
    for one in bins:
        left, right = across(one["low"]) + 1, across(one["high"]) - 1
        tall = max((COUNTS - 8) * one["n_documents"] / most, 1)
        elements.append(
            tag("rect", class_="count", x=left, y=floor - tall, width=right - left, height=tall),
        )
    points = [(across(one["confidence"]), down(one["accuracy"])) for one in bins]
    marks = [_line(points)]
    for one, (x, y) in zip(bins, points, strict=True):
        text = (
            f"{one['n_documents']:,} documents with a probability of {one['confidence']:.0%} on average: "
            f"{one['accuracy']:.0%} right"
        )
        # few documents, a small dot: the place of such a dot is mostly luck
        marks.append(
            tag("circle", tag("title", text), cx=x, cy=y, r=2 + 3 * (one["n_documents"] / most) ** 0.5)
        )
    elements.append(tag("g", *marks, class_="c0"))
    return _svg(elements, "Share of right answers over the probability given", height)


def reject_chart(curve, steps):
    """Draw the accuracy among the documents that are answered, over the share of them, with steps marked."""
    # of the surest few documents one alone decides, and would squash all that follows
    curve = [(share, accuracy) for share, accuracy in curve if share >= SUREST] or curve
    low = min(accuracy for _, accuracy in curve)
    low, high = max(0, low - 0.02), 1.0
    if high - low < 0.05:
        low = 0.95
    elements, across, down = _plot((0, 1), (low, high))
    elements += _below(across, ticks(0, 1), _percent, "share of the documents that is answered")
    elements.append(tag("g", _line([(across(share), down(score)) for share, score in curve]), class_="c0"))
    for step in steps:
        text = f"the surest {step['coverage']:.0%}: {step['accuracy']:.1%} right"
        x, y = across(step["coverage"]), down(step["accuracy"])
        elements.append(tag("g", tag("circle", tag("title", text), cx=x, cy=y, r=4), class_="c0"))
    return _svg(elements, "Accuracy over the share of documents that is answered")


def learning_chart(curve):
    """Draw micro and macro F1 over the number of training documents."""
    values = [point[name] for point in curve for name in ("micro_f1", "macro_f1")]
    pad = max(0.05 * (max(values) - min(values)), 0.005)
    largest = max(point["n_train"] for point in curve)
    elements, across, down = _plot((0, largest), (min(values) - pad, min(max(values) + pad, 1.005)))
    elements += _below(across, ticks(0, largest, 4), "{:,.0f}".format, "training documents")
    for color, (name, title) in enumerate((("micro_f1", "micro F1"), ("macro_f1", "macro F1"))):
        points = [(across(point["n_train"]), down(point[name])) for point in curve]
        marks = [_line(points)]
        for point, (x, y) in zip(curve, points, strict=True):
            text = f"{title} {point[name]:.3f} with {point['n_train']:,} training documents"
            marks.append(tag("circle", tag("title", text), cx=x, cy=y, r=3.5))
        elements.append(tag("g", *marks, class_=f"c{color}"))
    return _svg(elements, "F1 over the number of training documents")


def threshold_chart(curve):
    """Draw precision, recall and F1 of all pairs over one threshold for all labels."""
    elements, across, down = _plot((0, 1), (0, 1))
    elements += _below(across, ticks(0, 1), _percent, "probability from which on labels are given")
    for color, name in enumerate(("micro_f1", "micro_precision", "micro_recall")):
        points = [(across(point["threshold"]), down(point[name])) for point in curve]
        elements.append(tag("g", _line(points), class_=f"c{color}"))
    return _svg(elements, "Micro precision, recall and F1 over the threshold")


def cardinality_chart(counts):
    """Draw the share of documents that have so many labels, and that were given so many: pairs of bars."""
    total = sum(one["true"] for one in counts)
    most = max(max(one["true"], one["predicted"]) for one in counts) / total
    elements, across, down = _plot((-0.5, len(counts) - 0.5), (0, most))
    step = max(1, len(counts) // 10)
    elements += _below(across, range(0, len(counts), step), str, "labels of a document")
    wide = (across(1) - across(0)) * 0.4
    for color, name in enumerate(("true", "predicted")):
        bars = []
        for one in counts:
            said = "have" if name == "true" else "were given"
            text = f"{one[name]:,} documents {said} {one['labels']} labels"
            x, y = across(one["labels"]) + (color - 1) * wide, down(one[name] / total)
            bars.append(tag("rect", tag("title", text), x=x, y=y, width=wide, height=down(0) - y))
        elements.append(tag("g", *bars, class_=f"bars c{color}"))
    return _svg(elements, "Documents by the number of their labels, true and given")


def _plot(x_ends, y_ends, *, height=HEIGHT, bottom=BOTTOM):
    """Start a chart: rules with their values, and functions from values to pixels."""

    def across(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - x_ends[0]) / (x_ends[1] - x_ends[0])

    def down(value):
        return TOP + (height - TOP - bottom) * (y_ends[1] - value) / (y_ends[1] - y_ends[0])

    elements = []
    for tick in ticks(*y_ends):
        elements.append(tag("line", class_="rule", x1=LEFT, x2=WIDTH - RIGHT, y1=down(tick), y2=down(tick)))
        elements.append(tag("text", f"{tick:.3g}", class_="score", x=LEFT - 6, y=down(tick)))
    return elements, across, down


def _below(across, values, written, title, height=HEIGHT):
    """Write the values of the lower axis and its name."""
    elements = [
        tag("text", written(value), class_="value", x=across(value), y=height - 24) for value in values
    ]
    return [*elements, tag("text", title, class_="value", x=(LEFT + WIDTH - RIGHT) / 2, y=height - 6)]


def _percent(share):
    return f"{100 * share:.0f} %"


def _line(points):
    return tag("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points))


def _svg(elements, label, height=HEIGHT):
    return tag(
        "svg", *elements, class_="sweep", role="img", aria_label=label, viewBox=f"0 0 {WIDTH} {height}"
    )
