from __future__ import annotations

import pytest

from skillshift_gym.agents.induction.affordances import routes_of
from skillshift_gym.agents.induction.binding import DAY, MONTH, SLUG, Input, arguments, clean, inputs_of, sent, slug_of
from skillshift_gym.agents.induction.purposes import suit
from skillshift_gym.agents.induction.site_forms import forms_of, heading_of, links_of, query_of, skeleton, topic
from skillshift_gym.skills.skill import Skill

ORDER = Input("order", "Order #", required=False, key=True, samples=("000000332",))
STATUS = Input("status", "Status", required=False, choices=(("On Hold", "holded"), ("Complete", "complete")))
FROM, TO = Input("from_", "Placed From", DAY, required=False), Input("to", "Placed To", DAY, required=False)
TITLE, NEW = Input("title", "Title", required=False, key=True), Input("new_title", "Page Title")


def skill(name, description, inputs, *, values=True):
    kept = [{"name": i.name, "labels": dict(i.choices)} for i in inputs if i.choices]
    return Skill(
        name=name, kind="tool", description=description, parameters=tuple(i.parameter(values=values) for i in inputs),
        program='goto "/"', fields={"steps": [{"type": "navigation", "url": "/"}], "inputs": kept},
    )  # fmt: skip


FILTER = skill("filter_orders", "Show the orders | Filter the orders", [ORDER._replace(key=False), FROM, TO, STATUS])
CANCEL = skill("cancel_order", "Cancel the order", [ORDER])
CHANGE = skill("change_title_of_page", "Change the title of the page", [TITLE, NEW])
VISIT = skill("open_orders", "Show all orders | Open the orders", [])
TAG = skill(
    "open_tag",
    "Open the tag {tag}",
    [Input("tag", "tag", SLUG, choices=(("Old Quay", "old-quay"), ("Bread", "bread")))],
)
POST = skill("open_post", "Open the post {post}", [Input("post", "post", SLUG)])
CREATE = skill("create_product", "Create a product", [Input("name", "Name"), Input("price", "Price")])


def test_inputs_are_read_back_from_the_record():
    assert [i.name for i in inputs_of(FILTER)] == ["order", "from_", "to", "status"]
    order, start, _, status = inputs_of(FILTER)
    assert not order.key and order.samples == ("000000332",) and order.label == "Order #"
    assert inputs_of(CANCEL)[0].key and start.format == DAY and status.choices == STATUS.choices


@pytest.mark.parametrize(
    ("one", "goal", "given"),
    [
        (
            FILTER,
            "Show the orders placed in March 2024 with status On Hold",
            {"from_": "3/1/2024", "to": "3/31/2024", "status": "holded"},
        ),
        (CANCEL, "Cancel order 000000017, please.", {"order": "000000017"}),
        (
            CHANGE,
            "Change the title of the page “About Us” to “Who We Are”.",
            {"title": "About Us", "new_title": "Who We Are"},
        ),
        (TAG, "Show the tag Old Quay.", {"tag": "old-quay"}),
        (TAG, "List the posts that carry the tag Bread.", {"tag": "bread"}),
        (POST, "Open the post “Herring Day, at a Distance”.", {"post": "herring-day-at-a-distance"}),
        (
            CREATE,
            "Create the product named “Tansy Hoodie” at a price of $76.00.",
            {"name": "Tansy Hoodie", "price": "76.00"},
        ),
        (VISIT, "Show all orders.", {}),
    ],
)
def test_a_goal_gives_the_arguments_of_what_suits_it(one, goal, given):
    found = suit(one, goal, values=True)
    assert found is not None and dict(found.given) == given


@pytest.mark.parametrize(
    ("one", "goal"),
    [
        (CANCEL, "Cancel the order."),  # which one?
        (CANCEL, "What is the total of order 000000017?"),  # nothing is to be cancelled
        (CHANGE, "Open the page “About Us”."),
        (CREATE, "What is the price of the product “Tansy Hoodie”?"),
        (VISIT, "Cancel this order."),  # what is meant is here
        (VISIT, "Show the orders placed in March 2024."),  # the goal says which
        (TAG, "Open the third post of this list."),
        (POST, "Open the first post that the search for “bread” finds."),
    ],
)
def test_a_skill_that_does_something_else_or_lacks_an_input_does_not_suit(one, goal):
    assert suit(one, goal, values=True) is None


