"""Ways to pages whose address is made anew each session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillshift_gym.agents import skillweaver
from skillshift_gym.agents.induction.affordances import family
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.exploring import Explorer
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.site_forms import forms_of, links_of
from skillshift_gym.agents.induction.survey import Survey
from skillshift_gym.agents.induction.ways import Asked, Followed, Way, Ways
from skillshift_gym.agents.skillweaver_programs import Unfit, checked, program_of
from skillshift_gym.skills.addresses import made_anew, made_anew_in
from skillshift_gym.skills.program import Act, Text

KEY = "9c1b7a4e5d3f2a1b"
SHOP = Lesson("magento", "src", "heldout", ("magento.89#1",))
TASK = SHOP.tasks[0]
HOME = f"""<!DOCTYPE html><html><head><title>B</title></head><body><main><h1>Yard</h1>
<details><summary>Boats</summary><a href="/boats/{KEY}/">All</a></details>
<details><summary>Crew</summary><a href="/crew/{KEY}/">All</a></details>
<a href="/boat/7/{KEY}/">Teal</a><a href="/one/{KEY}/">Edit</a><a href="/two/{KEY}/">Edit</a></main></body></html>"""
BOATS = f"""<!DOCTYPE html><html><head><title>B</title></head><body><main><h1>Boats</h1>
<a href="/boats/new/{KEY}/">Add New</a></main></body></html>"""


@pytest.fixture
def shop():
    with Explorer(SHOP, skillweaver.HEALING) as explorer:
        explorer.begin(TASK)
        yield explorer


@pytest.fixture
def ways(page_of):
    made = Ways()
    made.look(f"/yard/{KEY}/", page_of(HOME))
    made.look(f"/boats/{KEY}/", page_of(BOATS))
    made.enter("/yard/", f"/yard/{KEY}/")
    return made


def path_to(explorer, label):
    return next(x.path for x in links_of(explorer.page) if x.label == label)


def test_a_page_is_reached_by_the_links_that_a_person_clicks(ways):
    assert str(ways.to(f"/boats/{KEY}/")) == "/yard/ > Boats > All"
    assert str(ways.to(f"/crew/{KEY}/")) == "/yard/ > Crew > All"
    assert str(ways.to(f"/boats/new/{KEY}/")) == "/yard/ > Boats > All > Add New"
    assert ways.to(f"/yard/{KEY}/") == Way("/yard/")


def test_an_address_that_lasts_needs_no_way(ways):
    assert ways.to("/about/") == Way("/about/")


@pytest.mark.parametrize("route", [f"/boat/7/{KEY}/", f"/one/{KEY}/", f"/never/seen/{KEY}/"])
def test_links_to_one_entity_or_of_one_name_are_no_way(ways, route):
    assert ways.to(route) is None


def test_without_an_entrance_there_is_no_way(page_of):
    made = Ways()
    made.look(f"/yard/{KEY}/", page_of(HOME))
    assert made.to(f"/boats/{KEY}/") is None
    made.look("/lasting/", page_of(HOME))
    assert str(made.to(f"/boats/{KEY}/")) == "/lasting/ > Boats > All"


def test_the_home_of_a_site_is_found_by_what_its_address_begins_with(shop):
    way = shop.way_to(TASK, path_to(shop, "Orders"))
    assert str(way) == "/index.php/admin/ > Sales > Orders" and way.by_links
    assert [h.menu for h in way.hops] == [("Sales",)]
    assert isinstance(way.hops[0], Followed)


def test_a_demonstration_writes_the_way_down_and_not_the_address(shop):
    route = path_to(shop, "Pending Reviews")
    procedure = Demonstrator(shop, TASK).visit(route, ["pending reviews"])
    assert shop.route == route and procedure.heading == "Pending Reviews" and not procedure.address
    assert procedure.acts[0] == Act("goto", None, (Text("/index.php/admin/"),))
    labels = [a.target.locator.label for a in procedure.acts[1:]]
    assert labels == ["Catalog", "Reviews and Ratings", "Pending Reviews"]
    checked(procedure)
    assert made_anew_in(str(program_of(procedure))) == ""


def test_a_page_behind_a_form_is_reached_by_the_form(shop):
    add = path_to_new_product(shop)
    Demonstrator(shop, TASK).query(add, forms_of(shop.page)[0], ["product"])
    way = shop.way_to(TASK, shop.route)
    assert isinstance(way.hops[-1], Asked) and not way.by_links
    form = next(f for f in forms_of(shop.page) if not f.query)
    made = Demonstrator(shop, TASK).create(shop.route, form, ["product"])
    assert any(a.values == (Text("Clothing"),) for a in made.acts) and made.acts[0].values == (
        Text("/index.php/admin/"),
    )


def path_to_new_product(explorer):
    explorer.do("goto", path_to(explorer, "Manage Products"))
    add = path_to(explorer, "Add Product")
    explorer.do("goto", add)
    return add


def test_a_page_without_a_way_is_not_demonstrated(shop):
    with pytest.raises(Undone, match="no way to a page whose address is made anew"):
        Demonstrator(shop, TASK).visit(f"/index.php/admin/nowhere/key/{KEY}/", ["nowhere"])


def test_what_is_known_of_a_site_holds_no_secret(shop):
    survey = Survey()
    survey.look(shop.page)
    orders = path_to(shop, "Orders")
    shop.do("goto", orders)
    survey.look(shop.page)
    shop.way_to(TASK, orders)
    assert survey.knowledge(shop.ways) == "/index.php/admin/ Dashboard\n/index.php/admin/ > Sales > Orders Orders"


def test_a_program_with_such_an_address_is_refused(shop):
    orders = path_to(shop, "Orders")
    procedure = Demonstrator(shop, TASK).visit(orders, ["orders"])
    assert made_anew(orders)
    dead = (Act("goto", None, (Text(orders),)), *procedure.acts[1:])
    with pytest.raises(Unfit, match="static check: volatile_address"):
        checked(replace(procedure, acts=dead))


def test_links_of_one_kind_share_what_lasts_of_their_address():
    assert family(f"/admin/order/view/id/7/key/{KEY}/") == family(f"/admin/order/view/id/8/key/{KEY[::-1]}/")
    assert family("/page/17/") == "page/*" and family("/2024/05/") == "#/*" and family("/") == "*"
