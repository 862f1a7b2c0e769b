import ast
import json
import re

import pytest

NAMES = [
    # document, tag of the element asked for, role, name
    ("<button>Save <b>all</b></button>", "button", "button", "Save all"),
    ("<button aria-label='Close'>x</button>", "button", "button", "Close"),
    ("<button title='Help'></button>", "button", "button", "Help"),
    ("<a href=/x>One<span>Two</span></a>", "a", "link", "OneTwo"),
    ("<a href=/x><div>One</div><div>Two</div></a>", "a", "link", "One Two"),
    ("<a href=/x>One<br>Two</a>", "a", "link", "One Two"),
    ("<a href=/x><img src=i alt='A boat'></a>", "a", "link", "A boat"),
    ("<a href=/x><span aria-hidden=true>*</span>Home</a>", "a", "link", "Home"),
    ("<a href=/x><span hidden>secret</span>Home</a>", "a", "link", "Home"),
    ("<a>no target</a>", "a", "generic", ""),
    ("<label for=f>Name</label><input id=f>", "input", "textbox", "Name"),
    ("<label>Name <input></label>", "input", "textbox", "Name"),
    ("<label for=f>First</label><label for=f>Last</label><input id=f>", "input", "textbox", "First Last"),
    ("<input placeholder='Your name'>", "input", "textbox", "Your name"),
    ("<input title=T placeholder=P>", "input", "textbox", "T"),
    ("<span id=a>Billing</span><span id=b>City</span><input aria-labelledby='a b'>", "input", "textbox", "Billing City"),
    ("<span id=a hidden>Hidden label</span><input aria-labelledby=a>", "input", "textbox", "Hidden label"),
    ("<input aria-labelledby=nowhere aria-label=Fallback>", "input", "textbox", "Fallback"),
    ("<label><input type=checkbox> Flash the screen <input value=3> times</label>", "input", "checkbox", "Flash the screen 3 times"),
    ("<label><input type=checkbox>Sort by <select><option>Size<option selected>Age</select></label>", "input", "checkbox", "Sort by Age"),
    ("<input type=submit>", "input", "button", "Submit"),
    ("<input type=submit value='Log in'>", "input", "button", "Log in"),
    ("<input type=reset>", "input", "button", "Reset"),
    ("<input type=image src=i alt=Go>", "input", "button", "Go"),
    ("<input type=search>", "input", "searchbox", ""),
    ("<input type=number>", "input", "spinbutton", ""),
    ("<input type=range>", "input", "slider", ""),
    ("<input list=l><datalist id=l><option>a</datalist>", "input", "combobox", ""),
    ("<select><option>a</select>", "select", "combobox", ""),
    ("<select multiple><option>a</select>", "select", "listbox", ""),
    ("<select size=3><option>a</select>", "select", "listbox", ""),
    ("<textarea aria-label=Note></textarea>", "textarea", "textbox", "Note"),
    ("<h2>A  b\n c</h2>", "h2", "heading", "A b c"),
    ("<img src=i alt='A cat'>", "img", "img", "A cat"),
    ("<img src=i alt=''>", "img", "none", ""),
    ("<img src=i>", "img", "img", ""),
    ("<fieldset><legend>Colour</legend></fieldset>", "fieldset", "group", "Colour"),
    ("<figure><figcaption>Fig</figcaption></figure>", "figure", "figure", ""),
    ("<table><caption>Orders</caption><tbody><tr><td>1</td></tr></tbody></table>", "table", "table", "Orders"),
    ("<table><tbody><tr><th>K</th><td>1</td></tr></tbody></table>", "th", "rowheader", "K"),
    ("<table><thead><tr><th>K</th></tr></thead></table>", "th", "columnheader", "K"),
    ("<nav aria-label=Main></nav>", "nav", "navigation", "Main"),
    ("<section aria-label=News></section>", "section", "region", "News"),
    ("<section></section>", "section", "generic", ""),
    ("<header></header>", "header", "banner", ""),
    ("<article><header></header></article>", "header", "generic", ""),
    ("<form></form>", "form", "form", ""),
    ("<form aria-label=F></form>", "form", "form", "F"),
    ("<details><summary>More</summary></details>", "summary", "button", "More"),
    ("<div role=button tabindex=0>Go</div>", "div", "button", "Go"),
    ("<div role='nonsense switch'>On</div>", "div", "switch", "On"),
    ("<ul role=none><li>a</ul>", "ul", "none", ""),
    ("<button role=presentation>Stay</button>", "button", "button", "Stay"),
    ("<div hidden><p>x</p></div>", "p", "", ""),
    ("<div aria-hidden=true><button>x</button></div>", "button", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("html", "tag", "role", "name"), NAMES)
def test_role_and_name(page_of, html, tag, role, name):
    page = page_of(f"<!DOCTYPE html><html><body>{html}</body></html>")
    element = next(e for e in page.elements if e.tag == tag)
    assert (element.role, element.name) == (role, name)


DOCUMENT = """<!DOCTYPE html><html><head><title>Shop</title></head><body>
<header><h1>Shop</h1></header>
<main><p>Hello <b>you</b>, read <a href="/terms">the terms</a>.</p>
<form action="/go"><label for="q">Query</label><input id="q" name="q" value="tea" required>
<select name="s" aria-label="Size"><option value="1">Small</option><option value="2" selected>Big</option></select>
<label><input type="checkbox" name="c" checked> Gift</label><textarea name="t" aria-label="Note">a &lt; b</textarea>
<button disabled>Buy</button></form>
<details><summary>More</summary><p>Inside</p></details></main></body></html>"""


def test_the_accessibility_tree_has_one_line_a_node(page_of):
    assert page_of(DOCUMENT).axtree.split("\n") == [
        "RootWebArea 'Shop'",
        "  [4] banner",
        "    [5] heading 'Shop', level=1",
        "  [6] main",
        "    StaticText 'Hello you, read'",
        "    [9] link 'the terms'",
        "    StaticText '.'",
        "    [10] form",
        "      StaticText 'Query'",
        "      [12] textbox 'Query', value='tea', required",
        "      [13] combobox 'Size', value='2'",
        "        [14] option 'Small', selected=false",
        "        [15] option 'Big', selected",
        "      [17] checkbox 'Gift', checked",
        "      StaticText 'Gift'",
        "      [18] textbox 'Note', value='a < b'",
        "      [19] button 'Buy', disabled",
        "    [20] group",
        "      [21] button 'More', expanded=false",
    ]


def test_every_interactive_element_is_one_json_line(page_of):
    lines = [json.loads(line) for line in page_of(DOCUMENT).element_list.split("\n")]
    assert [line["bid"] for line in lines] == ["9", "12", "13", "14", "15", "17", "18", "19", "21"]
    assert lines[1] == {
        "bid": "12", "role": "textbox", "name": "Query", "tag": "input", "value": "tea",
        "states": {"required": "true"}, "attrs": {"id": "q", "name": "q"},
    }  # fmt: skip


def test_the_html_carries_bids_and_live_state(page_of):
    html = page_of(DOCUMENT).html
    assert '<a bid="9" href="/terms">the terms</a>' in html
    assert '<option bid="15" value="2" selected="">' in html
    assert '<textarea bid="18" name="t" aria-label="Note">a &lt; b</textarea>' in html
    assert [int(b) for b in re.findall(r' bid="(\d+)"', html)] == list(range(23))


def test_semantic_ids_never_show(page_of):
    page = page_of("<a data-sid='secret.open{1}' href=/>x</a>")
    assert page.document.sids == {2: "secret.open{1}"}
    assert "secret" not in page.axtree + page.html + page.element_list


def test_quotes_and_odd_characters_survive(page_of):
    page = page_of('<button>It\'s "so" \\ é 🙂</button>')
    assert json.loads(page.element_list)["name"] == 'It\'s "so" \\ é 🙂'
    assert ast.literal_eval(page.axtree.split("button ")[1]) == 'It\'s "so" \\ é 🙂'


def test_an_unknown_bid_is_no_element(page_of):
    page = page_of("<p>x</p>")
    assert [page.get(bid) for bid in ("", "x", "-1", "99", "١")] == [None] * 5
    assert page.get("2").tag == "p"
