"""Reads messages of CMake's, which go over several lines, with their places and who has called them."""

from __future__ import annotations

import re

from hipify_py.compile.builds.build_message import Said

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
        self._said: Said | None = None
        self._texts: list[str] = []
        self._calls = False

    def begins(self, line: str) -> bool:
        """Take a line that a message begins with; false for any other."""
        match = _CMAKE.match(line)
        if match is None:
            return False
        severity = "error" if match["severity"].endswith("Error") else "warning"
        number = int(match["line"] or 0)
        self._said = Said(severity, "", match["path"] or "", number or (1 if match["path"] else 0))
        self._texts, self._calls = [match["text"].strip()], False
        return True

    def continues(self, line: str) -> bool:
        """Take a further line of a message; false where none has begun, or it is over."""
        said = self._said
        if said is None:
            return False
        caller = _CMAKE_CALLER.match(line) if self._calls else None
        if caller is not None:
            self._said = said._replace(others=(*said.others, (caller["path"], int(caller["line"]))))
        elif line.startswith("Call Stack (most recent call first)"):
            self._calls = True
        elif line.startswith(_MESSAGE_OF_CMAKE) and not self._calls:
            self._texts.append(line.strip())
        elif not said.path and line.strip() and not line.startswith(("CMake ", "-- ")):
            self._said = _with_subject(said, line)
            self._texts.append(line.strip())
        elif line.strip():
            return False
        return True

    def take(self) -> Said | None:
        """The message, where one has begun; it is over then."""
        said, self._said = self._said, None
        return said._replace(text=" ".join(filter(None, self._texts))) if said is not None else None


def _with_subject(said: Said, line: str) -> Said:
    """A CMake message with what a separate line names: a location, or a variable."""
    place = _ALONE.match(line)
    if place is not None and place["line"]:
        return said._replace(path=place["path"], line=int(place["line"]))
    return said._replace(words=(*said.words, line)) if place is not None else said
