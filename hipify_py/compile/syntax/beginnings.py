"""What sources begin with, as precompiled headers.

A header that is precompiled comes before all else, so only what comes first anyway may be in one: clang's wrapper, and
HIP's runtime header where nothing but headers of other libraries stands before it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from hipify_py.clang.dialects import CUDA_FIRST, HIP_FIRST, OWN_HEADERS
from hipify_py.clang.precompiled import PrecompiledHeaders, including

HIP_RUNTIME = b"#include <hip/hip_runtime.h>\n"
CUDA_RUNTIME = b"#include <cuda_runtime.h>\n"
"""What is precompiled along with clang's wrapper, for the sources that begin with it."""

_SKIPPED = re.compile(rb"\s+|//[^\n]*|/\*.*?\*/|\#[ \t]*pragma[ \t]+once[^\n]*|\\\r?\n", re.DOTALL)
_INCLUDE = re.compile(rb'\#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")[^\n]*')
_RUNTIMES = {b"hip/hip_runtime.h": HIP_RUNTIME, b"cuda_runtime.h": CUDA_RUNTIME}
_FIRST = frozenset({*CUDA_FIRST, *HIP_FIRST})
_FOLDERS = ("-I", "-iquote", "-idirafter")
_FEW = 4
"""Headers that are made whether one source or several begin with them."""

Arguments = Sequence[str]


def beginning(text: bytes, is_own: Callable[[str], bool], first: Sequence[str] = ()) -> bytes:
    """What of a source's beginning can be precompiled; `first` are the arguments for what is included before it.

    Args:
        text: the source, in the language that is parsed.
        is_own: whether an include leads to a file of the project.
    """
    if "-include" in first:
        return b""
    at = 0
    while True:
        skipped = _SKIPPED.match(text, at)
        if skipped is not None:
            at = skipped.end()
            continue
        include = _INCLUDE.match(text, at)
        if include is None:
            return b""
        name = include[1] or include[2]
        if name in _RUNTIMES:
            return _RUNTIMES[name]
        if include[1] is None or is_own(os.fsdecode(name)):
            return b""
        at = include.end()


class Beginnings:
    """Gives passes their precompiled headers, and makes those that are worth it.

    Args:
        wanted: for each pass that is to come its arguments and its beginning.
    """

    def __init__(
        self, headers: PrecompiledHeaders, wanted: Sequence[tuple[Arguments, bytes]], jobs: int | None
    ) -> None:
        self._headers = headers
        counts: dict[tuple[tuple[str, ...], bytes], int] = {}
        for arguments, text in wanted:
            key = (_kept(arguments), text)
            counts[key] = counts.get(key, 0) + 1
        self._paths = {key: headers.find(*key) for key in counts}
        missing = [key for key, path in self._paths.items() if not path and (counts[key] > 1 or len(counts) <= _FEW)]
        with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
            self._paths.update(zip(missing, pool.map(lambda key: headers.make(*key), missing), strict=True))

    def arguments(self, arguments: Arguments, text: bytes) -> tuple[str, ...]:
        """The arguments of a pass, with a precompiled header in place of what comes first, where there is one."""
        path = self._paths.get((_kept(arguments), text), "")
        return (*_without_first(arguments), *including(path)) if path else tuple(arguments)

    def discard(self, arguments: Arguments) -> None:
        """A pass says that its precompiled header is stale: parse without it from now on."""
        for key, path in self._paths.items():
            if path in arguments:
                self._headers.discard(path)
                self._paths[key] = ""


def _kept(arguments: Arguments) -> tuple[str, ...]:
    """The arguments that a precompiled header is made with: the project's folders and files have no say in it."""
    return _without(arguments, _is_of_project)


def _is_of_project(option: str, value: str) -> bool:
    """A folder to search, or a file to include first, which may be in memory alone."""
    return value not in _FIRST if option == "-include" else not value.startswith(OWN_HEADERS)


def _without_first(arguments: Arguments) -> tuple[str, ...]:
    return _without(arguments, lambda option, value: option == "-include" and value in _FIRST)


def _without(arguments: Arguments, is_left_out: Callable[[str, str], bool]) -> tuple[str, ...]:
    """The arguments but for some options with a value, which follows or is written to the option."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        option = next((option for option in (*_FOLDERS, "-include") if argument.startswith(option)), "")
        if argument == option:
            value = next(rest, "")
            kept += [] if is_left_out(option, value) else [argument, value]
        elif not option or not is_left_out(option, argument[len(option) :]):
            kept.append(argument)
    return tuple(kept)
