"""`-D__HIP_PLATFORM_AMD__` for host compilers that read HIP's headers: hipcc defines it by itself.

They get the folder of the headers, or compile sources that include those, which they find by a folder from the
environment (AutoDock-GPU: `g++ -I$(GPU_INCLUDE_PATH) host/src/main.cpp`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from posixpath import basename, splitext

from hipify_py.build_systems.make.lists import Prefixed, prefixed
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.references import Reference
from hipify_py.build_systems.make.rules.folders import has_variable
from hipify_py.build_systems.make.survey import NVCC, OTHER_COMPILER, compiler_of, use_of
from hipify_py.build_systems.make.toolkit import FOLDER, HEADERS, ROOT, root_at, roots_in, tail_of

MACRO = "-D__HIP_PLATFORM_AMD__"
_AUTOMATIC = frozenset({"$<", "$^", "$+", "$?", "$(<)", "$(^)", "$*.c", "$*.cc", "$*.cpp"})
_OF_MSVC = re.compile(r"/[A-Za-z]{1,3}")
_OF_SUFFIXES = re.compile(r"(\.\w+)\.\w+")
_SOURCE = re.compile(r"([^\s/(){},$]*\.(?:c|cc|cpp|cxx|c\+\+))(?![\w.])")
_OPTIONS = ("-I", "-isystem", "-idirafter")


def apply(file: MakeFile) -> None:
    """Name the platform after the folder."""
    lists = {one.whole.start: one.whole for one in prefixed(file) if _searches(file, one)}
    within = [(one.start, one.end) for one in lists.values()]
    for line in file.lines:
        if line.is_text or any(word.text.startswith(MACRO) for word in line.words):
            continue
        place = (line.shell.start, line.shell.end)
        if any(start < place[0] and place[1] < end for start, end in within):
            continue  # adding it to one folder would add it to all of them
        end = _headers_end(file, line, lists)
        if end >= 0 and use_of(file, line) != NVCC:
            file.replace(end, end, f" {MACRO}")
        elif end < 0 and (suffixes := _read_headers(file, line)):
            called = compiler_of(file, line)
            if called is not None and (called[0] == OTHER_COMPILER or (called[0] == NVCC and ".c" in suffixes)):
                root = f"$({ROOT})" if has_variable(file) else FOLDER
                file.replace(called[1].end, called[1].end, f" {MACRO} -I{root}/include")
                file.uses_root = True


def _read_headers(file: MakeFile, line: Line) -> set[str]:
    """The endings of sources that a command compiles and that include HIP's headers, if it does not name their folder.

    hipcc compiles `.c` as C, without what it defines for HIP (CUDAMicroBench).
    """
    if (
        not line.is_command
        or not file.context.host_sources
        or any(_OF_MSVC.fullmatch(word.text) for word in line.words)
    ):
        return set()
    names = {one.name for one in file.references_in(line.words[0].start, line.words[-1].end)}
    if names & (file.context.with_headers | file.context.includes):
        return set()
    return {splitext(source)[1] for name in _compiled(file, line) for source in _sources(file, name)}


def _sources(file: MakeFile, name: str) -> list[str]:
    """The sources with a name that include HIP's headers; those for `*` are in the makefile's folder or below."""
    sources = file.context.host_sources
    if "*" not in name:
        return [source for source in sources if basename(source) == name]
    return [source for source in sources if fnmatchcase(basename(source), name) and not source.startswith("../")]


def _compiled(file: MakeFile, line: Line) -> Iterator[str]:
    """The names of the sources that a command compiles, with `*` for what is not known."""
    rule = file.rule_of(line)
    for word in line.words[1:]:
        if word.text in _AUTOMATIC and rule is not None:
            data = file.source.data
            given, made = (data[slice(*span)].decode("utf-8", "surrogateescape") for span in (rule.value, rule.targets))
            suffixes = _OF_SUFFIXES.fullmatch(made.strip())
            yield from _sources_in(f"*{suffixes[1]}" if suffixes is not None and not given else given)
        else:
            yield from _sources_in(word.text)


def _sources_in(text: str) -> Iterator[str]:
    for match in _SOURCE.finditer(text):
        known = match[1].replace("%", "*")
        yield f"*{known}" if text[match.start() - 1 : match.start()] in {")", "}"} else known


def _headers_end(file: MakeFile, line: Line, lists: Mapping[int, Reference]) -> int:
    """The end of the word that names the folder of the headers; -1 if there is none."""
    for at, word in enumerate(line.words):
        if word.start in lists:
            return lists[word.start].end
        if _names_headers(file, line, at):
            return word.end
    return -1


def _searches(file: MakeFile, one: Prefixed) -> bool:
    """Whether a list of folders contains that of the toolkit's headers."""
    if not one.is_searched:
        return False
    context = file.context
    suffix = one.suffix.rstrip("/")
    if one.variables(file) & (context.with_root if suffix else context.searched):
        return True
    data = file.source.data
    return any(
        tail_of(data, root, one.end).rstrip("/") + suffix in HEADERS for root in roots_in(file, one.start, one.end)
    )


def _names_headers(file: MakeFile, line: Line, at: int) -> bool:
    word = line.words[at]
    option = next((option for option in _OPTIONS if word.text.startswith(option)), "")
    place = word.start + len(option)
    if not option:
        if at == 0 or line.words[at - 1].text not in _OPTIONS:
            return False
    elif word.text == option:
        return False
    data = file.source.data
    place += data[place : place + 1] in b"\"'"
    root = root_at(file, place)
    if root is not None:
        return tail_of(data, root, word.end).rstrip("/") in HEADERS
    found = file.references_in(place, place + 1)
    return bool(found) and found[0].name in file.context.includes and not found[0].is_function
