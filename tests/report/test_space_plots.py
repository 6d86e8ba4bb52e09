import re

import numpy as np
import pytest

from textspace.datasets import load
from textspace.evaluation import map_spaces
from textspace.report import plot_space, write_space_maps


@pytest.fixture(scope="module")
def demo():
    return load("demo")


def test_a_plot_has_all_documents_of_each_class(demo):
    pytest.importorskip("matplotlib", reason="the extra 'figures' is not installed")
    figure = plot_space("lsi,lda", demo.texts, demo.labels)
    [lsi, lda] = map_spaces("lsi,lda", demo.texts, demo.labels)
    for axes, expected in zip(figure.axes, (lsi, lda), strict=True):
        for dots in axes.collections:
            own = expected.positions[expected.labels == dots.get_label()]
            np.testing.assert_allclose(dots.get_offsets(), own)
    assert {text.get_text() for text in figure.legends[0].texts} == set(demo.labels) - {""}


def test_the_page_has_a_dot_a_document_and_no_foreign_html(demo, tmp_path):
    labels = ["<b>shipping</b>" if label == "shipping" else label for label in demo.labels]
    texts = [f"{text} </script><img src=x>" if len(text) < 120 else text for text in demo.texts]
    write_space_maps("lsi,cm", texts, labels, tmp_path / "maps.html", title="<i>Maps</i>")
    page = (tmp_path / "maps.html").read_text(encoding="utf-8")
    [found, _] = map_spaces("lsi,cm", texts, labels)
    assert page.count("<circle") == 2 * len(found.labels)
    assert "<img" not in page
    assert "<b>" not in page
    assert "<title>&lt;i&gt;Maps" in page
    places = np.array(re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', page), dtype=float)
    assert 0 <= places.min() < places.max() <= 400
    distances = [np.linalg.norm(p[0] - p[1:9], axis=1) for p in (places, found.positions)]
    np.testing.assert_allclose(distances[0] / distances[0][0], distances[1] / distances[1][0], rtol=0.05)
