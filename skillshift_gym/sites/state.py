"""The state of a site: one SQLite database in memory, a revision and a logical clock.

Nothing is copied until the first write: all unwritten sites of a process read one shared, read-only image. A writing
request advances the revision (a hash chain over the requests that wrote) and the clock (one second).
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from .protocol import Change

Business = Mapping[str, tuple[str, ...]]


class Image:
    """An immutable database.

    Args:
        data: The serialised SQLite database.
        business: Table -> the columns that tasks may judge; everything else is bookkeeping.
        digest: Hash of the content, the same with every version of SQLite; empty when nobody asks for it.
    """

    def __init__(self, data: bytes, business: Business, digest: str = "") -> None:
        self.data = data
        self.business = business
        self.digest = digest

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "connection"}  # each process opens its own

    @cached_property
    def connection(self) -> sqlite3.Connection:
        """The shared, read-only connection."""
        return _open(self.data)

    @classmethod
    def of(cls, connection: sqlite3.Connection, business: Business) -> Image:
        """Returns the image of a database just built."""
        connection.commit()
        connection.execute("VACUUM")
        rows = hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()[:16]
        return cls(bytes(connection.serialize()), business, rows)


class SavedState(NamedTuple):
    """An immutable copy of a `SiteState`."""

    baseline: Image
    revision: str
    writes: int
    data: bytes | None
    touched: tuple[tuple[str, int], ...]


class SiteState:
    """The mutable state of one site.

    Args:
        image: The seeded database.
        epoch: Logical time of the seed.
    """

    def __init__(self, image: Image, epoch: datetime) -> None:
        self._image = image
        self._epoch = epoch
        self.reset()

    def reset(self) -> None:
        """Returns to the seed; costs no copy."""
        self._baseline = self._image
        self._private: sqlite3.Connection | None = None
        self.revision = self._image.digest
        self.writes = 0

    @property
    def now(self) -> datetime:
        """Logical time: one second per writing request since the seed."""
        return self._epoch + timedelta(seconds=self.writes)

    @property
    def db(self) -> sqlite3.Connection:
        """A connection for reading."""
        return self._private or self._image.connection

    @contextmanager
    def writing(self, token: bytes) -> Iterator[sqlite3.Connection]:
        """Opens a transaction; the revision advances by the token if a row changed, and an error undoes everything."""
        if self._private is None:
            self._private = self._copy(self._image.data, ())
        db = self._private
        before = db.total_changes
        db.execute("PRAGMA query_only = 0")
        db.execute("BEGIN")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        else:
            db.execute("COMMIT")
            if db.total_changes != before:
                self.revision = hashlib.sha256(self.revision.encode() + b"\n" + token).hexdigest()[:16]
                self.writes += 1
        finally:
            db.execute("PRAGMA query_only = 1")

    def mark(self) -> None:
        """Makes the present state the one that `changes` compares with."""
        if self._private is not None:
            self._baseline = Image(bytes(self._private.serialize()), self._image.business)
            self._private = self._copy(self._baseline.data, ())

    def changes(self) -> tuple[Change, ...]:
        """Returns the business rows that differ from the marked state, in table and key order."""
        found = []
        for table, key in self._touched():
            change = self._compare(table, key)
            if change is not None:
                found.append(change)
        return tuple(found)

    def save(self) -> SavedState:
        """Returns an immutable copy."""
        data = None if self._private is None else bytes(self._private.serialize())
        return SavedState(self._baseline, self.revision, self.writes, data, self._touched())

    def restore(self, saved: SavedState) -> None:
        """Returns to a saved state."""
        self._baseline, self.revision, self.writes = saved.baseline, saved.revision, saved.writes
        self._private = None if saved.data is None else self._copy(saved.data, saved.touched)

    def _touched(self) -> tuple[tuple[str, int], ...]:
        if self._private is None:
            return ()
        return tuple(self._private.execute('SELECT "table", "key" FROM temp.touched ORDER BY 1, 2'))

    def _compare(self, table: str, key: int) -> Change | None:
        columns = self._image.business[table]
        before = _row(self._baseline.connection, table, columns, key)
        after = _row(self.db, table, columns, key)
        if before == after:
            return None
        if not before:
            return Change(table, "insert", key, {}, after)
        if not after:
            return Change(table, "delete", key, before, {})
        differ = [c for c in columns if before[c] != after[c]]
        return Change(table, "update", key, {c: before[c] for c in differ}, {c: after[c] for c in differ})

    def _copy(self, data: bytes, touched: tuple[tuple[str, int], ...]) -> sqlite3.Connection:
        """Returns a private connection whose temporary triggers note the touched business rows."""
        db = _open(data)
        db.execute("PRAGMA query_only = 0")
        db.execute('CREATE TEMP TABLE touched ("table" TEXT, "key" INTEGER, PRIMARY KEY ("table", "key"))')
        for table in self._image.business:
            for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")):
                db.execute(
                    f"CREATE TEMP TRIGGER touch_{table}_{event}_{row} AFTER {event} ON main.{table} BEGIN "
                    f"INSERT OR IGNORE INTO touched VALUES ('{table}', {row}.rowid); END"
                )
        db.executemany("INSERT INTO temp.touched VALUES (?, ?)", touched)
        db.execute("PRAGMA query_only = 1")
        return db


def _open(data: bytes) -> sqlite3.Connection:
    """Returns a read-only connection, in autocommit mode, to a copy of a serialised database."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.deserialize(data)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA query_only = 1")
    return db


def _row(db: sqlite3.Connection, table: str, columns: tuple[str, ...], key: int) -> dict[str, Any]:
    row = db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE rowid = ?", (key,)).fetchone()
    return dict(zip(columns, row, strict=True)) if row is not None else {}
