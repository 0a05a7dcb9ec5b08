"""A file of CI or conda in, a `Translation` out: its images, commands, packages and steps."""

from __future__ import annotations

import re
from os.path import basename

from hipify_py.build_systems.ci.reader import LARGEST, TOO_LARGE, Document, Scalar, read
from hipify_py.build_systems.commands.containers import translate_image
from hipify_py.build_systems.commands.lines import CommandLines
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import knows_rocm
from hipify_py.build_systems.environment_facts import advice_on_package, environment_facts
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.shell_words import ShellText, Word
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "ci"
"""What the names of these files are counted under."""

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
_PACKAGES = frozenset({"dependencies", "build", "host", "run", "run_constrained", "requires", "cache", "output"})
_EXPRESSION = re.compile(rb"\$\{\{.*?\}\}", re.DOTALL)
_INDENT = re.compile(rb"(?:[ \t]*\r?\n)*( *)")
"""What the lines of a block begin with, by the first one that is not empty."""
_CUDA_COMPILER = re.compile(rb"\{\{\s*compiler\(\s*['\"]cuda['\"]\s*\)\s*\}\}")
_DEVICES = "pass AMD GPUs to a container as devices: /dev/kfd and /dev/dri"


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a file; one with jobs for ROCm already stays as it is."""
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
        for match in _CUDA_COMPILER.finditer(self.file.source.data):
            advice = "use hipcc from the ROCm of the machine or of the image"
            self.file.left("HIP642", match.start(), match[0].decode(), "package", advice)
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
        elif _gives_gpus(scalar, text):
            self.file.left("HIP644", scalar.start, text, "option", _DEVICES)
        elif scalar.is_item:
            self._package(scalar, text)

    def _action(self, scalar: Scalar, text: str) -> None:
        name = text.partition("@")[0]
        if name in self.facts.actions:
            self.file.left("HIP643", scalar.start, name, "step", self.facts.actions[name])
        elif name.startswith("docker://"):
            word = Word(scalar.start + len("docker://"), scalar.end, text.removeprefix("docker://"))
            translate_image(Site(self.file, self._shell(scalar)), word)

    def _package(self, scalar: Scalar, text: str) -> None:
        """An item of the packages that an environment or a recipe asks for."""
        if scalar.keys[-1:] == ("pip",):
            advice = advice_on_package(text, "pip", self.file.options.targeting)
        elif scalar.keys[-1:] == ("dependencies",) or (len(scalar.keys) > 1 and scalar.keys[-1] in _PACKAGES):
            advice = advice_on_package(text, "conda", self.file.options.targeting)
        else:
            return
        if advice:
            self.file.left("HIP642", scalar.start, text, "package", advice)

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
    """Commands of a shell: the value of a key for those, or an item of its list."""
    if scalar.is_key or not scalar.is_exact or not scalar.keys or scalar.keys[-1] not in _SCRIPTS:
        return False
    if scalar.keys[-1] in ("command", "run"):
        return not scalar.is_item
    return True


def _gives_gpus(scalar: Scalar, text: str) -> bool:
    """An option or a key by which a container gets NVIDIA's GPUs."""
    if scalar.keys[-2:] == ("container", "options"):
        return "--gpus" in text or "nvidia" in text
    return text == "nvidia" and (scalar.keys[-1:] == ("runtime",) or scalar.keys[-2:] == ("devices", "driver"))


def _is_image(scalar: Scalar) -> bool:
    if scalar.is_key or not scalar.keys or scalar.keys[-1] not in _IMAGES:
        return False
    return scalar.keys[-1] != "name" or (len(scalar.keys) > 1 and scalar.keys[-2] in _AROUND_NAMES)
