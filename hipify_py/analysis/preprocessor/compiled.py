"""Which parts of a source are compiled for AMD GPUs, and which depend on unknown macros."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.preprocessor.branch_scoring import provided_function
from hipify_py.analysis.preprocessor.choice import choices
from hipify_py.analysis.preprocessor.macros import ANY_BUILD, Build
from hipify_py.analysis.preprocessor.sections import Conditional
from hipify_py.analysis.preprocessor.versions_tried import NUMBERS, Setting
from hipify_py.core.ranges import Ranges
from hipify_py.frontend.conditions import Branch
from hipify_py.frontend.unit import Unit

_MOST_ROUNDS = 5


def inactive_ranges(unit: Unit, *, is_hip_build: bool = False, for_device: bool = False) -> Ranges:
    """The ranges that are compiled for AMD GPUs neither in the host pass nor in the device pass.

    With `for_device`, the ranges that are not compiled in the device pass, whatever the host pass does with them.
    With `is_hip_build`, the macros that select a project's own build for HIP (`USE_ROCM`, `GGML_USE_HIP`) are defined.
    """
    build = Build(is_hip_build, (True,) if for_device else ANY_BUILD.passes)
    return _compilation(unit).inactive_ranges(build)


def defined_macros(unit: Unit) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The macros whose definitions in a source are all left out for AMD GPUs, and the others that it defines."""
    every = frozenset(define.text for define in unit.lexemes.defines)
    lost = _compilation(unit).lost_flags(inactive_ranges(unit))
    return lost, every - lost


def required_macros(unit: Unit, offset: int) -> frozenset[bytes]:
    """The unknown macros without which the code at an offset is left out."""
    return _compilation(unit).required_macros(offset)


def provided_functions(unit: Unit) -> set[str]:
    """The functions that HIP lacks and that a branch of the source defines which AMD GPUs take."""
    gone = inactive_ranges(unit)
    branches = [branch for section, _ in choices(unit).decided for branch in section.branches]
    names = {provided_function(unit, branch.body, branch.end) for branch in branches if branch.body not in gone}
    return names - {""}


class _NestedBranch(NamedTuple):
    """A branch with its section, the setting of the section, and the enclosing branch."""

    branch: Branch
    section: Conditional
    setting: Setting
    around: _NestedBranch | None


class _Compilation:
    """Which branches of one unit's sections are compiled in a build."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._sections = choices(unit).sections
        self._settled = choices(unit).decided
        self._left_out: dict[Build, Ranges] = {}
        self._nesting: tuple[list[int], list[_NestedBranch | None]] | None = None
        self._hanging: dict[int, frozenset[bytes]] = {}

    def inactive_ranges(self, build: Build) -> Ranges:
        """The branches that are compiled in no pass; a macro that only they define takes others along."""
        cached = self._left_out.get(build)
        if cached is None:
            cached = self._left_out[build] = self._without_lost_macros(build)
        return cached

    def _without_lost_macros(self, build: Build) -> Ranges:
        ranges = Ranges(())
        for _ in range(_MOST_ROUNDS):
            ranges, after = self._uncompiled(build)
            if after == build:
                break
            build = after
        return ranges

    def lost_flags(self, gone: Ranges) -> frozenset[bytes]:
        """The macros that are defined only in these ranges."""
        defines = self._unit.lexemes.defines
        remaining = {define.text for define in defines if define.start not in gone}
        return frozenset({define.text for define in defines} - remaining)

    def _uncompiled(self, build: Build) -> tuple[Ranges, Build]:
        """The branches that are not compiled in a build, and the build with what that means for its definitions."""
        found, unsure = [], []
        for section, setting in self._settled:
            taken, certain = self._sections.compiled_and_certain(section, setting, build)
            last = max((section.branches.index(branch) for branch in taken), default=len(section.branches))
            for at, branch in enumerate(section.branches):
                if branch not in taken:  # conditions after the branch that is taken are not evaluated
                    found.append((branch.start if at > last and branch.word == b"elif" else branch.body, branch.end))
                if branch not in certain and branch not in self._sections.defaults:
                    unsure.append((branch.body, branch.end))
        gone, others = Ranges(found), Ranges(unsure)
        starts = [define.start for define in self._unit.lexemes.defines]
        return gone, build._replace(
            absent=self.lost_flags(gone),
            dropped=frozenset(start for start in starts if start in gone),
            certain=frozenset(start for start in starts if start not in others),
        )

    def required_macros(self, offset: int) -> frozenset[bytes]:
        """The unknown macros without which the code at an offset is left out."""
        if self._nesting is None:
            self._nesting = self._branch_index()
        bounds, innermost = self._nesting
        at = bisect_right(bounds, offset) - 1
        nested = innermost[at] if at >= 0 else None
        waiting: list[_NestedBranch] = []
        while nested is not None and nested.branch.start not in self._hanging:
            waiting.append(nested)
            nested = nested.around
        found = self._hanging[nested.branch.start] if nested is not None else frozenset[bytes]()
        for inner in reversed(waiting):
            found = self._hanging[inner.branch.start] = found.union(self._own_required_macros(inner))
        return found

    def _branch_index(self) -> tuple[list[int], list[_NestedBranch | None]]:
        """The offsets where a branch begins or ends, in order, and the innermost branch from each of them on."""
        every = sorted(
            ((branch, section, setting) for section, setting in self._settled for branch in section.branches),
            key=lambda entry: (entry[0].body, -entry[0].end, entry[0].start),
        )
        bounds, innermost = list[int](), list[_NestedBranch | None]()
        inside: _NestedBranch | None = None
        for entry in (*every, None):
            while inside is not None and (entry is None or inside.branch.end <= entry[0].body):
                bounds.append(inside.branch.end)
                inside = inside.around
                innermost.append(inside)
            if entry is not None:
                inside = _NestedBranch(*entry, inside)
                bounds.append(entry[0].body)
                innermost.append(inside)
        return bounds, innermost

    def _own_required_macros(self, nested: _NestedBranch) -> Iterator[bytes]:
        """The unknown macros without which a branch is left out, whatever is around it."""
        branch, section, setting, _ = nested
        for name in section.names - NUMBERS - {b"defined"}:
            if self._sections.macros.defined(name) is None and self._depends_on(name, branch, section, setting):
                yield name

    def _depends_on(self, name: bytes, branch: Branch, section: Conditional, setting: Setting) -> bool:
        """Whether a branch that may be compiled is left out if a macro is not defined."""
        if name in self._sections.macros.own:
            return False
        without = Build(absent=frozenset((name,)))
        return branch in self._sections.compiled(section, setting, ANY_BUILD) and branch not in self._sections.compiled(
            section, setting, without
        )


def _compilation(unit: Unit) -> _Compilation:
    return unit.analysis(_Compilation)
