"""Unified diffs, made from a translation's edits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hipify_py.core.edits import Edit, apply

# Finds what edits change, line by line: from the edits themselves, exactly and in one pass, however large the file.

CONTEXT = 3
"""Lines shown around changed ones."""


class Block(NamedTuple):
    """Lines `[start, start + len(old))` of the input, counted from 0, that become `new`."""

    start: int
    old: list[bytes]
    new: list[bytes]


class Hunk(NamedTuple):
    """Blocks that are close together, with the lines around them.

    Attributes:
        start: its first line in the input, counted from 0.
        new_start: its first line in the output.
        parts: for each block, the unchanged lines before it, its old lines and its new lines.
        behind: the unchanged lines after the last block.
    """

    start: int
    new_start: int
    parts: list[tuple[list[bytes], list[bytes], list[bytes]]]
    behind: list[bytes]


def hunks(data: bytes, edits: Sequence[Edit]) -> Iterator[Hunk]:
    """The lines that the edits change, and up to `CONTEXT` lines around them."""
    blocks = changed_lines(data, edits)
    lines = lines_of(data) if blocks else []
    shift = 0
    for close in _close(blocks):
        first = at = max(close[0].start - CONTEXT, 0)
        parts = []
        for block in close:
            parts.append((lines[at : block.start], block.old, block.new))
            at = block.start + len(block.old)
        yield Hunk(first, first + shift, parts, lines[at : at + CONTEXT])
        shift += sum(len(block.new) - len(block.old) for block in close)


def changed_lines(data: bytes, edits: Sequence[Edit]) -> list[Block]:
    """The lines that the edits change, joined where they touch."""
    blocks = []
    line, counted = 0, 0
    for start, end, inside in _regions(data, edits):
        line += data.count(b"\n", counted, start)
        counted = start
        shifted = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
        old, new = lines_of(data[start:end]), lines_of(apply(data[start:end], shifted))
        same = common(old, new)
        tail = common(old[same:][::-1], new[same:][::-1])
        if len(old) - tail > same or len(new) - tail > same:
            blocks.append(Block(line + same, old[same : len(old) - tail], new[same : len(new) - tail]))
    return blocks


def _regions(data: bytes, edits: Sequence[Edit]) -> list[tuple[int, int, list[Edit]]]:
    """Byte ranges of whole lines, each with the edits in it."""
    regions: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        start = data.rfind(b"\n", 0, edit.start) + 1
        end = data.find(b"\n", edit.end) + 1 or len(data)
        if regions and start <= regions[-1][1]:
            regions[-1][2].append(edit)
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]), regions[-1][2])
        else:
            regions.append((start, end, [edit]))
    return regions


def common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """The length of the common prefix of two sequences."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _close(blocks: list[Block]) -> list[list[Block]]:
    """The blocks in groups: lines between the blocks of a group are shown completely."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.start - (groups[-1][-1].start + len(groups[-1][-1].old)) <= 2 * CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def lines_of(data: bytes) -> list[bytes]:
    """The lines, each with its newline; the last may have none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def unified_diff(data: bytes, edits: Sequence[Edit], path: str, new_path: str) -> bytes:
    """A diff for `git apply` and `patch -p1`; empty if neither text nor name changes.

    Args:
        path: the file as it is.
        new_path: the file as it will be; a different name is shown as a rename.
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
    """The diff that creates a file."""
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
    """The path as patches need it: below the current folder, with `/`, never absolute."""
    relative = os.path.relpath(path) if os.path.isabs(path) else os.path.normpath(path)
    if relative.startswith(os.pardir):
        relative = os.path.abspath(path).lstrip(os.sep)
    return relative.replace(os.sep, "/")


def _quoted(name: str) -> str:
    """A name in the form that git and patch accept: in quotation marks, with C escapes, if it is not plain."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    return '"' + "".join(map(_escaped, os.fsencode(name))) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return f"\\{chr(byte)}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
