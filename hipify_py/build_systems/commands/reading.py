"""What a text contains: its commands, the parts of its words, and the variables that they set and refer to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from hipify_py.build_systems.shell_words import OPERATOR, Command, ShellText, Word, assigned, commands_of

REFERENCE = re.compile(rb"\$(?:\{([A-Za-z_]\w*)(?=[}:/%#\-+=?])|([A-Za-z_]\w*))")
"""A reference to a variable, whose name is one of the groups."""

_VARIABLE_ALONE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?:\[[@*]\])?\}|([A-Za-z_]\w*))")
_DECLARING = frozenset({"export", "declare", "typeset", "readonly", "local", "env", "set", "setenv"})
_DEEPEST = 32
"""How deep nested substitutions are visited: each is also a part of the words around it."""


def commands_in(shell: ShellText) -> Iterable[Command]:
    """The commands of a text and of its substitutions, without the patterns of `case`."""
    for start, end in ranges(shell):
        words = shell.words(start, end)
        patterns = _patterns(words)
        yield from (found for found in commands_of(words) if not found.words or found.words[0].start not in patterns)


def ranges(shell: ShellText) -> list[tuple[int, int]]:
    """The ranges of the text and of its substitutions."""
    found = [(shell.start, shell.end)]
    around: list[int] = []
    for part in shell.substitutions:
        while around and around[-1] <= part.start:
            around.pop()
        if len(around) < _DEEPEST:
            found.append((part.inner, part.inner_end))
        around.append(part.end)
    return found


def found_in(pattern: re.Pattern[bytes], shell: ShellText, word: Word) -> Iterable[re.Match[bytes]]:
    """Where a pattern matches in a word, outside of the commands within it."""
    for start, end in _pieces(shell, word):
        yield from pattern.finditer(shell.data, start, end)


def declared(command: Command) -> list[Word]:
    """The assignments that are arguments: `export CUDA_HOME=…`."""
    if command.name not in _DECLARING:
        return []
    return [word for word in command.words[1:] if assigned(word)]


def referred(text: str) -> str:
    """The variable whose value a word is; empty for other words."""
    match = _VARIABLE_ALONE.fullmatch(text)
    return "" if match is None else match[1] or match[2]


def is_quoted(word: Word, place: int) -> bool:
    """Whether a place lies in single quotes, where nothing is a reference."""
    return any(quote.mark != '"' and quote.start <= place < quote.end for quote in word.quotes)


def environment_references(data: bytes, start: int, end: int) -> Iterable[tuple[int, str]]:
    """The variables that a range refers to, with their places."""
    for match in REFERENCE.finditer(data, start, end):
        yield match.start(), (match[1] or match[2]).decode()


def _pieces(shell: ShellText, word: Word) -> Iterable[tuple[int, int]]:
    """The parts of a word outside of commands, which are visited separately."""
    parts, start = shell.substitutions, word.start
    at = bisect_left(parts, (start,))
    while at < len(parts) and parts[at].start < word.end:
        yield start, parts[at].start
        start = min(parts[at].end, word.end)
        at = bisect_left(parts, (start,))
    yield start, word.end


def _patterns(words: Sequence[Word]) -> set[int]:
    """Where the patterns of `case` begin: before a bracket that nothing has opened."""
    found: set[int] = set()
    depth, line = 0, list[int]()
    for word in words:
        if word.kind != OPERATOR:
            line.append(word.start)
            continue
        if word.text == "(":
            depth += 1
        elif word.text == ")":
            if depth == 0:
                found.update(line)
            depth = max(0, depth - 1)
        if word.text != "|":
            line = []
    return found
