"""Comments under a post: the thread, the form and what happens when it is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, unquote

from markupsafe import Markup

from ..protocol import Response
from ..web import Call, html_response, redirect
from . import model, presenter
from .model import Row

COOKIES = {"author": "comment_author", "email": "comment_author_email", "url": "comment_author_url"}
COOKIE_LIFETIME = 30_000_000
MAX_DEPTH = 5
MAX_LENGTHS = {
    "author": (245, "name"),
    "email": (100, "email address"),
    "url": (200, "URL"),
    "comment": (65_525, "comment"),
}
CONSENT = "wp-comment-cookies-consent"
_EMAIL = re.compile(
    r"[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,}", re.ASCII
)


@dataclass
class Comment:
    """A comment as templates want it.

    Attributes:
        depth: 1 for a comment that answers the post.
        can_reply: Whether it carries a reply link.
    """

    id: int
    author: str
    iso: str
    date: str
    content: Markup
    held: bool
    by_author: bool
    depth: int = 1
    children: list[Comment] = field(default_factory=list)

    @property
    def can_reply(self) -> bool:
        """Whether it may be answered: approved and not too deep."""
        return not self.held and self.depth < MAX_DEPTH


class Form(NamedTuple):
    """The comment form.

    Attributes:
        post_id: The post commented on.
        parent: The comment answered, if any.
        author: Remembered name.
        email: Remembered e-mail address.
        url: Remembered website.
    """

    post_id: int
    parent: Comment | None
    author: str
    email: str
    url: str


class Fields(NamedTuple):
    """What was sent, trimmed."""

    comment: str
    author: str
    email: str
    url: str


class Problem(NamedTuple):
    """Why a comment is refused."""

    text: str
    status: int


REQUIRED = Problem("<strong>Error:</strong> Please fill the required fields.", 200)
BAD_EMAIL = Problem("<strong>Error:</strong> Please enter a valid email address.", 200)
NO_TEXT = Problem("<strong>Error:</strong> Please type your comment text.", 200)
DUPLICATE = Problem("Duplicate comment detected; it looks as though you’ve already said that!", 409)
CLOSED = Problem("Sorry, comments are closed for this item.", 403)


def thread(call: Call, post: Row) -> dict[int, Comment]:
    """Returns the comments of a post that the visitor may see, by id, oldest first, linked as a thread."""
    rows = model.comments(call.db, post["id"], own=_own_comment(call, post["id"]))
    found = {row["id"]: _comment(row, post) for row in rows}
    for row in rows:
        parent = found.get(row["parent"])
        if parent is not None:
            found[row["id"]].depth = parent.depth + 1
            parent.children.append(found[row["id"]])
    return found


def form(call: Call, post: Row, shown: dict[int, Comment]) -> Form:
    """Returns the comment form as the visitor sees it: name and address remembered, the comment answered noted."""
    remembered = [unquote(call.cookies.get(COOKIES[name], "")) for name in ("author", "email", "url")]
    parent = shown.get(presenter.row_id(call.args.get("replytocom", "")))
    return Form(post["id"], parent, *remembered)


def submit(call: Call) -> Response:
    """Answers the comment form."""
    post = model.post_by_id(call.db, presenter.row_id(call.form.get("comment_post_ID", "")))
    if post is None or post["status"] != "publish":
        return html_response("")
    fields = _fields(call)
    problem = _problem(call, post, fields)
    if problem is not None:
        return _refusal(problem, presenter.post_url(post))
    parent = _parent(call, post["id"])
    comment_id = model.add_comment(
        call.db,
        call.now,
        post_id=post["id"],
        content=fields.comment,
        name=fields.author,
        email=fields.email,
        url=fields.url,
        parent=parent,
    )
    return redirect(_shown_at(call, post, comment_id), 302, _cookies(fields, consent=CONSENT in call.form))


def _comment(row: Row, post: Row) -> Comment:
    return Comment(
        row["id"],
        row["author_name"],
        row["date"],
        presenter.comment_time(row["date"]),
        presenter.paragraphs(row["content"]),
        row["status"] != "approved",
        bool(row["user_id"]) and row["user_id"] == post["author_id"],
    )


def _own_comment(call: Call, post_id: int) -> int | None:
    """Returns the held comment whose author came back with the right token."""
    row = model.comment_by_id(call.db, presenter.row_id(call.args.get("unapproved", "")))
    if row is None or row["post_id"] != post_id or row["status"] != "hold":
        return None
    return (
        row["id"] if call.args.get("moderation-hash") == model.moderation_hash(row["id"], row["author_email"]) else None
    )


def _fields(call: Call) -> Fields:
    # Browsers send line breaks as CR LF.
    text = call.form.get("comment", "").replace("\r\n", "\n").strip()
    return Fields(text, *(call.form.get(name, "").strip() for name in ("author", "email", "url")))


def _problem(call: Call, post: Row, fields: Fields) -> Problem | None:
    if post["comment_status"] != "open":
        return CLOSED
    if not fields.author or not fields.email:
        return REQUIRED
    if not _EMAIL.fullmatch(fields.email):
        return BAD_EMAIL
    if not fields.comment:
        return NO_TEXT
    too_long = next((name for name, value in fields._asdict().items() if len(value) > MAX_LENGTHS[name][0]), None)
    if too_long:
        return Problem(f"<strong>Error:</strong> Your {MAX_LENGTHS[too_long][1]} is too long.", 200)
    if model.is_duplicate_comment(call.db, post["id"], fields.author, fields.email, fields.comment):
        return DUPLICATE
    return None


def _refusal(problem: Problem, back: str) -> Response:
    page = (
        '<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8">'
        '<meta name="viewport" content="width=device-width"><title>Comment Submission Failure</title>'
        "<style>html{background:#f1f1f1}body{background:#fff;border:1px solid #ccd0d4;color:#444;"
        "font-family:sans-serif;margin:2em auto;padding:1em 2em;max-width:700px}</style></head>"
        f'<body id="error-page"><div class="wp-die-message"><p>{problem.text}</p></div>'
        f'<p><a data-sid="comment.back" href="{back}">« Back</a></p></body></html>'
    )
    return html_response(page, problem.status)


def _parent(call: Call, post_id: int) -> int:
    """Returns the comment answered; an answer to a comment that is not there answers the post."""
    row = model.comment_by_id(call.db, presenter.row_id(call.form.get("comment_parent", "")))
    return row["id"] if row is not None and row["post_id"] == post_id and row["status"] == "approved" else 0


def _shown_at(call: Call, post: Row, comment_id: int) -> str:
    row = model.comment_by_id(call.db, comment_id)
    path = quote(presenter.post_url(post))
    if row is not None and row["status"] == "hold":
        token = model.moderation_hash(comment_id, row["author_email"])
        return f"{path}?unapproved={comment_id}&moderation-hash={token}#comment-{comment_id}"
    return f"{path}#comment-{comment_id}"


def _cookies(fields: Fields, *, consent: bool) -> list[tuple[str, str]]:
    """Returns the cookies that remember a commenter, or forget one who does not consent."""
    age = COOKIE_LIFETIME if consent else 0
    values = fields._asdict()
    return [
        ("Set-Cookie", f"{cookie}={quote(values[name]) if consent else ''}; Max-Age={age}; Path=/")
        for name, cookie in COOKIES.items()
    ]
