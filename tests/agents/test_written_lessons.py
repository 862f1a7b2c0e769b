"""Lessons with an inducer: what is written down, what is replayed, what never reaches a prompt, and the command."""

from __future__ import annotations

import json
import re

import pytest

from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.agents.induction.teaching import (
    ACCOUNT,
    bank_file,
    learned_before,
    read_accounts,
    teach,
    teach_into,
)
from skillshift_gym.agents.llm.recording import Recorded
from skillshift_gym.agents.llm.services import ServiceError
from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.loading import METHODS
from skillshift_gym.testing import ScriptedModel

FAMILIES = ("wordpress.0", "wordpress.37")
TASKS = tuple(t for t in lessons("wordpress", "heldout", 1) if t.partition("#")[0] in FAMILIES)
FIND = {
    "title": "Find “{title}”",
    "steps": [
        {"why": "", "act": 'fill(searchbox "Search for:", "{title}")'},
        {"why": "", "act": 'press(searchbox "Search for:", "Enter")'},
    ],
}
FUNCTION = '''def search(title: str):
    """Searches."""
    fill('{role=searchbox label="Search for:"}', title)
    press('{role=searchbox label="Search for:"}', 'Enter')
'''
PROGRAM = '''async def open_category(page, category: str):
    """Open the page of a category"""
    await page.goto("/")
    await page.get_by_role("link", name=category, exact=True).first.click()
'''
STEP = {"url": "", "cssSelector": "", "xpath": "", "value": ""}
TOOL = {
    "description": "Search for {query}",
    "inputs": [{"name": "query", "type": "string", "required": True, "description": "Search for", "enum": [], "default": ""}],
    "steps": [
        {**STEP, "type": "navigation", "url": "/"},
        {**STEP, "type": "input", "cssSelector": "input.search-field", "value": "{query}"},
        {**STEP, "type": "key_press", "cssSelector": "input.search-field", "value": "Enter"},
    ],
    "arguments": [{"name": "query", "value": "bread"}],
}  # fmt: skip


def reply(request):
    """Replies to whatever a method asks."""
    said = request["messages"][1]["content"]
    match sorted(request["schema"]["properties"]):
        case ["workflows"]:
            return {"workflows": [FIND]}
        case ["code", "trajectory"]:
            title = re.search(r"“(.*?)”", said.partition("Goal: ")[2])[1]
            lines = [x for x in said.partition("Trajectory:\n")[2].split("\n") if not x.startswith("#")]
            new = "" if "search(title: text)" in said else FUNCTION
            return {"code": new, "trajectory": [f"search(title={title!r})", *lines[2:]]}
        case ["tasks"]:
            places = ("Boats", "Interviews", "Harbour")
            return {
                "tasks": [{"task": f"Open the page of the {p} category", "usefulness": 3, "actions": 1} for p in places]
            }
        case ["reason", "success"]:
            return {"success": True, "reason": ""}
        case ["arguments"]:
            return {"arguments": [{"name": "category", "value": "Interviews"}]}
        case ["arguments", "code"]:
            return {"code": PROGRAM, "arguments": [{"name": "category", "value": "Boats"}]}
        case ["functions"]:
            return {"functions": [{"name": "search_articles", "description": "Search for “bread”"}]}
        case _:
            return TOOL


def lesson(model=None, **changes):
    given = {
        "site": "wordpress",
        "condition": "src",
        "protocol": "heldout",
        "tasks": TASKS,
        "inducer": model,
        **changes,
    }
    return Lesson(**given)


@pytest.fixture(scope="module")
def taught():
    """Method -> what it learned from the scripted model, and the model."""
    return {method: (teach(method, lesson(m := ScriptedModel(reply))), m) for method in METHODS}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns_something_from_a_model(taught, method):
    learned, model = taught[method]
    assert learned.bank.skills and learned.account.calls == len(model.requests) > 0
    assert all(e.split == "train" for skill in learned.bank.all.values() for e in skill.evidence)


def damaged(value):
    """Returns a reply with a NUL in every text that is not one of a few words."""
    if isinstance(value, dict):
        return {key: part if key == "type" else damaged(part) for key, part in value.items()}
    return [damaged(v) for v in value] if isinstance(value, list) else f"{value}\0" if isinstance(value, str) else value


