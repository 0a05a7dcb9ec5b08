"""Unified diffs, made from a translation's edits."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hipify_py.core.edits import Edit
from hipify_py.core.hunks import Hunk, hunks, lines_of


def unified_diff(data: bytes, edits: Sequence[Edit], path: str, new_path: str) -> bytes:
    """The diff that `git apply` and `patch -p1` take; empty where neither text nor name changes.

    Args:
        path: the file as it is.
        new_path: the file as it will be; another name is shown as a renaming.
    """
    old_name, new_name = _shown(path), _shown(new_path)
    changes = [*hunks(data, edits)]
    if not changes and old_name == new_name:
        return b""
    head = [f"diff --git {_quoted('a/' + old_name)} {_quoted('b/' + new_name)}"]
    if old_name != new_name:
        head += [f"rename from {_quoted(old_name)}", f"rename to {_quoted(new_name)}"]
    if changes:
        head += [f"--- {_quoted('a/' + old_name)}", f"+++ {_quoted('b/' + new_name)}"]
    out = [line.encode("utf-8", "surrogateescape") + b"\n" for line in head]
    for hunk in changes:
        _write_hunk(out, hunk)
    return b"".join(out)


def new_file_diff(data: bytes, path: str) -> bytes:
    """The diff that makes a file which does not exist yet."""
    name = _shown(path)
    new = _quoted("b/" + name)
    head = [f"diff --git {_quoted('a/' + name)} {new}", "new file mode 100644", "--- /dev/null", f"+++ {new}"]
    out = [line.encode("utf-8", "surrogateescape") + b"\n" for line in head]
    _write_hunk(out, Hunk(0, 0, [([], [], lines_of(data))], []))
    return b"".join(out)


def _write_hunk(out: list[bytes], hunk: Hunk) -> None:
    kept = sum(len(before) for before, _, _ in hunk.parts) + len(hunk.behind)
    old_span = _span(hunk.start, kept + sum(len(old) for _, old, _ in hunk.parts))
    new_span = _span(hunk.new_start, kept + sum(len(new) for _, _, new in hunk.parts))
    out.append(f"@@ -{old_span} +{new_span} @@\n".encode())
    for before, old, new in hunk.parts:
        _write_lines(out, b" ", before)
        _write_lines(out, b"-", old)
        _write_lines(out, b"+", new)
    _write_lines(out, b" ", hunk.behind)


def _span(start: int, count: int) -> str:
    """A hunk's lines; an empty one names the line before it."""
    return f"{start + 1 if count else start},{count}"


def _write_lines(out: list[bytes], mark: bytes, lines: list[bytes]) -> None:
    for line in lines:
        out.append(mark + line)
        if not line.endswith(b"\n"):
            out.append(b"\n\\ No newline at end of file\n")


def _shown(path: str) -> str:
    """The path as patches want it: below the current folder, with `/`, never absolute."""
    relative = os.path.relpath(path) if os.path.isabs(path) else os.path.normpath(path)
    if relative.startswith(os.pardir):
        relative = os.path.abspath(path).lstrip(os.sep)
    return relative.replace(os.sep, "/")


def _quoted(name: str) -> str:
    """A name in the form that git and patch take: in quotation marks, with C's escapes, where it is not plain."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    return '"' + "".join(map(_escaped, os.fsencode(name))) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return f"\\{chr(byte)}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
