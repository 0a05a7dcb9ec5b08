"""What of a source is compiled for AMD GPUs, and what depends on macros of which nothing is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.preprocessor.branch_scoring import provided_in
from hipify_py.analysis.preprocessor.choice import choices
from hipify_py.analysis.preprocessor.macros import ANY_BUILD, Build
from hipify_py.analysis.preprocessor.sections import Conditional
from hipify_py.analysis.preprocessor.versions_tried import NUMBERS, Setting
from hipify_py.core.ranges import Ranges
from hipify_py.core.unit import Unit
from hipify_py.frontend.conditions import Branch

_MOST_ROUNDS = 4


def left_out(unit: Unit, *, is_hip_build: bool = False, for_device: bool = False) -> Ranges:
    """What is compiled for AMD GPUs neither in the host's nor in the device's pass.

    With `for_device`, what is not compiled in the device's pass, whatever the host does with it.
    With `is_hip_build`, the macros count as defined by which a project's own build says that it is for HIP
    (`USE_ROCM`, `GGML_USE_HIP`).
    """
    build = Build(is_hip_build, (True,) if for_device else ANY_BUILD.passes)
    return _compilation(unit).left_out(build)


def defined(unit: Unit) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The macros whose definitions in a source are all left out for AMD GPUs, and the others that it defines."""
    every = frozenset(define.text for define in unit.lexemes.defines)
    lost, _ = _compilation(unit).flags_without(left_out(unit))
    return lost, every - lost


def hangs_on(unit: Unit, offset: int) -> frozenset[bytes]:
    """The macros of which nothing is known without which the code at an offset is left out."""
    return _compilation(unit).hangs_on(offset)


def provided(unit: Unit) -> set[str]:
    """Functions that HIP lacks and that a branch of the source defines which AMD GPUs take."""
    gone = left_out(unit)
    branches = [branch for section, _ in choices(unit).settled for branch in section.branches]
    names = {provided_in(unit, branch.body, branch.end) for branch in branches if branch.body not in gone}
    return names - {""}


class _Nested(NamedTuple):
    """A branch with its section, what that was settled with, and the branch around it."""

    branch: Branch
    section: Conditional
    setting: Setting
    around: _Nested | None


class _Compilation:
    """Which branches of one unit's sections are compiled in a build."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._sections = choices(unit).sections
        self._settled = choices(unit).settled
        self._left_out: dict[Build, Ranges] = {}
        self._nesting: tuple[list[int], list[_Nested | None]] | None = None
        self._hanging: dict[int, frozenset[bytes]] = {}

    def left_out(self, build: Build) -> Ranges:
        """The branches that are compiled in no pass; a macro that only they define takes others along."""
        known = self._left_out.get(build)
        if known is None:
            known = self._left_out[build] = self._without_lost_macros(build)
        return known

    def _without_lost_macros(self, build: Build) -> Ranges:
        ranges = self._uncompiled(build)
        for _ in range(_MOST_ROUNDS):
            absent, zeros = self.flags_without(ranges)
            if (absent, zeros) == (build.absent, build.zeros):
                break
            build = build._replace(absent=absent, zeros=zeros)
            ranges = self._uncompiled(build)
        return ranges

    def flags_without(self, gone: Ranges) -> tuple[frozenset[bytes], frozenset[bytes]]:
        """The macros that have no definition but in these ranges, and those that are 0 without them."""
        lost, kept, others = set[bytes](), set[bytes](), set[bytes]()
        for define in self._unit.lexemes.defines:
            if define.start in gone:
                lost.add(define.text)
            else:
                (kept if self._sections.macros.number(define) == 0 else others).add(define.text)
        return frozenset(lost - kept - others), frozenset((lost & kept) - others)

    def _uncompiled(self, build: Build) -> Ranges:
        found = []
        for section, setting in self._settled:
            taken = self._sections.compiled(section, setting, build)
            last = max((section.branches.index(branch) for branch in taken), default=len(section.branches))
            for at, branch in enumerate(section.branches):
                if branch not in taken:  # a condition behind the branch that is taken is not even asked
                    found.append((branch.start if at > last and branch.word == b"elif" else branch.body, branch.end))
        return Ranges(found)

    def hangs_on(self, offset: int) -> frozenset[bytes]:
        """The macros of which nothing is known without which the code at an offset is left out."""
        if self._nesting is None:
            self._nesting = self._nested()
        bounds, innermost = self._nesting
        at = bisect_right(bounds, offset) - 1
        nested = innermost[at] if at >= 0 else None
        waiting: list[_Nested] = []
        while nested is not None and nested.branch.start not in self._hanging:
            waiting.append(nested)
            nested = nested.around
        found = self._hanging[nested.branch.start] if nested is not None else frozenset[bytes]()
        for inner in reversed(waiting):
            found = self._hanging[inner.branch.start] = found.union(self._own_conditions(inner))
        return found

    def _nested(self) -> tuple[list[int], list[_Nested | None]]:
        """The places where a branch begins or ends, in order, and the innermost branch from each of them on."""
        every = sorted(
            ((branch, section, setting) for section, setting in self._settled for branch in section.branches),
            key=lambda entry: (entry[0].body, -entry[0].end, entry[0].start),
        )
        bounds, innermost = list[int](), list[_Nested | None]()
        inside: _Nested | None = None
        for entry in (*every, None):
            while inside is not None and (entry is None or inside.branch.end <= entry[0].body):
                bounds.append(inside.branch.end)
                inside = inside.around
                innermost.append(inside)
            if entry is not None:
                inside = _Nested(*entry, inside)
                bounds.append(entry[0].body)
                innermost.append(inside)
        return bounds, innermost

    def _own_conditions(self, nested: _Nested) -> Iterator[bytes]:
        """The macros of which nothing is known without which a branch is left out, whatever is around it."""
        branch, section, setting, _ = nested
        for name in section.names - NUMBERS - {b"defined"}:
            if self._sections.macros.defined(name) is None and self._falls_with(name, branch, section, setting):
                yield name

    def _falls_with(self, name: bytes, branch: Branch, section: Conditional, setting: Setting) -> bool:
        """A branch that may be compiled is left out where a macro is not defined."""
        if name in self._sections.macros.constants:
            return False
        without = Build(absent=frozenset((name,)))
        return branch in self._sections.compiled(section, setting, ANY_BUILD) and branch not in self._sections.compiled(
            section, setting, without
        )


def _compilation(unit: Unit) -> _Compilation:
    return unit.analysis(_Compilation)
