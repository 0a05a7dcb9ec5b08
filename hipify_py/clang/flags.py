"""libclang's arguments to examine a whole source: for every side and GPU, past every error, with narrowing reported."""

from __future__ import annotations

import re

from hipify_py.clang.dialects import HIP_ARCH, c_options, cuda_options, hip_options
from hipify_py.clang.messages import SHORTENED
from hipify_py.clang.toolchain import Toolchain, major

_ERRORS_BY_DEFAULT = (
    "c++11-narrowing",
    "dynamic-exception-spec",
    "implicit-function-declaration",
    "implicit-int",
    "incompatible-function-pointer-types",
    "increment-bool",
    "int-conversion",
    "non-pod-varargs",
    "register",
    "reserved-user-defined-literal",
)
"""Warnings that clang treats as errors unless told otherwise (clang's Diagnostic*Kinds.td, `DefaultError`)."""

_GOING_ON = (
    *("-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-Wno-everything", SHORTENED),
    *(f"-Werror={name}" for name in _ERRORS_BY_DEFAULT),
)
_NEWER_GPUS = ((re.compile(r"gfx95\d"), 20, "gfx942"), (re.compile(r"gfx115[23]|gfx12\d\d"), 19, "gfx1100"))


def hip_passes(parts: Toolchain, arches: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The arguments to parse HIP for the host and for each GPU; the source's own arguments are added."""
    assert parts.library is not None
    release = major(parts.library.version)
    known = [*dict.fromkeys(known_arch(arch, release) for arch in arches)] or [HIP_ARCH]
    host = hip_options(parts, device=False, arch=known[0])
    return [(*options, *_GOING_ON) for options in (host, *(hip_options(parts, device=True, arch=a) for a in known))]


def cuda_passes(parts: Toolchain) -> list[tuple[str, ...]]:
    """The arguments to parse CUDA for the host and for a GPU; the source's own arguments are added."""
    return [(*cuda_options(parts, device=device), *_GOING_ON) for device in (False, True)]


def c_passes(parts: Toolchain) -> list[tuple[str, ...]]:
    """The arguments to parse plain C that calls HIP."""
    return [(*c_options(parts), *_GOING_ON)]


def known_arch(arch: str, release: int) -> str:
    """A GPU that a release of clang knows: the given one, or an older one of its kind."""
    for pattern, since, older in _NEWER_GPUS:
        if pattern.match(arch) and release < since:
            return older
    return arch.partition(":")[0]
