"""`dim3`, `uint3` and the built-in variables where one stands for another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.edits import Edit
from hipify_py.findings import Finding
from hipify_py.rules.base import Example, Rule
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.variables import Variables
from hipify_py.unit import Unit

_BUILT_IN = rb"threadIdx|blockIdx|blockDim|gridDim"
_MAKERS = {b"dim3": b"dim3", b"uint3": b"make_uint3"}
_LAUNCHERS = (b"cudaLaunchKernel", b"cudaLaunchCooperativeKernel")
_VALUE = re.compile(
    rb"\b(dim3|uint3)\s+(?:const\s+)?(?:&\s*)?(\w+)\s*(?:=\s*|[({]\s*)(make_uint3(?=\s*\()|[A-Za-z_]\w*(?=\s*[,;)}]))"
)
_TEMPORARY = re.compile(rb"(?<![\w.:>])(dim3)\s*\(\s*(make_uint3(?=\s*\()|[A-Za-z_]\w*(?=\s*\)))")
_ASSIGNED = re.compile(rb"(?<![\w.>])([A-Za-z_]\w*)\s*=\s*(make_uint3(?=\s*\()|[A-Za-z_]\w*(?=\s*;))")
_RETURNED = re.compile(rb"\bdim3\s+\w+\s*\([^(){};]*\)\s*(?:const\s*)?\{[^{}]{0,400}?\breturn\s+(make_uint3)\s*\(")
_TAKES = re.compile(
    rb"(?<![\w.>])([A-Za-z_]\w*)\s*\(([^(){};]{0,1000}\b(?:uint3|dim3)\b[^(){};]{0,1000})\)\s*(?:const\s*)?[;{]"
)
_NAME_OR_MAKER = re.compile(rb"make_uint3(?=\s*\()|[A-Za-z_]\w*\Z")
_PARAMETER_TYPE = re.compile(rb"\b(uint3|dim3)\b\s*(?:const\s*)?&?\s*\w*\s*(?:=.*)?\Z", re.DOTALL)


class IndexTypes(Rule):
    """CUDA's `dim3` and `uint3` convert into each other, and `threadIdx` and `blockIdx` are of type `uint3`.

    In HIP nothing converts to `uint3`, and the built-in variables convert to `dim3` only. Where a declaration, an
    assignment, a launch or an argument of a function of the same file needs the other type, it is spelled out.
    """

    id = "HIP125"
    VALID = (
        Example("__global__ void k() { dim3 b = blockDim; uint3 u = make_uint3(1, 2, 3); }"),
        Example("__device__ int f(dim3 d);\n__global__ void k() { f(threadIdx); }"),
    )
    INVALID = (
        Example("dim3 g = make_uint3(1, 2, 3);", "dim3 g = dim3(1, 2, 3);", ("HIP125",)),
        Example(
            "__global__ void k() { uint3 t = threadIdx; }",
            "__global__ void k() { uint3 t = make_uint3(threadIdx.x, threadIdx.y, threadIdx.z); }",
            ("HIP125",),
        ),
        Example(
            "__device__ int f(uint3 t);\n__global__ void k() { f(blockIdx); }",
            "__device__ int f(uint3 t);\n__global__ void k() { f(make_uint3(blockIdx.x, blockIdx.y, blockIdx.z)); }",
            ("HIP125",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        known = Variables(unit, frozenset(_MAKERS))
        done: set[int] = set()
        for start, end, wanted in _places(unit, known):
            value = unit.source.data[start:end]
            if start in done or not _needs(unit, known, value, start, wanted):
                continue
            done.add(start)
            yield _spelled(value, start, end, wanted)
            yield unit.finding(
                "HIP125", start, name=value.decode(errors="replace"), library="device", target=_MAKERS[wanted].decode()
            )


def _places(unit: Unit, known: Variables) -> Iterator[tuple[int, int, bytes]]:
    """Where a value of one of the types is asked for: its range, and the type."""
    data = unit.source.data
    for match in _VALUE.finditer(data):
        yield (*match.span(3), match[1])
    for match in _TEMPORARY.finditer(data):
        yield (*match.span(2), b"dim3")
    for match in _RETURNED.finditer(data):
        yield (*match.span(1), b"dim3")
    for match in _ASSIGNED.finditer(data):
        wanted = known.type_at(match[1], match.start(1)) if known else None
        if wanted is not None:
            yield (*match.span(2), wanted)
    yield from _configurations(unit)
    yield from _arguments(unit)


def _configurations(unit: Unit) -> Iterator[tuple[int, int, bytes]]:
    from hipify_py.semantics.launches import Launch, launches_of

    for launch in launches_of(unit):
        for start, end in launch.configuration[:2] if isinstance(launch, Launch) else ():
            maker = _NAME_OR_MAKER.match(unit.source.data, start, end)
            if maker is not None:
                yield (start, maker.end(), b"dim3")


def _arguments(unit: Unit) -> Iterator[tuple[int, int, bytes]]:
    data = unit.source.data
    wanted: dict[bytes, dict[int, bytes]] = {name: {1: b"dim3", 2: b"dim3"} for name in _LAUNCHERS if name in data}
    for match in _TAKES.finditer(data):
        types = {
            position: found[1]
            for position, parameter in enumerate(match[2].split(b","))
            if (found := _PARAMETER_TYPE.search(parameter)) is not None
        }
        if types:
            wanted.setdefault(match[1], types)
    if not wanted:
        return
    names = re.compile(rb"(?<![\w.>])(?:" + b"|".join(map(re.escape, wanted)) + rb")(?=\s*\()")
    for name in names.finditer(data):
        call = call_at(unit, name.end()) if unit.lexemes.non_code_at(name.start()) is None else None
        if call is None:
            continue
        for position, type in wanted[name[0]].items():
            if position < len(call.arguments):
                start, end = call.arguments[position]
                maker = _NAME_OR_MAKER.match(data, start, end)
                if maker is not None:
                    yield (start, maker.end(), type)


def _needs(unit: Unit, known: Variables, value: bytes, start: int, wanted: bytes) -> bool:
    """The value is of the other type, and HIP does not convert it."""
    if unit.lexemes.non_code_at(start) is not None:
        return False
    if value == b"make_uint3":
        return wanted == b"dim3"
    if re.fullmatch(_BUILT_IN, value):
        return wanted == b"uint3"
    type = known.type_at(value, start) if known else None
    return type is not None and type != wanted


def _spelled(value: bytes, start: int, end: int, wanted: bytes) -> Edit:
    if value == b"make_uint3":
        return Edit(start, end, b"dim3")
    elements = b", ".join(value + b"." + element for element in (b"x", b"y", b"z"))
    return Edit(start, end, _MAKERS[wanted] + b"(" + elements + b")")
