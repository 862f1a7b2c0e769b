"""What perceptual shift does to pages and to recorded locators: `python benchmarks/perceptual_report.py`.

On every page that the oracles of the bench tasks visit, each interactive element's locators are recorded as browser
recorders store them; the page is shifted (by each intensity, and by each mutator alone at its high setting, mutators that
are off there at 1) and each locator is resolved again. It survives when it finds the same element, by the private
semantic id. An element of the markup counts as changed when its tag, an attribute, its first text or its parent did.

Options: `--every N` takes every Nth task.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Any, cast
from urllib.parse import urlsplit

import gymnasium
from lxml import etree

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.document import Document
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.evaluation.locators import KINDS, Finder, identities, tree_of
from skillshift_gym.page import Page
from skillshift_gym.registration import env_id
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.testing import FakeSite
from skillshift_gym.wrappers.mutators import SETTINGS, Setting
from skillshift_gym.wrappers.perceptual import STYLES, PerceptualFilter

FIELDS = ("axtree", "elements", "html")
BROKEN_AT_LEAST = ("test id", "id", "css", "css path", "xpath")
TITLES = {"src": "WordPress v1", "tgt": "WordPress v2"}
Counts = dict[str, Counter[str]]


def settings() -> dict[str, tuple[Setting, str]]:
    """Returns row -> setting and style sheet: the intensities, then each mutator alone."""
    rows = {name: (setting, STYLES[name]) for name, setting in SETTINGS.items()}
    for name, probability in SETTINGS["high"]._asdict().items():
        rows[f"{name} {probability or 1.0:g}"] = (Setting(**{name: probability or 1.0}), "")
    return rows


def main() -> None:
    """Prints a table for each front end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every Nth task")
    tasks = registry.task_ids("wordpress")[:: parser.parse_args().every]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for condition, title in TITLES.items():
            totals: Counts = {}
            for counts in pool.imap_unordered(measure, [(condition, task) for task in tasks], chunksize=4):
                for row, counter in counts.items():
                    totals.setdefault(row, Counter()).update(counter)
            print(f"\n## {title}: {len(tasks)} tasks, {totals['plain']['pages']} pages visited\n")
            print(table(totals))


def measure(job: tuple[str, str]) -> Counts:
    """Returns the counts of one task in one condition, by row of the table."""
    condition, task = job
    totals: Counts = {"plain": Counter()}
    for document in visited(condition, task):
        plain = show(etree.tostring(tree_of(document, marked=True), method="html", encoding="unicode"), document.url)
        finder = Finder(plain)
        recorded = {i: finder.record(i) for i in identities(plain)}
        totals["plain"].update(["pages"], **{k: sum(k in x for x in recorded.values()) for k in KINDS})
        for row, (setting, style) in settings().items():
            counter = totals.setdefault(row, Counter())
            tree = tree_of(document, marked=True)
            before = [(e, _tag(e)) for e in tree.iter()]
            PerceptualFilter(f"0:{task}", setting, style)(tree, document.url)
            left = set(tree.iter())
            counter.update(html=sum(_tag(e) != tag or e not in left for e, tag in before))
            counter.update(**{"of html": len(before)})
            shifted = show(etree.tostring(tree, method="html", encoding="unicode"), document.url)
            _count_fields(counter, plain, shifted)
            _count_locators(counter, plain, shifted, recorded)
    return totals


def visited(condition: str, task: str) -> Iterator[Document]:
    """Yields the documents that the oracle of a task visits, each state of an address once."""
    env = gymnasium.make(env_id("wordpress", condition), disable_env_checker=True)
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=0, options={"task": task})
    family, number = registry.family_of(task)
    seen = set()
    for step in family.oracle(family.instances[number].params, base.version):
        key = (base.page.url.partition("#")[0], base.site.revision)
        if key not in seen:
            seen.add(key)
            yield base.page.document
        if any(env.step(resolve(step, base.page))[2:4]):
            break
    env.close()


def show(html: str, url: str) -> Page:
    """Returns the page of a document with its semantic ids."""
    parts = urlsplit(url)
    browser = DomBrowser()
    browser.reset(FakeSite({parts.path: "<!DOCTYPE html>" + html}, f"{parts.scheme}://{parts.netloc}"))
    browser.goto(url)
    return browser.page()


def _tag(element: etree._Element) -> tuple[Any, ...]:
    """Returns what a mutator may change of an element: tag, attributes in order, first text, parent."""
    return (element.tag, *element.items(), element.text, element.getparent())


def _count_fields(counter: Counter[str], plain: Page, shifted: Page) -> None:
    """Counts the lines of the plain page that the shifted one does not have."""
    lines = {"axtree": (plain.axtree, shifted.axtree), "elements": (plain.element_list, shifted.element_list)}
    for field, texts in lines.items():
        old, new = (Counter(re.sub(r'\[\d+\] ?|"bid": "\d+", ', "", line) for line in t.split("\n")) for t in texts)
        counter.update(**{field: (old - new).total(), f"of {field}": old.total()})


def _count_locators(counter: Counter[str], plain: Page, shifted: Page, recorded: dict[int, dict[str, Any]]) -> None:
    """Counts the locators that find on the shifted page what they found on the plain one."""
    finder = Finder(shifted)
    now = {identity: index for index, identity in identities(shifted).items()}
    for index, identity in identities(plain).items():
        for kind, locator in recorded[index].items():
            counter[kind] += finder.resolve(locator) == now.get(identity, -2)


def table(totals: Counts) -> str:
    """Returns the counts as a Markdown table: per cent of elements changed, per cent of locators surviving."""
    plain = totals["plain"]
    lines = [
        "| mutators | " + " | ".join(f"{f} changed" for f in FIELDS) + " | " + " | ".join(KINDS) + " |",
        "|---" * (1 + len(FIELDS) + len(KINDS)) + "|",
        f"| n | {' | '.join(str(totals['high'][f'of {f}']) for f in FIELDS)} | {' | '.join(str(plain[k]) for k in KINDS)} |",
    ]
    for row, counter in totals.items():
        if row != "plain":
            shares = [_share(counter[f], counter[f"of {f}"]) for f in FIELDS] + [
                _share(counter[k], plain[k]) for k in KINDS
            ]
            lines.append(f"| {row} | " + " | ".join(shares) + " |")
    high = totals["high"]
    broken = {k: 1 - high[k] / plain[k] for k in BROKEN_AT_LEAST if plain[k]}
    names = _share(high["role+name"], plain["role+name"])
    lines.append(
        "\nbroken at high: " + ", ".join(f"{k} {v:.0%}" for k, v in broken.items()) + f"; role+name kept {names}"
    )
    lines += [f"{k}: null, no visible interactive element has one" for k in KINDS if not plain[k]]
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "null"


if __name__ == "__main__":
    main()
