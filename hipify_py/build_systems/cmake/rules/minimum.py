"""CMake 3.21 introduced the HIP language: `cmake_minimum_required` asks for at least that version."""

from __future__ import annotations

from hipify_py.build_systems.cmake.list_file import CMakeFile


def apply(file: CMakeFile) -> None:
    """Raise the version that a file asks for if it has a project of its own or leads files that use HIP."""
    if not file.context.leads and not any(command.name == "project" for command in file.commands):
        return
    least = _number(file.facts.minimum)
    for command in file.commands:
        words = command.words
        if command.name != "cmake_minimum_required" or len(words) < 2 or words[0].upper() != "VERSION":
            continue
        argument = command.arguments[1]
        low, dots, high = argument.text.partition("...")
        version = _number(low)
        if version and version < least:
            most = _number(high)
            text = f"{file.facts.minimum}{dots}{high}" if dots and most and most > least else file.facts.minimum
            file.replace(argument.inner, argument.inner_end, text)
            file.finding("HIP604", argument.inner, low, file.facts.minimum)
        elif not version:
            file.finding("HIP605", argument.inner, argument.text, f"HIP needs CMake {file.facts.minimum} or later")


def _number(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    return tuple(int(part) for part in parts[:3]) if all(part.isascii() and part.isdigit() for part in parts) else ()
