"""What ships is what is in the tree."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
FOLDERS = {"skillshift_gym": ROOT / "skillshift_gym", **{
    name: ROOT / folder for name, folder in SETUPTOOLS["package-dir"].items() if name != "skillshift_gym"
}}  # fmt: skip


def test_every_package_on_disk_is_listed():
    found = {
        ".".join((name, *init.parent.relative_to(folder).parts))
        for name, folder in FOLDERS.items()
        for init in folder.rglob("__init__.py")
    }
    assert sorted(found) == sorted(SETUPTOOLS["packages"])


def test_every_data_file_is_matched_by_a_pattern():
    patterns = SETUPTOOLS["package-data"]
    missed = []
    for name, folder in FOLDERS.items():
        for file in folder.rglob("*"):
            if file.is_file() and file.suffix not in (".py", ".pyc"):
                package = folder
                parts = [name]
                for part in file.parent.relative_to(folder).parts:
                    if not (package / part / "__init__.py").exists():
                        break
                    package, parts = package / part, [*parts, part]
                globs = patterns.get(".".join(parts), [])
                if not any(file.relative_to(package).match(g) for g in globs):
                    missed.append(str(file))
    assert missed == []


def test_mapped_packages_import_under_their_own_name():
    from skillshift_gym.agents import reference

    assert reference.__name__ == "skillshift_gym.agents.reference"


@pytest.mark.parametrize("name", ["agents", "wrappers"])
def test_the_folders_refuse_their_bare_names(name):
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"import skillshift_gym.{name}" in done.stderr


def test_types_ship():
    assert resources.files("skillshift_gym").joinpath("py.typed").is_file()


def test_the_version_is_said_once():
    import skillshift_gym

    assert skillshift_gym.__version__ == metadata.version("skillshift-gym")


def test_exported_names():
    import skillshift_gym

    assert skillshift_gym.__all__ == ["__version__", "make_cell", "make_vec", "restore", "snapshot"]


def test_importing_one_thing_first_works():
    """Modules import in any order: no cycle hides behind the package's own order."""
    for module in ("spaces", "page", "env", "tasks.wordpress", "evaluation.report", "agents.reference", "browsers.dom"):
        subprocess.run([sys.executable, "-c", f"import skillshift_gym.{module}"], check=True)
