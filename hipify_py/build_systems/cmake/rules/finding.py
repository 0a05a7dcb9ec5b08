"""What modules look for (`find_library(… cudart)`, `find_path(… nccl.h)`), and libraries by their files."""

from __future__ import annotations

from hipify_py.build_systems.cmake.lexer import Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.queries import read_header
from hipify_py.build_systems.cmake.rules.variables import is_of_toolkit
from hipify_py.build_systems.facts import Library

_PLACES = frozenset(
    {"HINTS", "PATHS", "PATH_SUFFIXES", "DOC", "REQUIRED", "NO_CACHE", "ENV", "VALIDATOR", "REGISTRY_VIEW"}
)


_ENDS = frozenset({"CACHE", "PARENT_SCOPE"})
_READING = frozenset({"READ", "STRINGS"})
_OF_FIND_CUDA = frozenset({"cuda_find_library_local_first"})
_SAYING = frozenset({"message", "file", "if", "elseif"})
_LIBRARY_ENDINGS, _STUBS = (".so", ".a"), "/stubs"


def apply(file: CMakeFile) -> None:
    """Look for HIP's libraries, headers and compiler."""
    held: dict[str, str] = {}
    for command in file.commands:
        if command.name in _OF_FIND_CUDA:
            _by_find_cuda(file, command)
        if command.name == "file" and command.words[:1] and command.words[0] in _READING:
            _read(file, command)
        if command.name in {"if", "elseif"}:
            _exists(file, command)
        finder = "find_library" if command.name in _OF_FIND_CUDA else command.name
        if finder not in {"find_library", "find_path", "find_file", "find_program"}:
            if command.name not in _SAYING:
                _files(file, command)
            continue
        for word in file.words(command):
            if word.argument == 0 or word.within:
                continue
            if word.text in _PLACES or word.text.startswith("NO_") or (word.argument > 1 and finder != command.name):
                break
            if word.text.startswith("${") and word.text.endswith("}"):
                held[word.text[2:-1]] = finder
                continue
            new = _new(file, finder, word.text)
            if new is None:
                continue
            if new:
                file.replace(word.start, word.end, new)
                file.converted(word.start, word.text, "library" if finder == "find_library" else "header")
            else:
                advice = "HIP has nothing of that name"
                if finder == "find_library":
                    advice = _library(file, word.text).unsupported or advice
                file.left("HIP601", word.start, word.text, "library", advice)

    for command in file.commands:
        if command.name == "set" and command.words[:1] and command.words[0] in held:
            _names(file, command, held[command.words[0]])


def _by_find_cuda(file: CMakeFile, command: Command) -> None:
    """A macro of FindCUDA's own, which popsift calls, with a variable, names and a text for the cache."""
    arguments, words = command.arguments, command.words
    if len(words) != 3:
        return
    library = file.facts.libraries.get(_name(words[1]))
    if library is not None and library.drop:
        file.replace_whole(command.start, command.end, f'set({words[0]} "")')
    else:
        file.replace(command.start, command.name_end, "find_library")
        file.replace(arguments[2].start, arguments[2].start, "DOC ")
    file.converted(command.start, command.name, "command")


def _files(file: CMakeFile, command: Command) -> None:
    """Rename libraries that a command names by their files: `$ENV{CUDA_HOME}/lib64/libcufft.so`."""
    for word in file.words(command):
        folder, _, name = word.text.rpartition("/")
        if not (name.startswith("lib") and name.endswith(_LIBRARY_ENDINGS) and is_of_toolkit(file, folder)):
            continue
        new = _new(file, "find_library", name)
        library = file.facts.libraries.get(_name(name))
        if new:
            stubs = len(_STUBS) if folder.endswith(_STUBS) else 0  # the driver's library, without the driver
            file.replace(word.end - len(name) - 1 - stubs, word.end, f"/{new}")
            file.converted(word.start, name, "library")
        elif library and library.unsupported:
            file.left("HIP613", word.start, name, "library", library.unsupported)
        elif library:
            file.left("HIP601", word.start, name, "library", "HIP needs nothing in its place: leave it out")


def _names(file: CMakeFile, command: Command, finder: str) -> None:
    """Rename the libraries or headers in a variable that holds names to look for."""
    for word in file.words(command):
        if word.text in _ENDS:
            break
        new = _new(file, finder, word.text) if word.argument and not word.within else None
        if new:
            file.replace(word.start, word.end, new)
            file.converted(word.start, word.text, "library" if finder == "find_library" else "header")


def _exists(file: CMakeFile, command: Command) -> None:
    """`if(EXISTS ${DIR}/cudnn.h)` asks for the header that the build now looks for."""
    for word in file.words(command):
        folder, slash, name = word.text.rpartition("/")
        is_asked = word.argument and command.arguments[word.argument - 1].text == "EXISTS"
        if not is_asked or not slash or not folder.startswith("${"):
            continue
        new = _new(file, "find_path", name)
        if new and new != name:
            file.replace(word.end - len(name), word.end, new)
            file.converted(word.start, name, "header")


def _read(file: CMakeFile, command: Command) -> None:
    """A version that a command reads out of a CUDA header: HIP's has other versions, or is another file."""
    for word in file.words(command):
        name = word.text.rpartition("/")[2]
        if word.argument != 1 or _new(file, "find_path", name) in {None, name}:
            continue
        if not read_header(file, command, word, name):
            file.finding("HIP605", word.start, name, "this reads the header's text, and HIP's header differs")


def _library(file: CMakeFile, name: str) -> Library:
    return file.facts.libraries[_name(name)]


def _name(file_name: str) -> str:
    """The name of a library without the prefix and ending of its file name."""
    return file_name.removeprefix("lib").removesuffix(".so").removesuffix(".a")


def _new(file: CMakeFile, command: str, text: str) -> str | None:
    """What to look for in place of a name; empty if there is nothing, None if the name is not one of CUDA's."""
    if command == "find_library":
        name = _name(text)
        found = file.facts.libraries.get(name)
        if found is None or name == "toolkit" or found.drop or found.imported:
            return None
        if text.endswith(".a") and found.library:
            return f"lib{found.library}.so"
        return text.replace(name, found.library) if found.library else ""
    if command == "find_program":
        return "hipcc" if text == "nvcc" else None
    row = file.catalog.row(text.encode("utf-8", "surrogateescape"))
    if row is None or row.kind != "header":
        return None
    return row.hip or ""
