"""Composes the header from its sections, and parses one that was written before.

A section is a file of `sections/`. Its first lines are its documentation; one of them may be `// needs: a b`,
the sections without which it does not compile. Another may be `// brings: X`: the section includes headers that not
every program has, or wants the names of (`half`). In a project's header it is for files that define `HIPIFY_NEEDS_X`
before they include it; its other files get nothing of it. Warp functions are called in brackets, `(__shfl)(value, n)`:
projects have macros of their names, with all their arguments, that the header may be included after (MegEngine).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256

from hipify_py.core.patterns import lazy_pattern
from hipify_py.support_header import MARK

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sections")
_BASE = "base"
_NEEDS = lazy_pattern(r"^// needs:(.*)$\n?", re.MULTILINE)
_BRINGS = lazy_pattern(r"^// brings: (\w+)$\n?", re.MULTILINE)
_ASKED = "HIPIFY_NEEDS_"
_DIGEST = lazy_pattern(r"^// digest: ([0-9a-f]+)$", re.MULTILINE)
_SECTION = lazy_pattern(r"^// ---- section (\w+) ----$\n(.*?)^// ---- end of \1 ----$", re.MULTILINE | re.DOTALL)
_HEAD = f"""{MARK.decode()} (SPDX-License-Identifier: MIT).
// What the sources beside it use of CUDA and HIP has not. hipify-py replaces this file; put nothing of yours in it.
"""


def section_names() -> list[str]:
    """Every section but the base, which is part of every header, in alphabetical order."""
    names = (os.path.splitext(name) for name in os.listdir(_FOLDER))
    return sorted(stem for stem, ending in names if ending == ".hpp" and stem != _BASE)


def asked_macros(sections: Iterable[str]) -> list[str]:
    """The macros that a file must define before it includes a project's header, to get these sections."""
    return sorted({_ASKED + name for section in sections for name in _brought_by(section)})


def render(
    sections: Iterable[str], unknown_symbols: Iterable[tuple[str, str]] = (), *, is_shared: bool = False
) -> bytes:
    """The header with these sections and those that they need.

    Args:
        sections: names of `section_names`.
        unknown_symbols: names and texts of further sections, which a newer hipify-py wrote.
        is_shared: whether a file gets sections that bring other headers only if it asks for them (`asked_macros`).

    Raises:
        OSError: a section does not exist.
    """
    needed: list[str] = [_BASE]
    for name in sections:
        _collect_needed(name, needed)
    ordered: list[str] = [_BASE]
    for name in sorted(needed):  # the same whether a section was requested or needed by one
        _collect_needed(name, ordered)
    parts = [_guard(name, is_shared) for name in ordered]
    parts += [_block(name, text) for name, text in unknown_symbols]
    body = "\n".join(parts)
    return f"{_HEAD}// digest: {_digest(body)}\n\n{body}".encode()


def is_header(data: bytes) -> bool:
    """Whether a text is a support header, of any version and even if somebody has edited it."""
    return data.startswith(MARK)


def merge_sections(old: bytes, sections: Iterable[str]) -> bytes | None:
    """The header that has what `old` has and these sections; None where `old` is not as hipify-py wrote it."""
    text = old.decode("utf-8", "replace").replace("\r\n", "\n")
    match = _DIGEST.search(text)
    if not is_header(old) or match is None or _digest(text[match.end() + 2 :]) != match[1]:
        return None
    available = {_BASE, *section_names()}
    there = _SECTION.findall(text)
    known = {name for name, _ in there if name in available} - {_BASE}
    others = [(name, body) for name, body in there if name not in available]
    is_for_all = bool(asked_macros(known)) and _ASKED not in text  # an older one, or printed to be included by hand
    return render(known | set(sections), others, is_shared=not is_for_all)


def _collect_needed(name: str, ordered: list[str]) -> None:
    if name in ordered:
        return
    for needed in _needed_by(name):
        _collect_needed(needed, ordered)
    ordered.append(name)


@cache
def _needed_by(name: str) -> list[str]:
    """The sections that one names as those that it needs."""
    match = _NEEDS.search(section_text(name))
    return match[1].split() if match else []


@cache
def _brought_by(name: str) -> frozenset[str]:
    """What a section and those that it needs bring into a file."""
    return frozenset(_BRINGS.findall(section_text(name))).union(*(_brought_by(other) for other in _needed_by(name)))


@cache
def section_text(name: str) -> str:
    """A section as written in its file."""
    with open(os.path.join(_FOLDER, f"{name}.hpp"), encoding="utf-8") as file:
        return file.read()


@cache
def _guard(name: str, is_shared: bool) -> str:
    """Two headers of different folders may meet in one source: each section guards itself."""
    macro = f"HIPIFY_SUPPORT_{name.upper()}"
    asked = [f"defined({each})" for each in asked_macros([name])] if is_shared else []
    condition = f"#if {' && '.join([*asked, f'!defined({macro})'])}" if asked else f"#ifndef {macro}"
    text = _BRINGS.sub("", _NEEDS.sub("", section_text(name)))
    return _block(name, f"{condition}\n#define {macro}\n{text}#endif\n")


def _block(name: str, text: str) -> str:
    return f"// ---- section {name} ----\n{text}// ---- end of {name} ----\n"


def _digest(body: str) -> str:
    return sha256(body.encode("utf-8", "replace")).hexdigest()[:16]
