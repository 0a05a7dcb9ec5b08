"""Copies of CUDA's own headers in a project's tree: third-party code, not the project's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import is_header_name
from hipify_py.project.result import UNCHANGED, FileResult
from hipify_py.project.sibling_headers import portable
from hipify_py.project.source_store import bytes_of

if TYPE_CHECKING:
    from hipify_py.project.discovery import Discovery

_NOTICE = lazy_pattern(rb"(?i)copyright\b[^\n]*\bnvidia\b")
_GUARD = lazy_pattern(rb"(?m)^[ \t]*#[ \t]*(?:ifndef|if[ \t]+!defined)[ \t(]*(\w+)")
_NAMESPACE = lazy_pattern(rb"(?m)^[ \t]*(?:inline[ \t]+)?namespace[ \t]+([A-Za-z_]\w*)")
_SUFFIXES = frozenset({"H", "HPP", "HH", "HXX", "CUH", "INCLUDED"})
_OF_CUDA = ("CU", "NV", "THRUST", "STD", "COOPERATIVE", "LIBCU", "CCCL", "CG")
_MOST_PARTS = 4  # parts of the path by which an include names a CUDA header


def vendored_headers(found: Discovery) -> dict[str, str]:
    """The copies of CUDA's headers below the given folders: which header each is a copy of, by its path.

    A file that includes such a copy is translated as if it included CUDA's own header. A file that is given by itself
    is translated as requested.
    """
    from hipify_py.project.discovery import SOURCE

    headers = {
        entry.path: vendored_header(entry.path, entry.relative)
        for entry in found.entries
        if entry.kind == SOURCE and found.roots[entry.root].is_tree
    }
    return {path: header for path, header in headers.items() if header}


def own_headers(paths: Iterable[str]) -> frozenset[str]:
    """Those of some paths that are not copies of CUDA's headers."""
    return frozenset(path for path in paths if not vendored_header(path, portable(os.path.abspath(path))))


def left_alone(path: str, header: str) -> FileResult:
    """The result of a copy of one of CUDA's headers."""
    catalog = load_catalog()
    entry, row = catalog.diagnostic("HIP908"), catalog.row(header.encode("utf-8", "surrogateescape"))
    library = row.library if row is not None else ""
    message = entry.message.format(name=header, library=library)
    finding = Finding(entry.id, entry.severity, entry.effort, message, path, -1, 1, 1, header, library)
    return FileResult(path, UNCHANGED, findings=(finding,))


def vendored_header(path: str, relative: str) -> str:
    """The CUDA header that a file is a copy of; empty for any other file.

    A copy has the header's name, as includes name it, and NVIDIA's notice: a project may have its own header of that
    name.
    """
    if not is_header_name(path):
        return ""
    catalog = load_catalog()
    parts = relative.split("/")
    for count in range(min(len(parts), _MOST_PARTS), 0, -1):
        name = "/".join(parts[-count:])
        row = catalog.row(name.encode("utf-8", "surrogateescape"))
        if row is not None and row.kind == "header":
            data = bytes_of(path)
            return name if _NOTICE.search(data) and not _is_own(data, name) else ""
    return ""


def _is_own(data: bytes, name: str) -> bool:
    """Whether a header with such a name belongs to one of NVIDIA's projects, judging by its guard or namespace.

    `MY_PROJECT_UTIL_CUDA_RUNTIME_H` is not a guard of CUDA's, and CUDA's declarations for C are in no namespace.
    """
    guard, words = _GUARD.search(data), _words(name.rpartition("/")[2].partition(".")[0])
    parts = [word for word in _words(guard[1].decode(errors="replace")) if word not in _SUFFIXES] if guard else []
    if len(parts) > len(words) and parts[-len(words) :] == words and not parts[0].startswith(_OF_CUDA):
        return True
    if "/" in name or not name.endswith(".h"):
        return False
    namespaces = [found[1].decode(errors="replace").upper() for found in _NAMESPACE.finditer(data)]
    return bool(namespaces) and not any(found.lstrip("_").startswith(_OF_CUDA) for found in namespaces)


def _words(name: str) -> list[str]:
    return [word for word in name.upper().split("_") if word]
