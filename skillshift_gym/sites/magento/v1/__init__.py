"""The source version: the admin of Magento 1.9."""

from __future__ import annotations

from pathlib import Path

from ..front import Front
from .menu import MENU
from .names import NAMES

FRONT = Front("v1", Path(__file__).parent, MENU, NAMES)
