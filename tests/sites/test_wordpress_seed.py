import re
import subprocess
import sys
from collections import Counter
from itertools import combinations

import pytest

from skillshift_gym.sites.slugs import slugify
from skillshift_gym.sites.wordpress import content, seed
from skillshift_gym.sites.wordpress.bodies import fill
from skillshift_gym.sites.wordpress.motifs import MOTIFS

# Words that say a motif without naming it.
SYNONYMS = {
    "bird": ("gull", "heron", "falcon", "puffin", "stork", "geese", "robin", "sparrow", "peacock"),
    "boat": ("cutter",),
    "fish": ("herring", "salmon"),
    "house": ("cottage", "hut"),
}
WORD = re.compile(r"[\w’]+")


@pytest.fixture(scope="module")
def db():
    return seed.image().connection


@pytest.fixture(scope="module")
def articles():
    return content.read().articles


def column(db, query):
    return [row[0] for row in db.execute(query)]


def words(title):
    return set(WORD.findall(title.lower()))


def test_counts(db):
    counts = dict(db.execute("SELECT type, COUNT(*) FROM posts GROUP BY 1").fetchall())
    assert counts == {"page": 5, "post": 338}
    assert column(db, "SELECT COUNT(*) FROM terms GROUP BY taxonomy ORDER BY taxonomy") == [36, 80]
    assert column(db, "SELECT COUNT(*) FROM users") == [7]
    assert 170 <= column(db, "SELECT COUNT(DISTINCT post_id) FROM media")[0] <= 200
    assert column(db, "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM media GROUP BY post_id)") == [2]


def test_the_image_is_small(db):
    assert len(seed.image().data) < 2_000_000


def test_content_files_stay_reviewable():
    assert max(file.stat().st_size for file in content.FOLDER.iterdir()) < 60_000


def test_the_seed_is_the_same_in_another_process():
    code = "from skillshift_gym.sites.wordpress import seed; print(seed.image().digest)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == seed.image().digest


def test_titles_and_slugs_are_unique(db):
    assert set(Counter(column(db, "SELECT lower(title) FROM posts")).values()) == {1}
    assert set(Counter(column(db, "SELECT slug FROM posts")).values()) == {1}
    assert all(slug == slugify(slug) for slug in column(db, "SELECT slug FROM posts"))


def test_a_tenth_of_the_titles_has_typographic_characters(articles):
    special = [a.title for a in articles if not a.title.isascii()]
    assert 0.08 < len(special) / len(articles) < 0.14
    assert set("".join(special)) - set(map(chr, range(128))) <= set("’–éÉ“”")


def test_many_titles_are_nearly_the_same(articles):
    titles = [a.title for a in articles]
    close = [(a, b) for a, b in combinations(titles, 2) if len(words(a) & words(b)) / len(words(a) | words(b)) >= 0.5]
    assert len({min(pair) for pair in close}) >= 12
    assert sum(a in b or b in a for a, b in combinations(titles, 2)) >= 5
    assert sum(words(a) == words(b) for a, b in combinations(titles, 2)) >= 1


def test_some_titles_are_category_names(db, articles):
    names = set(column(db, "SELECT name FROM terms WHERE taxonomy = 'category'"))
    assert {a.title for a in articles} & names == {"Birds", "Camping", "Markets", "Mountains"}


def test_some_categories_and_tags_share_a_name(db):
    shared = "SELECT name FROM terms GROUP BY name HAVING COUNT(*) = 2 ORDER BY name"
    assert column(db, shared) == ["Birds", "Gardens", "Lighthouse", "Markets", "Walks"]


def test_people_appear_in_several_posts(articles):
    text = [f"{a.title} {a.lead}" for a in articles]
    for name in ("Edwin Pask", "Yusuf Tarn", "Clementine Rudd", "Noor Haddon", "Peter Vance"):
        assert sum(name in t for t in text) >= 3


def test_every_lead_is_short_and_different(articles):
    assert all(25 <= len(a.lead.split()) <= 60 for a in articles)
    assert len({a.lead for a in articles}) == len(articles)


def test_no_two_bodies_are_equal_without_their_leads(db):
    bodies = column(db, "SELECT content FROM posts WHERE type = 'post'")
    assert len({body.partition("</p>")[2] for body in bodies}) == len(bodies)
    assert all(3 <= body.count("<p>") <= 7 for body in bodies)
    assert not any("{" in body for body in bodies)


def test_slots_are_filled_at_the_start_of_a_sentence_with_a_capital():
    text = fill("{few} of {few}. {few}, says {person}.", "key")
    assert re.fullmatch(r"[A-Z]\w+ of [a-z]\w+\. [A-Z]\w+, says [A-Z].*", text)


def test_dates_are_irregular_and_before_the_epoch(db):
    months = Counter(date[:7] for date in column(db, "SELECT date FROM posts WHERE type = 'post'"))
    assert 60 <= len(months) <= 95
    assert max(months.values()) >= 8
    assert (min(months), max(months)) == ("2017-01", "2025-11")
    assert sum(n for month, n in months.items() if month >= "2021") > 0.7 * sum(months.values())
    assert len({date[11:13] for date in column(db, "SELECT date FROM posts")}) >= 12


