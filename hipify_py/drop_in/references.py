"""What the statistics of the two tools count: the references that they know, with what each has become."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Catalog, load_catalog
from hipify_py.core.edits import Edit
from hipify_py.core.options import Options
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.translation import CONVERTED, NATIVE, UNKNOWN, UNSUPPORTED, Reference
from hipify_py.project.result import FileResult

LAUNCH = "launch"
"""The kind of a kernel launch among the references."""

_LIBRARIES_OF_TYPES = frozenset({"fp16", "bf16", "fp8", "cusparse"})
_SHORT_NAMES = frozenset({"half", "half2"})
_LIBRARIES_OF_FUNCTIONS = frozenset({"math", "device", "fp16", "bf16", "fp8"})
_UNLISTED = lazy_pattern(r"make_|tex|surf|(?:printf|malloc|free|memcpy|memset)$|__\w+_sync$|__syncwarp$|__activemask$")
_WORD = lazy_pattern(r"[\w./]+(?:::\w+)*")
_CALLED = lazy_pattern(rb"(\w+\s*::\s*)?\b([A-Za-z_]\w*)\s*\(")


class Counted(NamedTuple):
    """A reference, and what it has become; `becomes` is empty for one that is left as it is."""

    reference: Reference
    becomes: str = ""


def converted(result: FileResult, options: Options) -> Iterator[Counted]:
    """The references that are converted, with what is written in their place.

    Names of other namespaces (`cub::BlockReduce`) are left out: neither tool counts them. A launch counts if `options`
    have it rewritten as a call.
    """
    catalog = load_catalog(options.targeting)
    edits = {edit.start: edit for edit in result.edits}
    for reference in result.references:
        if reference.outcome != CONVERTED or (reference.kind == LAUNCH and options.launch != "ggl"):
            continue
        if "::" not in reference.name and reference.kind != "namespace":
            yield Counted(reference, _written(reference, edits.get(reference.offset), catalog))


def _written(reference: Reference, edit: Edit | None, catalog: Catalog) -> str:
    text = "" if edit is None else edit.text.decode("utf-8", "replace").strip('<>"')
    if _WORD.fullmatch(text):
        return text
    row = catalog.row(reference.name.encode())
    if row is not None and row.hip:
        return row.hip
    return reference.name if text else ""  # a header that HIP does without is left out


def native_types(result: FileResult) -> Iterator[Reference]:
    """The references to types that have the same name in HIP, as far as both tools list them."""
    return (each for each in _native(result) if each.kind == "type" and _is_listed_type(each.name, each.library))


def native_functions(result: FileResult) -> Iterator[Reference]:
    """The references to functions for device code that have the same name in HIP, as far as both tools list them."""
    return (each for each in _native(result) if _is_listed_function(each.name, each.library, each.kind))


def _native(result: FileResult) -> Iterator[Reference]:
    return (reference for reference in result.references if reference.outcome == NATIVE)


def _is_listed_type(name: str, library: str) -> bool:
    """Whether both tools list a type; they list `__half`, but not `half`."""
    return library in _LIBRARIES_OF_TYPES and name not in _SHORT_NAMES


def _is_listed_function(name: str, library: str, kind: str) -> bool:
    """Whether both tools list a function: neither has textures, vectors, the C library, or votes in their tables."""
    return kind == "device function" and library in _LIBRARIES_OF_FUNCTIONS and not _UNLISTED.match(name)


def not_converted(result: FileResult) -> Iterator[Reference]:
    """The references that are left to do: those without a counterpart, and those that are in no table.

    What the other files of the run have settled is not among them.
    """
    left = dict(result.left)
    for reference in result.references:
        key = (reference.name, reference.library, reference.outcome)
        if reference.outcome in (UNSUPPORTED, UNKNOWN) and left.get(key):
            left[key] -= 1
            yield reference


def called_device_functions(source: bytes, catalog: Catalog) -> frozenset[str]:
    """CUDA's functions for device code that a source calls and that HIP has under the same name.

    Among them are the mathematical functions of C, which the translator does not count as CUDA. As in hipify-perl, the
    text is searched, comments included, and a function that is called in a namespace as well does not count.
    """
    called: set[bytes] = set()
    qualified: set[bytes] = set()
    for match in _CALLED.finditer(source):
        (qualified if match[1] else called).add(match[2])
    rows = [row for name in called - qualified if (row := catalog.row(name)) is not None and row.is_native]
    return frozenset(row.name for row in rows if _is_listed_function(row.name, row.library, row.kind))
