"""The folder of headers: HIP's paths, each with the CUDA header that it stands for and the names of its tables."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog import Catalog, Row
from hipify_py.core.targeting import NEWEST_CUDA, NEWEST_ROCM, version
from hipify_py.nvcc_compat import MARK

# Inverts the tables: the CUDA name of a HIP name, and its arguments.

_NAME = re.compile(r"[A-Za-z_]\w*")
_WRITTEN = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?![\w{]|::)")
_TARGET = re.compile(r"(?:__|make_)?(?:hip|HIP|roctx|rccl|RCCL|miopen|MIOPEN)\w*")
_HARMLESS = re.compile(r"HIP_SYMBOL\(\{\}\)|(?:reinterpret|const|static)_cast<[^{}]*>\(\{\}\)|\([^{}]*\*\)\(?\{\}\)?")
_STATUS = "driver"  # its functions return a type of their own, where HIP has one for both interfaces
_CONVERSION = "hipify_driver"  # makes the driver's parameters from HIP's arguments (parts/driver.h)
_VERSION = frozenset({"HIP_VERSION", "HIP_VERSION_MAJOR", "HIP_VERSION_MINOR", "HIP_VERSION_PATCH"})
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
        if not any(_bare(row.name) == _bare(hip) for row in candidates):  # its own name may have come with another ROCm
            others = (row for row in of_others.get(hip, ()) if not _is_missing(row, chosen))
            candidates += (row for row in others if _bare(row.name) == _bare(hip))
        row = min(candidates, key=lambda row: _row_rank(row, chosen))
        obstacle = _obstacle(row)
        if obstacle:
            inversion.without_definition.append((hip, row, obstacle))
        else:
            inversion.defined.append(Inverse(hip, row, _definition(hip, row)))
    known = {*own, *of_others, *without}
    for hip, row in sorted(_in_expressions(catalog).items()):
        if hip not in known:
            inversion.without_definition.append((hip, row, "it is a part of what replaces this name"))
    return inversion


def _in_expressions(catalog: Catalog) -> dict[str, Row]:
    """The names of HIP's own in what replaces a CUDA name, in forms for some arguments and in edits of arguments."""
    found: dict[str, Row] = {}
    for row in catalog.rows():
        if row.kind not in ("header", "namespace", "member") and row.hip:
            for name in _WRITTEN.findall(" ".join([row.hip, *_written_texts(row.details)])):
                if _TARGET.fullmatch(name) and not _is_hip_name(catalog, name) and name not in _VERSION:
                    found.setdefault(name, row)
    return found


def _written_texts(fields: Mapping[str, Any]) -> Iterator[str]:
    """The names and expressions that a row's forms for some arguments, and its edits of arguments, write."""
    for key in ("args", "insert"):
        yield from map(str, fields.get(key, {}).values())
    for key in ("by_type", "by_arity", "by_library"):
        yield from _texts_of_forms(fields.get(key, {}))


def _texts_of_forms(forms: Mapping[str, Any]) -> Iterator[str]:
    """A form is below the argument and its type, below the number of arguments, or below a library."""
    for form in forms.values():
        if not isinstance(form, Mapping):
            yield str(form)
        elif isinstance(form.get("hip"), str):
            yield form["hip"]
            yield from _written_texts(form)
        else:
            yield from _texts_of_forms(form)


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


def _row_rank(row: Row, chosen: tuple[int, int]) -> tuple[Any, ...]:
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
        names, passed = _split_inserted({int(position): str(text) for position, text in insert.items()})
        return f"#define {hip}({', '.join(names)}, ...) {_call(row, ', '.join(passed) + ', ##__VA_ARGS__')}"
    if row.library == _STATUS and row.kind == "function":
        return f"#define {hip}(...) {_call(row, '__VA_ARGS__')}"
    return f"#define {hip} {row.name}"


def _call(row: Row, arguments: str) -> str:
    return f"({_CONVERSION}({row.name})({arguments}))" if row.library == _STATUS else f"{row.name}({arguments})"


def _split_inserted(insert: dict[int, str]) -> tuple[list[str], list[str]]:
    """The parameters of the HIP call up to the last inserted one, and those of them that CUDA takes."""
    names: list[str] = []
    passed: list[str] = []
    for position in range(max(insert) + 1):
        for _ in range(insert[position].count(",") + 1 if position in insert else 0):
            names.append(f"a{len(names)}")
        if position < max(insert):
            passed.append(f"a{len(names)}")
            names.append(passed[-1])
    return names, passed


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


INNER = "hipify_to_cuda"
"""The folder of the names, one file per library."""

_HEAD = f"{MARK.decode()}: `hipify-py header --to-cuda`. SPDX-License-Identifier: MIT\n"
_HERE = os.path.dirname(os.path.abspath(__file__))
_PARTS = os.path.join(_HERE, "parts")
_DEFINED = re.compile(r"^#\s*define\s+(\w+)|^inline .*?(\w+)\(|^// defines: (.*)$", re.MULTILINE)


class _Header(NamedTuple):
    """One of HIP's headers: the lines that include CUDA's, and the tables whose names it has."""

    includes: tuple[str, ...]
    tables: tuple[str, ...]


