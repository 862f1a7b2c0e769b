"""Asking the model that writes: bounded requests, one account, and what makes a reply no candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.llm.asking import ATTEMPTS, ask
from skillshift_gym.agents.llm.model import Account, ReplyError, Schema
from skillshift_gym.keyed import keyed
from skillshift_gym.skills.values import text_problem, texts_in

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
UNUSABLE = f"no usable reply in {ATTEMPTS} attempts"


class Rejected(Exception):
    """What the model wrote is no candidate; the text says why, in a few words that can be counted."""


def record(**parts: Schema) -> Schema:
    """Returns the schema of an object that has all of these parts and no other."""
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


def listed(part: Schema) -> Schema:
    """Returns the schema of a list."""
    return {"type": "array", "items": part}


class Writer:
    """The model of a lesson.

    Args:
        lesson: A lesson with an inducer.
        method: Name of the method; with the lesson's seed and the number of the request it is the seed of the sampling.

    Attributes:
        account: What all requests came to.
    """

    def __init__(self, lesson: Lesson, method: str) -> None:
        if lesson.inducer is None:
            raise TypeError("expected a lesson with an inducer, got one for the rules")
        self._model, self._lesson, self._method = lesson.inducer, lesson, method
        self._asked = 0
        self.account = Account()

    def ask(self, instructions: str, said: Sequence[str], schema: Schema) -> Mapping[str, Any]:
        """Returns a reply of a schema; empty parts of what is said are left out.

        Raises:
            Rejected: No reply was of the schema, or one has a text that no bank takes.
            ServiceError: The model's service cannot be had.
        """
        self._asked += 1
        messages = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": "\n\n".join(part for part in said if part)},
        ]
        seed = keyed("inducer", self._method, self._lesson.seed, self._asked) % 2**31
        try:
            reply = ask(
                self._model, messages, schema, self.account,
                **self._lesson.sampling._asdict(), seed=seed,
            )  # fmt: skip
        except ReplyError:
            raise Rejected(UNUSABLE) from None
        data: Mapping[str, Any] = reply.data
        if any(text_problem(text) for text in texts_in(data)):
            raise Rejected("a text that no bank takes: half of a character, binary, or too long")
        return data


def line_of(text: str) -> str:
    """Returns a text of the model on one line."""
    return " ".join(text.split())
