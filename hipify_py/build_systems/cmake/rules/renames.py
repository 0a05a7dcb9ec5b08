"""The names of renamed files: in lists of sources, in globs, in patterns, and bare endings."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.build_systems.cmake.lexer import BRACKET, CLOSE, OPEN, QUOTED, UNQUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.words import Word
from hipify_py.build_systems.renames import folder_of, masked, new_ending, new_folder, new_spellings, renamed_endings
from hipify_py.core.project_context import changed_endings

_SAYING = frozenset({"message", "project", "cmake_minimum_required", "option"})
_TEXTS = frozenset({"COMMENT", "DOC", "DESCRIPTION", "DESCRIPTIONS"})
"""Words after which the text is for people."""
_PATTERNS = frozenset({"MATCHES", "REGEX"})
_OF_REGEX = frozenset({"MATCH", "MATCHALL", "REPLACE"})
_LISTS = frozenset({"set", "list", "foreach", "target_sources", "add_library", "add_executable", "source_group"})
"""Commands whose arguments may become several."""
_OF_FOLDERS = frozenset(
    {
        "add_subdirectory",
        "include_directories",
        "target_include_directories",
        "link_directories",
        "aux_source_directory",
    }
)
"""Commands whose arguments are folders, even if they have but one part."""
_HERE = frozenset({"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"})
_BEFORE, _BEHIND = "].(|", "$)|"


def apply(file: CMakeFile) -> None:
    """Write the new names."""
    if not renamed_endings(file.project):
        return
    for command in file.commands:
        if command.name in _SAYING:
            continue
        patterns = set(_patterns(command))
        for number in patterns:
            _pattern(file, command.arguments[number])
        spaced = {number for number, argument in enumerate(command.arguments) if _with_blanks(file, argument)}
        for word in file.words(command):
            if word.is_head or word.argument in patterns | spaced:
                continue
            if word.argument and command.arguments[word.argument - 1].text in _TEXTS:
                continue
            is_deep = command.name == "file" and command.arguments[0].text == "GLOB_RECURSE"
            found = respelled(file, word.text, is_deep=is_deep)
            if found is None and ("/" in word.text or command.name in _OF_FOLDERS):
                found = _folder(file, word.text)
            if found is not None:
                _write(file, command, word, found)


def _with_blanks(file: CMakeFile, argument: Argument) -> bool:
    """Write the new spelling of a path that contains blanks; False if the text is not a path."""
    if argument.kind != QUOTED or " " not in argument.text:
        return False
    found = respelled(file, argument.text)
    if found is None or len(found) != 1:
        return False
    file.replace(argument.inner, argument.inner_end, found[0])
    file.converted(argument.inner, argument.text, "file")
    return True


def respelled(file: CMakeFile, text: str, *, is_deep: bool = False) -> tuple[str, ...] | None:
    """The new spellings of a word; None if it stays."""
    if text.startswith(".") and "/" not in text and "$" not in text:
        new = new_ending(file.project, text)
        if new is not None:
            return (new,)
    return new_spellings(file.project, folder_of(file.source.path), text, _masked(text), is_deep=is_deep)


def _folder(file: CMakeFile, text: str) -> tuple[str, ...] | None:
    """The new spelling of a path to a folder; None if it stays."""
    new = new_folder(file.project, folder_of(file.source.path), text, _masked(text))
    return None if new is None else (new,)


def _masked(text: str) -> str:
    unknown, here = list[tuple[int, int]](), list[tuple[int, int]]()
    for start, end, name in _references(text):
        (here if start == 0 and name in _HERE and text[end : end + 1] == "/" else unknown).append((start, end))
    return masked(text, unknown, here)


def _references(text: str) -> Iterator[tuple[int, int, str]]:
    """The outermost references to variables: start, end, and what is between the braces."""
    at = text.find("${")
    while at >= 0:
        depth, end = 1, at + 2
        while end < len(text) and depth:
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        yield at, end, text[at + 2 : end - 1]
        at = text.find("${", end)


def _write(file: CMakeFile, command: Command, word: Word, found: tuple[str, ...]) -> None:
    argument = command.arguments[word.argument]
    is_whole = (argument.inner, argument.inner_end) == (word.start, word.end)
    is_list = command.name in _LISTS or (command.name == "file" and command.words[0] in {"GLOB", "GLOB_RECURSE"})
    if not found or (len(found) > 1 and not is_list):
        file.finding("HIP610", word.start, word.text, "no single name covers all of them")
        return
    if len(found) == 1:
        separator = ""
    elif word.within or (argument.kind == QUOTED and command.name != "file"):
        separator = ";"
    elif argument.kind == QUOTED and is_whole:
        separator = '" "'
    elif argument.kind == UNQUOTED:
        separator = " " if is_whole else ";"
    else:
        file.finding("HIP610", word.start, word.text, "it needs several patterns instead")
        return
    file.replace(word.start, word.end, separator.join(found))
    file.converted(word.start, word.text, "file")


def _patterns(command: Command) -> Iterator[int]:
    """The indexes of the arguments that are regular expressions."""
    words = command.words
    for number, word in enumerate(words):
        if word in _PATTERNS and number + 1 < len(words):
            number += 1
            if command.name == "string" and words[number] in _OF_REGEX:
                number += 1
            if number < len(words) and command.arguments[number].kind not in {OPEN, CLOSE}:
                yield number


def _pattern(file: CMakeFile, argument: Argument) -> None:
    """Replace endings in a regular expression: `[.]cu$`, `[.](cu|cpp)$`."""
    text = argument.text
    if argument.kind == BRACKET or not text.isascii():
        return
    endings = sorted(changed_endings(file.project), key=len, reverse=True)
    at = 1
    while at < len(text):
        ending = next((ending for ending in endings if text.startswith(ending[1:], at)), "")
        if ending and text[at - 1] in _BEFORE:
            behind = at + len(ending) - 1
            new = new_ending(file.project, ending)
            place = argument.inner + at
            if behind == len(text) or text[behind] in _BEHIND:
                if new is None:
                    file.finding("HIP610", place, text, "some of them keep their names")
                else:
                    file.replace(place, argument.inner + behind, new[1:].replace(".", "[.]"))
                    file.converted(place, ending, "file")
            elif not (text[behind].isalnum() or text[behind] in "_-/"):
                file.finding("HIP610", place, text, "write a pattern of their new names")
            at = behind
        at += 1
