"""What one makefile declares: its variables, its commands, and which other makefiles it reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from os.path import basename
from typing import NamedTuple

from hipify_py.build_systems.make.includes import paths_in
from hipify_py.build_systems.make.lists import passed, prefixed
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.reader import ASSIGNMENT, CONDITION, RULE
from hipify_py.build_systems.make.toolkit import Root, paths, root_at, tail_of
from hipify_py.build_systems.nvcc_options import is_apples
from hipify_py.build_systems.shell_words import Word

NVCC, OTHER_COMPILER = "nvcc", "other"

_ARCHITECTURE = re.compile(r"(?:(?:sm|compute|lto)_\d+[af]?|native|all|all-major)(?:[,;](?:sm|compute)_\d+[af]?)*\Z")
_OTHER = re.compile(
    r"(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|icc|icpc|icx|icpx|pgcc|pgc\+\+|nvc|nvc\+\+|mpicc|mpicxx|mpic\+\+|mpiCC"
    r"|gfortran|ifort|ifx|nvfortran|pgf90|mpif90|mpifort|xlc|xlC|ld|hipcc|CC|ftn)(?:-[\d.]+)?(?:\.exe)?\Z"
)
HOSTS = frozenset({"g++", "gcc", "c++", "cc", "clang++", "clang"})
"""Host compilers that accept the options by which hipcc links."""

STOPPING = frozenset(
    {"-c", "-dc", "--device-c", "-dw", "--device-w", "-E", "-M", "-MM", "-ptx", "--ptx", "-cubin", "--cubin", "-S"}
    | {"-fatbin", "--fatbin", "-lib", "--lib", "-dlink", "--device-link", "--compile", "--preprocess"}
    | {"-V", "--version", "--help", "-fsyntax-only", "--dryrun", "-dryrun"}
)
"""Options that stop nvcc before it links, or keep it from doing anything."""

RELOCATABLE = frozenset({"-dc", "--device-c", "-rdc=true", "--relocatable-device-code=true", "-fgpu-rdc"})
_RELOCATING = frozenset({"-rdc", "--relocatable-device-code"})
_HOSTS = frozenset({"-ccbin", "--compiler-bindir"})
_ARCHITECTURES = ("-arch", "--gpu-architecture", "-code", "--gpu-code")
_GPUS = frozenset({"-arch", "--gpu-architecture", "-gencode", "--generate-code"})
_LIBRARY = re.compile(r"lib([\w+.-]+?)\.(?:so|a|la|dylib)(?:\.[\d.]+)?\Z")
_BARE = re.compile(r"[^\s,(){}$]+")
_RUNNING = frozenset({"libtool", "ccache", "time", "env", "nice"})
_CALLED = 8
"""How many of the first words of a command may be its compiler."""


_OWN_COMMANDS = re.compile(r"(?:COMPILE|LINK)\.(?:c|o|cc|cpp|C)")
"""make's variables with commands of host compilers."""
_OBJECTS = re.compile(rb"(?:[^\s%]+\.o\s*)+")
_HOST_SOURCE = re.compile(rb"\.(cc|cpp|cxx|c|C)(?![\w.])")


class Definition(NamedTuple):
    """A value that a variable is given.

    Attributes:
        heads: what its first word runs, as `MakeFile.head` reports it.
        references: the variables that it refers to.
        names_architecture: whether it is the name of a GPU architecture.
        is_empty: whether it is empty.
        is_one_word: whether it is a single word.
        is_toolkit: whether it is the folder of the CUDA toolkit.
        is_include: whether it is the folder of the toolkit's headers.
        stops: whether it has an option that stops before linking.
        relocates: whether it has the option that makes device code relocatable.
        chooses_gpus: whether it has an option that names GPU architectures.
        passed: the variables whose words are among its own.
        is_host: whether its first word runs a host compiler of C or C++ that also links programs.
        names_library: whether one of its words is the name of one of NVIDIA's libraries.
        folders: the variables that its words begin with, and what follows each; no name for the toolkit's path.
    """

    heads: tuple[str, ...]
    references: frozenset[str]
    names_architecture: bool
    is_empty: bool
    is_one_word: bool
    is_toolkit: bool
    is_include: bool
    stops: bool
    relocates: bool
    chooses_gpus: bool
    passed: frozenset[str]
    is_host: bool
    names_library: bool
    folders: frozenset[tuple[str, str]]


