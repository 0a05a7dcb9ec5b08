"""`-D__HIP_PLATFORM_AMD__` for host compilers that get the folder of HIP's headers: hipcc defines it by itself."""

from __future__ import annotations

from collections.abc import Mapping

from hipify_py.build_systems.make.lists import Prefixed, prefixed
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.references import Reference
from hipify_py.build_systems.make.survey import NVCC, use_of
from hipify_py.build_systems.make.toolkit import HEADERS, root_at, roots_in, tail_of

MACRO = "-D__HIP_PLATFORM_AMD__"
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
