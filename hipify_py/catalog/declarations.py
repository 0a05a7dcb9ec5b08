"""What the headers of both sides declare under a name: arguments, numbers, the header. Read by `query` alone.

The files lie beside the mapping tables, a name a line (`maintenance/declarations.py` writes them). A name is looked
for where it stands: reading them into memory takes a millisecond, taking them apart would take a hundred.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from hipify_py.catalog.places import mappings_dir

CUDA, HIP = "cuda", "hip"

FOLDER = "declarations"
"""Within the folder of the tables."""

_VERSIONS = b"# versions: "


class Parameter(NamedTuple):
    """One of a function's; `name` is empty where the header gives none."""

    type: str
    name: str
    is_optional: bool


class Signature(NamedTuple):
    """One overload of a function, in the versions of CUDA that were looked at and have it; of HIP none are told."""

    result: str
    parameters: tuple[Parameter, ...]
    is_template: bool
    versions: tuple[str, ...]


class Declaration(NamedTuple):
    """What the headers say of a name.

    Attributes:
        kind: as in the mapping tables.
        header: the file that declares it, as programs include it; empty where that is not known.
        since: the first version that was looked at and has it, where an earlier one has not; else empty.
        gone: the first version that lacks it again; else empty.
        value: of an enumerator its number, of a type what it is or stands for.
    """

    name: str
    kind: str
    header: str
    since: str
    gone: str
    value: str
    signatures: tuple[Signature, ...]


class Declarations:
    """All names of one side."""

    def __init__(self, data: bytes) -> None:
        head, _, body = data.partition(b"\n")
        self.versions = tuple(head.removeprefix(_VERSIONS).decode().split())
        """The versions that were looked at, oldest first."""
        self._body = b"\n" + body

    def find(self, name: str) -> Declaration | None:
        """What is declared under a name."""
        wanted = b"\n%b\t" % name.encode("utf-8", "surrogateescape")
        start = self._body.find(wanted) if "\n" not in name and "\t" not in name else -1
        if start < 0:
            return None
        line = self._body[start + 1 : self._body.index(b"\n", start + 1)].decode()
        _, kind, header, since, gone, value, *forms = line.split("\t")
        return Declaration(name, kind, header, since, gone, value, tuple(map(self._signature, forms)))

    def names(self) -> Iterator[str]:
        """Every name."""
        for line in self._body.splitlines()[1:]:
            yield line.partition(b"\t")[0].decode()

    def _signature(self, form: str) -> Signature:
        versions, result, *parameters = form.split("|")
        told = tuple(self.versions[int(place)] for place in versions if place.isdigit())
        return Signature(result, tuple(map(_parameter, parameters)), "t" in versions, told)


def _parameter(text: str) -> Parameter:
    type, _, name = text.partition(":=")
    return Parameter(type, name.removesuffix("?"), name.endswith("?"))


@cache
def load_declarations(side: str) -> Declarations:
    """The declarations of a side.

    Raises:
        TableError: when the tables are missing.
    """
    path = os.path.join(mappings_dir(), FOLDER, f"{side}.tsv")
    try:
        with open(path, "rb") as file:
            return Declarations(file.read())
    except FileNotFoundError:  # tables that somebody keeps without them say as much as they can
        return Declarations(_VERSIONS + b"\n")