class Call(NamedTuple):
    """A command that may run a compiler.

    Attributes:
        heads: what its words run, in order: names of variables with a dollar sign, `NVCC` and `OTHER_COMPILER`.
        references: the variables that it refers to.
        relocates: whether it itself has the option that makes device code relocatable.
    """

    heads: tuple[str, ...]
    references: frozenset[str]
    relocates: bool


class Survey(NamedTuple):
    """What a makefile declares.

    Attributes:
        definitions: the values of its variables, by their names.
        sets: the variables that it sets itself, not only in what it passes to other programs.
        calls: its commands that may run compilers.
        uses: how often it refers to each variable, tests included.
        architecture_uses: how many of those references are in options for GPU architectures.
        tested: the variables that conditions ask for.
        includes: the paths of the makefiles that it reads, as `paths_in` has them.
        recurses: whether it calls make.
        libraries: the libraries that its rules make.
        binaries: variables before `/bin/nvcc`: the folder of the toolkit.
        linked: variables whose words get `-l` before them.
        own_lists: variables whose words become names of files or folders of the project.
        chooses_gpus: whether it has an option that names GPU architectures.
        has_cuda: whether it calls nvcc, has nvcc's options or links CUDA's libraries.
        has_hip: whether it calls hipcc.
    """

    definitions: dict[str, list[Definition]]
    sets: frozenset[str]
    calls: list[Call]
    uses: Counter[str]
    architecture_uses: Counter[str]
    tested: frozenset[str]
    includes: tuple[str, ...]
    recurses: bool
    libraries: frozenset[str]
    binaries: frozenset[str]
    linked: frozenset[str]
    own_lists: frozenset[str]
    chooses_gpus: bool
    has_cuda: bool
    has_hip: bool


def is_nvcc(program: str) -> bool:
    """Whether a program's name is nvcc's."""
    return program in {"nvcc", "nvcc.exe", "@NVCC@"}


def kind_of_program(program: str) -> str:
    """`NVCC`, `OTHER_COMPILER`, a variable with a dollar sign, or empty for anything but a compiler."""
    if is_nvcc(program):
        return NVCC
    if program.startswith("$"):
        return program
    return OTHER_COMPILER if _OTHER.match(program) else ""


def called(file: MakeFile, line: Line) -> list[tuple[str, Word]]:
    """The words of a command that may be its compiler, in order, each with what it runs."""
    found = []
    is_host = False
    for word in line.words[:_CALLED]:
        programs = () if is_host else file.head(word)
        found += [(kind, word) for program in programs if (kind := kind_of_program(program))]
        is_host = word.text in _HOSTS
        if not found and programs and not _leads(programs[0]):
            break
    return found


def _program(words: Sequence[Word]) -> Word | None:
    """The word of a value that is its program: after those that run others, and after a variable before a compiler.

    `NVCC = $(PREP) nvcc` lets users print or time commands (NVIDIA's CUDA-aware MPI example).
    """
    for at, word in enumerate(words):
        after = words[at + 1].text if at + 1 < len(words) else ""
        is_before = word.text.startswith("$") and kind_of_program(basename(after)) in (NVCC, OTHER_COMPILER)
        if word.text not in _RUNNING and not is_before:
            return word
    return None


def _leads(program: str) -> bool:
    """Whether a word may precede the compiler: an option, a variable that is set, or a program that runs others."""
    return program.startswith(("$", "-", "@")) or "=" in program or program in _RUNNING


def relocates(texts: Sequence[str]) -> bool:
    """Whether words have the option that makes device code relocatable."""
    if RELOCATABLE.intersection(texts):
        return True
    return any(text == "true" and texts[at - 1] in _RELOCATING for at, text in enumerate(texts) if at)


def chooses_gpus(texts: Sequence[str]) -> bool:
    """Whether words have an option that names GPU architectures."""
    return any(
        text.partition("=")[0] in _GPUS and not is_apples(texts[at + 1 : at + 2]) for at, text in enumerate(texts)
    )


def survey(file: MakeFile) -> Survey:
    """Collect what a makefile declares."""
    return _Survey(file).look()


