"""The facts of `mappings/build/`: names of build systems, libraries and compiler options, and HIP's counterparts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.catalog.places import mappings_dir
from hipify_py.core.targeting import version


class Library(NamedTuple):
    """What replaces one of NVIDIA's libraries.

    Attributes:
        target: the imported target, empty if there is none.
        file: the imported target of the library's file, if the linked target is another one.
        package: the CMake package that has it, empty if a bare name is enough.
        library: the bare name.
        unsupported: what to do if there is no replacement; empty for the others.
        drop: whether HIP needs nothing in its place.
        imported: whether only its target identifies it, because its bare name may be another library's.
    """

    target: str = ""
    file: str = ""
    package: str = ""
    library: str = ""
    unsupported: str = ""
    drop: bool = False
    imported: bool = False


class Flag(NamedTuple):
    """What becomes of one of nvcc's options; the head of `mappings/build/flags.yaml` describes the fields.

    `values` is None for options whose value does not matter.
    """

    name: str
    hip: str | None = None
    value: bool = False
    own: bool = False
    host: bool = False
    values: Mapping[str, str] | None = None
    finding: str = ""
    advice: str = ""
    only: str = ""
    glued: bool = False
    left: bool = False


class MakeFacts(NamedTuple):
    """The table of Make; `make.yaml` describes the fields of the rows of `folders`."""

    roots: frozenset[str]
    environment: frozenset[str]
    compilers: frozenset[str]
    folders: Mapping[str, Mapping[str, Any]]


class Facts(NamedTuple):
    """All tables; `cmake.yaml` describes the fields of the rows of `variables`, `properties` and `commands`."""

    libraries: Mapping[str, Library]
    flags: Mapping[str, Flag]
    variables: Mapping[str, Mapping[str, Any]]
    properties: Mapping[str, Mapping[str, Any]]
    features: Mapping[str, str]
    commands: Mapping[str, Mapping[str, Any]]
    packages: Mapping[str, Mapping[str, Any]]
    modules: Mapping[str, Mapping[str, Any]]
    environment: frozenset[str]
    compiler_headers: frozenset[str]
    queries: Mapping[str, Mapping[str, str]]
    headers: Mapping[str, Mapping[str, Any]]
    minimum: str
    make: MakeFacts


@cache
def facts(rocm: str = "") -> Facts:
    """The tables, read once per process and version.

    Args:
        rocm: the ROCm that the result is compiled with, as `"6.4"`; empty for the newest.

    Raises:
        TableError: when one is missing or wrong.
    """
    from hipify_py.catalog.loading import read_document  # with the reader of YAML, which few runs need

    folder = Path(mappings_dir(), "build")
    cmake = read_document(folder / "cmake.yaml")
    make = read_document(folder / "make.yaml")
    libraries = _libraries(read_document(folder / "libraries.yaml")["libraries"])
    return Facts(
        libraries,
        _flags(read_document(folder / "flags.yaml")["flags"], rocm),
        {**_of_libraries(libraries), **cmake["variables"]},
        cmake["properties"],
        cmake["features"],
        cmake["commands"],
        cmake["packages"],
        cmake["modules"],
        frozenset(cmake["environment"]),
        frozenset(cmake["compiler_headers"]),
        _by_spelling(cmake["queries"]),
        _by_spelling(cmake["headers"]),
        cmake["minimum"],
        MakeFacts(
            frozenset(make["roots"]),
            frozenset(make["environment"]),
            frozenset(make["compilers"]),
            make["folders"],
        ),
    )


@cache
def table(name: str) -> Mapping[str, Any]:
    """A table of one build system's names, read once per process.

    Raises:
        TableError: when it is missing or wrong.
    """
    from hipify_py.catalog.loading import read_document

    return read_document(Path(mappings_dir(), "build", f"{name}.yaml"))


def _by_spelling(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {spelled: row for name, row in rows.items() for spelled in (name, *row.get("also", ()))}


def _libraries(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Library]:
    found = {}
    for name, row in rows.items():
        fields = {key: value for key, value in row.items() if key != "also"}
        for spelled in (name, *row.get("also", ())):
            found[spelled] = Library(**fields)
    return found


def _of_libraries(libraries: Mapping[str, Library]) -> dict[str, dict[str, Any]]:
    """The names of FindCUDA's variables for libraries: `CUDA_cublas_LIBRARY`, `CUDA_CUBLAS_LIBRARIES`."""
    found: dict[str, dict[str, Any]] = {}
    for name, library in libraries.items():
        if library.drop:
            row: dict[str, Any] = {"value": ""}
        elif library.unsupported:
            row = {"unsupported": library.unsupported}
        else:
            row = {"value": library.target, "package": library.package}
        found[f"CUDA_{name}_LIBRARY"] = found[f"CUDA_{name.upper()}_LIBRARIES"] = {**row, "found": True}
    return found


def _flags(rows: Mapping[str, Mapping[str, Any]], rocm: str) -> dict[str, Flag]:
    found = {}
    for name, row in rows.items():
        hip = "" if row.get("drop") else row.get("hip")
        if rocm and "before" in row and version(rocm) < version(row["before"]["rocm"]):
            hip = row["before"]["hip"]
        for spelled in (name, *row.get("also", ())):
            found[spelled] = Flag(
                spelled,
                hip,
                "value" in row,
                row.get("own", False),
                row.get("host", False),
                row.get("values"),
                row.get("finding", ""),
                row.get("advice", ""),
                row.get("only", ""),
                row.get("glued", False),
                row.get("left", False),
            )
    return found
