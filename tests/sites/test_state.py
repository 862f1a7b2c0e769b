import sqlite3
from datetime import datetime, timedelta

import pytest

from skillshift_gym.sites.protocol import Change
from skillshift_gym.sites.state import Image, SiteState

EPOCH = datetime(2025, 1, 1, 12, 0, 0)
BUSINESS = {"notes": ("text", "owner"), "tags": ("name",)}


@pytest.fixture
def image():
    db = sqlite3.connect(":memory:")
    db.executescript(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, owner TEXT, seen INTEGER DEFAULT 0);"
        "CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE log (id INTEGER PRIMARY KEY, line TEXT);"
        "INSERT INTO notes (text, owner) VALUES ('one', 'ann'), ('two', 'ben'), ('three', 'ann');"
        "INSERT INTO tags (name) VALUES ('red');"
    )
    return Image.of(db, BUSINESS)


@pytest.fixture
def state(image):
    return SiteState(image, EPOCH)


def write(state, *statements, token=b"t"):
    with state.writing(token) as db:
        for statement in statements:
            db.execute(statement)


def texts(state):
    return [row["text"] for row in state.db.execute("SELECT text FROM notes ORDER BY id")]


def test_a_fresh_state_reads_the_image_and_has_no_changes(state, image):
    assert texts(state) == ["one", "two", "three"]
    assert state.changes() == ()
    assert (state.revision, state.now) == (image.digest, EPOCH)


def test_reading_connections_refuse_writes(state):
    with pytest.raises(sqlite3.OperationalError):
        state.db.execute("DELETE FROM notes")
    write(state, "DELETE FROM tags")
    with pytest.raises(sqlite3.OperationalError):
        state.db.execute("DELETE FROM notes")


def test_changes_name_what_differs_in_table_and_key_order(state):
    write(
        state,
        "UPDATE tags SET name = 'blue' WHERE id = 1",
        "DELETE FROM notes WHERE id = 2",
        "INSERT INTO notes (id, text, owner) VALUES (9, 'nine', 'cy')",
        "UPDATE notes SET owner = 'dee' WHERE id = 1",
    )
    assert state.changes() == (
        Change("notes", "update", 1, {"owner": "ann"}, {"owner": "dee"}),
        Change("notes", "delete", 2, {"text": "two", "owner": "ben"}, {}),
        Change("notes", "insert", 9, {}, {"text": "nine", "owner": "cy"}),
        Change("tags", "update", 1, {"name": "red"}, {"name": "blue"}),
    )


def test_bookkeeping_is_no_change_but_advances_the_revision(state, image):
    write(state, "UPDATE notes SET seen = 1", "INSERT INTO log (line) VALUES ('x')")
    assert state.changes() == ()
    assert state.revision != image.digest


def test_a_row_changed_back_is_no_change(state):
    write(state, "UPDATE notes SET text = 'x' WHERE id = 1", "INSERT INTO tags (id, name) VALUES (5, 'n')")
    write(state, "UPDATE notes SET text = 'one' WHERE id = 1", "DELETE FROM tags WHERE id = 5")
    assert state.changes() == ()


def test_a_row_that_changes_its_key_is_a_delete_and_an_insert(state):
    write(state, "UPDATE tags SET id = 7 WHERE id = 1")
    assert [(c.operation, c.key) for c in state.changes()] == [("delete", 1), ("insert", 7)]


def test_an_error_undoes_everything(state, image):
    with pytest.raises(ZeroDivisionError), state.writing(b"t") as db:
        db.execute("DELETE FROM notes")
        raise ZeroDivisionError
    assert texts(state) == ["one", "two", "three"]
    assert (state.changes(), state.revision, state.now) == ((), image.digest, EPOCH)


def test_a_write_that_changes_no_row_advances_nothing(state, image):
    write(state, "UPDATE notes SET text = 'x' WHERE id = 99")
    assert (state.revision, state.now) == (image.digest, EPOCH)


def test_the_clock_advances_a_second_for_each_write(state):
    for _ in range(3):
        write(state, "UPDATE notes SET seen = seen + 1")
    assert state.now == EPOCH + timedelta(seconds=3)


def test_the_revision_depends_on_the_chain_of_tokens(image):
    def revision(*tokens):
        state = SiteState(image, EPOCH)
        for token in tokens:
            write(state, "UPDATE notes SET seen = seen + 1", token=token)
        return state.revision

    assert revision(b"a", b"b") == revision(b"a", b"b")
    assert len({revision(), revision(b"a"), revision(b"a", b"b"), revision(b"b", b"a"), revision(b"ab")}) == 5


def test_reset_returns_to_the_seed(state, image):
    write(state, "DELETE FROM notes")
    state.reset()
    assert (texts(state), state.changes()) == (["one", "two", "three"], ())
    assert (state.revision, state.now) == (image.digest, EPOCH)


def test_states_of_one_image_do_not_share_writes(image):
    first, second = SiteState(image, EPOCH), SiteState(image, EPOCH)
    write(first, "DELETE FROM notes WHERE id = 1")
    write(second, "DELETE FROM notes WHERE id = 2")
    assert (texts(first), texts(second)) == (["two", "three"], ["one", "three"])


def test_save_and_restore_keep_rows_changes_revision_and_clock(state):
    write(state, "UPDATE notes SET text = 'uno' WHERE id = 1")
    saved, seen = state.save(), (texts(state), state.changes(), state.revision, state.now)
    write(state, "DELETE FROM notes", token=b"later")
    for _ in range(2):
        state.restore(saved)
        assert (texts(state), state.changes(), state.revision, state.now) == seen
    write(state, "DELETE FROM tags", token=b"next")
    assert [c.table for c in state.changes()] == ["notes", "tags"]


def test_an_unwritten_state_saves_without_a_copy(state):
    saved = state.save()
    assert saved.data is None
    write(state, "DELETE FROM notes")
    state.restore(saved)
    assert texts(state) == ["one", "two", "three"]


def test_the_same_writes_after_restore_give_the_same_revision(state):
    write(state, "DELETE FROM tags", token=b"a")
    saved = state.save()
    write(state, "DELETE FROM notes", token=b"b")
    revision = state.revision
    state.restore(saved)
    write(state, "DELETE FROM notes", token=b"b")
    assert state.revision == revision


def test_mark_makes_the_present_state_the_baseline(state):
    write(state, "INSERT INTO tags (id, name) VALUES (2, 'set up')")
    revision = state.revision
    state.mark()
    assert (state.changes(), state.revision) == ((), revision)
    write(state, "UPDATE tags SET name = 'changed' WHERE id = 2")
    assert state.changes() == (Change("tags", "update", 2, {"name": "set up"}, {"name": "changed"}),)
    saved = state.save()
    state.reset()
    state.restore(saved)
    assert [c.key for c in state.changes()] == [2]


def test_mark_of_an_unwritten_state_changes_nothing(state, image):
    state.mark()
    write(state, "DELETE FROM tags")
    assert [c.operation for c in state.changes()] == ["delete"]


def test_equal_databases_have_equal_digests(image):
    copy = sqlite3.connect(":memory:")
    copy.deserialize(image.data)
    assert Image.of(copy, BUSINESS).digest == image.digest
    copy.execute("UPDATE tags SET name = 'other' WHERE id = 1")
    assert Image.of(copy, BUSINESS).digest != image.digest
