"""CUDA's version macros where they stand for numbers."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.preprocessor.choice import choice_at, choices
from hipify_py.analysis.preprocessor.versions_tried import PLAIN, VERSIONS
from hipify_py.edits import CompositeEdit, Edit, replaced
from hipify_py.rules.base import Example, Rule, Staying
from hipify_py.rules.preprocessor.architecture import reason
from hipify_py.unit import Unit, Use

_PLAIN = frozenset({"CUDA_VERSION", "CUDART_VERSION", "__CUDART_API_VERSION"})
_OF_THE_COMPILER = "__CUDACC_VER"


class VersionComparisons(Rule):
    """`#if CUDA_VERSION >= 11000` asks for a feature; HIP's version numbers answer another question.

    A macro that is not defined counts as 0, and would silently take the branch for the oldest CUDA. The branch for the
    newest one is taken, or for the one that `--cuda` names, unless it holds what HIP lacks and an older branch does
    not. `HIP_VERSION` is above all of CUDA's numbers and stands wherever it decides the same, for the versions of the
    compiler and of the libraries too; where another number is needed, that takes the macro's place.
    """

    id = "HIP402"
    VALID = (Example("#if MY_VERSION >= 3\n#endif\n"),)
    INVALID = (
        Example(
            "#if CUDART_VERSION >= 11000\nint a;\n#endif\n",
            "#if HIP_VERSION >= 11000\nint a;\n#endif\n",
            ("HIP405",),
        ),
        Example(
            "#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 9\nint a;\n#endif\n",
            "#if defined(__HIPCC__) && HIP_VERSION >= 9\nint a;\n#endif\n",
            ("HIP405",),
        ),
        Example("int v = CUDART_VERSION;", "int v = HIP_VERSION;", ("HIP402",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Staying | CompositeEdit]:
        reported: set[int] = set()
        for use in unit.uses:
            name = use.row.name
            if use.row.kind != "macro" or (name not in _PLAIN and name.encode() not in VERSIONS):
                continue
            choice = choice_at(unit, use.start)
            if unit.lexemes.in_defined(use.start):
                if unit.lexemes.in_condition(use.start):
                    if name.startswith(_OF_THE_COMPILER):
                        yield replaced(use.start, use.end, b"__HIPCC__")
                    elif use.row.is_unsupported:  # a library's version, for which a number stands where it is compared
                        yield replaced(use.start, use.end, b"HIP_VERSION")
                continue
            value = (PLAIN if choice is None else choice.setting).value(name.encode())
            if choice is None or not unit.lexemes.in_condition(use.start):
                if name.startswith(_OF_THE_COMPILER):  # which HIP's compiler does not define
                    yield replaced(use.start, use.end, b"%d" % (value or 0))
                    yield _finding(
                        unit, use, "HIP402", f"{value or 0} takes its place, as for the CUDA that it is read as"
                    )
                elif name in _PLAIN:
                    yield _finding(unit, use, "HIP402", "HIP_VERSION is major*10000000 + minor*100000 + patch")
                continue
            if choices(unit).is_by_hip_version(use.start):
                if name not in _PLAIN:
                    yield replaced(use.start, use.end, b"HIP_VERSION")
            elif choice.setting.cuda is not None or name not in _PLAIN:
                yield replaced(use.start, use.end, b"%d" % (value or 0))
            if id(choice) not in reported:
                reported.add(id(choice))  # once a section
                yield _finding(unit, use, "HIP406" if choice.loses else "HIP405", reason(choice))


def _finding(unit: Unit, use: Use, id: str, detail: str) -> Staying:
    return Staying(unit.finding(id, use.start, name=use.row.name, library=use.row.library, detail=detail))
