"""What the headers of a project do with warps, for the files that use them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hipify_py.options import Options, WarpHelpers
from hipify_py.project.neighbours import bytes_of
from hipify_py.source import HEADER_SUFFIXES, Source, UnreadableSource, reject_unreadable, suffix_of

_BUILT_INS = re.compile(rb"\b__(?:shfl|ballot|any|all|match_|reduce_|activemask)")
_WARP_SIZE = re.compile(rb"(?<![\w.>])warpSize\b")


def warp_helpers(paths: Iterable[str], options: Options) -> WarpHelpers:
    """What the warp functions of the headers among some files count on; `options` as they hold for all files."""
    headers: list[tuple[str, bytes]] = []
    counting: list[bytes] = []
    for path in paths:
        data = bytes_of(path)
        if suffix_of(path) in HEADER_SUFFIXES and _BUILT_INS.search(data):
            headers.append((path, data))
        if b"threadIdx" in data and _WARP_SIZE.search(data):
            counting.append(data)
    if not headers:
        return WarpHelpers()
    from hipify_py.rules.wavefront.warp_constants import is_ported

    are_mixed = not all(is_ported(data) for data in counting)
    options = options._replace(warp_helpers=WarpHelpers(are_mixed=are_mixed))
    over_32: set[bytes] = set()
    over_all: set[bytes] = set()
    hearing_all: set[bytes] = set()
    for path, data in headers:
        for name, is_32, is_all, hears in _helpers(path, data, options):
            over_32.update([name] if is_32 else [])
            over_all.update([name] if is_all else [])
            hearing_all.update([name] if hears else [])
    return WarpHelpers(frozenset(over_32), frozenset(over_all), frozenset(hearing_all), are_mixed)


def _helpers(path: str, data: bytes, options: Options) -> Iterator[tuple[bytes, bool, bool, bool]]:
    """The functions and macros of a header that count no lanes themselves, and what each goes over."""
    from hipify_py.catalog import load_catalog
    from hipify_py.names.resolve import resolve
    from hipify_py.rules.wavefront.context import WarpContext
    from hipify_py.rules.wavefront.reach import helpers_of
    from hipify_py.translator import lexer
    from hipify_py.unit import Unit

    try:
        reject_unreadable(data)
    except UnreadableSource:
        return
    catalog = load_catalog(options.targeting)
    unit = Unit(Source(data, path), lexer(catalog).scan(data), catalog, options)
    resolve(unit)
    yield from helpers_of(WarpContext(unit))
