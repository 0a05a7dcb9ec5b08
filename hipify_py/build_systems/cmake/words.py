"""The words of a command's arguments: elements of lists, flags in strings, and what generator expressions hold.

An expression (`$<...>`) may span several arguments, and contain others; a word knows those around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hipify_py.build_systems.cmake.lexer import BRACKET, CLOSE, OPEN, Argument

_TRANSPARENT = frozenset(
    {"BUILD_INTERFACE", "INSTALL_INTERFACE", "HOST_LINK", "DEVICE_LINK", "1", "LINK_ONLY", "BUILD_LOCAL_INTERFACE"}
)
"""Expressions whose result is what they hold."""

_DEEPEST = 64
"""How deep expressions may nest; anything deeper is text."""

_OF_CUDA = frozenset({"COMPILE_LANGUAGE", "COMPILE_LANG_AND_ID", "LINK_LANGUAGE", "LINK_LANG_AND_ID"})


_COMPILER = "_COMPILER_"
_INTEL = "Intel"


class Word(NamedTuple):
    """One word: `[start, end)` is its place in the file.

    Attributes:
        argument: the index of its argument.
        place: the same for words that are side by side with only separators between them.
        within: the expressions around it by their names, from the outside (`COMPILE_LANGUAGE`); `?` is one whose name
            is an expression itself.
        is_head: whether it is the name of an expression itself.
        is_for_cuda: whether an expression around it applies to CUDA sources only.
        is_for_other: whether one applies to sources of another language only, or to Intel's compiler, whose options
            are like nvcc's.
        is_by_compiler: whether one depends on the language or the compiler, either way.
    """

    text: str
    start: int
    end: int
    argument: int
    place: int
    within: tuple[str, ...] = ()
    is_head: bool = False
    is_for_cuda: bool = False
    is_for_other: bool = False
    is_by_compiler: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is plain text: no expression around it uses it as a condition or the like."""
        return not self.is_head and all(name == "?" or name in _TRANSPARENT for name in self.within)


class _Open:
    """An expression that is not closed yet."""

    __slots__ = ("asks", "has_head", "is_for_cuda", "is_for_other", "name", "place", "says_cuda", "says_other")

    def __init__(self, place: int) -> None:
        self.name, self.has_head, self.place = "", True, place
        self.is_for_cuda = False  # its result is for CUDA sources
        self.is_for_other = False
        self.says_cuda = False  # the condition within it asks for CUDA
        self.says_other = False  # it asks for another language
        self.asks = False  # it asks for a language or a compiler


def words_of(data: bytes, arguments: Iterable[Argument]) -> list[Word]:
    """The words of arguments, in their order; brackets have none, because CMake does not look into them."""
    return _Words(data).run(arguments)


class _Words:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.found: list[Word] = []
        self.stack: list[_Open] = []
        self.names: tuple[str, ...] = ()
        self.places = 0

    def run(self, arguments: Iterable[Argument]) -> list[Word]:
        for index, argument in enumerate(arguments):
            self.places += 1
            if argument.kind in {BRACKET, OPEN, CLOSE}:
                continue
            self._argument(index, argument)
        return self.found

    def _argument(self, index: int, argument: Argument) -> None:
        data, at, start, end = self.data, argument.inner, argument.inner, argument.inner_end
        own = self.places
        while at < end:
            byte = data[at]
            if byte == 0x24 and data[at + 1 : at + 2] == b"<" and len(self.stack) < _DEEPEST:
                self._word(index, start, at, own)
                self.places += 1
                self.stack.append(_Open(self.places))
                self._rename()
                at += 2
                start = at
            elif byte == 0x24 and data[at + 1 : at + 2] == b"{":
                at = self._reference(at, end)
            elif byte == 0x5C:
                at += 2
            elif self.stack and byte == 0x3E:
                self._word(index, start, at, own)
                self._close()
                at += 1
                start = at
            elif self.stack and byte == 0x3A and self.stack[-1].has_head:
                self._word(index, start, at, own)
                top = self.stack[-1]
                top.has_head = False
                top.name = top.name or "?"
                top.is_for_cuda = top.name == "?" and top.says_cuda
                top.is_for_other = top.name == "?" and top.says_other and not top.says_cuda
                self._rename()
                at += 1
                start = at
            elif byte in b" \t\r\n;" or (
                byte == 0x2C and self.stack and self.stack[-1].name not in {"", "?", *_TRANSPARENT}
            ):
                self._word(index, start, at, own)
                at += 1
                start = at
            else:
                at += 1
        self._word(index, start, min(at, end), own)

    def _reference(self, at: int, end: int) -> int:
        """The position after a reference to a variable, which may contain further ones."""
        depth = 0
        while at < end:
            byte = self.data[at]
            if byte == 0x7B:
                depth += 1
            elif byte == 0x7D:
                depth -= 1
                if not depth:
                    return at + 1
            at += 1
        return end

    def _word(self, index: int, start: int, end: int, own: int) -> None:
        if end <= start:
            return
        text = self.data[start:end].decode("utf-8", "surrogateescape")
        top = self.stack[-1] if self.stack else None
        place = own if top is None else top.place * 2**20 + own
        is_head = top is not None and top.has_head
        for_cuda = any(opened.is_for_cuda for opened in self.stack)
        for_other = not for_cuda and any(opened.is_for_other for opened in self.stack)
        asks = any(opened.asks for opened in self.stack)
        self.found.append(Word(text, start, end, index, place, self.names, is_head, for_cuda, for_other, asks))
        if top is None:
            return
        if is_head:
            top.name = text
            if text.startswith("CUDA_COMPILER_ID"):
                top.says_cuda = True
            top.asks |= text in _OF_CUDA or _COMPILER in text
            self._rename()
        elif text == "CUDA" and top.name in _OF_CUDA:
            top.says_cuda = True
        elif (top.name in _OF_CUDA and "$" not in text and text != "HIP") or (
            _COMPILER in top.name and text.startswith(_INTEL)
        ):
            top.says_other = True

    def _close(self) -> None:
        done = self.stack.pop()
        above = self.stack[-1] if self.stack else None
        if above is not None:
            is_condition = above.has_head  # `$<$<COMPILE_LANGUAGE:CUDA>:...>`
            above.asks |= done.asks and (is_condition or above.name in {"AND", "OR", "NOT"})
            if is_condition or above.name == "AND":
                above.says_cuda |= done.says_cuda
                above.says_other |= done.says_other
            elif above.name == "NOT":
                above.says_other |= done.says_cuda and not done.says_other
        self._rename()

    def _rename(self) -> None:
        self.names = tuple(opened.name for opened in self.stack if not opened.has_head)
