"""What a build asks nvcc about itself, or reads out of CUDA's headers: `execute_process(COMMAND nvcc --version …)`.

hipcc and HIP's headers give other answers. The answer of CUDA replaces the command, because conditions on the version
of CUDA are decided for one version.
"""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import QUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.words import Word

_ASKING = frozenset({"execute_process", "exec_program"})
_OUTPUT = frozenset({"OUTPUT_VARIABLE"})
_RESULTS = frozenset({"RESULT_VARIABLE", "RESULTS_VARIABLE", "RETURN_VALUE"})
_NOTHING = frozenset({"ERROR_VARIABLE"})
_WITH_VALUE = frozenset({"WORKING_DIRECTORY", "TIMEOUT", "COMMAND_ERROR_IS_FATAL", "ENCODING"})
_SILENT = frozenset(
    {"OUTPUT_QUIET", "ERROR_QUIET", "OUTPUT_STRIP_TRAILING_WHITESPACE", "ERROR_STRIP_TRAILING_WHITESPACE"}
    | {"ECHO_OUTPUT_VARIABLE", "ECHO_ERROR_VARIABLE"}
)


def answer(file: CMakeFile, command: Command, called: Word) -> bool:
    """Write nvcc's answer if a command asks nvcc for that and nothing else; False if it does not.

    Args:
        file: the list file.
        command: a command that runs programs.
        called: the word that calls nvcc.
    """
    if command.name not in _ASKING:
        return False
    first = 1 if command.words[0] == "COMMAND" else 0
    asked = first + 1 + (command.name == "exec_program" and command.words[first + 1 : first + 2] == ["ARGS"])
    words = command.words
    if called.argument != first or asked >= len(words):
        return False
    row = file.facts.queries.get(words[asked])
    version = file.cuda
    lines = None if row is None else _settings(command, asked + 1, row["says"].replace("{}", version))
    if row is None or lines is None:
        return False
    file.finding(row["finding"], called.start, f"nvcc {words[asked]}", row.get("advice", version))
    if lines:
        file.write_instead(command.start, command.end, lines)
    else:
        file.drop_command(command)
    return True


def read_header(file: CMakeFile, command: Command, word: Word, name: str) -> bool:
    """Write the version in one of CUDA's headers in place of a command that reads it; False if it is not known.

    Args:
        file: the list file.
        command: `file(READ …)` or `file(STRINGS …)`.
        word: the path of the header.
        name: the header.
    """
    row, words = file.facts.headers.get(name, {}), command.words
    if row.get("same"):
        hip = file.catalog.row(name.encode())
        assert hip is not None
        assert hip.hip is not None
        file.replace(word.end - len(name), word.end, hip.hip)
        file.converted(word.start, name, "header")
        return True
    has_filter = words[0] == "STRINGS" and len(words) == 5 and words[3] == "REGEX"
    if "lines" not in row or not (len(words) == 3 or has_filter):
        return False
    version = file.cuda
    major, _, minor = version.partition(".")
    number = f"{int(major) * 1000 + int(minor or 0) * 10}"
    lines = [line.replace("{}", number) for line in row["lines"]]
    if words[0] == "READ":
        text = "".join(f"{line}\\n" for line in lines)
        new = [f'set({words[2]} "{text}")']
    else:
        new = [f'set({words[2]} "{";".join(lines)}")']
        if has_filter:
            argument = command.arguments[4]
            pattern = file.source.data[argument.start : argument.end].decode("utf-8", "surrogateescape")
            new.append(f"list(FILTER {words[2]} INCLUDE REGEX {pattern})")
    file.finding("HIP609", word.start, name, version)
    file.write_instead(command.start, command.end, new)
    return True


def _settings(command: Command, first: int, says: str) -> list[str] | None:
    """Commands that set what the command would set; None for one that does more."""
    words, arguments = command.words, command.arguments
    is_stripped = command.name == "exec_program" or "OUTPUT_STRIP_TRAILING_WHITESPACE" in words
    text = (says if is_stripped else f"{says}\n").replace("\n", "\\n")
    lines: list[str] = []
    at = first
    while at < len(words):
        word = words[at]
        if word in _SILENT:
            at += 1
            continue
        if word not in _OUTPUT | _RESULTS | _NOTHING | _WITH_VALUE or at + 1 == len(words):
            return None
        name = f'"{words[at + 1]}"' if arguments[at + 1].kind == QUOTED else words[at + 1]
        if word in _OUTPUT:
            lines.append(f'set({name} "{text}")')
        elif word in _RESULTS:
            lines.append(f"set({name} 0)")
        elif word in _NOTHING:
            lines.append(f'set({name} "")')
        at += 2
    return lines
