"""Charts as SVG text, without a plotting library: on log-log axes, or on plain ones with bands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

from ..errors import UsageError

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 64, 150, 16, 48
COLOURS = ("#1b6ca8", "#c2571a", "#3d8b40", "#8e44ad", "#7f6000", "#c0392b", "#16827c", "#555555", "#d18ac0")


class Line(NamedTuple):
    """A line of a chart.

    Attributes:
        name: What the legend says.
        x: Values; positive ones on log-log axes.
        y: Values, as many; likewise.
        dashed: Whether it is a reference, drawn dashed.
        low: Lower ends of the band around the line, as many; none without a band.
        high: Upper ends.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    dashed: bool = False
    low: Sequence[float] = ()
    high: Sequence[float] = ()


class _Axis(NamedTuple):
    """An axis: data from `low` to `high` on the way from pixel `first` to pixel `last`; logarithmic where `log` says so."""

    low: float
    high: float
    first: float
    last: float
    log: bool = True

    def at(self, value: float) -> float:
        low, high, here = (log10(v) if self.log else v for v in (self.low, self.high, value))
        return self.first + (here - low) / (high - low) * (self.last - self.first)

    def ticks(self) -> list[float]:
        """Returns 1, 2 and 5 times the powers of ten on a logarithmic axis, else round steps, at most about eight."""
        if not self.log:
            least = (self.high - self.low) / 8
            step = next(s for p in range(-9, 12) for m in (1, 2, 5) if (s := m * 10.0**p) >= least)
            return [n * step for n in range(ceil(self.low / step), floor(self.high / step) + 1)]
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        return [t for p in powers for m in (1, 2, 5) if self.low <= (t := m * 10.0**p) <= self.high]


def log_log(lines: Sequence[Line], x_title: str, y_title: str) -> str:
    """Returns a chart as an SVG document.

    Raises:
        UsageError: No line, or a value that is not positive.
    """
    xs, ys = [x for line in lines for x in line.x], [y for line in lines for y in line.y]
    if not xs or min(*xs, *ys) <= 0:
        raise UsageError("expected at least one line with positive values: the axes are logarithmic")
    across = _Axis(*_margins(xs), LEFT, WIDTH - RIGHT)
    up = _Axis(*_margins(ys), HEIGHT - BOTTOM, TOP)
    return _svg(lines, across, up, x_title, y_title)


def linear(lines: Sequence[Line], x_title: str, y_title: str) -> str:
    """Returns a chart on plain axes as an SVG document; lines may have bands, and y = 0 is drawn.

    Raises:
        UsageError: No line with a value.
    """
    xs = [x for line in lines for x in line.x]
    ys = [y for line in lines for y in (*line.y, *line.low, *line.high)]
    if not xs:
        raise UsageError("expected at least one line with a value")
    low, high = min(0.0, *ys), max(0.0, *ys)
    edge = 0.05 * (high - low) or 1.0
    across = _Axis(min(0.0, *xs), max(xs) or 1.0, LEFT, WIDTH - RIGHT, log=False)
    up = _Axis(low - edge, high + edge, HEIGHT - BOTTOM, TOP, log=False)
    return _svg(lines, across, up, x_title, y_title)


def _svg(lines: Sequence[Line], across: _Axis, up: _Axis, x_title: str, y_title: str) -> str:
    parts = [*_frame(across, up), *_titles(x_title, y_title)]
    if not up.log:
        parts.append(_path(f"M{LEFT} {up.at(0):.1f}H{WIDTH - RIGHT}", "#888", 1))
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        if line.low:
            edge = [*_points(across, up, line.x, line.low), *reversed(_points(across, up, line.x, line.high))]
            parts.append(f"<path d='M{'L'.join(edge)}Z' fill='{colour}' fill-opacity='0.12' stroke='none'/>")
        parts.append(_path("M" + "L".join(_points(across, up, line.x, line.y)), colour, 2, dashed=line.dashed))
        height = TOP + 12 + 18 * number
        parts.append(_path(f"M{WIDTH - RIGHT + 10} {height - 4}h16", colour, 2, dashed=line.dashed))
        parts.append(_text(WIDTH - RIGHT + 32, height, line.name, "start"))
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' font-family='sans-serif' font-size='12'>"
    return "\n".join([head, *parts, "</svg>", ""])


def _points(across: _Axis, up: _Axis, xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    return [f"{across.at(x):.1f} {up.at(y):.1f}" for x, y in zip(xs, ys, strict=True)]


def _margins(values: Sequence[float]) -> tuple[float, float]:
    return min(values) / 1.15, max(values) * 1.15


def _frame(across: _Axis, up: _Axis) -> list[str]:
    parts = []
    for tick in across.ticks():
        parts.append(_path(f"M{across.at(tick):.1f} {TOP}V{HEIGHT - BOTTOM}", "#ddd", 1))
        parts.append(_text(across.at(tick), HEIGHT - BOTTOM + 16, f"{tick:,g}", "middle"))
    for tick in up.ticks():
        parts.append(_path(f"M{LEFT} {up.at(tick):.1f}H{WIDTH - RIGHT}", "#ddd", 1))
        parts.append(_text(LEFT - 6, up.at(tick) + 4, f"{tick:,g}", "end"))
    return parts


def _titles(x_title: str, y_title: str) -> list[str]:
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f"<text x='14' y='{middle:.0f}' text-anchor='middle' transform='rotate(-90 14 {middle:.0f})'>{escape(y_title)}</text>"
    return [_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_title, "middle"), turned]


def _path(path: str, colour: str, width: int, *, dashed: bool = False) -> str:
    dashes = " stroke-dasharray='6 4'" if dashed else ""
    return f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width}'{dashes}/>"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f"<text x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}' fill='#222'>{escape(text)}</text>"
