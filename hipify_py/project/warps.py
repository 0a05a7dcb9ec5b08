"""What the files of a project say of each other's warps: their size, and the functions that go over them."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.options import Options
from hipify_py.project.neighbours import bytes_of, included

_HINTS = (b"__shfl", b"__ballot", b"__any_sync", b"__all_sync", b"__match_", b"__reduce_", b"arp", b"WARP")


def with_warps(options: Options, sources: Sequence[str], given: Sequence[str]) -> Options:
    """The options, with what the headers among `sources`, and those that the files in `given` include, do with warps.

    A file that is given by itself is converted with the headers beside it in mind.
    """
    if not any(hint in data for path in sources for data in [bytes_of(path)] for hint in _HINTS):
        return options
    from hipify_py.project.warp_helpers import warp_helpers
    from hipify_py.project.warp_sizes import warp_sizes

    paths = [*sources, *included(given)]
    options = options._replace(warp_sizes=warp_sizes(paths))
    return options._replace(warp_helpers=warp_helpers(paths, options))
