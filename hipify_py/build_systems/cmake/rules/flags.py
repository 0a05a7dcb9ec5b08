"""nvcc's options: in `CMAKE_CUDA_FLAGS`, in expressions for CUDA, and wherever an option is nvcc's alone."""

from __future__ import annotations

from itertools import pairwise

from hipify_py.build_systems.cmake.lexer import BRACKET, QUOTED, UNQUOTED, Argument, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.host_flags import note, separate
from hipify_py.build_systems.cmake.rules.option_places import COMPILING, LISTING, between, loses_doubles
from hipify_py.build_systems.cmake.rules.programs import RUNNING, programs
from hipify_py.build_systems.cmake.rules.queries import answer
from hipify_py.build_systems.cmake.rules.sources import OF_FIND_CUDA
from hipify_py.build_systems.cmake.rules.variables import beginning, described, references, sets
from hipify_py.build_systems.cmake.words import Word
from hipify_py.build_systems.nvcc_options import ERRORS, ERRORS_OF_CXX, NvccOption, option_of, report, without_added

# FindCUDA's lists of options, which become strings, because CMake's own variables are strings.

_SCOPES = frozenset({"CACHE", "PARENT_SCOPE"})


def as_string(file: CMakeFile, command: Command, name: str, emptied: set[int]) -> None:
    """Make a string of `list(APPEND CUDA_NVCC_FLAGS a b)` or `set(CUDA_NVCC_FLAGS a b)`.

    Args:
        file: the list file.
        command: the command.
        name: the variable's new name.
        emptied: the indexes of its arguments that are taken out.
    """
    words, arguments = command.words, command.arguments
    if command.name not in {"set", "list"}:
        return
    first = 1 if command.name == "set" else 2
    scope = next((n for n, word in enumerate(words) if word in _SCOPES and n >= first), len(words))
    values = [n for n in range(first, scope) if n not in emptied]
    is_list = any(_may_be_list(file, arguments[n]) for n in range(first, scope))
    if command.name == "set" and (scope < len(words) or not (is_list or _has_comments(file, command, values))):
        _quote(file, command, values)
    elif is_list:
        _join(file, command, name, values)
    elif command.name == "list" or len(values) > 1:
        file.replace(command.start, command.name_end, "string")
        if command.name == "set":
            file.replace(command.opened + 1, command.opened + 1, "CONCAT ")
        for n in values:
            _as_part(file, arguments[n], " ")
            _spaced(file, command, n)
    elif values:
        _as_part(file, arguments[values[0]], "")
        _spaced(file, command, values[0])


def _may_be_list(file: CMakeFile, argument: Argument) -> bool:
    """Whether an argument has the value of one of the project's variables in it, which may be a list."""
    found = [name for _, _, name, _ in references(argument.text)]
    is_whole = argument.text.startswith("${") and argument.text.find("}") == len(argument.text) - 1
    return any("holds" not in file.facts.variables.get(name, {}) for name in found) and (
        argument.kind == UNQUOTED or is_whole
    )


def _join(file: CMakeFile, command: Command, name: str, values: list[int]) -> None:
    """Write `string(JOIN " " variable …)`, which turns lists into strings."""
    arguments = command.arguments
    file.replace(command.start, command.name_end, "string")
    if command.name == "set":
        file.replace(command.opened + 1, command.opened + 1, 'JOIN " " ')
    else:
        file.replace(arguments[0].start, arguments[0].end, 'JOIN " "')
        place = arguments[1 if arguments[0].text == "APPEND" else values[-1]].end
        file.replace(place, place, f" ${{{name}}}")
    for n in values:
        argument = arguments[n]
        if argument.kind == QUOTED and _may_be_list(file, argument):
            file.replace(argument.start, argument.inner, "")
            file.replace(argument.inner_end, argument.end, "")


def _quote(file: CMakeFile, command: Command, values: list[int]) -> None:
    """Make one quoted argument of several, before `CACHE` or `PARENT_SCOPE`."""
    arguments = command.arguments
    if not values or any(arguments[n].kind == BRACKET for n in values):
        return
    if _has_comments(file, command, values):
        file.finding("HIP605", command.start, command.words[0], "it is a string now: write its options as one string")
        return
    for n in values:
        argument = arguments[n]
        if argument.kind == QUOTED:
            file.replace(argument.start, argument.inner, "")
            file.replace(argument.inner_end, argument.end, "")
        _spaced(file, command, n)
    for before, after in pairwise(values):
        file.replace(arguments[before].end, arguments[after].start, " ")
    file.replace(arguments[values[0]].start, arguments[values[0]].start, '"')
    file.replace(arguments[values[-1]].end, arguments[values[-1]].end, '"')


