"""Makefiles that a makefile includes and that the project lacks: a folder of NVIDIA's samples, a generated file."""

from __future__ import annotations

from hipify_py.build_systems.make.includes import paths_in
from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.reader import INCLUDE


def apply(file: MakeFile) -> None:
    """Report the place of each such include."""
    lacking = dict(file.context.lacking)
    for item in file.read.statements if lacking else ():
        if item.kind == INCLUDE and item.name == "include":
            for name in paths_in(file.source.data, [item]):
                if name in lacking:
                    file.finding("HIP912", item.value[0], lacking[name], "make stops at this include")
