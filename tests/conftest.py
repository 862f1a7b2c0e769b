"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import pytest

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.page import Page
from skillshift_gym.testing import FakeSite

SRC = "SkillShift/WordPress-Src-v0"
TGT = "SkillShift/WordPress-Tgt-v0"


@pytest.fixture
def make() -> Iterator[Callable[..., Any]]:
    """Makes environments that are closed at the end of the test."""
    made = []

    def build(env_id: str = SRC, **kwargs: Any) -> gymnasium.Env[Any, Any]:
        env = gymnasium.make(env_id, disable_env_checker=True, **kwargs)
        made.append(env)
        return env

    yield build
    for env in made:
        env.close()


@pytest.fixture
def page_of() -> Callable[[str], Page]:
    """Returns the page of a document, as the DOM browser shows it."""

    def build(html: str) -> Page:
        site = FakeSite({"/": html})
        browser = DomBrowser()
        browser.reset(site)
        browser.goto(f"{site.origin}/")
        return browser.page()

    return build
