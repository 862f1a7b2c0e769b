from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.lru import Store
from skillshift_gym.sites.cache import RESPONSES
from skillshift_gym.sites.protocol import FILTERED
from skillshift_gym.wrappers.perceptual import PerceptualShift


def test_the_value_used_longest_ago_goes_first():
    store = Store(1)
    for key in "abc":
        store.put(key, key.upper(), 2**20 // 3)
    assert store.get("a") == "A"
    store.put("d", "D", 2**20 // 3)
    assert [store.get(k) for k in "abcd"] == ["A", None, "C", "D"]


def test_a_value_put_again_is_charged_once():
    store = Store(1)
    for _ in range(100):
        store.put("a", 1, 2**19)
    store.put("b", 2, 2**19)
    assert len(store) == 2


@pytest.mark.parametrize("megabytes", [0, 0.5])
def test_what_does_not_fit_is_not_kept(megabytes):
    store = Store(megabytes)
    store.put("a", 1, 2**20)
    assert len(store) == 0 and store.get("a") is None


def test_documents_of_seeded_filters_stay_within_their_bound():
    env = PerceptualShift(gymnasium.make("SkillShift/WordPress-Tgt-v0", disable_env_checker=True))
    size = RESPONSES.megabytes
    RESPONSES.resize(8)
    try:
        kept = []
        for seed in range(40):
            env.reset(seed=seed)
            kept.append(len(FILTERED))
        assert 0 < max(kept) < 10
    finally:
        RESPONSES.resize(size)
        env.close()
