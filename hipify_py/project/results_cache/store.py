"""The results of earlier runs on disk: values by key in one SQLite database of bounded size, shared by all processes.

A value that is damaged, or that belongs to another user, counts as missing. That costs the time to compute it again,
but never gives a wrong result.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from hashlib import blake2b

from hipify_py.core.cache_files import cache_dir, is_own

LARGEST = 256 << 20
"""Limit on the size of the database in bytes; the most recently used values stay."""

PAUSE = 0.5
"""Seconds of work that a killed run may lose."""

_FORMAT = 1
_CHECKSUM_SIZE = 8
_PATIENCE = 10.0
"""Seconds to wait while another process writes."""

_RECENTLY = 3600
"""Seconds; a value that was used more recently is not marked as used again."""

_SCHEMA = "CREATE TABLE entries (key BLOB PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL)"


def database_path() -> str:
    """The path of the database within the cache folder."""
    return os.path.join(cache_dir(), "results.sqlite3")


class Store:
    """A connection to the database.

    It holds no transaction open between calls, so that the process may fork.
    """

    def __init__(self) -> None:
        """Open the database if it exists; the first value written creates it."""
        self._database = _open()
        self._pending: dict[bytes, bytes] = {}
        self._used: list[bytes] = []
        self._flushed = time.monotonic()

    @property
    def is_empty(self) -> bool:
        """Whether no earlier run has left anything."""
        return self._row("SELECT 1 FROM entries LIMIT 1") is None

    def read(self, key: bytes) -> bytes | None:
        """The value of a key; None if there is none, or none that can be trusted."""
        if key in self._pending:
            return self._pending[key]
        row = self._row("SELECT value, used FROM entries WHERE key = ?", key)
        if row is None or not isinstance(row[0], bytes):
            return None
        checksum, value = row[0][:_CHECKSUM_SIZE], row[0][_CHECKSUM_SIZE:]
        if checksum != _checksum(key, value):
            return None
        if row[1] < time.time() - _RECENTLY:
            self._used.append(key)
        return value

    def write(self, key: bytes, value: bytes) -> None:
        """Set the value of a key; it is on the disk within half a second of further writing."""
        self._pending[key] = value
        if time.monotonic() - self._flushed > PAUSE:
            self.flush()

    def flush(self) -> None:
        """Put what was written on the disk; a disk that is full or cannot be written loses it."""
        now = int(time.time())
        rows = [(key, _checksum(key, value) + value, now) for key, value in self._pending.items()]
        used = [(now, key) for key in self._used]
        if rows and self._database is None:
            self._database = _create()
        if (rows or used) and self._database is not None:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)
                self._database.executemany("UPDATE entries SET used = ? WHERE key = ?", used)
                self._database.execute("COMMIT")
            except sqlite3.Error as error:
                self._give_up(error)
        self._pending, self._used = {}, []
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Put what was written on the disk, and remove the least recently used values beyond the limit."""
        self.flush()
        if self._database is None:
            return
        try:
            _make_room(self._database)
        except sqlite3.Error as error:
            self._give_up(error)
        if self._database is not None:
            self._database.close()
            self._database = None

    def _row(self, query: str, *values: bytes) -> tuple[object, int] | None:
        if self._database is None:
            return None
        try:
            row: tuple[object, int] | None = self._database.execute(query, values).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return row

    def _give_up(self, error: sqlite3.Error) -> None:
        """Close the database; if it is damaged, the next value written creates another one."""
        assert self._database is not None
        self._database.close()
        self._database = None
        if _is_damage(error):
            _remove()


def size() -> tuple[int, int]:
    """The number of values and the size of the database in bytes."""
    database = _open()
    if database is None:
        return 0, 0
    try:
        with contextlib.closing(database):
            (count,) = database.execute("SELECT count(*) FROM entries").fetchone()
            return count, os.path.getsize(database_path())
    except (sqlite3.Error, OSError):
        return 0, 0


def clear() -> int:
    """Remove the results of earlier runs; return the number of values.

    Raises:
        OSError: if the database cannot be removed.
    """
    count, _ = size()
    for path in _paths():
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    return count


def _checksum(key: bytes, value: bytes) -> bytes:
    """Guards against damage, not malice: whoever can write the user's files needs no cache to do harm."""
    return blake2b(value, digest_size=_CHECKSUM_SIZE, key=key[:64]).digest()


def _open() -> sqlite3.Connection | None:
    """A connection to the database, if it exists and can be trusted."""
    if not is_own(database_path()):
        return None
    database = None
    try:
        database = _connect()
        if database.execute("PRAGMA user_version").fetchone() == (_FORMAT,):
            return database
        is_useless = True
    except sqlite3.Error as error:
        is_useless = _is_damage(error)
    if database is not None:
        database.close()
    if is_useless:
        _remove()
    return None


def _create() -> sqlite3.Connection | None:
    """A connection to a new database, or to one that another process has just created."""
    database = _open()
    if database is not None:
        return database
    path = database_path()
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if os.path.lexists(path) and not is_own(path):
            os.unlink(path)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        database = _connect()
        database.execute("BEGIN IMMEDIATE")
        if database.execute("PRAGMA user_version").fetchone() != (_FORMAT,):
            database.execute(_SCHEMA)
            database.execute(f"PRAGMA user_version = {_FORMAT}")
        database.execute("COMMIT")
    except (OSError, sqlite3.Error):
        return None  # the next run does the work again
    return database


def _connect() -> sqlite3.Connection:
    database = sqlite3.connect(database_path(), timeout=_PATIENCE, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")  # a crash of the machine may cost the cache
    return database


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is not a database, or a damaged one; being locked or full is an OperationalError."""
    return type(error) is sqlite3.DatabaseError


def _make_room(database: sqlite3.Connection) -> None:
    pages, free, page_size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    if (pages - free) * page_size <= LARGEST:
        return
    left = LARGEST * 3 // 4
    excess = []
    for row, length in database.execute("SELECT rowid, length(value) FROM entries ORDER BY used DESC, rowid DESC"):
        left -= length
        if left < 0:
            excess.append((row,))
    database.execute("BEGIN IMMEDIATE")
    database.executemany("DELETE FROM entries WHERE rowid = ?", excess)
    database.execute("COMMIT")


def _remove() -> None:
    for path in _paths():
        with contextlib.suppress(OSError):
            os.unlink(path)


def _paths() -> tuple[str, str]:
    path = database_path()
    return path, f"{path}-journal"
