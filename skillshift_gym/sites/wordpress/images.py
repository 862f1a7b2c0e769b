"""The pictures of the media library: a motif before a sky and a ground, coloured by a keyed hash."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from .motifs import ALOFT, INDOORS, MOTIFS

_GROUND = 60  # where motifs stand, see `motifs`
_OWN_COLOURS = {
    "w": "#fff",
    "g": "#5b8c5a",
    "y": "#f6c453",
    "n": "#27365a",
    "u": "#4f93b8",
    "t": "#b9733a",
    "o": "#e3ad68",
    "r": "#cf4040",
}
_BOX = (256, 200)  # a motif with some air around it


class Palette(NamedTuple):
    """Colours that go together: the background, and the classes that motifs name."""

    sky: str
    cloud: str
    ground: str
    a: str
    b: str
    d: str
    light: str


PALETTES = (
    Palette("#cfe8ef", "#eef8fa", "#8fb996", "#d1495b", "#30638e", "#22333b", "#f4e4b8"),
    Palette("#fbe3c8", "#fff4e6", "#d9a46c", "#2a7f86", "#c8553d", "#3d2c2e", "#ffe9b0"),
    Palette("#dcd6f2", "#f2effb", "#8e87b8", "#ef8354", "#4f5d8f", "#2d3047", "#fde8c9"),
    Palette("#d8ead3", "#f0f8ee", "#7fa77a", "#e0a030", "#42717a", "#2f3e34", "#fbf0c9"),
    Palette("#fad9d5", "#fff0ee", "#c98b86", "#3d6b99", "#e07a5f", "#38304a", "#fdeecf"),
    Palette("#c9dcf2", "#ecf3fb", "#6f93b8", "#e4572e", "#2e86ab", "#1f2d3d", "#ffe3a3"),
    Palette("#f7edc8", "#fffaea", "#c2a85a", "#6a4c93", "#3a8f7b", "#3b3355", "#ffd9a0"),
    Palette("#cdebe3", "#effaf7", "#5fa597", "#b5446e", "#3f6c8f", "#26384a", "#fbe7c0"),
)


def svg(motif: str, key: str, width: int, height: int) -> str:
    """Returns the drawing of a motif; equal arguments give equal drawings.

    Args:
        motif: One of `motifs.MOTIFS`.
        key: Decides on the colours and the background.
        width: Width in pixels.
        height: Height in pixels.
    """
    digest = hashlib.sha256(f"{motif}:{key}".encode()).digest()
    palette = PALETTES[digest[0] % len(PALETTES)]
    scale = min(width / _BOX[0], height / _BOX[1])
    half_width, half_height = width / scale / 2, height / scale / 2
    box = f"{-half_width:.1f} {-half_height:.1f} {2 * half_width:.1f} {2 * half_height:.1f}"
    flip = "" if digest[1] % 2 else ' transform="scale(-1 1)"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}">'
        f"<style>{_style(palette)}</style>{_background(motif, digest, half_width, half_height)}"
        f"<g{flip}>{MOTIFS[motif].replace(chr(10), '')}</g></svg>"
    )


def _style(palette: Palette) -> str:
    """Returns the colour classes: fillings by name, lines with a `d` before the name."""
    colours = _OWN_COLOURS | {"a": palette.a, "b": palette.b, "d": palette.d, "l": palette.light}
    colours |= {"s": palette.sky, "c": palette.cloud, "f": palette.ground}
    fillings = "".join(f".{name}{{fill:{colour}}}" for name, colour in colours.items())
    lines = "".join(f".d{name}{{stroke:{colours[name]}}}" for name in "adgltwy")
    return f"{fillings}.da,.dd,.dg,.dl,.dt,.dw,.dy{{fill:none;stroke-linecap:round;stroke-linejoin:round}}{lines}"


def _background(motif: str, digest: bytes, x: float, y: float) -> str:
    """Returns sky and ground: a wall and a table indoors, clouds and hills outdoors."""
    full = f'<rect class="s" x="{-x:.1f}" y="{-y:.1f}" width="{2 * x:.1f}" height="{2 * y:.1f}"/>'
    top = _GROUND - 8 if motif in INDOORS else _GROUND - 2
    ground = f'<rect class="f" x="{-x:.1f}" y="{top}" width="{2 * x:.1f}" height="{y - top + 1:.1f}"/>'
    if motif in INDOORS:
        return full + _glow(digest) + ground
    hills = (
        f'<ellipse class="f" opacity=".45" cx="{_spread(digest[2], x):.0f}" cy="{_GROUND + 14}" rx="{x:.0f}" ry="44"/>'
    )
    return full + _clouds(motif, digest, x, y) + hills + ground


def _glow(digest: bytes) -> str:
    return f'<circle class="c" cx="{digest[2] % 40 - 20}" cy="-8" r="{70 + digest[3] % 14}"/>'


def _clouds(motif: str, digest: bytes, x: float, y: float) -> str:
    sun = "" if motif in ALOFT else f'<circle class="y" opacity=".8" cx="{-x * 0.68:.0f}" cy="{-y * 0.62:.0f}" r="13"/>'
    clouds = []
    for byte, height in ((digest[3], 0.72), (digest[4], 0.42)):
        left, top = _spread(byte, x * 0.8), -y * height
        clouds.append(
            f'<g class="c"><ellipse cx="{left:.0f}" cy="{top:.0f}" rx="24" ry="8"/>'
            f'<circle cx="{left - 5:.0f}" cy="{top - 5:.0f}" r="10"/><circle cx="{left + 9:.0f}" cy="{top - 3:.0f}" r="7"/></g>'
        )
    return sun + "".join(clouds)


def _spread(byte: int, reach: float) -> float:
    """Returns a place between -reach and reach."""
    return (byte / 127.5 - 1) * reach
