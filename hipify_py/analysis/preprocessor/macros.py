"""The values of macros where a source is compiled for AMD GPUs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from hipify_py.analysis.preprocessor.versions_tried import (
    ARCHITECTURE,
    HIP_VERSION,
    NUMBERS,
    STAND_INS,
    Setting,
    nccl_macros,
)
from hipify_py.core.targeting import NEWEST_ROCM, version
from hipify_py.frontend.conditions import Macro
from hipify_py.frontend.lexer import Define
from hipify_py.frontend.unit import Unit

OF_CUDA = frozenset((b"__CUDACC__", b"__NVCC__", b"__CUDA__", ARCHITECTURE))
"""CUDA's names for the compiler."""
_OF_DEVICE = frozenset((b"__HIP_DEVICE_COMPILE__", b"__AMDGCN__", ARCHITECTURE))  # defined in the device pass only
_DEFINED_BY_HIP = (_OF_DEVICE | OF_CUDA).union(
    (
        b"__HIP__",
        b"__HIPCC__",
        b"__HIP_PLATFORM_AMD__",
        b"__HIP_PLATFORM_HCC__",
        b"__clang__",
        b"HIP_VERSION",
        b"__LP64__",
    )
)
_NOT_DEFINED = frozenset((b"_MSC_VER", b"_WIN32", b"_WIN64", b"__HIP_PLATFORM_NVIDIA__", b"__HIP_PLATFORM_NVCC__"))
_OF_HCC, _WITHOUT_HCC = frozenset((b"__HIP_PLATFORM_HCC__",)), "6.0"
"""What HIP's headers defined up to ROCm 5.7 (hip_common.h), and the first ROCm without it."""
_OF_AMD = frozenset(
    (
        *(b"AMD", b"AMDGCN", b"AMDGPU", b"HCC", b"HIP", b"HIPCC", b"ROCM"),
        *(b"HIPBLAS", b"HIPCUB", b"HIPFFT", b"HIPRAND", b"HIPSPARSE", b"MIOPEN", b"RCCL", b"ROCBLAS", b"ROCPRIM"),
    )
)
_NOT_OF_AMD = frozenset((b"NVIDIA", b"NVCC", b"NO", b"NOT", b"DISABLE", b"WITHOUT"))
_OF_SOME_GPUS = re.compile(rb"(?i)gfx|[rc]dna|mfma|wmma|wave|version|avail|support|fp8|arch")
_VERSIONS = {
    b"HIP_VERSION": HIP_VERSION,
    b"HIPCUB_VERSION": STAND_INS[b"CUB_VERSION"][1],
    b"THRUST_MAJOR_VERSION": 2,  # rocThrust has its own macros of these names
    b"THRUST_MINOR_VERSION": 8,
}
_GENERATIONS = {
    b"BLACKWELL": 1000, b"HOPPER": 900, b"ADA": 890, b"AMPERE": 800, b"TURING": 750, b"VOLTA": 700, b"DP4A": 610,
    b"PASCAL": 600, b"MAXWELL": 500, b"KEPLER": 300,
}  # fmt: skip
_GENERATION = re.compile(rb"(?:^|_)(" + b"|".join(_GENERATIONS) + rb")(?:$|_)", re.IGNORECASE)
_INTEGER = re.compile(rb"(?:\s|\\\r?\n)*\(?\s*(\d{1,9})\s*\)?\s*\Z")


class Build(NamedTuple):
    """The way in which a source is compiled.

    Attributes:
        is_hip_build: the macros that select a project's own build for HIP are defined.
        passes: the passes that count: True for the device's, False for the host's.
        absent: macros of the source whose definitions are all left out.
        dropped: the offsets of definitions that are left out.
        certain: the offsets of definitions that are compiled, whatever unknown macros are.
    """

    is_hip_build: bool = False
    passes: tuple[bool, ...] = (True, False)
    absent: frozenset[bytes] = frozenset()
    dropped: frozenset[int] = frozenset()
    certain: frozenset[int] = frozenset()


ANY_BUILD = Build()
"""Both passes, with nothing known of the project's build."""
HIP_BUILD = Build(is_hip_build=True)


@lru_cache(maxsize=1024)
def is_amd_macro(name: bytes) -> bool:
    """Whether a macro of this name is defined exactly where the target is an AMD GPU.

    These are the compiler's own (`__HIP_PLATFORM_AMD__`, `__AMDGCN__`, `__gfx942__`) and those that projects use in the
    same way (`USE_ROCM`, `GGML_USE_HIP`).
    """
    words = frozenset(name.strip(b"_").upper().split(b"_"))
    return name.startswith(b"__gfx") or (not words.isdisjoint(_OF_AMD) and words.isdisjoint(_NOT_OF_AMD))


