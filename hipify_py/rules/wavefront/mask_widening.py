"""Follows the lane masks of one source through its declarations, and widens them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.api.calls import call_at
from hipify_py.rules.api.variables import scope_end
from hipify_py.rules.wavefront.mask_literals import is_all_lanes, widened
from hipify_py.unit import Unit, Use

_WIDE = b"unsigned long long"
_COUNTS = {b"__popc": b"__popcll", b"__ffs": b"__ffsll", b"__clz": b"__clzll", b"__brev": b"__brevll"}
_NARROW = rb"(?<![\w:])(unsigned\s+int|unsigned|(?:std::)?u?int32_t|uint|int|u32|auto)\b(?!\s+(?:long|short|char))"
_WIDE_TYPE = rb"\b(?:unsigned\s+long(?:\s+long)?(?:\s+int)?|long\s+long|u?int64_t|size_t)\s+(?:const\s+)?"
_LONGEST_HEAD = 200  # bytes looked at in front of a mask

_NAME = re.compile(rb"[A-Za-z_]\w*")
_CALLED_MASK = re.compile(
    rb"(?:\w*_)?(?:full|all|warp|lanes?)_?(?:\w*_)?mask\w*|\w*mask_?(?:all|full)\w*", re.IGNORECASE
)
_ALREADY_WIDE = re.compile(
    rb"\b0[xX]0*[1-9a-fA-F][0-9a-fA-F']{8,}[uUlL]*\b|\b[0-9][0-9a-fA-FxX']*[uU]?[lL]{2}[uU]?\b"
    rb"|\bunsigned long long\b|\bu?int64_t\b|\b__activemask\b|\b__ballot\w*\b|\b__match_\w+_sync\b|[.>]\s*ballot\b"
)
_INITIAL = re.compile(rb"\s*(?:=|\{)\s*([^;,(){}]+|\([^;,(){}]*\)[^;,(){}]*)\s*(?=[;,)}>])")
_VALUE = re.compile(rb"\s*(?:=|\{)\s*([^;{}]+)[;}]")
_SET_TO = re.compile(rb"\s*=\s*([^;,(){}=]+)(?=;)")
_ASSIGNED = re.compile(rb"\b([A-Za-z_]\w*)\s*[&|^]?=\s*(?:\(\s*(?:unsigned(?:\s+int)?|u?int32_t|int)\s*\)\s*)?\Z")
_COMPUTED = re.compile(rb"\b([A-Za-z_]\w*)\s*[&|^]?=(?!=)\s*([\w\s&|^~()<>+-]*)\Z")
_GOES_ON_BITWISE = re.compile(rb"[\s)]*(?:[&|^;]|>>|<<)")
_COUNTED = re.compile(rb"\b(__popc|__ffs|__clz|__brev)\s*\(\s*[~(\s]*\Z")
_ANDED_BEHIND = re.compile(rb"\s*&(?!&)\s*~?\s*([A-Za-z_]\w*)\b(?!\s*[(.\[:]|->)")
_ANDED_BEFORE = re.compile(rb"(?<![\w.>:])([A-Za-z_]\w*)\s*(?<!&)&\s*~?\s*\Z")
_FROM_31 = re.compile(rb"(?<![\w.])(31)\s*-\s*\Z")
_SHIFTED = re.compile(
    rb"(?:\(\s*(?:unsigned(?:\s+int)?|u?int32_t)\s*\)\s*)?(?<![\w.])(0[xX][0-9a-fA-F]+|[0-9]+)[uU]?(?=\s*<<(?!<))"
)
_INVERTED = re.compile(rb"(?<=~)\s*((?:0[xX][0-9a-fA-F]+|[0-9]+))[uU]?\b(?![uUlL.])")

_MAY_BE_CALLED = re.compile(rb"(?<![\w.])[^\W\d]\w*\b(?=\s*[(</\\])")
"""A name with a bracket, a comment or a continued line after it."""


class _Declaration(NamedTuple):
    """A declaration with a type of 32 bits: the type is at `[start, end)`, the name means it up to `reach`."""

    start: int
    end: int
    name_end: int
    reach: int


class MaskWidening:
    """What is known of one unit's masks so far: the edits, the findings, the declarations that were widened."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.findings: list[Finding] = []
        self._edits: dict[tuple[int, int], bytes] = {}
        self._widened: set[int] = set()
        self._partial: set[int] = set()
        """Widened declarations of masks that are given some lanes, counted in 32."""
        self._declared: dict[bytes, list[_Declaration]] = {}
        self._wide: dict[bytes, bool] = {}
        self._defines = {define.text: define.end for define in unit.lexemes.defines}

    def edits(self) -> Iterator[Edit]:
        """The edits, each once."""
        yield from (Edit(start, end, text) for (start, end), text in sorted(self._edits.items()))

    def take(self, use: Use) -> None:
        """A built-in that is given a mask as its first argument."""
        call = call_at(self.unit, use.end)
        if call is None or not call.arguments:
            return
        start, end = call.arguments[0]
        text = self.data[start:end]
        wide = widened(text)
        if wide is not None:
            self._edits[start, end] = wide
            if not is_all_lanes(text):
                self._report(use, start, text)
        elif not _ALREADY_WIDE.search(text) and not self._declaration_is_wide(text, start):
            self._edits[start, start] = b"static_cast<" + _WIDE + b">("
            self._edits[end, end] = b")"
            self._report(use, start, text)
        elif self._is_partial(text, start):
            self._report(use, start, text)

    def give(self, use: Use) -> None:
        """A built-in that returns a mask: into a variable, or into what counts its bits."""
        head = max(use.start - _LONGEST_HEAD, 0)
        counted = _COUNTED.search(self.data, head, use.start)
        if counted is not None:
            self._count(counted.start(1), counted.end(1))
        assigned = _ASSIGNED.search(self.data, head, use.start)
        if assigned is not None:
            self._declaration_is_wide(assigned[1], assigned.start(1))
        self._literals_beside(use.start)

    def macros(self) -> None:
        """Macros that are called masks, used here or not: other files of the project include them."""
        for name, end in self._defines.items():
            if _CALLED_MASK.fullmatch(name):
                self._macro(end)

    def _declaration_is_wide(self, name: bytes, place: int) -> bool:
        """Widen the declaration that a name at a place means; False where this source has none to widen."""
        if _NAME.fullmatch(name) is None:
            return False
        if name in self._defines:
            return self._macro(self._defines[name])
        declarations = self._declarations(name, place)
        for declaration in declarations:
            self._widen(name, declaration)
        return bool(declarations) or self._has_wide_declaration(name)

    def _widen(self, name: bytes, declaration: _Declaration) -> None:
        """Widen a declaration, and what is done with the variable."""
        start, end, name_end, reach = declaration
        if start in self._widened:
            return
        self._widened.add(start)
        if self.data[start:end] != b"auto":
            self._edits[start, end] = _WIDE
        self._literal(_INITIAL, name_end)
        self._literals_beside(name_end)
        value = _VALUE.match(self.data, name_end)
        if value is not None and not (is_all_lanes(value[1]) or _ALREADY_WIDE.search(value[1])):
            self._partial.add(start)
        self._follow(name, name_end, reach)
        self._callers(start)

    def _is_partial(self, name: bytes, place: int) -> bool:
        """The mask of that name is a widened one that is given some lanes, counted in 32."""
        if not self._partial or _NAME.fullmatch(name) is None or name in self._defines:
            return False
        return any(declaration.start in self._partial for declaration in self._declarations(name, place))

    def _declarations(self, name: bytes, place: int) -> list[_Declaration]:
        """The innermost declaration that reaches a place.

        Several where branches of an `#if` declare the name each in its own way.
        """
        known = self._all_declarations(name)
        in_front = known[: bisect_right(known, place + len(name), key=lambda declaration: declaration.name_end)]
        reach = next((declaration.reach for declaration in reversed(in_front) if place <= declaration.reach), -1)
        return [declaration for declaration in in_front if declaration.reach == reach]

    def _all_declarations(self, name: bytes) -> list[_Declaration]:
        """Every narrow declaration of a name, in order; found once a name."""
        if name not in self._declared:
            lexemes = self.unit.lexemes
            pattern = re.compile(_NARROW + rb"\s+(?:const\s+)?" + re.escape(name) + rb"\b(?=\s*(?:[=;,){>]|$))")
            self._declared[name] = [
                _Declaration(*match.span(1), match.end(), scope_end(lexemes, match.end()))
                for match in pattern.finditer(self.data)
                if lexemes.skip_at(match.start()) is None
            ]
        return self._declared[name]

    def _has_wide_declaration(self, name: bytes) -> bool:
        """The source declares the name with a type of 64 bits somewhere; looked up once a name."""
        if name not in self._wide:
            self._wide[name] = re.search(_WIDE_TYPE + re.escape(name) + rb"\b", self.data) is not None
        return self._wide[name]

    def _macro(self, name_end: int) -> bool:
        """Widen the literal that a macro stands for; False where it stands for anything else."""
        body = self.data[name_end : self.unit.lexemes.logical_line_end(name_end)]
        code = body.split(b"//")[0].split(b"/*")[0]
        text = code.strip()
        if not text or not code[:1].isspace():
            return False
        wide = widened(text)
        if wide is not None and not text.isdigit():
            start = name_end + len(code) - len(code.lstrip())
            self._edits[start, start + len(text)] = wide
        return wide is not None or _ALREADY_WIDE.search(text) is not None

    def _follow(self, name: bytes, start: int, end: int) -> None:
        """What is done with a widened variable within its scope."""
        for match in re.compile(rb"(?<![\w.>])" + re.escape(name) + rb"\b").finditer(self.data, start, end):
            place, behind = match.span()
            if self.unit.lexemes.skip_at(place) is not None:
                continue
            head = max(place - _LONGEST_HEAD, 0)
            counted = _COUNTED.search(self.data, head, place)
            if counted is not None:
                self._count(counted.start(1), counted.end(1))
            computed = _COMPUTED.search(self.data, head, place)
            if (
                computed is not None
                and computed[1] != name
                and b"__" not in computed[2]
                and _GOES_ON_BITWISE.match(self.data, behind)
            ):
                self._widen_unsigned(computed[1], computed.start(1))
            for other in (_ANDED_BEHIND.match(self.data, behind), _ANDED_BEFORE.search(self.data, head, place)):
                if other is not None:
                    self._widen_unsigned(other[1], other.start(1))
            self._literal(_SET_TO, behind)
            self._literals_beside(place)

    def _widen_unsigned(self, name: bytes, place: int) -> None:
        """A variable computed from a mask is one, too, unless it is a signed number (`int bit = mask & 1`)."""
        declarations = self._declarations(name, place)
        if declarations and all(self.data[d.start : d.end] not in (b"int", b"int32_t") for d in declarations):
            self._declaration_is_wide(name, place)

    def _callers(self, declared: int) -> None:
        """Literals that calls in this source pass for a parameter that was widened."""
        lexemes, depth, commas = self.unit.lexemes, 0, 0
        for place in range(declared - 1, max(declared - 4 * _LONGEST_HEAD, -1), -1):
            byte = self.data[place]
            if byte in b";{}":
                return
            depth += (byte in b")>]") - (byte in b"([<")
            commas += byte == 0x2C and depth == 0
            if depth < 0:
                break
        else:
            return
        name = lexemes.word_before(place)
        if self.data[place : place + 1] != b"(" or not name or name in _COUNTS:
            return
        for name_start in self._called.get(name, ()):
            call = call_at(self.unit, name_start + len(name)) if lexemes.skip_at(name_start) is None else None
            if call is not None and commas < len(call.arguments):
                start, end = call.arguments[commas]
                if is_all_lanes(self.data[start:end]):
                    self._edits[start, end] = widened(self.data[start:end]) or b""

    @cached_property
    def _called(self) -> dict[bytes, list[int]]:
        """Where each name stands that an argument list may follow; one pass for all the functions of a source."""
        places: dict[bytes, list[int]] = {}
        for match in _MAY_BE_CALLED.finditer(self.data):
            places.setdefault(match[0], []).append(match.start())
        return places

    def _count(self, start: int, end: int) -> None:
        """`__popc` of a mask is `__popcll`; a distance from bit 31 becomes one from bit 63."""
        name = self.data[start:end]
        self._edits[start, end] = _COUNTS[name]
        distance = _FROM_31.search(self.data, max(start - 20, 0), start) if name == b"__clz" else None
        if distance is not None:
            self._edits[distance.span(1)] = b"63"

    def _literal(self, pattern: re.Pattern[bytes], place: int) -> None:
        """Widen the literal that a mask is set to at a place."""
        match = pattern.match(self.data, place)
        if match is not None and (wide := widened(match[1])) is not None:
            self._edits[match.start(1), match.start(1) + len(match[1].rstrip())] = wide

    def _literals_beside(self, place: int) -> None:
        """`1 << lane` and `~1` in the statement around a mask have 64 bits too."""
        start = max(self.data.rfind(mark, 0, place) for mark in (b";", b"{", b"}")) + 1
        ends = [end for mark in (b";", b"{", b"}") if (end := self.data.find(mark, place)) >= 0]
        end = min(ends, default=len(self.data))
        for match in _SHIFTED.finditer(self.data, start, end):
            if self.unit.lexemes.skip_at(match.start()) is None:
                self._edits[match.span()] = match[1] + b"ull"
        for match in _INVERTED.finditer(self.data, start, end):
            if self.unit.lexemes.skip_at(match.start()) is None and widened(b"~" + match[1]) is None:
                self._edits[match.start(1), match.end()] = match[1] + b"ull"

    def _report(self, use: Use, place: int, text: bytes) -> None:
        detail = text.decode(errors="replace")
        self.findings.append(self.unit.finding("HIP301", place, name=use.row.name, library="device", detail=detail))
