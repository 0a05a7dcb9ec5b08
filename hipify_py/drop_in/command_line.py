"""Reads command lines as the two tools do: by Perl's Getopt::Long, and by LLVM's command-line library."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.suggestions import did_you_mean
from hipify_py.drop_in.options import Option

SEPARATOR = "--"
_DASHES = lazy_pattern(r"(--|-|\+)(.+)", re.DOTALL)
_TRUE, _FALSE = frozenset({"", "true", "TRUE", "True", "1"}), frozenset({"false", "FALSE", "False", "0"})


class Misuse(ValueError):
    """A command line that hipify-clang refuses; the message says why."""


class Arguments(NamedTuple):
    """A command line that has been read.

    Attributes:
        values: the values of each option that is given, in order; an option without a value has empty ones.
        operands: what is left: the names of files.
        compiler: the arguments after `--`, which are the compiler's.
        complaints: what is wrong but does not stop the tool.
    """

    values: dict[str, list[str]]
    operands: list[str]
    compiler: Sequence[str] = ()
    complaints: Sequence[str] = ()

    def has(self, name: str) -> bool:
        """Whether an option is given."""
        return name in self.values

    def last(self, name: str) -> str:
        """The value that an option is given last; empty for one that is not given."""
        return self.values[name][-1] if name in self.values else ""


def read_by_getopt(arguments: Sequence[str], options: Sequence[Option]) -> Arguments:
    """Read a command line as Getopt::Long does by default.

    Options begin with one or two dashes or a plus, in any case, may be shortened as long as they are unambiguous, and
    may follow files. What is wrong is told, and the rest is used: hipify-perl goes on after unknown options.
    """
    values: dict[str, list[str]] = {}
    operands: list[str] = []
    complaints: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word == SEPARATOR:
            operands += waiting
            break
        dashed = _DASHES.fullmatch(word)
        if dashed is None:
            operands.append(word)
            continue
        written, equals, value = dashed[2].partition("=")
        found = _abbreviated(written, options)
        if len(found) != 1:
            near = did_you_mean(written, [option.name for option in options])
            names = ", ".join(option.name for option in found)
            complaints.append(
                f"Option {written} is ambiguous ({names})" if found else f"Unknown option: {written}{near}"
            )
            continue
        (option,) = found
        if option.value and not equals and waiting:
            value = waiting.pop(0)
        elif option.value and not value:
            complaints.append(f"Option {option.name} requires an argument")
            continue
        elif equals and not option.value:
            complaints.append(f"Option {option.name} does not take an argument")
            continue
        values.setdefault(option.name, []).append(value)
    return Arguments(values, operands, complaints=complaints)


def _abbreviated(written: str, options: Sequence[Option]) -> list[Option]:
    """The options that a word may stand for."""
    word = written.lower()
    exact = [option for option in options if option.name == word]
    return exact or [option for option in options if option.name.startswith(word)]


def read_by_llvm(arguments: Sequence[str], options: Sequence[Option]) -> Arguments:
    """Read a command line as LLVM's `CommonOptionsParser` does.

    Options begin with one or two dashes and are written in full; a value follows `=` or is the next word, and that of
    some follows the name directly. `@FILE` stands for the words in a file. What follows `--` is the compiler's.

    Raises:
        Misuse: for an unknown option, a value that is missing or not wanted, and an option that is given twice.
    """
    before, compiler = _split(arguments)
    values: dict[str, list[str]] = {}
    operands: list[str] = []
    waiting = list(_expanded(before))
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        option, value = _looked_up(word, options)
        if option.value:
            if value is None:
                if not waiting:
                    raise Misuse(f"{word}: the option requires a value")
                value = waiting.pop(0)
        elif value is not None and value not in _TRUE | _FALSE:
            raise Misuse(f"{word}: the option is on or off and takes no value")
        elif value in _FALSE:
            continue
        if option.name in values and option.value and not option.repeats:
            raise Misuse(f"-{option.name} is given more than once")
        values.setdefault(option.name, []).append(value or "")
    return Arguments(values, operands, compiler)


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    if SEPARATOR not in arguments:
        return arguments, ()
    place = arguments.index(SEPARATOR)
    return arguments[:place], arguments[place + 1 :]


def _expanded(arguments: Sequence[str], depth: int = 8) -> Iterator[str]:
    """The words with those of response files; a name of no file stays a word."""
    for word in arguments:
        if not (word.startswith("@") and os.path.isfile(word[1:])) or not depth:
            yield word
            continue
        try:
            with open(word[1:], encoding="utf-8") as file:
                words = shlex.split(file.read())
        except (OSError, ValueError) as error:
            raise Misuse(f"{word}: cannot read the response file: {error}") from error
        yield from _expanded(words, depth - 1)


def _looked_up(word: str, options: Sequence[Option]) -> tuple[Option, str | None]:
    """The option that a word is, and the value that is written with it."""
    written = word[2:] if word.startswith("--") else word[1:]
    name, equals, value = written.partition("=")
    by_name = {option.name: option for option in options}
    if name in by_name:
        return by_name[name], value if equals else None
    joining = [option for option in options if option.joins and written.startswith(option.name)]
    if joining:
        option = max(joining, key=lambda each: len(each.name))
        return option, written[len(option.name) :]
    raise Misuse(f"unknown option {word}{did_you_mean(name, by_name)}")
