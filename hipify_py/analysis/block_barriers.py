"""The words of block-wide barriers: CUDA's functions, cooperative groups and inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit

BUILT_IN = lazy_pattern(rb"__syncthreads(?:_and|_or|_count)?")
BY_NUMBER = b"__barrier_sync"
GROUP_SYNC = b"sync"
OPCODE = lazy_pattern(rb"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?")


def barrier_offsets(unit: Unit) -> Iterator[int]:
    """The offsets where a source may have a block-wide barrier."""
    for word in unit.lexemes.words:
        if word in (BY_NUMBER, GROUP_SYNC) or BUILT_IN.fullmatch(word) is not None:
            yield from unit.lexemes.places(word)
    yield from (found.start() for found in OPCODE.finditer(unit.source.data))
