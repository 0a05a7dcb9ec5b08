"""Precompiled headers: headers that many sources begin with are parsed once, and kept in the user's cache folder.

They are addressed by their inputs: the library, the arguments, the lines, and the files read and folders searched, with
sizes and times, which are listed in a file next to them. A header continues another if its lines follow the other's:
only the new part is parsed and stored, and common beginnings, such as HIP's runtime header, are stored once. If
libclang still rejects one (`has_failed`), the caller asks again without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any, NamedTuple

from hipify_py.clang.dialects import CUDA_FIRST, HIP_FIRST
from hipify_py.clang.protocol import CRASHED, DONE, Answer, Job
from hipify_py.clang.search_paths import searched
from hipify_py.clang.worker_pool import Asker
from hipify_py.core.cache_files import UNFINISHED, cache_dir, is_left_over, is_own, read_file, write_file

FOLDER = "headers"
"""The folder within the cache folder."""

LARGEST = 1 << 30
"""Limit on the bytes of all of them together; the most recently used ones stay."""

_MOST_WANTED = 4096
"""Lists without a header, which was requested only once or cannot be created; the most recently written ones stay."""

_FORMAT = b"7"
_ENDING, _LIST, _WORDS = ".pch", ".bin", ".txt"
_OURS = re.compile(r"[0-9a-f]{24}(?:-[0-9a-f]{24})?\.(?:pch|bin|txt)(?:\.\w+\.new(?:[.-][\w.-]+)?)?")
"""The names of the files, and of unfinished ones, to which libclang adds a suffix while it writes."""

_FOR_SERIALIZATION = 0x02 | 0x10
_OPTIONS = ("-Xclang", "-fallow-pch-with-compiler-errors", "-Xclang", "-fpch-instantiate-templates")
"""Headers of a newer ROCm use builtins that an older clang lacks; that is no reason to parse them for each source.
Also, templates that the headers themselves use are instantiated once, not at the end of each source."""

_FIRST = frozenset({*CUDA_FIRST, *HIP_FIRST})
_KEY = 24
"""Characters of a name that identify the request; the rest of the name identifies the inputs."""

_STALE = ("precompiled header", "PCH", "AST file", ".pch")


def folder() -> str:
    """The folder of the precompiled headers."""
    return os.path.join(cache_dir(), FOLDER)


def including(path: str) -> tuple[str, ...]:
    """The arguments to start from a precompiled header."""
    return (*_OPTIONS, "-include-pch", path)


def _is_stale(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a message of a translation unit is about its precompiled header."""
    return any(
        message["severity"] == "error"
        and (not message["path"] or message["path"].endswith(_ENDING))
        and any(sign in message["text"] for sign in _STALE)
        for message in messages
    )


def has_failed(job: Job, answer: Answer) -> bool:
    """Whether a job's precompiled header is stale, or was removed meanwhile: then ask without it."""
    if not any("-include-pch" in arguments for arguments in job.passes):
        return False
    return answer.status == CRASHED or any(_is_stale(value["messages"]) for value in answer.values)


class Precompiled(NamedTuple):
    """A precompiled header.

    Attributes:
        path: its file.
        lines: the number of its lines.
        files: its input files, including those of the headers that it continues.
        missing: headers that were missing when it was created.
        words: for headers without errors, the files with the words that its lines add, each with the number of lines it
            covers.
    """

    path: str
    lines: int
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    words: tuple[tuple[str, int], ...] = ()


NOTHING = Precompiled("", 0)


class Wrong(NamedTuple):
    """Why lines cannot be precompiled: the first one with an error, and whether a header is missing."""

    line: int
    is_missing: bool


