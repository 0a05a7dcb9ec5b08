"""The inputs of a file's outcome, as a key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext

# One encoding for equal values, in every process: sets and mappings are unordered.


def canonical(value: Any) -> bytes:
    """An encoding that equal values share, and others do not."""
    return repr(_ordered(value)).encode("utf-8", "surrogatepass")


def _ordered(value: Any) -> Any:
    if isinstance(value, (bytes, str, int)) or value is None:
        return value
    if isinstance(value, (frozenset, set)):
        kinds = set(map(type, value))
        if kinds in ({bytes}, {str}):  # most are: names, which have an order of their own
            return ("set", sorted(value))
        return ("set", sorted(map(_ordered, value), key=repr))
    if isinstance(value, (tuple, list)):
        return tuple(map(_ordered, value))
    if isinstance(value, Mapping):
        return ("map", sorted(((_ordered(key), _ordered(item)) for key, item in value.items()), key=repr))
    return value


_SIZE = 16
"""Bytes of a digest; long enough that two contents do not share one by accident."""


def content_digest(data: bytes) -> bytes:
    """A digest of a file's content."""
    return blake2b(data, digest_size=_SIZE).digest()


class Keys:
    """Makes the keys of one run's files.

    A key covers the content, the path, the options, the installation and the facts from other files. It does not cover
    the project's answers to questions about file names: each outcome is kept with the few questions asked for it, and
    the answers.
    """

    def __init__(self, installation: bytes, options: Options) -> None:
        self._run = blake2b(installation + canonical(options._replace(support_header="", semantics=""))).digest()
        self._by_place = bool(options.file_ignores.patterns)
        self._known: dict[int, tuple[object, bytes]] = {}

    def key(self, path: str, support_header: str, data: bytes, project: ProjectContext) -> bytes:
        """The key of a file with its content, given the path by which it includes the support header."""
        place = os.path.abspath(path) if self._by_place else ""
        names = repr((path, place, support_header)).encode("utf-8", "surrogatepass")
        parts = (self._run, content_digest(data), self._facts_digest(project), names)
        return blake2b(b"".join(parts), digest_size=_SIZE).digest()

    def _facts_digest(self, project: ProjectContext) -> bytes:
        """A digest of the facts from other files, except the names of files."""
        parts = project._replace(local_headers=frozenset(), renames={}, asked=None)
        return b"".join(self._digest(part) if part else b"-" for part in parts)

    def _digest(self, part: Any) -> bytes:
        """The digest of one part; files of one program share parts as one object."""
        known = self._known.get(id(part))
        if known is None or known[0] is not part:
            known = self._known[id(part)] = part, content_digest(canonical(part))
        return known[1]
