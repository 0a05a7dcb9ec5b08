"""Asks the files of a project for what they say of each other's warps."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.options import Options
from hipify_py.project.neighbours import bytes_of, included
from hipify_py.project_context import ProjectContext, WarpHelpers
from hipify_py.source import HEADER_SUFFIXES, suffix_of

NAMES_SIZES = (b"arp", b"ARP", b"LANES", b"anes")
"""One of these stands in every name that means the size of a warp."""

BUILT_INS = (
    *(b"__shfl", b"__ballot", b"__any", b"__all", b"__match_", b"__reduce_", b"__activemask", b"__syncwarp"),
    *(b"laneid", b"lanemask", b"__lane_id", b"cub::LaneId"),
)
"""One of these stands in every file that uses warps itself."""


def with_warps(
    project: ProjectContext, sources: Sequence[str], given: Sequence[str], options: Options
) -> ProjectContext:
    """The context, with what the headers among `sources`, and those that the files in `given` include, do with warps.

    A file that is given by itself is converted with the headers beside it in mind.
    """
    if len(sources) == len(given) and not any(_has_warps(bytes_of(path)) for path in given):
        return project
    from hipify_py.project.warp_analysis import ProjectWarpAnalysis

    view = ProjectWarpAnalysis()
    for path in [*sources, *included(given)]:
        view.take(path, all_sources=bool(options.fixes))
    project = project._replace(warp_sizes=view.sizes, warp_helpers=WarpHelpers(mixed_in=view.mixed_in))
    project = project._replace(warp_helpers=view.helpers(options, project))
    if not any(suffix_of(path) in HEADER_SUFFIXES for path in sources):
        return project  # the sizes are headers', and reported there
    return project._replace(warp_counts=view.counts(options, project))


def _has_warps(data: bytes) -> bool:
    return any(hint in data for hint in NAMES_SIZES + BUILT_INS)
