"""What all formats share: pieces of files become records and back, and what is lost is said line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ...errors import SkillError
from ..naming import slug
from ..skill import Skill, Source, differences, same_content, skill_of
from ..values import shown


class Note(NamedTuple):
    """What could not be taken over as it was.

    Attributes:
        file: The file.
        line: The line, from 1; 0 for the whole.
        text: What stands there.
        reason: Why it is not taken over, and what is done instead.
    """

    file: str
    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file else f"line {self.line}"
        return shown(f"{place}: {self.reason}" + (f": {self.text.strip()[:120]}" if self.text.strip() else ""))


class Piece(NamedTuple):
    """The part of a file that becomes one skill.

    Attributes:
        text: The part, as it is.
        place: Where it stands in its file, or the file's name; kept in the record.
        line: Its first line in the file, from 1.
        file: Name of the file.
        extra: What other files say about it.
    """

    text: str
    place: str = ""
    line: int = 1
    file: str = ""
    extra: Mapping[str, Any] = {}


class Reading(NamedTuple):
    """What a piece says: the values of a record (its name a wish), and the notes."""

    values: dict[str, Any]
    notes: list[Note] = []


class Format(Protocol):
    """One foreign format."""

    name: str

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields the parts of the files that become skills, and what becomes none."""

    def read(self, piece: Piece) -> Reading:
        """Returns what a piece says.

        Raises:
            ValueError: It is no piece of this format.
        """

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns the piece of a skill that was made or changed here, and what it loses.

        Raises:
            ValueError: The format has no counterpart of such a skill.
        """

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns the files of some pieces: name -> text."""

    def outside(self, skill: Skill) -> Mapping[str, Any]:
        """Returns what other files say about a skill: the `extra` of its piece."""
        return {}


class Imported(NamedTuple):
    """Skills that were read, and what was not taken over."""

    skills: tuple[Skill, ...]
    notes: tuple[Note, ...]


class Exported(NamedTuple):
    """Files to write, by name, and what they lose."""

    files: dict[str, str]
    notes: tuple[Note, ...]


def import_files(form: Format, files: Mapping[str, str]) -> Imported:
    """Returns the skills that files hold; nothing in them is executed.

    A part that is broken or too large becomes a note, the others become skills.
    """
    skills: list[Skill] = []
    notes: list[Note] = []
    names: set[str] = set()
    for piece in form.pieces(files):
        if isinstance(piece, Note):
            notes.append(piece)
            continue
        try:
            values, more = form.read(piece)
            values["name"] = slug(str(values["name"]), names)
            skills.append(_skill(form, piece, values))
        except (SkillError, ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            notes.append(Note(piece.file, piece.line, "", f"not taken over: {reason}"))
        else:
            names.add(values["name"])
            notes += more
    return Imported(tuple(skills), tuple(notes))


def export_skills(form: Format, skills: Iterable[Skill]) -> Exported:
    """Returns skills as files: the piece they came from where it still says the same, else a new one."""
    pieces: list[tuple[Skill, str]] = []
    notes: list[Note] = []
    for skill in skills:
        text = _original(form, skill)
        if text is None:
            try:
                text, more = form.write(skill)
            except ValueError as error:
                notes.append(Note(skill.name, 0, "", f"left out: {error}"))
                continue
            notes += [note._replace(file=skill.name) for note in [*more, *_unread(form, skill, text, more)]]
        pieces.append((skill, text))
    return Exported(form.join(pieces), tuple(notes))


def _unread(form: Format, skill: Skill, text: str, notes: list[Note]) -> list[Note]:
    """Returns a note when a new piece is read as something else than the skill and no note says so yet."""
    try:
        again = skill_of({**form.read(Piece(text, extra=form.outside(skill))).values, "name": skill.name})
        lost = differences(skill, again)
    except (SkillError, ValueError, RecursionError) as error:
        return [Note("", 0, "", f"is not read back: {error}")]
    return [Note("", 0, ", ".join(lost), "is read back otherwise")] if lost and not notes else []


def _skill(form: Format, piece: Piece, values: dict[str, Any]) -> Skill:
    return skill_of({**values, "source": Source(format=form.name, text=piece.text, place=piece.place)})


def _original(form: Format, skill: Skill) -> str | None:
    """Returns the text that a skill came from, None when it says something else now."""
    if skill.source is None or skill.source.format != form.name:
        return None
    try:
        values, _ = form.read(Piece(skill.source.text, skill.source.place, extra=form.outside(skill)))
        wish = values["name"]
        again = skill_of({**values, "name": skill.name})
    except (SkillError, ValueError, RecursionError):
        return None
    whole = (again.version, again.status) == (skill.version, skill.status)
    named = skill.name == wish or skill.name.startswith(wish[:58] + "_")
    return skill.source.text if named and whole and same_content(again, skill) else None


def safe_file(wish: str, fallback: str) -> str:
    """Returns a file name that leads nowhere else."""
    good = re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", wish)
    return wish if good else fallback
