"""An explanation as HTML, for notebooks: the text with its words coloured, and what adds up to the score."""

from html import escape

_FOR, _AGAINST = "42, 120, 214", "214, 95, 42"  # red, green, blue
_MOST = 12  # terms and classes that are listed


def explanation_html(why):
    """Give a piece of HTML, without a script, that stands alone in light and dark pages.

    Words that speak for the class are blue, those that speak against it orange, the stronger the more.
    """
    name, share = escape(why.label), why.probabilities[why.label]
    parts = [
        '<div style="max-width: 46em; line-height: 1.6; font-family: sans-serif">',
        f"<p><b>{name}</b> with a probability of {share:.1%}</p>",
        f'<p style="white-space: pre-wrap">{_coloured(why)}</p>',
        f"<p>{escape(why.note)}</p>" if why.note else _terms(why),
        _neighbors(why),
        "</div>",
    ]
    return "".join(parts)


def _coloured(why):
    """Write the text with its words on the colour of what they add."""
    adds = [0.0] * len(why.text)
    for term in why.terms:
        for start, end in term.spans:
            for place in range(start, end):
                adds[place] += term.contribution / len(term.spans)
    largest = max(map(abs, adds), default=0.0) or 1.0
    written, start = [], 0
    for end in range(1, len(adds) + 1):
        if end == len(adds) or adds[end] != adds[start]:
            piece, value = escape(why.text[start:end]), adds[start]
            if value:
                colour = f"rgba({_FOR if value > 0 else _AGAINST}, {abs(value) / largest * 0.6:.2f})"
                piece = f'<span title="{value:+.2f}" style="background: {colour}">{piece}</span>'
            written.append(piece)
            start = end
    return "".join(written)


def _terms(why):
    rows = [(term.term, term.contribution) for term in why.terms[:_MOST]]
    rest = why.rest + sum(term.contribution for term in why.terms[_MOST:])
    rows += [("all other terms", rest), ("without any known term", why.constant), ("score", why.score)]
    cells = (
        f'<tr><td style="text-align: left">{escape(name)}</td><td>{value:+.2f}</td></tr>'
        for name, value in rows
    )
    return f"<table><tr><th>term</th><th>adds</th></tr>{''.join(cells)}</table>"


def _neighbors(why):
    if not why.neighbors:
        return ""
    items = (f"<li><b>{escape(each.label)}</b> {escape(each.excerpt)}</li>" for each in why.neighbors)
    return f"<p>Nearest training texts:</p><ol>{''.join(items)}</ol>"
