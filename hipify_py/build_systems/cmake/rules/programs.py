"""The programs that list files run: `execute_process(COMMAND ${NVCC} …)`, `add_custom_command(… COMMAND nvcc …)`."""

from __future__ import annotations

from bisect import bisect_left

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.words import Word

RUNNING = frozenset({"add_custom_command", "execute_process", "exec_program", "add_custom_target"})
_STARTING = frozenset({"${CMAKE_COMMAND}", "cmake", "-E", "env", "time", "--", "ccache", "sccache"})
"""What precedes a program and runs it."""


def programs(file: CMakeFile, command: Command) -> list[Word]:
    """The words of a command after which it names the program to run."""
    if command.name not in RUNNING:
        return []
    words = file.words(command)
    texts = command.words
    firsts = [index + 1 for index, word in enumerate(texts) if word == "COMMAND"]
    if command.name == "exec_program":
        firsts = [0]
    elif command.name == "add_custom_target" and texts[1:]:
        firsts.append(2 if texts[1] == "ALL" else 1)
    found = []
    for first in firsts:
        at = bisect_left(words, first, key=lambda word: word.argument)
        while at < len(words) and _starts(words[at]):
            at += 1
        found += words[at : at + 1]
    return found


def _starts(word: Word) -> bool:
    """Whether the word runs the program after it, or is a setting for that: `env CC=gcc nvcc`."""
    return word.text in _STARTING or word.text.startswith("--unset=") or "=" in word.text.lstrip("-")