class PrecompiledHeaders:
    """Finds and creates precompiled headers.

    Args:
        asker: does the parsing.
        library: libclang's file.
        parse: options of libclang's parser, also required for sources that start from these headers (`Job.parse`).
    """

    def __init__(self, asker: Asker, library: str, parse: int = 0) -> None:
        self._asker = asker
        self._library = library
        self._parse = parse
        self._stamps: dict[str, bytes] = {}
        self._has_made_room = False

    def find(self, arguments: Sequence[str], lines: Sequence[bytes], after: Precompiled | None = None) -> Precompiled:
        """The one that covers the most lines from the first on; `NOTHING` if there is none.

        Args:
            arguments: libclang's, with what precedes the first line of every source.
            lines: includes, or conditions with some (`hipify_py.clang.include_prefix`).
            after: the header that the lines continue. Then only headers without errors count, and their words are
                known; the lines of the result are counted from there.
        """
        chain = [NOTHING if after is None else started(after)]
        ends: Iterable[int] = (0,) if after is None else range(len(lines), 0, -1)
        has_words = after is not None
        while further := next(
            filter(None, (self._found(arguments, lines[:end], chain[-1], has_words) for end in ends)), None
        ):
            chain.append(further)
            ends = range(len(lines), further.lines, -1)
        for used in reversed(chain[1:]):  # those that others continue were used last
            with contextlib.suppress(OSError):
                os.utime(_list_of(used.path))
        return chain[-1]

    def make(
        self,
        arguments: Sequence[str],
        lines: Sequence[bytes],
        before: Precompiled = NOTHING,
        *,
        has_words: bool = False,
    ) -> Precompiled:
        """Create one with all lines, continuing `before`, which has the first of them; `before` itself if that fails.

        Args:
            has_words: whether to accept only headers without errors, and also store the words that they add.
        """
        name = os.path.join(folder(), "begin.h")
        key = self._key(arguments, lines, before, has_words)
        if self._refused(key) is not None:
            return before
        temporary = os.path.join(folder(), f"{key}{_ENDING}.{os.getpid()}{UNFINISHED}")
        # A source that uses it includes the lines again: including them twice here shows that this compiles.
        text = 2 * b"".join(lines[before.lines :])
        passed = (*without_first(arguments), *including(before.path)) if before.path else (*arguments, *_OPTIONS)
        details: dict[str, Any] = {"target": temporary}
        if has_words:
            details["had"] = [*before.files]
            details["ends"] = [*accumulate(line.count(b"\n") for line in lines[before.lines :])]
        parse = _FOR_SERIALIZATION | self._parse
        job = Job("precompile", name, [passed], {name: text}, self._library, details, parse)
        try:
            os.makedirs(folder(), mode=0o700, exist_ok=True)
            answer = self._asker.ask(job)
            if answer.status != DONE or answer.values[0] is None:
                return before
            files, missing = answer.values[0]["files"], answer.values[0]["missing"]
            folders = searched(arguments, files, missing)
            path = self._path(key, (*files, *folders))
            if answer.values[0]["repeats"]:
                os.chmod(temporary, 0o600)
                _put(temporary, path)
            size = os.path.getsize(path) if answer.values[0]["repeats"] else 0
            body = {
                "files": files,
                "folders": folders,
                "missing": missing,
                "path": os.path.basename(path),
                "size": size,
                "wrong": answer.values[0].get("wrong"),
            }
            if has_words and size:
                words = "\n".join(answer.values[0]["words"])
                write_file(_words_of(path), words.encode("utf-8", "surrogateescape"))
            write_file(_list_of(path), json.dumps(body).encode("ascii"))
        except OSError:  # a read-only home: each source is parsed from its first line
            return before
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        _make_room(key, path)
        if not size:
            return before
        return self._continued(before, path, len(lines), files, missing, has_words)

    def wrong(self, arguments: Sequence[str], lines: Sequence[bytes], before: Precompiled) -> Wrong | None:
        """Why an earlier attempt to create one without errors failed; None if there was none."""
        kept = self._refused(self._key(arguments, lines, before, True))
        if kept is None or kept["wrong"] is None:
            return None
        return Wrong(before.lines + kept["wrong"], bool(kept["missing"]))

    def was_wanted(self, arguments: Sequence[str], lines: Sequence[bytes], after: Precompiled | None = None) -> bool:
        """Whether any earlier run requested the same lines; records the request."""
        begin = NOTHING if after is None else started(after)
        key = self._key(arguments, lines, begin, after is not None)
        if _read_list(key) is not None:
            return True
        body = {"files": [], "folders": [], "missing": [], "path": "", "size": 0, "wrong": None}
        target = os.path.join(folder(), key + _LIST)
        temporary = f"{target}.{os.getpid()}{UNFINISHED}"
        with contextlib.suppress(OSError):  # a read-only home
            write_file(temporary, json.dumps(body).encode("ascii"))
            _put(temporary, target)
            if _read_list(key) is None:  # the old list is damaged; a list that another run has written meanwhile stays
                os.replace(temporary, target)
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if not self._has_made_room:
            self._has_made_room = True
            _make_room()
        return False

    def discard(self, path: str) -> None:
        """Remove a stale one."""
        with contextlib.suppress(OSError):
            os.unlink(path)

    def _found(
        self, arguments: Sequence[str], lines: Sequence[bytes], before: Precompiled, has_words: bool
    ) -> Precompiled | None:
        """The one that continues another one up to the last of the lines."""
        key = self._key(arguments, lines, before, has_words)
        kept = _read_list(key)
        if kept is None or not kept["size"]:
            return None
        path = self._path_now(key, kept)
        if not is_own(path) or (has_words and not is_own(_words_of(path))):
            return None
        if os.path.getsize(path) != kept["size"]:
            self.discard(path)
            return None
        return self._continued(before, path, len(lines), kept["files"], kept["missing"], has_words)

    @staticmethod
    def _continued(
        before: Precompiled, path: str, lines: int, files: Sequence[str], missing: Sequence[str], has_words: bool
    ) -> Precompiled:
        words = ((_words_of(path), lines - before.lines),) if has_words else ()
        return Precompiled(path, lines, (*before.files, *files), (*before.missing, *missing), (*before.words, *words))

    def _refused(self, key: str) -> dict[str, Any] | None:
        """The record of an earlier failed attempt, which would fail again; None if there was none."""
        kept = _read_list(key)
        if kept is None or kept["size"] or kept["path"] != os.path.basename(self._path_now(key, kept)):
            return None
        return kept

    def _key(
        self, arguments: Sequence[str], lines: Sequence[bytes], before: Precompiled, has_words: bool = False
    ) -> str:
        about = (_FORMAT, b"%d %d" % (self._parse, has_words), _stamp(self._library), _stamp(before.path))
        return digest_of((*about, *map(os.fsencode, arguments), *lines[before.lines :]))

    def _path_now(self, key: str, kept: Mapping[str, Any]) -> str:
        """The path of one created from the current inputs."""
        return self._path(key, (*kept["files"], *kept["folders"]))

    def _path(self, key: str, files: Sequence[str]) -> str:
        for file in files:
            if file not in self._stamps:
                self._stamps[file] = _stamp(file)
        return os.path.join(folder(), f"{key}-{digest_of(self._stamps[file] for file in files)}{_ENDING}")


