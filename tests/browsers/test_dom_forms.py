from __future__ import annotations

import pytest

from skillshift_gym.browsers.encoding import Entry, encode

SUCCESSFUL = {
    "text": ("<input name=a value=1>", "a=1"),
    "no name": ("<input value=1>", ""),
    "empty name": ("<input name='' value=1>", ""),
    "hidden": ("<input type=hidden name=a value=1>", "a=1"),
    "disabled": ("<input name=a value=1 disabled>", ""),
    "readonly": ("<input name=a value=1 readonly>", "a=1"),
    "fieldset disabled": ("<fieldset disabled><input name=a value=1></fieldset>", ""),
    "first legend": (
        "<fieldset disabled><legend><input name=a value=1></legend><legend><input name=b></legend></fieldset>",
        "a=1",
    ),
    "nested fieldset": ("<fieldset disabled><fieldset><input name=a value=1></fieldset></fieldset>", ""),
    "datalist": ("<datalist><input name=a value=1></datalist>", "a=1"),
    "checkbox off": ("<input type=checkbox name=a>", ""),
    "checkbox on": ("<input type=checkbox name=a checked>", "a=on"),
    "checkbox with a value": ("<input type=checkbox name=a value=v checked>", "a=v"),
    "checkbox with an empty value": ("<input type=checkbox name=a value='' checked>", "a="),
    "radio": ("<input type=radio name=a value=1><input type=radio name=a value=2 checked>", "a=2"),
    "two checked radios": ("<input type=radio name=a value=1 checked><input type=radio name=a value=2 checked>", "a=2"),
    "textarea": ("<textarea name=a>\n1\n2</textarea>", "a=1%0D%0A2"),
    "select": ("<select name=a><option>x <option selected> y  z </select>", "a=y+z"),
    "select without a choice": ("<select name=a><option>x<option>y</select>", "a=x"),
    "select, first option disabled": ("<select name=a><option disabled>x<option>y</select>", "a=y"),
    "select, chosen option disabled": ("<select name=a><option disabled selected>x<option>y</select>", ""),
    "listbox without a choice": ("<select name=a size=3><option>x<option>y</select>", ""),
    "option value": ("<select name=a><option value=1>x<option value='' selected>y</select>", "a="),
    "multiple": ("<select name=a multiple><option selected>x<option>y<option selected>z</select>", "a=x&a=z"),
    "disabled optgroup": (
        "<select name=a multiple><optgroup disabled><option selected>x</optgroup><option selected>y</select>",
        "a=y",
    ),
    "two selected options": ("<select name=a><option selected>x<option selected>y</select>", "a=y"),
    "empty select": ("<select name=a></select>", ""),
    "other buttons": ("<button name=b value=1>x</button><button type=button name=c>x</button>", ""),
    "reset": ("<input type=reset name=b value=1>", ""),
    "output": ("<output name=o>1</output>", ""),
    "file": ("<input type=file name=f>", "f="),
    "image": ("<input type=image name=i>", ""),
    "_charset_": ("<input type=hidden name=_charset_ value=x>", "_charset_=UTF-8"),
    "dirname": ("<input name=a value=1 dirname=a.dir>", "a=1&a.dir=ltr"),
    "dirname in a rtl part": ("<p dir=rtl><input name=a value=1 dirname=a.dir></p>", "a=1&a.dir=rtl"),
    "document order": ("<input name=b value=1><input name=a value=2>", "b=1&a=2"),
    "escapes": ("<input name='a b' value='c&amp;d=é~*-._/'>", "a+b=c%26d%3D%C3%A9%7E*-._%2F"),
    "number": ("<input type=number name=a value=x>", "a="),
    "color": ("<input type=color name=a>", "a=%23000000"),
    "range": ("<input type=range name=a>", "a=50"),
    "unknown type": ("<input type=nonsense name=a value=1>", "a=1"),
}


@pytest.mark.parametrize(("controls", "query"), SUCCESSFUL.values(), ids=SUCCESSFUL)
def test_entry_list(play, controls, query):
    html = f"<form action=/r>{controls}<input type=submit id=go></form>"
    assert play(html, "click #go").sent == [f"GET /r?{query}"]


