"""A host for programs: a browser on a few pages, without an environment."""

from __future__ import annotations

import pytest

from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.errors import ActionError
from skillshift_gym.page import build_page
from skillshift_gym.skills.executor import execute
from skillshift_gym.skills.program import parse
from skillshift_gym.testing import FakeSite


class PageHost:
    """A host that keeps what it performed; `refuse` says which primitives fail, `answers` what an assistant gives."""

    def __init__(self, pages):
        self.site, self.browser = FakeSite(pages), DomBrowser()
        self.browser.reset(self.site)
        self.browser.goto(f"{self.site.origin}/")
        self.performed, self.refuse, self.answers, self.message = [], {}, [], None

    @property
    def over(self):
        return self.message is not None

    def page(self):
        return self.browser.page()

    def perform(self, primitive):
        self.performed.append(primitive)
        if primitive.name in self.refuse:
            return self.refuse[primitive.name]
        if primitive.name == "send_msg_to_user":
            self.message = primitive.args[0]
        elif primitive.name != "noop":
            try:
                self.browser.perform(primitive)
            except ActionError as error:
                return error
        return None

    def state(self):
        page = build_page(self.page().snapshot._replace(focus=-1))
        return self.message, self.site.revision, page.url, page.axtree

    def assist(self, instruction):
        return self.answers.pop(0) if self.answers else None


@pytest.fixture
def host_of():
    return PageHost


@pytest.fixture
def run(host_of):
    """Runs a program on pages; gives the outcome and the host."""

    def go(text, pages, policy=None, host=None, **values):
        host = host or host_of(pages if isinstance(pages, dict) else {"/": pages})
        return execute(parse(text), values, host, policy), host

    return go
