"""Translate a file of CI into a `Translation`: its images, commands and steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import basename
from typing import Any, NamedTuple

import yaml

from hipify_py.build_systems.commands.containers import translate_image
from hipify_py.build_systems.commands.lines import CommandLines
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import knows_rocm
from hipify_py.build_systems.environment_facts import environment_facts
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.shell_words import ShellText, Word
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

# The scalars of a YAML file, each with its bytes and the keys that lead to it.

LARGEST = 1 << 22
"""Most bytes that are read, which take a second; CI files that people or generators write are much smaller."""

_REMARK = re.compile(rb"\{#.*?#\}")
_STATEMENT = re.compile(rb"\{%.*?%\}")
_JINJA_EXPRESSION = re.compile(rb"(?<!\$)\{\{.*?\}\}")
_BEYOND = re.compile(rb"[\x80-\xff]")
_HASH = re.compile(rb"(?:(?<=[ \t\n])|\A)#[^\n]*")
_BLOCKS = "|>"
_DEEPEST = 256
"""How deep lists and mappings may nest; libyaml looks at all open ones with each token."""


class Scalar(NamedTuple):
    """A scalar.

    Attributes:
        start: where its text begins, without quotes, or with the first line of a block.
        end: where its text ends.
        keys: the last ones of the keys that lead to it, without those of lists; its own key comes last.
        style: `|`, `>`, a quote, or empty for a plain one.
        is_key: whether it is a key of a mapping itself, which is then the last of `keys`.
        is_item: whether it is an item of a list.
        is_exact: whether its text is written as it is meant, without escapes.
    """

    start: int
    end: int
    keys: tuple[str, ...]
    style: str = ""
    is_key: bool = False
    is_item: bool = False
    is_exact: bool = True


class Document(NamedTuple):
    """What a file contains: its scalars, its comments, and its text with nothing beyond YAML."""

    scalars: list[Scalar]
    comments: list[tuple[int, int]]
    text: bytes


NOTHING, TOO_LARGE = Document([], [], b""), Document([], [], b" ")


def read(data: bytes) -> Document:
    """Read a file; one that is not YAML gives `NOTHING`, and one beyond `LARGEST` is `TOO_LARGE`."""
    if len(data) > LARGEST:
        return TOO_LARGE
    text = _without(data, _REMARK, b"#}", b"#", b" ")
    text = _without(text, _STATEMENT, b"%}", b"#", b" ")
    text = _without(text, _JINJA_EXPRESSION, b"}}", b"x", b"x")
    if text.startswith(b"\xef\xbb\xbf"):
        text = b"   " + text[3:]
    text = _BEYOND.sub(b"x", text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars: list[Scalar] = []
    try:
        scalars += _scalars(yaml.parse(text.decode("ascii"), Loader=loader), text)
    except (yaml.YAMLError, RecursionError):
        return NOTHING
    return Document(scalars, list(_comments(text, scalars)), text)


def _without(text: bytes, pattern: re.Pattern[bytes], closing: bytes, first: bytes, others: bytes) -> bytes:
    """A text with other bytes in place of a template language's marks and what they hold, which end on their line.

    The search stops at the last closing mark of a line: otherwise it would look for a missing closing mark to the end.
    """
    if closing not in text:
        return text

    def other(match: re.Match[bytes]) -> bytes:
        return first + others * (len(match[0]) - 1)

    def without(line: bytes) -> bytes:
        end = line.rfind(closing) + len(closing)
        return line if end < len(closing) else pattern.sub(other, line[:end]) + line[end:]

    return b"\n".join(map(without, text.split(b"\n")))


def _scalars(events: Any, text: bytes) -> Iterator[Scalar]:
    """The scalars, in their order; a frame of the stack is a list (None) or the key of a mapping (empty before one).

    Raises:
        yaml.YAMLError: if the text is not YAML, or nested too deeply.
    """
    stack: list[str | None] = []
    for event in events:
        if len(stack) > _DEEPEST:
            raise yaml.YAMLError("nested too deeply")
        if isinstance(event, yaml.ScalarEvent):
            is_key = bool(stack) and stack[-1] == ""
            value = event.value[:200]
            keys = tuple(key for key in stack[-8:] if key)
            yield _scalar(event, text, (*keys, value) if is_key else keys, is_key, bool(stack) and stack[-1] is None)
            if is_key:
                stack[-1] = value or "-"
            else:
                _ended(stack)
        elif isinstance(event, yaml.MappingStartEvent):
            stack.append("")
        elif isinstance(event, yaml.SequenceStartEvent):
            stack.append(None)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
            _ended(stack)
        elif isinstance(event, yaml.AliasEvent):
            _ended(stack)


def _ended(stack: list[str | None]) -> None:
    """Note that a value has ended, or a key that is not a scalar."""
    if stack and stack[-1] is not None:
        stack[-1] = "" if stack[-1] else "-"


def _scalar(event: Any, text: bytes, keys: tuple[str, ...], is_key: bool, is_item: bool) -> Scalar:
    start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
    if style and style in _BLOCKS:
        first = text.find(b"\n", start, end) + 1
        return Scalar(first or end, end, keys, style, is_key, is_item)
    if style:
        inner = text.find(style.encode(), start, end) + 1
        exact = (b"\\" if style == '"' else b"''") not in text[inner : end - 1] and b"\n" not in text[inner : end - 1]
        return Scalar(inner, end - 1, keys, style, is_key, is_item, exact)
    while start < end and text[start : start + 1] in b"&!":  # an anchor or a tag before it
        start = min(end, start + len(text[start:end].split(maxsplit=1)[0]))
        start += len(text[start:end]) - len(text[start:end].lstrip())
    return Scalar(start, end, keys, style, is_key, is_item, b"\n" not in text[start:end])


def _comments(text: bytes, scalars: list[Scalar]) -> Iterator[tuple[int, int]]:
    """The comments, which lie outside of scalars."""
    at = 0
    for match in _HASH.finditer(text):
        while at < len(scalars) and scalars[at].end <= match.start():
            at += 1
        if at == len(scalars) or match.start() < scalars[at].start:
            yield match.start(), match.end()


LIBRARY = "ci"
"""The kind under which the names of these files are counted."""

_SCRIPTS = frozenset(
    {
        "run",
        "script",
        "bash",
        "before_script",
        "after_script",
        "install",
        "before_install",
        "commands",
        "command",
        "pre_build",
    }
)
_IMAGES = frozenset({"image", "container", "name", "base_image"})
_AROUND_NAMES = frozenset({"image", "container"})
_VARIABLES = frozenset({"env", "variables", "environment", "global"})
_EXPRESSION = re.compile(rb"\$\{\{.*?\}\}", re.DOTALL)
_INDENT = re.compile(rb"(?:[ \t]*\r?\n)*( *)")
"""What the lines of a block begin with, taken from the first one that is not empty."""
_DEVICES = "pass AMD GPUs to a container as devices: /dev/kfd and /dev/dri"


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a file; one that already has jobs for ROCm stays as it is."""
    document = read(data)
    statements = [(scalar.start, scalar.end) for scalar in document.scalars]
    file = BuildFile(Source(data, path), LIBRARY, options, document.comments, statements)
    if document is TOO_LARGE:
        file.finding("HIP605", 0, basename(path), f"it is larger than {LARGEST >> 20} MiB and stays as it is")
    elif document.scalars:
        _File(file, document, project).translate()
    return finished(file)