@lru_cache(maxsize=1024)
def is_amd_build_macro(name: bytes) -> bool:
    """Whether every build for AMD GPUs defines a macro of this name.

    Others distinguish AMD GPUs or versions of HIP: OpenMM's `AMD_RDNA`, llama.cpp's `AMD_MFMA_AVAILABLE`.
    """
    return is_amd_macro(name) and _OF_SOME_GPUS.search(name) is None


def removed_macros(unit: Unit) -> frozenset[bytes]:
    """The macros of HIP that the chosen ROCm no longer defines."""
    is_past = version(unit.catalog.targeting.rocm or NEWEST_ROCM) >= version(_WITHOUT_HCC)
    return _OF_HCC if is_past else frozenset()


class Macros:
    """The macros of one unit: its own, the compiler's, and others as far as their names show what they mean."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._removed = removed_macros(unit)
        self._versions = {**_VERSIONS, **nccl_macros(unit.catalog.targeting.rocm)}
        self._undefined = frozenset(define.text for define in unit.lexemes.undefs)
        self.own: dict[bytes, list[tuple[int, int | None]]] = {}
        """The macros that the source defines: the offset of each definition, and the number that it consists of."""
        self.always: frozenset[int] = frozenset()
        """The offsets of the definitions that no condition is around."""
        for define in unit.lexemes.defines:
            self.own.setdefault(define.text, []).append((define.start, self._number(define)))

    def _number(self, define: Define) -> int | None:
        """The number that a definition consists of; None for any other definition."""
        lexemes = self._unit.lexemes
        match = _INTEGER.match(lexemes.code(define.end, lexemes.body_end(define)))
        return int(match[1]) if match is not None else None

    def value(self, name: bytes, build: Build = ANY_BUILD) -> int | None:
        """The numeric value of a name: 0 where it is not defined, None where it is unknown."""
        if name in build.absent:
            return 0
        if name in self._versions:
            return self._versions[name]
        if name in self.own:
            return self._own_value(name, build)
        generation = _GENERATION.search(name)
        return _GENERATIONS[generation[1].upper()] if generation else self.defined(name, build)

    def _own_value(self, name: bytes, build: Build) -> int | None:
        """The number that all definitions give to a macro; one that may be missing is 0 without them."""
        places = [(start, number) for start, number in self.own[name] if start not in build.dropped]
        numbers = {number for _, number in places}
        if len(numbers) != 1 or (len(places) > 1 and name in self._undefined):
            return None
        number = numbers.pop()
        return number if number == 0 or any(self._is_certain(start, build) for start, _ in places) else None

    def _is_certain(self, start: int, build: Build) -> bool:
        return start in self.always or start in build.certain

    def defined(self, name: bytes, build: Build = ANY_BUILD, place: int = 0) -> int | None:
        """1 for a name that is defined, 0 for one that is not, None where it is unknown.

        A definition of the source's own counts from its offset on, for a name that nothing undefines.
        """
        if name in self._removed:
            return 0
        if name in _DEFINED_BY_HIP or (build.is_hip_build and is_amd_build_macro(name)):
            return 1
        if name in build.absent or name in _NOT_DEFINED:
            return 0
        if name not in self._undefined and any(
            start < place and self._is_certain(start, build) for start, _ in self.own.get(name, ())
        ):
            return 1
        row = self._unit.catalog.row(name)
        if row is None:
            family = self._unit.catalog.family(name.decode())
            return 0 if family is not None and family.library == "cutlass" else None
        if any(macro.name == name for macro in self._unit.project.macros) or self._unit.lexemes.definitions(name):
            return None
        return 0 if row.kind == "macro" and row.is_unsupported else None

    def in_condition(
        self, setting: Setting, build: Build, *, is_device: bool, is_beside_own: bool, place: int = 0
    ) -> tuple[Macro, Macro]:
        """Two functions: the value of a name in a condition at a place, and whether it is defined there.

        With `is_beside_own`, the condition is CUDA's beside one of HIP's own, so that CUDA's names are not defined.
        """
        absent = (frozenset() if is_device else _OF_DEVICE) | (OF_CUDA if is_beside_own else frozenset())

        def value(name: bytes) -> int | None:
            return 0 if name in absent else setting.value(name) if name in NUMBERS else self.value(name, build)

        def defined(name: bytes) -> int | None:
            return 0 if name in absent else 1 if name in NUMBERS else self.defined(name, build, place)

        return value, defined
