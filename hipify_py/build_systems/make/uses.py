"""Which compiler the words of a line are for: nvcc, another one, or an unknown one."""

from __future__ import annotations

from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.survey import NVCC, OTHER_COMPILER, called
from hipify_py.build_systems.shell_words import Word

BOTH = "both"


def use_of(file: MakeFile, line: Line) -> str:
    """`NVCC`, `OTHER_COMPILER` or `BOTH`; empty if that is not known."""
    root = file.root(line)
    told = file.told
    if not root.is_command:
        if root.variable in told.for_nvcc or (root.variable in told.compilers and root.variable not in told.mixed):
            return NVCC
        return BOTH if root.variable in told.mixed else ""
    compiler = compiler_of(file, root)
    return "" if compiler is None else compiler[0]


def compiler_of(file: MakeFile, line: Line) -> tuple[str, Word] | None:
    """The compiler that a command runs, and the word that names it; None for other commands."""
    told = file.told
    for kind, word in called(file, line):
        if not kind.startswith("$"):
            return kind, word
        name = kind[1:]
        if name in told.compilers:
            return (BOTH if name in told.mixed else NVCC), word
        if name in {"CC", "CXX", "LD", "FC", "LINK.o"} or name in told.hosts:
            return OTHER_COMPILER, word
    return None
