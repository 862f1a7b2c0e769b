"""Pictures of a tab as arrays."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from ..errors import InfrastructureError
from .chromium_tab import Tab

_SIGNATURE = 8
_UP = 2  # the only filter that the fast encoder uses


async def picture_of(tab: Tab) -> bytes:
    """Returns the visible part of a tab as a PNG file: nothing moves in it, and no caret blinks."""
    wanted = {"format": "png", "optimizeForSpeed": True}
    await tab.evaluate("freeze")
    try:
        answer = await tab.session.send("Page.captureScreenshot", wanted)
    finally:
        await tab.evaluate("thaw")
    return base64.b64decode(answer["data"])


def decode(png: bytes) -> NDArray[np.uint8]:
    """Returns the pixels of a PNG file as Chromium's fast encoder writes it, shape (height, width, 3)."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    channels = {2: 3, 6: 4}.get(colour, 0)
    rows = np.frombuffer(zlib.decompress(_data(png)), np.uint8).reshape(height, -1)
    if depth != 8 or not channels or not np.isin(rows[1:, 0], (0, _UP)).all():
        raise InfrastructureError("Chromium wrote a picture in another form than expected")
    # A row without filter begins anew, one with the filter adds to the row above.
    pixels = rows[:, 1:].copy()
    for number in range(1, height):
        if rows[number, 0] == _UP:
            pixels[number] += pixels[number - 1]
    return pixels.reshape(height, width, channels)[:, :, :3].copy()


def _data(png: bytes) -> bytes:
    """Returns the compressed pixels of a PNG file."""
    parts, place = [], _SIGNATURE
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            parts.append(png[place + 8 : place + 8 + length])
        place += length + 12
    return b"".join(parts)
