"""The branches of `#if` that only a compiler for AMD GPUs takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from hipify_py.analysis.preprocessor.macros import OF_CUDA, is_amd_build_macro, is_amd_macro
from hipify_py.frontend.conditions import (
    Branch,
    Expression,
    Macro,
    Section,
    condition,
    may_have_amd_branches,
    sections,
)
from hipify_py.frontend.lexer import Include
from hipify_py.ranges import Ranges
from hipify_py.unit import Unit

_OF_COMPILER = re.compile(rb"__(?:HIP|HCC|AMD|gfx|GFX)\w*|HIP_VERSION\w*")
"""Macros that hipcc or HIP's headers define (clang's InitPreprocessor and AMDGPU targets; hip_version.h)."""


class AmdBranches:
    """The conditional sections of a source in which AMD GPUs have a branch of their own.

    Attributes:
        only_amd: the code that only a compiler for AMD GPUs takes.
        beside: all branches of the sections that have such code.
        never_amd: the code that no build for AMD GPUs takes in which the author's macros are defined.
        without_macros: that of it which a build for AMD GPUs takes in which the author's macros are not defined.
        places: where such code begins.
        of_own_builds: where a section begins and ends whose code for AMD GPUs hipcc takes only if a macro of the
            project's own is defined, and that macro.
    """

    def __init__(self, unit: Unit) -> None:
        self._data = unit.source.data
        self._words = unit.lexemes.words
        only_amd: list[tuple[int, int]] = []
        beside: list[tuple[int, int]] = []
        never_amd: list[tuple[int, int]] = []
        without_macros: list[tuple[int, int]] = []
        self.of_own_builds: list[tuple[int, int, bytes]] = []
        defined = {define.text for define in unit.lexemes.defines}
        for section in sections(unit.lexemes) if may_have_amd_branches(self._data) else ():
            read = [Expression(condition(self._data, branch)) for branch in section]
            macros = {name for expression in read for name in expression.names if is_amd_macro(name)}
            is_beside = bool(macros)
            own = self._not_taken(section, read, self._elsewhere, is_beside)
            if own:
                only_amd += [(branch.body, branch.end) for branch in own]
                beside.append((section[0].start, section[-1].end))
            if not own and macros <= defined:  # none, or an include guard
                continue
            others = self._not_taken(section, read, self._on_amd, is_beside)
            cudas = [(branch.body, branch.end) for branch in others if branch not in own]
            never_amd += cudas
            left_out = self._not_taken(section, read, self._on_amd_by_default, is_beside)
            if any(branch in left_out for branch in own):
                of_builds = sorted(filter(self._is_of_own_build, macros))
                self.of_own_builds += [(section[0].start, section[-1].end, name) for name in of_builds[:1]]
            without_macros += [(branch.body, branch.end) for branch in others if branch not in (*own, *left_out)]
        self.only_amd = Ranges(only_amd)
        self.never_amd = Ranges(never_amd)
        self.without_macros = Ranges(without_macros)
        self.places = [start for start, _ in only_amd]
        self.beside = Ranges(beside)

    @property
    def has_any(self) -> bool:
        """The source has such code."""
        return bool(self.places)

    @staticmethod
    def _is_of_own_build(name: bytes) -> bool:
        """A project's own build for AMD GPUs defines a macro, and hipcc does not."""
        return is_amd_build_macro(name) and _OF_COMPILER.fullmatch(name) is None

    def _not_taken(
        self,
        section: Section,
        read: Sequence[Expression],
        build: Callable[[bool, bytes], int | None],
        is_beside_amd: bool,
    ) -> list[Branch]:
        """The branches of a section that are not compiled, from the first one on whose condition asks for AMD GPUs.

        What asks for CUDA stands in front of that, or has an `#else` that is for AMD GPUs.
        """
        found, is_taken, asks_amd = [], False, False
        macro: Macro = partial(build, is_beside_amd)
        for branch, expression in zip(section, read, strict=True):
            names = expression.names
            asks_amd = asks_amd or any(is_amd_macro(name) or self._is_cuda_macro(is_beside_amd, name) for name in names)
            value = expression.value(macro, macro)
            if asks_amd and (value == 0 or is_taken):
                found.append(branch)
            is_taken = is_taken or bool(value)
        return found

    def _is_cuda_macro(self, is_beside_amd: bool, name: bytes) -> bool:
        """A macro is CUDA's, or one by which the author says that a build is for it.

        Such a one stands beside one for AMD GPUs in its section, or has a twin by name: `LIB_WITH_HIP`.
        """
        if name in OF_CUDA:
            return True
        if is_beside_amd and b"CUDA" in name.split(b"_") and b"VERSION" not in name:
            return True
        twins = (name.replace(b"CUDA", twin) for twin in (b"HIP", b"ROCM")) if b"CUDA" in name else ()
        return any(is_amd_macro(twin) and twin in self._words for twin in twins)

    def _elsewhere(self, is_beside_amd: bool, name: bytes) -> int | None:
        """What a macro comes to where nobody compiles for AMD GPUs."""
        if is_amd_macro(name):
            return 0
        return 1 if name not in OF_CUDA and self._is_cuda_macro(is_beside_amd, name) else None

    def _on_amd(self, is_beside_amd: bool, name: bytes) -> int | None:
        """What a macro comes to where the author compiles for AMD GPUs."""
        if is_amd_macro(name):
            return 1 if is_amd_build_macro(name) else None
        return 0 if self._is_cuda_macro(is_beside_amd, name) else None

    def _on_amd_by_default(self, is_beside_amd: bool, name: bytes) -> int | None:
        """What a macro comes to where hipcc compiles, and nobody has defined the author's macros."""
        if is_amd_macro(name):
            return int(not self._is_of_own_build(name)) if is_amd_build_macro(name) else None
        return self._elsewhere(is_beside_amd, name)


def amd_branches(unit: Unit) -> AmdBranches:
    """The branches for AMD GPUs of a unit, found once."""
    return unit.analysis(AmdBranches)


def own_build_includes(unit: Unit) -> list[Include]:
    """The includes that hipcc takes only if a macro is defined that the project's own build for AMD GPUs defines."""
    branches = amd_branches(unit)
    sections = Ranges((start, end) for start, end, _ in branches.of_own_builds)
    return [one for one in unit.lexemes.includes if one.start in branches.only_amd and one.start in sections]
