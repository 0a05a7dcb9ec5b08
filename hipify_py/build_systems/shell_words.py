"""The words of command lines as a POSIX shell splits them, with the bytes of each.

Shell scripts, recipes of Make, `RUN` of a Dockerfile and texts that Python passes to a shell follow the same rules.
`ShellText` scans a text once and then knows where each bracket and quote of it ends, so that reading the words within a
substitution costs no more than its length. A bracket or quote that is never closed reaches to the end.

tree-sitter-bash 0.25.1 would serve for scripts (it has errors in 6 of 770), but not for the other texts: a recipe has
Make's references among the shell's, and one grammar has to read them all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

WORD, OPERATOR, REDIRECTION = "word", "operator", "redirection"

SHELLS_DOLLAR, MAKES_DOLLAR = b"$", b"$$"
"""What begins one of the shell's references: in a recipe of Make `$` is Make's own."""

_CODE, _DOUBLE, _BACKQUOTE, _GROUP, _ARITHMETIC, _PARAMETER = range(6)
_NOTHING_OPAQUE: Mapping[int, int] = {}

_SHELL_MARK = re.compile(rb"\\.|\$'|\$\(\(|\$[({]|<<<|<<-?|['\"`()}\n#]", re.DOTALL)
_MAKE_MARK = re.compile(rb"\\.|\$\$\(\(|\$\$[({]|\$\$|<<<|<<-?|['\"`()}\n#$]", re.DOTALL)
_HERE = re.compile(rb"[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|\\?([\w.+-]+))")
_REDIRECTION = re.compile(rb"[0-9]*(?:<<<|<<-?|<>|>>|>\||[<>]&|<|>)|&>>?")
_OPERATOR = re.compile(rb"&&|\|\||;;|\|&|[;&|()]|\r?\n")
_PLAIN = re.compile(rb"[^\\'\"`$\s;&|()<>#]+")
_BLANKS = re.compile(rb"(?:[ \t\f\v]|\r(?!\n))+")
_CONTINUED = re.compile(rb"\\\r?\n")
_ESCAPED = re.compile(rb"\\([\"\\$`])|\\\r?\n")
_C_QUOTED = re.compile(rb"(?:[^\\']|\\.)*", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)

_KEYWORDS = frozenset({"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "!", "{", "}", "time"})
_RUNNERS = frozenset({"exec", "command", "env", "sudo", "nohup", "nice", "ccache", "sccache", "distcc", "mpirun"})
"""Programs that run the program named by their arguments."""


class Quote(NamedTuple):
    """A part of a word in quotes: the quote, and the bytes between it and its end."""

    mark: str
    start: int
    end: int


class Word(NamedTuple):
    """A word, an operator or a redirection.

    Attributes:
        start: where it begins, with its quotes.
        end: where it ends.
        text: its meaning to the shell: without quotes and backslashes, references as they are written.
        kind: `WORD`, `OPERATOR` or `REDIRECTION`, whose file is the word that follows.
        quotes: its parts in quotes.
        is_plain: whether it has no quote and no backslash, so that its text is as it is written.
        is_closed: false if one of its quotes never ends.
    """

    start: int
    end: int
    text: str
    kind: str = WORD
    quotes: tuple[Quote, ...] = ()
    is_plain: bool = True
    is_closed: bool = True


class Substitution(NamedTuple):
    """The output of commands in place of a word's part: `$(…)` or backquotes, and the bytes between."""

    start: int
    inner: int
    inner_end: int
    end: int


class Command(NamedTuple):
    """A simple command.

    Attributes:
        words: its name and its arguments, without redirections.
        assignments: the variables that are set before its name; all words of a command that has no name.
        runners: the words before its name that run it: `sudo`, `env` and their options.
    """

    words: tuple[Word, ...]
    assignments: tuple[Word, ...] = ()
    runners: tuple[Word, ...] = ()

    @property
    def name(self) -> str:
        """The word that names the program; empty for a command that only sets variables."""
        return self.words[0].text if self.words else ""


