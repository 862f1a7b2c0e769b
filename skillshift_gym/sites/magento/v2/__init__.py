"""The target version: the admin of Magento 2.4."""

from __future__ import annotations

from pathlib import Path

from ..front import Front
from .menu import MENU
from .names import NAMES

FRONT = Front("v2", Path(__file__).parent, MENU, NAMES)
