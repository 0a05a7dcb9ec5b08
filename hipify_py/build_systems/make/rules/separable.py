"""Device code that is linked after it is compiled: nvcc learns that from the objects, hipcc from a link option."""

from __future__ import annotations

from hipify_py.build_systems.make.device_links import DeviceObject, device_links, device_objects, linking
from hipify_py.build_systems.make.makefile import Line, MakeFile
from hipify_py.build_systems.make.rules.options import VARIABLE
from hipify_py.build_systems.make.survey import NVCC, STOPPING, chooses_gpus, compiler_of, relocates

LINKING = "-fgpu-rdc --hip-link"
GPUS = f"$(addprefix --offload-arch=,$({VARIABLE}))"
_NOTHING = "-x c++ -c /dev/null"
"""What a step that linked device code makes now: an empty object."""


def apply(file: MakeFile) -> None:
    """Link device code in the commands that link."""
    for step in device_links(file):
        first, last = step.line.words[0], step.line.words[-1]
        file.replace_whole(step.compiler.end, last.end, f" {_NOTHING} -o {step.output}")
        file.converted(first.start, "-dlink", "option")
    for made in device_objects(file):
        _make_object(file, made)
    for word, program in linking(file):
        start = word.end - len(word.text.lstrip("@-").encode("utf-8", "surrogateescape"))
        file.replace(start, word.end, f"{program} {LINKING} {GPUS}")
    if not file.context.is_separable:
        return
    for line in file.lines:
        if line.is_text or not line.is_command:
            continue
        called = compiler_of(file, line)
        if called is not None and called[0] == NVCC and _links(file, line):
            gpus = f" {GPUS}" if file.context.chooses_gpus and not _chooses_gpus(file, line) else ""
            file.replace(called[1].end, called[1].end, f" {LINKING}{gpus}")


def _make_object(file: MakeFile, step: DeviceObject) -> None:
    """Have hipcc make a static library: its last member is the object with the linked device code."""
    gpus = "" if _chooses_gpus(file, step.line) else f" {GPUS}"
    made = step.output.text
    file.replace_whole(step.option.start, step.option.end, f"{LINKING} --emit-static-lib{gpus}")
    file.replace(step.output.end, step.output.end, ".a")
    file.converted(step.option.start, step.option.text, "option")
    last = step.line.words[-1].end
    file.replace(last, last, f' && ar p {made}.a "`ar t {made}.a | tail -n 1`" >{made} && rm {made}.a')


def _chooses_gpus(file: MakeFile, line: Line) -> bool:
    """Whether a command names GPUs, itself or by a variable."""
    names = {one.name for one in file.references_in(line.words[0].start, line.words[-1].end)}
    return bool(names & file.context.gpus) or chooses_gpus([word.text for word in line.words])


def _links(file: MakeFile, line: Line) -> bool:
    texts = [word.text for word in line.words]
    if STOPPING.intersection(texts) or relocates(texts) or len(texts) < 2:
        return False
    context = file.context
    names = {one.name for one in file.references_in(line.words[0].start, line.words[-1].end)}
    return not names & (context.compiling | context.relocatable)
