"""Pages and answers: rendering, one-shot messages, signing in and out."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, unquote

from ....errors import SkillShiftError
from ...protocol import Response
from ...web import Call, Undone, html_response, redirect
from .. import v1, v2
from ..front import Front
from ..operations.refused import Refused
from ..seed import password_hash
from ..urls import KEY, home, url

SESSION, MESSAGE = "admin_session", "admin_message"
FRONTS: dict[str, Front] = {"v1": v1.FRONT, "v2": v2.FRONT}
View = Callable[..., Response]
_SIGNED_OUT = "out"


def front(call: Call) -> Front:
    """Returns the front end of a request."""
    return FRONTS[call.site.version]


def address(call: Call, endpoint: str, **values: Any) -> str:
    """Returns an address of the version at work."""
    return url(call.site.version, endpoint, **values)


def page(call: Call, template: str, title: str, status: int = 200, **context: Any) -> Response:
    """Returns a page; a waiting message is shown and taken from the browser."""
    kind, _, words = unquote(call.cookies.get(MESSAGE, "")).partition(":")
    user = call.db.execute("SELECT * FROM admin_user").fetchone()
    text = front(call).render(
        template, {"title": title, "message": (kind, words) if words else None, "call": call, "user": user, **context}
    )
    gone = [("Set-Cookie", f"{MESSAGE}=; Path=/; Max-Age=0")] if words else []
    return html_response(text, status, gone)


def done(call: Call, where: str, words: str, kind: str = "success") -> Response:
    """Returns a redirect that brings a message along.

    Args:
        call: The request.
        where: Address to go to.
        words: What the administrator reads there, empty for nothing.
        kind: `success`, `error` or `notice`.
    """
    cookie = [("Set-Cookie", f"{MESSAGE}={quote(f'{kind}:{words}', safe='')}; Path=/")] if words else []
    return redirect(where, 302, cookie)


def saying(call: Call, v1_words: str, v2_words: str) -> str:
    """Returns the words of the version at work."""
    return v1_words if call.site.version == "v1" else v2_words


def guarded(view: View) -> View:
    """Returns a view for those who are signed in, and in version 1.9 know the key; others are sent to where they may be."""

    @wraps(view)
    def inner(call: Call, key: str = KEY, **values: Any) -> Response:
        if call.cookies.get(SESSION) == _SIGNED_OUT:
            return login_page(call)
        if key != KEY:
            return done(call, address(call, "dashboard"), "Invalid Secret Key. Please refresh the page.", "error")
        try:
            return view(call, **values)
        except Missing as error:
            return done(call, address(call, error.endpoint), str(error), "error")

    return inner


class Missing(SkillShiftError):
    """What a page is about does not exist; its grid says so."""

    def __init__(self, words: str, endpoint: str) -> None:
        super().__init__(words)
        self.endpoint = endpoint


def attempt(call: Call, deed: Callable[[], Any], *, success: tuple[str, str], failure: str = "") -> Response:
    """Does something and goes on: to the first address with the second text, or back with the words of a refusal.

    Args:
        call: The request.
        deed: What to do; it may return a key that the address's `{key}` stands for.
        success: Address and text.
        failure: Address after a refusal; that of success by default.
    """
    try:
        key = deed()
    except Refused as refusal:
        raise Undone(done(call, failure or success[0], str(refusal), "error")) from None
    return done(call, success[0].replace("{key}", str(key)), success[1])


def start(call: Call, key: str = KEY) -> Response:
    """The address that the admin starts at: the dashboard, or the form to sign in."""
    if call.cookies.get(SESSION) == _SIGNED_OUT:
        return login_page(call)
    return redirect(address(call, "dashboard"))


def login_page(call: Call) -> Response:
    """The form to sign in; it stands at any address while nobody is signed in."""
    return page(call, "login.html", "Log into Magento Admin Page" if call.site.version == "v1" else "Magento Admin")


def login(call: Call) -> Response:
    """Signs in."""
    name, password = (call.form.get(f"login[{part}]", "") for part in ("username", "password"))
    row = call.db.execute("SELECT * FROM admin_user WHERE username = ?", (name,)).fetchone()
    if row is None or row["hash"] != password_hash(password):
        words = saying(
            call, "Invalid User Name or Password.",
            "The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.",
        )  # fmt: skip
        return done(call, home(call.site.version), words, "error")
    return redirect(address(call, "dashboard"), 302, [("Set-Cookie", f"{SESSION}=; Path=/; Max-Age=0")])


def logout(call: Call) -> Response:
    """Signs out."""
    answer = done(call, home(call.site.version), "You have logged out.")
    headers = (*answer.headers, ("Set-Cookie", f"{SESSION}={_SIGNED_OUT}; Path=/"))
    return Response(answer.status, headers, answer.body)


def not_found(call: Call) -> Response:
    """The page of an address that does not exist."""
    if call.cookies.get(SESSION) == _SIGNED_OUT:
        return login_page(call)
    return page(call, "plain.html", "404 Error", 404, text="There is no page at this address.", absent=True)
