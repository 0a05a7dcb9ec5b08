"""What a file's outcome depends on, as a key."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import Any

from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.project.results_cache.canonical import canonical

_SIZE = 16
"""Bytes of a digest: two contents have the same by no accident."""


def content_digest(data: bytes) -> bytes:
    """A digest of a file's content."""
    return blake2b(data, digest_size=_SIZE).digest()


class Keys:
    """Makes the keys of one run's files.

    A key stands for the content, the path, the options, the installation and what the other files say. What the
    project says to questions about names of files is no part of it: each outcome is kept with the few questions that
    were asked for it, and the answers.
    """

    def __init__(self, installation: bytes, options: Options) -> None:
        self._run = blake2b(installation + canonical(options._replace(support_header="", semantics=""))).digest()
        self._by_place = bool(options.file_ignores.patterns)
        self._known: dict[int, tuple[object, bytes]] = {}

    def key(self, path: str, support_header: str, data: bytes, project: ProjectContext) -> bytes:
        """The key of a file with its content, for the path by which it is to include the support header."""
        place = os.path.abspath(path) if self._by_place else ""
        names = repr((path, place, support_header)).encode("utf-8", "surrogatepass")
        parts = (self._run, content_digest(data), self._told(project), names)
        return blake2b(b"".join(parts), digest_size=_SIZE).digest()

    def _told(self, project: ProjectContext) -> bytes:
        """A digest of what the other files say, but for the names of files."""
        parts = project._replace(local_headers=frozenset(), renames={}, asked=None)
        return b"".join(self._digest(part) if part else b"-" for part in parts)

    def _digest(self, part: Any) -> bytes:
        """The digest of one part, which files of one program share as one object."""
        known = self._known.get(id(part))
        if known is None or known[0] is not part:
            known = self._known[id(part)] = part, content_digest(canonical(part))
        return known[1]