def started(before: Precompiled) -> Precompiled:
    """The header that lines continue, with its lines counted anew, as `find` does for its `after`."""
    return before._replace(lines=0, words=())


def without_first(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments without what precedes the first line of every source: a precompiled header includes it."""
    left = []
    rest = iter(arguments)
    for argument in rest:
        value = next(rest, "") if argument == "-include" else ""
        if value not in _FIRST:
            left += [argument, value] if value else [argument]
    return tuple(left)


def digest_of(parts: Iterable[bytes]) -> str:
    """A short name for a list of texts."""
    digest = blake2b(digest_size=12)
    for part in parts:
        digest.update(b"%d:%b" % (len(part), part))
    return digest.hexdigest()


def size() -> tuple[int, int]:
    """The number of files, and their total size in bytes."""
    entries = _entries()
    return len(entries), sum(status.st_size for status, _ in entries)


def clear() -> int:
    """Remove all of them; return the number of files.

    Raises:
        OSError: if one of them cannot be removed.
    """
    entries = _entries()
    for _, path in entries:
        with contextlib.suppress(FileNotFoundError):  # another run was faster
            os.unlink(path)
    return len(entries)


def _entries() -> list[tuple[os.stat_result, str]]:
    try:
        with os.scandir(folder()) as entries:
            ours = [entry for entry in entries if _OURS.fullmatch(entry.name)]
            return [(entry.stat(follow_symlinks=False), entry.path) for entry in ours]
    except OSError:
        return []


def _read_list(key: str) -> dict[str, Any] | None:
    body = read_file(os.path.join(folder(), key + _LIST))
    kept: dict[str, Any] | None = None if body is None else json.loads(body)
    return kept


def _list_of(path: str) -> str:
    """The list next to a precompiled header; its modification time is that of the last use."""
    return os.path.join(os.path.dirname(path), _key_of(path) + _LIST)


def _words_of(path: str) -> str:
    """The file of words next to a precompiled header."""
    return os.path.join(os.path.dirname(path), _key_of(path) + _WORDS)


def _key_of(path: str) -> str:
    return os.path.basename(path)[:_KEY]


def _put(temporary: str, path: str) -> None:
    """Give a file its name, unless another run has created one: others may already continue that one."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        if not is_own(path):
            os.replace(temporary, path)
    except OSError:  # a file system without links
        os.replace(temporary, path)


def _make_room(key: str = "", path: str = "") -> None:
    """Remove the least recently used files, and those that a new one with the same key, at `path`, replaces."""
    entries = _entries()
    made = {_key_of(place) for _, place in entries if not place.endswith(_LIST)}
    wanted = _MOST_WANTED
    used: dict[str, int] = {}
    for status, place in entries:
        used[_key_of(place)] = max(used.get(_key_of(place), 0), status.st_mtime_ns)
    left = LARGEST
    for status, place in sorted(entries, key=lambda found: -used[_key_of(found[1])]):
        left -= status.st_size
        wanted -= _key_of(place) not in made
        is_old = left < 0 or (wanted < 0 and _key_of(place) not in made)
        is_replaced = _key_of(place) == key and place.endswith(_ENDING) and place != path
        if is_old or is_replaced or is_left_over(place, status.st_mtime):
            with contextlib.suppress(OSError):  # another run was faster
                os.unlink(place)


def _stamp(path: str) -> bytes:
    try:
        status = os.stat(path)
    except OSError:
        return os.fsencode(path)
    return b"%b %d %d" % (os.fsencode(path), status.st_size, status.st_mtime_ns)
