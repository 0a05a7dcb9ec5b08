"""Reads the output of a build, line by line: compilers, linkers, CMake, Make, Ninja and Python.

What names a place has it at once. What names none (a library that is not found, a symbol that nobody defines, an option
that the compiler does not know) gets what is known of it: words to look for, the object or the source that it is about,
and, when Make or Ninja say which command has failed, that command's target and line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from hipify_py.compile.builds.build_message import QUOTED, BuildMessage, words_of

# Reads the messages of LLVM's and GNU's linkers.

_LINKER = re.compile(
    r"(?:\S*[/\\])?(?:ld\.lld|ld64\.lld|lld|wasm-ld)(?:-\d+)?: (?P<severity>error|warning): (?P<text>.*)"
)
_GNU_LINKER = re.compile(r"(?:\S*[/\\])?(?:\w+-\w+-\w+-)?ld(?:\.bfd|\.gold)?: (?P<text>.*)")
_OF_SYMBOL = re.compile(r"(?:undefined|duplicate)(?: \w+)? symbol: (?P<symbol>.*)")
_GNU_UNDEFINED = re.compile(
    r"(?P<object>[^\s:]+?):(?:(?P<line>\d+):|\([^()]*\):)? (?P<what>undefined reference to|multiple definition of)"
    r" [`'‘\"](?P<symbol>.*?)['’\"](?:;.*)?$"
)
_IN_FUNCTION = re.compile(r"(?:.*: )?(?P<object>[^\s:]+): in function [`'‘\"](?P<name>.*)['’\"]:$")
_NO_LIBRARY = re.compile(r"(?:cannot find|unable to find library) (?P<library>-l\S+?)(?::.*)?$")
_REFERENCE = re.compile(r">>>\s+(?:(?:referenced|defined) (?:by|at) )?(?P<place>.*)")
_IN_PARENTHESES = re.compile(r"\((?P<path>[^()]+):(?P<line>\d+)\)$")


class Linkers:
    """Hears the lines of linkers.

    Attributes:
        is_referred_to: the lines that follow, with `>>>`, are about the message that was read last.
    """

    def __init__(self) -> None:
        self.is_referred_to = False
        self._within = ("", "")

    def forget(self) -> None:
        """The command is over."""
        self._within = ("", "")

    def read(self, line: str, folder: str) -> tuple[BuildMessage, ...] | None:
        """The message in a line; None if it is not a linker's."""
        match = _LINKER.match(line)
        if match is not None:
            about = _OF_SYMBOL.match(match["text"])
            self.is_referred_to = True
            library = _NO_LIBRARY.match(match["text"])
            words = _library_words(library["library"]) if library else () if about else words_of(match["text"])
            return (
                BuildMessage(match["severity"], match["text"], words=words, symbol=about["symbol"] if about else ""),
            )
        match = _IN_FUNCTION.match(line)
        if match is not None:
            self._within = match["object"], match["name"]
            return ()
        match = _GNU_LINKER.match(line)
        text = match["text"] if match is not None else line
        undefined = _GNU_UNDEFINED.match(text)
        if undefined is not None:
            what = "undefined symbol" if undefined["what"].startswith("undefined") else "duplicate symbol"
            place = (undefined["object"], int(undefined["line"])) if undefined["line"] else ("", 0)
            message = BuildMessage(
                "error",
                f"{what}: {undefined['symbol']}",
                *place,
                symbol=undefined["symbol"],
                objects=(undefined["object"], *filter(None, self._within[:1])),
                within=self._within[1],
                folder=folder,
            )
            return (message,)
        library = _NO_LIBRARY.match(text) if match is not None else None
        if library is not None:
            return (
                BuildMessage("error", f"cannot find {library['library']}", words=_library_words(library["library"])),
            )
        return None

    @staticmethod
    def referred(message: BuildMessage, line: str) -> BuildMessage:
        """A message about a symbol, with the references to it that a following line lists."""
        match = _REFERENCE.match(line)
        if match is None:
            return message
        place = match["place"].strip()
        exact = _IN_PARENTHESES.search(place)
        if exact is not None and not message.path:
            message = message._replace(path=exact["path"], line=int(exact["line"]))
        name, _, function = place.partition(":(")
        within = message.within or function.removesuffix(")")
        return message._replace(objects=(*message.objects, name), within=within)


def _library_words(option: str) -> tuple[str, ...]:
    name = option.removeprefix("-l").removeprefix(":")
    return option, name, f"lib{name}.so", f"lib{name}.a"


# Reads messages of CMake's, which go over several lines, with their places and who has called them.

_CMAKE = re.compile(
    r"CMake (?P<severity>Error|Warning|Deprecation (?:Error|Warning))(?: \(dev\))?"
    r"(?:(?: at | in )(?P<path>.+?)(?::(?P<line>\d+))?(?: \((?P<command>\w+)\))?)?:(?P<text>.*)"
)
_ALONE = re.compile(r"(?P<path>[^\s:]+)(?::(?P<line>\d+):)?$")
_CMAKE_CALLER = re.compile(r"  (?P<path>.+?):(?P<line>\d+) \((?P<command>\S+)\)$")
_MESSAGE_OF_CMAKE = "  "


