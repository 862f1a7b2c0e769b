import multiprocessing

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import (
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.actions import Primitive, parse
from skillshift_gym.spaces import ActionText, WebText

unicode_texts = st.text(max_size=50, alphabet=st.characters(exclude_categories=("Cs",)))


def test_membership_is_about_type_and_length():
    space = WebText(3)
    assert all(text in space for text in ("", "abc", "<é🙂"))
    assert all(value not in space for value in ("abcd", 3, None, b"abc"))


def test_samples_are_members_and_follow_the_seed():
    first, second = WebText(50), WebText(50)
    first.seed(3), second.seed(3)
    samples = [first.sample() for _ in range(50)]
    assert samples == [second.sample() for _ in range(50)]
    assert all(s in first for s in samples)
    assert len(set(samples)) > 40


def test_sampled_actions_are_primitives():
    space = ActionText()
    space.seed(1)
    names = {parse(space.sample()).name for _ in range(300)}
    assert all(isinstance(parse(space.sample()), Primitive) for _ in range(20))
    assert len(names) > 15


def test_equality_is_by_kind_and_length():
    assert WebText(5) == WebText(5) != WebText(6)
    assert ActionText() != WebText(10_000)
    assert repr(WebText(5)) == "WebText(5)"


@given(st.lists(unicode_texts, min_size=1, max_size=4))
def test_shared_memory_returns_what_was_written(texts):
    space = WebText(50)
    memory = create_shared_memory(space, n=len(texts), ctx=multiprocessing.get_context("spawn"))
    for _ in range(2):
        for index, text in enumerate(texts):
            write_to_shared_memory(space, index, text, memory)
    assert read_from_shared_memory(space, memory, n=len(texts)) == tuple(texts)


@given(unicode_texts)
def test_flattening_is_inverse(text):
    space = WebText(50)
    flat = flatten(space, text)
    assert flat in flatten_space(space)
    assert flat.shape == (flatdim(space),) and flat.dtype == np.int32
    assert unflatten(space, flat) == text


def test_batching_makes_a_tuple():
    space = spaces.Dict({"a": WebText(5)})
    batched = batch_space(space, 2)
    out = concatenate(space, [{"a": "x"}, {"a": "y"}], create_empty_array(space, 2))
    assert out["a"] == ("x", "y")
    assert out in batched


def test_json_round_trip():
    space = WebText(5)
    assert space.from_jsonable(space.to_jsonable(["a", "<"])) == ["a", "<"]


def test_a_space_needs_room():
    with pytest.raises(ValueError, match="max_length"):
        WebText(-1)
