"""Fitted exponents and log-log charts."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.charts import Line, log_log
from skillshift_gym.evaluation.exponents import exponent

X = [100, 200, 400, 800]


@given(power=st.floats(-2, 2), scale=st.floats(0.01, 100))
def test_a_power_law_gives_its_power(power, scale):
    found = exponent(X, [[scale * x**power] * 3 for x in X])
    assert found.value == pytest.approx(power, abs=1e-9)
    assert found.interval.low == pytest.approx(power, abs=1e-9) and found.interval.high == pytest.approx(
        power, abs=1e-9
    )
    assert (found.points, found.seeds) == (4, 3)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    random = np.random.default_rng(0)
    hits = 0
    for _ in range(100):
        found = exponent(X, [x**0.6 * random.lognormal(0, 0.3, 20) for x in X])
        hits += found.interval.low <= 0.6 <= found.interval.high
    assert 85 <= hits <= 100


def test_more_noise_is_a_wider_interval_and_text_shows_both():
    random = np.random.default_rng(1)
    widths = []
    for noise in (0.05, 0.5):
        found = exponent(X, [x**0.6 * random.lognormal(0, noise, 20) for x in X])
        widths.append(found.interval.high - found.interval.low)
    assert widths[1] > 3 * widths[0]
    assert str(exponent(X, [[2.0 * x, 2.0 * x] for x in X])) == "1.00 [1.00, 1.00]"


@pytest.mark.parametrize(
    ("x", "y", "match"),
    [
        ([1, 2], [[1.0]], "points"),
        ([1], [[1.0]], "two points"),
        ([2, 2], [[1.0], [1.0]], "two points"),
        ([0, 2], [[1.0], [1.0]], "positive x"),
        ([1, 2], [[1.0], [-1.0]], "positive means"),
    ],
)
def test_what_has_no_exponent_is_refused(x, y, match):
    with pytest.raises(UsageError, match=match):
        exponent(x, y)


def test_a_chart_holds_every_line_in_its_frame():
    text = log_log([Line("a < b", X, [1, 10, 100, 1000]), Line("rate", X, X, dashed=True)], "K & so", "regret")
    tree = ElementTree.fromstring(text)
    texts = [e.text for e in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "rate", "K & so", "regret", "100", "1,000"} <= set(texts)
    paths = [e.get("d") for e in tree.iter("{http://www.w3.org/2000/svg}path") if "L" in e.get("d")]
    assert len(paths) == 2 and text.count("stroke-dasharray") == 2
    places = np.array([[float(n) for n in p.split()] for path in paths for p in path[1:].split("L")])
    assert places[:, 0].min() > 64 and places[:, 0].max() < 490 and places[:, 1].min() > 16 and places[:, 1].max() < 352
    assert np.allclose(
        np.diff(places[:4, 0]), np.diff(places[:4, 0])[0], atol=0.2
    )  # doubling is a step of equal length


@pytest.mark.parametrize("lines", [[], [Line("a", [1], [0])], [Line("a", [-1], [1])]])
def test_a_chart_without_positive_values_is_refused(lines):
    with pytest.raises(UsageError, match="positive"):
        log_log(lines, "x", "y")
