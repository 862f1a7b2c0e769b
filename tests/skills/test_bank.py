"""Banks: the state is a fold over the log, and the file says when it was touched."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.errors import BankError, BankReadOnly
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.differences import diff
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.skill import Evidence, Skill


def skill(name, program=None, **more):
    return Skill(name=name, kind="function", program=program or f'goto "/{name}"', **more)


def text(name, words, **fields):
    return Skill(name=name, kind="strategy", fields={"strategy": words, **fields})


def bank_of(*names, **kwargs):
    bank = Bank(**kwargs)
    for name in names:
        bank.add(skill(name), f"made {name}")
    return bank


def test_skills_are_the_active_ones_in_order():
    bank = bank_of("b", "a", "c")
    bank.demote("a", "fails in src")
    assert list(bank.skills) == ["b", "c"]
    assert list(bank.all) == ["b", "a", "c"]
    assert bank.get("a") is None
    bank.promote("a", Why("three clean runs", gate="clean runs", score=3, threshold=1))
    assert bank.get("a").status == "active"
    assert bank.events[-1].gate == "clean runs"


def test_an_update_raises_the_version_and_keeps_the_place():
    bank = bank_of("a", "b")
    bank.update(bank.get("a").revised(description="better"), "better words")
    bank.write_back("a", 'goto "/healed"', "healed by role")
    assert (bank.get("a").version, bank.get("a").program, list(bank.skills)) == (3, 'goto "/healed"', ["a", "b"])
    assert [e.op for e in bank.events] == ["add", "add", "update", "heal_writeback"]


def test_events_say_before_after_reason_and_evidence():
    bank = Bank()
    evidence = Evidence(task="magento.3#5", site="magento", split="train", episode="e7")
    bank.add(skill("a"), Why("solved", evidence=(evidence,)))
    (event,) = bank.events
    assert (event.before, event.after, event.reason, event.evidence) == (
        None,
        bank.get("a").hash,
        "solved",
        (evidence,),
    )
    with pytest.raises(BankError, match="reason"):
        bank.delete("a", "")


def test_rollback_goes_to_a_snapshot_or_an_event_and_the_log_goes_on():
    bank = bank_of("a", "b")
    bank.snapshot("two")
    known = bank.hash
    bank.delete("a", "bad")
    bank.add(skill("c"), "third")
    bank.rollback("two", "the new ones failed")
    assert (bank.hash, list(bank.skills)) == (known, ["a", "b"])
    bank.rollback(1, "further")
    assert list(bank.skills) == ["a"]
    bank.rollback(4, "forth again")
    assert list(bank.skills) == ["b"]
    bank.rollback(0, "from the start")
    assert list(bank.skills) == []
    assert bank.replayed().hash == bank.hash
    for wrong, message in ((99, "expected an event from 0 to"), ("three", "no snapshot 'three'; there are two")):
        with pytest.raises(BankError, match=message):
            bank.rollback(wrong, "x")


def test_a_full_bank_gives_one_up():
    bank = bank_of("a", "b", cap=2)
    bank.add(skill("c"), "third")
    assert list(bank.skills) == ["b", "c"]
    assert [e.op for e in bank.events[2:]] == ["evict", "add"]
    assert "the bank is full (cap 2); oldest makes room for c" in bank.events[2].reason
    for policy, kept in (("least_used", ["b", "c"]), ("lowest_utility", ["a", "c"])):
        bank = Bank(cap=2, eviction=policy)
        bank.add(text("a", "first", uses=1, utility=0.9), "x")
        bank.add(text("b", "second", uses=5, utility=0.1), "x")
        bank.add(text("c", "third", uses=9, utility=0.9), "x")
        assert list(bank.skills) == kept


def test_a_refused_skill_evicts_none():
    bank = bank_of("a", "b", cap=2)
    for refused in (skill("c", 'goto "/a"'), skill("a", 'goto "/x"')):
        with pytest.raises(BankError):
            bank.add(refused, "x")
    with pytest.raises(BankError, match="reason: expected words"):
        bank.add(skill("c"), " ")
    assert (list(bank.skills), len(bank.events)) == (["a", "b"], 2)


def test_skills_that_say_the_same_are_refused():
    bank = bank_of("a")
    with pytest.raises(BankError, match="'b' says what 'a' says"):
        bank.add(skill("b", '  goto   "/a"   # the same'), "x")
    bank.add(text("c", "Filter the list, first."), "x")
    with pytest.raises(BankError, match="'d' says what 'c' says"):
        bank.add(text("d", "filter THE list first"), "x")
    bank.add(skill("b"), "other")
    with pytest.raises(BankError, match="'b' would say what 'a' says"):
        bank.update(bank.get("b").revised(program='goto "/a"'), "x")
    bank.delete("a", "x")
    bank.update(bank.get("b").revised(program='goto "/a"'), "free again")
    Bank(duplicates=True).add(text("d", "x"), "x")


def test_names_are_taken_once_and_must_be_there():
    bank = bank_of("a")
    with pytest.raises(BankError, match="'a' is in the bank"):
        bank.add(skill("a", 'goto "/x"'), "x")
    with pytest.raises(BankError, match="no skill 'b'; the bank has a"):
        bank.delete("b", "x")


@pytest.mark.parametrize("kwargs, message", [({"cap": 0}, "cap"), ({"eviction": "random"}, "expected one of oldest")])
def test_wrong_arguments(kwargs, message):
    with pytest.raises(BankError, match=message):
        Bank(**kwargs)


def test_a_read_only_bank_refuses_every_write(tmp_path):
    bank = Bank.load(bank_of("a").text())
    known = bank.hash
    writes = {
        "add": lambda: bank.add(skill("b"), "x"),
        "update": lambda: bank.update(skill("a", 'goto "/b"'), "x"),
        "heal_writeback": lambda: bank.write_back("a", 'goto "/b"', "x"),
        "delete": lambda: bank.delete("a", "x"),
        "promote": lambda: bank.promote("a", "x"),
        "demote": lambda: bank.demote("a", "x"),
        "snapshot": lambda: bank.snapshot("s"),
        "rollback": lambda: bank.rollback(0, "x"),
        "save": lambda: bank.save(tmp_path / "b.jsonl"),
    }
    for name, write in writes.items():
        with pytest.raises(BankReadOnly, match=name):
            write()
    assert (bank.hash, len(bank.events), list(tmp_path.iterdir())) == (known, 1, [])
    bank.copy().add(skill("b"), "a copy can be written")


def test_a_file_keeps_everything(tmp_path):
    bank = bank_of("a", "b", cap=2, eviction="least_used")
    bank.demote("a", "x")
    bank.save(tmp_path / "deep" / "bank.jsonl")
    again = Bank.load(tmp_path / "deep" / "bank.jsonl", read_only=False)
    assert (again.hash, again.events, again.cap, again.eviction) == (bank.hash, bank.events, 2, "least_used")
    assert again.text() == bank.text() == (tmp_path / "deep" / "bank.jsonl").read_text()
    again.add(skill("c"), "goes on")
    again.save(str(tmp_path / "deep" / "bank.jsonl"))
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["bank.jsonl"]
    assert Bank.load(str(tmp_path / "deep" / "bank.jsonl")).hash == again.hash != bank.hash


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    bank = bank_of("a")
    path = tmp_path / "bank.jsonl"
    bank.save(path)
    before = path.read_text()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    bank.add(skill("b"), "x")
    with pytest.raises(OSError, match="disk full"):
        bank.save(path)
    assert (path.read_text(), [p.name for p in tmp_path.iterdir()]) == (before, ["bank.jsonl"])


def altered(text, number, old, new):
    lines = text.split("\n")
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    return "\n".join(lines)


def test_a_torn_or_altered_file_is_refused_with_the_line():
    whole = bank_of("a", "b", "c").text()
    lines = whole.split("\n")
    cases = {
        altered(whole, 3, "made b", "made x"): "line 3: altered",
        altered(whole, 2, "/a", "/x"): "line 2: altered",
        whole[:-1]: "line 4: cut short",
        whole[:-40]: "line 4: cut short",
        "\n".join([*lines[:3], ""]): "line 3: expected 3 events after the header, got 2",
        "\n".join([lines[0], lines[2], lines[1], *lines[3:]]): "line 2: altered, or a line before it was",
        altered(whole, 1, '"hash":"', '"hash":"0'): "line 1: not the header",
        altered(whole, 1, "skillshift-bank", "other-bank"): "line 1: not the header",
        altered(whole, 1, '"format_version":1', '"format_version":2'): "line 1: not the header",
        altered(whole, 1, '"events":3', '"events":2'): "expected 2 events",
        altered(whole, 3, '{"chain"', '{"chain'): "line 3: not JSON",
        "{}\n": "line 1: not the header",
    }
    for broken, message in cases.items():
        with pytest.raises(BankError, match=message):
            Bank.load(broken)


def test_a_log_with_right_checksums_and_wrong_events_is_refused():
    """Somebody who computes the checksums anew still needs a log that makes sense."""
    bank = bank_of("a", "b")
    for change in ({"op": "update"}, {"number": 7}, {"before": "0" * 64}, {"after": "0" * 64}):
        forged = Bank()
        values = bank.events[1].model_dump(mode="json") | change
        forged._events = [bank.events[0], type(bank.events[1]).model_validate(values)]
        forged._hash = bank.hash
        with pytest.raises(BankError, match="event 2"):
            Bank.load(forged.text())


def test_diff_says_what_makes_one_bank_another():
    old, new = bank_of("a", "b"), bank_of("b", "c")
    new.update(new.get("b").revised(description="shorter"), "x")
    assert [(c.what, c.name) for c in diff(old, new)] == [("removed", "a"), ("added", "c"), ("changed", "b")]
    assert diff(old, old.copy()) == []
    assert [c.what for c in diff(bank_of("a", "b"), bank_of("b", "a"))] == ["moved"]


NAMES = st.sampled_from("abcdefgh")
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "update", "delete", "demote", "promote", "snapshot", "rollback"]),
        NAMES,
        st.integers(0, 9),
    ),
    max_size=25,
)


def perform(bank, op, name, number):
    if op == "add":
        bank.add(skill(name, f'goto "/{name}{number}"'), "x")
    elif op == "update":
        bank.update(skill(name, f'goto "/{name}{number}"'), "x")
    elif op == "snapshot":
        bank.snapshot(f"{name}{number}")
    elif op == "rollback":
        bank.rollback(number, "x")
    else:
        getattr(bank, op)(name, "x")


@settings(max_examples=60, deadline=None)
@given(OPERATIONS, st.sampled_from([None, 3]), st.sampled_from(["oldest", "least_used", "lowest_utility"]))
def test_replaying_the_log_gives_the_same_bank(operations, cap, eviction):
    bank = Bank(cap=cap, eviction=eviction)
    for operation in operations:
        try:
            perform(bank, *operation)
        except BankError:
            assert bank.replayed().hash == bank.hash
    assert bank.replayed().hash == bank.hash
    again = Bank.load(bank.text(), read_only=False)
    assert (again.hash, again.events, dict(again.all)) == (bank.hash, bank.events, dict(bank.all))
    assert again._keys == bank._keys
    assert cap is None or len(bank.all) <= cap


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_byte_of_a_log_can_be_changed_unseen(data):
    whole = bank_of("a", "b").text()
    place = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda c: c != whole[place]))
    broken = whole[:place] + other + whole[place + 1 :]
    try:
        loaded = Bank.load(broken)
    except BankError:
        return
    header = json.loads(whole.split("\n")[0])
    assert loaded.hash == header["hash"]  # a change of spacing, or of what the header says beside the hash
