"""Lets libclang read a line of each kind, which shows at once whether the parts fit each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from hipify_py.clang.dialects import cuda_options, hip_options
from hipify_py.clang.protocol import DONE, Answer, Job, Limits
from hipify_py.clang.toolchain import Part, Toolchain
from hipify_py.clang.worker_pool import Asker

LIBRARY, RESOURCES, CPP, CUDA, HIP = "library", "resources", "cpp", "cuda", "hip"
"""What is tried: libclang alone, with clang's headers, with the C++ library, with CUDA's and with HIP's headers."""

_LIMITS = Limits(seconds=60)

Options = Callable[..., tuple[str, ...]]


def try_parts(parts: Toolchain) -> dict[str, str]:
    """What went wrong for each part that was tried; empty if nothing did. Parts that cannot be tried are left out."""
    if parts.library is None:
        return {}
    sources = _sources(parts)
    jobs = [
        Job("messages", path, passes, {path: text.encode()}, parts.library.path)
        for text, passes in sources.values()
        if (path := os.path.abspath("hipify-py-doctor.cpp"))
    ]
    return {name: _wrong(answer) for name, answer in zip(sources, Asker(limits=_LIMITS).ask_all(jobs), strict=True)}


def _sources(parts: Toolchain) -> dict[str, tuple[str, Sequence[Sequence[str]]]]:
    """By what is tried, a source and the options of each pass over it."""
    sources: dict[str, tuple[str, Sequence[Sequence[str]]]] = {LIBRARY: ("int i;\n", [("-x", "c++", "-nostdinc")])}
    if parts.resources is None:
        return sources
    plain = ("-x", "c++", "-std=c++17", "-resource-dir", parts.resources.path)
    sources[RESOURCES] = ("#include <stddef.h>\n#include <stdarg.h>\n", [(*plain, "-nostdlibinc")])
    sources[CPP] = ("#include <vector>\n#include <cstdlib>\n", [plain])
    sides: tuple[tuple[str, Part | None, str, Options], ...] = (
        (CUDA, parts.cuda, "cuda_runtime.h", cuda_options),
        (HIP, parts.hip, "hip/hip_runtime.h", hip_options),
    )
    for side, part, header, options in sides:
        if part is not None:
            both = [("-std=c++17", *options(parts, device=device)) for device in (False, True)]
            sources[side] = (f"#include <{header}>\n", both)
    return sources


def _wrong(answer: Answer) -> str:
    if answer.status != DONE:
        return f"{answer.status}: {answer.detail}" if answer.detail else answer.status
    errors = (message for value in answer.values for message in value["messages"] if message["severity"] == "error")
    first = next(errors, None)
    return f"{first['path']}:{first['line']}: {first['text']}" if first else ""
