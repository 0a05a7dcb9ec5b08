"""Translate a Dockerfile into a `Translation`.

tree-sitter-dockerfile 0.2.0 is not used: it has parse errors in 15 of 79 Dockerfiles of public CUDA repositories.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.build_systems.commands.containers import image_for
from hipify_py.build_systems.commands.lines import CommandLines
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.json_words import ListSite, words_of_list
from hipify_py.build_systems.shell_words import WORD, Command, ShellText, Word, assigned
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

# The instructions of a Dockerfile with their bytes, by Docker's reference.

_LINE = re.compile(rb"[^\n]*(?:\n|\Z)")
_DIRECTIVE = re.compile(rb"#[ \t]*(\w+)[ \t]*=[ \t]*(\S*)[ \t]*\r?\n?", re.IGNORECASE)
_NAME = re.compile(rb"[ \t]*([A-Za-z]+)(?=\s|\Z|\\)")
_HERE = re.compile(rb"(?<![^\s\d])<<(-?)(?:\"([^\"\n]+)\"|'([^'\n]+)'|([A-Za-z_]\w*))")
_WITH_DOCUMENTS = frozenset({"RUN", "COPY", "ADD"})


class Instruction(NamedTuple):
    """An instruction.

    Attributes:
        name: its name, in capitals.
        start: where it begins.
        body: where the text after the name begins.
        end: where it ends, without its line break and its here-documents.
        documents: the lines of its here-documents, without the last ones.
    """

    name: str
    start: int
    body: int
    end: int
    documents: tuple[tuple[int, int], ...] = ()


class Dockerfile(NamedTuple):
    """What a Dockerfile contains.

    Attributes:
        instructions: in their order.
        comments: where its comments are, including those within instructions.
        text: its bytes, in which comments and empty lines within instructions read as continued lines.
        escape: the character that continues a line.
    """

    instructions: list[Instruction]
    comments: list[tuple[int, int]]
    text: bytes
    escape: bytes


def read(data: bytes) -> Dockerfile:
    """Read a Dockerfile."""
    return _Reading(data).read()


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = bytearray(data)
        self.at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.comments: list[tuple[int, int]] = []
        self.escape = b"\\"

    def read(self) -> Dockerfile:
        self._directives()
        instructions = []
        while self.at < len(self.data):
            start, line = self._line()
            if not line.strip():
                continue
            if line.lstrip().startswith(b"#"):
                self._comment(start, line)
                continue
            instructions.append(self._instruction(start, line))
        return Dockerfile(instructions, self.comments, bytes(self.text), self.escape)

    def _directives(self) -> None:
        """Read directives, which precede everything else."""
        while match := _DIRECTIVE.match(self.data, self.at):
            if match[1].lower() == b"escape" and match[2] == b"`":
                self.escape = b"`"
            self.comments.append((match.start(), match.start() + len(match[0].rstrip())))
            self.at = match.end()

    def _line(self) -> tuple[int, bytes]:
        match = _LINE.match(self.data, self.at)
        assert match is not None
        self.at = match.end()
        return match.start(), match[0]

    def _comment(self, start: int, line: bytes) -> None:
        self.comments.append((start + len(line) - len(line.lstrip()), start + len(line.rstrip())))

    def _instruction(self, start: int, line: bytes) -> Instruction:
        match = _NAME.match(line)
        name = match[1].decode().upper() if match is not None else ""
        body = start + (match.end() if match is not None else 0)
        end = start + len(line.rstrip(b"\r\n"))
        while line.rstrip().endswith(self.escape) and self.at < len(self.data):
            begins, line = self._line()
            stripped = line.strip()
            if not stripped or stripped.startswith(b"#"):
                if stripped:
                    self._comment(begins, line)
                self._blank(begins, line)
                line = self.escape
                continue
            end = begins + len(line.rstrip(b"\r\n"))
        documents = self._documents(body, end) if name in _WITH_DOCUMENTS else ()
        return Instruction(
            name, start + len(self.data[start:body]) - len(self.data[start:body].lstrip()), body, end, documents
        )

    def _blank(self, start: int, line: bytes) -> None:
        """Make a comment or an empty line within an instruction read as a continued one."""
        length = len(line.rstrip(b"\r\n"))
        if length:
            self.text[start : start + length] = b" " * (length - 1) + self.escape

    def _documents(self, body: int, end: int) -> tuple[tuple[int, int], ...]:
        found = []
        for match in _HERE.finditer(self.data, body, end):
            last = match[2] or match[3] or match[4]
            start = self.at
            while self.at < len(self.data):
                begins, line = self._line()
                content = line.rstrip(b"\r\n")
                if (content.lstrip(b"\t") if match[1] else content) == last:
                    found.append((start, begins))
                    break
            else:
                found.append((start, self.at))
        return tuple(found)


LIBRARY = "docker"
"""The kind under which the names of Dockerfiles are counted."""

_REFERENCE = re.compile(r"\$(?:\{(\w+)(?::?-([^{}]*))?\}|(\w+))")
_RUNNING = frozenset({"RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK"})
_SETTING = frozenset({"ENV", "ARG"})
_WITH_PATHS = frozenset({*_SETTING, "COPY", "ADD", "WORKDIR", "VOLUME"})
_NVIDIAS = ("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_REQUIRE_CUDA")
_GPUS = "pass AMD GPUs to a container with --device=/dev/kfd --device=/dev/dri, and remove this"


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a Dockerfile; one that already builds on AMD's images stays as it is."""
    dockerfile = read(data)
    statements = [(found.start, found.end) for found in dockerfile.instructions]
    file = BuildFile(Source(data, path), LIBRARY, options, dockerfile.comments, statements)
    if dockerfile.escape == b"\\":
        _Stages(file, dockerfile, project).translate()
    return finished(file)


