"""Conditions that test for CUDA before a branch for the project's own HIP build."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from hipify_py.analysis.preprocessor.choice import choices, has_own_branch
from hipify_py.analysis.preprocessor.macros import OF_CUDA, is_amd_build_macro, is_amd_macro
from hipify_py.core.edits import Edit
from hipify_py.frontend.conditions import Branch, Expression, condition
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, uses

_DIRECTIVE = re.compile(rb"#\s*(?:if|ifdef|elif)\b[ \t]*")
_PLAIN = re.compile(rb"defined\s*(?:\(\s*\w+\s*\)|\w+)|\([^()]*\)|\w+")
_TAIL = re.compile(rb"\s*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)?\s*\Z")


class OwnHipBuild(Rule):
    """`#ifdef __CUDA_ARCH__ ... #elif defined(USE_HIP)` has a branch for the project's own HIP build.

    CUDA's macro becomes HIP's, and would select the first branch in that build as well, whose warps are CUDA's where
    the
    code around it has the author's. So the first branch is left to the builds in which the author's does not hold.
    Met in OpenMM (`USE_HIP`) and mallocMC (`BOOST_COMP_HIP`).
    """

    id = "own-hip-build"
    triggers = uses(*(name.decode() for name in OF_CUDA)) & facts(Fact.ELIFS)
    VALID = (
        Example("#if defined(USE_HIP)\nint a;\n#elif defined(MINE)\nint b;\n#endif\n"),
        Example("#if defined(MINE)\nint a;\n#elif defined(USE_HIP)\nint b;\n#endif\n"),
    )
    INVALID = (
        Example(
            "#ifdef __CUDA_ARCH__\nint a;\n#elif defined(USE_HIP)\nint b;\n#endif\n",
            "#if defined(__HIP_DEVICE_COMPILE__) && !defined(USE_HIP)\nint a;\n"
            "#elif defined(USE_HIP)\nint b;\n#endif\n",
        ),
        Example(
            "#if defined(__CUDACC__) && !A  // why\nint a;\n#elif DEVICE && COMP_HIP\nint b;\n#endif\n",
            "#if (defined(__HIPCC__) && !A) && !(DEVICE && COMP_HIP)  // why\nint a;\n"
            "#elif DEVICE && COMP_HIP\nint b;\n#endif\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        data = unit.source.data
        for section in choices(unit).sections.every:
            read = [Expression(condition(data, branch)) for branch in section]
            amds = [at for at, later in enumerate(read) if any(map(is_amd_build_macro, later.names))]
            for at, (branch, expression) in enumerate(zip(section, read, strict=True)):
                if OF_CUDA.isdisjoint(expression.names) or expression.value(_elsewhere, _elsewhere) != 0:
                    continue
                own = [read[later].text for later in amds[bisect_right(amds, at) :]]
                if own and not has_own_branch(unit, branch.start) and not any(map(is_amd_macro, expression.names)):
                    yield from _without(data, branch, own)


def _elsewhere(name: bytes) -> int | None:
    return 0 if name in OF_CUDA else None


def _without(data: bytes, branch: Branch, own: list[bytes]) -> Iterator[Edit]:
    """The edits that exclude the other conditions' builds from a branch's own."""
    directive = _DIRECTIVE.match(data, branch.start)
    tail = _TAIL.search(data, directive.end(), branch.body) if directive is not None else None
    if directive is None or tail is None:
        return
    start, end = directive.end(), tail.start()
    others = b"".join(b" && " + _negated(b" ".join(text.split())) for text in own)
    if branch.word == b"ifdef":
        yield Edit(branch.start, start, b"#if defined(")
        yield Edit(end, end, b")" + others)
    elif b"&&" in data[start:end] or b"||" in data[start:end]:
        yield Edit(start, start, b"(")
        yield Edit(end, end, b")" + others)
    else:
        yield Edit(end, end, others)


def _negated(text: bytes) -> bytes:
    return b"!" + text if _PLAIN.fullmatch(text) is not None else b"!(" + text + b")"