def test_ids_ascend_with_dates_and_have_gaps(db):
    ids = column(db, "SELECT id FROM posts ORDER BY date, id")
    assert ids == sorted(ids)
    assert ids[-1] - ids[0] > len(ids)
    comments = column(db, "SELECT id FROM comments ORDER BY date, id")
    assert comments == sorted(comments)
    both = ids + column(db, "SELECT id FROM media")
    assert len(set(both)) == len(both)


def test_every_category_is_used(db):
    used = dict(db.execute("SELECT term_id, COUNT(*) FROM post_terms GROUP BY 1").fetchall())
    for row in db.execute("SELECT * FROM terms"):
        assert used.get(row["id"], 0) >= (2 if row["taxonomy"] == "post_tag" else 3), row["name"]
    tops = column(db, "SELECT id FROM terms WHERE taxonomy = 'category' AND parent = 0")
    assert len(tops) == 9
    parents = Counter(column(db, "SELECT parent FROM terms WHERE taxonomy = 'category' AND parent != 0"))
    assert parents == {top: 3 for top in tops}


def test_every_post_has_categories_and_tags(db):
    query = (
        "SELECT SUM(taxonomy = 'category') AS categories, SUM(taxonomy = 'post_tag') AS tags "
        "FROM posts JOIN post_terms ON post_id = posts.id JOIN terms ON terms.id = term_id GROUP BY posts.id"
    )
    rows = db.execute(query).fetchall()
    assert len(rows) == 338
    assert all(1 <= r["categories"] <= 2 and 1 <= r["tags"] <= 4 for r in rows)


def test_alt_texts_say_what_the_picture_shows(db):
    for row in db.execute("SELECT * FROM media"):
        named = (row["motif"], *SYNONYMS.get(row["motif"], ()))
        assert any(word in row["alt_text"].lower() for word in named), row["alt_text"]
        said = {word.removesuffix("s") for word in words(row["alt_text"])}
        assert not said & (set(MOTIFS) - {row["motif"]}), row["alt_text"]
    assert set(column(db, "SELECT DISTINCT motif FROM media")) == set(MOTIFS)


def test_images_stand_in_their_posts(db):
    query = "SELECT media.*, content, posts.date AS post_date FROM media JOIN posts ON posts.id = post_id"
    rows = db.execute(query).fetchall()
    assert len(rows) == db.execute("SELECT COUNT(*) FROM media").fetchone()[0]
    for row in rows:
        assert f'src="/wp-content/uploads/{row["file"]}"' in row["content"]
        assert row["file"] == f"{row['post_date'][:4]}/{row['post_date'][5:7]}/{row['slug']}.svg"
    assert len({row["slug"] for row in rows}) == len(rows)


def test_featured_images_belong_to_their_posts(db):
    rows = db.execute("SELECT posts.id, post_id FROM posts JOIN media ON media.id = featured_media").fetchall()
    assert len(rows) > 140
    assert all(post_id == media_post for post_id, media_post in rows)


def test_texts_mention_things_that_no_picture_shows(db):
    query = "SELECT content FROM posts WHERE type = 'post' AND id NOT IN (SELECT post_id FROM media)"
    assert sum(bool(words(body) & set(MOTIFS)) for body in column(db, query)) >= 30


def test_comments_form_threads(db):
    rows = {row["id"]: row for row in db.execute("SELECT * FROM comments")}
    posts = {row["id"]: row for row in db.execute("SELECT * FROM posts")}
    depths = Counter()
    for row in rows.values():
        depth, above = 1, row
        while above["parent"]:
            assert rows[above["parent"]]["date"] < above["date"]
            assert rows[above["parent"]]["post_id"] == row["post_id"]
            depth, above = depth + 1, rows[above["parent"]]
        depths[depth] += 1
        assert posts[row["post_id"]]["date"] < row["date"] < "2025-12-01T09:00:00"
    assert set(depths) == {1, 2, 3}
    assert 400 <= len(rows) <= 480
    assert 120 <= len({row["post_id"] for row in rows.values()}) <= 170
    assert Counter(row["status"] for row in rows.values())["hold"] == 5


def test_no_comment_is_said_twice(db):
    texts = column(db, "SELECT content FROM comments")
    assert len(set(texts)) == len(texts)


def test_commenters_write_from_example_domains(db):
    emails = set(column(db, "SELECT author_email FROM comments"))
    assert len(emails) >= 60
    assert all(re.search(r"(@|\.)example(\.(com|net|org))?$", email) for email in emails)


def test_the_newest_posts_have_comments(db):
    query = (
        "SELECT EXISTS (SELECT 1 FROM comments WHERE post_id = posts.id) FROM posts WHERE type = 'post' "
        "ORDER BY date DESC LIMIT 10"
    )
    assert sum(column(db, query)) >= 8


def test_no_post_is_sticky(db):
    assert column(db, "SELECT DISTINCT sticky FROM posts") == [0]


def test_one_page_has_a_parent_and_two_are_its_children(db):
    query = "SELECT page.slug FROM posts AS page JOIN posts AS above ON above.id = page.parent ORDER BY 1"
    assert column(db, query) == ["contributors", "house-rules-for-comments"]


def test_the_application_password_is_stored_as_a_hash(db):
    row = db.execute("SELECT login, hash FROM application_passwords JOIN users ON users.id = user_id").fetchone()
    assert tuple(row) == (seed.LOGIN, seed.password_hash("demoapppassword00010001"))
