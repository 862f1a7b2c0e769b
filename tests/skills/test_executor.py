"""The executor: each code, observed and true, and what it counts."""

from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.errors import CoveredElement, NavigationFailed
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.outcome import MAX_PRIMITIVES
from skillshift_gym.skills.policy import Policy
from skillshift_gym.skills.skill import Skill

PAGE = (
    '<title>t</title><body><main><h1 data-sid="title">Orders</h1><form action="/found"><input name="q" aria-label="Words" data-sid="field{q}">'
    '<input type="checkbox" aria-label="All" id="all"><button>Search</button></form><button disabled>Off</button>'
    '<a href="/a" data-sid="open{1}">Open</a> <a href="/b" data-sid="open{2}">Open</a> <a href="/c" id="c" data-sid="open{3}">Last</a>'
    '<ul><li class="row"><a href="/r1">One</a><li class="row"><a href="/r2">Two</a><li class="row"><a href="/r3">Three</a></ul></main>'
)
PAGES = {"/": PAGE, "/found": "<h1>Found</h1>", **{f"/{p}": f"<h1>{p}</h1>" for p in ("a", "b", "c", "r1", "r2", "r3")}}


@pytest.mark.parametrize(
    ("text", "observed", "true", "primitives"),
    [
        ('click {id="c"}', "ok", "ok", 1),
        ('click {role=link label="Gone"}', "stale_target", "stale_target", 0),
        ('click {role=link label="Open"}', "ambiguous_target", "ambiguous_target", 0),
        ('click {role=link label="Open" nth=1}', "ok", "ok", 1),
        ('click {role=link label="Open" nth=2}', "stale_target", "stale_target", 0),
        ('require exists {role=dialog}\nback', "precondition", "precondition", 0),
        ('click {role=button label="Off"}', "precondition", "precondition", 1),
        ('select {id="c"} with "x"', "precondition", "precondition", 1),
        ('wait until exists {role=dialog} at most 2', "timeout", "timeout", 2),
        ('stop "no way"', "aborted", "aborted", 0),
        ('say missing', "aborted", "aborted", 0),
        ('click {id="{missing}"}', "aborted", "aborted", 0),
        ('click {role=button} in row', "aborted", "aborted", 0),
        ("scroll 0 0\n" * (MAX_PRIMITIVES + 1), "aborted", "silent", MAX_PRIMITIVES),
        ("goto \"/\"", "ok", "silent_noop", 1),
        ('hover {id="c"}', "ok", "silent_noop", 1),
        ('focus {name="q"}', "ok", "silent_noop", 1),
        ('say "Done."', "ok", "ok", 1),
        ('click {id="c" sid="open{{3}}"}', "ok", "ok", 1),
        ('click {id="c" sid="open{{4}}"}', "ok", "wrong_target", 1),
        ('click {id="c" sid="open{{4}}"}\nclick {id="c"}', "stale_target", "wrong_target", 1),
        ('press {name="q"} "NoSuchKey"', "bad_args", "bad_args", 1),
    ],
)  # fmt: skip
def test_codes(run, text, observed, true, primitives):
    outcome, host = run(text, PAGES)
    assert (outcome.observed, outcome.primitives) == (observed, primitives)
    assert outcome.true == (observed if true == "silent" else true)
    assert len(host.performed) == primitives
    assert bool(outcome.detail) == (observed != "ok")


def test_a_dialog_blocks_and_anything_else_intercepts(run, host_of):
    error = CoveredElement("covered", by="Cookies")
    for page, code in (
        (PAGE + '<div role="dialog" aria-label="Cookies">x</div>', "blocked"),
        (PAGE, "intercepted_click"),
    ):
        host = host_of({"/": page})
        host.refuse = {"click": error}
        outcome, _ = run('click {id="c"}\nback', page, host=host)
        assert (outcome.observed, outcome.true, outcome.blocked_by, outcome.primitives, outcome.line) == (
            code,
            code,
            "Cookies",
            1,
            1,
        )


def test_an_address_that_does_not_open(run, host_of):
    host = host_of(PAGES)
    host.refuse = {"goto": NavigationFailed("no such host")}
    assert run('goto "/x"', PAGES, host=host)[0].observed == "aborted"


