"""Reading and writing on a post: does it show something, and leave a comment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ...keyed import keyed, shuffled
from ...sites.wordpress.motifs import MOTIFS
from ..build import Variant
from ..checks import AnswerCheck, Check, StateCheck
from ..family import Params
from ..oracle import Step, click, fill, say
from .data import PER_PAGE, Post, posts
from .finding import is_quotable, post_params
from .steps import feed_path, find_post, open_post, ordinal

IMAGES = "does an article have an image of something"
COMMENT = "leave a comment on a post"

NAMES = (
    "Nora Quist",
    "Tomas Hale",
    "Ines Barlow",
    "Piet Vander",
    "Mara Lindqvist",
    "Owen Tarr",
    "Saskia Bell",
    "Jun Okafor",
)
COMMENTS = (
    "Thank you, this answered my question.",
    "I was there on the second day and it was even better than you say.",
    "Could you say where the photo was taken?",
    "My grandmother used to tell the same story.",
    "Please write more about this next month.",
    "One small correction: the ferry left at noon, not at one.",
    "We tried this at home and it worked on the first attempt.",
    "Great to see the neighbours involved in this.",
    "Is there a map of the route anywhere?",
    "I disagree with the last paragraph, but it was a good read.",
    "The children loved it. We will come again.",
    "Does anyone know whether this is still open in winter?",
)  # fmt: skip


class Sight(NamedTuple):
    """A post, something an image may show, and whether one does."""

    post: Post
    motif: str
    shown: bool


def image_variants() -> list[Variant]:
    """Returns the eight families that ask whether an article has an image of something, half of them with yes."""
    goals = (
        ("Open the article “{title}”. Does it have an image of {thing}? Answer yes or no.", "Does the post “{title}” show a picture of {thing}? Answer yes or no."),
        ("Is there a picture of {thing} in the article “{title}”? Answer yes or no.", "Look at “{title}”: does one of its images show {thing}? Answer yes or no."),
        ("Check the article “{title}”: does any image in it show {thing}? Answer yes or no.", "In “{title}”, can I see {thing} in an image? Answer yes or no."),
        ("I think “{title}” has a photo of {thing}. Is that so? Answer yes or no.", "Does the article “{title}” contain an image with {thing}? Answer yes or no."),
    )  # fmt: skip
    return [_image(goals[number % 4], shown=number % 2 == 0) for number in range(8)]


def comment_variants() -> list[Variant]:
    """Returns the eight families that leave a comment."""
    plain = (
        "Open the article “{title}” and leave the comment “{text}” as {name} ({email}).",
        "Comment on “{title}” with the words “{text}”. Name: {name}, e-mail: {email}.",
    )
    filed = (
        "In the {category} section, find “{title}” and comment “{text}” as {name} with the e-mail {email}.",
        "Under the {category} article “{title}”, say “{text}”. Use the name {name} and the e-mail {email}.",
    )
    placed = (
        "Leave the comment “{text}” on the {nth} post in the list on this page, as {name} with the e-mail {email}.",
        "Say “{text}” under the {nth} article of the list on this page. Use the name {name} and the e-mail {email}.",
    )
    web = (
        "Leave the comment “{text}” on “{title}” as {name}, with the e-mail {email} and with {url} as the website, please.",
        "Under “{title}”, post “{text}” with the name {name}, the e-mail {email} and {url} for a website.",
    )
    old = (
        "There is an article from {year} called “{title}”. Comment “{text}” on it as {name}, e-mail {email}.",
        "Find “{title}” from {year} and leave “{text}” there. Name {name}, e-mail {email}.",
    )
    noted = [p for p in posts()[PER_PAGE:] if is_quotable(p)]
    quiet = [p for p in noted if p.comments == 0]
    busy = [p for p in noted if p.comments > 0]
    listed = [p for p in posts() if p.place % PER_PAGE < PER_PAGE - 3]
    return [
        _comment(plain, quiet), _comment(plain, busy), _comment(web, quiet), _comment(filed, [p for p in noted if len(p.categories) == 1]),
        _comment(web, busy), _comment(old, [p for p in noted if p.date < "2023"]),
        _comment(placed, listed, listed[:PER_PAGE - 3]), _comment(placed, [p for p in posts() if p.place % PER_PAGE >= PER_PAGE - 3], posts()[PER_PAGE - 3 : PER_PAGE]),
    ]  # fmt: skip


def _image(goals: tuple[str, ...], *, shown: bool) -> Variant:
    return Variant(
        goals,
        [s for s in _sights() if s.shown == shown],
        lambda s: {**post_params(s.post), "thing": with_article(s.motif), "motif": s.motif, "shown": s.shown},
        lambda p: (AnswerCheck("yes_no", p["shown"]),),
        lambda p, version: [*find_post(p["post"]), say("Yes." if p["shown"] else "No.")],
        alter=_other_sight,
    )


@cache
def _sights() -> Sequence[Sight]:
    """Returns one sight for each post with images and for some without, half of them true."""
    found = []
    for post in filter(is_quotable, posts()[PER_PAGE:]):
        others = [m for m in shuffled(list(MOTIFS), "sight", post.slug) if m not in post.motifs]
        if post.motifs and keyed("shown", post.slug) % 2:
            found.append(Sight(post, post.motifs[0], True))
        elif post.motifs or keyed("shown", post.slug) % 4 == 0:
            found.append(Sight(post, others[0], False))
    return found


def _other_sight(params: Params) -> Params:
    """Returns the question whose answer is the opposite, about something else in the same post."""
    return {**params, "shown": not params["shown"]}


def with_article(word: str) -> str:
    """Returns a noun as a goal names it: `a cat`, `an umbrella`, `the moon`, `bread`."""
    if word in ("sun", "moon"):
        return f"the {word}"
    if word == "bread":
        return word
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _comment(goals: tuple[str, ...], pool: Sequence[Post], bench: Sequence[Post] = ()) -> Variant:
    """Returns a family; a goal that names the post by its place starts on that page of the feed."""
    placed = "{nth}" in goals[0]
    return Variant(
        goals,
        [p for p in pool if p.comment_status == "open"],
        lambda post: {**_comment_params(post), "placed": placed, "has_url": "{url}" in goals[0]},
        _comment_checks,
        _comment_oracle,
        lambda params: feed_path(params["post"]) if placed else "/",
        lambda params: {**params, "text": params["text"] + " Indeed."},
        bench,
    )


def _comment_params(post: Post) -> Params:
    name = NAMES[keyed("name", post.slug) % len(NAMES)]
    email = name.lower().replace(" ", ".") + "@example.org"
    return {
        **post_params(post),
        "text": COMMENTS[keyed("text", post.slug) % len(COMMENTS)],
        "name": name,
        "email": email,
        "url": f"https://{name.split()[0].lower()}.example.org",
        "nth": ordinal(post.place % PER_PAGE, PER_PAGE),
    }


def _comment_checks(params: Params) -> tuple[Check, ...]:
    row = {
        "post_id": params["post"].id,
        "parent": 0,
        "author_name": params["name"],
        "author_email": params["email"],
        "author_url": params["url"] if params["has_url"] else "",
        "content": params["text"],
    }
    return (StateCheck((("comments", "insert", row),)),)


def _comment_oracle(params: Params, version: str) -> list[Step]:
    post: Post = params["post"]
    steps = [open_post(post)] if params["placed"] else find_post(post)
    steps += [
        fill("", params["text"], within="comment.text"),
        fill("", params["name"], within="comment.author"),
        fill("", params["email"], within="comment.email"),
    ]
    if params["has_url"]:
        steps.append(fill("", params["url"], within="comment.url"))
    return [*steps, click("button", "", within="comment.submit"), say("The comment is posted.")]
