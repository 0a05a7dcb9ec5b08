"""`-D__HIP_PLATFORM_AMD__` for compilers of the host that are given the folder of HIP's headers: hipcc has it set."""

from __future__ import annotations

from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.survey import NVCC
from hipify_py.build_systems.make.toolkit import root_at, tail_of
from hipify_py.build_systems.make.uses import use_of

MACRO = "-D__HIP_PLATFORM_AMD__"
_OPTIONS = ("-I", "-isystem", "-idirafter")


def apply(file: MakeFile) -> None:
    """Name the platform behind the folder."""
    for line in file.lines:
        if line.is_text or any(word.text.startswith(MACRO) for word in line.words):
            continue
        at = next((at for at in range(len(line.words)) if _names_headers(file, line, at)), -1)
        if at >= 0 and use_of(file, line) != NVCC:
            end = line.words[at].end
            file.replace(end, end, f" {MACRO}")


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
        return tail_of(data, root, word.end).rstrip("/") in {"/include", "/targets/x86_64-linux/include"}
    found = file.references_in(place, place + 1)
    return bool(found) and found[0].name in file.told.includes and not found[0].is_function