def test_branches_loops_and_variables(run):
    text = """
    let title = text {css="h1"}
    if title is "Orders" and not given extra
      fill {name="q"} with "{title} {word}"
      check {id="all"}
    else
      stop "wrong page"
    end
    require checked {id="all"}
    let typed = value {name="q"}
    let n = count {css="li.row"}
    for row in each {css="li.row"} limit 2
      let last = text row
    end
    for tag in tags limit 10
      let seen = "{tag}"
    end
    let here = url
    say "{typed}; {n}; {last}; {seen}; {here}"
    back
    """
    outcome, host = run(text, PAGES, word="late", tags=("x", "y"), extra=None)
    assert host.message == "Orders late; 3; Two; y; https://fake.test/"
    assert (outcome.observed, outcome.true, outcome.primitives) == ("ok", "ok", 3)  # nothing after the message


def test_a_loop_that_leaves_the_page_finds_its_elements_anew(run):
    outcome, host = run('for row in each {css="li.row"} limit 3\nclick {role=link} in row\nback\nend', PAGES)
    opened = [c.args[0] for c in host.performed if c.name == "click"]
    assert (outcome.observed, len(set(opened)), outcome.primitives) == ("ok", 3, 6)
    outcome, _ = run('for row in each {css="li.row"} limit 3\nclick {role=link} in row\nclick row\nend', PAGES)
    assert (outcome.observed, outcome.line) == ("stale_target", 3)


def test_the_assistant_helps_a_bounded_number_of_times(run, host_of):
    host = host_of(PAGES)
    host.answers = [primitive("goto", "/a"), primitive("goto", "/b")]
    outcome, _ = run('click {id="gone"}\nclick {id="gone"}\nclick {id="gone"}', PAGES, Policy(fallback=2), host=host)
    assert (outcome.observed, outcome.fallbacks, outcome.line) == ("stale_target", 2, 3)
    host.answers = [primitive("goto", "/")]
    outcome, _ = run('click {id="gone"}', PAGES, Policy(fallback=1), host=host)
    assert (outcome.observed, outcome.true, outcome.fallbacks) == ("fallback_used", "fallback_used", 1)
    assert run('click {id="gone"}', PAGES, Policy(fallback=1))[0].observed == "stale_target"


def test_a_nested_agent_step_is_bounded(run, host_of):
    host = host_of(PAGES)
    host.answers = [primitive("goto", f"/{p}") for p in "abcabc"]
    outcome, _ = run('agent "look around" at most 2', PAGES, host=host)
    assert (len(host.performed), outcome.observed) == (2, "fallback_used")


def test_what_fails_first_ends_the_call_and_nothing_is_done_after(run):
    outcome, host = run('fill {name="q"} with "x"\nclick {id="gone"}\nsay "Done."', PAGES)
    assert (outcome.observed, outcome.line, host.message, len(host.performed)) == ("stale_target", 2, None, 1)
    assert "sid" not in outcome.detail


def test_lists_of_options(run):
    page = '<select multiple aria-label="Sites"><option>Main<option>Other<option>Third</select>'
    outcome, host = run('select {role=listbox label="Sites"} with chosen, "Third"', page, chosen=("Main", "Other"))
    assert outcome.ok and host.performed[0].args[1] == ("Main", "Other", "Third")
    outcome, _ = run('select {role=listbox label="Sites"} with "None"', page)
    assert outcome.observed == "bad_args"


@pytest.mark.parametrize(
    ("site", "condition"), [("WordPress", "Src"), ("WordPress", "Tgt"), ("Magento", "Src"), ("Magento", "Tgt")]
)
def test_an_address_that_is_gone_is_seen_as_fine_and_is_not(site, condition):
    bank = Bank()
    bank.add(Skill(name="go_there", kind="recorded", program='goto "/no/such/place"\n', fields={"goal": ""}), "test")
    env = gymnasium.make(f"SkillShift/{site}-{condition}-v0", skills=bank, disable_env_checker=True)
    env.reset(seed=0)
    skill = env.step("go_there()")[4]["skill"]
    assert (skill["observed"], skill["true"]) == ("ok", "stale_target")
    env.close()
