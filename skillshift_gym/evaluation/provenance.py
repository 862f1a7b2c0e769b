"""Which code made a number: content hashes of what an episode of a site runs through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .. import __version__

# Code that no observation and no check of an episode depends on.
_APART = {"agents", "coda", "commands", "evaluation", "live", "wrappers"}
_APART_FILES = {"__main__.py", "cli.py", "doctor.py", "fuzzing.py", "testing.py", "py.typed"}
_REFERENCE = ("base.py", "reference.py", "backbones/lexical.py")


def harness_version() -> str:
    """Returns the name and version of this package."""
    return f"skillshift_gym {__version__}"


def environment_name(site: str, digest: str = "") -> str:
    """Returns the name of a site's environment, which nobody can mistake for one of the published images.

    Args:
        site: Site name.
        digest: Content hash that a run noted; that of the present code by default.
    """
    return f"skillshift_gym embedded {__version__} {digest or environment_digest(site)}"


@cache
def environment_digest(site: str) -> str:
    """Returns the content hash of the code, templates and texts of a site, its tasks and the shared environment.

    Other sites do not change it; neither do commands, metrics and agents. 16 hexadecimal digits of SHA-256.
    """
    package = _folder("skillshift_gym")
    files = [p for p in _files(package) if _belongs(p.relative_to(package).parts, site)]
    wrappers = _folder("skillshift_gym.wrappers")
    named = [(f"package/{p.relative_to(package).as_posix()}", p) for p in files]
    named += [(f"wrappers/{p.relative_to(wrappers).as_posix()}", p) for p in _files(wrappers)]
    return _digest(named)


@cache
def reference_digest() -> str:
    """Returns the content hash of the lexical reference agent's code."""
    folder = _folder("skillshift_gym.agents")
    return _digest((name, folder / name) for name in _REFERENCE)


@cache
def agents_digest() -> str:
    """Returns the content hash of all agents that come with the package, weights included; banks have hashes of their own."""
    folder = _folder("skillshift_gym.agents")
    files = ((path.relative_to(folder).as_posix(), path) for path in _files(folder))
    return _digest((name, path) for name, path in files if not name.startswith("banks/"))


def _belongs(parts: tuple[str, ...], site: str) -> bool:
    if parts[0] in _APART or parts[-1] in _APART_FILES:
        return False
    # A folder below sites/ or tasks/ is one site's own.
    return not (parts[0] in ("sites", "tasks") and len(parts) > 2 and parts[1] != site)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
            yield path


def _digest(files: Iterable[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, path in sorted(files):
        content = path.read_bytes().replace(b"\r\n", b"\n")  # a checkout on Windows is the same code
        digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def _folder(package: str) -> Path:
    spec = find_spec(package)  # without importing it: this layer knows no agent
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"no package {package}")
    return Path(spec.submodule_search_locations[0])
