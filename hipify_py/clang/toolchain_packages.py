"""Which sets of headers provide the missing parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.clang.toolchain import Toolchain, Versioned, major, nearest_of
from hipify_py.headers.sets import HeaderSet, SetError, for_parsing, nearest

PYPIS_LIBCLANG = "18"
"""The release of the libclang that `pip install` installs."""

CUDA = "12.9"
"""The default version to fetch: CUDA 13 has dropped what many programs use, and every libclang reads 12."""

HIP = "7.1"
"""The newest of HIP's headers that the package index has."""


class Wanted(NamedTuple):
    """A set to fetch; `asked` is the version it is for."""

    header_set: HeaderSet
    asked: str


def wanted_sets(parts: Toolchain, going_by: str, *, cuda: str = "", rocm: str = "") -> list[Wanted]:
    """The requested sets, and one for each missing part.

    Args:
        parts: the available parts.
        going_by: the ROCm that runs use.
        cuda: a version to fetch in any case.
        rocm: the same for HIP's headers.

    Raises:
        SetError: if there is no set for a requested version, or for the release of libclang.
    """
    wanted = []
    if parts.resources is None:
        release = parts.library.version if parts.library is not None else PYPIS_LIBCLANG
        if not release:
            raise SetError(f"{'; '.join(parts.problems)}: cannot choose its headers")
        wanted.append(Wanted(nearest("clang", release), release))
    if cuda or parts.cuda is None:
        wanted.append(Wanted(nearest("cuda", cuda or CUDA), cuda or CUDA))
    if rocm:
        wanted.append(Wanted(nearest("hip", rocm), rocm))
    else:
        found = nearest_of(for_parsing("hip"), going_by)
        assert found is not None
        those: Sequence[Versioned] = [found] if parts.hip is None else [parts.hip, found]
        # Headers of another major version answer for another HIP.
        if parts.hip is None or (major(parts.hip.version) != major(going_by) and nearest_of(those, going_by) is found):
            wanted.append(Wanted(found, found.version))
    return wanted