@pytest.mark.parametrize("method", METHODS)
def test_a_text_that_no_bank_takes_is_a_rejection(method):
    learned = teach(method, lesson(ScriptedModel(lambda request: damaged(reply(request)))))
    assert not learned.bank.all and any("a text that no bank takes" in reason for reason in learned.reasons)


@pytest.fixture(scope="module")
def secrets():
    """Semantic ids of the pages of the lesson's episodes."""
    env = lesson().env()
    episodes = [play(env, lesson().executor(), task) for task in TASKS]
    env.close()
    pages = [page for e in episodes for page in (*(m.page for m in e.moves), e.last)]
    return {sid for page in pages for sid in page.document.sids.values()}


@pytest.mark.parametrize("method", METHODS)
def test_no_request_holds_a_semantic_id_a_task_or_what_a_check_expects(taught, secrets, method):
    assert len(secrets) > 20 and {"search.text", "comment.submit"} <= secrets
    learned, model = taught[method]
    learned_sids = set(re.findall(r'sid="([^"]+)"', learned.bank.text().replace('\\"', '"')))
    text = json.dumps([r["messages"] for r in model.requests], ensure_ascii=False)
    assert [sid for sid in sorted({*secrets, *learned_sids}) if sid in text] == []
    assert "sid=" not in text and not re.search(r"(wordpress|magento)\.\d", text) and "heldout" not in text


@pytest.mark.parametrize("method", ["skillweaver", "walt"])
def test_what_explores_shows_no_goal_of_a_task(taught, method):
    text = json.dumps([r["messages"] for r in taught[method][1].requests], ensure_ascii=False)
    env = lesson().env()
    goals = [env.reset(seed=0, options={"task": task})[0]["goal"] for task in TASKS]
    env.close()
    assert len(goals) == 2 and not [goal for goal in goals if goal in text]


def test_the_published_protocol_is_not_mixed_with_a_model_either():
    model = ScriptedModel(reply)
    with pytest.raises(UsageError, match="learns on 'train' only"):
        lesson(model, tasks=("wordpress.0",))
    assert model.requests == []


@pytest.mark.parametrize("method", METHODS)
def test_a_recorded_induction_is_replayed_to_the_same_bank(taught, method, tmp_path):
    file = tmp_path / "replies.jsonl"
    first = teach_into(method, lesson(Recorded(ScriptedModel(reply), file, "record")), tmp_path / "one")
    before = file.read_bytes()
    again = teach_into(method, lesson(Recorded(None, file, "replay")), tmp_path / "two")
    assert again.bank.hash == first.bank.hash == taught[method][0].bank.hash
    texts = [bank_file(tmp_path / name, "wordpress").read_bytes() for name in ("one", "two")]
    assert texts[0] == texts[1] and file.read_bytes() == before
    assert read_accounts(tmp_path / "one") == read_accounts(tmp_path / "two")


def test_an_account_says_who_wrote_and_another_inducer_is_another_lesson(tmp_path):
    own = lesson(ScriptedModel(reply, name="small"))
    learned = teach_into("awm", own, tmp_path)
    said = read_accounts(tmp_path)["wordpress"]
    account = learned.account
    assert said["induction"] == "model induction" and said["inducer"] == {
        "model": "small", "calls": 2, "prompt_tokens": account.prompt_tokens, "completion_tokens": account.completion_tokens, "usd": 0.0
    }  # fmt: skip
    assert learned_before("awm", own, tmp_path)
    for other in (lesson(), lesson(ScriptedModel(reply, name="large"))):
        with pytest.raises(UsageError, match=r"another lesson for wordpress \(differs in .*inducer\)"):
            learned_before("awm", other, tmp_path)


def test_an_account_from_before_there_were_models_is_one_of_the_rules(tmp_path):
    teach_into("awm", lesson(), tmp_path)
    said = json.loads((tmp_path / ACCOUNT).read_text())
    assert said["wordpress"].pop("inducer") == "rules"
    (tmp_path / ACCOUNT).write_text(json.dumps(said))
    assert learned_before("awm", lesson(), tmp_path)
    with pytest.raises(UsageError, match=r"differs in induction, inducer"):
        learned_before("awm", lesson(ScriptedModel(reply)), tmp_path)


