"""A makefile that the rules translate: its statements, and the words of its values and commands."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from os.path import basename
from typing import NamedTuple

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.make.reader import ASSIGNMENT, RECIPE, RULE, Makefile, Statement
from hipify_py.build_systems.make.references import Reference, outermost, references
from hipify_py.build_systems.shell_words import MAKES_DOLLAR, OPERATOR, REDIRECTION, ShellText, Word, assigned
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, MakeContext, ProjectContext
from hipify_py.core.source import Source

LIBRARY = "make"
"""The kind under which the names of makefiles are counted."""

_SAYING = frozenset({"echo", "printf", "@echo", "-@echo", "grep", "awk", "sed", "tee"})
_TEXTS = frozenset({"info", "warning", "error", "origin", "flavor", "value", "wildcard"})
_EVALUATED = re.compile(rb"\s*(?:override\s+|export\s+)*([\w.-]+)\s*(?::{1,3}|[?+])?=")
_PREFIX = b"@-+ \t"
_DEEPEST = 6


class Line(NamedTuple):
    """Words that are read together: a value, a simple command, or a part of one of them.

    Attributes:
        words: its words.
        variable: the variable whose value they are.
        owner: the index of the line that it is a part of; -1 for none.
        is_command: whether it runs the program that its first word names.
        is_text: whether its words are printed, searched for or the like.
        shell: what reads its words.
    """

    words: tuple[Word, ...]
    variable: str
    owner: int
    is_command: bool
    is_text: bool
    shell: ShellText


class MakeFile(BuildFile):
    """A makefile.

    Attributes:
        read: its statements and comments.
        context: what the makefiles that are read with it declare.
        project: what the project knows about the names of its files.
        uses_root: whether a rule has written a path below ROCm's folder that the file did not have before.
    """

    def __init__(
        self,
        source: Source,
        read: Makefile,
        options: Options,
        context: MakeContext,
        project: ProjectContext = NO_PROJECT,
    ) -> None:
        super().__init__(source, LIBRARY, options, read.comments, [(item.start, item.end) for item in read.statements])
        self.read = read
        self.context = context
        self.project = project
        self.uses_root = False

    @cached_property
    def made_references(self) -> list[Reference]:
        """All references of the file."""
        data = self.source.data
        return [
            found
            for item in self.read.statements
            for found in references(data, item.start, item.end, is_template=item.in_define)
        ]

    @cached_property
    def _starts(self) -> list[int]:
        return [found.start for found in self.made_references]

    def references_in(self, start: int, end: int) -> list[Reference]:
        """The references that begin in a range, nested ones too."""
        return self.made_references[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    @cached_property
    def _rules(self) -> list[Statement]:
        return [item for item in self.read.statements if item.kind == RULE]

    def rule_of(self, line: Line) -> Statement | None:
        """The rule that a command belongs to."""
        at = bisect_right(self._rules, line.shell.start, key=lambda item: item.start) if line.is_command else 0
        return self._rules[at - 1] if at else None

    @cached_property
    def lines(self) -> list[Line]:
        """The words of all values and commands."""
        return _Lines(self).read()

    def root(self, line: Line) -> Line:
        """The value or the command that contains a line."""
        while line.owner >= 0:
            line = self.lines[line.owner]
        return line

    def head(self, word: Word) -> tuple[str, ...]:
        """What a word may run: the names of its references, with a dollar sign, or a program's name."""
        data = self.source.data
        found = self.references_in(word.start, word.end)
        if not found:
            program = word.text.lstrip("@-+")
            return (f"@{program}" if program.endswith("@") else basename(program),)  # `@NVCC@` of configure
        ends = outermost(found)
        last = max(ends.values())
        tail = word.text.rpartition("/")[2] if data[last : last + 1] == b"/" else ""
        if tail:
            return (tail,) if last < word.end else ()
        at = word.start
        quotes = {quote.start - 1 for quote in word.quotes} | {quote.end for quote in word.quotes}
        names: list[str] = []
        by_start = {one.start: one for one in found}
        while at < word.end:
            if at in ends:
                one = by_start[at]
                if one.is_function:
                    names += [f"${other.name}" for other in self.references_in(one.start + 1, one.end)]
                    if b"nvcc" in data[one.start : one.end]:
                        names.append("nvcc")
                else:
                    names.append("nvcc" if "nvcc" in one.name and "(" in one.name else f"${one.name}")
                at = ends[at]
            elif at in quotes or data[at : at + 1] in b"@-+":
                at += 1
            else:
                return ()
        return tuple(names)