class _Survey:
    def __init__(self, file: MakeFile) -> None:
        self.file = file
        self.data = file.source.data
        self.definitions: dict[str, list[Definition]] = {}
        self.calls: list[Call] = []
        self.in_options: Counter[str] = Counter()
        self.recurses = self.chooses_gpus = self.has_cuda = self.has_hip = False

    def look(self) -> Survey:
        file, data = self.file, self.data
        in_commands = {
            one.start
            for line in file.lines
            if line.is_text
            for one in file.references_in(line.words[0].start, line.words[-1].end)
        }
        uses: Counter[str] = Counter(
            one.name
            for one in file.made_references
            if one.name and not one.is_function and one.start not in in_commands
        )
        tested: set[str] = set()
        made: set[str] = set()
        for item in file.read.statements:
            if item.kind == CONDITION:
                found = [one.name for one in file.references_in(item.start, item.end)]
                if item.name in {"ifdef", "ifndef"}:
                    found += data[slice(*item.value)].decode("utf-8", "surrogateescape").split()
                tested.update(found)
                uses.update(set(found))
            elif item.kind == RULE:
                words = data[slice(*item.targets)].decode("utf-8", "surrogateescape").split()
                made.update(match[1] for word in words if (match := _LIBRARY.match(basename(word))))
            elif item.kind == ASSIGNMENT and not item.value[0] < item.value[1]:
                self._define(item.name, (), item.value)
        for line in file.lines:
            self._line(line)
        self.calls += self._built_in_calls()
        binaries = {one.name for one in file.made_references if data.startswith((b"/bin/nvcc", b"/bin/hipcc"), one.end)}
        lists = list(prefixed(file))
        linked = frozenset[str]().union(*(one.variables(file) for one in lists if one.links))
        self.has_cuda = self.has_cuda or any(self._names_library(one.start, one.end) for one in lists if one.links)
        return Survey(
            self.definitions,
            frozenset(item.name for item in file.read.statements if item.kind == ASSIGNMENT),
            self.calls,
            uses,
            self.in_options,
            frozenset(tested),
            paths_in(data, file.read.statements),
            self.recurses,
            frozenset(made),
            frozenset(binaries),
            linked,
            frozenset[str]().union(*(one.variables(file) for one in lists if one.is_own)),
            self.chooses_gpus,
            self.has_cuda,
            self.has_hip,
        )

    def _built_in_calls(self) -> Iterator[Call]:
        """The calls of host compilers by make's own rules: for an object with a source and no recipe (gdrcopy), and for
        the variables with make's own commands (`$(LINK.cc)`).

        Source: GNU make manual, catalogue of built-in rules.
        """
        file = self.file
        kinds = {one.name.partition(".")[2] for one in file.made_references if _OWN_COMMANDS.fullmatch(one.name)}
        with_recipe = {rule.start for line in file.lines if (rule := file.rule_of(line)) is not None}
        for item in file.read.statements:
            targets, given = self.data[slice(*item.targets)].strip(), self.data[slice(*item.value)]
            if item.kind == RULE and item.start not in with_recipe and _OBJECTS.fullmatch(targets):
                kinds.update(match[1].decode() for match in _HOST_SOURCE.finditer(given))
        for kind in sorted(kinds):
            yield Call(
                (OTHER_COMPILER,), frozenset({"CPPFLAGS", "CFLAGS" if kind in {"c", "o"} else "CXXFLAGS"}), False
            )

    def _line(self, line: Line) -> None:
        words, file = line.words, self.file
        texts = [word.text for word in words]
        if line.is_text:
            return
        self._architectures(words)
        self.chooses_gpus = self.chooses_gpus or chooses_gpus(texts)
        flags = file.facts.flags
        for text in texts:
            name = text.partition("=")[0]
            program = basename(text.lstrip("@-"))
            flag = flags.get(name) or flags.get(text)
            if is_nvcc(program) or (flag is not None and flag.own):
                self.has_cuda = True
            elif text.startswith("-l") and text[2:] in file.facts.libraries:
                self.has_cuda = self.has_cuda or not file.facts.libraries[text[2:]].imported
            if program in {"hipcc", "amdclang++"}:
                self.has_hip = True
        if line.is_command:
            self._call(line, texts)
        elif line.variable and line.owner < 0:
            span = (line.shell.start, line.shell.end)
            self._define(line.variable, words, span)

    def _call(self, line: Line, texts: list[str]) -> None:
        if texts and texts[0] in {"$(MAKE)", "${MAKE}", "make", "gmake"}:
            self.recurses = True
        heads = tuple(kind for kind, _ in called(self.file, line))
        if heads:
            names = self._names(line.words[0].start, line.words[-1].end)
            stops = bool(STOPPING & set(texts))
            self.calls.append(Call(heads, names, not stops and relocates(texts)))
        if relocates(texts):
            self._define("", line.words, (line.words[0].start, line.words[-1].end))

    def _define(self, name: str, words: tuple[Word, ...], span: tuple[int, int]) -> None:
        texts = [word.text for word in words]
        heads: tuple[str, ...] = ()
        first = _program(words)
        if first is not None:
            heads = tuple(kind for kind in map(kind_of_program, self.file.head(first)) if kind)
        root = root_at(self.file, span[0]) if len(words) <= 1 else None
        tail = tail_of(self.data, root, span[1]) if root is not None else ""
        text = self.data[slice(*span)]
        finds = b"nvcc" in text and (text.startswith((b"$(shell", b"$(patsubst", b"$(subst", b"$(dir")))
        self.definitions.setdefault(name, []).append(
            Definition(
                heads,
                self._names(*span),
                len(texts) == 1 and _ARCHITECTURE.match(texts[0]) is not None,
                not texts,
                len(texts) == 1,
                (root is not None and tail in {"", "/"}) or (finds and b"bin" in text and b"/bin/nvcc)" not in text),
                root is not None and tail.rstrip("/") == "/include",
                bool(STOPPING & set(texts)),
                relocates(texts),
                chooses_gpus(texts),
                passed(self.file, *span),
                first is not None and basename(first.text) in HOSTS,
                self._names_library(*span),
                self._folders(*span),
            )
        )

    def _names_library(self, start: int, end: int) -> bool:
        libraries = self.file.facts.libraries
        words = _BARE.findall(self.data[start:end].decode("utf-8", "surrogateescape"))
        return any(word in libraries and not libraries[word].imported for word in words)

    def _folders(self, start: int, end: int) -> frozenset[tuple[str, str]]:
        """The variables and paths of the toolkit that its words begin with, and what follows each."""
        found = {
            (one.name, tail_of(self.data, Root(one.start, one.end), end))
            for one in self.file.references_in(start, end)
            if one.name and not one.is_function
        }
        return frozenset(found | {("", tail_of(self.data, root, end)) for root in paths(self.file, start, end)})

    def _names(self, start: int, end: int) -> frozenset[str]:
        return frozenset(one.name for one in self.file.references_in(start, end) if one.name and not one.is_function)

    def _architectures(self, words: tuple[Word, ...]) -> None:
        """Count the references that are the whole value of an option for GPU architectures."""
        for at, word in enumerate(words):
            name, equals, _ = word.text.partition("=")
            if name not in _ARCHITECTURES:
                continue
            value = word if equals else words[at + 1] if at + 1 < len(words) else None
            if value is not None:
                start = value.start + (len(name) + 1 if equals else 0)
                found = self.file.references_in(start, value.end)
                if len(found) == 1 and (found[0].start, found[0].end) == (start, value.end):
                    self.in_options[found[0].name] += 1


# Which compiler the words of a line are for: nvcc, another one, or an unknown one.

BOTH = "both"


def use_of(file: MakeFile, line: Line) -> str:
    """`NVCC`, `OTHER_COMPILER` or `BOTH`; empty if that is not known."""
    root = file.root(line)
    context = file.context
    if not root.is_command:
        if root.variable in context.for_nvcc or (
            root.variable in context.compilers and root.variable not in context.mixed
        ):
            return NVCC
        return BOTH if root.variable in context.mixed else ""
    compiler = compiler_of(file, root)
    return "" if compiler is None else compiler[0]


def compiler_of(file: MakeFile, line: Line) -> tuple[str, Word] | None:
    """The compiler that a command runs, and the word that names it; None for other commands."""
    context = file.context
    for kind, word in called(file, line):
        if not kind.startswith("$"):
            return kind, word
        name = kind[1:]
        if name in context.compilers:
            return (BOTH if name in context.mixed else NVCC), word
        if name in {"CC", "CXX", "LD", "FC", "LINK.o"} or name in context.hosts:
            return OTHER_COMPILER, word
    return None
