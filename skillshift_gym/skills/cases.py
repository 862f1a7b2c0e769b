"""Findings about skills, and the two forms that continuous integration reads: JUnit XML and SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

from .values import shown

Level = Literal["ok", "note", "warning", "error", "skipped"]
_SARIF = {"note": "note", "warning": "warning", "error": "error", "skipped": "none", "ok": "none"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Case(NamedTuple):
    """One thing looked at.

    Attributes:
        group: What it belongs to: a condition, or `lint`.
        name: The skill.
        level: How bad it is; only `warning` and `error` are failures.
        rule: Short name of what was found, such as `stale_target`.
        message: What was found, in words.
        line: Line of the bank file on which the skill was last changed; 0 when it is in none.
    """

    group: str
    name: str
    level: Level
    rule: str = ""
    message: str = ""
    line: int = 0

    @property
    def failed(self) -> bool:
        """Whether it is a failure."""
        return self.level in ("warning", "error")


def junit(cases: Sequence[Case], title: str) -> str:
    """Returns the findings as JUnit XML: a suite for each group, a test case for each finding."""
    root = ElementTree.Element("testsuites", {"name": title, **_counts(cases)})
    for group, own in groupby(sorted(cases, key=lambda c: c.group), key=lambda c: c.group):
        members = list(own)
        suite = ElementTree.SubElement(root, "testsuite", {"name": group, **_counts(members)})
        for case in members:
            test = ElementTree.SubElement(suite, "testcase", classname=f"{title}.{group}", name=_named(case))
            if case.failed:
                failure = ElementTree.SubElement(test, "failure", type=case.rule, message=_xml(case.message))
                failure.text = _xml(f"{case.level}: {case.message}")
            elif case.level == "skipped":
                ElementTree.SubElement(test, "skipped", message=_xml(case.message))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def sarif(cases: Sequence[Case], uri: str, rules: Mapping[str, str]) -> str:
    """Returns the findings as SARIF 2.1.0, each at the line of the bank that last changed the skill.

    Args:
        cases: The findings; those that are fine are left out.
        uri: The bank, as the reader of the report finds it.
        rules: Rule -> what it means.
    """
    found = [c for c in cases if c.level in ("note", "warning", "error")]
    used = sorted({c.rule for c in found})
    driver = {
        "name": "skillshift bank",
        "rules": [{"id": r, "shortDescription": {"text": rules.get(r, r)}} for r in used],
    }
    results = [
        {
            "ruleId": c.rule,
            "ruleIndex": used.index(c.rule),
            "level": _SARIF[c.level],
            "message": {"text": _xml(f"{c.name} ({c.group}): {c.message}")},
            "locations": [_location(uri, c)],
        }
        for c in found
    ]
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _location(uri: str, case: Case) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": max(1, case.line)}}
    return {"physicalLocation": place, "logicalLocations": [{"name": case.name, "kind": "function"}]}


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(c.failed for c in cases)),
        "skipped": str(sum(c.level == "skipped" for c in cases)),
    }


def _named(case: Case) -> str:
    return f"{case.name}: {case.rule}" if case.rule and case.failed else case.name


def _xml(text: str) -> str:
    return shown(text)
