"""The chat backbone: a language model chooses among the candidates that the lexical backbone finds best.

The model sees a fixed beginning (how to choose, the actions, the skills), which services keep in their prompt cache,
and a short part about the page (`prompt`). It answers with the words of a candidate, or with its number, which the schema
of the reply makes it do.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.backbones.lexical import LexicalBackbone
from skillshift_gym.agents.backbones.prompt import REPLIES, distinct, instructions, situation
from skillshift_gym.agents.llm.asking import ATTEMPTS, ask
from skillshift_gym.agents.llm.model import MAX_TOKENS, Account, ChatModel
from skillshift_gym.agents.llm.settings import chat_model, whole
from skillshift_gym.agents.llm.settings import temperature as temperature_of
from skillshift_gym.candidates import Candidate, ranked
from skillshift_gym.context import Context
from skillshift_gym.errors import UsageError

TOP = 16  # candidates shown
_SHARES = (0.9, 0.09)  # of the first and the second choice; what is left goes to the others
_SEED = 0


class ChatBackbone:
    """Scores candidates by what a chat model chooses: its choice first, then the others as the lexical backbone has them.

    Settings are plain values, or their texts as the command line gives them. Keys come from the environment only.

    Args:
        model: A chat model, or the name of one behind a service.
        top: Candidates shown, 2 to 40; the best ones by the lexical backbone.
        choices: 1 for the best candidate, 2 for the best two.
        order: `page` shows the candidates as they come on the page; `score` the best by the lexical backbone first,
            which gives its opinion away.
        reply: `words` lets the model name an action in words, `number` by its place in the list, which is shorter. A
            small model has words in its grasp and numbers not.
        attempts: Requests of a decision until its reply is usable.
        max_tokens: Greatest number of tokens of a reply; models that think aloud need more.
        temperature: Sampling temperature; `none` for the service's default.
        seed: Seed of the sampling, for services that take one.
        **service: `provider`, `base_url`, `key_env`, `stream`, `structured`, `timeout`, `retries`, and one of `cache`,
            `record` and `replay`, as in `skillshift_gym.agents.llm.settings.chat_model`.

    Attributes:
        account: What the calls came to since it was last cleared.

    Raises:
        UsageError: A setting is unknown, missing or wrong.
    """

    name = "chat"
    probabilistic = True

    def __init__(
        self,
        model: str | ChatModel = "",
        *,
        top: int | str = TOP,
        choices: int | str = 1,
        order: str = "page",
        reply: str = "words",
        attempts: int | str = ATTEMPTS,
        max_tokens: int | str = MAX_TOKENS,
        temperature: float | str | None = "",
        seed: int | str = _SEED,
        **service: Any,
    ) -> None:
        default: float | None = 0.0
        if isinstance(model, str):
            self.model, default = chat_model({"model": model, **service})
        elif service:
            raise UsageError(f"{next(iter(service))!r} is a setting of a model that is named, not of one that is given")
        else:
            self.model = model
        if order not in ("page", "score"):
            raise UsageError(f"order: expected 'page' or 'score', got {order!r}")
        if reply not in REPLIES:
            raise UsageError(f"reply: expected one of {', '.join(REPLIES)}, got {reply!r}")
        self._in_page_order, self._reply = order == "page", reply
        self._top = whole("top", top, 2, 40)
        self._choices = ("choice",) if whole("choices", choices, 1, 2) == 1 else ("first", "second")
        self._attempts = whole("attempts", attempts, 1, 10)
        self._max_tokens = whole("max_tokens", max_tokens, 1, 100_000)
        self._temperature = default if temperature == "" else temperature_of(temperature)
        self._seed = whole("seed", seed, 0, 2**31 - 1)
        self._lexical = LexicalBackbone()
        self._skills = ""
        self.account = Account()

    def show_skills(self, text: str) -> None:
        """Sets what the model is told of skills: signatures, workflows or advice; empty for nothing."""
        self._skills = text

    def score(self, candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the scores, shape (candidates,): log-probabilities, the model's choice far above the rest.

        Raises:
            ReplyError: The model's replies are not usable: a failure of the agent.
            ServiceError: The model's service cannot be had: no measurement.
        """
        order = ranked(self._lexical.score(candidates, context).tolist())
        shown = distinct(order, candidates, context, self._top)
        if len(shown) > 1:
            chosen = self._chosen(sorted(shown) if self._in_page_order else shown, candidates, context)
            order = [*chosen, *(i for i in order if i not in chosen)]
        else:
            chosen = []
        return _log_probabilities(order, len(chosen))

    def _chosen(self, shown: list[int], candidates: list[Candidate], context: Context) -> list[int]:
        """Returns the positions of the candidates that the model chooses, best first, each once."""
        names, text = situation([candidates[i] for i in shown], context, self._reply)
        schema = {
            "type": "object",
            "properties": {field: {"type": "string", "enum": names} for field in self._choices},
            "required": list(self._choices),
            "additionalProperties": False,
        }
        messages = [
            {"role": "system", "content": instructions(self._choices, self._skills, self._reply)},
            {"role": "user", "content": text},
        ]
        reply = ask(
            self.model,
            messages,
            schema,
            self.account,
            attempts=self._attempts,
            max_tokens=self._max_tokens,
            temperature=self._temperature,
            seed=self._seed,
        )
        return list(dict.fromkeys(shown[names.index(reply.data[field])] for field in self._choices))


def _log_probabilities(order: list[int], chosen: int) -> NDArray[np.float32]:
    """Returns scores that fall along an order: the shares of the chosen, then halves of what is left."""
    shares = _SHARES[:chosen]
    rest = log(1.0 - sum(shares))
    scores = np.empty(len(order), dtype=np.float32)
    for place, index in enumerate(order):
        scores[index] = log(shares[place]) if place < chosen else rest - (place - chosen + 1) * log(2)
    return scores
