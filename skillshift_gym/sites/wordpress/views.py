"""The pages of the blog, shared by both versions: they fetch data and render the version's templates.

The semantic ids in the templates are listed in `sids`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import unquote

from markupsafe import escape

from ..protocol import Response
from ..web import Call, error_page, html_response, redirect
from . import comments, images, model, presenter, v1, v2
from .model import Listing
from .overview import overview
from .pagination import page_url, paginate
from .presenter import Entry, Term
from .theme import Theme

MAX_SEARCH_BYTES = 1600  # WordPress's own bound; longer texts search for nothing
THEMES: dict[str, Theme] = {"v1": v1.THEME, "v2": v2.THEME}


def home(call: Call, page: int = 1) -> Response:
    """The front page: the feed, or the results of a search, or the post an id asks for."""
    if "s" in call.args:
        return _search(call, call.args["s"], page)
    number = presenter.row_id(call.args.get("p") or call.args.get("page_id") or "")
    if number:
        return _by_id(call, number)
    listing = model.feed(call.db, page)
    site = overview(call)
    count = THEMES[call.site.version].featured if page == 1 else 0
    featured = site.entries(listing.posts[:count])
    title = f"{site.title}{_page_part(page)} – {site.tagline}"
    return _listing(call, listing, "home.html", "/", title, featured=featured)


def single(call: Call, slug: str) -> Response:
    """A post or a page, with its comments."""
    post = model.post_by_slug(call.db, slug) or model.post_by_slug(call.db, slug, "page")
    if post is None:
        return not_found(call)
    site = overview(call)
    entry = site.entry(post)
    shown = comments.thread(call, post)
    is_post = entry.kind == "post"
    older, newer = (model.neighbour(call.db, post, newer=new) if is_post else None for new in (False, True))
    return _page(
        call,
        "single.html" if is_post else "page.html",
        f"{entry.title} – {site.title}",
        entry=entry,
        content=presenter.content(post["content"], site.pictures),
        comments=[comment for comment in shown.values() if comment.depth == 1],
        form=comments.form(call, post, shown),
        older=older and site.entry(older),
        newer=newer and site.entry(newer),
    )


def category(call: Call, slug: str, page: int = 1) -> Response:
    """A category archive, its sub-categories included; a short or wrong path leads to the full one."""
    term = _term(call, "category", slug.rpartition("/")[2])
    if term is None:
        return not_found(call)
    if term.url != f"/category/{slug}/":
        return redirect(page_url(term.url, page), 301)
    return _archive(call, "Category", term.name, term.url, page, term=term.id, description=term.description)


def tag(call: Call, slug: str, page: int = 1) -> Response:
    """A tag archive."""
    term = _term(call, "post_tag", slug)
    if term is None:
        return not_found(call)
    return _archive(call, "Tag", term.name, term.url, page, term=term.id, description=term.description)


def author(call: Call, slug: str, page: int = 1) -> Response:
    """The posts of one author."""
    row = model.user_by_slug(call.db, slug)
    if row is None:
        return not_found(call)
    user = presenter.author(row)
    return _archive(call, "Author", user.name, user.url, page, author=user.id, description=user.description)


def dated(call: Call, year: int, month: int = 0, day: int = 0, page: int = 1) -> Response:
    """The posts of a year, a month or a day."""
    try:
        moment = datetime(year, month or 1, day or 1)
    except ValueError:
        return not_found(call)
    iso = moment.date().isoformat()
    if day:
        kind, name, period = "Day", presenter.long_date(iso), iso
    elif month:
        kind, name, period = "Month", presenter.month_name(iso[:7]), iso[:7]
    else:
        kind, name, period = "Year", iso[:4], iso[:4]
    return _archive(call, kind, name, f"/{period.replace('-', '/')}/", page, month=period)


def first_page(call: Call, **values: object) -> Response:
    """Page 1 has no number in its address."""
    return redirect(call.path.removesuffix("page/1/") + (f"?{call.query}" if call.query else ""), 301)


def sign_in(call: Call) -> Response:
    """The door to the administration, which is not part of the site."""
    text = "Signing in is not part of this site: only the public pages of the blog are here."
    return error_page(200, "Log In", text)


def upload(call: Call, file: str) -> Response:
    """An image of the media library."""
    picture = overview(call).pictures.get(presenter.UPLOADS + file)
    if picture is None:
        return not_found(call)
    drawing = images.svg(picture.motif, picture.slug, picture.width, picture.height)
    return Response(200, (("Content-Type", "image/svg+xml"),), drawing.encode())


def stylesheet(call: Call, theme: str) -> Response:
    """The style sheet of a theme."""
    found = next((t for t in THEMES.values() if t.slug == theme), None)
    if found is None:
        return not_found(call)
    return Response(200, (("Content-Type", "text/css; charset=UTF-8"),), found.css)


def rss(call: Call) -> Response:
    """The newest posts as RSS 2.0."""
    site, origin = overview(call), call.site.origin
    items = "".join(
        f"<item><title>{escape(e.title)}</title><link>{origin}{e.url}</link><pubDate>{_rss_date(e.iso)}</pubDate>"
        f"<description>{escape(e.excerpt)}</description></item>"
        for e in site.entries(model.feed(call.db).posts)
    )
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>{escape(site.title)}</title>'
        f"<link>{origin}/</link><description>{escape(site.tagline)}</description>{items}</channel></rss>"
    )
    return Response(200, (("Content-Type", "application/rss+xml; charset=UTF-8"),), text.encode())


def not_found(call: Call) -> Response:
    """The page of an unknown address."""
    return _page(call, "404.html", f"Page not found – {overview(call).title}", 404)


def _search(call: Call, words: str, page: int) -> Response:
    words = words if len(words.encode()) <= MAX_SEARCH_BYTES else ""
    listing = model.search(call.db, words, page)
    title = f"Search Results for “{words}”{_page_part(page)} – {overview(call).title}"
    return _listing(call, listing, "search.html", "/", title, words=words)


def _by_id(call: Call, post_id: int) -> Response:
    row = model.post_by_id(call.db, post_id)
    return redirect(presenter.post_url(row), 301) if row and row["status"] == "publish" else not_found(call)


def _archive(
    call: Call, kind: str, name: str, base: str, page: int, *, description: str = "", **filters: Any
) -> Response:
    listing = model.feed(call.db, page, **filters)
    title = f"{name}{_page_part(page)} – {overview(call).title}"
    return _listing(call, listing, "archive.html", base, title, kind=kind, name=name, description=description)


def _listing(call: Call, listing: Listing, template: str, base: str, title: str, **context: Any) -> Response:
    """Returns a page of a listing; an empty one exists for a search only, and pages beyond the end do not exist."""
    if not listing.posts and ("words" not in context or listing.page > 1):
        return not_found(call)
    entries: list[Entry] = overview(call).entries(listing.posts)
    pages = paginate(base, listing.page, listing.pages, context.get("words"))
    return _page(call, template, title, entries=entries, pagination=pages, page=listing.page, **context)


def _page(call: Call, template: str, title: str, status: int = 200, **context: Any) -> Response:
    theme, site = THEMES[call.site.version], overview(call)
    chrome = site.chromes.get(call.site.version)
    if chrome is None:
        today = presenter.long_date(call.now.isoformat())
        facts = {"site": site, "today": f"{call.now:%A}, {today}"}
        chrome = site.chromes[call.site.version] = theme.chrome(facts)
    values = {"words": "", **context, "site": site, "chrome": chrome, "document_title": title}
    return html_response(theme.render(template, values), status)


def _term(call: Call, taxonomy: str, slug: str) -> Term | None:
    row = model.term_by_slug(call.db, taxonomy, unquote(slug))
    return overview(call).terms[row["id"]] if row is not None else None


def _page_part(page: int) -> str:
    return f" – Page {page}" if page > 1 else ""


def _rss_date(iso: str) -> str:
    return f"{datetime.fromisoformat(iso):%a, %d %b %Y %H:%M:%S} +0000"
