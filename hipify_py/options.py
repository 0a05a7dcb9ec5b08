"""What a translation can be told."""

from collections.abc import Mapping
from os.path import splitext
from typing import NamedTuple

from hipify_py.catalog.targeting import NEWEST, Targeting
from hipify_py.support_header import HEADER

FIXES = ("wavefront",)
"""The families of findings that have exact fixes beyond what every translation does."""

_NOTHING: Mapping[str, str] = {}


class FileIgnores(NamedTuple):
    """Findings that a project does not want to see in some of its files.

    Attributes:
        folder: the absolute path that the patterns are seen from.
        patterns: patterns as in `.gitignore`, each with the ids that are suppressed where it fits.
    """

    folder: str = ""
    patterns: tuple[tuple[str, frozenset[str]], ...] = ()


class WarpHelpers(NamedTuple):
    """The functions and macros of a project's headers that leave it to others how lanes are counted.

    Attributes:
        over_32: those that go over 32 lanes, or are kept within 32: wrong where lanes are counted in `warpSize`.
        over_all: those that go over `warpSize` lanes: wrong where lanes are counted in 32.
        full_wave_collectives: those that may hear of all lanes of a wavefront.
        mixed_in: a file of the project that goes by the whole wavefront, by its name; empty where none does.
        using: all that use warp built-ins, themselves or through each other.
        lanes: those that return the lane that the hardware numbers, 0 to 63 on gfx9.
        masks: those that return a lane mask.
    """

    over_32: frozenset[bytes] = frozenset()
    over_all: frozenset[bytes] = frozenset()
    full_wave_collectives: frozenset[bytes] = frozenset()
    mixed_in: str = ""
    using: frozenset[bytes] = frozenset()
    lanes: frozenset[bytes] = frozenset()
    masks: frozenset[bytes] = frozenset()


class CountedBy(NamedTuple):
    """What a project does with a constant by which a header gives a warp 32 lanes.

    Attributes:
        files: how many files use it for their warps.
        against: the names of those that go by the hardware's wavefront as well.
    """

    files: int
    against: tuple[str, ...]


_UNCOUNTED: Mapping[bytes, CountedBy] = {}


class Options(NamedTuple):
    """Choices of one translation.

    Attributes:
        launch: `"ggl"` writes launches as `hipLaunchKernelGGL(...)`, `"chevron"` keeps `<<<...>>>`.
        local_headers: relative paths of the project's own files; a quoted include that names one of
            them is the project's, whatever CUDA header it is named like.
        renames: renamed files' new names by old name; includes that name them follow.
        warp_sizes: constants by which the project's headers give a warp 32 lanes.
        warp_helpers: what the project's headers do with warps.
        warp_counts: what the project's files do with each of `warp_sizes`.
        experimental: use HIP names that AMD marks as experimental.
        annotate: write findings into the output, as comments above their lines.
        ignore: ids of findings that are suppressed everywhere.
        file_ignores: those that are suppressed in some files.
        targeting: the versions of CUDA and ROCm, the target libraries, and further mapping tables.
        support: use the support header where plain HIP has no short form; findings take its place otherwise.
        support_header: the path by which the source is to include it.
        fixes: families of findings whose exact fixes are applied (`wavefront`).
        implicit_runtime: add `<hip/hip_runtime.h>` where nvcc would have included its runtime itself.
    """

    launch: str = "ggl"
    local_headers: frozenset[str] = frozenset()
    renames: Mapping[str, str] = _NOTHING
    warp_sizes: frozenset[bytes] = frozenset()
    warp_helpers: WarpHelpers = WarpHelpers()
    warp_counts: Mapping[bytes, CountedBy] = _UNCOUNTED
    experimental: bool = False
    support: bool = True
    support_header: str = HEADER
    fixes: frozenset[str] = frozenset()
    implicit_runtime: bool = True
    annotate: bool = False
    ignore: frozenset[str] = frozenset()
    file_ignores: FileIgnores = FileIgnores()
    targeting: Targeting = NEWEST


DEFAULT_OPTIONS = Options()

_known: tuple[Mapping[str, str], frozenset[str]] = (_NOTHING, frozenset())


def renamed_endings(renames: Mapping[str, str]) -> frozenset[str]:
    """The endings of the renamed files, with their dots; gathered once for the one mapping that a run has."""
    global _known
    if _known[0] is not renames:
        _known = (renames, frozenset(splitext(old)[1] for old in renames))
    return _known[1]
