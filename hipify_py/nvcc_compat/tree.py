"""The folder of headers: HIP's paths, each with the CUDA header that it stands for and the names of its tables."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog import Catalog, Row
from hipify_py.catalog.targeting import NEWEST_ROCM, version
from hipify_py.nvcc_compat import MARK
from hipify_py.nvcc_compat.inversion import Inversion, invert, renamed_members

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


def header_tree(catalog: Catalog, libraries: Iterable[str] = ()) -> dict[str, str]:
    """The files by their paths, with `/`.

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
        named, said = sources.get(path, []), layout["headers"].get(path, {})
        owners = [table for row in named for table in (row.library, *layout["also"].get(row.library, ()))]
        tables = said.get("tables", owners)
        includes = said.get("includes") or [row.name for row in sorted(named, key=_rank)[:1]]
        is_next = said.get("next") or path in includes
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
