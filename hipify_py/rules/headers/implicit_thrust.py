"""Adds headers of Thrust that others include in CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.headers.runtime_header import includes_after
from hipify_py.rules.triggers import headers

_PREFIXES = ("thrust/", "cub/")


class ImplicitThrust(Rule):
    """CUDA's `thrust/sort.h` provides `thrust::sequence`, its `thrust/device_vector.h` the constant iterator, and
    `cub/cub.cuh` from CUDA 12 on the counting one.

    rocThrust's headers include less of each other, and hipCUB's none of them, so the headers that declare the names of
    the source are included.
    """

    id = "implicit-thrust"
    triggers = headers("thrust/*", "cub/*")
    VALID = (
        Example("#include <thrust/sequence.h>\nvoid f(int *p) { thrust::sequence(p, p + 4); }\n"),
        Example('#include "mine.h"\nvoid f(int *p) { thrust::sequence(p, p + 4); }\n'),
    )
    INVALID = (
        Example(
            "#include <thrust/sort.h>\nvoid f(int *p) { thrust::sequence(p, p + 4); }\n",
            "#include <thrust/sort.h>\n#include <thrust/sequence.h>\nvoid f(int *p) { thrust::sequence(p, p + 4); }\n",
        ),
        Example(
            "#include <cub/cub.cuh>\nauto ones() { return thrust::make_constant_iterator(1); }\n",
            "#include <hipcub/hipcub.hpp>\n#include <thrust/iterator/constant_iterator.h>\n"
            "auto ones() { return thrust::make_constant_iterator(1); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        thrust_includes = [include for include in unit.lexemes.includes if include.path.startswith(_PREFIXES)]
        if not thrust_includes:
            return
        declaring = {str(use.row.details["include"]) for use in unit.uses if "include" in use.row.details}
        missing = sorted(declaring - unit.headers)
        if missing:
            yield from includes_after(unit, thrust_includes, *missing)
