"""Where the text of command lines is in a build file, and how it is written there.

The words are those of `shell_words.py`; a `Site` writes their replacements into the file.
"""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.shell_words import Quote, ShellText, Word


class Site:
    """A text that a shell reads, and the build file that contains it.

    Attributes:
        file: the build file.
        shell: the text; its places are those of the file.
    """

    def __init__(self, file: BuildFile, shell: ShellText) -> None:
        self.file = file
        self.shell = shell

    def at(self, place: int) -> int:
        """The place in the file."""
        return place

    def replace(self, start: int, end: int, text: str) -> None:
        """Write a text in place of a range."""
        self.file.replace(self.at(start), self.at(end), text)

    def drop(self, start: int, end: int) -> None:
        """Take words out with the blanks before them, or with their line if a continued command has one for them."""
        data = self.shell.data
        first, last = start, end
        while data[first - 1 : first] in (b" ", b"\t") and first > self.shell.start:
            first -= 1
        while data[last : last + 1] in (b" ", b"\t"):
            last += 1
        is_first = first == self.shell.start or data[first - 1 : first] == b"\n"
        stop = next((len(mark) for mark in (b"\\\n", b"\\\r\n") if data.startswith(mark, last)), 0)
        if is_first and stop and last + stop <= self.shell.end:
            self.file.replace_whole(self.at(first), self.at(last + stop), "")
        elif is_first and first > self.shell.start:
            before = data.rfind(b"\\", self.shell.start, first)
            continued = before >= 0 and data[before:first] in (b"\\\n", b"\\\r\n")
            while continued and data[before - 1 : before] in (b" ", b"\t"):
                before -= 1
            self.file.replace_whole(self.at(before if continued else start), self.at(end), "")
        else:
            self.file.replace_whole(self.at(first), self.at(end), "")


class InnerSite(Site):
    """The text in the quotes of a word, read as separate words."""

    def __init__(self, outer: Site, quote: Quote) -> None:
        super().__init__(outer.file, ShellText(outer.shell.data, quote.start, quote.end))
        self.outer = outer

    def at(self, place: int) -> int:
        return self.outer.at(place)

    def replace(self, start: int, end: int, text: str) -> None:
        self.outer.replace(start, end, text)

    def drop(self, start: int, end: int) -> None:
        data, inner = self.shell.data, self.shell
        first, last = start, end
        while first > inner.start and data[first - 1 : first] in (b" ", b"\t"):
            first -= 1
        if first == inner.start:
            first = start
            while last < inner.end and data[last : last + 1] in (b" ", b"\t"):
                last += 1
        self.file.replace_whole(self.at(first), self.at(last), "")


def drop_words(site: Site, words: Sequence[Word], gone: Sequence[int]) -> None:
    """Take words out, adjacent ones together.

    Args:
        site: where they are.
        words: the words of a command, in order.
        gone: which of them go, by their numbers in order.
    """
    data, at = site.file.source.data, 0
    while at < len(gone):
        last = at
        while (  # a Dockerfile may have comments between words
            last + 1 < len(gone)
            and gone[last + 1] == gone[last] + 1
            and b"#" not in data[site.at(words[gone[last]].end) : site.at(words[gone[last + 1]].start)]
        ):
            last += 1
        site.drop(words[gone[at]].start, words[gone[last]].end)
        at = last + 1
