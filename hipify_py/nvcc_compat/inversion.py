"""Inverts the tables: the CUDA name of a HIP name, and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from hipify_py.catalog import Catalog, Row
from hipify_py.catalog.targeting import NEWEST_CUDA, version

_NAME = re.compile(r"[A-Za-z_]\w*")
_TARGET = re.compile(r"(?:__|make_)?(?:hip|HIP|roctx|rccl|RCCL|miopen|MIOPEN)\w*")
_HARMLESS = re.compile(r"HIP_SYMBOL\(\{\}\)|(?:reinterpret|const|static)_cast<[^{}]*>\(\{\}\)|\([^{}]*\*\)\(?\{\}\)?")
_STATUS = "driver"  # its functions return a type of their own, where HIP has one for both interfaces
_CONVERSION = "hipify_driver"  # makes the driver's parameters from HIP's arguments (parts/driver.h)
_BEST_FIRST = ("runtime", "device", "math", "complex", "fp16", "bf16", "fp8")


class Inverse(NamedTuple):
    """The definition of a HIP name: `row` is the CUDA symbol, `line` its definition for the preprocessor."""

    hip: str
    row: Row
    line: str


class Inversion(NamedTuple):
    """The inversion of a whole catalog.

    Attributes:
        defined: the HIP names that have a definition, in alphabetical order.
        without_definition: those that have none, and the reasons.
    """

    defined: list[Inverse]
    without_definition: list[tuple[str, Row, str]]


def invert(catalog: Catalog, without: Iterable[str] = ()) -> Inversion:
    """Invert the tables for the CUDA of the catalog's targeting; `without` names need no definition.

    Sources may have been translated for any ROCm: a name that only others than the chosen one have is defined, too. Of
    several CUDA names for one HIP name the one is chosen that needs no edits, exists and is not deprecated, of the
    runtime before the driver, and has HIP's spelling.
    """
    own, of_others = _by_target(catalog, catalog.rows()), _by_target(catalog, catalog.rows_for_other_rocms())
    chosen = version(catalog.targeting.cuda or NEWEST_CUDA)
    inversion = Inversion([], [])
    for hip in sorted({*own, *of_others} - set(without)):
        exists = [row for row in own.get(hip, ()) if not _is_missing(row, chosen)]
        candidates = exists or [*own.get(hip, ()), *of_others.get(hip, ())]
        if all(map(_obstacle, candidates)):  # another ROCm may have it with CUDA's arguments
            candidates += (row for row in of_others.get(hip, ()) if not _is_missing(row, chosen))
        row = min(candidates, key=lambda row: _rank(row, chosen))
        obstacle = _obstacle(row)
        if obstacle:
            inversion.without_definition.append((hip, row, obstacle))
        else:
            inversion.defined.append(Inverse(hip, row, _definition(hip, row)))
    return inversion


def _by_target(catalog: Catalog, rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.kind not in ("header", "namespace", "member") and _can_invert(catalog, row):
            found.setdefault(str(row.hip), []).append(row)
    return found


def _can_invert(catalog: Catalog, row: Row) -> bool:
    """Whether the target is a name of HIP's own: not one that CUDA or C++ has as well, nor an expression."""
    hip = row.hip
    return bool(
        hip
        and not row.is_standard
        and _TARGET.fullmatch(hip)
        and _NAME.fullmatch(row.name)
        and not _is_hip_name(catalog, hip)
    )


def _is_hip_name(catalog: Catalog, hip: str) -> bool:
    row = catalog.row(hip.encode())
    return row is not None and row.is_native


def _is_missing(row: Row, chosen: tuple[int, int]) -> bool:
    """Whether the chosen CUDA has no such name."""
    bounds = row.details.get("cuda", {})
    return version(bounds.get("added", "0.0")) > chosen or _is_reached(bounds.get("removed"), chosen)


def _rank(row: Row, chosen: tuple[int, int]) -> tuple[Any, ...]:
    library = _BEST_FIRST.index(row.library) if row.library in _BEST_FIRST else len(_BEST_FIRST)
    return (
        _is_missing(row, chosen),
        library if row.library != _STATUS else len(_BEST_FIRST) + 1,
        bool(_obstacle(row)),
        _is_reached(row.details.get("cuda", {}).get("deprecated"), chosen),
        any(key in row.details for key in ("order", "insert")),
        _bare(row.name) != _bare(str(row.hip)),
        len(row.name),
        row.name,
    )


def _bare(name: str) -> str:
    """A name without what distinguishes HIP's from CUDA's."""
    return re.sub(r"cuda|cu|hip|nv", "", name.lower(), count=1)


def _is_reached(bound: str | None, chosen: tuple[int, int]) -> bool:
    return bound is not None and version(bound) <= chosen


def _obstacle(row: Row) -> str:
    """Why a HIP call cannot become the CUDA call that it came from; empty where it can."""
    if row.differs:
        return "the arguments differ"
    edits = [
        text for text in row.details.get("args", {}).values() if text is None or not _HARMLESS.fullmatch(str(text))
    ]
    if edits:
        return "an argument is replaced or left out on the way to HIP"
    order = row.details.get("order")
    if order and sorted(order) != list(range(len(order))):
        return "an argument is left out on the way to HIP"
    if "insert" in row.details and any("{" in str(text) for text in row.details["insert"].values()):
        return "an argument is made from another"
    return ""


def _definition(hip: str, row: Row) -> str:
    order, insert = row.details.get("order"), row.details.get("insert")
    if order:
        names = [f"a{position}" for position in range(len(order))]
        back = [names[order.index(position)] for position in range(len(order))]
        return f"#define {hip}({', '.join(names)}) {_call(row, ', '.join(back))}"
    if insert:
        names, kept = _split_inserted({int(position): str(text) for position, text in insert.items()})
        return f"#define {hip}({', '.join(names)}, ...) {_call(row, ', '.join(kept) + ', ##__VA_ARGS__')}"
    if row.library == _STATUS and row.kind == "function":
        return f"#define {hip}(...) {_call(row, '__VA_ARGS__')}"
    return f"#define {hip} {row.name}"


def _call(row: Row, arguments: str) -> str:
    return f"({_CONVERSION}({row.name})({arguments}))" if row.library == _STATUS else f"{row.name}({arguments})"


def _split_inserted(insert: dict[int, str]) -> tuple[list[str], list[str]]:
    """The parameters of the HIP call up to the last inserted one, and those of them that CUDA takes."""
    names: list[str] = []
    kept: list[str] = []
    for position in range(max(insert) + 1):
        for _ in range(insert[position].count(",") + 1 if position in insert else 0):
            names.append(f"a{len(names)}")
        if position < max(insert):
            kept.append(f"a{len(names)}")
            names.append(kept[-1])
    return names, kept


def renamed_members(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Fields (HIP's name, CUDA's) whose new names are unmistakably HIP's."""
    visited = set()
    for row in chain(catalog.rows(), catalog.rows_for_other_rocms()):
        cuda = row.name.rpartition(".")[2]
        if row.kind != "member" or not row.hip or row.hip in visited or row.hip == cuda:
            continue
        if re.fullmatch(r"\w*(?:Hip|HIP)\w*", row.hip):
            visited.add(row.hip)
            yield row.hip, cuda