def _has_comments(file: CMakeFile, command: Command, values: list[int]) -> bool:
    """Whether there are comments between the values."""
    arguments = command.arguments
    return bool(values) and any(
        arguments[values[0]].end <= start < arguments[values[-1]].start for start, _ in file.comments
    )


def _as_part(file: CMakeFile, argument: Argument, blank: str) -> None:
    """Quote an argument, with a blank first if it is appended to something else."""
    if argument.kind == UNQUOTED:
        file.replace(argument.start, argument.start, f'"{blank}')
        file.replace(argument.end, argument.end, '"')
    elif argument.kind == QUOTED and blank:
        file.replace(argument.inner, argument.inner, blank)


def _spaced(file: CMakeFile, command: Command, number: int) -> None:
    """Write blanks in place of semicolons between the words of an argument."""
    argument = command.arguments[number]
    data = file.source.data
    ends = [word.end for word in file.words(command) if word.argument == number and not word.within]
    for end in ends:
        if end < argument.inner_end and data[end : end + 1] == b";":
            file.replace(end, end + 1, " ")


_HOLDING = frozenset(
    {"set", "list", "string", "set_target_properties", "set_property", "set_source_files_properties", *LISTING}
    | {*OF_FIND_CUDA, "append", "add_definitions", "set_directory_properties"}
)
"""Commands whose arguments may be options; other commands print them, search for them or test for something."""
_UNSEEN = LISTING | {"set_target_properties", "add_definitions"}
"""Commands whose options FindCUDA does not give to nvcc, except definitions."""
_OF_CXX = frozenset({"CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_DEBUG", "CMAKE_CXX_FLAGS_RELEASE"})
_LISTS = frozenset({"APPEND", "PREPEND", "CONCAT", "JOIN"})
_PARTS = {("list", "TRANSFORM"): 3, ("list", "JOIN"): 2, ("string", "JOIN"): 1, ("string", "REPLACE"): 2}
"""Which argument of a command is written before the elements of a list, or between them."""
_NOTHING_BETWEEN = {"TRANSFORM": "", "JOIN": " ", "REPLACE": " "}
_COMPILER = frozenset({"nvcc", "${CMAKE_CUDA_COMPILER}", "${CUDAToolkit_NVCC_EXECUTABLE}", "${CUDA_NVCC_EXECUTABLE}"})
_NAMING = frozenset({"set", "if", "elseif"})
"""Commands that store the compiler's path for later, or ask whether there is one."""
_QUOTES = ('\\"', '"', "'")


def apply(file: CMakeFile) -> None:
    """Translate options; a list of FindCUDA's becomes a string, because CMake's own variable is one."""
    called = _called(file)
    for command in file.commands:
        if command.name in _NAMING:
            _compiler(file, command, called)
        if command.name in RUNNING:
            _run(file, command)
        elif command.name in _HOLDING:
            name = sets(command)
            holds = file.facts.variables.get(beginning(name), {}).get("holds", "")
            row = described(file, name)
            is_list = command.name in {"list", "string"} and bool(command.words)
            if is_list and (_between(file, command) or command.words[0] not in _LISTS):
                continue
            emptied = _Options(file, command, is_for_cuda=bool(holds)).run()
            if emptied and command.name in {"list", "string"} and len(emptied) == len(command.arguments) - 2:
                file.drop_command(command)
                continue
            if holds == "list of flags" and row is not None:
                as_string(file, command, name.replace(beginning(name), row["hip"], 1), emptied)
    separate(file)


def _between(file: CMakeFile, command: Command) -> bool:
    """Take out an option that `PREPEND "-Xcompiler="` or the like adds to all elements of a list; True if it did."""
    number = _PARTS.get((command.name, command.words[0]), 0)
    if not number or number >= len(command.arguments):
        return False
    argument = command.arguments[number]
    option = argument.text.strip().removesuffix("=")
    flag = file.facts.flags.get(option)
    if command.words[0] == "TRANSFORM" and command.words[2] != "PREPEND":
        return False
    if flag is None or not (flag.host and flag.own) or argument.kind not in {QUOTED, UNQUOTED}:
        return False
    blanks = " " if " " in argument.text else ""
    file.replace(argument.start, argument.end, f'"{blanks or _NOTHING_BETWEEN[command.words[0]]}"')
    file.converted(argument.inner, option, "option")
    return True


