"""What a build asks nvcc of itself: `execute_process(COMMAND nvcc --version OUTPUT_VARIABLE …)`.

hipcc says other things. What nvcc would say is written in place of the command, as conditions on CUDA's version are
decided for a version of CUDA.
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
    """Write what nvcc says where a command asks it for that and nothing else; False where it does not.

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
    version = file.options.targeting.cuda or file.facts.cuda
    lines = None if row is None else _settings(command, asked + 1, row["says"].replace("{}", version))
    if row is None or lines is None:
        return False
    file.finding(row["finding"], called.start, f"nvcc {words[asked]}", row.get("advice", version))
    if lines:
        file.write_instead(command.start, command.end, lines)
    else:
        file.drop_command(command)
    return True


def _settings(command: Command, first: int, says: str) -> list[str] | None:
    """The commands that set what the command would; None for one that does more."""
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
