"""What the model is told, and the forms of its replies. Ours; the published prompts' demands are kept, their words are not."""

from __future__ import annotations

from skillshift_gym.agents.written.showing import primitives
from skillshift_gym.agents.written.writer import BOOLEAN, NUMBER, TEXT, listed, record

_SHOWN = ("click", "fill", "press", "select_option", "keyboard_press", "goto", "go_back", "send_msg_to_user")

WORKFLOWS = record(workflows=listed(record(title=TEXT, steps=listed(record(why=TEXT, act=TEXT)))))
AWM = """You read how a task was solved on a website, and write workflows: sequences of steps that other tasks on this \
website may need too.
- A title says what the workflow is for, as a user would ask for it, with a named slot such as {title} in place of every \
value that belongs to this task alone.
- A workflow has at least two steps, each taken from the trajectory, in its order. Several workflows do not overlap.
- A step has a reason (why) and an act. An act has the form of the trajectory, the role and the name of the element and \
what is entered, with the slots of the title in place of values: fill(searchbox "Search for:", "{title}"), \
press(searchbox "Search for:", "Enter"), click(link "{title}"). No element is called by a number.
- What is answered to the user is the slot {answer}: send_msg_to_user("{answer}").
- One act a step.
Reply with JSON, quotes inside of texts escaped: {"workflows": [{"title": "Open the post {title}", "steps": [{"why": "...", \
"act": "click(link \\"{title}\\")"}, {"why": "...", "act": "..."}]}]}."""

FUNCTIONS = record(code=TEXT, trajectory=listed(TEXT))
ASI = (
    """You read how a task was solved on a website, and write Python functions that do parts of it which other tasks may \
need too. Then you write the trajectory anew, calling them.
- A function makes two to five calls of the primitives below and nothing else: no loops, no branches, no try, no return, no \
calls of other functions.
- Its name says what it does. Its parameters are typed (str), and stand for the values that the goal gives. Its docstring \
says what it does, its arguments, what the page shows afterwards, and an example call.
- An element is a plain string, as in the trajectory: '{role=link label="Open"}', its role and its name on the page, or \
'{test_id="open"}'. It is looked for on the page when the function is called. A parameter in a name stands in braces, \
without an f before the string: click('{role=link label="{title}"}') inside of def open_post(title: str).
- Known functions may be called too; do not write them again.
- The trajectory written anew is a list of lines: those of the trajectory as they stand, and in place of those that a \
function does, one call with this task's values: open_post(title='Spring').
- When no part is worth a function, reply with empty code.

Primitives:
"""
    + primitives(_SHOWN)
    + """

Reply with JSON, quotes inside of texts escaped: {"code": "def open_post(title: str):\\n    \\"\\"\\"Opens a post ...\\"\\"\\"\\n    \
click('{role=link label=\\"{title}\\"}')\\n    ...", "trajectory": ["open_post(title='Spring')", "..."]}."""
)

TASKS = record(tasks=listed(record(task=TEXT, usefulness=NUMBER, actions=NUMBER)))
PROPOSE = """You explore a website to learn what can be done on it. You see a page. Think of up to five tasks that a user \
of this site may have, that begin here and can be done in ten actions: to find, open, filter, create or change something. \
Use values that the page shows. Leave out what was tried, what would end the session, and what has to do with cookies or \
dialogs. Rate each task: how useful a function for such tasks would be (1 to 5), and how many actions it takes.
Reply with JSON: {"tasks": [{"task": "...", "usefulness": 4, "actions": 3}]}."""

VERDICT = record(success=BOOLEAN, reason=TEXT)
JUDGE = """You see a task on a website, what was done, and the page that is shown at the end. Say whether the task was done: \
whether the page shows that what was asked for has happened.
Reply with JSON: {"success": true, "reason": "..."}."""

