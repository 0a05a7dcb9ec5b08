"""nvcc's options: all of them on a line that is nvcc's alone, and those that only nvcc has on any line."""

from __future__ import annotations

import re
from collections.abc import Collection

from hipify_py.build_systems.make.device_links import DEVICE_LINK, device_links, device_objects
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.reader import ASSIGNMENT, CONDITION, Statement
from hipify_py.build_systems.make.references import outermost
from hipify_py.build_systems.make.survey import NVCC, compiler_of, use_of
from hipify_py.build_systems.nvcc_options import NvccOption, option_of, report, runtime_included
from hipify_py.build_systems.shell_words import WORD, Word
from hipify_py.core.source import UNIT_SUFFIXES

VARIABLE = "HIP_ARCH"
"""The variable that names AMD's GPUs; if it is empty, hipcc compiles for the GPUs of the machine."""

_FIRST, _LAST = "\ue000", "\ue001"
"""What masks a reference: a character that no option has."""

_ARCHITECTURES = "HIP602"
_CODE_OBJECTS = frozenset({"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin"})
_HOST = frozenset({"-Xcompiler", "--compiler-options"})
_ESCAPED_QUOTE = re.compile(rb"\\\"")
_LISTS = frozenset({"-D", "-U", "-I", "-L"})
"""Options that take several values, with commas between them; for clang each value needs its own option."""
_LANGUAGE = ["-x", "cu"]
"""No other compiler has a language of that name."""
_IN_HIP = "-x hip"
_SOURCES = frozenset({"$<", "$^", "$?", "$+", "$(<)", "$(^)"})
_ENDINGS = tuple(sorted(UNIT_SUFFIXES))
"""The ends of words that name sources."""
_PLAIN = re.compile(rb"[\w.-]+")
_HAS_VALUE = re.compile(rb"\((?:\$[({]strip )?[)}]?\s*,\s*\)|([\"'])\1\s+([\"'])\2|\(([\"'])\3\s*,\s*([\"'])\4\)")
"""What is left of the comparison with nothing, without the variable."""
_SPECIAL = frozenset("\\\"'`;|&<>()*?$")


def apply(file: MakeFile) -> None:
    """Translate the options of each line."""
    steps = [one.line for one in device_links(file)]  # rewritten as a whole
    making = {one.option for one in device_objects(file)}
    for line in file.lines:
        if not line.is_text and line not in steps:
            _Options(file, line, making).run()
    _ask_for_gpus(file)


def _ask_for_gpus(file: MakeFile) -> None:
    """`ifneq ($(SM),)` around nothing but `FLAGS += -arch=sm_$(SM)` asks for the variable that takes its place.

    Where `SM` is read from what nvidia-smi prints (llm.c, GPUSPH), nothing sets it for AMD GPUs.
    """
    statements = file.read.statements
    for at, item in enumerate(statements):
        if item.kind != CONDITION or item.name not in {"ifneq", "ifdef"}:
            continue
        asked = _asked(file, item)
        stop = next((n for n in range(at + 1, len(statements)) if statements[n].kind == CONDITION), len(statements) - 1)
        body = statements[at + 1 : stop]
        if asked is None or not body or statements[stop].name != "endif":
            continue
        start, end = asked
        name = file.source.data[start:end].decode("utf-8", "surrogateescape")
        if all(_names_gpus(file, one, name) for one in body):
            file.replace(start, end, VARIABLE)
            file.converted(start, name, "architecture")


def _asked(file: MakeFile, item: Statement) -> tuple[int, int] | None:
    """The place of a variable's name in a condition that asks only whether it has a value."""
    data, (start, end) = file.source.data, item.value
    if item.name == "ifdef":
        return (start, end) if _PLAIN.fullmatch(data, start, end) else None
    found = [one for one in file.references_in(start, end) if not one.is_function]
    if len(found) != 1 or not _HAS_VALUE.fullmatch(data[start : found[0].start] + data[found[0].end : end]):
        return None
    return found[0].inner, found[0].inner + len(found[0].name)


def _names_gpus(file: MakeFile, item: Statement, name: str) -> bool:
    """Whether a statement adds options that name a variable's GPUs to another variable, and nothing else."""
    if item.kind != ASSIGNMENT or all(one.name != name for one in file.references_in(*item.value)):
        return False
    words = next((line.words for line in file.lines if line.owner < 0 and line.shell.start == item.value[0]), ())
    at, flags = 0, file.facts.flags
    while at < len(words):
        option = option_of([word.text for word in words[at : at + 2]], flags, for_cuda=True)
        if option is None or option.flag.finding != _ARCHITECTURES:
            return False
        at += option.words
    return True


