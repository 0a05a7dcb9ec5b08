"""The branches of `#if` that only a compiler for AMD GPUs takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from hipify_py.analysis.preprocessor.macros import OF_CUDA, is_amd_build_macro, is_amd_macro, removed_macros
from hipify_py.core.ranges import Ranges
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
from hipify_py.frontend.unit import Unit

_OF_COMPILER = re.compile(rb"__(?:HIP|HCC|AMD|gfx|GFX)\w*|HIP_VERSION\w*")
"""Macros that hipcc or HIP's headers define (clang's InitPreprocessor and AMDGPU targets; hip_version.h)."""


class OwnBuildSection(NamedTuple):
    """A section of `#if` from `start` to `end` whose code for AMD GPUs is compiled only by builds that define `macro`.

    `has_other`: there is code for the other builds.
    """

    start: int
    end: int
    macro: bytes
    has_other: bool


class AmdBranches:
    """The conditional sections of a source in which AMD GPUs have a branch of their own.

    Attributes:
        only_amd: the code that only a compiler for AMD GPUs takes.
        beside: all branches of the sections that have such code.
        never_amd: the code that no build for AMD GPUs takes in which the author's macros are defined, or no build at
            all.
        without_macros: the part of it that a build for AMD GPUs takes in which the author's macros are not defined.
        places: the offsets where such code begins.
        own_build_sections: the sections whose code for AMD GPUs hipcc takes only if a macro of the project's own is
            defined.
    """

    def __init__(self, unit: Unit) -> None:
        self._data = unit.source.data
        self._words = unit.lexemes.words
        self._gone = removed_macros(unit)
        only_amd: list[tuple[int, int]] = []
        beside: list[tuple[int, int]] = []
        never_amd: list[tuple[int, int]] = []
        without_macros: list[tuple[int, int]] = []
        self.own_build_sections: list[OwnBuildSection] = []
        defined = {define.text for define in unit.lexemes.defines}
        for section in sections(unit.lexemes) if may_have_amd_branches(self._data) else ():
            read = [Expression(condition(self._data, branch)) for branch in section]
            macros = {name for expression in read for name in expression.names if is_amd_macro(name)}
            is_beside = bool(macros)
            own = self._not_taken(section, read, self._elsewhere, is_beside)
            others = self._not_taken(section, read, self._on_amd, is_beside)
            tested = {branch.start: expression.names for branch, expression in zip(section, read, strict=True)}
            own = [one for one in own if one not in others or not any(map(_is_of_compiler, tested[one.start]))]
            if any(map(_is_of_compiler, macros)):  # `__CUDACC__ && !__HIPCC__`: the `#else` is hipcc's, not nvcc's
                not_nvccs = self._not_taken(section, read, self._in_nvcc, is_beside)
                own += [one for one in not_nvccs if one not in own and one not in others]
            if own:
                only_amd += [(branch.body, branch.end) for branch in own]
                beside.append((section[0].start, section[-1].end))
            if not own and macros <= defined:  # none, or an include guard
                continue
            cudas = [(branch.body, branch.end) for branch in others if branch not in own]
            never_amd += cudas
            left_out = self._not_taken(section, read, self._on_amd_by_default, is_beside)
            if any(branch in left_out for branch in own):
                of_builds = sorted(filter(self._is_of_own_build, macros))
                start, end, has_other = section[0].start, section[-1].end, len(section) > len(own)
                self.own_build_sections += [OwnBuildSection(start, end, name, has_other) for name in of_builds[:1]]
            without_macros += [(branch.body, branch.end) for branch in others if branch not in (*own, *left_out)]
        self.only_amd = Ranges(only_amd)
        self.never_amd = Ranges(never_amd)
        self.without_macros = Ranges(without_macros)
        self.places = [start for start, _ in only_amd]
        self.beside = Ranges(beside)

    @property
    def has_any(self) -> bool:
        """Whether the source has such code."""
        return bool(self.places)

    @staticmethod
    def _is_of_own_build(name: bytes) -> bool:
        """Whether a project's own build for AMD GPUs defines a macro, and hipcc does not."""
        return is_amd_build_macro(name) and not _is_of_compiler(name)

    def _not_taken(
        self,
        section: Section,
        read: Sequence[Expression],
        build: Callable[[bool, bytes], int | None],
        is_beside_amd: bool,
    ) -> list[Branch]:
        """The branches of a section that are not compiled, from the first one on whose condition tests for AMD GPUs.

        Branches that test for CUDA come before it, or have an `#else` that is for AMD GPUs.
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
        """Whether a macro is CUDA's, or one by which the author selects a build for CUDA.

        The latter is beside one for AMD GPUs in its section, or has a twin by name: `LIB_WITH_HIP`.
        """
        if name in OF_CUDA:
            return True
        if b"VERSION" in name:
            return False  # a number, which HIP has as well
        if is_beside_amd and b"CUDA" in name.split(b"_"):
            return True
        twins = (name.replace(b"CUDA", twin) for twin in (b"HIP", b"ROCM")) if b"CUDA" in name else ()
        return any(is_amd_macro(twin) and twin in self._words for twin in twins)

    def _elsewhere(self, is_beside_amd: bool, name: bytes) -> int | None:
        """The value of a macro where the target is not an AMD GPU."""
        if is_amd_macro(name):
            return 0
        return 1 if name not in OF_CUDA and self._is_cuda_macro(is_beside_amd, name) else None

    def _in_nvcc(self, is_beside_amd: bool, name: bytes) -> int | None:
        """The value of a macro where nvcc compiles."""
        return 1 if name == b"__CUDACC__" else self._elsewhere(is_beside_amd, name)

    def _on_amd(self, is_beside_amd: bool, name: bytes) -> int | None:
        """The value of a macro where the author compiles for AMD GPUs."""
        if name in self._gone:
            return 0
        if is_amd_macro(name):
            return 1 if is_amd_build_macro(name) else None
        return 0 if self._is_cuda_macro(is_beside_amd, name) else None

    def _on_amd_by_default(self, is_beside_amd: bool, name: bytes) -> int | None:
        """The value of a macro where hipcc compiles, and the author's macros are not defined."""
        if name in self._gone:
            return 0
        if is_amd_macro(name):
            return int(not self._is_of_own_build(name)) if is_amd_build_macro(name) else None
        return self._elsewhere(is_beside_amd, name)


def _is_of_compiler(name: bytes) -> bool:
    return _OF_COMPILER.fullmatch(name) is not None and is_amd_macro(name)


def amd_branches(unit: Unit) -> AmdBranches:
    """The branches for AMD GPUs of a unit, computed once."""
    return unit.analysis(AmdBranches)


def own_build_includes(unit: Unit) -> list[Include]:
    """The includes that hipcc takes only if a macro is defined that the project's own build for AMD GPUs defines."""
    branches = amd_branches(unit)
    own = _own_build_branches(branches)
    return [one for one in unit.lexemes.includes if one.start in branches.only_amd and one.start in own]


def implied_macros(unit: Unit) -> frozenset[bytes]:
    """The macros for AMD GPUs that a source defines wherever hipcc compiles it: bitsandbytes' `BNB_HIP`."""
    branches = amd_branches(unit)
    own = _own_build_branches(branches)
    return frozenset(
        define.text
        for define in unit.lexemes.defines
        if define.start in branches.only_amd and define.start not in own and is_amd_build_macro(define.text)
    )


def _own_build_branches(branches: AmdBranches) -> Ranges:
    return Ranges((section.start, section.end) for section in branches.own_build_sections)
