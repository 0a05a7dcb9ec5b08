"""Programs of the toolkit besides nvcc, and what makefiles read from nvcc's own output."""

from __future__ import annotations

from os.path import basename

from hipify_py.build_systems.environment_facts import environment_facts
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.survey import NVCC, compiler_of

_VERSION = frozenset({"--version", "-V"})


def apply(file: MakeFile) -> None:
    """Report what has no counterpart."""
    for line in file.lines:
        if line.is_text or not line.words:
            continue
        word = line.words[0]
        name = basename(word.text.lstrip("@-"))
        advice = environment_facts().tools.get(name)
        if advice is not None and (line.is_command or "/" in word.text or len(line.words) == 1):
            file.left("HIP640", word.start, name, "tool", advice)
        elif line.is_command:
            _version(file, line)


def _version(file: MakeFile, line: Line) -> None:
    asked = next((word for word in line.words if word.text in _VERSION), None)
    if asked is None:
        return
    called = compiler_of(file, line)
    if called is not None and called[0] == NVCC:
        file.finding("HIP622", called[1].start, called[1].text)
        if asked.text == "-V":
            file.replace(asked.start, asked.end, "--version")