class _Stages:
    """The stages of a Dockerfile."""

    def __init__(self, file: BuildFile, dockerfile: Dockerfile, project: ProjectContext) -> None:
        self.file = file
        self.dockerfile = dockerfile
        self.project = project
        self.commands = CommandLines(file, project)
        self.defaults: dict[str, tuple[str, Word]] = {}
        self.rocm: dict[str, bool] = {}

    def translate(self) -> None:
        texts = {found.start: self._text(found) for found in self.dockerfile.instructions}
        if any(self.commands.knows_hip(text) for text in texts.values()):
            return
        for _, text in self._each(texts):
            self.commands.look(text)
        is_before = True
        for found, text in self._each(texts):
            if found.name == "FROM":
                is_before = False
                self._from(text)
            elif found.name == "ARG" and is_before:
                self._default(text)
            else:
                self._instruction(found, text)

    def _each(self, texts: Mapping[int, ShellText]) -> list[tuple[Instruction, ShellText]]:
        return [(found, texts[found.start]) for found in self.dockerfile.instructions]

    def _text(self, found: Instruction) -> ShellText:
        return ShellText(self.dockerfile.text, found.body, found.end)

    def _default(self, text: ShellText) -> None:
        """Note the default value of an `ARG` before the first stage."""
        for word in text.words():
            name = assigned(word)
            if name:
                self.defaults[name] = (word.text.partition("=")[2], word)

    def _from(self, text: ShellText) -> None:
        words = [word for word in text.words() if word.kind == WORD and not word.text.startswith("--")]
        if not words:
            return
        image = words[0]
        if image.text.lower() in self.rocm:
            has_rocm = self.rocm[image.text.lower()]
        else:
            has_rocm = self._image(Site(self.file, text), image)
        self.commands.has_rocm = has_rocm
        if len(words) > 2 and words[1].text.lower() == "as":
            self.rocm[words[2].text.lower()] = has_rocm

    def _image(self, site: Site, word: Word) -> bool:
        """Write AMD's image in place of NVIDIA's; True if there is one."""
        whole = _REFERENCE.fullmatch(word.text)
        default = self.defaults.get(whole[1] or whole[3]) if whole is not None else None
        if default is not None:
            value, argument = default
            return self._write(site, argument, self._expanded(value), argument.start + argument.text.index("=") + 1)
        return self._write(site, word, self._expanded(word.text), word.start)

    def _write(self, site: Site, word: Word, image: str, start: int) -> bool:
        found = image_for(image, self.file.options.targeting)
        end = word.end
        if len(word.quotes) == 1 and word.quotes[0].start == start + 1 and word.quotes[0].end == end - 1:
            start, end = start + 1, end - 1
        if found.hip and (word.is_plain or word.quotes):
            self.file.converted(word.start, image, "image")
            site.replace(start, end, found.hip)
        elif found.hip or found.advice:
            self.file.left("HIP641", word.start, word.text, "image", found.advice or f"take {found.hip}")
            return False
        return bool(found.hip)

    def _expanded(self, text: str, depth: int = 4) -> str:
        """A text with its variables replaced by their default values."""
        if depth == 0 or "$" not in text:
            return text

        def value(match: re.Match[str]) -> str:
            known = self.defaults.get(match[1] or match[3])
            if known is not None:
                return self._expanded(known[0], depth - 1)[:256]
            return match[2] if match[2] is not None else match[0]

        return _REFERENCE.sub(value, text)[:1024]

    def _instruction(self, found: Instruction, text: ShellText) -> None:
        data = self.dockerfile.text
        if found.name in _RUNNING:
            items = words_of_list(data, found.body, found.end)
            if items:
                self.commands.command(ListSite(self.file, items, data), Command(tuple(items)))
                return
            self.commands.translate(Site(self.file, self._shell(found)))
            if _is_document_alone(text):
                for start, end in found.documents:
                    self.commands.translate(Site(self.file, ShellText(data, start, end)))
            return
        if found.name not in _WITH_PATHS:
            return
        site = Site(self.file, text)
        words = [word for word in text.words() if word.kind == WORD]
        if found.name in _SETTING and words and words[0].text in _NVIDIAS:  # `ENV NAME value`
            self.file.left("HIP644", words[0].start, words[0].text, "variable", _GPUS)
        for word in words:
            self.commands.setting(site, word)
            if found.name in _SETTING and assigned(word) in _NVIDIAS:
                self.file.left("HIP644", word.start, assigned(word), "variable", _GPUS)
            if found.name in ("COPY", "ADD") and word.text.startswith("--from="):
                image = word.text.partition("=")[2]
                if image.lower() not in self.rocm and word.is_plain:
                    self._write(site, word, self._expanded(image), word.start + len("--from="))

    def _shell(self, found: Instruction) -> ShellText:
        """The command of an instruction, without the instruction's own options."""
        text = self._text(found)
        start = found.body
        for word in text.words():
            if word.kind != WORD or not word.text.startswith("--"):
                start = word.start
                break
        if found.name == "HEALTHCHECK" and self.dockerfile.text[start : start + 3].upper() == b"CMD":
            start += 3
        return ShellText(self.dockerfile.text, start, found.end)


def _is_document_alone(text: ShellText) -> bool:
    """Whether the command is a here-document, which is then a script."""
    words = [word for word in text.words() if not word.text.startswith("--")]
    return bool(words) and words[0].kind != WORD and words[0].text.startswith("<<")
