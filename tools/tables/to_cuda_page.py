"""The page that says which functions of HIP's the headers of `header --to-cuda` give nvcc, and which they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hipify_py.catalog import Catalog, Targeting, load_catalog
from hipify_py.nvcc_compat.tree import invert, part_names, paths_of
from tools.tables.to_cuda import Mapped, failures, mapped_functions, unit

PAGE = "docs/reference/to-cuda.md"
VERSIONS = ("12.9", "13.5")
"""The versions of CUDA, as the header sets have them."""

_STAMP = "<!-- compiled: {} -->"
_ABSENT = re.compile(r"(?:use of undeclared identifier|no member named|unknown type name) '([^']+)'")
_HEAD = """\
# Functions that `header --to-cuda` gives nvcc

Written by `python -m tools.tables to-cuda`, which compiles a call of each function with HIP's signature, through the
headers that `header --to-cuda` writes, against CUDA's headers of both versions. Do not edit it. [One source for both
vendors](../howto/both-vendors.md) says how the headers are used.
"""


class Compiled(NamedTuple):
    """What became of the functions with one version of CUDA."""

    version: str
    catalog: Catalog
    functions: list[Mapped]
    errors: Mapping[str, str]


def compile_with(version: str, headers: Path, compiler: str) -> Compiled:
    """Compile all functions against a folder of headers.

    Raises:
        CompilerError: where something else than the functions does not compile.
    """
    catalog = load_catalog(Targeting(cuda=version))
    functions = mapped_functions(catalog)
    return Compiled(version, catalog, functions, failures(functions, catalog, headers, compiler))


def stamp() -> str:
    """The line that tells what was compiled: the functions, what they stand for, and their signatures."""
    digest = sha256()
    for version in VERSIONS:
        for function in mapped_functions(load_catalog(Targeting(cuda=version))):
            digest.update(f"{function.table} {function.cuda} {unit((), [function])}".encode())
    return _STAMP.format(digest.hexdigest())


def page(compiled: Sequence[Compiled]) -> str:
    """The page."""
    lines = [_HEAD, *_summary(compiled), "", "## Functions that do not compile", "", *_rest(compiled)]
    lines += ["## Without a definition", "", *_left_out(compiled[-1].catalog), "", stamp()]
    return "\n".join(lines) + "\n"


def _summary(compiled: Sequence[Compiled]) -> Iterator[str]:
    yield "| table | " + " | ".join(f"functions | with CUDA {one.version}" for one in compiled) + " |"
    yield "| --- |" + " --- | --- |" * len(compiled)
    for table in sorted({function.table for one in compiled for function in one.functions}):
        cells = []
        for one in compiled:
            names = [function.name for function in one.functions if function.table == table]
            cells += [str(len(names)), str(sum(name not in one.errors for name in names))]
        yield f"| {table} | " + " | ".join(cells) + " |"


def _rest(compiled: Sequence[Compiled]) -> Iterator[str]:
    """The functions that do not compile, by table and reason."""
    functions = {function.name: function for one in compiled for function in one.functions}
    found: dict[str, dict[str, list[str]]] = {}
    for name, function in functions.items():
        reasons = {one.version: _reason(one.errors[name], function) for one in compiled if name in one.errors}
        if reasons:
            said = "; ".join(dict.fromkeys(reasons.values()))
            where = "" if len(reasons) == len(compiled) else f" (CUDA {' and '.join(reasons)})"
            found.setdefault(function.table, {}).setdefault(said + where, []).append(name)
    for table, reasons_of in sorted(found.items()):
        yield f"### {table}"
        yield ""
        for said, names in sorted(reasons_of.items()):
            yield f"- {said}: {', '.join(f'`{name}`' for name in sorted(names))}"
        yield ""


def _reason(error: str, function: Mapped) -> str:
    absent = _ABSENT.search(error)
    if absent is None:
        return "the parameters do not fit CUDA's"
    is_itself = absent[1].replace("_v2", "") == function.cuda
    return "CUDA has no such function" if is_itself else f"CUDA has no `{absent[1]}`"


def _left_out(catalog: Catalog) -> Iterator[str]:
    """The names that the headers do not define, by what stands against it."""
    reasons: dict[str, list[str]] = {}
    for hip, row, why in invert(catalog, part_names()).without_definition:
        if paths_of(catalog, row.library):
            reasons.setdefault(why, []).append(hip)
    for why, names in sorted(reasons.items()):
        yield f"- {why}: {', '.join(f'`{name}`' for name in sorted(names))}"