_ARGUMENTS = listed(record(name=TEXT, value=TEXT))
_PROGRAMS = """- One function: async def NAME(page, PARAMETERS). Its name begins with what it does: open_, show_, search_, filter_, create_ \
or another verb. Its docstring says in one line what it is for.
- It begins with await page.goto("/...") of the trajectory, a relative address. It has at most ten calls on the page after \
that, one on a line: await page.get_by_role("link", name=title, exact=True).click(), .fill(value), .press("Enter"), \
.select_option(label), .check(). Elements are found by get_by_role with a name, and no other way.
- Parameters are str, and stand for the values that another task would have: never ids of elements. One with a default of "" \
need not be given; what it is for is then done inside of if NAME:.
- No loops, no try, no while, no other if, no return, no handling of cookie banners or dialogs, no helper functions."""

PROGRAM = record(code=TEXT, arguments=_ARGUMENTS)
WRITE = f"""You read how a task was done on a website, and write a Python function that does such tasks, to be called \
later with other values.
{_PROGRAMS}
Do not write again what is known. Reply with JSON: code, and the arguments that do the task that you read: \
{{"code": "async def ...", "arguments": [{{"name": "title", "value": "Spring"}}]}}."""
EDIT = f"""A function for a website was called and failed. You see it, the arguments, what went wrong and the page that is shown \
then. Write it anew, under the same name.
{_PROGRAMS}
Reply with JSON: code, and arguments that it can be called with: \
{{"code": "async def ...", "arguments": [{{"name": "title", "value": "Spring"}}]}}."""

ARGUMENTS = record(arguments=_ARGUMENTS)
INVENT = """You test a function for a website. You see it and the page that a user begins on. Think of arguments for a call: \
values that exist on this site where it looks something up, plausible ones where it writes.
Reply with JSON: {"arguments": [{"name": "title", "value": "Spring"}]}, an empty list for a function that takes none."""

FOUND = record(functions=listed(record(name=TEXT, description=TEXT)))
LIST = """You look for functions that a website offers, to make tools of them. You see a page. List what a tool could do \
that begins here: search, filter, open one of a kind, create, change, delete. A name such as search_articles; a description \
that a user can follow, with example values that the page shows: Search for articles about “bread”. Leave out what is known, \
and what logs in or out or changes a password.
Reply with JSON: {"functions": [{"name": "search_articles", "description": "..."}]}."""

STEPS = ("navigation", "click", "input", "select_change", "key_press")
_STEP = record(type={"type": "string", "enum": list(STEPS)}, url=TEXT, cssSelector=TEXT, xpath=TEXT, value=TEXT)
_INPUT = record(
    name=TEXT, type={"type": "string", "enum": ["string", "number", "boolean"]}, required=BOOLEAN, description=TEXT,
    enum=listed(TEXT), default=TEXT,
)  # fmt: skip
TOOL = record(description=TEXT, inputs=listed(_INPUT), steps=listed(_STEP), arguments=_ARGUMENTS)
_TOOLS = """- Steps are those of the trajectory that are needed, the first one a navigation to a relative address that needs no key of \
a session. A step has all fields; those that it does not need are empty: url is for navigation; cssSelector and xpath are for the \
others, as in the trajectory; value is what is entered, the entry chosen, or the key.
- An input stands in braces in a url or a value: {query}. It has a name, a type, whether a call must give it, a description in the \
words of the site, the values that it may have (enum, empty for any), and a default (empty without one).
- A navigation whose address has the inputs in it is better than steps that come to the same page: /search?q={query}.
- The arguments are for a test call: values that were seen, else the default, else plausible ones."""
BUILD = f"""You make a tool out of what was done once on a website. A tool is a list of steps with typed inputs.
{_TOOLS}
Reply with JSON: description, inputs, steps, arguments."""
REVISE = f"""A tool for a website was tested and failed. You see what it was made of, the tool, the arguments and what went wrong, \
test by test, and the page that is shown now. Make it anew.
{_TOOLS}
Reply with JSON: description, inputs, steps, arguments."""
