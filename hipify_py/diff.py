"""Unified diffs, made from a translation's edits: exact, and in one pass however large the file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hipify_py.edits import Edit, apply
from hipify_py.records import NamedTuple

CONTEXT = 3


class Block(NamedTuple):
    """Lines `[start, start + len(old))` of the input, counted from 0, that become `new`."""

    start: int
    old: list[bytes]
    new: list[bytes]


def unified_diff(data: bytes, edits: Sequence[Edit], path: str, new_path: str) -> bytes:
    """The diff that `git apply` and `patch -p1` take; empty where neither text nor name changes.

    Args:
        path: the file as it is.
        new_path: the file as it will be; another name is shown as a renaming.
    """
    old_name, new_name = _shown(path), _shown(new_path)
    blocks = changed_lines(data, edits)
    if not blocks and old_name == new_name:
        return b""
    head = [f"diff --git {_quoted('a/' + old_name)} {_quoted('b/' + new_name)}"]
    if old_name != new_name:
        head += [f"rename from {_quoted(old_name)}", f"rename to {_quoted(new_name)}"]
    if blocks:
        head += [f"--- {_quoted('a/' + old_name)}", f"+++ {_quoted('b/' + new_name)}"]
    out = [line.encode("utf-8", "surrogateescape") + b"\n" for line in head]
    lines = _lines(data)
    shift = 0
    for hunk in _hunks(blocks):
        shift = _write_hunk(out, lines, hunk, shift)
    return b"".join(out)


def new_file_diff(data: bytes, path: str) -> bytes:
    """The diff that makes a file which does not exist yet."""
    name = _shown(path)
    new = _quoted("b/" + name)
    head = [f"diff --git {_quoted('a/' + name)} {new}", "new file mode 100644", "--- /dev/null", f"+++ {new}"]
    out = [line.encode("utf-8", "surrogateescape") + b"\n" for line in head]
    lines = _lines(data)
    _write_hunk(out, [], [Block(0, [], lines)], 0)
    return b"".join(out)


def changed_lines(data: bytes, edits: Sequence[Edit]) -> list[Block]:
    """The lines that the edits change, joined where they touch."""
    blocks = []
    line, counted = 0, 0
    for start, end, inside in _regions(data, edits):
        line += data.count(b"\n", counted, start)
        counted = start
        shifted = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
        old, new = _lines(data[start:end]), _lines(apply(data[start:end], shifted))
        same = _common(old, new)
        tail = _common(old[same:][::-1], new[same:][::-1])
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


def _common(one: list[bytes], other: list[bytes]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _hunks(blocks: list[Block]) -> list[list[Block]]:
    hunks: list[list[Block]] = []
    for block in blocks:
        if hunks and block.start - (hunks[-1][-1].start + len(hunks[-1][-1].old)) <= 2 * CONTEXT:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    return hunks


def _write_hunk(out: list[bytes], lines: list[bytes], hunk: list[Block], shift: int) -> int:
    """Append one hunk; returns by how many lines the output is now ahead of the input."""
    first = max(hunk[0].start - CONTEXT, 0)
    last = min(hunk[-1].start + len(hunk[-1].old) + CONTEXT, len(lines))
    growth = sum(len(block.new) - len(block.old) for block in hunk)
    old_span, new_span = _span(first, last - first), _span(first + shift, last - first + growth)
    out.append(f"@@ -{old_span} +{new_span} @@\n".encode())
    at = first
    for block in hunk:
        _write_lines(out, b" ", lines[at : block.start])
        _write_lines(out, b"-", block.old)
        _write_lines(out, b"+", block.new)
        at = block.start + len(block.old)
    _write_lines(out, b" ", lines[at:last])
    return shift + growth


def _span(start: int, count: int) -> str:
    """A hunk's lines; an empty one names the line before it."""
    return f"{start + 1 if count else start},{count}"


def _write_lines(out: list[bytes], mark: bytes, lines: list[bytes]) -> None:
    for line in lines:
        out.append(mark + line)
        if not line.endswith(b"\n"):
            out.append(b"\n\\ No newline at end of file\n")


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


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
