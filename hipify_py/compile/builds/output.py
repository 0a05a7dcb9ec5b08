"""Reads the output of a build, line by line: compilers, linkers, CMake, Make, Ninja and Python.

What names a place has it at once. What names none (a library that is not found, a symbol that nobody defines, an option
that the compiler does not know) gets what is known of it: words to look for, the object or the source that it is about,
and, when Make or Ninja say which command has failed, that command's target and line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from hipify_py.compile.builds.build_message import QUOTED, Said, words_of
from hipify_py.compile.builds.cmake_messages import CMakeMessages
from hipify_py.compile.builds.linkers import Linkers

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""Colours, which some compilers use wherever their output goes."""

_SEVERITIES = {"fatal error": "error", "error": "error", "warning": "warning", "note": "note", "remark": "note"}
_PLACED = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)?"
    r" (?P<severity>(?:fatal )?[A-Za-z]+): (?P<text>.*)"
)
_DRIVER = re.compile(
    r"(?:\S*[/\\])?(?:clang|clang\+\+|hipcc|amdclang|amdclang\+\+|gcc|g\+\+|cc|c\+\+|nvcc|mpicc|mpicxx|ld|ar)"
    r"(?:-[\d.]+)?: (?:fatal )?(?P<severity>error|warning): (?P<text>.*)"
)
_ECHO = re.compile(r"command .*failed with exit|ld returned \d|too many errors emitted|cannot make progress")
"""Messages that only repeat an earlier failure."""

_NO_PROGRAM = re.compile(
    r"(?:make(?:\[\d+\])?: (?P<made>[^\s:]+): (?:No such file or directory|Command not found)"
    r"|(?:\S*/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?(?P<shell>[^\s:]+): (?:command )?not found)$"
)
_NO_RULE = re.compile(r"(?:g?make(?:\[\d+\])?: \*\*\* )?No rule to make target (?P<rest>.*?)\.?(?:  Stop\.)?$")
_NINJA = re.compile(r"ninja: error: (?P<text>.*)")
_RULE_FAILED = re.compile(
    r"g?make(?:\[(?P<level>\d+)\])?: \*\*\* \[(?:(?P<file>[^\]]*?):(?P<line>\d+): )?(?P<target>[^\]]*)\] (?P<how>.*)"
)
_MAKE_BROKEN = re.compile(r"(?P<path>[^\s:]+):(?P<line>\d+): \*\*\* (?P<text>.*?)(?:  Stop\.)?$")
_FOLDER = re.compile(r"g?make(?:\[\d+\])?: (?P<what>Entering|Leaving) directory [`'](?P<folder>.*)'$")
_NINJA_FAILED = re.compile(r"FAILED: (?:\[code=\d+\] )?(?P<target>.*?)\s*$")
_INCLUDED = re.compile(r"(?:In file included|(?P<further> +)) from (?P<path>[^:]+):(?P<line>\d+)(?::\d+)?[:,]$")
_FRAME = re.compile(r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+)')
_RAISED = re.compile(r"(?P<kind>(?:\w+\.)*\w*(?:Error|Exception|Exit|Warning|Interrupt))(?:: (?P<text>.*))?$")
_SCONS_FAILED = re.compile(r"scons: \*\*\* \[(?P<target>[^\]]*)\] (?P<how>.*)")
_PLAIN = re.compile(r"(?:configure: error: |scons: \*\*\* |error: |ERROR: )(?P<text>.*)")


