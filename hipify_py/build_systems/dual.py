"""One tree that builds for both vendors: a build file keeps NVIDIA's build beside it, and chooses.

The sources are then HIP. For NVIDIA GPUs the original build compiles them, through headers that map HIP's names back to
CUDA's. The variable `HIP_PLATFORM` chooses, as in HIP's own tools: `amd`, or `nvidia`.
"""

from __future__ import annotations

from posixpath import basename, dirname, join

from hipify_py.build_systems.kinds import CMAKE, LIST_FILE, MAKE, MODULE_ENDING, kind_of_build_file
from hipify_py.core.edits import Edit, apply
from hipify_py.core.options import NVCC_HEADERS
from hipify_py.core.source import BOM
from hipify_py.core.translation import Translation

NVIDIA = "nvidia"

_MARK = b"# NVIDIA's build, as it was before hipify-py"
"""How a kept build file begins."""

_CMAKE = """\
# For NVIDIA GPUs: cmake -DHIP_PLATFORM=nvidia (hipify-py convert --dual)
set(HIP_PLATFORM "amd" CACHE STRING "The vendor of the GPUs: amd or nvidia")
if(HIP_PLATFORM STREQUAL "nvidia")
{include}  include("${{CMAKE_CURRENT_LIST_DIR}}/{kept}" NO_POLICY_SCOPE)
  return()
endif()
"""
_INCLUDE = """\
  include_directories("${{CMAKE_CURRENT_LIST_DIR}}/{headers}")
"""
_MAKE = """\
# For NVIDIA GPUs: make HIP_PLATFORM=nvidia (hipify-py convert --dual)
HIP_PLATFORM ?= amd
ifeq ($(HIP_PLATFORM),nvidia)
export CPATH := $(abspath $(dir $(lastword $(MAKEFILE_LIST))){headers})$(if $(CPATH),:$(CPATH))
include $(dir $(lastword $(MAKEFILE_LIST))){kept}
else
"""
_MAKE_END = "endif\n"


def can_choose(path: str) -> bool:
    """Whether the file's build system lets a file choose between two builds."""
    return kind_of_build_file(path) in {CMAKE, MAKE} and not path.endswith((".am", ".in"))


def is_kept(data: bytes) -> bool:
    """Whether the file is NVIDIA's build of an earlier conversion."""
    return data.removeprefix(BOM).startswith(_MARK)


def kept_name(path: str) -> str:
    """The path under which NVIDIA's build is kept beside a build file."""
    name = basename(path)
    if name == LIST_FILE:
        name = f"{name.removesuffix('.txt')}.{NVIDIA}{MODULE_ENDING}"
    elif name.endswith(MODULE_ENDING):
        name = f"{name.removesuffix(MODULE_ENDING)}.{NVIDIA}{MODULE_ENDING}"
    else:
        name = f"{name}.{NVIDIA}"
    return join(dirname(path), name)


def kept(data: bytes) -> bytes:
    """The kept copy of a build file: all of it, and a line that explains what it is."""
    mark = BOM if data.startswith(BOM) else b""
    return mark + _MARK + _newline(data) + data.removeprefix(BOM)


def with_choice(translation: Translation, data: bytes, path: str, root: str) -> Translation:
    """The translation of a build file that chooses; a file in which nothing is translated stays as it is.

    Args:
        root: the path from the file to the folder that contains the headers' folder; empty for the file's own folder.
    """
    if translation.output == data or not can_choose(path):
        return translation
    headers, name = join(root, NVCC_HEADERS), basename(kept_name(path))
    if kind_of_build_file(path) == CMAKE:
        is_module = basename(path) != LIST_FILE
        first, last = _CMAKE.format(include="" if is_module else _INCLUDE.format(headers=headers), kept=name), ""
    else:
        first, last = _MAKE.format(headers=headers, kept=name), _MAKE_END
    newline, start = _newline(data), len(BOM) if data.startswith(BOM) else 0
    edits = [Edit(start, start, _lines(first, newline)), *translation.edits]
    if last:
        ends_line = not translation.output or translation.output.endswith(b"\n")
        edits.append(Edit(len(data), len(data), (b"" if ends_line else newline) + _lines(last, newline)))
    return Translation(
        apply(data, edits),
        edits,
        translation.findings,
        translation.references,
        evidence=translation.evidence,
        suppressed=translation.suppressed,
    )


def _newline(data: bytes) -> bytes:
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1] == 0x0D else b"\n"


def _lines(text: str, newline: bytes) -> bytes:
    return text.encode().replace(b"\n", newline)