def translate_options(file: CMakeFile, command: Command) -> None:
    """Translate the options among the arguments of a command that holds options for CUDA sources only."""
    _Options(file, command, is_for_cuda=True).run()


def _called(file: CMakeFile) -> set[str]:
    """The paths that end in `nvcc` and are called through a variable; folders may have that name, too."""
    names = _COMPILER.union(word.text for command in file.commands for word in programs(file, command))
    return {
        word.text
        for command in file.commands
        if command.name == "set" and f"${{{sets(command)}}}" in names
        for word in file.words(command)
        if word.argument and word.text.endswith("/nvcc")
    }


def _compiler(file: CMakeFile, command: Command, called: set[str]) -> None:
    """A path to nvcc, which a later command calls through a variable."""
    for word in file.words(command):
        if word.argument and (word.text.endswith("/bin/nvcc") or word.text in called):
            file.replace(word.end - len("nvcc"), word.end, "hipcc")
            if command.name == "set":
                file.finding("HIP606", word.start, "nvcc")


def _run(file: CMakeFile, command: Command) -> None:
    """A command that calls nvcc: hipcc replaces it, and its place is reported."""
    words, run = file.words(command), {word.start for word in programs(file, command)}
    calls = [
        word
        for word in words
        if word.text in _COMPILER
        or word.text.endswith("/bin/nvcc")
        or (word.text.endswith("/nvcc") and word.start in run)
    ]
    if not calls:
        return
    called = calls[0]
    if answer(file, command, called):
        return
    for word in calls:
        if word.text == "nvcc" or word.text == "${CMAKE_CUDA_COMPILER}":
            argument = command.arguments[word.argument]
            if (argument.inner, argument.inner_end) == (word.start, word.end):
                file.replace_whole(argument.inner, argument.inner_end, "hipcc")
        elif word.text.endswith("/nvcc"):
            file.replace(word.end - len("nvcc"), word.end, "hipcc")
    file.finding("HIP606", called.start, called.text)
    _Options(file, command, is_for_cuda=True).run()


