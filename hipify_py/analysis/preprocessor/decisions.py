"""The tests of CUDA's versions and architectures that are decided for AMD GPUs, each with its value in both passes.

A test is a comparison, with what negates it, and with its neighbours in `&&` and `||` that are decided as well. Tests
of the architecture stay apart from those of versions: they differ between the passes, where those of versions do not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from hipify_py.analysis.preprocessor.both_vendors import serves_both
from hipify_py.analysis.preprocessor.choice import choices
from hipify_py.analysis.preprocessor.macros import ANY_BUILD, OF_CUDA, Macros
from hipify_py.analysis.preprocessor.sections import Conditional
from hipify_py.analysis.preprocessor.versions_tried import (
    ARCHITECTURE,
    CAUTIOUS,
    NUMBERS,
    RUNTIME_VERSIONS,
    STAND_INS,
    VERSIONS,
    Setting,
    plain,
)
from hipify_py.frontend.conditions import Expression, Macro, Part, combined
from hipify_py.frontend.lexer import SPLICE
from hipify_py.frontend.unit import Unit

_DIRECTIVE = re.compile(rb"\s*#\s*[a-z]+")
_SPLICE = re.compile(SPLICE)
_CHAINS = frozenset((b"&&", b"||"))
_OPERANDS = frozenset(("binary_expression", "parenthesized_expression", "unary_expression"))
_MOST_AROUND = 32  # expressions around a test in code
_LIKE_CUDAS = range(1000, 100000)  # 1000 * major + 10 * minor; all numbers of HIP are above
_OUTSIDE = STAND_INS.keys() | {ARCHITECTURE}  # the table's rows decide about others


class _Place(Enum):
    """Where an expression stands."""

    CONDITION, MACRO, CODE = range(3)


class Decision(NamedTuple):
    """A test at `[start, end)`.

    Attributes:
        start: where it begins.
        end: where it ends.
        device: its value in the device pass.
        host: its value in the host pass.
        is_kept: the same test of HIP's own version holds, and reads as HIP's sources do.
    """

    start: int
    end: int
    device: bool
    host: bool
    is_kept: bool


def decision_at(unit: Unit, offset: int) -> Decision | None:
    """The decided test that contains an offset; None where it is in none."""
    return unit.analysis(_Decisions).at(offset)


class _Decisions:
    """The decided tests of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._sections = choices(unit).sections
        self._uses = {
            use.start: use for use in unit.uses if use.row.kind == "macro" and use.row.name.encode() in NUMBERS
        }
        self._in_conditions = sorted(
            decision
            for section, setting in (choices(unit).decided if self._uses else ())
            if section.names & NUMBERS
            for decision in self._in_section(section, setting)
        )
        self._elsewhere: dict[tuple[int, int], tuple[bool, list[Decision]]] = {}

    def at(self, offset: int) -> Decision | None:
        in_condition = self._unit.lexemes.in_condition(offset)
        found = self._in_conditions if in_condition else self._outside(offset)
        at = bisect_right(found, offset, key=lambda decision: decision.start) - 1
        return found[at] if at >= 0 and offset < found[at].end else None

    def _in_section(self, section: Conditional, setting: Setting) -> Iterator[Decision]:
        on_device, on_host = (self._sections.outcome(section, setting, is_device=each) for each in (True, False))
        for at, branch in enumerate(section.branches):
            if branch.word not in (b"if", b"elif") or branch.start in self._sections.own:
                continue
            text = _DIRECTIVE.sub(lambda match: b" " * len(match[0]), self._text(branch.start, branch.body), count=1)
            expression = Expression(self._sections.with_known_calls(text))
            for found in self._decisions(expression, branch.start, setting, _Place.CONDITION):
                device, host = found.device, found.host
                if device != host:  # after a branch that is taken, nothing else is
                    device = device and True not in on_device[:at]
                    host = host and True not in on_host[:at]
                yield found._replace(device=device, host=host)

    def _outside(self, offset: int) -> list[Decision]:
        """The decisions in the body of the macro around an offset, or in the expression in code."""
        lexemes = self._unit.lexemes
        define = lexemes.define_around(offset)
        if define is None:
            return self._in_code(offset)
        parameters = lexemes.parameter_list(define)
        start = define.end if parameters is None else parameters[1]
        return self._of_range(start, lexemes.body_end(define), _Place.MACRO)[1]

    def _in_code(self, offset: int) -> list[Decision]:
        """The decisions in the largest expression around an offset that a condition could be."""
        use, tree = self._uses.get(offset), self._unit.tree
        node = tree.leaf(use.start, use.end) if use is not None and tree.is_available else None
        found: list[Decision] = []
        for _ in range(_MOST_AROUND):
            node = None if node is None else node.parent
            if node is None or node.type not in _OPERANDS:
                break
            is_readable, decisions = self._of_range(node.start_byte, node.end_byte, _Place.CODE)
            if not is_readable:
                break
            found = decisions
        return found

    def _of_range(self, start: int, end: int, place: _Place) -> tuple[bool, list[Decision]]:
        """Whether a range can be read, and the decisions in it."""
        key = start, end
        if key not in self._elsewhere:
            expression = Expression(self._text(start, end))
            setting = plain(self._unit.options.targeting.cuda)._replace(architecture=CAUTIOUS)
            found = list(self._decisions(expression, start, setting, place))
            self._elsewhere[key] = expression.whole is not None, found
        return self._elsewhere[key]

    def _text(self, start: int, end: int) -> bytes:
        """A range with blanks for comments and line ends, so that all offsets stay."""
        lexemes = self._unit.lexemes
        text = bytearray(lexemes.data[start:end])
        for first, last in lexemes.comments_and_literals_in(start, end):
            if lexemes.data[first : first + 1] == b"/":
                first, last = max(first, start) - start, min(last, end) - start
                text[first:last] = b" " * (last - first)
        return _SPLICE.sub(lambda match: b" " * len(match[0]), bytes(text))

    def _decisions(self, expression: Expression, start: int, setting: Setting, place: _Place) -> Iterator[Decision]:
        """The decisions in an expression whose text begins at an offset."""
        if expression.whole is None or expression.names.isdisjoint(NUMBERS):
            return
        tests = _Tests(self._sections.macros, expression, setting, place)
        places = expression.places()
        for first, last, device, host, is_kept in tests.find(expression.whole):
            named = [
                start + offset
                for (offset, _), token in zip(places[first:last], expression.tokens(first, last), strict=True)
                if token in NUMBERS
            ]
            uses = [self._uses[offset] for offset in named if offset in self._uses]
            if len(uses) == len(named) and not any(serves_both(self._unit, use) for use in uses):
                yield Decision(start + places[first][0], start + places[last - 1][1], device, host, is_kept)


