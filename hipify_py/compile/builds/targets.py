"""CMake's description of its targets (cmake-file-api(7)): the line that creates each, and its sources."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

_QUERY = ".cmake/api/v1/query/client-hipify-py/codemodel-v2"
_REPLY = ".cmake/api/v1/reply"
_READING = frozenset({"include", "find_package", "add_subdirectory"})
"""Commands that read other files."""


class Target(NamedTuple):
    """A target.

    Attributes:
        name: its name.
        artifact: the file name of its output; empty if it has none.
        file: the list file whose command creates it; absolute.
        line: that command's line.
        sources: its sources; absolute.
    """

    name: str
    artifact: str
    file: str
    line: int
    sources: tuple[str, ...]


def ask_for_targets(build: str) -> None:
    """Ask CMake to write it when it configures a folder."""
    query = Path(build, *_QUERY.split("/"))
    query.parent.mkdir(parents=True, exist_ok=True)
    query.touch()


def targets_of(build: str, source: str) -> list[Target]:
    """The targets of a configured project; none where CMake has not come so far."""
    replies = Path(build, *_REPLY.split("/"))
    found = []
    for index in sorted(replies.glob("index-*.json"))[-1:]:
        objects = _read(index).get("objects", [])
        models = [each["jsonFile"] for each in objects if each.get("kind") == "codemodel"]
        for model in models:
            for configuration in _read(replies / model).get("configurations", [])[:1]:
                reply = [_read(replies / target["jsonFile"]) for target in configuration.get("targets", [])]
                found += [_target(each, source) for each in reply]
    return found


def _target(reply: dict[str, Any], source: str) -> Target:
    graph = reply.get("backtraceGraph", {})
    nodes, files, commands = (graph.get(key, []) for key in ("nodes", "files", "commands"))
    at, file, line = reply.get("backtrace"), "", 0
    while at is not None:  # outwards, from functions of the project to where they are called
        node = nodes[at]
        if line and "command" in node and commands[node["command"]] in _READING:
            break
        if "line" in node:
            file, line = os.path.normpath(os.path.join(source, files[node["file"]])), node["line"]
        at = node.get("parent")
    own = tuple(os.path.normpath(os.path.join(source, each["path"])) for each in reply.get("sources", []))
    return Target(reply["name"], reply.get("nameOnDisk", ""), file, line, own)


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    return document