def test_what_covers_more_of_a_goal_is_worth_more():
    goal = "Cancel order 000000017."
    assert suit(CANCEL, goal).worth > suit(FILTER, goal).worth
    assert suit(FILTER, "Show the orders with status Complete placed in March 2024").worth > 0.5


def test_a_slot_does_not_swallow_half_a_sentence():
    assert clean("Search for {text}", "Search for bread") == {"text": "bread"}
    assert clean("Search for {text}", "Search for “bread”, then open the first result") is None


def test_the_needed_input_is_the_first_that_is_quoted():
    inputs = [Input("text", "Search for")]
    assert arguments(skill("search", "Find {text}", inputs), inputs, "Look up “bread”.") == {"text": "bread"}
    assert arguments(skill("search", "Find {text}", inputs), inputs, "Look around.") is None


def test_values_are_written_as_the_site_has_them():
    assert slug_of("The Lamplighter’s “Grandson” – at 90") == "the-lamplighters-grandson-at-90"
    month = Input("month", "month", MONTH)
    assert sent([month], {"month": "May 2023"}, values=False) == {"month": "2023/05"}
    assert sent([STATUS], {"status": "On Hold"}, values=True) == {"status": "holded"}
    assert sent([STATUS], {"status": "On Hold"}, values=False) == {"status": "On Hold"}


def test_kinds_of_pages_are_told_from_labels_and_addresses():
    links = [("Old Quay (8 items)", "/tag/old-quay/"), ("Bread", "/tag/bread/"), ("Fog", "/tag/fog/")]
    links += [("May 2023", "/2023/05/"), ("June 2023", "/2023/06/"), ("July 2023", "/2023/07/")]
    links += [(str(n), f"/page/{n}/") for n in range(2, 6)] + [(str(n), f"/tag/fog/page/{n}/") for n in range(2, 6)]
    links += [("View", f"/order/{n}/") for n in range(5)]  # a number that no label tells
    found = {r.address: r for r in routes_of(links)}
    assert set(found) == {"/tag/{tag}/", "/{month}/", "/page/{page}/"}
    assert found["/tag/{tag}/"].parameter.choices[0] == ("Old Quay", "old-quay")
    assert found["/{month}/"].parameter.format == MONTH


FORM = """<!DOCTYPE html><html><head><title>T</title></head><body><main><h2>Side</h2><h1>Manage Orders</h1>
<form action="/orders/" method="get"><input type="hidden" name="sort" value="id"><label>Number <input name="number"></label>
<label>Status <select name="status"><option value=""></option><option value="1">Open</option></select></label>
<details><summary>More</summary><p><label for="d">Day *</label><input id="d" name="day"> m/d/yyyy</p></details><button>Search</button></form>
<a href="/orders/7/">Seven</a><a href="/orders/?sort=id">Sorted</a><a href="https://elsewhere.example/">Away</a></main></body></html>"""


def test_a_form_is_read_with_labels_options_and_what_hides_a_field(page_of):
    page = page_of(FORM)
    form = forms_of(page)[0]
    number, status, day = form.fields
    assert form.query and form.deed == "Search" and number.label == "Number"
    assert (
        status.options == (("Open", "1"),)
        and day.required
        and day.hint == "m/d/yyyy"
        and day.opener >= 0 > number.opener
    )
    assert query_of(form, [("number", "{number}")]).endswith("/orders/?sort=id&number={number}")


def test_headings_and_links_are_read(page_of):
    page = page_of(FORM)
    assert heading_of(page) == "Manage Orders" and topic(heading_of(page)) == "orders"
    assert [link.label for link in links_of(page)] == ["Seven"]
    assert skeleton("/orders/7/view/") == "/orders/#/view/"
