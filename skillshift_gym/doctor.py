"""What this machine has, what is missing, and the command that fixes it."""

from __future__ import annotations

import os
import sqlite3
import sys
from importlib import metadata
from typing import NamedTuple

from .browsers.chromium_launch import find_chromium, install_command


class Finding(NamedTuple):
    """One thing looked at: whether it is there, what was found, and how to get it.

    Attributes:
        name: What was looked for.
        ok: Whether it is there.
        found: What was found.
        fix: The command that fixes it.
        required: Whether the package works at all without it.
    """

    name: str
    ok: bool
    found: str
    fix: str = ""
    required: bool = True


def examine() -> int:
    """Prints the findings; returns 1 when something required is missing."""
    findings = look()
    for finding in findings:
        sign = "ok  " if finding.ok else ("MISS" if finding.required else "opt ")
        print(f"{sign} {finding.name}: {finding.found}" + (f"\n     fix: {finding.fix}" if not finding.ok else ""))
    return 1 if any(f.required and not f.ok for f in findings) else 0


def look() -> list[Finding]:
    """Returns the findings, required ones first."""
    return [_python(), _sqlite(), *_packages(), _site(), _cores(), _chromium()]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", sys.version_info >= (3, 11), version, "install Python 3.11 or newer")


def _sqlite() -> Finding:
    ok = hasattr(sqlite3.Connection, "serialize")
    fix = "use a Python whose sqlite3 module was built with serialize()"
    return Finding("SQLite", ok, f"{sqlite3.sqlite_version}{'' if ok else ', without serialize()'}", fix)


def _packages() -> list[Finding]:
    try:
        names = _requirements()
    except metadata.PackageNotFoundError:
        fix = f"{sys.executable} -m pip install -e ."
        return [Finding("skillshift-gym", False, "runs from a folder that is not installed", fix)]
    return [_package(name) for name in names]


def _requirements() -> list[str]:
    requires = metadata.requires("skillshift-gym") or []
    names = [r for r in requires if "extra ==" not in r]
    return sorted({"".join(c if c.isalnum() or c in "-_." else " " for c in r).split()[0] for r in names})


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, False, "not installed", f"{sys.executable} -m pip install '{name}'")


def _site() -> Finding:
    fix = f"{sys.executable} -m pip install --force-reinstall --no-deps skillshift-gym"
    try:
        from .sites import registry
        from .sites.protocol import Request

        made = [(name, registry.create(name, "v1")) for name in registry.MODULES]
        found = {name: site.request(Request("GET", f"{site.origin}/")).status for name, site in made}
    except Exception as error:  # noqa: BLE001  whatever is broken is the finding
        return Finding("embedded sites", False, f"{type(error).__name__}: {error}", fix)
    answers = ", ".join(f"{name} answers {status}" for name, status in found.items())
    return Finding("embedded sites", all(status < 400 for status in found.values()), answers, fix)


def _cores() -> Finding:
    return Finding("cores", True, str(os.cpu_count() or 1), required=False)


def _chromium() -> Finding:
    path = find_chromium()
    name, fix = "Chromium (only for browser='chromium')", install_command()
    return Finding(name, path is not None, path or "not found", fix, required=False)