class _Lines:
    def __init__(self, file: MakeFile) -> None:
        self.file = file
        self.data = file.source.data
        self.lines: list[Line] = []

    def read(self) -> list[Line]:
        for item in self.file.read.statements:
            if item.kind == ASSIGNMENT:
                if item.operator == "!=":
                    self._commands(*item.value, -1, 0)
                else:
                    self._value(*item.value, item.name, -1, 0)
            elif item.kind == RECIPE:
                self._recipe(*item.value)
            elif item.kind == RULE and item.recipe[1] > item.recipe[0]:
                self._recipe(*item.recipe)
            if item.kind not in (ASSIGNMENT, RECIPE):
                self._rest(item)
        return self.lines

    def _rest(self, item: Statement) -> None:
        """The functions outside of values and commands: of a condition, of a line of references."""
        stop = item.recipe[0] or item.end
        self._functions(item.start, stop, lambda _: -1, 0)

    def _recipe(self, start: int, end: int) -> None:
        while start < end and self.data[start : start + 1] in _PREFIX:
            start += 1
        self._commands(start, end, -1, 0)

    def _shell(self, start: int, end: int, *, ends: bool) -> ShellText:
        opaque = outermost(self.file.references_in(start, end))
        return ShellText(self.data, start, end, dollar=MAKES_DOLLAR, opaque=opaque, continuation_ends=ends)

    def _value(self, start: int, end: int, variable: str, owner: int, depth: int) -> None:
        shell = self._shell(start, end, ends=True)
        first = len(self.lines)
        self._line([word for word in shell.words() if word.kind != OPERATOR], variable, owner, False, shell, depth)
        self._substitutions(shell, start, end, depth)
        self._functions(start, end, lambda _: first, depth)

    def _commands(self, start: int, end: int, owner: int, depth: int) -> None:
        shell = self._shell(start, end, ends=False)
        first = len(self.lines)
        self._simple(shell, start, end, owner, depth)
        self._substitutions(shell, start, end, depth)
        last = len(self.lines)

        def line_of(place: int) -> int:
            for index in range(first, last):
                words = self.lines[index].words
                if words and words[0].start <= place < words[-1].end:
                    return index
            return -1

        self._functions(start, end, line_of, depth)

    def _substitutions(self, shell: ShellText, start: int, end: int, depth: int) -> None:
        if depth > _DEEPEST:
            return
        for found in shell.substitutions_in(start, end):
            self._simple(shell, found.inner, found.inner_end, -1, depth)
            self._substitutions(shell, found.inner, found.inner_end, depth + 1)

    def _simple(self, shell: ShellText, start: int, end: int, owner: int, depth: int) -> None:
        for command in shell.commands(start, end):
            for word in command.assignments:
                self._assigned(word, assigned(word), -1, depth)
            if command.words:
                self._line(list(command.words), "", owner, True, shell, depth)

    def _assigned(self, word: Word, name: str, owner: int, depth: int) -> None:
        """Read `NAME=value` as a word: the value is read separately."""
        at = self.data.find(b"=", word.start, word.end) + 1
        quote = next((quote for quote in word.quotes if quote.start - 1 == at and quote.end + 1 == word.end), None)
        start, end = (at, word.end) if quote is None else (quote.start, quote.end)
        if start < end:
            self._value(start, end, name, owner, depth + 1)

    def _line(
        self, words: list[Word], variable: str, owner: int, is_command: bool, shell: ShellText, depth: int
    ) -> None:
        index = len(self.lines)
        words = [word for word in words if word.kind != REDIRECTION]
        is_text = is_command and bool(words) and words[0].text.lstrip("@-") in _SAYING
        self.lines.append(Line(tuple(words), variable, owner, is_command, is_text, shell))
        if is_text or depth > _DEEPEST:
            return
        runs_make = is_command and bool(words) and words[0].text in {"$(MAKE)", "${MAKE}", "make", "gmake"}
        for word in words[is_command:]:
            if runs_make and assigned(word):
                self._assigned(word, assigned(word), -1, depth)
                continue
            for quote in word.quotes:
                inner = self.data[quote.start : quote.end]
                if b" " in inner.strip() or inner.startswith(b"-"):
                    nested = self._shell(quote.start, quote.end, ends=True)
                    self._line(nested.words(), variable, index, False, nested, depth + 1)

    def _functions(self, start: int, end: int, line_of: object, depth: int) -> None:
        assert callable(line_of)
        if depth > _DEEPEST:
            return
        found = self.file.references_in(start, end)
        last = -1
        for one in found:
            if one.start < last:
                continue
            last = one.end
            if not one.is_function:
                continue
            if one.name == "shell":
                self._commands(*one.arguments[0], -1, depth + 1)
            elif one.name == "eval":
                self._evaluated(*one.arguments[0], line_of(one.start), depth + 1)
            elif one.name not in _TEXTS:
                for argument in one.arguments:
                    self._value(*argument, "", line_of(one.start), depth + 1)

    def _evaluated(self, start: int, end: int, owner: int, depth: int) -> None:
        match = _EVALUATED.match(self.data, start, end)
        if match is None:
            self._value(start, end, "", owner, depth)
        else:
            self._value(match.end(), end, match[1].decode(), -1, depth)
