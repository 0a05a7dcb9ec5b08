"""The branches of `#if` that only a compiler for AMD GPUs takes."""

from __future__ import annotations

from functools import lru_cache

from hipify_py.frontend.conditions import Branch, Expression, Section, condition, sections
from hipify_py.ranges import Ranges
from hipify_py.unit import Unit

_OF_AMD = frozenset((b"AMD", b"AMDGCN", b"AMDGPU", b"HCC", b"HIP", b"HIPCC", b"ROCM"))
_NOT_OF_AMD = frozenset((b"NVIDIA", b"NVCC", b"NO", b"NOT", b"DISABLE", b"WITHOUT"))
_HINTS = (b"AMD", b"HIP", b"ROCM", b"HCC", b"__gfx")


@lru_cache(maxsize=1024)
def is_amd_macro(name: bytes) -> bool:
    """A macro of this name is defined where somebody compiles for AMD GPUs, and only there.

    The compiler's own (`__HIP_PLATFORM_AMD__`, `__AMDGCN__`, `__gfx942__`) and those that projects choose in the same
    way (`USE_ROCM`, `GGML_USE_HIP`).
    """
    words = frozenset(name.strip(b"_").upper().split(b"_"))
    return name.startswith(b"__gfx") or (not words.isdisjoint(_OF_AMD) and words.isdisjoint(_NOT_OF_AMD))


def may_have_amd_branches(data: bytes) -> bool:
    """False only for a text without a condition that asks for AMD GPUs."""
    return any(hint in data for hint in _HINTS)


class AmdBranches:
    """The conditional sections of a source in which AMD GPUs have a branch of their own.

    Attributes:
        only_amd: the code that only a compiler for AMD GPUs takes.
        beside: all branches of the sections that have such code.
        places: where such code begins.
    """

    def __init__(self, unit: Unit) -> None:
        self._data = unit.source.data
        only_amd: list[tuple[int, int]] = []
        beside: list[tuple[int, int]] = []
        for section in sections(unit.lexemes) if may_have_amd_branches(self._data) else ():
            own = self._own(section)
            if own:
                only_amd += [(branch.body, branch.end) for branch in own]
                beside.append((section[0].start, section[-1].end))
        self.only_amd = Ranges(only_amd)
        self.places = [start for start, _ in only_amd]
        self.beside = Ranges(beside)

    @property
    def has_any(self) -> bool:
        """The source has such code."""
        return bool(self.places)

    def _own(self, section: Section) -> list[Branch]:
        """The branches of a section that are not compiled where no macro of AMD's is defined."""
        found, is_taken, asks_amd = [], False, False
        for branch in section:
            expression = Expression(condition(self._data, branch))
            asks_amd = asks_amd or any(map(is_amd_macro, expression.names))
            value = expression.value(_elsewhere, _elsewhere)
            if asks_amd and (value == 0 or is_taken):
                found.append(branch)
            is_taken = is_taken or bool(value)
        return found


def _elsewhere(name: bytes) -> int | None:
    """What a macro comes to where nobody compiles for AMD GPUs."""
    return 0 if is_amd_macro(name) else None


def amd_branches(unit: Unit) -> AmdBranches:
    """The branches for AMD GPUs of a unit, found once."""
    return unit.analysis(AmdBranches)
