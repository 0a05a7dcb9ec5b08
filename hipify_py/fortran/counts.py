"""How much CUDA Fortran there is: of one file, or of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class FortranCounts(NamedTuple):
    """The figures of CUDA Fortran.

    Attributes:
        files: the files.
        kernels: the kernels that they define.
        device_subprograms: the other subprograms for the device.
        loops: loops after `!$cuf kernel do`.
        launches: launches with chevrons.
        calls: calls of CUDA functions.
        interfaced: those of them whose HIP counterpart has an interface in hipfort.
        interfaces: CUDA functions that the files declare themselves.
        variables: variables by the attribute of CUDA Fortran that they have.
    """

    files: int = 0
    kernels: int = 0
    device_subprograms: int = 0
    loops: int = 0
    launches: int = 0
    calls: int = 0
    interfaced: int = 0
    interfaces: int = 0
    variables: Mapping[str, int] = {}

    def plus(self, other: FortranCounts) -> FortranCounts:
        """The sum of two."""
        variables = dict(Counter(self.variables) + Counter(other.variables))
        sums = {name: getattr(self, name) + getattr(other, name) for name in self._fields if name != "variables"}
        return FortranCounts(**sums, variables=variables)


NO_FORTRAN = FortranCounts()


def sum_of(counts: Iterable[FortranCounts | None]) -> FortranCounts:
    """The sum of several; None counts as nothing."""
    total = NO_FORTRAN
    for each in counts:
        if each is not None:
            total = total.plus(each)
    return total
