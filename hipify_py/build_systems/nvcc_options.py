"""nvcc's options among the words of a command line, and their counterparts in HIP's clang.

Build systems differ in how they write words and lists of words. All of them agree on what an option is, whether the
next word is its value, and what replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.facts import Flag
from hipify_py.build_systems.file import BuildFile
from hipify_py.core.targeting import WARP_SYNC_MACRO, gates_warp_sync

_OF_APPLE = frozenset({"x86_64", "x86_64h", "i386", "arm64", "arm64e", "ppc", "ppc64"})
"""Values of the `-arch` that compilers for macOS have."""

_APART, _EQUALS = "apart", "equals"
"""The forms of an option with a value, as the table calls them."""


class NvccOption(NamedTuple):
    """One of nvcc's options, as a command line contains it.

    Attributes:
        flag: what is known about it.
        name: its spelling, without its value.
        value: its value; empty if it has none.
        words: how many words it takes, its value included.
        text: what replaces it, words separated by blanks; empty if nothing does.
        has_counterpart: false if clang has nothing for it, or for its value.
    """

    flag: Flag
    name: str
    value: str
    words: int
    text: str
    has_counterpart: bool = True


def option_of(words: Sequence[str], flags: Mapping[str, Flag], *, for_cuda: bool) -> NvccOption | None:
    """The nvcc option that begins with the first word; None if that is not one, or may be another compiler's.

    Args:
        words: the word, and those after it that may be its value.
        flags: the table of options.
        for_cuda: whether the words are for nvcc only; else an option counts only if no other compiler has its name.
    """
    text = words[0]
    name, equals, value = text.partition("=")
    flag = flags.get(name if equals else text)
    if flag is None and not equals and text[2:].isdigit():
        flag = flags.get(text[:2])
        if flag is None or not flag.glued:
            return None
        name, equals, value = text[:2], "=", text[2:]
    if flag is None or not (flag.own or for_cuda) or (equals and not flag.value):
        return None
    if flag.only == (_APART if equals else _EQUALS):
        return None
    taken = 1
    if flag.value and not equals:
        if len(words) > 1:
            value, taken = words[1], 2
        elif (flag.host and flag.own) or flag.values is not None:
            return None
    if flag.finding == "HIP602" and is_apples([value]):
        return None
    if flag.left or (flag.values is not None and value not in flag.values) or (flag.host and _is_for_msvc(value)):
        return NvccOption(flag, text, value, taken, "", has_counterpart=False)
    return NvccOption(flag, name, value, taken, _replacement(flag, value))


def is_apples(values: Sequence[str]) -> bool:
    """Whether the value of `-arch` is one for compilers of macOS."""
    return not _OF_APPLE.isdisjoint(values)


def report(file: BuildFile, start: int, option: NvccOption) -> None:
    """Record an option at its place, with its finding if it has one."""
    if option.has_counterpart:
        file.converted(start, option.name, "option")
        if option.flag.finding:
            file.finding(option.flag.finding, start, option.name, option.flag.advice)
    elif option.flag.left:
        file.left(option.flag.finding, start, option.name, "option", option.flag.advice)
    elif option.flag.own:
        detail = f"clang has no option for the value {option.value or 'given'}"
        file.left("HIP603", start, option.name, "option", detail)


_FOR_MSVC = re.compile(r"/[A-Za-z][\w:+-]*")


def _is_for_msvc(value: str) -> bool:
    """Whether options for the host are those of Microsoft's compiler (`/EHsc`), which HIP's clang takes for files.

    They stay, in a branch for Windows mostly: llm.c, NCCL tests.
    """
    return any(_FOR_MSVC.fullmatch(word) for word in apart(value.strip("\"'")).split())


ERRORS = "-Werror"
_NOT_AN_ERROR = "-Wno-error=unused-value"  # HIP's functions are [[nodiscard]], CUDA's are not
ERRORS_OF_CXX = f"{ERRORS} {_NOT_AN_ERROR} -Wno-error=unused-result"
"""The same for C++ sources, which GCC or clang compiles: GCC has another name for that warning."""


def runtime_included(rocm: str) -> str:
    """The options for C++ sources that are CUDA by an option or a property: nvcc includes the runtime's header itself.

    The macro that a version of ROCm wants comes with them, because the header precedes the `#define` of any source.
    """
    macro = f"-D{WARP_SYNC_MACRO.decode()}= " if gates_warp_sync(rocm) else ""
    return f"{macro}-include hip/hip_runtime.h"


def apart(value: str) -> str:
    """Options for the host with blanks between them in place of commas; the commas of `-Wl,` stay."""
    return value if "-Wl," in value else value.replace(",", " ")


def without_added(text: str) -> str:
    """What replaces an option, without what is added to it, for places that cannot hold two options."""
    return text.replace(ERRORS_OF_CXX, ERRORS).replace(f"{ERRORS} {_NOT_AN_ERROR}", ERRORS)


def _replacement(flag: Flag, value: str) -> str:
    if flag.values is not None:
        return flag.values[value]
    if flag.host:
        return _without_new_errors(apart(value))
    return (flag.hip or "").replace("{}", value)


def _without_new_errors(options: str) -> str:
    """Options for the host compiler, if one of them turns warnings into errors.

    It did so for the code that nvcc left to that compiler, which does not warn about ignored results of CUDA functions.
    """
    words = options.split(" ")
    if ERRORS not in words:
        return options
    return " ".join(word if word != ERRORS else f"{ERRORS} {_NOT_AN_ERROR}" for word in words)
