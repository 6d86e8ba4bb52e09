import re

import numpy as np

from textspace.service._metrics import BUCKETS, Metrics, resident_bytes


def test_histogram_counts_what_was_observed():
    seconds = np.random.default_rng(0).exponential(0.3, 500).round(3)
    metrics = Metrics()
    for value in seconds:
        metrics.observe("/predict", 200, value)
    metrics.observe("/explain", 503, 99.0)
    text = metrics.render()
    found = re.findall(r'seconds_bucket\{route="/predict",le="(.+?)"\} (\d+)', text)
    assert [float(bound) for bound, _ in found] == [*BUCKETS, np.inf]
    assert [int(count) for _, count in found] == [(seconds <= bound).sum() for bound in (*BUCKETS, np.inf)]
    assert 'seconds_bucket{route="/explain",le="10.0"} 0' in text
    assert float(re.search(r'seconds_sum\{route="/predict"\} (\S+)', text)[1]) == np.round(seconds.sum(), 6)
    assert 'textspace_requests_total{route="/explain",status="503"} 1' in text


def test_lines_are_as_prometheus_reads_them():
    metrics = Metrics()
    metrics.observe("/predict", 200, 0.1)
    metrics.texts = 7
    text = metrics.render()
    assert text.endswith("\n")
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.]+')
    for line in text.splitlines():
        assert re.fullmatch(
            r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))", line
        ) or sample.fullmatch(line)
    assert "textspace_texts_total 7" in text


def test_memory_grows_with_what_is_held():
    before = resident_bytes()
    if before is not None:
        held = np.ones(16_000_000)  # so much is never taken from memory that was freed before
        assert resident_bytes() - before > 0.8 * held.nbytes