SUBMITTED = {
    "get replaces the query": ("<form action='/r?old=1'><input name=a value=1><button id=go></form>", "GET /r?a=1"),
    "get keeps the fragment to itself": ("<form action='/r#f'><input name=a><button id=go></form>", "GET /r?a="),
    "post keeps the query": ("<form action='/r?x=1' method=post><button id=go></form>", "POST /r?x=1"),
    "no action": ("<form><input name=a value=1><button id=go></form>", "GET /d?a=1"),
    "base and no action": ("<base href=/dir/><form><button id=go></form>", "GET /d?"),
    "post": ("<form action=/r method=POST><input name=a value=1><button id=go></form>", "POST /r a=1"),
    "unknown method": ("<form action=/r method=put><input name=a value=1><button id=go></form>", "GET /r?a=1"),
    "submitter": ("<form action=/r><button id=go name=b value=1>x</button></form>", "GET /r?b=1"),
    "submitter without value": ("<form action=/r><button id=go name=b>x</button></form>", "GET /r?b="),
    "submit input": ("<form action=/r><input type=submit id=go name=b value=1></form>", "GET /r?b=1"),
    "submit input without value": ("<form action=/r><input type=submit id=go name=b></form>", "GET /r?b=Submit"),
    "formaction": ("<form action=/x><button id=go formaction=/r>x</button></form>", "GET /r?"),
    "formmethod": ("<form action=/r><input name=a><button id=go formmethod=post>x</button></form>", "POST /r a="),
    "formenctype": (
        "<form action=/r method=post><input name=a value=1><button id=go formenctype=text/plain>x</button></form>",
        "POST /r a=1\r\n",
    ),
    "text/plain": (
        "<form action=/r method=post enctype=text/plain><input name=a value='1 &amp;'><button id=go></form>",
        "POST /r a=1 &\r\n",
    ),
    "form attribute": ("<form id=f action=/r></form><input name=a value=1 form=f><button form=f id=go>", "GET /r?a=1"),
    "form attribute to nothing": ("<form action=/r><input name=a form=zz><button id=go></form>", "GET /r?"),
    "button outside": ("<form action=/r></form><button id=go>x</button>", None),
    "type=button": ("<form action=/r><button type=button id=go>x</button></form>", None),
    "type=reset": ("<form action=/r><button type=reset id=go>x</button></form>", None),
    "unknown button type": ("<form action=/r><button type=x id=go>x</button></form>", "GET /r?"),
    "child of the button": ("<form action=/r><button name=b value=1><i id=go>x</i></button></form>", "GET /r?b=1"),
    "script action": ("<form action='javascript:x()'><button id=go>x</button></form>", None),
    "image": ("<form action=/r><input type=image id=go name=i></form>", "GET /r?i.x=0&i.y=0"),
    "order with submitter": (
        "<form action=/r><input name=a value=1><button id=go name=b value=2>x</button><input name=c value=3></form>",
        "GET /r?a=1&b=2&c=3",
    ),
}


@pytest.mark.parametrize(("html", "request_sent"), SUBMITTED.values(), ids=SUBMITTED)
def test_request_of_a_form(play, html, request_sent):
    assert play(html, "click #go").sent == ([request_sent] if request_sent else [])


def test_content_type_of_a_post(play):
    (request,) = play("<form action=/r method=post><input name=a><button id=go></form>", "click #go").site.requests
    assert request.content_type == "application/x-www-form-urlencoded"


def test_multipart():
    entries = [Entry("a", "1\n2"), Entry('"b\n', "é"), Entry("f", "", is_file=True)]
    body, content_type = encode("multipart/form-data", entries)
    boundary = content_type.partition("boundary=")[2]
    assert body.decode() == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n2\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="%22b%0D%0A"\r\n\r\né\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="f"; filename=""\r\n'
        f"Content-Type: application/octet-stream\r\n\r\n\r\n--{boundary}--\r\n"
    )
    assert encode("multipart/form-data", entries) == (body, content_type)


def test_multipart_form(play):
    html = "<form action=/r method=post enctype=multipart/form-data><input name=a value=1><button id=go></form>"
    (request,) = play(html, "click #go").site.requests
    assert request.content_type.startswith("multipart/form-data; boundary=")
    assert b'name="a"\r\n\r\n1\r\n' in request.body


IMPLICIT = {
    "default button": (
        "<input id=q name=q><button name=b value=1>x</button><button name=c value=1>x</button>",
        "q=&b=1",
    ),
    "default button disabled": ("<input id=q name=q><button disabled>x</button><button>x</button>", None),
    "no button": ("<input id=q name=q>", "q="),
    "no button, two fields": ("<input id=q name=q><input name=p>", None),
    "no button, a checkbox too": ("<input id=q name=q><input type=checkbox>", "q="),
    "button type=button": ("<input id=q name=q><button type=button>x</button>", "q="),
    "textarea": ("<textarea id=q name=q></textarea><button>x</button>", None),
    "checkbox": ("<input type=checkbox id=q name=q><button name=b>x</button>", "b="),
    "checkbox, no button": ("<input type=checkbox id=q name=q>", None),
    "drop-down list": ("<select id=q name=q><option>x</select><button>x</button>", None),
    "listbox": ("<select id=q name=q size=3><option>x</select><button>x</button>", ""),
    "date": ("<input type=date id=q name=q><button>x</button>", "q="),
    "range": ("<input type=range id=q name=q><button>x</button>", "q=50"),
    "file": ("<input type=file id=q name=q><button>x</button>", None),
}
COMBINED = {"Control+Enter": [], "NumpadEnter": ["GET /r?q="]}


@pytest.mark.parametrize(("controls", "query"), IMPLICIT.values(), ids=IMPLICIT)
def test_enter_in_a_control(play, controls, query):
    session = play(f"<form action=/r>{controls}</form>", "press #q Enter")
    assert session.sent == ([] if query is None else [f"GET /r?{query}"])


@pytest.mark.parametrize(("keys", "sent"), COMBINED.items(), ids=COMBINED)
def test_enter_with_modifiers(play, keys, sent):
    assert play("<form action=/r><input id=q name=q></form>", f"press #q {keys}").sent == sent


def test_enter_without_a_form(play):
    assert play("<input id=q>", "press #q Enter").sent == []


def test_reset_gives_back_the_initial_state(play):
    html = """<form><input id=a value=1><input type=checkbox id=c checked><select id=s><option>x<option>y</select>
        <input type=reset id=go></form><input id=o value=1>"""
    session = play(html, "fill #a 2", "fill #o 2", "uncheck #c", "select #s y", "click #go")
    assert (session.value("#a"), session.value("#o"), session.checked) == ("1", "2", "c")
    assert session.selected("#s") == "x"
