"""The facts of `mappings/python/`: constructors that take a source, and packages and names that ROCm lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hipify_py.build_systems.expressions import KEYWORD, Node
from hipify_py.catalog.places import mappings_dir

RTC, HIPCC = "rtc", "hipcc"


class Constructor(NamedTuple):
    """A function that takes a source; arguments are positions by name, -1 for those that have none.

    Attributes:
        code: arguments that are whole sources.
        body: arguments that the package puts into a kernel of its own.
        host: arguments that are C++ without kernels.
        options: arguments that are options of the compiler.
        linked: arguments that are options of the linker.
        compiler: `RTC` or `HIPCC`.
        of: the packages, one of which the file must name; empty where the constructor's name tells enough.
        takes_others: whether it takes sources of other languages, too: only kernels of CUDA count.
    """

    code: Mapping[str, int]
    body: Mapping[str, int]
    host: Mapping[str, int]
    options: Mapping[str, int]
    linked: Mapping[str, int]
    compiler: str
    of: tuple[str, ...]
    takes_others: bool


class UnusedArgument(NamedTuple):
    """An argument that AMD GPUs do not allow: of which functions, and what to do.

    `endings` are those of the values that it is about; empty for all.
    """

    of: tuple[str, ...]
    advice: str
    endings: tuple[str, ...] = ()


class Packages(NamedTuple):
    """The tables.

    Attributes:
        constructors: by name.
        lacking: packages without a counterpart, each with what to use instead.
        arguments: by name.
        names: what a package lacks that is there for AMD GPUs, by whole names, each with what to do.
        assembly: functions whose text is PTX.
        bindings: names of `cuda.bindings` that AMD's package lacks.
        headers: by the paths of CUDA's headers, names that stay where a source does not include them.
    """

    constructors: Mapping[str, Constructor]
    lacking: Mapping[str, str]
    arguments: Mapping[str, UnusedArgument]
    names: Mapping[str, str]
    assembly: frozenset[str]
    bindings: frozenset[str]
    headers: Mapping[str, tuple[str, ...]]


def given(call: Node, arguments: Mapping[str, int]) -> Iterator[tuple[str, Node]]:
    """The expressions that a call has for some of its arguments, with the names of these."""
    positional = [each for each in call.arguments if each.kind != KEYWORD]
    for name, at in arguments.items():
        keyword = call.keyword(name)
        if keyword is not None:
            yield name, keyword
        elif 0 <= at < len(positional):
            yield name, positional[at]


@cache
def packages() -> Packages:
    """The tables, read once per process.

    Raises:
        TableError: when one is missing or wrong.
    """
    from hipify_py.catalog.loading import read_document

    folder = Path(mappings_dir(), "python")
    table = read_document(folder / "packages.yaml")
    lacking = read_document(folder / "cuda_bindings.yaml")["lacking"]
    return Packages(
        {
            name: Constructor(
                row.get("code", {}),
                row.get("body", {}),
                row.get("host", {}),
                row.get("options", {}),
                row.get("linked", {}),
                row["compiler"],
                tuple(row.get("of", ())),
                row.get("others", False),
            )
            for name, row in table["constructors"].items()
        },
        table["packages"],
        {
            name: UnusedArgument(tuple(row["of"]), row["advice"], tuple(row.get("endings", ())))
            for name, row in table["arguments"].items()
        },
        table["names"],
        frozenset(table["assembly"]),
        frozenset(name for names in lacking.values() for name in names),
        {path: tuple(names) for path, names in table["headers"].items()},
    )
