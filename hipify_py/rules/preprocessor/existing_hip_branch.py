"""Conditions that distinguish CUDA from HIP by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.both_vendors import EITHER, HIP_MACROS, serves_both
from hipify_py.analysis.preprocessor.choice import has_own_branch
from hipify_py.core.edits import CompositeEdit, replaced
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, uses, words

_COMPILER = frozenset(
    (
        *("__CUDACC__", "__NVCC__", "__CUDA__", "__CUDA_ARCH__"),
        *("__CUDACC_RTC__", "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__"),
    )
)
_HEADERS = frozenset(
    (
        *("__cuda_cuda_h__", "__CUDA_PROFILER_API_H__", "__CUDA_RUNTIME_H__", "__CUDA_RUNTIME_API_H__"),
        *(f"__CUDA_{type}_{end}__" for type in ("BF16", "FP16", "FP8") for end in ("H", "TYPES_EXIST")),
        *("__CUDA_NO_HALF_CONVERSIONS__", "__CUDA_NO_HALF_OPERATORS__"),
    )
)
"""The macros of CUDA's headers that have counterparts in HIP's."""


class ExistingHipBranch(Rule):
    """`#ifdef __CUDACC__ ... #elif defined(__HIPCC__)` already has a branch for HIP, as its author intended.

    With CUDA's macro renamed the first branch would be HIP's too, and the second never compiled. So CUDA's macro
    keeps its name where a later branch of the same section tests for one of HIP's, and where HIP's macro is beside it
    as
    an alternative (`defined(__CUDACC__) || defined(__HIPCC__)`), where the renamed one would be a duplicate. It also
    does
    where both are required together (`defined(__CUDACC__) && defined(__HIPCC__)`), which holds for neither, and where
    the
    source defines a macro of its own for either vendor, and tests these as alternatives.
    """

    id = "existing-hip-branch"
    triggers = uses(*_COMPILER, *_HEADERS) & (facts(Fact.ELIFS) | words("elif*", *HIP_MACROS, EITHER.decode()))
    VALID = (
        Example("#ifdef __HIPCC__\nint a;\n#else\nint b;\n#endif\n"),
        Example("#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n"),
        Example("#if defined(__NVCC__) && defined(__HIPCC__)\n#error HIP on NVIDIA\n#endif\n"),
        Example("#ifdef __CUDACC__\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n"),
        Example(
            "#ifdef __CUDACC__\n#define A\n#endif\n#ifdef __HIPCC__\n#define B\n#endif\n"
            "#if defined(A) || defined(B)\n#endif\n"
        ),
    )
    INVALID = (
        Example(
            "#ifdef __CUDACC__\nint a;\n#elif defined(MINE)\nint b;\n#endif\n",
            "#ifdef __HIPCC__\nint a;\n#elif defined(MINE)\nint b;\n#endif\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[CompositeEdit]:
        for use in unit.uses:
            is_compiler = use.row.name in _COMPILER
            if not is_compiler and use.row.name not in _HEADERS:
                continue
            if serves_both(unit, use) or (is_compiler and has_own_branch(unit, use.start)):
                yield replaced(use.start, use.end, unit.source.data[use.start : use.end])  # under its own name