class _Kind(Enum):
    """What a part of a condition tests."""

    ARCHITECTURE, DEVICE_PASS, VERSION, KEPT, COMPILER, OTHER = range(6)


_OF_ARCHITECTURE = frozenset((_Kind.ARCHITECTURE, _Kind.DEVICE_PASS, _Kind.COMPILER))
_OF_VERSIONS = frozenset((_Kind.VERSION, _Kind.KEPT, _Kind.COMPILER))
_COMPILERS = OF_CUDA - {ARCHITECTURE} | VERSIONS
"""What is defined with CUDA's compiler and headers: a test of it stays, unless it does not matter."""

_Found = tuple[int, int, bool, bool, bool]
"""The first token of a test, the one after its last, its values in the device pass and the host pass, `is_kept`."""


class _Tests:
    """The decided tests of one expression."""

    def __init__(self, macros: Macros, expression: Expression, setting: Setting, place: _Place) -> None:
        self._macros = macros
        self._expression = expression
        self._place = place
        passes = (True, True) if place is _Place.CODE else (True, False)  # code has no test of the pass
        self._passes = [self._values(setting, is_device=is_device) for is_device in passes]
        self._stand_ins = [self._values(each, is_device=True) for each in setting.with_stand_ins()]

    def _values(self, setting: Setting, *, is_device: bool) -> tuple[Macro, Macro]:
        """The values of names, and whether they are defined: unknown for what is defined with CUDA's compiler."""
        value, defined = self._macros.in_condition(setting, ANY_BUILD, is_device=is_device, is_beside_own=False)
        return value, lambda name: None if name in _COMPILERS else defined(name)

    def find(self, part: Part) -> Iterator[_Found]:
        """The tests in a part, in order."""
        kinds = self._kinds(part)
        found = self._found(part.kind, (part,)) if part.kind != b"(" and _is_test(kinds) else None
        if found is not None:
            yield found
        elif part.kind == b"<" and _Kind.KEPT in kinds:
            yield part.first, part.last, True, True, True
        elif part.kind in _CHAINS:
            for _, run in groupby(part.parts, key=lambda each: _family(self._kinds(each))):
                yield from self._in_run(part.kind, tuple(run))
        else:
            for inner in part.parts:
                yield from self.find(inner)

    def _in_run(self, sign: bytes, run: Sequence[Part]) -> Iterator[_Found]:
        """The tests in neighbours of a chain that all test the architecture, or all versions."""
        kinds = frozenset().union(*map(self._kinds, run))
        found = self._found(sign, run) if len(run) > 1 and _is_test(kinds) else None
        if found is not None:
            yield found
        else:
            for part in run:
                yield from self.find(part)

    def _found(self, sign: bytes, run: Sequence[Part]) -> _Found | None:
        """Neighbours in a chain as one test; None where more than the numbers decides."""
        device, host = (
            reduce(lambda left, right: combined(sign, left, right), [part.value(*macros) for part in run])
            for macros in self._passes
        )
        return None if device is None or host is None else (run[0].first, run[-1].last, device != 0, host != 0, False)

    def _kinds(self, part: Part) -> frozenset[_Kind]:
        """What the operands of a part test."""
        if part.kind in _CHAINS or part.kind == b"(":
            return frozenset().union(*map(self._kinds, part.parts))
        if part.kind == b"!":
            kinds = self._kinds(part.parts[0])
            return kinds - {_Kind.KEPT} | {_Kind.VERSION} if _Kind.KEPT in kinds else kinds
        return frozenset((self._kind(part),))

    def _kind(self, part: Part) -> _Kind:
        if part.kind == b"<":
            return self._kind_of_comparison(part)
        if part.kind in (b"name", b"defined") and self._place is not _Place.CODE:
            names = self._expression.names_in(part)
            if ARCHITECTURE in names:
                return _Kind.DEVICE_PASS
            if part.kind == b"defined" and not names.isdisjoint(_COMPILERS):
                return _Kind.COMPILER
        return _Kind.OTHER

    def _kind_of_comparison(self, part: Part) -> _Kind:
        used = self._expression.values_used(part)
        numbers = used & (NUMBERS if self._place is _Place.CONDITION else _OUTSIDE)
        values = [part.value(*macros) for macros in self._passes] if numbers else [None]
        if None in values:
            return _Kind.OTHER
        if ARCHITECTURE in numbers:
            return _Kind.ARCHITECTURE
        if values[0] != values[1]:
            return _Kind.OTHER
        return _Kind.KEPT if self._is_kept(part, used) else _Kind.VERSION

    def _is_kept(self, part: Part, used: frozenset[bytes]) -> bool:
        """Whether HIP's own version is as good: `CUDA_VERSION >= 11000` holds, or CUB's version decides as hipCUB's."""
        values = [part.value(*macros) for macros in self._stand_ins]
        if used == {b"CUB_VERSION"}:
            return values.count(values[0]) == len(values)
        match self._expression.tokens(part.first, part.last):
            case [bytes(name), b">=" | b">", int(number)] | [int(number), b"<=" | b"<", bytes(name)]:
                return name in RUNTIME_VERSIONS and number in _LIKE_CUDAS and all(values)
        return False


def _is_test(kinds: frozenset[_Kind]) -> bool:
    """Whether a part tests the architecture or versions, and nothing else."""
    if _Kind.ARCHITECTURE in kinds:
        return kinds <= _OF_ARCHITECTURE
    return _Kind.VERSION in kinds and kinds <= _OF_VERSIONS


def _family(kinds: frozenset[_Kind]) -> int:
    """0 for what may be part of a test of the architecture, 1 for versions, 2 for anything else."""
    if kinds == {_Kind.COMPILER}:
        return 2
    return 0 if kinds <= _OF_ARCHITECTURE else 1 if kinds <= _OF_VERSIONS else 2