class _Options:
    def __init__(self, file: MakeFile, line: Line, making: Collection[Word]) -> None:
        self.file, self.line, self.making = file, line, making
        self.for_nvcc = use_of(file, line) == NVCC
        self.words = [word for word in line.words if word.kind == WORD]
        self.references: list[str] = []
        self.texts: list[str] = []
        self.texts_of_line = {word.text for word in self.words}
        self.has_kept = False
        self.names_gpus = False

    def run(self) -> None:
        """Translate all options, or the architecture that is the whole value of a variable."""
        if self.line.owner < 0 and self.line.variable in self.file.context.architectures:
            for word in self.words:
                self.file.replace_whole(word.start, word.end, f"$({VARIABLE})")
                self.file.converted(word.start, word.text, "architecture")
            return
        at = int(self.line.is_command)
        self.has_kept = self.line.is_command
        while at < len(self.words):
            taken = self._option(at)
            if not taken:
                self.has_kept = True
            at += taken or 1

    def _option(self, at: int) -> int:
        """Translate the option that begins with a word; returns how many words it takes, 0 for none."""
        file, words = self.file, self.words
        word = words[at]
        if not word.text.startswith("-") or word in self.making:
            return 0
        texts = [self._masked(other) for other in words[at : at + 2]]
        if texts[0] in _HOST and len(texts) == 1:
            self._drop(at, 1)
            file.converted(word.start, texts[0], "option")
            return 1
        option = option_of(texts, file.facts.flags, for_cuda=self.for_nvcc or texts == _LANGUAGE)
        if option is None:
            return 0
        if option.flag.finding == _ARCHITECTURES:
            self._architecture(at, option)
            return option.words
        unmasked = option._replace(name=self._unmasked(option.name), value=self._unmasked(option.value))
        report(file, word.start, unmasked)
        if not option.has_counterpart or option.name in DEVICE_LINK:  # without it, the step would link a program
            return 0
        if option.name in _CODE_OBJECTS:
            file.finding("HIP621", word.start, option.name)
        last = words[at + option.words - 1]
        if option.flag.host or (option.flag.hip and "{}" in option.flag.hip and option.flag.values is None):
            if last is word and not option.value:
                return 0  # the value follows in another place: `$(addprefix -Xlinker ,…)`, which clang has, too
            self._handed_on(at, option, last)
        elif texts == _LANGUAGE and self._of_language(at):
            return option.words
        elif option.text and option.text not in self.texts_of_line:
            file.replace_whole(word.start, last.end, self._unmasked(option.text))
            self.has_kept = True
        else:
            self._drop(at, option.words)
        return option.words

    def _of_language(self, at: int) -> bool:
        """`-x cu` of a command. nvcc includes the runtime's header before the text of the sources, HIP does not.

        `-x cu` may stand anywhere. clang's is for the sources after it only. Sources that end in `.cu` include the
        header themselves in the output.
        """
        line, first, last = self.line, self.words[at], self.words[at + 1]
        called = compiler_of(self.file, line) if line.is_command else None
        if called is None:
            return False
        inputs = [word for word in line.words if word.text in _SOURCES or word.text.endswith(_ENDINGS)]
        text = _IN_HIP
        if not any(word.text.endswith(".cu") for word in inputs):
            text += f" {runtime_included(self.file.options.targeting.rocm)}"
        if any(word.start < first.start for word in inputs):
            self._drop(at, len(_LANGUAGE))
            self.file.replace(called[1].end, called[1].end, f" {text}")
        else:
            self.file.replace_whole(first.start, last.end, text)
            self.has_kept = True
        return True

    def _architecture(self, at: int, option: NvccOption) -> None:
        file, word = self.file, self.words[at]
        name = self.references[int(option.value[1:-1])] if self._is_reference(option.value) else ""
        variable = name if name in file.context.architectures else VARIABLE
        file.converted(word.start, option.name, "option")
        file.finding("HIP620", word.start, option.name)
        if self.names_gpus:
            self._drop(at, option.words)
            return
        self.names_gpus = self.has_kept = True
        last = self.words[at + option.words - 1]
        text = f"$(addprefix --offload-arch=,$({variable}))"
        if file.source.path.endswith(".am"):  # Automake warns about functions
            text = f"$({variable}:%=--offload-arch=%)"
        file.replace_whole(word.start, last.end, text)

    def _handed_on(self, at: int, option: NvccOption, last: Word) -> None:
        """Keep only the option's value as it is written, so that other rules may change it."""
        file, word = self.file, self.words[at]
        data = file.source.data
        self.has_kept = True
        before = "" if option.flag.host else (option.flag.hip or "").partition("{}")[0]
        start = last.start
        if last is word:
            start = data.index(b"=", word.start) + 1
        file.replace(word.start, start, before)
        if not option.flag.host:
            if before in _LISTS and not last.quotes:
                self._commas(start, last.end, f" {before}")
            return
        escaped = [*_ESCAPED_QUOTE.finditer(data, start, last.end)]
        for match in escaped if len(escaped) % 2 == 0 else ():  # nvcc calls the host compiler by a shell
            file.replace(match.start(), match.end(), "")
        for quote in last.quotes:
            text = self._without_references(quote.start, quote.end)
            if quote.start > start and last.is_closed and not _SPECIAL & set(text):
                file.replace(quote.start - len(quote.mark), quote.start, "")
                file.replace(quote.end, quote.end + 1, "")
        self._joined(start, last.end)
        if "-Wl," not in option.value:
            self._commas(start, last.end, " ")

    def _joined(self, start: int, end: int) -> None:
        """Keep only the words of `$(subst $(space),$(comma),$(FLAGS))`, which joins them for nvcc (GPUSPH)."""
        file = self.file
        for one in file.references_in(start, end):
            if one.is_function and one.name == "subst" and len(one.arguments) == 3:
                text, joint, words = one.arguments
                if self._is_comma(joint) and (self._variable(text) or text[0] == text[1]):
                    file.replace(one.start, words[0], "")
                    file.replace(words[1], one.end, "")

    def _is_comma(self, span: tuple[int, int]) -> bool:
        """Whether a range is a variable that holds a comma, which make has no other way to write in an argument."""
        name, data = self._variable(span), self.file.source.data
        values = [data[slice(*item.value)] for item in self.file.read.statements if name and item.name == name]
        return set(values) == {b","} if values else name.lower() == "comma"

    def _variable(self, span: tuple[int, int]) -> str:
        """The variable that a range is; empty for anything else."""
        found = self.file.references_in(*span)
        return found[0].name if len(found) == 1 and (found[0].start, found[0].end) == span else ""

    def _without_references(self, start: int, end: int) -> str:
        data, text, at = self.file.source.data, b"", start
        for first, last in outermost(self.file.references_in(start, end)).items():
            text += data[at:first]
            at = last
        return (text + data[at:end]).decode("utf-8", "surrogateescape")

    def _commas(self, start: int, end: int, new: str) -> None:
        """Write something else in place of the commas between the values of an option."""
        file, data = self.file, self.file.source.data
        inner = outermost(file.references_in(start, end))
        at = start
        while at < end:
            if at in inner:
                at = inner[at]
                continue
            if data[at] == 0x2C:
                file.replace(at, at + 1, new)
            at += 1

    def _drop(self, at: int, count: int) -> None:
        """Take words out, with the blanks before them; those at the beginning with the blanks after them."""
        words = self.words
        start, end = words[at].start, words[at + count - 1].end
        if self.has_kept:
            start = words[at - 1].end
        elif at + count < len(words):
            end = words[at + count].start
        self.file.replace_whole(start, end, "")

    def _masked(self, word: Word) -> str:
        """A word's text with its references masked, so that nothing in them looks like a part of an option."""
        data, text = self.file.source.data, word.text
        found = outermost(self.file.references_in(word.start, word.end))
        masked: set[str] = set()
        for start, end in sorted(found.items(), key=lambda one: one[0] - one[1]):
            written = data[start:end].decode("utf-8", "surrogateescape")
            if written not in masked and written in text:
                masked.add(written)
                name = next((one.name for one in self.file.references_in(start, start + 1)), "")
                self.references.append(name)
                self.texts.append(written)
                text = text.replace(written, f"{_FIRST}{len(self.references) - 1}{_LAST}")
        return text

    def _unmasked(self, text: str) -> str:
        for number, written in enumerate(self.texts):
            text = text.replace(f"{_FIRST}{number}{_LAST}", written)
        return text

    def _is_reference(self, value: str) -> bool:
        return value[:1] == _FIRST and value[-1:] == _LAST and value.count(_FIRST) == 1
