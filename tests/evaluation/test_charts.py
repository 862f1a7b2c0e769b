"""Charts on plain axes: curves around zero, with bands."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.charts import HEIGHT, Line, linear

PATH = "{http://www.w3.org/2000/svg}path"


def test_a_chart_has_a_line_a_band_and_the_names():
    svg = linear(
        [Line("a < b", [0, 10], [0, -5], low=[0, -9], high=[0, 3]), Line("other", [0, 10], [0, 4])], "k", "A(k)"
    )
    root = ElementTree.fromstring(svg)
    bands = [p for p in root.iter(PATH) if p.get("fill-opacity")]
    assert len(bands) == 1 and bands[0].get("d").endswith("Z") and bands[0].get("d").count("L") == 3
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "other", "k", "A(k)", "0", "10", "-4"} <= set(texts)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_every_value_lies_inside(values):
    svg = linear([Line("a", range(len(values)), values)], "x", "y")
    line = next(p.get("d") for p in ElementTree.fromstring(svg).iter(PATH) if p.get("stroke-width") == "2")
    heights = [float(point.split()[1]) for point in line[1:].split("L")]
    assert len(heights) == len(values) and all(0 <= h <= HEIGHT for h in heights)
    assert len(svg) < 40_000  # a handful of ticks, whatever the range


def test_nothing_to_show_is_refused():
    with pytest.raises(UsageError, match="at least one line"):
        linear([], "x", "y")
