"""Reading and writing files that others may have altered: JSON without traps, writes that leave no half of a file."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, NoReturn


def write_atomically(path: Path, text: str) -> None:
    """Writes a file so that readers see the old text or the new one, never a part."""
    write_whole(path, text.encode("utf-8"))


def write_whole(path: Path, data: bytes, *, replace: bool = True) -> bool:
    """Writes a file so that it is whole or not there.

    Args:
        path: The file.
        data: Its bytes.
        replace: Whether it may take the place of another one.

    Returns:
        Whether it was written; False when the name is taken.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)
        if replace:
            os.replace(name, path)
        else:
            os.link(name, path)  # refuses a name that is taken, in one step, whoever else writes here
    except FileExistsError:
        return False
    finally:
        Path(name).unlink(missing_ok=True)
    return True


def parse_json(text: str) -> Any:
    """Returns the value of a JSON text.

    Raises:
        ValueError: It is none, a key appears twice, a number is no number, or it is nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"the key {twice[0]!r} appears twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
