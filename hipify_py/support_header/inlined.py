"""The support header inside a source, where there is no place for a file beside it: standard output."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hipify_py.core.patterns import lazy_pattern
from hipify_py.support_header import HEADER

INLINED = f"// {HEADER}, inlined by hipify-py".encode()
_END = f"// end of {HEADER}".encode()
_OPENING, _CLOSING = b'extern "C++" {  // also in a source that is inside of extern "C"\n', b"}\n"
_INCLUDE = lazy_pattern(rb'^[ \t]*#[ \t]*include[ \t]*"' + re.escape(HEADER.encode()) + rb'"[ \t]*\r?\n?', re.MULTILINE)
_BLOCK = lazy_pattern(re.escape(INLINED) + rb"[^\n]*\n.*?^" + re.escape(_END) + rb"\r?$", re.DOTALL | re.MULTILINE)
_SECTION = lazy_pattern(rb"^// ---- section (\w+) ----\r?$", re.MULTILINE)
_TEXT = lazy_pattern(rb"[^\r\n]")


def with_inlined_header(output: bytes, sections: Iterable[str]) -> bytes:
    """A translated source with these sections in place of its include of the support header.

    Each section guards itself, so a program may have it inlined in several of its files. The line ends are those of the
    source. A source that does not include the header stays as it is.

    Raises:
        OSError: if a section does not exist.
    """
    include = _INCLUDE.search(output)
    if include is None:
        return output
    text = inlined_header(sections)
    if include[0].endswith(b"\r\n"):
        text = text.replace(b"\n", b"\r\n")
    return output[: include.start()] + text + output[include.end() :]


def inlined_header(sections: Iterable[str]) -> bytes:
    """The sections as a part of a source, between comments by which a later run recognises them.

    Raises:
        OSError: if a section does not exist.
    """
    from hipify_py.support_header.header import render  # translations of other sources do without it

    body = render(sections).partition(b"\n\n")[2]  # without the head of a file
    return INLINED + b" (SPDX-License-Identifier: MIT)\n" + _OPENING + body + _CLOSING + _END + b"\n"


def inlined_sections(source: bytes) -> tuple[frozenset[str], tuple[int, int]]:
    """The sections of the header that a source has inlined, and its place; none where there is no whole one."""
    block = _BLOCK.search(source)
    if block is None:
        return frozenset(), (0, 0)
    place = (block.start(), block.end() + source.startswith(b"\n", block.end()))
    return frozenset(name.decode() for name in _SECTION.findall(block[0])), place


def without_inlined_header(source: bytes) -> bytes:
    """A source with spaces in place of a header that was inlined, so that every other byte keeps its offset."""
    if INLINED not in source:
        return source
    hidden = _BLOCK.sub(lambda block: _TEXT.sub(b" ", block[0]), source)
    return source if hidden == source else hidden
