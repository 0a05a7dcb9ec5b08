"""Conditions on CUDA's version: HIP offers what one version does, so the branches for other versions are dead.

Met in public repositories: options that a version introduced, in a chain of `elseif()` for all versions of a decade
(DualSPHysics, Gpufit, xmrig-cuda), and requirements that have long been met (cuda-api-wrappers).
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from hipify_py.build_systems.cmake.lexer import BRACKET, CLOSE, OPEN, QUOTED, UNQUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.variables import version_of

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "EQUAL": operator.eq,
    "LESS_EQUAL": operator.le,
    "GREATER_EQUAL": operator.ge,
}
_OF_VERSIONS = {f"VERSION_{name}": order for name, order in _ORDERS.items()}


class Branch(NamedTuple):
    """A branch of a condition: the command that begins it, and the one that begins the next branch or ends all."""

    head: Command
    after: Command


def chains(commands: Sequence[Command]) -> list[list[Branch]]:
    """The branches of each `if()` that has its `endif()`, and each `foreach()` as one branch, inner ones first."""
    found: list[list[Branch]] = []
    open_heads: list[list[Command]] = []
    for command in commands:
        if command.name in {"if", "foreach"}:
            open_heads.append([command])
        elif command.name in {"else", "elseif"} and open_heads:
            open_heads[-1].append(command)
        elif command.name in {"endif", "endforeach"} and open_heads:
            heads = [*open_heads.pop(), command]
            if command.name == f"end{heads[0].name}":
                found.append([Branch(head, after) for head, after in pairwise(heads)])
    return found


def apply(file: CMakeFile) -> None:
    """Take dead branches out, and the conditions around those that always hold: no other rule sees these commands."""
    decided = sorted(
        ((chain, values) for chain in chains(file.commands) if (values := _decided(file, chain))),
        key=lambda one: one[0][0].head.start,
    )
    gone: list[tuple[int, int]] = []
    for chain, values in decided:
        if not any(start <= chain[0].head.start < end for start, end in gone):
            gone += _rewrite(file, chain, values)
    for chain in chains(file.commands):
        for branch in chain:
            if not any(start <= branch.head.start < end for start, end in gone):
                _drop_needless(file, branch.head)
    if gone:
        commands = [each for each in file.commands if not any(start <= each.start < end for start, end in gone)]
        file.read = file.read._replace(commands=commands)


def _decided(file: CMakeFile, chain: Sequence[Branch]) -> dict[int, bool]:
    """Which branches are never taken, and which one is taken whenever it is reached."""
    heads = [branch.head for branch in chain if branch.head.name != "foreach"]
    return {head.start: value for head in heads if (value := _Condition(file, head).value()) is not None}


def _drop_needless(file: CMakeFile, head: Command) -> None:
    """Take out what always holds among parts that `AND` joins: `if(A AND CUDA_VERSION VERSION_GREATER 7)` (Gpufit)."""
    parts: list[list[Argument]] = [[]]
    for argument in head.arguments:
        if argument.kind in {OPEN, CLOSE} or (argument.kind == UNQUOTED and argument.text == "OR"):
            return
        if argument.kind == UNQUOTED and argument.text == "AND":
            parts.append([])
        else:
            parts[-1].append(argument)
    if head.name == "foreach" or len(parts) == 1 or not all(parts):
        return
    kept = [at for at, part in enumerate(parts) if not _Condition(file, head, part).value()]
    if not kept:
        return
    if kept[0]:
        file.replace_whole(parts[0][0].start, parts[kept[0]][0].start, "")
    for at in sorted(set(range(kept[0] + 1, len(parts))).difference(kept)):
        file.replace_whole(parts[at - 1][-1].end, parts[at][-1].end, "")


def _rewrite(file: CMakeFile, chain: Sequence[Branch], values: Mapping[int, bool]) -> list[tuple[int, int]]:
    """Write what is left of a condition; returns the ranges of the commands that are gone."""
    kept: list[Branch] = []
    for branch in chain:
        _tell(file, branch.head)
        value = values.get(branch.head.start)
        if value is not False:
            kept.append(branch)
        if value:
            break
    first, end = chain[0].head, chain[-1].after
    if not kept:
        file.drop_block(first.start, end.end)
        return [(first.start, end.end)]
    gone: list[tuple[int, int]] = []
    always = kept[-1] if values.get(kept[-1].head.start) or kept[-1].head.name == "else" else None
    if kept[0] is always:
        _dedent(file, first, always)
        gone = [(first.start, always.head.end), (always.after.start, end.end)]
        for start, stop in gone:
            file.drop(start, stop)
        return gone
    previous = first.start
    for branch in kept:
        if previous != branch.head.start:
            gone.append((previous, branch.head.start))
        previous = branch.after.start
        if branch is always and branch.head.name == "elseif":
            file.replace_whole(branch.head.start, branch.head.end, _like(file, branch.head, "else") + "()")
            gone.append((branch.head.start, branch.head.end))
    if previous != end.start:
        gone.append((previous, end.start))
    for start, stop in gone:
        if all(start != branch.head.start for branch in kept):
            file.replace_whole(start, stop, "")
    if kept[0].head.name == "elseif":
        file.replace(kept[0].head.start, kept[0].head.name_end, _like(file, kept[0].head, "if"))
    return gone


def _like(file: CMakeFile, command: Command, name: str) -> str:
    """A command's name in capitals where the author writes it so."""
    return name.upper() if file.source.data[command.start : command.name_end].isupper() else name


