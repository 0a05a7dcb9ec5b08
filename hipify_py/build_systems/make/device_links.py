"""Steps that link device code alone (`nvcc -dlink`), and the commands that link what they make.

hipcc links device code and host code in one command. If only commands that link a program or a shared library use the
output of such a step, those commands link the device code, and the step makes an empty object. Where a static library
or another linker takes the output (BitCrack, MPI's wrappers), the step makes the object that hipcc adds to a static
library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.reader import ASSIGNMENT, RECIPE, RULE, Statement
from hipify_py.build_systems.make.survey import HOSTS, NVCC, OTHER_COMPILER, STOPPING, compiler_of
from hipify_py.build_systems.shell_words import WORD, Word

DEVICE_LINK = frozenset({"-dlink", "--device-link"})
_OUTPUT = frozenset({"-o", "--output-file"})
_PREREQUISITES = frozenset({"$^", "$+", "$<", "${^}", "$(^)"})
_VARIABLES = frozenset({"CXX", "CC"})
"""Variables that hold host compilers if no makefile sets them."""
_ENDS = re.compile(rb"[ \t]*(?:\Z|[\r\n;]|&&|\|\|)")
"""What follows a command without redirections whose output goes nowhere."""
_LEAVING = frozenset({"rm", "$(RM)", "${RM}", "touch", "ls", "mkdir"})
"""Programs that only look at a file, or delete it."""


class DeviceLink(NamedTuple):
    """A step that links device code, and what it is for.

    Attributes:
        line: its command.
        compiler: the word that names nvcc.
        output: what it makes, as it is written.
        users: the words that name the host compiler in the commands that link its output; nvcc's are not among them.
    """

    line: Line
    compiler: Word
    output: str
    users: tuple[Word, ...]


class DeviceObject(NamedTuple):
    """A step whose output others need: its command, and the words for nvcc, for the device link and for the output."""

    line: Line
    compiler: Word
    option: Word
    output: Word


def device_objects(file: MakeFile) -> Iterator[DeviceObject]:
    """The steps of a makefile that have to make an object with the linked device code."""
    if not any(mark.encode() in file.source.data for mark in DEVICE_LINK):
        return
    steps = [one.line for one in device_links(file)]
    for line in file.lines:
        texts = [word.text for word in line.words]
        options = [word for word in line.words if word.text in DEVICE_LINK]
        outputs = [word for before, word in pairwise(line.words) if before.text in _OUTPUT]
        if line.is_text or line in steps or len(options) != 1 or len(outputs) != 1 or not outputs[0].is_plain:
            continue
        called = compiler_of(file, line)
        is_known = called is not None and called[0] == NVCC and STOPPING.intersection(texts) <= DEVICE_LINK
        if called is not None and is_known and _ENDS.match(file.source.data, line.words[-1].end):
            yield DeviceObject(line, called[1], options[0], outputs[0])


def device_links(file: MakeFile) -> list[DeviceLink]:
    """The steps of a makefile that can be left to the commands that link a program."""
    if not any(mark.encode() in file.source.data for mark in DEVICE_LINK):
        return []
    rules = _Rules(file)
    found = (_device_link(file, rules, line) for line in file.lines)
    return [one for one in found if one is not None]


class _Rules:
    """Which rule each command belongs to."""

    def __init__(self, file: MakeFile) -> None:
        self.file = file
        self.commands: list[tuple[Line, Statement | None]] = []
        recipes: list[tuple[int, int, Statement | None]] = []
        rule: Statement | None = None
        for item in file.read.statements:
            if item.kind == RULE:
                rule = item
                recipes.append((*item.recipe, rule))
            elif item.kind == RECIPE:
                recipes.append((*item.value, None if item.in_define else rule))
        at = 0
        for line in file.lines:
            if line.is_command and line.owner < 0 and line.words:
                while at < len(recipes) and recipes[at][1] <= line.words[0].start:
                    at += 1
                within = at < len(recipes) and recipes[at][0] <= line.words[0].start
                self.commands.append((line, recipes[at][2] if within else None))

    def rule_of(self, line: Line) -> Statement | None:
        """The rule whose recipe contains a command; None for commands of templates and of no rule."""
        return next((rule for other, rule in self.commands if other is line), None)

    def words(self, place: tuple[int, int]) -> list[str]:
        """The words of targets, prerequisites or a value."""
        return self.file.source.data[slice(*place)].decode("utf-8", "surrogateescape").replace("\\\n", " ").split()

    def names(self, made: set[str]) -> set[str]:
        """What may represent some files: themselves, and references to variables that hold them."""
        found = set(made)
        for item in self.file.read.statements:
            if item.kind == ASSIGNMENT and found.intersection(self.words(item.value)):
                found |= {f"$({item.name})", f"${{{item.name}}}"}
        return found


def _device_link(file: MakeFile, rules: _Rules, line: Line) -> DeviceLink | None:
    texts = [word.text for word in line.words]
    rule = rules.rule_of(line) if DEVICE_LINK.intersection(texts) and not line.is_text else None
    called = compiler_of(file, line) if rule is not None else None
    if rule is None or called is None or called[0] != NVCC or any(word.kind != WORD for word in line.words):
        return None
    output = next((text for before, text in pairwise(texts) if before in _OUTPUT), "")
    made = set(rules.words(rule.targets)) if output == "$@" else {output}
    if not output or any("%" in name for name in made):
        return None
    users = [_user(file, other, rule_of, rules.names(made)) for other, rule_of in rules.commands if other is not line]
    known = [user for user in users if user is not None]
    if not known or any(kind not in {NVCC, OTHER_COMPILER} for kind, _ in known):
        return None
    hosts = tuple(word for kind, word in known if kind == OTHER_COMPILER)
    return DeviceLink(line, called[1], output, hosts)


def _user(file: MakeFile, line: Line, rule: Statement | None, names: set[str]) -> tuple[str, Word] | None:
    """The compiler of a command that uses some file, and its word; an empty name if it cannot link the file."""
    texts = {word.text for word in line.words}
    takes = bool(names & texts)
    if not takes and rule is not None and _PREREQUISITES & texts:
        data = file.source.data
        asked = data[slice(*rule.value)].decode("utf-8", "surrogateescape").replace("\\\n", " ").split()
        takes = bool(names.intersection(asked))
    if not takes or line.is_text or line.words[0].text.lstrip("@-") in _LEAVING:
        return None
    called = compiler_of(file, line)
    if called is None or STOPPING & texts:
        return "", line.words[0]
    return called if called[0] == NVCC or _is_host(file, called[1]) else ("", called[1])


def _is_host(file: MakeFile, word: Word) -> bool:
    """Whether hipcc can replace a compiler: it is not a wrapper (`mpicxx`), a linker or a Fortran compiler."""
    program = word.text.lstrip("@-")
    return program in HOSTS or (program[:2] in {"$(", "${"} and program[2:-1] in _VARIABLES | file.context.hosts)


def linking(file: MakeFile) -> Iterator[tuple[Word, str]]:
    """The words of the host compilers that have to link device code, each with the compiler that does so."""
    for one in device_links(file):
        for word in one.users:
            program = one.compiler.text.lstrip("@-")
            yield word, program if program.startswith("$") and "nvcc" not in program else "hipcc"
