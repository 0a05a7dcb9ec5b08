"""Leaves out overloads and specializations that are the same as another one in HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import added_lines
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.conditional_branches import Arms, are_exclusive, arms_at
from hipify_py.semantics.signatures import VOID_HANDLES, Signature, signatures_of

_REST_OF_LINE = re.compile(rb"[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*)?(?:\r?\n|\Z)")


class _Definition(NamedTuple):
    signature: Signature
    arms: Arms


class MergedOverloads(Rule):
    """A function for `cudaError_t` and one for `CUresult` take the same `hipError_t`: HIP has one type for both.

    The second definition goes into an `#if 0`, and calls with either type reach the first one. The same holds for
    template specialisations and class members. Handles of libraries that are `void *` in HIP need different code, so
    neither definition can serve for both. (amgcl's deleters have one for each of cuSPARSE's descriptors.)
    """

    id = "HIP134"
    reports = ("HIP135",)
    triggers = facts(Fact.MERGED_TYPES) | words(
        "CUdeviceptr",
        "cu*ExternalMemory*",
        "cu*ExternalSemaphore*",
        "cublas*Handle_t",
        "cusolver*",
        "cusparse*",
        "*jInfo_t",
    )
    VALID = (
        Example("void f(hipError_t e) {}\nvoid f(hipStream_t s) {}\n"),
        Example("void f(int e);\nvoid f(int e) {}\n"),
    )
    INVALID = (
        Example(
            "void f(cudaError_t e) {}\nvoid f(CUresult e) {}\n",
            "void f(hipError_t e) {}\n#if 0  // CUresult is hipError_t, as cudaError_t is\n"
            "void f(hipError_t e) {}\n#endif\n",
            ("HIP134",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        signatures = signatures_of(unit)
        remaining: dict[bytes, list[_Definition]] = {}
        for signature, arms in zip(signatures, arms_at(unit, [one.start for one in signatures]), strict=True):
            definition = _Definition(signature, arms)
            others = remaining.setdefault(signature.hip, [])
            first = next((other for other in others if _collide(other, definition)), None)
            if first is None:
                others.append(definition)
            elif definition.arms[: len(first.arms)] == first.arms:
                yield from _leave_out(unit, definition, first)
            elif first.arms[: len(definition.arms)] == definition.arms:
                others[others.index(first)] = definition
                yield from _leave_out(unit, first, definition)
            else:
                yield _finding(unit, "HIP135", definition, first)


def _collide(one: _Definition, other: _Definition) -> bool:
    """Whether two definitions differ in CUDA, and define the same in HIP."""
    return one.signature.cuda != other.signature.cuda and not are_exclusive(one.arms, other.arms)


def _leave_out(unit: Unit, definition: _Definition, first: _Definition) -> Iterator[Edit | Finding]:
    is_same = _handles(definition).keys() == _handles(first).keys()
    lines = _whole_lines(unit, definition.signature) if is_same else None
    if lines is None:
        yield _finding(unit, "HIP135", definition, first)
        return
    name, other, target = _types(definition, first)
    yield added_lines(unit, lines[0], f"#if 0  // {name} is {target}, as {other} is".encode())
    yield added_lines(unit, lines[1], b"#endif")
    yield _finding(unit, "HIP134", definition, first)


def _handles(definition: _Definition) -> dict[str, str]:
    """The handles of libraries that a definition is for, with CUDA's names: it is not right for other ones."""
    uses = definition.signature.uses
    return {str(use.row.hip): use.row.name for use in uses if str(use.row.hip).encode() in VOID_HANDLES}


def _whole_lines(unit: Unit, signature: Signature) -> tuple[int, int] | None:
    """The lines of a definition; None where it shares one with other code."""
    data, (start, end, *_) = unit.source.data, signature
    first = unit.source.line_bounds(start)[0]
    rest = _REST_OF_LINE.match(data, end)
    return None if data[first:start].strip() or rest is None else (first, rest.end())


def _types(definition: _Definition, first: _Definition) -> tuple[str, str, str]:
    """The types that distinguish two definitions in CUDA, and what they both are in HIP."""
    if not definition.signature.uses:  # a C++ type, which is the HIP name of one of CUDA's
        row = first.signature.uses[0].row
        return "void *", row.name, str(row.hip)
    here, other = _handles(definition), _handles(first)
    if here.keys() != other.keys():
        names = next(iter(here.values()), "void *"), next(iter(other.values()), "void *")
        return *names, "void *"
    there = [use.row.name for use in first.signature.uses]
    use = next((use for use in definition.signature.uses if use.row.name not in there), definition.signature.uses[0])
    same = (other.row.name for other in first.signature.uses if other.row.hip == use.row.hip)
    target = str(use.row.hip)
    return use.row.name, next(same, "void *"), target


def _finding(unit: Unit, id: str, definition: _Definition, first: _Definition) -> Finding:
    name, other, target = _types(definition, first)
    line, _ = unit.source.position(first.signature.start)
    return unit.finding(
        id,
        definition.signature.start,
        name=name,
        library=(*definition.signature.uses, *first.signature.uses)[0].row.library,
        target=target,
        first=other,
        detail=f"line {line}",
    )
