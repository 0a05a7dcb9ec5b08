"""`CMakePresets.json`: the cache variables and the environment of presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hipify_py.build_systems.cmake.lexer import QUOTED, Argument, Command, ListFile
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.flags import translate_options
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.json_members import Member, members_of
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

_VARIABLES, _ENVIRONMENT = "cacheVariables", "environment"


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a file of presets; it does not use `project`."""
    file = CMakeFile(Source(data, path), ListFile([], []), options, BuildContext())
    members = members_of(data)
    gone: set[int] = set()
    flags: dict[int, Member] = {}
    for member in members:
        if member.path and member.path[-1] == _VARIABLES:
            row = file.facts.variables.get(member.name)
            if row is not None and _variable(file, member, row):
                gone.add(member.start)
            elif row is not None and "holds" in row:
                flags[member.start] = member
        elif member.path and member.path[-1] == _ENVIRONMENT and member.name in file.facts.environment:
            file.replace(member.start + 1, member.start + 1 + len(member.name), "ROCM_PATH")
            file.converted(member.start + 1, member.name, "environment")
    for member in members:
        holder = flags.get(member.start)
        is_within = any(other.value < member.start < other.end for other in flags.values())
        is_text = data[member.value : member.value + 1] == b'"'
        if is_text and (holder is not None or (member.name == "value" and is_within)):
            _flags(file, member)
    _take_out(file, [member for member in members if member.start in gone])
    return finished(file)


def _variable(file: CMakeFile, member: Member, row: Mapping[str, Any]) -> bool:
    """Translate one variable; True if it has to be taken out."""
    place = member.start + 1
    if row.get("set") == "drop":
        file.converted(place, member.name, "variable")
        if "finding" in row:
            file.finding(row["finding"], place, member.name)
        return True
    if "hip" in row and not row.get("found"):
        file.replace(place, place + len(member.name), row["hip"])
        file.converted(place, member.name, "variable")
    elif "unsupported" in row or "rdc" in row:
        detail = row.get("unsupported", "compile and link with -fgpu-rdc if it is on")
        file.left("HIP601", place, member.name, "variable", detail)
    return False


def _flags(file: CMakeFile, member: Member) -> None:
    """The options in a string, which is read like a quoted argument of a command."""
    start, end = member.value + 1, member.end - 1
    text = file.source.data[start:end].decode("utf-8", "surrogateescape")
    name = Argument(start, start, start, start, QUOTED, "")
    value = Argument(start - 1, end + 1, start, end, QUOTED, text)
    translate_options(file, Command("set", start - 1, start - 1, start - 1, end + 1, (name, value)))


def _take_out(file: CMakeFile, members: list[Member]) -> None:
    """Take members out, each with the comma before it, or with the one after it."""
    kept_before: dict[int, bool] = {}
    for member in sorted(members, key=lambda member: member.start):
        has_kept = member.before >= 0 and kept_before.get(member.before, True)
        kept_before[member.end] = has_kept
        if has_kept:
            file.replace_whole(member.before, member.end, "")
        elif member.after >= 0:
            file.replace_whole(member.start, member.after, "")
        else:
            file.replace_whole(member.start, member.end, "")
