"""What the other files of a project say of one of its files: found out by `hipify_py.project`, read by the rules."""

from collections.abc import Mapping
from os.path import splitext
from typing import NamedTuple

_NO_RENAMES: Mapping[str, str] = {}


class WarpHelpers(NamedTuple):
    """The functions and macros of a project's headers that leave it to others how lanes are counted.

    Attributes:
        over_32: those that go over 32 lanes, or are kept within 32: wrong where lanes are counted in `warpSize`.
        over_all: those that go over `warpSize` lanes: wrong where lanes are counted in 32.
        full_wave_collectives: those that may hear of all lanes of a wavefront.
        using: all that use warp built-ins, themselves or through each other.
        lanes: those that return the lane that the hardware numbers, 0 to 63 on gfx9.
        masks: those that return a lane mask.
    """

    over_32: frozenset[bytes] = frozenset()
    over_all: frozenset[bytes] = frozenset()
    full_wave_collectives: frozenset[bytes] = frozenset()
    using: frozenset[bytes] = frozenset()
    lanes: frozenset[bytes] = frozenset()
    masks: frozenset[bytes] = frozenset()


class MaskParameter(NamedTuple):
    """A parameter of a header's function that other files give masks, and nothing else.

    Attributes:
        function: the function's name.
        position: which of its parameters.
        template: the template, the function or its type, whose parameter is the parameter's type; empty for none.
        place: which of the template's parameters that is.
        is_returned: the function returns the masks that it is given.
    """

    function: bytes
    position: int
    template: bytes
    place: int
    is_returned: bool = False


class CountedBy(NamedTuple):
    """What a project does with a constant by which a header gives a warp 32 lanes.

    Attributes:
        files: how many files use it for their warps.
        against: the names of those that go by the hardware's wavefront as well.
    """

    files: int
    against: tuple[str, ...]


_NO_COUNTS: Mapping[bytes, CountedBy] = {}


class OwnName(NamedTuple):
    """An API's name that a class or namespace has for something of its own: the scope's full name, and what it is."""

    scope: bytes
    name: bytes
    is_member: bool
    is_function: bool


class ProjectContext(NamedTuple):
    """What a file's project says of it.

    Attributes:
        local_headers: relative paths of the project's own files; a quoted include that names one of
            them is the project's, whatever CUDA header it is named like.
        renames: renamed files' new names by old name; includes that name them follow.
        warp_sizes: constants by which the headers give a warp 32 lanes.
        warp_helpers: what the functions and macros of the headers do with warps.
        warp_counts: what the project's files do with each of `warp_sizes`.
        mixed_in: a file that asks for the same helpers, or defines them, and whose warps cannot be kept at 32 lanes, by
            its name; empty where there is none.
        mask_parameters: the parameters that are given masks, of the file's own functions and of those that it calls.
        own_names: API names that classes and namespaces of the headers give to something of their own.
        reexports: API names that namespaces and classes of the headers take up, each with the scope's full name.
    """

    local_headers: frozenset[str] = frozenset()
    renames: Mapping[str, str] = _NO_RENAMES
    warp_sizes: frozenset[bytes] = frozenset()
    warp_helpers: WarpHelpers = WarpHelpers()
    warp_counts: Mapping[bytes, CountedBy] = _NO_COUNTS
    mixed_in: str = ""
    mask_parameters: frozenset[MaskParameter] = frozenset()
    own_names: frozenset[OwnName] = frozenset()
    reexports: frozenset[tuple[bytes, bytes]] = frozenset()


NO_PROJECT = ProjectContext()
"""For a file that stands alone."""

_known: tuple[Mapping[str, str], frozenset[str]] = (_NO_RENAMES, frozenset())


def renamed_endings(renames: Mapping[str, str]) -> frozenset[str]:
    """The endings of the renamed files, with their dots; gathered once for the one mapping that a run has."""
    global _known
    if _known[0] is not renames:
        _known = (renames, frozenset(splitext(old)[1] for old in renames))
    return _known[1]
