"""What was seen, and sums over windows of it, for a batch of independent learners.

Shapes: B learners, N windows, K episodes, H steps, S states, A actions. Episodes count from 0; a window is [low, high).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.model import Floats, Ints

Shape = tuple[int, int, int]


class History:
    """All transitions of a batch of learners.

    Attributes:
        shape: (H, S, A).
        now: Episodes seen.
        codes: ((h S + s) A + a) S + s' of each step, (K, B, H); -1 where an episode was shorter.
        rewards: (K, B, H), in [0, 1].
    """

    def __init__(self, batch: int, episodes: int, shape: Shape) -> None:
        self.shape, self.now = shape, 0
        self.codes = np.full((episodes, batch, shape[0]), -1, dtype=np.int32)
        self.rewards = np.zeros((episodes, batch, shape[0]))

    def append(self, states: Ints, actions: Ints, rewards: Floats, next_states: Ints) -> None:
        """Adds one episode of each learner.

        Args:
            states: s_1 .. s_T, (B, T) with T <= H.
            actions: a_1 .. a_T, (B, T).
            rewards: r_1 .. r_T, (B, T), in [0, 1].
            next_states: s_2 .. s_{T+1}, (B, T).

        Raises:
            UsageError: More episodes or steps than there is room for.
        """
        _, count, width = self.shape
        room, _, horizon = self.codes.shape
        taken = states.shape[1]
        if self.now >= room or taken > horizon:
            raise UsageError(f"expected at most {room} episodes of {horizon} steps, got {self.now + 1} of {taken}")
        places = (np.arange(taken) * count + states) * width + actions
        self.codes[self.now, :, :taken] = places * count + next_states
        self.rewards[self.now, :, :taken] = rewards
        self.now += 1


class Sums(NamedTuple):
    """Sums over windows.

    Attributes:
        visits: N_h(s, a), (N, H, S, A).
        gained: Sum of rewards, (N, H, S, A).
        moves: Counts of transitions, (N, H, S, A, S).
    """

    visits: Floats
    gained: Floats
    moves: Floats

    def of(self, rows: Ints | slice) -> Sums:
        """Returns the sums of some windows."""
        return Sums(self.visits[rows], self.gained[rows], self.moves[rows])


class Windows:
    """Sums over windows that move along a history.

    Attributes:
        sums: The sums.
        low: First episode of each window, (N,).
        high: End of all windows.
    """

    def __init__(self, history: History, learners: Ints) -> None:
        """Starts with empty windows.

        Args:
            history: What is counted; it may be empty.
            learners: Learner of each window, (N,); a learner may have several.
        """
        horizon, states, actions = history.shape
        size = (len(learners), horizon, states, actions)
        self.sums = Sums(np.zeros(size), np.zeros(size), np.zeros((*size, states)))
        self.low, self.high = np.zeros(len(learners), dtype=np.int64), 0
        self._history, self._learners = history, learners
        self._flat = [table.reshape(-1) for table in self.sums]
        self._offsets = np.arange(len(learners))[:, None] * (horizon * states * actions * states)

    def move(self, low: Ints) -> None:
        """Moves the windows to [low, now).

        A window moves by one episode most of the time, which is done for all at once; one that moves further (a
        restart, another size) is counted by itself.

        Args:
            low: First episodes, (N,), in [0, now].
        """
        every = np.arange(len(self.low))
        for episode in range(self.high, self._history.now):
            self._add(every, episode, 1.0)
        self.high = self._history.now
        step = low - self.low
        one = np.flatnonzero(step == 1)
        if len(one):
            self._add(one, self.low[one], -1.0)
        for row in np.flatnonzero((step != 0) & (step != 1)):
            self._add_span(int(row), int(self.low[row]), int(low[row]))
        self.low = low.copy()

    def _add(self, rows: Ints, episodes: Ints | int, sign: float) -> None:
        codes = self._history.codes[episodes, self._learners[rows]]
        rewards = self._history.rewards[episodes, self._learners[rows]]
        index: NDArray[Any] = codes + self._offsets[rows]
        if (codes < 0).any():
            index, rewards = index[codes >= 0], rewards[codes >= 0]
        # The step is part of the code, so that no place appears twice and plain indexing adds.
        place = index // self._history.shape[1]
        visits, gained, moves = self._flat
        moves[index] += sign
        visits[place] += sign
        gained[place] += sign * rewards

    def _add_span(self, row: int, old: int, new: int) -> None:
        sign = 1.0 if new < old else -1.0
        learner, span = self._learners[row], slice(min(old, new), max(old, new))
        codes, rewards = self._history.codes[span, learner], self._history.rewards[span, learner]
        rewards, codes = rewards[codes >= 0], codes[codes >= 0]
        place = codes // self._history.shape[1]
        for table, index, weights in zip(self.sums, (place, place, codes), (None, rewards, None), strict=True):
            added = np.bincount(index, weights, minlength=table[row].size)
            table[row] += sign * added.reshape(table[row].shape)
