"""The declarations in the headers of both sides by name: arguments, numbers, the header. Only `query` reads them.

The files are beside the mapping tables, one name per line (`tools/tables/declarations.py` writes them). A name is
searched for in the text: loading that takes a millisecond, parsing all of it would take a hundred.
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
    """A parameter of a function; `name` is empty where the header has none."""

    type: str
    name: str
    is_optional: bool


class Signature(NamedTuple):
    """One overload of a function, in the examined versions of CUDA that have it; for HIP without versions."""

    result: str
    parameters: tuple[Parameter, ...]
    is_template: bool
    versions: tuple[str, ...]


class Declaration(NamedTuple):
    """What the headers declare under a name.

    Attributes:
        kind: as in the mapping tables.
        header: the file that declares it, as programs include it; empty where it is unknown.
        since: the first examined version that has it, where an earlier one does not; else empty.
        gone: the first version that lacks it again; else empty.
        value: of an enumerator its number, of a type its kind or target.
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
        """The examined versions, oldest first."""
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
        signature_versions = tuple(self.versions[int(place)] for place in versions if place.isdigit())
        return Signature(result, tuple(map(_parameter, parameters)), "t" in versions, signature_versions)


def _parameter(text: str) -> Parameter:
    type, _, name = text.partition(":=")
    return Parameter(type, name.removesuffix("?"), name.endswith("?"))


@cache
def load_declarations(side: str) -> Declarations:
    """The declarations of a side.

    Raises:
        TableError: the tables are missing.
    """
    path = os.path.join(mappings_dir(), FOLDER, f"{side}.tsv")
    try:
        with open(path, "rb") as file:
            return Declarations(file.read())
    except FileNotFoundError:  # tables may be kept without them
        return Declarations(_VERSIONS + b"\n")
