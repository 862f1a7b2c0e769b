"""Parts of addresses that are made anew each session: what is found, and what is left alone."""

from __future__ import annotations

import random
import string
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.skills.addresses import made_anew, made_anew_in, stable_heads, stable_parts
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.skill import Skill

KEY = "3b2cff893aa9766737bcf1a8eeb6ba56"
ORDERS = f"/index.php/admin/sales_order/key/{KEY}/"
HEX, BASE36, BASE62 = "0123456789abcdef", string.ascii_lowercase + string.digits, string.ascii_letters + string.digits
WORDS = (
    "winter",
    "soup",
    "how",
    "to",
    "face",
    "cafe",
    "decade",
    "added",
    "feed",
    "order",
    "iphone",
    "sha256",
    "covid19",
)


@pytest.mark.parametrize(
    ("address", "part"),
    [
        (ORDERS, KEY),
        (f"{ORDERS}?increment_id={{order}}", KEY),
        (f"https://shop.example{ORDERS}", KEY),
        ("/wp-admin/post.php?post=3&action=trash&_wpnonce=3f9c2d47ba", "3f9c2d47ba"),
        ("/wp-login.php?action=logout&_wpnonce=1234567890", "1234567890"),
        ("/cart;jsessionid=1A530637289A03B07199A44E8D531427?x=1", "1A530637289A03B07199A44E8D531427"),
        ("/?PHPSESSID=q8vn1k2l3m4p5r6s7t8u9v0w1x", "q8vn1k2l3m4p5r6s7t8u9v0w1x"),
        ("/index.php?sid=8f14e45f", "8f14e45f"),
        ("/checkout/?___SID=abc123def456", "abc123def456"),
        ("/cart/add/?form_key=KxJfkDLdQkDkPqrs", "KxJfkDLdQkDkPqrs"),
        ("/cart/add/form_key/KxJfkDLdQkDkPqrs/", "KxJfkDLdQkDkPqrs"),
        ("/admin?_csrf=dGhpcw%3D%3D", "dGhpcw%3D%3D"),
        ("/a/?authenticity_token=x%2FYz12aa%3D%3D", "x%2FYz12aa%3D%3D"),
        ("/node/add?form_build_id=form-Kd93kDkdLs92", "form-Kd93kDkdLs92"),
        ("/my/?sesskey=Xk29DkLs0q", "Xk29DkLs0q"),
        ("/reset?token=aB3dE5gh", "aB3dE5gh"),
        ("/v/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.x", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.x"),
        ("/u/550e8400-e29b-41d4-a716-446655440000/edit", "550e8400-e29b-41d4-a716-446655440000"),
        ("/orders?page=2&_=1700000000000", "1700000000000"),
        ("/chat#session_id=9f8e7d6c5b", "9f8e7d6c5b"),
    ],
)  # fmt: skip
def test_what_only_one_session_has_is_found(address, part):
    assert made_anew(address) == part
    assert made_anew_in(f"goto('{address}') and read on") != ""


@pytest.mark.parametrize(
    "address",
    [
        "", "/", "/2025/11/17/winter-soup/", "/wp-admin/post.php?post=1024&action=edit", "/o/{order_id}/", "/key/{key}/?sid={sid}",
        "/index.php/admin/catalog_product/edit/id/1329/", "/?increment_id=000000322", "/orders/000000322/",
        "/a?created_at[from]=4/1/2024&created_at%5Bto%5D=", "/covid19-facts-2021", "/top-10-things-to-do-in-2024", "/iphone15promax",
        "/face2face", "/cafe2024", "/2024feb01", "/01dec2024", "/20241231", "/product/N46-TANS", "/watch?v=dQw4w9WgXcQ",
        "/dp/B07FZCWDJ6", "/windows11pro2023edition", "/MainPageOfTheProject2", "/-/issues/12/designs/deadbeef",
        "/book/9781593279288", "/win32-x86_64/", "/sid/about-us", "/?token=", "/?s={q}", "/sha256sums", "/a/b/#section-2",
        "/?coupon=SPRING25OFF2024", "/new/set/4/type/simple/", "/?sid=12", "/?session=morning-yoga", "/?utf8=%E2%9C%93",
        "/tel/4915112345678", "//[", "/v1.2.3-beta4/", "/?form_id=contact_form", "/page/key/lime-pie/", "/?t=12",
    ],
)  # fmt: skip
def test_slugs_dates_entities_and_slots_are_left_alone(address):
    assert made_anew(address) == ""


@pytest.mark.parametrize(
    ("letters", "length", "least"),
    [(HEX, 8, 0.85), (HEX, 10, 0.93), (HEX, 32, 1.0), (BASE36, 26, 0.85), (BASE62, 22, 0.8), (BASE62, 43, 0.95)],
)
def test_most_of_what_is_drawn_is_found(letters, length, least):
    drawn = random.Random(7)
    found = [made_anew(f"/a/{''.join(drawn.choices(letters, k=length))}/") for _ in range(1000)]
    assert sum(map(bool, found)) >= least * len(found)


@given(st.uuids())
def test_each_uuid_is_found(drawn: uuid.UUID):
    assert made_anew(f"/a/{drawn}") == str(drawn)


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.integers(0, 9999).map(str)), min_size=1, max_size=6))
def test_words_and_small_numbers_are_never_found(parts):
    assert made_anew(f"/{'-'.join(parts)}/?q={'+'.join(parts)}") == ""