@pytest.mark.parametrize("method", METHODS)
def test_a_service_that_goes_away_leaves_nothing_behind(method, tmp_path):
    asked = []

    def gone(request):
        asked.append(request)
        if len(asked) > 1:
            raise ServiceError("gone")
        return reply(request)

    with pytest.raises(ServiceError, match="gone"):
        teach_into(method, lesson(ScriptedModel(gone)), tmp_path / "bank")
    assert len(asked) == 2 and not (tmp_path / "bank").exists()


def command(out, *settings, inducer=("--inducer", "chat")):
    given = [part for setting in settings for part in ("--inducer-arg", setting)]
    return ["learn", "--method", "awm", "--site", "wordpress", "--out", str(out), "--quiet", *inducer, *given]


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr("skillshift_gym.agents.induction.protocol.registry.task_ids", lambda site, split: list(TASKS))


def test_the_command_over_http_recorded_and_replayed_with_the_service_gone(few, service, answer, tmp_path, capsys):
    service.script = [answer(json.dumps({"workflows": [FIND]}))]
    file = tmp_path / "replies.jsonl"
    assert main(command(tmp_path / "one", "model=small", f"base_url={service.base_url}", f"record={file}")) == 0
    out = capsys.readouterr().out
    assert "written by small: 2 calls, 80 tokens read, 14 written, cost unknown (2 of 2 calls: no price list" in out
    bodies = [sent.body for sent in service.sent]
    assert {b["temperature"] for b in bodies} == {0.0} and len({b["seed"] for b in bodies}) == 2
    service.stop()
    assert main(command(tmp_path / "two", f"replay={file}")) == 0
    assert (
        bank_file(tmp_path / "one", "wordpress").read_bytes() == bank_file(tmp_path / "two", "wordpress").read_bytes()
    )
    inducer = read_accounts(tmp_path / "two")["wordpress"]["inducer"]
    assert inducer["model"] == "small" and inducer["usd"] is None and "no price list" in inducer["reason"]


def test_a_model_that_takes_no_temperature_and_thinks_aloud(few, service, answer, tmp_path):
    service.script = [answer(json.dumps({"workflows": [FIND]}))]
    more = ("temperature=none", "max_tokens=9000")
    assert main(command(tmp_path / "one", "model=small", f"base_url={service.base_url}", *more)) == 0
    assert all("temperature" not in s.body and s.body["max_tokens"] == 9000 for s in service.sent)


def test_a_service_that_is_down_is_an_error_of_the_command(few, service, answer, tmp_path, capsys):
    service.script = [answer("out of order", status=400)]
    assert main(command(tmp_path / "one", "model=small", f"base_url={service.base_url}")) == 2
    assert "HTTP 400" in capsys.readouterr().err and not (tmp_path / "one").exists()


@pytest.mark.parametrize(
    ("settings", "inducer", "text"),
    [
        ((), ("--inducer", "chat"), "needs model=NAME, or replay=FILE"),
        (("model=x", "key=y"), ("--inducer", "chat"), "keys come from environment variables only"),
        (("model=x", "provider=none"), ("--inducer", "chat"), "provider: expected one of openai, anthropic"),
        (("model=x", "temperature=warm"), ("--inducer", "chat"), "temperature: expected a positive number"),
        (("model=x", "max_tokens=0"), ("--inducer", "chat"), "max_tokens: expected a whole number from 1"),
        (("model=x",), (), "--inducer-arg model: expected --inducer chat beside it"),
    ],
)
def test_wrong_settings_are_said_before_anything_is_played(settings, inducer, text, tmp_path, capsys):
    assert main(command(tmp_path, *settings, inducer=inducer)) == 2
    assert text in capsys.readouterr().err


def test_the_rules_are_the_default_and_print_no_bill(few, tmp_path, capsys):
    assert main(command(tmp_path, inducer=())) == 0
    assert "written by" not in capsys.readouterr().out
    assert read_accounts(tmp_path)["wordpress"]["inducer"] == "rules"
