"""nvcc itself: in commands, in the variables that hold it, and where makefiles look for it or compare with it."""

from __future__ import annotations

import re

from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.reader import CONDITION
from hipify_py.build_systems.make.survey import is_nvcc
from hipify_py.build_systems.shell_words import Word

HIPCC = "hipcc"

_TOKEN = re.compile(rb"(?<![\w.+-])nvcc(?![\w.+-])")
_COMPARING = frozenset({"findstring", "filter", "filter-out", "subst", "patsubst", "wildcard", "if", "or", "and"})


def apply(file: MakeFile) -> None:
    """Call hipcc."""
    for word in _calls(file):
        _replace(file, file.source.data.rindex(b"nvcc", word.start, word.end))
    for item in file.read.statements:
        names = {one.name for one in file.references_in(item.start, item.end)}
        if item.kind == CONDITION and names & file.context.compilers:
            _tokens(file, item.start, item.end)
    for one in file.made_references:
        if one.is_function and one.name == "shell":
            _tokens(file, one.start, one.end)
        elif one.is_function and one.name in _COMPARING:
            names = {other.name for other in file.references_in(one.start + 1, one.end)}
            if names & (file.context.compilers | file.context.roots | file.context.toolkits | {"shell"}):
                _tokens(file, one.start, one.end)


def first_call(file: MakeFile) -> Word | None:
    """The first word that names nvcc."""
    return next(iter(_calls(file)), None)


def _calls(file: MakeFile) -> list[Word]:
    found = []
    for line in file.lines:
        if not line.is_text:
            found += [word for at, word in enumerate(line.words) if _is_call(file, line, at, word)]
    return found


def _is_call(file: MakeFile, line: Line, at: int, word: Word) -> bool:
    _, slash, program = word.text.rpartition("/")
    if not is_nvcc(program.lstrip("@-") if not slash else program) or word.text.startswith("@NVCC"):
        return False
    if slash:
        return True
    if line.is_command:
        return True
    root = file.root(line)
    if root.is_command:
        return at == 0
    runs_it = root.variable in file.context.compilers
    return runs_it and (at == 0 or line.words[at - 1].text.startswith("$") or at == len(line.words) - 1)


def _tokens(file: MakeFile, start: int, end: int) -> None:
    for match in _TOKEN.finditer(file.source.data, start, end):
        _replace(file, match.start())


def _replace(file: MakeFile, place: int) -> None:
    file.replace(place, place + len("nvcc"), HIPCC)
    file.converted(place, "nvcc", "compiler")
