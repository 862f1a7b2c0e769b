"""The reference agent knows user interfaces in general, and nothing of the tasks and sites it is measured on."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest

from skillshift_gym import (
    answer_features,
    answers,
    candidates,
    context,
    feature_table,
    features,
    form_features,
    forms,
    goal_values,
    outlook,
    reading,
    spans,
    tables,
    vocabulary,
)
from skillshift_gym.agents import reference
from skillshift_gym.agents.backbones import lexical
from skillshift_gym.reading import words
from skillshift_gym.registration import SITES
from skillshift_gym.role_tables import BY_TAG
from skillshift_gym.sites.magento import seed as shop_seed
from skillshift_gym.sites.wordpress import seed
from skillshift_gym.tasks.registry import families
from skillshift_gym.vocabulary import ADDRESS, SAME, UI_WORDS

SOURCES = [
    reading, vocabulary, goal_values, spans, tables, outlook, forms, answers, candidates, context, feature_table,
    form_features, answer_features, features, lexical, reference,
]  # fmt: skip
# Words the source may hold although sites or goals use them too: English function words, ordinals, months' shape,
# roles, and the names of primitives, attributes and features. Reviewed by hand.
GENERAL = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "done",
        "for",
        "from",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "last",
        "like",
        "named",
        "no",
        "not",
        "number",
        "of",
        "on",
        "one",
        "or",
        "page",
        "place",
        "see",
        "show",
        "shows",
        "tell",
        "that",
        "the",
        "this",
        "to",
        "top",
        "true",
        "whether",
        "with",
        "yes",
        "me",
        "my",
        "i",
        "all",
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "penultimate",
        "bottom",
        "newest",
        "mail",
        "fill",
        "click",
        "press",
        "select",
        "option",
        "noop",
        "bid",
        "role",
        "name",
        "value",
        "type",
        "id",
        "href",
        "text",
        "tag",
        "list",
        "item",
        "link",
        "button",
        "checkbox",
        "radio",
        "tab",
        "switch",
        "heading",
        "main",
        "row",
        "article",
        "listitem",
        "img",
        "figure",
        "key",
        "answer",
        "slot",
        "quoted",
        "proper",
        "person",
        "email",
        "url",
        "user",
        "send",
        "msg",
        "enter",
        "held",
        "submit",
        "tried",
        "visited",
        "fact",
        "direction",
        "closer",
        "contains",
        "exact",
        "overlap",
        "done",
        "idle",
        "field",
        "fit",
        "searched",
        "search",
        "label",
        "placeholder",
        "states",
        "attrs",
        "elements",
        "axtree",
        "goal",
        "disabled",
        "json",
        "named",
        "lexical",
        "backbones",
        "agents",
        "reference",
        "backbone",
        "agent",
        "s",
        "x",
    ]
) | {"closes", "https", "question", "what"}
# Numerals, calendar words, names of features and of slots, and words for what lists say of themselves ("5 records found").
GENERAL |= frozenset(
    [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "days",
        "month",
        "year",
        "past",
        "since",
        "m",
        "y",
        "e",
        "g",
        "answers",
        "asks",
        "box",
        "entry",
        "found",
        "goes",
        "got",
        "high",
        "items",
        "leaves",
        "low",
        "makes",
        "off",
        "only",
        "opens",
        "per",
        "plan",
        "size",
        "were",
    ]
)


def strings(module: ModuleType) -> list[str]:
    """Returns the string constants of a module, docstrings and feature descriptions left out."""
    tree = ast.parse(inspect.getsource(module))
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False)
    }
    described = {
        id(call.args[0])
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "_feature"
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents | described
    ]


@pytest.fixture(scope="module")
def known():
    """Every text that sites and tasks are made of."""
    texts = set()
    for site in SITES:
        for family in families(site):
            texts |= set(family.goals)
    db = seed.image().connection
    for query in ("SELECT title FROM posts", "SELECT name FROM terms", "SELECT name FROM users", "SELECT value FROM options",
                  "SELECT alt_text FROM media", "SELECT author_name FROM comments"):  # fmt: skip
        texts |= {row[0] for row in db.execute(query)}
    shop = shop_seed.image().connection
    for query in ("SELECT name FROM catalog_product", "SELECT title FROM cms_page", "SELECT name FROM salesrule",
                  "SELECT firstname || ' ' || lastname FROM customer_entity", "SELECT query_text FROM search_query",
                  "SELECT customer_group_code FROM customer_group"):  # fmt: skip
        texts |= {row[0] for row in shop.execute(query)}
    return texts


@pytest.mark.parametrize("module", SOURCES, ids=lambda m: m.__name__)
def test_no_word_of_tasks_or_sites_beyond_the_listed_vocabulary(module, known):
    interface = (
        {w for group in (*UI_WORDS.values(), *SAME, *ADDRESS, UI_WORDS) for w in group}
        | set(BY_TAG)
        | set(BY_TAG.values())
    )
    used = {w for text in strings(module) for w in words(text)}
    theirs = {w for text in known for w in words(text)}
    assert sorted(w for w in (used & theirs) - interface - GENERAL if not w.isdigit()) == []


@pytest.mark.parametrize("module", SOURCES, ids=lambda m: m.__name__)
def test_no_phrase_of_a_site(module, known):
    source = inspect.getsource(module)
    assert [text for text in known if len(text.split()) > 1 and text in source] == []


def test_the_agent_reads_only_the_observation():
    for module in SOURCES:
        source = inspect.getsource(module)
        for forbidden in (
            "sids",
            "skillshift_gym.sites",
            "from .sites",
            "tasks.",
            "from .tasks",
            "unwrapped",
            "snapshot",
        ):
            assert forbidden not in source, (module.__name__, forbidden)