def _tell(file: CMakeFile, head: Command) -> None:
    """Report the versions that a condition asks for."""
    for argument in head.arguments if head.name != "else" else ():
        name, version = version_of(file, argument)
        if version:
            place = argument.inner + (2 if argument.text.startswith("${") else 0)
            file.converted(place, name, "variable")
            file.finding("HIP609", place, name, version)


def _dedent(file: CMakeFile, first: Command, branch: Branch) -> None:
    """Move the lines of a branch to the left, to where its condition was; no line of a text."""
    data = file.source.data
    outer, inner = _indent(data, first.start), b""
    body = [each for each in file.commands if branch.head.end <= each.start < branch.after.start]
    if body:
        inner = _indent(data, body[0].start)
    if len(inner) <= len(outer) or not inner.startswith(outer):
        return
    texts = [
        (argument.start, argument.end)
        for command in body
        for argument in command.arguments
        if argument.kind in {QUOTED, BRACKET}
    ]
    texts = sorted([*texts, *file.comments])
    starts = [start for start, _ in texts]
    at = data.find(b"\n", branch.head.end) + 1
    while 0 < at < branch.after.start:
        inside = bisect_right(starts, at - 1) - 1
        is_text = inside >= 0 and texts[inside][1] > at
        if not is_text and data.startswith(inner, at):
            file.dedent(at, len(inner) - len(outer))
        at = data.find(b"\n", at) + 1


def _indent(data: bytes, place: int) -> bytes:
    first = data.rfind(b"\n", 0, place) + 1
    return data[first:place] if not data[first:place].strip(b" \t") else b""


class _Condition:
    """The condition of `if()` or `elseif()`, as far as CUDA's version decides it."""

    def __init__(self, file: CMakeFile, head: Command, part: Sequence[Argument] | None = None) -> None:
        """`part` are the arguments to read; all of the command if there is none."""
        self.file = file
        self.arguments = part if part is not None else head.arguments if head.name != "else" else ()
        self.at = 0
        self.is_whole = True  # no reference that may stand for operators as well

    def value(self) -> bool | None:
        """Whether it holds; None if that is not known."""
        if not any(version_of(self.file, argument)[1] for argument in self.arguments):
            return None
        value = self._any()
        return value if self.is_whole and self.at == len(self.arguments) else None

    def _next(self, *words: str) -> bool:
        """Whether an operator follows, which is then read."""
        argument = self._peek()
        if argument is None or argument.kind != UNQUOTED or argument.text not in words:
            return False
        self.at += 1
        return True

    def _peek(self) -> Argument | None:
        return self.arguments[self.at] if self.at < len(self.arguments) else None

    def _any(self) -> bool | None:
        values = [self._all()]
        while self._next("OR"):
            values.append(self._all())
        return True if True in values else None if None in values else False

    def _all(self) -> bool | None:
        values = [self._one()]
        while self._next("AND"):
            values.append(self._one())
        return False if False in values else None if None in values else True

    def _one(self) -> bool | None:
        if self._next("NOT"):
            value = self._one()
            return None if value is None else not value
        argument = self._peek()
        if argument is None:
            return None
        if argument.kind == OPEN:
            self.at += 1
            value = self._any()
            closing = self._peek()
            if closing is None or closing.kind != CLOSE:
                return None
            self.at += 1
            return value
        if argument.kind == CLOSE:
            return None
        return self._test()

    def _test(self) -> bool | None:
        """A comparison of versions; any other test is unknown, and ends before the next operator."""
        begun = self.arguments[self.at :]
        words = [each.text for each in begun[:3]]
        if len(words) == 3 and begun[1].kind == UNQUOTED and words[1] in {*_ORDERS, *_OF_VERSIONS}:
            self.at += 3
            texts = self._text(begun[0]), self._text(begun[2])
            left, right = map(_numbers, texts)
            if not left or not right:
                return None
            if words[1] in _OF_VERSIONS:
                return _OF_VERSIONS[words[1]](*_filled(left, right))
            return _ORDERS[words[1]](*map(float, texts)) if max(len(left), len(right)) <= 2 else None
        while (argument := self._peek()) is not None and argument.kind not in {OPEN, CLOSE}:
            if argument.kind == UNQUOTED and argument.text in {"AND", "OR"}:
                break
            self.is_whole &= argument.kind != UNQUOTED or "${" not in argument.text
            self.at += 1
        return None

    def _text(self, argument: Argument) -> str:
        return version_of(self.file, argument)[1] or argument.text


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else ()


def _filled(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Versions of the same length: a missing part is zero."""
    longest = max(len(left), len(right))
    return left + (0,) * (longest - len(left)), right + (0,) * (longest - len(right))