class _File:
    def __init__(self, file: BuildFile, document: Document, project: ProjectContext) -> None:
        self.file = file
        self.document = document
        self.facts = environment_facts()
        self.commands = CommandLines(file, project)
        self.scripts = {scalar.start: self._shell(scalar) for scalar in document.scalars if _is_script(scalar)}

    def translate(self) -> None:
        texts = list(self.scripts.values())
        images = [scalar for scalar in self.document.scalars if _is_image(scalar)]
        if any(knows_rocm(self._text(scalar)) for scalar in images):
            return
        if any([self.commands.knows_hip(text) for text in texts]):  # noqa: C419  # each reports what it calls
            return
        for text in texts:
            self.commands.look(text)
        for scalar in self.document.scalars:
            self._scalar(scalar)
        self.file.comments = sorted({*self.file.comments, *(part for text in texts for part in text.comments)})

    def _text(self, scalar: Scalar) -> str:
        return self.file.source.data[scalar.start : scalar.end].decode("utf-8", "surrogateescape")

    def _scalar(self, scalar: Scalar) -> None:
        text = self._text(scalar)
        if scalar.is_key:
            if len(scalar.keys) > 1 and scalar.keys[-2] in _VARIABLES and text in self.file.facts.environment:
                self.file.replace(scalar.start, scalar.end, "ROCM_PATH")
                self.file.converted(scalar.start, text, "environment")
        elif scalar.start in self.scripts:
            self.commands.translate(Site(self.file, self.scripts[scalar.start]))
        elif _is_image(scalar):
            if scalar.is_exact:
                translate_image(Site(self.file, self._shell(scalar)), Word(scalar.start, scalar.end, text))
        elif scalar.keys[-1:] == ("uses",):
            self._action(scalar, text)
        elif len(scalar.keys) > 1 and scalar.keys[-2] in _VARIABLES and scalar.is_exact:
            self.commands.setting(Site(self.file, self._shell(scalar)), Word(scalar.start, scalar.end, text))
        elif scalar.keys[-2:] == ("container", "options") and ("--gpus" in text or "nvidia" in text):
            self.file.left("HIP644", scalar.start, text, "option", _DEVICES)

    def _action(self, scalar: Scalar, text: str) -> None:
        name = text.partition("@")[0]
        if name in self.facts.actions:
            self.file.left("HIP643", scalar.start, name, "step", self.facts.actions[name])
        elif name.startswith("docker://"):
            word = Word(scalar.start + len("docker://"), scalar.end, text.removeprefix("docker://"))
            translate_image(Site(self.file, self._shell(scalar)), word)

    def _shell(self, scalar: Scalar) -> ShellText:
        """The text of a scalar, as a shell reads it: a folded one as one line."""
        data = self.file.source.data
        opaque = {match.start(): match.end() for match in _EXPRESSION.finditer(data, scalar.start, scalar.end)}
        if scalar.style == ">":
            folded = re.sub(rb"(?<!\n)\n(?!\s*\n)", b" ", data[scalar.start : scalar.end])
            data = data[: scalar.start] + folded + data[scalar.end :]
        indent = _INDENT.match(data, scalar.start, scalar.end) if scalar.style == "|" else None
        return ShellText(data, scalar.start, scalar.end, opaque=opaque, indent=len(indent[1]) if indent else 0)


def _is_script(scalar: Scalar) -> bool:
    """Whether the text is commands for a shell: the value of a key for those, or an item of its list."""
    if scalar.is_key or not scalar.is_exact or not scalar.keys or scalar.keys[-1] not in _SCRIPTS:
        return False
    if scalar.keys[-1] in ("command", "run"):
        return not scalar.is_item
    return True


def _is_image(scalar: Scalar) -> bool:
    if scalar.is_key or not scalar.keys or scalar.keys[-1] not in _IMAGES:
        return False
    return scalar.keys[-1] != "name" or (len(scalar.keys) > 1 and scalar.keys[-2] in _AROUND_NAMES)
