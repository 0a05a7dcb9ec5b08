"""The conditional sections of a source, and which of their branches may be compiled for AMD GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from hipify_py.analysis.preprocessor.macros import ANY_BUILD, OF_CUDA, Build, Macros
from hipify_py.analysis.preprocessor.versions_tried import NUMBERS, STAND_INS, Setting, nccl_code
from hipify_py.core.ranges import Ranges
from hipify_py.frontend.conditions import Branch, Expression, Section, condition, sections
from hipify_py.frontend.unit import Unit

_MOST_BRANCHES = 64  # of one section
_OWN = re.compile(rb"__HIP\w*|HIP_VERSION")
_STAND_INS = frozenset(STAND_INS)
_HAS_INCLUDE = re.compile(rb"__has_include\s*\(\s*[<\"]([^<>\"\n]{1,200})[>\"]\s*\)")
_NCCL_VERSION = re.compile(rb"\bNCCL_VERSION\s*\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")

Outcome = tuple[bool | None, ...]
"""The values of the conditions of a section's branches; None where one is unknown."""

_OF_CUDAS_COMPILER = OF_CUDA | {b"__CUDACC_VER__", b"__CUDACC_VER_MAJOR__", b"__CUDACC_VER_MINOR__"}


class Conditional(NamedTuple):
    """A conditional section with its conditions parsed."""

    branches: Section
    expressions: tuple[Expression, ...]

    @property
    def names(self) -> frozenset[bytes]:
        """The macros in the conditions, and `defined`."""
        return frozenset().union(*(expression.names for expression in self.expressions))

    def taken(self, outcome: Outcome) -> list[Branch]:
        """The branches that an outcome may compile."""
        found = []
        for branch, holds in zip(self.branches, outcome, strict=True):
            if holds is not False:
                found.append(branch)
            if holds:
                break
        return found


class Sections:
    """The conditional sections of one unit.

    Attributes:
        every: all of them, however long.
        version_dependent: those that depend on CUDA's numbers.
        others: those that do not.
        own: the starts of the branches that test for CUDA's compiler before one that tests for HIP's.
        macros: the values of names in them.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.macros = Macros(unit)
        self.every = sections(unit.lexemes)
        self.defaults = frozenset(branch for section in self.every for branch in section if self._is_default(branch))
        """The branches that define the macro whose absence they test for, as include guards do."""
        conditional = Ranges(
            (branch.body, branch.end) for section in self.every for branch in section if branch not in self.defaults
        )
        self.macros.always = frozenset(
            define.start for define in unit.lexemes.defines if define.start not in conditional
        )
        self.version_dependent: list[Conditional] = []
        self.others: list[Conditional] = []
        self.own: set[int] = set()
        expression = cache(Expression)  # one condition is in many places
        for section in self.every:
            if len(section) > _MOST_BRANCHES:
                continue
            read = Conditional(section, tuple(expression(self._condition(branch)) for branch in section))
            self.own.update(_beside_own(read))
            (self.version_dependent if read.names & NUMBERS else self.others).append(read)

    def _is_default(self, branch: Branch) -> bool:
        words = condition(self._unit.source.data, branch).replace(b"(", b" ").replace(b")", b" ").split()
        if words[:-1] not in ([b"!defined"], [b"!", b"defined"]):
            return False
        return any(branch.body <= start < branch.end for start, _ in self.macros.own.get(words[-1], ()))

    def outcome(
        self, section: Conditional, setting: Setting, build: Build = ANY_BUILD, *, is_device: bool = True
    ) -> Outcome:
        """The values of a section's conditions in a pass."""
        found = []
        for branch, expression in zip(*section, strict=True):
            macros = self.macros.in_condition(
                setting, build, is_device=is_device, is_beside_own=branch.start in self.own, place=branch.start
            )
            value = expression.value(*macros)
            found.append(None if value is None else value != 0)
        return tuple(found)

    def agrees_with_stand_ins(self, section: Conditional, setting: Setting) -> bool:
        """Whether each comparison gives the same with HIP's macros in place of CUDA's versions as with a setting."""
        for branch, expression in zip(*section, strict=True):
            found = []
            for each in setting.with_stand_ins():
                macros = self.macros.in_condition(
                    each, ANY_BUILD, is_device=True, is_beside_own=branch.start in self.own, place=branch.start
                )
                value, comparisons = expression.comparisons(*macros, _STAND_INS)
                found.append((None if value is None else value != 0, comparisons))
            if found.count(found[0]) != len(found) or None in found[0][1]:
                return False
        return True

    def compiled(self, section: Conditional, setting: Setting, build: Build) -> set[Branch]:
        """The branches that may be compiled in any of the build's passes."""
        return self.compiled_and_certain(section, setting, build)[0]

    def compiled_and_certain(
        self, section: Conditional, setting: Setting, build: Build
    ) -> tuple[set[Branch], set[Branch]]:
        """The branches that may be compiled in any of the build's passes, and those that are compiled in each."""
        taken, certain = set[Branch](), set(section.branches)
        for is_device in build.passes:
            outcome = self.outcome(section, setting, build, is_device=is_device)
            branches = section.taken(outcome)
            taken.update(branches)
            certain &= {branch for branch in branches if len(branches) == 1 and True in outcome}
        return taken, certain

    def _condition(self, branch: Branch) -> bytes:
        """The text of a branch's condition, with what calls in it mean."""
        return self.with_known_calls(condition(self._unit.source.data, branch))

    def with_known_calls(self, text: bytes) -> bytes:
        """A text as long, with NCCL's versions as numbers, and 0 for a header that HIP lacks."""
        text = _NCCL_VERSION.sub(
            lambda match: (b"%d" % nccl_code(*map(int, match.groups()))).ljust(len(match[0])), text
        )
        return _HAS_INCLUDE.sub(
            lambda match: b"0".ljust(len(match[0])) if self._is_missing(match[1]) else match[0], text
        )

    def _is_missing(self, path: bytes) -> bool:
        row = self._unit.catalog.row(path)
        if row is not None:
            return row.kind == "header" and row.is_unsupported
        family = self._unit.catalog.family(path.decode(errors="replace"), header=True)
        return family is not None and family.library == "libcudacxx"  # others may be in the project's own folders


def _beside_own(section: Conditional) -> Iterator[int]:
    is_own = [any(_OWN.fullmatch(name) for name in expression.names) for expression in section.expressions]
    for at, (branch, expression) in enumerate(zip(*section, strict=True)):
        if expression.names & _OF_CUDAS_COMPILER and not is_own[at] and any(is_own[at + 1 :]):
            yield branch.start
