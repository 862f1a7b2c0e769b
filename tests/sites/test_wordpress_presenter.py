import pytest

from skillshift_gym.sites.wordpress import images
from skillshift_gym.sites.wordpress.motifs import MOTIFS
from skillshift_gym.sites.wordpress.pagination import page_url, paginate
from skillshift_gym.sites.wordpress.presenter import comment_time, excerpt, long_date, paragraphs


@pytest.mark.parametrize("motif", MOTIFS)
def test_drawings_depend_on_their_key_alone(motif):
    assert images.svg(motif, "a", 300, 200) == images.svg(motif, "a", 300, 200)
    assert len({images.svg(motif, key, 300, 200) for key in "abcd"}) > 1


@pytest.mark.parametrize(
    ("page", "pages", "shown"),
    [
        (1, 2, "[1] 2"),
        (1, 12, "[1] 2 3 … 12"),
        (5, 12, "1 … 3 4 [5] 6 7 … 12"),
        (12, 12, "1 … 10 11 [12]"),
        (4, 7, "1 2 3 [4] 5 6 7"),
    ],
)
def test_page_numbers(page, pages, shown):
    links = paginate("/tag/x/", page, pages).links
    assert " ".join(str(k.number) if k.url else f"[{k.number}]" if k.number else "…" for k in links) == shown


def test_addresses_of_pages():
    assert page_url("/", 1) == "/"
    assert page_url("/tag/x/", 3) == "/tag/x/page/3/"
    assert page_url("/", 2, "rye & salt") == "/page/2/?s=rye+%26+salt"
    assert paginate("/", 1, 1) is None


def test_wording_of_dates():
    assert long_date("2024-03-05T09:30:00") == "March 5, 2024"
    assert comment_time("2024-03-05T00:05:00") == "March 5, 2024 at 12:05 am"
    assert comment_time("2024-03-05T13:30:00") == "March 5, 2024 at 1:30 pm"


def test_excerpts_come_from_the_content_when_none_is_written():
    assert excerpt({"excerpt": "", "content": "<p>Rye &amp; salt</p>"}) == "Rye & salt"
    assert excerpt({"excerpt": "", "content": "word " * 56}).endswith("word […]")
    assert excerpt({"excerpt": "As <em>said</em>", "content": "no"}) == "As said"


def test_plain_text_becomes_paragraphs():
    assert paragraphs("a <b>\nc\n\n\nd ") == "<p>a &lt;b&gt;<br>c</p><p>d</p>"
