"""WALT's discovery: a walk over links and forms that lists what could become a tool.

Paper and code: a browser agent with 30 steps lists candidate functions, and a keyword filter takes those out that would break
the login. Here the walk is a breadth-first one that prefers links of a kind that has shown something new.
"""

from __future__ import annotations

from collections import Counter

from skillshift_gym.agents.induction.affordances import family, leaves
from skillshift_gym.agents.induction.exploring import Explorer, route_of
from skillshift_gym.agents.induction.site_forms import links_of
from skillshift_gym.agents.induction.survey import Survey
from skillshift_gym.page import Page

STEPS = 30


class Discovery:
    """Walks over a site.

    Args:
        explorer: The browser.
        survey: Takes in what is seen.
    """

    def __init__(self, explorer: Explorer, survey: Survey) -> None:
        self._explorer, self._survey = explorer, survey
        self._waiting: dict[str, str] = {}  # path -> kind of its address
        self._boring: Counter[str] = Counter()  # kind -> pages that showed nothing new
        self._looked: Counter[str] = Counter()
        self.visited: dict[str, None] = {}

    def walk(self, task: str, steps: int = STEPS) -> None:
        """Walks from the start page of a task."""
        self._take_in(self._explorer.begin(task))
        for _ in range(steps):
            path = min(self._waiting, key=self._rank, default="")
            if not path:
                return
            kind = self._waiting.pop(path)
            if not self._explorer.do("goto", path):
                continue
            self._boring[kind] += self._take_in(self._explorer.page) == 0
            self._looked[kind] += 1

    def _rank(self, path: str) -> tuple[int, int]:
        """Returns what a path waits behind: pages of its kind that showed nothing new, then those looked at."""
        kind = self._waiting[path]
        return self._boring[kind], self._looked[kind]

    def _take_in(self, page: Page) -> int:
        self.visited[route_of(page.url)] = None
        found = self._survey.look(page)
        for link in links_of(page):
            if link.path not in self.visited and not leaves(link.label):
                self._waiting.setdefault(link.path, family(link.path))
        return found
