"""The results file of a submission, in the published form (schema version 1.0), and how it is read.

Names of fields, slots and files are those of the benchmark's public submissions. Numbers have two decimals; an undefined
one is null and has an entry in `reasons`.
"""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..files import parse_json

METRICS = ("SR", "AS", "ASC", "SFR")
NAME = re.compile(r"(\d{4}-\d{2}-\d{2})--([a-z0-9.-]+)--([a-z0-9.-]+)\.json", re.ASCII)

Parsed = TypeVar("Parsed", bound=BaseModel)


class BrokenFile(ValueError):
    """A file is not what it should be; the text says where and why."""


def _day(value: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        raise ValueError(f"expected a date such as 2026-01-31, got {value!r}")
    date.fromisoformat(value)
    return value


def _hundredths(value: float) -> float:
    if round(value, 2) != value:
        raise ValueError(f"expected at most two decimals, got {value!r}")
    return value


Number = Annotated[float, AfterValidator(_hundredths)]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]


class Form(BaseModel):
    """Base of all parts: no unknown field, no conversion of types, no NaN."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Method(Form):
    """The method that was run."""

    name: Text
    description: str = ""
    paper_url: str = ""
    code_url: str = ""


class Model(Form):
    """The model behind it; `temperature` is None for one that does not sample, `vision` says whether it saw pictures."""

    id: Text
    temperature: float | None = None
    vision: bool = False


class Provenance(Form):
    """Where the numbers come from."""

    label: Literal["reported-only", "verified-paper", "self-reported"]
    source: str = ""
    code_released: bool = False


class Submission(Form):
    """Who ran what, and when."""

    name: Text
    date: Annotated[str, AfterValidator(_day)]
    contact: Text
    method: Method
    model: Model
    provenance: Provenance
    repro_command: str


class Slots(Form):
    """The ten numbers of one metric: site marginals, condition marginals, and the mean of all cells."""

    websites: dict[str, Number | None]
    conditions: dict[str, Number | None]
    overall: Number | None

    def named(self) -> dict[str, float | None]:
        """Returns slot -> number, sites first."""
        return {**self.websites, **self.conditions, "overall": self.overall}


class Metrics(Form):
    """SR and SFR in percent, AS in actions a task, ASC in skill calls a task."""

    SR: Slots
    AS: Slots
    ASC: Slots
    SFR: Slots

    def named(self) -> dict[str, dict[str, float | None]]:
        """Returns metric -> slot -> number."""
        return {name: getattr(self, name).named() for name in METRICS}


class Counts(Form):
    """Denominators.

    Attributes:
        websites: Site -> tasks measured in each of its cells (the fewest of them); 0 for a site that was not run.
        conditions: Condition -> tasks measured over all sites.
        skill_calls: Skill calls in all episodes; None for a method without executable skills.
    """

    websites: dict[str, Count]
    conditions: dict[str, Count]
    skill_calls: Count | None


class Results(Form):
    """A results file."""

    schema_version: Literal["1.0"] = "1.0"
    submission: Submission
    harness_version: Text
    metrics: Metrics
    n: Counts
    reasons: dict[str, Text]
    notes: str


def file_name(submission: Submission) -> str:
    """Returns the name of a submission's results file."""
    return f"{submission.date}--{slug(submission.method.name)}--{slug(submission.model.id)}.json"


def receipt_path(results: Path) -> Path:
    """Returns where the receipt of a results file lies: beside it."""
    return results.with_name(results.name.removesuffix(".json") + ".receipt.json")


def slug(text: str) -> str:
    """Returns a text in the letters of a file name: lower case a-z, 0-9, - and single dots."""
    return re.sub(r"-*\.[-.]*", ".", re.sub(r"[^a-z0-9.]+", "-", text.lower())).strip("-.") or "unnamed"


def dump(form: Form) -> str:
    """Returns the text of a file."""
    return json.dumps(form.model_dump(), indent=2, ensure_ascii=False) + "\n"


def parse(kind: type[Parsed], text: str) -> Parsed:
    """Returns the form that a text holds.

    Raises:
        BrokenFile: It holds none, or a key appears twice.
    """
    try:
        return kind.model_validate(parse_json(text))
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors(include_url=False)]
        raise BrokenFile("; ".join(wrong)) from None
    except ValueError as error:
        raise BrokenFile(f"not JSON: {error}") from None
