"""nvcc's options among the words of a command line, and what HIP's clang has for them.

Build systems differ in how they write words and lists of words; what an option is, whether the next word is its value,
and what takes its place is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hipify_py.build_systems.facts import Flag
from hipify_py.build_systems.file import BuildFile


class NvccOption(NamedTuple):
    """An option of nvcc's, as a command line gives it.

    Attributes:
        flag: what is known of it.
        name: how it is spelled, without its value.
        value: its value; empty where it has none.
        words: how many words it takes, that of its value among them.
        text: what takes its place, words apart by blanks; empty where nothing does.
        has_counterpart: false where clang has nothing for its value.
    """

    flag: Flag
    name: str
    value: str
    words: int
    text: str
    has_counterpart: bool = True


def option_of(words: Sequence[str], flags: Mapping[str, Flag], *, for_cuda: bool) -> NvccOption | None:
    """The option of nvcc's that begins with the first word; None where that is none, or may be another compiler's.

    Args:
        words: the word, and those behind it that may be its value.
        flags: the table of options.
        for_cuda: the words are for nvcc only; otherwise an option counts only where no other compiler has its name.
    """
    text = words[0]
    name, equals, value = text.partition("=")
    flag = flags.get(name if equals else text)
    if flag is None or not (flag.own or for_cuda) or (equals and not flag.value):
        return None
    taken = 1
    if flag.value and not equals:
        if len(words) > 1:
            value, taken = words[1], 2
        elif (flag.host and flag.own) or flag.values is not None:
            return None
    if flag.values is not None and value not in flag.values:
        return NvccOption(flag, text, value, taken, "", has_counterpart=False)
    return NvccOption(flag, name, value, taken, _replacement(flag, value))


def report(file: BuildFile, start: int, option: NvccOption) -> None:
    """Account for an option at its place, with its finding where it has one."""
    if option.has_counterpart:
        file.converted(start, option.name, "option")
        if option.flag.finding:
            file.finding(option.flag.finding, start, option.name, option.flag.advice)
    elif option.flag.own:
        detail = f"clang has no option for the value {option.value or 'given'}"
        file.left("HIP603", start, option.name, "option", detail)


_ERRORS = "-Werror"
_NOT_AN_ERROR = "-Wno-error=unused-value"  # HIP's functions are [[nodiscard]], CUDA's are not


def apart(value: str) -> str:
    """Options for the host with blanks between them in place of commas; those of `-Wl,` belong to it."""
    return value if "-Wl," in value else value.replace(",", " ")


def without_added(text: str) -> str:
    """What takes an option's place, without what is added to it, for places that cannot hold two options."""
    return text.replace(f"{_ERRORS} {_NOT_AN_ERROR}", _ERRORS)


def _replacement(flag: Flag, value: str) -> str:
    if flag.values is not None:
        return flag.values[value]
    if flag.host:
        return _without_new_errors(apart(value))
    return (flag.hip or "").replace("{}", value)


def _without_new_errors(options: str) -> str:
    """Options for the host's compiler, where one of them makes errors of warnings.

    It did so for the code that nvcc left to that compiler, which says nothing where a result of CUDA's is ignored.
    """
    words = options.split(" ")
    if _ERRORS not in words:
        return options
    return " ".join(word if word != _ERRORS else f"{_ERRORS} {_NOT_AN_ERROR}" for word in words)
