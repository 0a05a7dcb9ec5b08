"""Standards of C++ that are too old for HIP's headers, or for rocPRIM, which rocThrust and hipCUB are built on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.option_places import COMPILING
from hipify_py.build_systems.cmake.rules.sources import OF_FIND_CUDA, literal_sources, marked
from hipify_py.build_systems.cmake.rules.variables import described
from hipify_py.build_systems.cmake.words import Word

_LEAST = "17"
_OLDEST = frozenset({"98", "03"})
"""Those with which none of HIP's headers compiles; nvcc does not compile with them either."""
_OLD = frozenset({*_OLDEST, "11", "14"})
"""Those with which none of rocPRIM's headers compiles."""
_SPELLED = {**{old: old for old in _OLD}, "0x": "11", "1y": "14"}
_VARIABLE, _PROPERTY, _FEATURE = "CMAKE_CUDA_STANDARD", "CUDA_STANDARD", "cuda_std_"
_SETTING = frozenset({"set_target_properties", "set_property", "set_source_files_properties"})
_FLAGS = ("-std=c++", "-std=gnu++", "--std=c++", "--std=gnu++")
_RUNNING = frozenset({"add_custom_command", "add_custom_target", "execute_process", "message"})


_OF_TARGETS = frozenset({"set_target_properties", "set_property"})

_OF_CXX = frozenset({"CMAKE_CXX_STANDARD", "CXX_STANDARD"})
_CXX_FEATURE = "cxx_std_"


def cxx_standards(command: Command) -> Iterator[str]:
    """The standards that a command names for C++ sources; HIP sources take them over if they have none."""
    words = command.words
    for before, word in pairwise(("", *words)):
        if before in _OF_CXX and word.isdigit():
            yield word
        elif command.name == "target_compile_features" and word.startswith(_CXX_FEATURE):
            yield word.removeprefix(_CXX_FEATURE)


def apply(file: CMakeFile) -> None:
    """Raise the standard of CUDA sources to one with which the headers that they include compile."""
    too_old = _OLD if file.context.needs_cpp17 else _OLDEST
    inherited = file.context.inherited
    if inherited <= _OLD and inherited & too_old:
        _given(file)
    for command in file.commands:
        for start, end, old, new in (*_named(file, command), *_flags(file, command)):
            if old in too_old:
                file.replace(start, end, new)
                file.finding("HIP611", start, f"C++{old}", _LEAST)
        for word, _, old in _old_flags(file, command):
            if old in too_old and not (word.is_for_cuda or word.is_for_other):
                _of_all_languages(file, command, word, old)


def _of_all_languages(file: CMakeFile, command: Command, word: Word, old: str) -> None:
    """Keep for C++ sources an option that HIP sources get, too: C++ may not compile with a newer standard."""
    words = command.words
    kept = f"$<$<COMPILE_LANGUAGE:CXX>:{word.text}>"
    if command.name in COMPILING or (command.name == "add_definitions" and len(words) == 1):
        if command.name == "add_definitions":
            file.replace(command.start, command.name_end, "add_compile_options")
        file.replace(word.start, word.end, kept)
    elif command.name in _OF_TARGETS and words[word.argument - 1] == "COMPILE_FLAGS":  # it knows no expressions
        targets = [name for name in words[: word.argument] if _has_kernels(file, name)]
        if not targets:
            return
        before = file.source.data[command.arguments[word.argument].inner : word.start]
        file.replace(word.start - len(before) + len(before.rstrip()), word.end, "")
        lines = [f"target_compile_options({target} PRIVATE {kept})" for target in targets]
        file.insert_behind(command.start, command.end, lines)
    else:
        return
    file.finding("HIP611", word.start, f"C++{old}", _LEAST)


def _has_kernels(file: CMakeFile, target: str) -> bool:
    """Whether a command of the file gives `.cu` sources to a target."""
    given = marked(file.commands, file.context.source_variables)
    return any(
        command.words[0] == target
        for command in file.commands
        if command.words and (command.name in OF_FIND_CUDA or command in given or literal_sources(command))
    )


def _given(file: CMakeFile) -> None:
    """Give HIP sources a standard of their own if they would take over that of the C++ sources."""
    begun = file.beginning
    if begun is not None:
        file.insert_behind(begun.start, begun.end, [f"set(CMAKE_HIP_STANDARD {_LEAST})"])
        file.finding("HIP611", begun.start, "an older C++", _LEAST)


def _named(file: CMakeFile, command: Command) -> Iterator[tuple[int, int, str, str]]:
    """Variables, properties and features that name a standard: place, standard, replacement."""
    words, arguments = command.words, command.arguments
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        argument = arguments[number]
        if word in _OLD and (
            (command.name == "set" and number == 1 and before == _VARIABLE)
            or (command.name in _SETTING and before == _PROPERTY)
        ):
            yield argument.inner, argument.inner_end, word, _LEAST
        elif command.name == "target_compile_features" and word[len(_FEATURE) :] in _OLD and word.startswith(_FEATURE):
            old = word.removeprefix(_FEATURE)
            yield argument.inner, argument.inner_end, old, file.facts.features[_FEATURE + _LEAST]


def _flags(file: CMakeFile, command: Command) -> Iterator[tuple[int, int, str, str]]:
    """Options for CUDA sources."""
    if command.name in _RUNNING or not command.words:
        return
    name = command.words[1] if command.name in {"list", "string"} and len(command.words) > 1 else command.words[0]
    holds = "holds" in (described(file, name) or {})
    for word, flag, old in _old_flags(file, command):
        if holds or word.is_for_cuda:
            yield word.start + len(flag), word.end, old, _LEAST


def _old_flags(file: CMakeFile, command: Command) -> Iterator[tuple[Word, str, str]]:
    """The words that are options for an old standard: word, option without the standard, standard."""
    for word in file.words(command):
        flag = next((flag for flag in _FLAGS if word.text.startswith(flag)), "")
        old = _SPELLED.get(word.text[len(flag) :], "") if flag else ""
        if old:
            yield word, flag, old
