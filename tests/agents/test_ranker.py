from __future__ import annotations

import json

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.agents.backbones import training
from skillshift_gym.agents.backbones.ranker import SEEN, Network, RankerBackbone, dump, parse, shipped
from skillshift_gym.agents.backbones.training import Examples, collect, demonstrate, gradient, initial, instances, train
from skillshift_gym.agents.reference import ReferenceAgent
from skillshift_gym.candidates import candidates
from skillshift_gym.cli import main
from skillshift_gym.context import Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.features import FEATURES
from skillshift_gym.reading import Reading
from skillshift_gym.tasks.registry import task_ids, task_of
from skillshift_gym.wrappers.candidates import CandidateActions

PAGE = """<!DOCTYPE html><html><head><title>B</title></head><body><main><h1>Posts</h1>
<article><h2><a href="/a/">Alpha</a></h2></article><article><h2><a href="/b/">Beta</a></h2></article></main></body></html>"""


def train_small():
    """Trains on few tasks, in a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "instances", lambda site, split, per_family: instances(site, split, 1)[::6])
        return train(["wordpress"], per_family=1, conditions=["src"], epochs=40)


@pytest.fixture(scope="module")
def small():
    return train_small()


@pytest.fixture
def text(small):
    return dump(*small)


def test_training_again_gives_the_same_bytes(small):
    assert dump(*train_small()) == dump(*small)


def test_another_seed_gives_other_weights(small):
    other = training.fit(*[random_examples(1)] * 2, seed=1, epochs=1)[0]
    again = training.fit(*[random_examples(1)] * 2, seed=2, epochs=1)[0]
    assert not np.array_equal(other.w1, again.w1)


def test_a_little_training_learns_something(small):
    assert small.provenance["accuracy"]["train"] > 0.4
    assert small.provenance["train"]["tasks"] > 10 and small.provenance["train"]["steps"] > 13


def test_a_weight_file_says_the_network_again(small, text):
    again = parse(text, "x")
    for ours, theirs in zip(small.network, again, strict=True):
        assert np.allclose(ours, theirs, atol=1e-6) and theirs.dtype == np.float32
    assert json.loads(text)["provenance"] == small.provenance


def test_the_shipped_file_says_where_it_comes_from():
    from importlib import resources

    data = json.loads(resources.files("skillshift_gym.agents.backbones").joinpath("ranker.json").read_text())
    facts = data["provenance"]
    assert facts["train"]["split"] == "train" and facts["val"]["split"] == "val"
    assert facts["conditions"] == list(training.CONDITIONS)
    assert facts["sites"] == ["wordpress", "magento"]
    chosen = [t for site in facts["sites"] for t in instances(site, "train", training.PER_FAMILY)]
    assert facts["train"]["tasks_sha256"] == training.digest(chosen)
    assert facts["accuracy"]["val"] > 0.8
    assert shipped().w1.shape[0] == len(FEATURES)


@pytest.mark.parametrize("site", ["wordpress", "magento"])
@pytest.mark.parametrize("split", ["train", "val"])
def test_training_tasks_are_of_their_split_and_none_of_the_benchmark(site, split):
    chosen = instances(site, split, 3)
    assert {task_of(t).split for t in chosen} == {split} and not set(chosen) & set(task_ids(site))


def test_the_benchmark_is_refused():
    with pytest.raises(UsageError, match="not trained on the benchmark"):
        instances("wordpress", "bench", 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"conditions": ["tgt"]}, "expected some of the source version, got tgt"),
        ({"conditions": []}, "got none"),
        ({"per_family": 0}, "expected at least 1"),
        ({"epochs": 0}, "expected at least 1"),
    ],
)
def test_wrong_arguments_of_training(arguments, message):
    with pytest.raises(UsageError, match=message):
        train(["wordpress"], **arguments)


def random_examples(seed, count=6):
    random = np.random.default_rng(seed)
    features = random.random((count, training.WIDTH, len(FEATURES))).astype(np.float32)
    mask = np.arange(training.WIDTH) < random.integers(2, training.WIDTH, (count, 1))
    return Examples(features * mask[..., None], random.random((count, len(SEEN))).astype(np.float32), mask)


def loss(network, batch):
    scores = np.where(batch.mask, network.scores(batch.features, batch.state), -np.inf)
    return float(np.mean(np.log(np.exp(scores - scores[:, :1]).sum(axis=1))))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_gradient_is_that_of_the_loss(seed):
    batch, random = random_examples(seed), np.random.default_rng(seed)
    network = Network(*(w.astype(np.float64) for w in initial(random)))
    slopes = gradient(network, batch)
    for name in Network._fields:
        weights = getattr(network, name)
        place = tuple(random.integers(0, n) for n in weights.shape)
        ends = []
        for step in (1e-5, -1e-5):
            moved = weights.copy()
            moved[place] += step
            ends.append(loss(network._replace(**{name: moved}), batch))
        expected = (ends[0] - ends[1]) / 2e-5 + training.DECAY * weights[place]
        assert getattr(slopes, name)[place] == pytest.approx(expected, abs=2e-4)


def test_a_gradient_worked_by_hand():
    # Two candidates, one hidden unit: p = (0.5, 0.5) as both score 1; d loss / d w2 = (p0 - 1) h0 + p1 h1 = 0.
    features = np.zeros((1, 2, len(FEATURES)), dtype=np.float32)
    features[0, 0, 0] = features[0, 1, 1] = 1.0
    w1 = np.zeros((len(FEATURES), 1), dtype=np.float32)
    w1[:2] = 1.0
    network = Network(w1, np.zeros((len(SEEN), 1), np.float32), np.zeros(1, np.float32), np.ones(1, np.float32))
    slopes = gradient(network, Examples(features, np.zeros((1, len(SEEN)), np.float32), np.ones((1, 2), bool)))
    assert slopes.w2[0] == pytest.approx(training.DECAY, abs=1e-6)
    assert slopes.w1[:2, 0] == pytest.approx([-0.5 + training.DECAY, 0.5 + training.DECAY], abs=1e-6)


def test_demonstrations_are_what_the_oracle_does():
    env = CandidateActions(gymnasium.make("SkillShift/WordPress-SrcExec-v0", disable_env_checker=True))
    task = instances("wordpress", "train", 1)[0]
    steps = list(demonstrate(env, task))
    assert len(steps) >= 2 and all(o["mask"][i] for o, i in steps)
    assert env.unwrapped._episode.over
    env.close()


def test_what_only_the_oracle_knows_is_not_demonstrated():
    env = CandidateActions(gymnasium.make("SkillShift/Magento-Src-v0", budget=40, disable_env_checker=True))
    task = next(t for t in instances("magento", "train", 1) if "reviews" in task_of(t).goal)
    columns = [list(FEATURES).index(name) for name in ("unfold_menu", "topic_part")]
    found = [(o["candidates"][:, columns], i) for o, i in demonstrate(env, task)]
    first, taken = found[0]
    assert (
        first[taken, 0] == first[:, 0].max() > 0 and not first[taken, 1]
    )  # the first part of the menu, not the right one
    assert env.unwrapped._episode.over
    env.close()


def test_examples_hold_the_choice_first():
    found = collect(instances("wordpress", "train", 1)[:3], ["src", "src-exec"], 0, lambda tasks: tasks)
    assert found.mask[:, 0].all() and found.features.shape[1:] == (training.WIDTH, len(FEATURES))


def test_scores_do_not_depend_on_the_order_of_candidates(page_of):
    page = page_of(PAGE)
    reading = Reading(page.axtree, page.element_list)
    context = Context("Open “Beta”.", page.url, reading, Memory())
    found, network = candidates(context.goal, reading), RankerBackbone()
    names = [c.action for c in found]
    scores = dict(zip(names, network.score(found, context).tolist(), strict=True))
    assert max(scores, key=scores.get) == next(c.action for c in found if c.name == "Beta")


def test_the_reference_agent_takes_it(page_of, tmp_path, text):
    page = page_of(PAGE)
    (tmp_path / "w.json").write_text(text)
    seen = {"goal": "Open “Beta”.", "url": page.url, "axtree": page.axtree, "elements": page.element_list}
    for agent in (ReferenceAgent("ranker"), ReferenceAgent("ranker", weights=str(tmp_path / "w.json"))):
        agent.reset(None, CallRecorder())
        assert agent.act(seen).startswith("click(")


def test_the_lexical_backbone_has_no_weight_file():
    with pytest.raises(UsageError, match=r"'lexical': expected no weights, got 'x\.json'; backbone='ranker' has some"):
        ReferenceAgent(weights="x.json")


def changed(text, **changes):
    return json.dumps({**json.loads(text), **changes})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda t: "no json", "expected a weight file in JSON"),
        (lambda t: "[]", "expected format 'skillshift-ranker-1', got 'list'"),
        (lambda t: changed(t, format="other"), "got 'other'"),
        (lambda t: changed(t, features=["exact"]), r"features: expected this version's \d+, got 1 \(lacking"),
        (lambda t: changed(t, state=None), "state: expected .* names, got NoneType"),
        (lambda t: changed(t, weights={"w1": 1}), "weights: expected w1, ws, b1, w2, got w1"),
        (lambda t: changed(t, weights={**json.loads(t)["weights"], "b1": [0.0]}), "w1: expected finite numbers of shape"),
        (lambda t: changed(t, weights={**json.loads(t)["weights"], "w1": "x"}), "expected arrays of numbers"),
        (lambda t: changed(t, weights={**json.loads(t)["weights"], "w2": [float("nan")] * 32}), "w2: expected finite"),
    ],
)  # fmt: skip
def test_wrong_weight_files(text, tmp_path, make, message):
    path = tmp_path / "weights.json"
    path.write_text(make(text))
    with pytest.raises(UsageError, match=message) as caught:
        RankerBackbone(path)
    assert str(path) in str(caught.value) and "skillshift train" in str(caught.value)


def test_a_missing_weight_file(tmp_path):
    with pytest.raises(UsageError, match="cannot read it"):
        RankerBackbone(tmp_path / "none.json")


def test_the_command_writes_a_weight_file(tmp_path, capsys, monkeypatch, small):
    monkeypatch.setattr(training, "train", lambda *args, **kwargs: small)
    out = tmp_path / "sub" / "w.json"
    assert main(["train", "--backbone", "ranker", "--site", "wordpress", "--quiet", "--out", str(out)]) == 0
    assert "train steps" in capsys.readouterr().out
    assert np.allclose(parse(out.read_text(), "x").w2, small.network.w2, atol=1e-6)