@lru_cache(maxsize=4)
def header_tree(catalog: Catalog, libraries: tuple[str, ...] = ()) -> Mapping[str, str]:
    """The files by their paths, with `/`; kept, since a run may write them for several trees.

    Args:
        catalog: the tables, for the CUDA that the headers are to be used with; they have the names and paths of every
            ROCm, and `HIP_VERSION` is that of the catalog's.
        libraries: the tables whose headers are wanted; none means all of them. The runtime's are always there.
    """
    wanted = {*libraries, *_layout()["runtime"]}
    headers = {path: header for path, header in _headers(catalog).items() if not libraries or wanted & {*header.tables}}
    inversion = invert(catalog, part_names())
    files = {path: _stub(catalog, path, header) for path, header in headers.items()}
    for library in sorted({table for header in headers.values() for table in header.tables}):
        files[f"{INNER}/{library}.h"] = _names(catalog, library, inversion)
    return files


def table_names(catalog: Catalog) -> list[str]:
    """The tables that have a header of HIP."""
    return sorted({table for header in _headers(catalog).values() for table in header.tables})


def paths_of(catalog: Catalog, library: str) -> list[str]:
    """HIP's headers that have the names of a table."""
    return [path for path, header in _headers(catalog).items() if library in header.tables]


def _headers(catalog: Catalog) -> dict[str, _Header]:
    """HIP's headers by their paths: those of the tables, and those of the layout."""
    layout = _layout()
    sources: dict[str, list[Row]] = {}
    of_others: dict[str, list[Row]] = {}
    for rows, into in ((catalog.rows(), sources), (catalog.rows_for_other_rocms(), of_others)):
        for row in rows:
            is_apart = row.kind != "header" or row.library in layout["apart"]
            if not is_apart and row.hip and not _is_cudas(catalog, row.hip):
                into.setdefault(row.hip, []).append(row)
    sources = {**of_others, **sources}
    found = {}
    for path in sorted(sources.keys() | layout["headers"]):
        named, entry = sources.get(path, []), layout["headers"].get(path, {})
        owners = [table for row in named for table in (row.library, *layout["also"].get(row.library, ()))]
        tables = entry.get("tables", owners)
        includes = entry.get("includes") or [row.name for row in sorted(named, key=_rank)[:1]]
        is_next = entry.get("next") or path in includes
        lines = [f"#include_next <{path}>"] if is_next else [f"#include <{name}>" for name in includes]
        found[path] = _Header(tuple(lines), tuple(dict.fromkeys(layout["runtime"] if tables == "runtime" else tables)))
    for row in catalog.rows():
        extended = layout["extended"].get(row.library)
        if extended and row.kind == "header" and row.name == row.hip and row.name not in extended["but"]:
            found.setdefault(row.name, _Header((f"#include_next <{row.name}>",), (row.library,)))
    return found


def _is_cudas(catalog: Catalog, path: str) -> bool:
    row = catalog.row(path.encode())
    return (row is not None and row.is_native) or "/" not in path


def _rank(row: Row) -> tuple[bool, int, str]:
    return "removed" in row.details.get("cuda", {}), len(row.name), row.name


def _stub(catalog: Catalog, path: str, header: _Header) -> str:
    up = "../" * path.count("/")
    is_runtime = set(header.tables) <= set(_layout()["runtime"])
    lines = [
        "#pragma once",
        *([] if is_runtime else [f'#include "{up}hip/hip_runtime_api.h"']),
        *_switch_lines(catalog, header.tables),
        *header.includes,
        *(f'#include "{up}{INNER}/{table}.h"' for table in header.tables),
    ]
    return _HEAD + "".join(f"{line}\n" for line in lines)


def _switch_lines(catalog: Catalog, tables: Collection[str]) -> Iterator[str]:
    """What a source sets for HIP's headers is set for CUDA's."""
    for name in sorted(catalog.switches):
        row = catalog.row(name)
        if row is not None and row.hip and row.library in tables:
            yield from (f"#if defined({row.hip}) && !defined({row.name})", f"#define {row.name} 1", "#endif")


def _names(catalog: Catalog, library: str, inversion: Inversion) -> str:
    defined = [one.line for one in inversion.defined if one.row.library == library]
    members = [f"#define {hip} {cuda}" for hip, cuda in renamed_members(catalog)] if library == "runtime" else []
    omitted = [
        f"//   {hip} ({row.name}): {why}" for hip, row, why in inversion.without_definition if row.library == library
    ]
    parts = [_HEAD, "#pragma once\n"]
    if library == "runtime":
        parts.append("\n" + "".join(_version_lines(catalog)))
    if defined or members:
        parts.append("\n" + "".join(f"{line}\n" for line in (*defined, *members)))
    if library in _part_names():
        parts.append("\n" + _part(library))
    if omitted:
        parts.append("\n// Without a definition:\n" + "\n".join(omitted) + "\n")
    return "".join(parts)


@cache
def _layout() -> dict[str, Any]:
    with open(os.path.join(_HERE, "layout.yaml"), encoding="utf-8") as file:
        layout: dict[str, Any] = yaml.safe_load(file)
    return layout


def _version_lines(catalog: Catalog) -> Iterator[str]:
    major, minor = version(catalog.targeting.rocm or NEWEST_ROCM)
    yield from (f"#define HIP_VERSION_{name} {n}\n" for name, n in (("MAJOR", major), ("MINOR", minor), ("PATCH", 0)))


def _part_names() -> list[str]:
    return [os.path.splitext(name)[0] for name in sorted(os.listdir(_PARTS)) if name.endswith(".h")]


def _part(library: str) -> str:
    with open(os.path.join(_PARTS, f"{library}.h"), encoding="utf-8") as file:
        return file.read()


def part_names() -> dict[str, str]:
    """The names that the written parts define, so that the tables' need not, each with the part's table."""
    return {
        name: library
        for library in _part_names()
        for match in _DEFINED.finditer(_part(library))
        for name in (match[3] or match[1] or match[2]).split()
    }
