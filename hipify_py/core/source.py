"""Source text as bytes: its encoding, its line endings, and the positions of bytes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from os.path import splitext

CUDA_SUFFIXES = frozenset({".cu", ".cuh", ".cui", ".cuinc", ".hu"})
"""Files that nvcc compiles as CUDA, or that only CUDA sources include."""

CPP_SUFFIXES = frozenset(
    {
        ".c",
        ".cc",
        ".cpp",
        ".cxx",
        ".c++",
        ".h",
        ".hh",
        ".hpp",
        ".hxx",
        ".h++",
        ".inl",
        ".ipp",
        ".tpp",
        ".tcc",
        ".txx",
        ".inc",
        ".def",
        ".impl",
    }
)
"""Files that may call the CUDA runtime or driver from plain C or C++."""

HIP_SUFFIXES = frozenset({".hip"})
SOURCE_SUFFIXES = CUDA_SUFFIXES | CPP_SUFFIXES | HIP_SUFFIXES

KERNEL_SUFFIXES = frozenset({".cu"}) | HIP_SUFFIXES
"""Sources of kernels: nvcc includes the runtime before their first line."""
UNIT_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++"}) | KERNEL_SUFFIXES
"""Files that are compiled by themselves."""

FREE_FORM_SUFFIXES = frozenset({".cuf", ".f90", ".f95", ".f03", ".f08", ".f18"})
FIXED_FORM_SUFFIXES = frozenset({".f", ".for", ".ftn", ".f77", ".fpp"})
"""Fortran sources by their form; `.cuf` is CUDA Fortran in free form."""

TEMPLATE_ENDINGS = frozenset(
    {".in", ".cmake", ".cmakein", ".cuda", ".j2", ".jinja", ".jinja2", ".mako", ".tmpl", ".tpl"}
)
"""Endings after the name of the source that a build system or a generator makes of a file.

A makefile of AutoDock-GPU links `performdocking.cpp.Cuda` to `performdocking.cpp`.
"""

BOM = b"\xef\xbb\xbf"


def is_fortran(path: str) -> bool:
    """Whether a file's name is that of a Fortran source."""
    ending = splitext(path)[1].lower()
    return ending in FREE_FORM_SUFFIXES or ending in FIXED_FORM_SUFFIXES


def suffix_of(path: str) -> str:
    """The file name's ending, in lower case, with its dot (`.cu`); for a template (`config.h.in`), its result's."""
    stem, ending = splitext(path)
    while ending.lower() in TEMPLATE_ENDINGS and splitext(stem)[1]:
        stem, ending = splitext(stem)
    return ending.lower()


def is_header_name(path: str) -> bool:
    """Whether a file is meant to be included, whatever its ending: unknown files may use its definitions."""
    return suffix_of(path) not in UNIT_SUFFIXES and not path.startswith("<")


class UnreadableSource(ValueError):
    """The bytes are not source text that can be translated; `diagnostic` is the finding's id."""

    def __init__(self, diagnostic: str, message: str) -> None:
        super().__init__(message)
        self.diagnostic = diagnostic


class Source:
    """One file's bytes with its path and line index.

    Offsets are byte offsets from the start of the file, lines and columns count from 1, columns in bytes
    (as clang prints them).
    """

    __slots__ = ("_line_starts", "data", "path")

    def __init__(self, data: bytes, path: str = "<input>") -> None:
        self.data = data
        self.path = path
        self._line_starts: list[int] | None = None

    @property
    def suffix(self) -> str:
        """The file name's ending, from `suffix_of`."""
        return suffix_of(self.path)

    @property
    def is_header(self) -> bool:
        """Whether other files include it."""
        return is_header_name(self.path)

    @property
    def is_cuda(self) -> bool:
        """Whether nvcc compiles files with this suffix as CUDA; also true for text without a file name."""
        return self.suffix in CUDA_SUFFIXES or self.suffix in HIP_SUFFIXES or self.path.startswith("<")

    @property
    def newline(self) -> bytes:
        """The first line's ending: `b"\\r\\n"`, or `b"\\n"` (also if there is none)."""
        end = self.data.find(b"\n")
        return b"\r\n" if end > 0 and self.data[end - 1] == 0x0D else b"\n"

    def position(self, offset: int) -> tuple[int, int]:
        """The (line, column) of a byte offset."""
        if self._line_starts is None:
            self._line_starts = _line_starts(self.data)
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_bounds(self, offset: int) -> tuple[int, int]:
        """The byte range of the line that contains `offset`, including its newline."""
        start = self.data.rfind(b"\n", 0, offset) + 1
        end = self.data.find(b"\n", offset)
        return start, len(self.data) if end < 0 else end + 1


def _line_starts(data: bytes) -> list[int]:
    lengths = map((1).__add__, map(len, data.split(b"\n")))
    return [0, *accumulate(lengths)][:-1]


_OF_RECIPES = frozenset({b"bootstrap:", b"from:", b"stage:"})
_OF_MODULES = frozenset({b"library", b"name", b"exports", b"description", b"version", b"stacksize", b"heapsize"})
"""The first words of a container recipe or a module-definition file."""


def is_other_language(data: bytes, suffix: str) -> bool:
    """Whether a `.def` is not C or C++: a recipe of Singularity or Apptainer, or a module-definition file."""
    if suffix != ".def":
        return False
    for line in data.removeprefix(BOM).splitlines():
        words = line.split(None, 1)
        if not words or words[0][:1] in (b"#", b";"):
            continue
        is_called = words[1:] and words[1].startswith(b"(")
        return words[0].lower() in _OF_RECIPES or (words[0].lower() in _OF_MODULES and not is_called)
    return False


def reject_unreadable(data: bytes) -> None:
    """Raise `UnreadableSource` for bytes that are not ASCII-compatible text.

    UTF-16 and UTF-32 contain a byte order mark or zero bytes. Every encoding that has one byte for each character of
    the C++ basic character set (UTF-8, Latin-1, Shift-JIS …) is accepted as it is.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableSource("HIP902", "the file is UTF-16; save it as UTF-8 and run again")
    if b"\0" in data:
        zeros = data[:4096].count(b"\0")
        if zeros * 3 > min(len(data), 4096):
            raise UnreadableSource(
                "HIP902", "the file looks like UTF-16 without a byte order mark; save it as UTF-8 and run again"
            )
        raise UnreadableSource("HIP903", "the file has NUL bytes: it is binary, not source text")


def is_readable(data: bytes) -> bool:
    """False for what `reject_unreadable` rejects."""
    try:
        reject_unreadable(data)
    except UnreadableSource:
        return False
    return True
