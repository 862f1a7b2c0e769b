"""The static checker: each rule, and its silence."""

from __future__ import annotations

import pytest

from skillshift_gym.skills.checker import RULES, check, cost
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.skill import Parameter


def rules(text, parameters=(), goal=""):
    return [f.rule for f in check(parse(text), [Parameter(name=p) for p in parameters], goal)]


@pytest.mark.parametrize(
    ("text", "parameters", "goal", "expected"),
    [
        ('click {role=button label="Save" id="order-save" css="#order-save > span.icon-2"}', (), "", []),
        ('click {id="order-88213" role=button}', (), "", ["volatile_id"]),
        ('click {id="ext-gen1049" role=button}', (), "", ["volatile_id"]),
        ('click {id="a3f9c2d47b" role=button}', (), "", ["volatile_id"]),
        ('click {css="#post-2024881 > a" role=link}', (), "", ["volatile_id"]),
        ("click {xpath=\"//*[@id='node-99812']\" role=link}", (), "", ["volatile_id"]),
        ('click {id="row-{n}" role=link}', ("n",), "", []),
        ('click {css="div > a:nth-of-type(3)"}', (), "", ["position_only"]),
        ('goto "https://shop.example/admin"', (), "", ["hard_coded_host"]),
        ('goto "//shop.example/admin"', (), "", ["hard_coded_host"]),
        ('goto "/admin?next=https://shop.example"', (), "", []),
        ("back", ("number",), "", ["unused_parameter"]),
        ('say "{total}"', (), "", ["undeclared_name"]),
        ('say total\nlet total = url', (), "", ["undeclared_name"]),
        ('if exists {role=a}\nlet total = url\nend\nsay total', (), "", ["undeclared_name"]),
        ('if exists {role=a}\nlet total = url\nelse\nlet total = "0"\nend\nsay total', (), "", []),
        ('goto "/admin/sales_order/key/3b2cff893aa9766737bcf1a8eeb6ba56/"', (), "", ["volatile_address"]),
        ('goto "/admin/sales_order/key/{key}/"', ("key",), "", []),
        ('goto "/wp-admin/post.php?post=1024&action=edit"', (), "", []),
        ('goto "https://a.example/?sid=8f14e45fceea167a"', (), "", ["hard_coded_host", "volatile_address"]),
        ('let here = "/a/?_wpnonce=3f9c2d47ba"\nback\nsay here', (), "", ["volatile_address"]),
        ('let said = "Use 3b2cff893aa9766737bcf1a8eeb6ba56"\nsay said', (), "", []),
        ('require url contains "/key/3b2cff893aa9766737bcf1a8eeb6ba56/"\nback', (), "", ["volatile_address"]),
        ('click {css="a[href=\\"/a/key/3b2cff893aa9766737bcf1a8eeb6ba56/\\"]" role=link}', (), "", ["volatile_address"]),
        ("click {xpath=\"//a[contains(@href, '/key/3b2cff893aa9766737bcf1a8eeb6ba56/')]\" role=link}", (), "", ["volatile_address"]),
        ("click {xpath=\"//a[@href='/about-us/']\" role=link}", (), "", []),
        ('for row in each {role=row} limit 60\nlet t = text row\nend', (), "", ["large_limit"]),
        ('for row in each {role=row} limit 20\nclick {role=link} in row\nback\nend', (), "", ["may_be_cut_short"]),
        ("back\n" * 31, (), "", ["too_many_primitives"]),
        ("let here = url", (), "", ["does_nothing"]),
        ('example n = "1"\nback', (), "", ["undeclared_example"]),
        ('fill {name="q"} with "Blue Mug"', (), "Search for “Blue Mug”.", ["literal_of_the_goal"]),
        ('click {role=link label="Blue Mug"}', (), "Search for “Blue Mug”.", ["literal_of_the_goal"]),
        ('fill {name="q"} with what', ("what",), "Search for “Blue Mug”.", []),
    ],
)  # fmt: skip
def test_rules(text, parameters, goal, expected):
    assert rules(text, parameters, goal) == expected
    assert set(expected) <= set(RULES)


def test_findings_say_where():
    (finding,) = check(parse('back\n\ngoto "http://a.example/"'), ())
    assert (finding.line, finding.rule) == (3, "hard_coded_host") and "begin the address with /" in finding.message


def test_costs_are_bounds():
    text = "back\nif exists {role=a}\nback\nback\nelse\nback\nend\nfor r in each {role=row} limit 5\nclick r\nend\nwait until exists {role=a} at most 3"
    assert cost(parse(text).statements) == 1 + 2 + 5 + 3
