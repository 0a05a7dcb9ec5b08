"""Precompiled headers: what many sources begin with is parsed once, and kept in the user's cache folder.

They are addressed by what they are made of: the library, the arguments, the text, and the files that were read with
their sizes and times, a list of which lies beside. Where libclang refuses one all the same (`is_stale`), whoever wants
to use it asks again without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from hipify_py.cache_files import UNFINISHED, cache_dir, is_left_over, is_own, read_file, write_file
from hipify_py.clang.asking import Asker
from hipify_py.clang.job import DONE, Job

FOLDER = "headers"
"""The folder within the cache folder."""

LARGEST = 384 << 20
"""Bytes of all of them together; those that were used last stay."""

_FORMAT = b"1"
_ENDING, _LIST = ".pch", ".bin"
_OURS = re.compile(r"[0-9a-f]{24}(?:-[0-9a-f]{24})?\.(?:pch|bin)(?:\.\w+\.new(?:[.-][\w.-]+)?)?")
"""Their names, with those of unfinished ones, to which libclang adds more while it writes."""

_FOR_SERIALIZATION = 0x02 | 0x10
_WITH_ERRORS = ("-Xclang", "-fallow-pch-with-compiler-errors")
"""Headers of a newer ROCm name built-ins that an older clang lacks; that is no reason to parse them for each source."""

_STALE = ("precompiled header", "PCH", "AST file", ".pch")


def folder() -> str:
    """Where the precompiled headers lie."""
    return os.path.join(cache_dir(), FOLDER)


def including(path: str) -> tuple[str, ...]:
    """The arguments to begin with a precompiled header."""
    return (*_WITH_ERRORS, "-include-pch", path)


def is_stale(messages: Sequence[Mapping[str, Any]]) -> bool:
    """One of the messages of a translation unit is about its precompiled header."""
    return any(
        message["severity"] == "error"
        and (not message["path"] or message["path"].endswith(_ENDING))
        and any(sign in message["text"] for sign in _STALE)
        for message in messages
    )


def is_gone(arguments: Sequence[str]) -> bool:
    """The precompiled header that arguments begin with was removed meanwhile, as by another run to make room."""
    return any(option == "-include-pch" and not os.path.exists(path) for option, path in pairwise(arguments))


class PrecompiledHeaders:
    """Finds and makes precompiled headers.

    Args:
        asker: what parses.
        library: libclang's file.
    """

    def __init__(self, asker: Asker, library: str) -> None:
        self._asker = asker
        self._library = library

    def find(self, arguments: Sequence[str], text: bytes) -> str:
        """The file of a header for these arguments and this text; empty where there is none."""
        key = self._key(arguments, text)
        listed = read_file(os.path.join(folder(), key + _LIST))
        if listed is None:
            return ""
        path = self._path(key, json.loads(listed))
        if not is_own(path):
            return ""
        for used in (path, os.path.join(folder(), key + _LIST)):
            with contextlib.suppress(OSError):
                os.utime(used)
        return path

    def make(self, arguments: Sequence[str], text: bytes) -> str:
        """Make that file; empty where that cannot be done."""
        key = self._key(arguments, text)
        temporary = os.path.join(folder(), f"{key}{_ENDING}.{os.getpid()}{UNFINISHED}")
        name = os.path.join(folder(), "begin.h")
        job = Job(
            "precompile",
            name,
            [(*arguments, *_WITH_ERRORS)],
            {name: text},
            self._library,
            {"target": temporary},
            _FOR_SERIALIZATION,
        )
        try:
            os.makedirs(folder(), mode=0o700, exist_ok=True)
            answer = self._asker.ask(job)
            if answer.status != DONE or not isinstance(answer.values[0], list):
                return ""
            path = self._path(key, answer.values[0])
            os.chmod(temporary, 0o600)
            os.replace(temporary, path)
            write_file(os.path.join(folder(), key + _LIST), json.dumps(answer.values[0]).encode("ascii"))
        except OSError:  # a read-only home: each source is parsed from its first line
            return ""
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        _make_room()
        return path

    def discard(self, path: str) -> None:
        """Remove one that is stale."""
        with contextlib.suppress(OSError):
            os.unlink(path)

    def _key(self, arguments: Sequence[str], text: bytes) -> str:
        return digest_of((_FORMAT, _stamp(self._library), text, *map(os.fsencode, arguments)))

    def _path(self, key: str, files: Sequence[str]) -> str:
        return os.path.join(folder(), f"{key}-{digest_of(map(_stamp, files))}{_ENDING}")


def digest_of(parts: Iterable[bytes]) -> str:
    """A short name for a list of texts."""
    digest = blake2b(digest_size=12)
    for part in parts:
        digest.update(b"%d:%b" % (len(part), part))
    return digest.hexdigest()


def size() -> tuple[int, int]:
    """How many files there are, and how many bytes they take."""
    entries = _entries()
    return len(entries), sum(status.st_size for status, _ in entries)


def clear() -> int:
    """Remove all of them; returns how many files they were.

    Raises:
        OSError: when one of them cannot be removed.
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


def _make_room() -> None:
    left = LARGEST
    for status, path in sorted(_entries(), key=lambda found: -found[0].st_mtime_ns):
        left -= status.st_size
        if left < 0 or is_left_over(path, status.st_mtime):
            with contextlib.suppress(OSError):  # another run was faster
                os.unlink(path)


def _stamp(path: str) -> bytes:
    try:
        status = os.stat(path)
    except OSError:
        return os.fsencode(path)
    return b"%b %d %d" % (os.fsencode(path), status.st_size, status.st_mtime_ns)