class Listener:
    """Reads the lines of a build, and reports their messages.

    Args:
        tell: gets each error, warning and note once it is complete.
    """

    def __init__(self, tell: Callable[[Said], object]) -> None:
        self._tell = tell
        self._waiting: list[Said] = []
        self._folders: list[str] = []
        self._target = ""
        self._told = 0
        self._level = -1
        self._last = ""
        self._cmake = CMakeMessages()
        self._linkers = Linkers()
        self._frames: list[tuple[str, int]] = []
        self._trace: list[tuple[str, int]] = []
        self._traces: dict[str, tuple[tuple[str, int], ...]] = {}

    def hear(self, line: str) -> None:
        """Take the next line."""
        line = _ESCAPE.sub("", line)
        if self._cmake.continues(line):
            return
        self._end_cmake()
        if line.startswith(">>>") and self._linkers.is_referred_to and self._waiting:
            self._waiting[-1] = self._linkers.referred(self._waiting[-1], line)
            return
        self._linkers.is_referred_to = False
        for said in self._read(line):
            self._told += said.severity == "error"
            if said.path:
                self._tell(said)
            else:
                self._waiting.append(said)
        if line.strip():
            self._last = line.strip()

    def end(self) -> None:
        """Take the end of the output."""
        self._end_cmake()
        self._release(self._target, ("", 0))

    @property
    def _folder(self) -> str:
        """Where the commands are run."""
        return self._folders[-1] if self._folders else ""

    def _read(self, line: str) -> Iterator[Said]:
        if self._follows(line):
            return
        if self._cmake.begins(line):
            return
        match = _NO_RULE.match(line)
        if match is not None:
            self._missing(f"no rule to make {match['rest']}")
            return
        match = _PLACED.match(line)
        if match is not None and match["severity"].lower() in _SEVERITIES:
            severity = _SEVERITIES[match["severity"].lower()]
            path, place = match["path"], (int(match["line"]), int(match["column"] or 0))
            yield Said(severity, match["text"], path, *place, others=self._includers(path), folder=self._folder)
            return
        match = _MAKE_BROKEN.match(line)
        if match is not None:
            yield Said("error", match["text"], match["path"], int(match["line"]), folder=self._folder)
            return
        of_linker = self._linkers.read(line, self._folder)
        yield from self._read_programs(line) if of_linker is None else of_linker

    def _read_programs(self, line: str) -> Iterator[Said]:
        match = _DRIVER.match(line)
        if match is not None:
            if not _ECHO.search(match["text"]):
                yield Said(match["severity"], match["text"], words=words_of(match["text"]))
            return
        match = _NO_PROGRAM.match(line)
        if match is not None:
            name = match["made"] or match["shell"]
            yield Said("error", f"{name}: not found", words=(name,))
            return
        match = _NINJA.match(line)
        if match is not None:
            if not _ECHO.search(match["text"]):
                self._missing(match["text"])
            return
        match = _RAISED.match(line) if self._frames else None
        if match is not None:
            *others, (path, number) = self._frames
            self._frames = []
            if not _ECHO.search(line):
                yield Said("error", line, path, number, others=tuple(reversed(others)), folder=self._folder)
            return
        match = _PLAIN.match(line)
        if match is not None and not _ECHO.search(line):
            yield Said("error", match["text"], words=words_of(match["text"]))

    def _follows(self, line: str) -> bool:
        """Read a line that shows the current position of the build; false for any other."""
        match = _FOLDER.match(line)
        if match is not None:
            if match["what"] == "Entering":
                self._folders.append(match["folder"])
            elif self._folders:
                self._folders.pop()
            return True
        match = _RULE_FAILED.match(line)
        if match is not None:
            self._rule_failed(match)
            return True
        match = _SCONS_FAILED.match(line)
        if match is not None:
            if not self._told:
                self._waiting.append(Said("error", f"{match['target']}: {match['how']}"))
            self._release(match["target"], ("", 0))
            self._told = 0
            return True
        match = _NINJA_FAILED.match(line)
        if match is not None:
            self._release(self._target, ("", 0))
            self._target = match["target"]
            return True
        match = _INCLUDED.match(line)
        if match is not None:
            # clang lists includes from the outermost on, gcc from the innermost.
            at = len(self._trace) if match["further"] else 0
            self._trace.insert(at, (match["path"], int(match["line"])))
            return True
        match = _FRAME.match(line)
        if match is not None:
            self._frames.append((match["path"], int(match["line"])))
            return True
        if line.startswith("Traceback (most recent call last)"):
            self._frames = []
            return True
        return False

    def _includers(self, path: str) -> tuple[tuple[str, int], ...]:
        """The files that include a file, the nearest first; compilers list each once for several messages."""
        if self._trace:
            self._traces[path] = (*self._trace, *self._traces.get(self._trace[-1][0], ()))
            self._trace = []
        return self._traces.get(path, ())

    def _rule_failed(self, match: re.Match[str]) -> None:
        level = int(match["level"] or 0)
        rule = (match["file"], int(match["line"])) if match["line"] else ("", 0)
        # Each make above repeats the failure of a make below.
        if not self._told and not (self._level > level):
            text = f"{self._last} ({match['how']})" if self._last else f"{match['target']}: {match['how']}"
            self._waiting.append(Said("error", text))
        self._release(match["target"], rule)
        self._level, self._told, self._last = level, 0, ""
        self._linkers.forget()

    def _missing(self, text: str) -> None:
        """Tell of a file that no command makes: none has failed for it."""
        self._told += 1
        named = QUOTED.findall(text)
        self._tell(Said("error", text, words=tuple(dict.fromkeys((*named, *map(os.path.basename, named))))))

    def _release(self, target: str, rule: tuple[str, int]) -> None:
        for said in self._waiting:
            self._tell(said._replace(target=target, rule=rule, folder=self._folder))
        self._waiting = []

    def _end_cmake(self) -> None:
        said = self._cmake.take()
        if said is not None:
            self._told += said.severity == "error"
            self._tell(said)
