"""What hipfort offers: AMD's Fortran interfaces of HIP and its libraries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hipify_py.catalog import Catalog
from hipify_py.catalog.places import mappings_dir


class Offered(NamedTuple):
    """What hipfort offers for calls of CUDA functions.

    Attributes:
        interfaced: how many calls are of functions whose HIP counterpart has an interface in hipfort.
        other: the functions that HIP has without an interface in hipfort; the most called first.
        missing: the functions that HIP does not have; the most called first.
    """

    interfaced: int
    other: tuple[str, ...]
    missing: tuple[str, ...]


def table_path() -> str:
    """The table of the interfaces, which `python -m tools.tables hipfort` derives from hipfort's sources."""
    return os.path.join(mappings_dir(), "fortran", "hipfort.yaml")


@cache
def interfaces() -> Mapping[str, str]:
    """The module of each interface of hipfort, by its name in lower case.

    Raises:
        TableError: the table is missing or wrong.
    """
    from hipify_py.catalog.loading import read_document  # with a reader of YAML

    modules = read_document(Path(table_path()))["modules"]
    return {name.lower(): module for module, names in modules.items() for name in names}


def offered_for(calls: Mapping[str, int], catalog: Catalog) -> Offered:
    """What hipfort offers for calls, by the functions' names in C."""
    interfaced, other, missing = 0, list[str](), list[str]()
    for name in _most_called(calls):
        row = catalog.row(name.encode())
        if row is None or not row.hip:
            missing.append(name)
        elif row.hip.lower() in interfaces():
            interfaced += calls[name]
        else:
            other.append(name)
    return Offered(interfaced, tuple(other), tuple(missing))


def _most_called(calls: Mapping[str, int]) -> Iterable[str]:
    return sorted(calls, key=lambda name: (-calls[name], name))
