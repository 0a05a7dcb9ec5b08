"""Finds the line that an error of a build comes from: in a source, or in a build file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from hipify_py.build_systems.cmake.lexer import read as read_cmake
from hipify_py.build_systems.kinds import CMAKE, kind_of
from hipify_py.compile.builds.build_message import BuildMessage
from hipify_py.compile.builds.output_map import Written
from hipify_py.compile.builds.targets import Target
from hipify_py.compile.diagnostics import Message
from hipify_py.core.source import SOURCE_SUFFIXES, Source, suffix_of
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.tokens import tokens

_OBJECT = re.compile(r"(?P<stem>.+?)(?:-gfx\w+)?(?:-[0-9a-f]{6})?\.(?:l?o|obj)$")
_WORD = re.compile(rb"[^\s\"'()\[\]{}<>$,;=:]+")
_OF_TARGET = re.compile(r"CMakeFiles/(?P<name>[^/]+)\.dir/")


class Places:
    """The source locations of the errors of one build.

    Args:
        written: the files that are built.
        folders: those that relative paths may refer to.
        targets: CMake's description of its targets.
    """

    def __init__(self, written: Written, folders: Sequence[str], targets: Iterable[Target] = ()) -> None:
        self._written = written
        self._folders = folders
        self._targets: dict[str, Target] = {}
        for target in targets:
            for name in (target.name, target.artifact):
                self._targets.setdefault(name, target)

    def message(self, built: BuildMessage) -> Message | None:
        """The error at its location in the given project; None if the location is unknown."""
        for path, line, column in self._candidates(built):
            is_elsewhere = built.column and (line, column) != (built.line, built.column)
            text = f"{built.text} (in {built.path}:{built.line})" if is_elsewhere else built.text
            found = Message(path, line, column or _indent(path, line) + 1, built.severity, self._written.shown(text))
            return self._written.origins.home(found)
        return None

    def _candidates(self, built: BuildMessage) -> Iterator[tuple[str, int, int]]:
        """The places, the best first."""
        folders = (built.folder, *self._folders) if built.folder else self._folders
        named = [(built.path, built.line, built.column), *((path, line, 0) for path, line in built.others)]
        found = [(self._written.find(path, folders), line, column) for path, line, column in named if path]
        yield from (place for place in found if self._written.holds(place[0]))
        target = self._target(built)
        if built.symbol:
            yield from self._uses(built, target)
        if built.words and not built.path:
            yield from self._mentions(built.words, [target.file] if target else [])
        rule = self._written.find(built.rule[0], folders) if built.rule[0] else ""
        if self._written.holds(rule):
            yield rule, built.rule[1], 0
        if target is not None and target.file and not built.path:
            yield target.file, target.line, 0
        yield from (place for place in found if place[0])

    def _target(self, built: BuildMessage) -> Target | None:
        """The target of CMake's that was being made."""
        if not self._targets:
            return None
        for text in (built.target, built.rule[0]):
            match = _OF_TARGET.search(text)
            if match is not None and match["name"] in self._targets:
                return self._targets[match["name"]]
        return self._targets.get(os.path.basename(built.target))

    def _uses(self, built: BuildMessage, target: Target | None) -> Iterator[tuple[str, int, int]]:
        """Where the sources that a linker names first use a symbol."""
        name = plain_name(built.symbol)
        sources = [*dict.fromkeys(self._sources(built.objects))]
        if target is not None:
            within = [place for place in sources if place in target.sources]
            sources = within or sources or [*target.sources]
        for source in sources if name else ():
            place = _first_use(source, name, plain_name(built.within))
            if place is not None:
                yield (source, *place)

    def _sources(self, objects: Iterable[str]) -> Iterator[str]:
        """The sources that objects were made of, or that are named themselves."""
        for path in objects:
            name = os.path.basename(path)
            match = _OBJECT.match(name)
            if match is None:
                yield from self._written.named(name)
                continue
            stem = match["stem"]
            found = self._written.named(stem) or [
                place for place in self._written.of_stem(stem) if suffix_of(place) in SOURCE_SUFFIXES
            ]
            yield from found

    def _mentions(self, words: Sequence[str], first: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """Where build files name one of the words, the likeliest word first."""
        files = [*dict.fromkeys((*first, *self._written.build_files()))]
        texts = {file: [*_words(file)] for file in files if self._written.holds(file)}
        for word in words:
            for file, found in texts.items():
                for text, line, column in found:
                    if text == word:
                        yield file, line, column


def plain_name(symbol: str) -> str:
    """The last name of a C++ symbol as linkers write it: `void a::f<int>(int)` is `f`; empty for a mangled one."""
    depth, kept = 0, list[str]()
    for character in symbol:
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif not depth:
            if character == "(" and kept:
                break
            kept.append(character)
    name = "".join(kept).split("::")[-1].split(" ")[-1].removeprefix("__device_stub__")
    return name if name.isidentifier() and not name.startswith("_Z") else ""


def _first_use(path: str, name: str, within: str) -> tuple[int, int] | None:
    """The line and column of a name in a source's code: in a function, else in any, else wherever it is first."""
    source = _read(path)
    if name.encode() not in source.data:
        return None
    depth, is_behind = 0, False
    first = inside = -1
    for text, start, _ in tokens(Lexer(frozenset()).scan(source.data), 0, len(source.data)):
        if text == name.encode():
            if is_behind and depth:
                return source.position(start)
            first = start if first < 0 else first
            inside = start if depth and inside < 0 else inside
        depth += (text == b"{") - (text == b"}")
        is_behind = is_behind or text == within.encode()
    found = inside if inside >= 0 else first
    return None if found < 0 else source.position(found)


def _words(path: str) -> Iterator[tuple[str, int, int]]:
    """The words of a build file with their lines and columns; those of comments are none."""
    source = _read(path)
    ranges = []
    if kind_of(path) == CMAKE:
        commands = read_cmake(source.data).commands
        ranges = [(argument.inner, argument.inner_end) for command in commands for argument in command.arguments]
    else:
        at = 0
        for line in source.data.splitlines(keepends=True):
            comment = re.search(rb"(?:^|\s)#", line)
            ranges.append((at, at + (comment.start() if comment else len(line))))
            at += len(line)
    for start, end in ranges:
        for match in _WORD.finditer(source.data, start, end):
            yield (match[0].decode("utf-8", "replace"), *source.position(match.start()))


def _indent(path: str, line: int) -> int:
    """How many blanks a line begins with."""
    lines = _read(path).data.split(b"\n", line)
    text = lines[line - 1] if 0 < line <= len(lines) else b""
    return len(text) - len(text.lstrip(b" \t"))


def _read(path: str) -> Source:
    try:
        with open(path, "rb") as file:
            return Source(file.read(), path)
    except OSError:
        return Source(b"", path)