@given(st.text(max_size=60))
def test_any_text_can_be_asked_about(text):
    assert made_anew(text) in text and made_anew_in(text) in text
    assert all(text.startswith(head) for head in stable_heads(text))


def test_what_lasts_of_an_address():
    assert stable_heads(ORDERS) == [
        "/index.php/admin/sales_order/key/", "/index.php/admin/sales_order/", "/index.php/admin/", "/index.php/", "/",
    ]  # fmt: skip
    assert stable_parts(ORDERS) == ["index.php", "admin", "sales_order"]
    assert stable_parts("/page/17/?q=a") == ["page", "17"]


def test_a_record_is_looked_at_whatever_its_kind():
    bank = Bank(duplicates=True)
    bank.add(Skill(name="flow", kind="workflow", description="d", fields={
        "title": "t", "steps": [{"why": "w", "act": f"goto('{ORDERS}')"}],
    }), "by hand")  # fmt: skip
    page = {"start_route": "/", "doc": "d", "usage_log": "", "site_knowledge": f"{ORDERS} Orders", "test_count": 0}
    bank.add(Skill(name="page", kind="page_program", description="d", program='goto "/"', fields=page), "by hand")
    bank.add(Skill(name="fine", kind="page_program", description="e", program='goto "/a/"', fields={
        **page, "site_knowledge": "/index.php/admin/ > Sales > Orders Orders",
    }), "by hand")  # fmt: skip
    found = {(c.name, c.rule, c.message.partition(":")[0]) for c in lint(bank) if c.rule == "volatile_address"}
    assert found == {("flow", "volatile_address", "steps"), ("page", "volatile_address", "site_knowledge")}


@pytest.mark.parametrize("form", ["walt", "skillweaver", "asi"])
def test_an_imported_skill_is_looked_at_once(form):
    own = Skill(
        name="orders",
        kind="function",
        description="d",
        program=f'goto "{ORDERS}"\nclick {{css="#a" role=link label="A"}}',
    )
    (again,) = read_files(form, write_files(form, [own]).files).skills
    bank = Bank()
    bank.add(again, "imported")
    rules = [c.message.partition(":")[0] for c in lint(bank) if c.rule == "volatile_address"]
    assert rules.count("line 1") == 1 and not {"steps", "inputs"} & set(rules)
