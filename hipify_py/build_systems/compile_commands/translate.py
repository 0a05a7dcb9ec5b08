"""Translate a compilation database into a `Translation`: nvcc's commands become hipcc's, files get their new places."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from posixpath import basename

from hipify_py.build_systems.commands.lines import CommandLines
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import NVCC
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.json_members import Member, members_of
from hipify_py.build_systems.json_words import ListSite, escaped, words_of_list
from hipify_py.build_systems.shell_words import Command, ShellText
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext, new_name, renamed_endings
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "compile_commands"
"""The kind under which the names of databases are counted."""

_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN_PATH = re.compile(r"[\w./+@%,-]+")
_BEFORE = "(?<![\\w./-])|" + "|".join(f"(?<={option})" for option in ("-I", "-L", "-isystem", "-iquote"))
_MEMBERS = frozenset({"directory", "file", "output"})


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a database that calls nvcc; any other one stays as it is."""
    file = BuildFile(Source(data, path), LIBRARY, options)
    entries = list(_entries(data))
    if any(_calls_nvcc(data, entry) for entry in entries):
        moves = _Moves(file, project)
        for entry in entries:
            _entry(file, entry, moves)
    return finished(file)


def _entries(data: bytes) -> Iterator[list[Member]]:
    """The members of each entry."""
    if data.lstrip()[:1] != b"[":
        return
    entry: list[Member] = []
    for member in members_of(data):
        if member.path:
            continue
        if member.before < 0 and entry:
            yield entry
            entry = []
        entry.append(member)
    if entry:
        yield entry


def _calls_nvcc(data: bytes, entry: Sequence[Member]) -> bool:
    return any(basename(command.name) == NVCC for _, command in _commands(data, entry))


def _entry(file: BuildFile, entry: Sequence[Member], moves: _Moves) -> None:
    data = file.source.data
    for site, command in _commands(data, entry, file):
        CommandLines(file).command(site, command)
        for word in command.words:
            moves.in_text(site, word.start, word.end, is_file=not word.text.startswith("-"))
    for member in entry:
        if member.name in _MEMBERS and data[member.value : member.value + 1] == b'"':
            inner, end = member.value + 1, member.end - 1
            moves.in_text(ListSite(file, [], data), inner, end, is_file=member.name == "file")


def _commands(data: bytes, entry: Sequence[Member], file: BuildFile | None = None) -> Iterator[tuple[Site, Command]]:
    """The command of an entry, as one text or as a list of words."""
    for member in entry:
        first = data[member.value : member.value + 1]
        if member.name == "command" and first == b'"':
            site = _TextSite(file or BuildFile(Source(b"", ""), LIBRARY, Options()), data, member)
            for command in site.shell.commands()[:1]:
                if command.words:
                    yield site, command
        elif member.name == "arguments" and first == b"[":
            words = words_of_list(data, member.value, member.end)
            if words:
                arguments = ListSite(file or BuildFile(Source(b"", ""), LIBRARY, Options()), words, data)
                yield arguments, Command(tuple(words))


class _TextSite(Site):
    """A command in a JSON string, whose escapes are decoded first."""

    def __init__(self, file: BuildFile, data: bytes, member: Member) -> None:
        start, end = member.value + 1, member.end - 1
        raw = data[start:end]
        self._start = start
        self._breaks: list[tuple[int, int, int]] = []
        pieces, at, length = list[bytes](), 0, 0
        for match in _ESCAPE.finditer(raw):
            pieces.append(raw[at : match.start()])
            length += match.start() - at
            text = json.loads(b'"' + match[0] + b'"').encode("utf-8", "surrogatepass")
            pieces.append(text)
            length += len(text)
            at = match.end()
            self._breaks.append((length, at, match.start()))
        pieces.append(raw[at:])
        super().__init__(file, ShellText(b"".join(pieces)))
        self._read = [place for place, _, _ in self._breaks]

    def at(self, place: int) -> int:
        """The place in the file; for one within what an escape represents, that of the escape."""
        index = bisect_right(self._read, place) - 1
        if index < 0:
            return self._start + self._limited(place, 0)
        read, written, _ = self._breaks[index]
        return self._start + self._limited(written + place - read, index + 1)

    def _limited(self, place: int, following: int) -> int:
        """Limit a place to the beginning of the next escape."""
        if following >= len(self._breaks):
            return place
        return min(place, self._breaks[following][2])

    def replace(self, start: int, end: int, text: str) -> None:
        super().replace(start, end, escaped(text))


class _Moves:
    """Where files are in the output."""

    def __init__(self, file: BuildFile, project: ProjectContext) -> None:
        self.file = file
        self.project = project
        self.moved = sorted(project.build.moved, key=lambda pair: -len(pair[0]))
        roots = "|".join(re.escape(old) for old, _ in self.moved)
        self._pattern = re.compile(f"(?:{_BEFORE})(?:{roots})(?=/|$|[\"',:;\\s])".encode()) if roots else None
        self._by_root = {old: new for old, new in self.moved if _PLAIN_PATH.fullmatch(new)}

    def in_text(self, site: Site, start: int, end: int, *, is_file: bool) -> None:
        """Write new places and names of files into a range."""
        data = site.shell.data
        if self._pattern is not None:
            for match in self._pattern.finditer(data, start, end):
                new = self._by_root.get(match[0].decode())
                if new is not None:
                    site.replace(match.start(), match.end(), new)
        if is_file and renamed_endings(self.project):
            self._renamed(site, start, end)

    def _renamed(self, site: Site, start: int, end: int) -> None:
        text = site.shell.data[start:end].decode("utf-8", "surrogateescape")
        for old, _ in self.moved:
            if text.startswith(f"{old}/"):
                text = text[len(old) + 1 :]
                break
        new = new_name(self.project, text, text.lstrip("./")) if text.strip("./") else None
        if new is not None:
            count = min(text.lstrip("./").count("/"), new.count("/")) + 1
            old, new = ("/".join(path.split("/")[-count:]) for path in (text, new))
            site.replace(end - len(old.encode("utf-8", "surrogateescape")), end, new)
