"""Device code that is linked after it is compiled: nvcc sees that from the objects, hipcc is told when it links."""

from __future__ import annotations

from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.survey import NVCC, STOPPING, relocates
from hipify_py.build_systems.make.uses import compiler_of

LINKING = "-fgpu-rdc --hip-link"


def apply(file: MakeFile) -> None:
    """Link device code in the commands that link."""
    if not file.told.is_separable:
        return
    for line in file.lines:
        if line.is_text or not line.is_command:
            continue
        called = compiler_of(file, line)
        if called is not None and called[0] == NVCC and _links(file, line):
            file.replace(called[1].end, called[1].end, f" {LINKING}")


def _links(file: MakeFile, line: Line) -> bool:
    texts = [word.text for word in line.words]
    if STOPPING.intersection(texts) or relocates(texts) or len(texts) < 2:
        return False
    told = file.told
    names = {one.name for one in file.references_in(line.words[0].start, line.words[-1].end)}
    return not names & (told.compiling | told.relocatable)
