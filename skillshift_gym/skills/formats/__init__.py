"""Foreign formats of skills: read into records, written from them, never executed.

`read_files` and `write_files` are for texts in memory, `read_path` and `write_path` for files and folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ...errors import BankError
from ...files import write_atomically
from ..bank_file import read_text
from ..skill import Skill
from .asi import Functions
from .awm import Workflows
from .base import Exported, Format, Imported, Note, export_skills, import_files
from .codegen import Scripts
from .reskill import Bundles
from .skillrl import Principles
from .skillweaver import PagePrograms
from .tools import Tools

__all__ = ["FORMATS", "Exported", "Imported", "Note", "read_files", "read_path", "write_files", "write_path"]

MAX_FILES = 1_000
MAX_BYTES = 20_000_000

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Workflows(),
        Functions(),
        PagePrograms(),
        Tools("walt", ".tool.json"),
        Tools("workflow-use", ".workflow.json"),
        Principles("skillrl"),
        Principles("skillmaster"),
        Bundles(),
        Scripts(),
    )
}


def read_files(name: str, files: Mapping[str, str]) -> Imported:
    """Returns the skills that files of a format hold, and what is not taken over.

    Args:
        name: Name of the format.
        files: File name -> text.
    """
    return import_files(_format(name), files)


def write_files(name: str, skills: Iterable[Skill]) -> Exported:
    """Returns skills as files of a format, and what they lose.

    Args:
        name: Name of the format.
        skills: The skills.
    """
    return export_skills(_format(name), skills)


def read_path(name: str, path: Path) -> Imported:
    """Returns the skills of a file, or of the files of a folder and its sub-folders.

    Raises:
        BankError: A file is no text, or there are too many or too large ones.
    """
    _format(name)
    if not path.is_dir():
        return read_files(name, {path.name: read_text(path, MAX_BYTES)})
    found = sorted(p for p in path.rglob("*") if p.is_file() and not p.is_symlink())
    found = [p for p in found if p.suffix in (".py", ".json", ".txt", ".md") and "exploration_result" not in p.name]
    if len(found) > MAX_FILES or sum(p.stat().st_size for p in found) > MAX_BYTES:
        raise BankError(f"{path}: expected at most {MAX_FILES:,} files of {MAX_BYTES:,} bytes in all")
    return read_files(name, {p.relative_to(path).as_posix(): read_text(p, MAX_BYTES) for p in found})


def write_path(name: str, skills: Iterable[Skill], path: Path) -> Exported:
    """Writes skills as files of a format: one file as `path`, several into the folder `path`.

    Raises:
        BankError: There is nothing to write, or `path` is a folder where a file is meant, or the other way.
    """
    done = write_files(name, skills)
    if not done.files:
        raise BankError("; ".join(["nothing to write", *map(str, done.notes)]))
    if len(done.files) == 1 and not path.is_dir():
        write_atomically(path, next(iter(done.files.values())))
        return done
    if path.is_file():
        raise BankError(f"{path}: {len(done.files)} files are written; give a folder")
    for file, text in done.files.items():
        write_atomically(path / file, text)
    return done


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise BankError(f"format: expected one of {', '.join(FORMATS)}, got {name[:40]!r}")
    return FORMATS[name]