class ShellText:
    """A range of bytes that a shell reads.

    Attributes:
        comments: where its comments are.
        substitutions: where commands replace words, in order of their beginnings, nested ones too.
        here_documents: where the lines of here-documents are, which are not code.
    """

    def __init__(
        self,
        data: bytes,
        start: int = 0,
        end: int | None = None,
        *,
        dollar: bytes = SHELLS_DOLLAR,
        opaque: Mapping[int, int] = _NOTHING_OPAQUE,
        continuation_ends: bool = False,
        indent: int = 0,
    ) -> None:
        """Scan a text.

        Args:
            data: the bytes.
            start: where the text begins.
            end: where it ends; None for the end of the bytes.
            dollar: what begins the shell's references: `SHELLS_DOLLAR` or `MAKES_DOLLAR`.
            opaque: ranges of another language, the end by the beginning: parts of words, whatever they hold.
            continuation_ends: whether a continued line ends a word, as in values of Make; the shell reads on within it.
            indent: blanks that begin each line and that the shell never gets, as in a block of YAML.
        """
        self.data, self.start = data, start
        self.end = len(data) if end is None else end
        self.opaque = opaque
        self.continuation_ends = continuation_ends
        self._indent = b" " * indent
        self._mark = _SHELL_MARK if dollar == SHELLS_DOLLAR else _MAKE_MARK
        self._dollar = dollar
        self.comments: list[tuple[int, int]] = []
        self.substitutions: list[Substitution] = []
        self.here_documents: list[tuple[int, int]] = []
        self._ends: dict[int, int] = {}
        self._bodies: dict[int, int] = {}
        self._look_through()
        self.substitutions.sort()
        self._comment_ends = dict(self.comments)

    def words(self, start: int | None = None, end: int | None = None) -> list[Word]:
        """The words, operators and redirections of a part of the text, which begins outside of quotes."""
        return list(self._words(self.start if start is None else start, self.end if end is None else end))

    def commands(self, start: int | None = None, end: int | None = None) -> list[Command]:
        """The simple commands of a part of the text, without those of substitutions within."""
        return commands_of(self.words(start, end))

    def substitutions_in(self, start: int, end: int) -> list[Substitution]:
        """The substitutions that begin in a range, without those within them."""
        found: list[Substitution] = []
        for at in range(bisect_left(self.substitutions, (start,)), len(self.substitutions)):
            item = self.substitutions[at]
            if item.start >= end:
                break
            if not found or item.start >= found[-1].end:
                found.append(item)
        return found

    def _look_through(self) -> None:
        """Find where quotes, brackets and comments end, in one pass with a stack of what is open."""
        data, at, end = self.data, self.start, self.end
        opened: list[tuple[int, int, int]] = []  # kind, start, inner
        backquotes = 0
        waiting: list[tuple[bytes, bool]] = []
        while (match := self._mark.search(data, at, end)) is not None:
            mark, start, at = match[0], match.start(), match.end()
            if start in self.opaque:
                at = max(self.opaque[start], start + 1)
                continue
            kind = opened[-1][0] if opened else _CODE
            if mark[:1] == b"\\":
                continue
            if mark == b"`":
                if backquotes:
                    while opened[-1][0] != _BACKQUOTE:
                        opened.pop()
                    self._closed(opened.pop(), start, at)
                    backquotes = 0
                else:
                    opened.append((_BACKQUOTE, start, at))
                    backquotes = 1
            elif mark.startswith(self._dollar) and mark[-1:] in b"({" and mark != self._dollar:
                if mark.endswith(b"(("):
                    opened += [(_ARITHMETIC, start, at), (_ARITHMETIC, at - 1, at)]
                else:
                    opened.append((_GROUP if mark[-1:] == b"(" else _PARAMETER, start, at))
            elif mark == b'"':
                if kind == _DOUBLE:
                    self._closed(opened.pop(), start, at)
                else:
                    opened.append((_DOUBLE, start, at))
            elif kind == _DOUBLE:
                continue
            elif mark == b"}":
                if kind == _PARAMETER:
                    self._closed(opened.pop(), start, at)
            elif mark == b"'" or mark == b"$'":
                at = self._single(start, mark)
            elif kind == _PARAMETER:
                continue
            elif mark == b"(":
                opened.append((_ARITHMETIC if kind == _ARITHMETIC else _GROUP, start, at))
            elif mark == b")":
                if kind in (_GROUP, _ARITHMETIC):
                    self._closed(opened.pop(), start, at)
            elif kind == _ARITHMETIC:
                continue
            elif mark == b"#":
                if start == self.start or data[start - 1] in b" \t\r\n;&|()`":
                    stop = data.find(b"\n", start, end)
                    at = end if stop < 0 else stop
                    self.comments.append((start, at))
            elif mark in (b"<<", b"<<-"):
                here = _HERE.match(data, at, end)
                if here is not None:
                    waiting.append((here[1] or here[2] or here[3] or b"", mark == b"<<-"))
            elif mark == b"\n" and waiting:
                at = self._here_documents(start, waiting)
                waiting = []

    def _closed(self, opened: tuple[int, int, int], inner_end: int, end: int) -> None:
        kind, start, inner = opened
        self._ends[start] = end
        if kind == _BACKQUOTE or (kind == _GROUP and self.data[start : start + 1] == b"$"):
            self.substitutions.append(Substitution(start, inner, inner_end, end))

    def _single(self, start: int, mark: bytes) -> int:
        """Where single quotes end (exclusive)."""
        inner = start + len(mark)
        if mark == b"'":
            stop = self.data.find(b"'", inner, self.end)
        else:
            match = _C_QUOTED.match(self.data, inner, self.end)
            stop = match.end() if match is not None and match.end() < self.end else -1
        if stop < 0:
            return self.end
        self._ends[start] = stop + 1
        return stop + 1

    def _here_documents(self, newline: int, waiting: Sequence[tuple[bytes, bool]]) -> int:
        """Where the here-documents that begin after a line end."""
        at = newline
        for name, is_indented in waiting:
            last = re.compile(
                rb"\n%s%s%s(?=\r?\n|\Z)" % (self._indent, rb"\t*" if is_indented else b"", re.escape(name))
            )
            match = last.search(self.data, at, self.end)
            stop = self.end if match is None else match.end()
            self.here_documents.append((at + 1, stop))
            at = stop
        self._bodies[newline] = at
        return at

    def _words(self, at: int, end: int) -> Iterator[Word]:
        data = self.data
        while at < end:
            match = _BLANKS.match(data, at, end) or _CONTINUED.match(data, at, end)
            if match is not None:
                at = match.end()
                continue
            if at in self._comment_ends:
                at = min(end, self._comment_ends[at])
                continue
            match = _REDIRECTION.match(data, at, end)
            kind = REDIRECTION
            if match is None:
                match, kind = _OPERATOR.match(data, at, end), OPERATOR
            if match is not None:
                text = match[0].decode()
                yield Word(at, match.end(), "\n" if text == "\r\n" else text, kind)
                at = self._bodies.get(match.end() - 1, match.end()) if text.endswith("\n") else match.end()
                continue
            word = self._word(at, end)
            yield word
            at = word.end

    def _word(self, start: int, end: int) -> Word:
        data, at = self.data, start
        pieces: list[bytes] = []
        quotes: list[Quote] = []
        is_plain = is_closed = True
        while at < end:
            match = _PLAIN.match(data, at, end)
            if match is not None:
                pieces.append(match[0])
                at = match.end()
                continue
            if at in self.opaque:
                stop = min(end, max(self.opaque[at], at + 1))
                pieces.append(data[at:stop])
                at = stop
                continue
            byte = data[at : at + 1]
            mark = b"$'" if data[at : at + 2] == b"$'" and self._dollar == SHELLS_DOLLAR else byte
            if mark in (b"'", b'"', b"$'"):
                known = self._ends.get(at)
                stop = end if known is None or known > end else known
                is_whole = stop == known
                is_closed = is_closed and is_whole
                inner, inner_end = at + len(mark), stop - 1 if is_whole else stop
                text = data[inner:inner_end]
                pieces.append(_ESCAPED.sub(rb"\1", text) if mark == b'"' else text)
                quotes.append(Quote(mark.decode(), inner, max(inner, inner_end)))
                is_plain = False
                at = max(stop, inner)
            elif byte == b"\\":
                continued = _CONTINUED.match(data, at, end)
                if continued is not None:
                    if self.continuation_ends or (at > start and _BLANKS.match(data, continued.end(), end)):
                        break  # blanks follow on the next line
                    at = continued.end()
                else:
                    pieces.append(data[at + 1 : min(at + 2, end)])
                    at += 2
                is_plain = False
            elif byte == b"`" or byte == b"$":
                known = self._ends.get(at)
                width = len(self._dollar) if data.startswith(self._dollar, at) else 1
                stop = min(end, known if known is not None else at + width)
                pieces.append(data[at:stop])
                at = stop
            elif byte == b"#":
                pieces.append(b"#")
                at += 1
            else:
                break
        if at == start:  # a byte that no rule matches
            return Word(start, start + 1, _text(data[start : start + 1]))
        return Word(start, min(at, end), _text(b"".join(pieces)), WORD, tuple(quotes), is_plain, is_closed)


def commands_of(words: Sequence[Word]) -> list[Command]:
    """The simple commands among words, separated by operators."""
    found: list[Command] = []
    line: list[Word] = []
    is_file = False
    for word in words:
        if word.kind == OPERATOR:
            _add(found, line)
            line, is_file = [], False
        elif word.kind == REDIRECTION:
            is_file = True
        elif is_file:
            is_file = False
        else:
            line.append(word)
    _add(found, line)
    return found


def assigned(word: Word) -> str:
    """The variable that a word sets (`CUDA_HOME=/opt/cuda`); empty for other words."""
    match = _ASSIGNMENT.match(word.text)
    return "" if match is None else match[0].rstrip("+=")


def _add(found: list[Command], words: list[Word]) -> None:
    at, runners, assignments = 0, list[Word](), list[Word]()
    while at < len(words):
        word = words[at]
        if (word.text in _RUNNERS and at + 1 < len(words)) or (runners and word.text.startswith("-")):
            runners.append(word)
        elif word.text in _KEYWORDS and word.is_plain:
            pass
        elif assigned(word):
            assignments.append(word)
        else:
            break
        at += 1
    if words[at:] or assignments:
        found.append(Command(tuple(words[at:]), tuple(assignments), tuple(runners)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