class CMakeMessages:
    """Hears the lines of CMake."""

    def __init__(self) -> None:
        self._message: BuildMessage | None = None
        self._texts: list[str] = []
        self._calls = False

    def begins(self, line: str) -> bool:
        """Take a line that a message begins with; false for any other."""
        match = _CMAKE.match(line)
        if match is None:
            return False
        severity = "error" if match["severity"].endswith("Error") else "warning"
        number = int(match["line"] or 0)
        self._message = BuildMessage(severity, "", match["path"] or "", number or (1 if match["path"] else 0))
        self._texts, self._calls = [match["text"].strip()], False
        return True

    def continues(self, line: str) -> bool:
        """Take a further line of a message; false where none has begun, or it is over."""
        message = self._message
        if message is None:
            return False
        caller = _CMAKE_CALLER.match(line) if self._calls else None
        if caller is not None:
            self._message = message._replace(others=(*message.others, (caller["path"], int(caller["line"]))))
        elif line.startswith("Call Stack (most recent call first)"):
            self._calls = True
        elif line.startswith(_MESSAGE_OF_CMAKE) and not self._calls:
            self._texts.append(line.strip())
        elif not message.path and line.strip() and not line.startswith(("CMake ", "-- ")):
            self._message = _with_subject(message, line)
            self._texts.append(line.strip())
        elif line.strip():
            return False
        return True

    def take(self) -> BuildMessage | None:
        """The message, where one has begun; it is over then."""
        message, self._message = self._message, None
        return message._replace(text=" ".join(filter(None, self._texts))) if message is not None else None


def _with_subject(message: BuildMessage, line: str) -> BuildMessage:
    """A CMake message with what a separate line names: a location, or a variable."""
    place = _ALONE.match(line)
    if place is not None and place["line"]:
        return message._replace(path=place["path"], line=int(place["line"]))
    return message._replace(words=(*message.words, line)) if place is not None else message


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
_PLAIN = re.compile(r"(?:(?:checking .*\.\.\. ?)?configure: error: |scons: \*\*\* |error: |ERROR: )(?P<text>.*)")


class Listener:
    """Reads the lines of a build, and reports their messages.

    Args:
        tell: gets each error, warning and note once it is complete.
    """

    def __init__(self, report: Callable[[BuildMessage], object]) -> None:
        self._report = report
        self._waiting: list[BuildMessage] = []
        self._folders: list[str] = []
        self._target = ""
        self._reported = 0
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
        for message in self._read(line):
            self._reported += message.severity == "error"
            if message.path:
                self._report(message)
            else:
                self._waiting.append(message)
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

    def _read(self, line: str) -> Iterator[BuildMessage]:
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
            yield BuildMessage(severity, match["text"], path, *place, others=self._includers(path), folder=self._folder)
            return
        match = _MAKE_BROKEN.match(line)
        if match is not None:
            yield BuildMessage("error", match["text"], match["path"], int(match["line"]), folder=self._folder)
            return
        of_linker = self._linkers.read(line, self._folder)
        yield from self._read_programs(line) if of_linker is None else of_linker

    def _read_programs(self, line: str) -> Iterator[BuildMessage]:
        match = _DRIVER.match(line)
        if match is not None:
            if not _ECHO.search(match["text"]):
                yield BuildMessage(match["severity"], match["text"], words=words_of(match["text"]))
            return
        match = _NO_PROGRAM.match(line)
        if match is not None:
            name = match["made"] or match["shell"]
            yield BuildMessage("error", f"{name}: not found", words=(name,))
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
                yield BuildMessage("error", line, path, number, others=tuple(reversed(others)), folder=self._folder)
            return
        match = _PLAIN.match(line)
        if match is not None and not _ECHO.search(line):
            yield BuildMessage("error", match["text"], words=words_of(match["text"]))

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
            if not self._reported:
                self._waiting.append(BuildMessage("error", f"{match['target']}: {match['how']}"))
            self._release(match["target"], ("", 0))
            self._reported = 0
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
        if not self._reported and not (self._level > level):
            text = f"{self._last} ({match['how']})" if self._last else f"{match['target']}: {match['how']}"
            self._waiting.append(BuildMessage("error", text))
        self._release(match["target"], rule)
        self._level, self._reported, self._last = level, 0, ""
        self._linkers.forget()

    def _missing(self, text: str) -> None:
        """Tell of a file that no command makes: none has failed for it."""
        self._reported += 1
        named = QUOTED.findall(text)
        self._report(BuildMessage("error", text, words=tuple(dict.fromkeys((*named, *map(os.path.basename, named))))))

    def _release(self, target: str, rule: tuple[str, int]) -> None:
        for message in self._waiting:
            self._report(message._replace(target=target, rule=rule, folder=self._folder))
        self._waiting = []

    def _end_cmake(self) -> None:
        message = self._cmake.take()
        if message is not None:
            self._reported += message.severity == "error"
            self._report(message)
