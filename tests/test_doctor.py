import shutil
import sqlite3
import sys
from importlib import metadata

import pytest

from skillshift_gym import cli, doctor


def finding(name):
    return next(f for f in doctor.look() if f.name.startswith(name))


def test_this_machine_has_what_is_required(capsys):
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "MISS" not in out
    assert f"ok   Python: {sys.version.split()[0]}" in out and "ok   embedded sites: wordpress answers 200" in out
    assert f"ok   gymnasium: {metadata.version('gymnasium')}" in out


def test_every_core_dependency_is_looked_at():
    names = [f.name for f in doctor.look()]
    assert {"gymnasium", "numpy", "lxml", "beautifulsoup4", "pydantic", "playwright", "werkzeug", "jinja2"} <= set(
        names
    )
    assert "pytest" not in names and "ruff" not in names
    assert [f.required for f in doctor.look()] == sorted((f.required for f in doctor.look()), reverse=True)


@pytest.fixture
def broken(monkeypatch, capsys):
    """Examines the machine and returns (exit code, output)."""

    def examine():
        code = doctor.examine()
        return code, capsys.readouterr().out

    return examine


def test_a_missing_package_and_the_command_that_fixes_it(monkeypatch, broken):
    version = metadata.version

    def without(name):
        if name == "lxml":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", without)
    code, out = broken()
    assert code == 1
    assert f"MISS lxml: not installed\n     fix: {sys.executable} -m pip install 'lxml'\n" in out


def test_a_folder_that_is_not_installed(monkeypatch, broken):
    def nothing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", nothing)
    code, out = broken()
    assert (
        code == 1
        and f"MISS skillshift-gym: runs from a folder that is not installed\n     fix: {sys.executable}" in out
    )


def test_an_old_python(monkeypatch, broken):
    monkeypatch.setattr(sys, "version_info", (3, 10, 2))
    code, out = broken()
    assert code == 1 and "MISS Python: 3.10.2\n     fix: install Python 3.11 or newer" in out


def test_a_sqlite_without_serialize(monkeypatch, broken):
    class Connection:
        pass

    monkeypatch.setattr(sqlite3, "Connection", Connection)
    code, out = broken()
    assert code == 1 and "without serialize()\n     fix: use a Python whose sqlite3" in out


@pytest.mark.parametrize("error", [FileNotFoundError("home.html"), ImportError("no module"), ValueError("broken")])
def test_an_embedded_site_that_is_broken_in_any_way(monkeypatch, broken, error):
    def create(name, version):
        raise error

    monkeypatch.setattr("skillshift_gym.sites.registry.create", create)
    code, out = broken()
    assert code == 1 and f"MISS embedded sites: {type(error).__name__}: {error}\n     fix: " in out


@pytest.fixture
def bare_machine(monkeypatch, tmp_path):
    """A machine without any browser; returns its cache of downloaded browsers."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("SKILLSHIFT_CHROMIUM", raising=False)
    return tmp_path


def test_a_missing_browser_is_optional(bare_machine, broken):
    code, out = broken()
    assert code == 0
    assert (
        f"opt  Chromium (only for browser='chromium'): not found\n     fix: {sys.executable} -m playwright install"
        in out
    )


def test_the_fix_for_a_browser_is_seen_afterwards(bare_machine):
    program = bare_machine / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    assert finding("Chromium").ok and finding("Chromium").found == str(program)


def test_the_fix_for_a_browser_where_packages_can_be_installed(monkeypatch, bare_machine):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 0, raising=False)
    assert finding("Chromium").fix == "apt-get install chromium"
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 1000, raising=False)
    assert finding("Chromium").fix.endswith("-m playwright install chromium")


def test_every_finding_that_may_fail_has_a_fix():
    assert all(f.fix for f in doctor.look() if f.required and f.name not in (m.name for m in doctor._packages()))
