"""Libraries that are linked: `CUDA::cublas`, `cublas` and `-lcublas`."""

from __future__ import annotations

from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.words import Word
from hipify_py.build_systems.facts import Library

LINKING = frozenset({"target_link_libraries", "link_libraries", "cuda_link_libraries"})
_KEYWORDS = frozenset(
    {"PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE", "debug", "optimized", "general"}
)
_SILENT = frozenset({"message"})
PREFIX = "CUDA::"


def libraries_of(file: CMakeFile) -> list[tuple[int, Word, str, Library | None]]:
    """The libraries of NVIDIA's that commands name: the command's index, the word, the name, and what stands in."""
    found = []
    rows, own = file.facts.libraries, file.told.targets
    for index, command in enumerate(file.commands):
        if command.name in _SILENT:
            continue
        for word in file.words(command):
            text = word.text
            if text.startswith(PREFIX) and not word.is_head:
                if text not in own:
                    found.append((index, word, text, rows.get(text.removeprefix(PREFIX))))
            elif command.name in LINKING and word.argument > 0 and word.is_plain and text not in _KEYWORDS:
                name = text.removeprefix("-l")
                if name in rows and not rows[name].imported and name not in own and name != "toolkit":
                    found.append((index, word, text, rows[name]))
    return found


def apply(file: CMakeFile) -> None:
    """Write the targets of HIP's packages."""
    dropped: dict[int, list[Word]] = {}
    for index, word, text, library in libraries_of(file):
        if library is None:
            file.left("HIP601", word.start, text, "library", "no target of ROCm is known for it")
        elif library.unsupported:
            file.left("HIP601", word.start, text, "library", library.unsupported)
        elif library.drop:
            file.converted(word.start, text, "library")
            dropped.setdefault(index, []).append(word)
        else:
            file.converted(word.start, text, "library")
            file.replace(word.start, word.end, library.target)
    for index, words in dropped.items():
        command = file.commands[index]
        for word in words:
            argument = command.arguments[word.argument]
            if (argument.inner, argument.inner_end) == (word.start, word.end):
                file.drop_argument(argument)
            else:
                file.replace(word.start, word.end, "")
