"""Comments of Cython that say how a module is built: `# distutils: libraries = cudart cublas`.

Cython's documentation, Source Files and Compilation: their values are words, or a list in brackets, with quotes or not.
"""

from __future__ import annotations

import re

from hipify_py.build_systems.file import BuildFile

_COMMENT = re.compile(rb"#[ \t]*distutils[ \t]*:[ \t]*(\w+)[ \t]*=[ \t]*([^\n]*)")
_VALUE = re.compile(rb"[^\s,'\"\[\]]+")
_PATHS = frozenset({b"include_dirs", b"library_dirs", b"runtime_library_dirs"})
_OF_TOOLKIT = re.compile(rb"(?i)(?:^|/)cuda(?:[-_.]?\d[\d.]*)?(?:/|$)")


def translate_comment(file: BuildFile, start: int, end: int) -> None:
    """Name ROCm's libraries in a comment, and report what names nothing of ROCm."""
    comment = _COMMENT.match(file.source.data, start, end)
    if comment is None:
        return
    words = [*_VALUE.finditer(file.source.data, *comment.span(2))]
    if comment[1] == b"libraries":
        _translate_libraries(file, (start, end), words)
    elif comment[1] in _PATHS:
        for word in words:
            if _OF_TOOLKIT.search(word[0]):
                name = word[0].decode("utf-8", "replace")
                file.finding("HIP242", word.start(), name, "it is a folder of CUDA's toolkit; name ROCm's instead")


def _translate_libraries(file: BuildFile, comment: tuple[int, int], words: list[re.Match[bytes]]) -> None:
    others = [word[0].decode("utf-8", "surrogateescape") for word in words]
    known = [file.facts.libraries.get(name) for name in others]
    if words and all(library is not None and library.drop for library in known):
        for word, name in zip(words, others, strict=True):
            file.converted(word.start(), name, "library")
        file.drop(*comment)
        return
    there: set[str] = set()
    for word, name, library in zip(words, others, known, strict=True):
        if library is None or library.imported:
            there.add(name)
        elif library.unsupported:
            file.left("HIP242", word.start(), name, "library", library.unsupported)
        elif library.drop or library.library in there:
            _drop(file, word.start(), word.end(), comment[1])
            file.converted(word.start(), name, "library")
        else:
            there.add(library.library)
            file.replace(word.start(), word.end(), library.library)
            file.converted(word.start(), name, "library")


def _drop(file: BuildFile, start: int, end: int, stop: int) -> None:
    """Take out a library, with its quotes, and with what separates it from the next one or from the one before."""
    data = file.source.data
    if data[start - 1 : start] in (b"'", b'"') and data[end : end + 1] == data[start - 1 : start]:
        start, end = start - 1, end + 1
    if data[end:stop].strip() in (b"", b"]"):
        while data[start - 1 : start] in (b",", b" ", b"\t"):
            start -= 1
    else:
        while data[end : end + 1] in (b",", b" ", b"\t"):
            end += 1
    file.replace_whole(start, end, "")
