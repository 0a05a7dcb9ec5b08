"""Conditions that tell CUDA from HIP by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.edits import Reshape, replaced
from hipify_py.rules.base import Example, Rule, Staying
from hipify_py.rules.preprocessor.choice import has_own_branch
from hipify_py.unit import Unit

_COMPILER = frozenset(("__CUDACC__", "__NVCC__", "__CUDA__", "__CUDA_ARCH__"))


class OwnBranch(Rule):
    """`#ifdef __CUDACC__ ... #elif defined(__HIPCC__)` has a branch for HIP already, which whoever wrote it wanted.

    With CUDA's macro renamed the first branch would be HIP's too, and the second never compiled. So CUDA's macro
    keeps its name where a later branch of the same section asks for one of HIP's.
    """

    id = "HIP407"
    VALID = (Example("#ifdef __HIPCC__\nint a;\n#else\nint b;\n#endif\n"),)
    INVALID = (
        Example("#ifdef __CUDACC__\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n", findings=("HIP407",)),
        Example(
            "#ifdef __CUDACC__\nint a;\n#elif defined(MINE)\nint b;\n#endif\n",
            "#ifdef __HIPCC__\nint a;\n#elif defined(MINE)\nint b;\n#endif\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Staying | Reshape]:
        for use in unit.uses:
            if use.row.name in _COMPILER and has_own_branch(unit, use.start):
                yield replaced(use.start, use.end, unit.source.data[use.start : use.end])
                yield Staying(unit.finding("HIP407", use.start, name=use.row.name, library=use.row.library))
