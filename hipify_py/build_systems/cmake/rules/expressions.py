"""Expressions: `$<COMPILE_LANGUAGE:CUDA>`, `$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>`, `$<CUDA_COMPILER_ID:NVIDIA>`."""

from __future__ import annotations

from hipify_py.build_systems.cmake.list_file import CMakeFile

_LANGUAGE = frozenset({"COMPILE_LANGUAGE", "LINK_LANGUAGE"})
_BOTH = frozenset({"COMPILE_LANG_AND_ID", "LINK_LANG_AND_ID"})
_COMPILER = "CUDA_COMPILER_ID"
_ID = "Clang"
_VERSION = "CUDA_COMPILER_VERSION"


def apply(file: CMakeFile) -> None:
    """Ask for HIP and for its compiler."""
    for command in file.commands:
        both: set[int] = set()
        for word in file.words(command):
            name = word.within[-1] if word.within else ""
            if word.is_head and word.text == _COMPILER:
                file.replace(word.start, word.end, "HIP_COMPILER_ID")
                file.converted(word.start, word.text, "expression")
            elif word.is_head and word.text == _VERSION:
                version = file.cuda
                data = file.source.data
                if data[word.start - 2 : word.start] == b"$<" and data[word.end : word.end + 1] == b">":
                    file.replace(word.start - 2, word.end + 1, version)
                    file.converted(word.start, word.text, "expression")
                    file.finding("HIP609", word.start, word.text, version)
                else:
                    file.left(
                        "HIP601", word.start, word.text, "expression", "HIP's compiler has its own version numbers"
                    )
            elif word.is_head:
                continue
            elif name in _LANGUAGE and word.text == "CUDA":
                file.replace(word.start, word.end, "HIP")
                file.converted(word.start, f"{name}:CUDA", "expression")
            elif name in _BOTH and word.text == "CUDA":
                both.add(word.place)
                file.replace(word.start, word.end, "HIP")
                file.converted(word.start, f"{name}:CUDA", "expression")
            elif word.text == "NVIDIA" and ((name in _BOTH and word.place in both) or name == _COMPILER):
                file.replace(word.start, word.end, _ID)