class _Options:
    """The options among the words of one command."""

    def __init__(self, file: CMakeFile, command: Command, *, is_for_cuda: bool) -> None:
        self.file, self.command = file, command
        texts = command.words
        cached = texts.index("CACHE") if command.name == "set" and "CACHE" in texts else len(texts)  # a text follows
        self.words = [word for word in file.words(command) if word.is_plain and word.argument < cached]
        self.is_for_cuda = is_for_cuda
        self.is_beside_nvccs = any(map(self._is_nvccs, self.words))
        """Whether the words beside options of nvcc's are for nvcc, too."""
        self.is_unseen_by_nvcc = command.name in _UNSEEN and file.context.has_cuda and not file.context.has_language
        """Whether nvcc gets none of the words; GCC takes `-use_fast_math` for `-u`, which changes nothing."""
        self.is_for_cxx = file.context.has_cuda and (command.name in COMPILING or sets(command) in _OF_CXX)
        """Whether C++ sources get the words, which call HIP's functions."""
        self.new: dict[int, str] = {}
        """What replaces a word, by the word's index; empty for words that are taken out."""
        self.with_value: set[int] = set()
        """The indexes of words that become an option and its value, as two words."""

    def run(self) -> set[int]:
        """Translate the options; returns the indexes of arguments that are taken out."""
        at = 0
        while at < len(self.words):
            at = self._option(at)
        return self._write()

    def _is_nvccs(self, word: Word) -> bool:
        """Whether only nvcc accepts the word, so that the words beside it are for nvcc; Apple has `-arch`, too."""
        flag = None if word.within else self.file.facts.flags.get(word.text.partition("=")[0])
        return flag is not None and flag.own and flag.finding != "HIP602"

    def _option(self, at: int) -> int:
        word = self.words[at]
        text = word.text.removeprefix("SHELL:")
        shell = "SHELL:" if text != word.text else ""
        beside = self.words[at + 1 : at + 2]
        texts = [text, *(other.text for other in beside if self._beside(word, other))]
        for_nvcc = word.is_for_cuda or self.is_for_cuda
        for_cuda = for_nvcc or (self.is_beside_nvccs and not word.is_by_compiler)
        option = option_of(texts, self.file.facts.flags, for_cuda=for_cuda)
        if option is None or (word.is_for_other and not (option.flag.host and option.flag.own)):
            if text == ERRORS and self.is_for_cxx and not for_cuda:
                self.new[at] = shell + ERRORS_OF_CXX
            return at + 1
        report(self.file, word.start, option)
        if not option.has_counterpart:
            return at + 1
        if option.flag.host:
            note(self.file, word, option.value, is_list=self.command.name in LISTING)
        following = at + option.words
        for index in range(at, following):
            self.new[index] = ""
        if option.flag.own and not option.flag.host and not for_nvcc and self.is_unseen_by_nvcc:
            return following
        new = self._without_quotes(option, following)
        self.new[at] = shell + new if new else ""
        if option.flag.hip is not None and " {}" in option.flag.hip and not new.startswith(f"{option.name} "):
            self.with_value.add(at)
        return following

    def _without_quotes(self, option: NvccOption, following: int) -> str:
        """What replaces an option; quoted options for the host lose their quotes."""
        quote = next((mark for mark in _QUOTES if option.flag.host and option.value.startswith(mark)), "")
        if not quote:
            return option.text
        value = option.value[len(quote) :]
        if value.endswith(quote):
            return value[: -len(quote)]
        self._closing(quote, following)
        return value

    def _closing(self, quote: str, at: int) -> None:
        """Take out the quote that ends the value of an option."""
        for index in range(at, min(at + 64, len(self.words))):
            text = self.words[index].text
            if text.endswith(quote):
                self.new[index] = text[: -len(quote)]
                return

    def _beside(self, word: Word, other: Word) -> bool:
        return other.within == word.within and other.argument - word.argument <= 1

    def _write(self) -> set[int]:
        emptied: set[int] = set()
        by_argument: dict[int, list[int]] = {}
        for index, word in enumerate(self.words):
            by_argument.setdefault(word.argument, []).append(index)
        for number, indexes in by_argument.items():
            if not any(index in self.new for index in indexes):
                continue
            argument = self.command.arguments[number]
            if all(self.new.get(index) == "" for index in indexes) and self._may_go(number):
                self.file.drop_argument(argument)
                emptied.add(number)
                continue
            self._in_argument(indexes)
        return emptied

    def _may_go(self, number: int) -> bool:
        """Whether the argument can be taken out as a whole."""
        command, argument = self.command, self.command.arguments[number]
        if argument.text.count("$<") != argument.text.count(">") or argument.kind == BRACKET:
            return False
        if command.name == "set":
            return len(command.arguments) > 2 and (argument.kind == UNQUOTED or self.is_for_cuda)
        return command.name in LISTING or command.name in {"list", "string", *RUNNING} or argument.kind == UNQUOTED

    def _in_argument(self, indexes: list[int]) -> None:
        """Write the words of one argument: removed words take along the blank before them, or the one after them."""
        kept: dict[int, Word] = {}
        for place, index in enumerate(indexes):
            word, new = self.words[index], self.new.get(index)
            if new is None:
                kept[word.place] = word
                continue
            if new:
                self.file.replace(word.start, word.end, self._parted(index, new))
                kept[word.place] = word
                continue
            before = self.words[indexes[place - 1]] if place else None
            after = self.words[indexes[place + 1]] if place + 1 < len(indexes) else None
            start, end = word.start, word.end
            if word.place in kept and before is not None and before.place == word.place:
                start = before.end
            elif after is not None and after.place == word.place:
                end = after.start
            elif word.within and len(indexes) == 1 and word.start == self.command.arguments[word.argument].inner:
                start = self.command.arguments[word.argument - 1].end  # only the end of an expression is left
            self.file.replace(start, end, "")

    def _parted(self, index: int, text: str) -> str:
        """Options in the form that the place of a word needs."""
        word = self.words[index]
        if " " not in text:
            return text
        argument = self.command.arguments[word.argument]
        separator = between(self.file, self.command, word)
        if not separator:
            text, separator = without_added(text), " " if argument.kind == QUOTED else "\\ "
        if " " not in text:
            return text
        is_whole = (argument.start, argument.end) == (word.start, word.end)
        is_in_list = separator != "\\ " and not (argument.kind == QUOTED and separator == " ")
        if index in self.with_value and is_in_list and loses_doubles(self.command, word.argument):
            text, separator = _held_together(text), " " if argument.kind == QUOTED else "\\ "
        if is_whole and separator in {"\\ ", "\\;"}:
            return '"' + text.replace(" ", separator[1:]) + '"'
        return text.replace(" ", separator)


def _held_together(text: str) -> str:
    """An option and its value as one element of a list; a variable's value may have blanks in it."""
    name, _, value = text.partition(" ")
    return f"SHELL:{name} '{value}'" if "${" in value else f"SHELL:{text}"
