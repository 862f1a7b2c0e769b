"""Foreign formats: read, written, read again, and nothing lost in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillshift_gym.errors import BankError
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import FORMATS, read_files, read_path, write_files, write_path
from skillshift_gym.skills.program import VERBS, parse
from skillshift_gym.skills.skill import Parameter, Skill, same_content

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    "awm": ("awm_webarena.txt",),
    "awm ": ("awm_mind2web.txt",),
    "asi": ("asi.py.txt",),
    "skillweaver": ("skillweaver/orders_code.py.txt", "skillweaver/orders_metadata.json", "skillweaver/orders.txt"),
    "walt": ("search_orders.tool.json",),
    "workflow-use": ("ticket.workflow.json",),
    "skillrl": ("skillrl.json",),
    "skillmaster": ("skillrl.json",),
    "reskill": ("reskill/filter-first_skill_ab12cd.md", "reskill/skill_registry.json"),
    "playwright": ("cancel-order.py.txt",),
}
BYTES = {"awm", "asi", "skillweaver", "walt", "workflow-use", "reskill", "playwright"}  # formats that keep every byte


def sample(name):
    paths = [SAMPLES / file for file in FILES[name]]
    return {p.name.removesuffix(".txt") if p.name.endswith(".py.txt") else p.name: p.read_text() for p in paths}


def read(name):
    return read_files(name.strip(), sample(name))


def test_every_format_has_a_sample():
    assert {name.strip() for name in FILES} == set(FORMATS)


@pytest.mark.parametrize("name", FILES)
def test_import_export_import_is_the_identity(name):
    first = read(name)
    assert len(first.skills) >= 1
    files = write_files(name.strip(), first.skills).files
    second = read_files(name.strip(), files)
    assert second.skills == first.skills
    assert write_files(name.strip(), second.skills).files == files


@pytest.mark.parametrize("name", [n for n in FILES if n.strip() in BYTES])
def test_unchanged_skills_are_written_byte_by_byte(name):
    done = write_files(name.strip(), read(name).skills)
    given_ = [t for f, t in sample(name).items() if not (name in ("skillweaver", "reskill") and f.endswith(".json"))]
    assert set(given_) <= set(done.files.values())
    assert done.notes == ()


@pytest.mark.parametrize("name", FILES)
def test_a_bank_keeps_what_was_imported(name, tmp_path):
    bank = Bank(duplicates=True)
    for skill in read(name).skills:
        bank.add(skill, "imported")
    bank.save(tmp_path / "bank.jsonl")
    assert tuple(Bank.load(tmp_path / "bank.jsonl").all.values()) == read(name).skills


@pytest.mark.parametrize("name", FILES)
def test_a_changed_skill_is_written_anew_or_its_loss_is_said(name):
    for skill in read(name).skills:
        changed = skill.revised(description="Other words.", name=f"other_{skill.name}"[:60])
        if skill.callable:
            changed = changed.revised(program=f'{changed.program}\nclick {{role=button label="it\'s \\"it\\""}}')
        done = write_files(name.strip(), [changed])
        again = read_files(name.strip(), done.files).skills
        assert done.notes or same_content(again[0], changed)


def program(skill):
    return skill.program.split("\n")


def test_awm_text_is_words_and_no_program():
    first, second = read("awm").skills
    assert first.fields["title"] == "Find all orders of a customer"
    assert [step["act"] for step in first.fields["steps"]] == [
        "click('227')",
        "fill('1843', '{customer-name}')",
        "keyboard_press('Enter')",
    ]
    assert not first.callable
    assert "why" not in second.fields["steps"][0]
    filters, customer = read("awm ").skills
    assert filters.name == "filter_orders"
    assert filters.fields["doc"].startswith("Given that you are")
    assert customer.fields["steps"][0] == {"act": "[textbox]  Search by keyword -> TYPE: {customer-name}"}


def test_asi_functions_become_programs_and_what_cannot_is_said_by_line():
    done = read("asi")
    cancel, row, steal = done.skills
    assert cancel.signature == "cancel_order(number: text, note: text = 'by request', notify: boolean = True)"
    assert cancel.description == "Cancels an order."
    assert program(cancel)[1:5] == [
        'fill {role=searchbox label="Search by keyword"} with number',
        'press {role=searchbox label="Search by keyword"} "Enter"',
        'click {role=link label="View"}',
        "if given notify",
    ]
    assert program(cancel)[-1] == 'say "Order {number} is cancelled: {note}."'
    assert [line.split(":", 1)[1] for line in program(row)] == [
        ' the element id of one session: row_id"',
        ' the element id of one session: 1788"',
    ]
    assert program(steal)[:3] == ["for tag in tags limit 30", "  type tag", "end"]
    lines = sample("asi")["asi.py"].split("\n")
    assert {note.line for note in done.notes} == {n for n, x in enumerate(lines, 1) if any(
        word in x for word in ("click(row_id)", "click('1788')", "while True", "system(", "exec(")
    )}  # fmt: skip
    assert all(note.file == "asi.py" and "a call gives up here" in note.reason for note in done.notes)


def test_skillweaver_keeps_metadata_and_knowledge():
    view, tags = read("skillweaver").skills
    assert (view.version, view.fields["test_count"], view.fields["references"]) == (3, 2, ("tag_all",))
    assert view.fields["site_knowledge"].startswith("The back office")
    assert view.fields["start_route"] == "/admin/sales/order/view/order_id/{order_id}"
    assert "Usage log" in view.fields["doc"]
    assert program(view)[1:] == [
        'if exists {role=link label="{tab}"}',
        '  click {role=link label="{tab}"}',
        "end",
        'let total = text {css="td.total"}',
    ]
    assert program(tags)[-2:] == [
        'stop "line 10: a loop over something that is not a list parameter"',
        'stop "line 12: page.evaluate"',
    ]


def test_walt_tools_become_programs_with_typed_parameters():
    (tool,) = read("walt").skills
    assert [(p.name, p.type, p.required, p.default) for p in tool.parameters] == [
        ("orders_url", "text", True, None),
        ("filter_keyword", "text", True, None),
        ("status", "choice", False, "Pending"),
    ]
    assert program(tool) == [
        'goto "{orders_url}"',
        'click {css="button[data-action=\\"grid-filter-expand\\"]" xpath="/html/body/div[2]/main/button" tag=button}',
        'fill {xpath="//*[@id=\\"fulltext\\"]/input[1]" tag=input} with "{filter_keyword}"',
        'select {css="select[name=\\"status\\"]" tag=select} with "{status}"',
        'agent "close the dialog of {status}" at most 3',
        "stop \"step 7: step of type 'drag_and_drop'\"",
    ]
    reasons = [str(note) for note in read("walt").notes]
    assert [r.split(":")[1] for r in reasons] == ["8", "10", "12"]
    assert "cssSelector 'input:is(.a,.b)' is outside of what locators say" in reasons[0]


def test_workflow_use_keeps_its_analysis():
    (found,) = read("workflow-use").skills
    assert found.fields["analysis"] == "Looks up a ticket by its number."
    assert program(found)[-1] == 'press {css="#first" tag=input} "Enter"'


def test_a_bank_of_three_parts_keeps_ids_parts_and_unknown_keys():
    general, typed, mistake = read("skillrl").skills
    assert (general.kind, general.fields["category"], general.fields["skill_id"]) == ("principle", "general", "gen_001")
    assert (typed.fields["category"], typed.fields["extra"]) == ("orders", {"added_at": 25})
    assert (mistake.kind, mistake.name) == ("mistake", "err_001")
    assert json.loads(write_files("skillrl", read("skillrl").skills).files["skills.json"]) == json.loads(
        sample("skillrl")["skillrl.json"]
    )


def test_reskill_bundles_keep_triggers_state_and_versions():
    markdown, registry = read("reskill").skills
    assert (markdown.version, markdown.status, markdown.fields["birth_step"]) == (3, "testing", 12)
    assert markdown.fields["trigger_pattern"] == "(click .*){2}\\d"
    assert markdown.fields["examples"] == ("DO: filter by name", "DON'T: page through")
    assert markdown.fields["metadata"] == {"source": "cycle 2"}
    assert (registry.name, registry.status, registry.fields["skill_id"]) == ("look_twice", "active", "skill_00ff00")


def test_codegen_scripts_become_programs():
    (script,) = read("playwright").skills
    assert script.name == "cancel_order"
    assert program(script) == [
        'goto "http://localhost:7780/admin/"',
        'fill {css="[placeholder=\\"user name\\"]"} with "admin"',
        'fill {role=textbox label="Password"} with "x{{y}}"',
        'click {role=button label="Sign in"}',
        'click {role=link label="Orders" nth=1}',
        'select {css="#status"} with "pending"',
        "stop \"line 15: a computed value: re.compile('x')\"",
        "click {xpath=\"//*[normalize-space(text())='Cancel']\"}",
        'require exists {role=heading label="Done"}',
    ]
    assert [note.line for note in read("playwright").notes] == [15]


TARGETS = st.sampled_from(
    [
        '{role=button label="Save"}',
        '{role=link label="it\'s {number}" nth=2}',
        '{test_id="t{number}" css="#a > b.c" sid="order.save"}',
        '{css="input[name=\\"q\\"]"}',
        '{xpath="//div[2]/a"}',
        '{name="q" id="q"}',
    ]
)
TEXTS = st.sampled_from(['"plain"', '"{number}"', "number", '"a {{brace}} \\"quote\\" \\\\ \'"', '"é\\n"'])


@st.composite
def statements(draw):
    verb = draw(st.sampled_from([v for v in VERBS if v not in ("newtab", "closetab", "tab", "infeasible")]))
    parts = [verb, *([draw(TARGETS)] if VERBS[verb].target else [])]
    rest = VERBS[verb].rest
    if rest in ("with value", "with values"):
        parts += ["with", draw(TEXTS) + (", " + draw(TEXTS) if rest == "with values" and draw(st.booleans()) else "")]
    elif rest == "two numbers":
        parts += [str(draw(st.integers(-900, 900))), str(draw(st.integers(-900, 900)))]
    elif rest:
        parts.append(draw(TEXTS.filter(lambda t: rest == "value" or t != "number")))
    return " ".join(parts)


@st.composite
def programs(draw):
    lines = draw(st.lists(statements(), min_size=1, max_size=4))
    if draw(st.booleans()):
        lines = [
            f"if exists {draw(TARGETS)}",
            *lines,
            "else",
            draw(statements()),
            "end",
            f"require exists {draw(TARGETS)}",
        ]
    if draw(st.booleans()):
        lines.append(f"let total = text {draw(TARGETS)}")
    return "\n".join(lines)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(), st.sampled_from(["asi", "skillweaver", "playwright"]))
def test_a_program_goes_through_python_and_back_unchanged(text, name):
    kinds = {"asi": "function", "skillweaver": "page_program", "playwright": "recorded"}
    skill = Skill(
        name="own", kind=kinds[name], program=str(parse(text)), parameters=(Parameter(name="number"),), description="D."
    )
    again = read_files(name, write_files(name, [skill]).files)
    assert [parse(s.program) for s in again.skills] == [parse(text)]


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["skill_id", "title", "principle", "when_to_apply", "x"]), WORDS), WORDS)
def test_any_principle_goes_through_its_file_and_back(record, category):
    record = {"title": "t", "principle": "p"} | {k: v for k, v in record.items() if v.strip()}
    files = {"b.json": json.dumps({"task_specific_skills": {category or "c": [record]}})}
    first = read_files("skillrl", files)
    assert read_files("skillrl", write_files("skillrl", first.skills).files).skills == first.skills != ()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_without_a_crash(text):
    for name in FORMATS:
        for file in ("a.py", "a.json", "a.md"):
            done = read_files(name, {file: text})
            assert read_files(name, write_files(name, done.skills).files).skills == done.skills


def test_files_and_folders_are_read_and_written(tmp_path):
    for file, text in sample("skillweaver").items():
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / file).write_text(text)
    done = read_path("skillweaver", tmp_path / "in")
    assert done.skills == read("skillweaver").skills
    write_path("skillweaver", done.skills, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["code.py", "knowledge.txt", "metadata.json"]
    assert read_path("skillweaver", tmp_path / "out").skills == done.skills
    write_path("asi", read("asi").skills, tmp_path / "a.py")
    assert (tmp_path / "a.py").read_text() == sample("asi")["asi.py"]
    with pytest.raises(BankError, match="expected one of awm, asi"):
        read_path("pickle", tmp_path)
    with pytest.raises(BankError, match="3 files are written; give a folder"):
        write_path("skillweaver", done.skills, tmp_path / "a.py")
    with pytest.raises(BankError, match="nothing to write"):
        write_path("walt", [], tmp_path / "x")


def test_what_a_format_cannot_hold_is_said():
    principle = read("skillrl").skills[0]
    for name in ("asi", "walt", "playwright", "skillweaver", "reskill"):
        done = write_files(name, [principle])
        assert str(done.notes[0]).startswith("gen_001:0: left out: a principle")
