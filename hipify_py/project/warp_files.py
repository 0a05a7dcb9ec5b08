"""The files of a project that may have something to say of warps, and which of them are compiled together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py import nvcc_compat
from hipify_py.frontend.words import words
from hipify_py.project.file_facts import FileFacts
from hipify_py.project.include_graph import IncludeGraph, Includes, Reach, include_lines, includes_in
from hipify_py.project.texts import Texts
from hipify_py.project.warp_hints import may_make_masks, may_name_sizes, may_use_warps
from hipify_py.project.warp_sizes import BUILT_IN, Sizes, sizes_in
from hipify_py.source import CUDA_SUFFIXES, suffix_of
from hipify_py.support_header import MARK

if TYPE_CHECKING:
    from hipify_py.project.looking_ahead import Search

_CPP_SOURCES = frozenset({".c", ".cc", ".cpp", ".cxx"})
_SOURCES = frozenset({".cu", ".hip"}) | _CPP_SOURCES
_DEVICE = (b"__device__", b"__global__", b"threadIdx")
_DEFINITION = re.compile(rb"#[ \t]*define\b(?:[^\r\n\\]|\\\r?\n?)*")
_BUILT_IN = re.compile(
    rb"__(?:(?:shfl|ballot|match_a|reduce_|activemask|syncwarp)\w*\s*[(<#]|(?:any|all)(?:_\w*)?\s*[(#])"
    rb"|lane(?:id|mask)|lane_id|LaneId"
)


def words_in(data: bytes) -> bytes:
    """The words of a content, those of comments among them, a line each."""
    return b"\n".join(set(words(data)))


def _has_device_code(data: bytes) -> bool:
    return any(word in data for word in _DEVICE)


def _defines_by_size(data: bytes) -> bool:
    """A macro may be defined by the compiler's `warpSize`."""
    return BUILT_IN in data and any(BUILT_IN in found[0] for found in _DEFINITION.finditer(data))


def _said_by_header(data: bytes) -> tuple[tuple[frozenset[bytes], frozenset[bytes]] | None, bool, bool, bool]:
    """The sizes of warps that a header may define, whether it uses warp built-ins, and whether it has device code.

    And whether it may define something by the compiler's `warpSize`.
    """
    sizes = sizes_in(data) if may_name_sizes(data) else None
    uses_warps = may_use_warps(data) and _BUILT_IN.search(data) is not None
    is_for_device = b"__device__" in data or b"__global__" in data
    return None if sizes is None else (sizes.are_32, sizes.others), uses_warps, is_for_device, BUILT_IN in data


def asked_of(path: str, *, all_sources: bool) -> Sequence[Search]:
    """What `WarpFiles` asks of a file's content, but for its words."""
    suffix = suffix_of(path)
    of_all = include_lines, may_make_masks
    if suffix in _CPP_SOURCES:
        return (_has_device_code, _defines_by_size, *of_all) if all_sources else ()
    if suffix not in _SOURCES:
        return _said_by_header, *of_all
    of_source = (_defines_by_size, *of_all)
    return (may_name_sizes, *of_source) if suffix in CUDA_SUFFIXES else of_source


class WarpFiles:
    """Files taken up one after the other; each is read once, and headers with device code are kept.

    Attributes:
        sizes: what the files that others include define as the size of a warp.
        using: those of them that use warp built-ins, with their text.
        device: the rest of those that have device code, with their text.
        sources: the files that are compiled by themselves, and whether they name what may be the size of a warp.
        naming: the files that may define something by `warpSize`: of sources, a macro that headers may name.
    """

    def __init__(self, texts: Texts, *, all_sources: bool) -> None:
        """Plain C++ sources count only where `all_sources` says so: they may be compiled as CUDA."""
        self._texts = texts
        self._all_sources = all_sources
        self._includes: dict[str, Includes] = {}
        self.sizes: dict[str, Sizes] = {}
        self.using: dict[str, bytes] = {}
        self.device: dict[str, bytes] = {}
        self.sources: dict[str, bool] = {}
        self.naming: set[str] = set()
        self._headers: set[str] = set()

    def take(self, path: str) -> None:
        """Take a file up."""
        suffix = suffix_of(path)
        is_cpp = suffix in _CPP_SOURCES
        if is_cpp and not self._all_sources:
            return
        if self._texts.of(path).startswith((MARK, nvcc_compat.MARK)):
            return  # the support header of an earlier run
        if is_cpp and not self._texts.find(_has_device_code, path):
            return
        self._includes[path] = includes_in(path, self._texts)
        if suffix in _SOURCES:
            self.sources[path] = suffix in CUDA_SUFFIXES and self._texts.find(may_name_sizes, path)
            if self._texts.find(_defines_by_size, path):
                self.naming.add(path)
        else:
            self._take_header(path)

    def _take_header(self, path: str) -> None:
        sizes, uses_warps, is_for_device, may_name_wavefronts = self._texts.find(_said_by_header, path)
        self._headers.add(path)
        if may_name_wavefronts:
            self.naming.add(path)
        if sizes is not None:
            self.sizes[path] = Sizes(*sizes)
        if uses_warps:
            self.using[path] = self._texts.of(path)
        elif is_for_device:
            self.device[path] = self._texts.of(path)

    @cached_property
    def reach(self) -> Reach:
        """Which of the files that say something each is compiled with; a source that others include is a header."""
        graph = IncludeGraph(self._includes, self._texts.commands)
        for path in sorted(graph.targets & self.sources.keys()):
            self._take_header(path)
        marked = self.sizes.keys() | self.using.keys() | self.device.keys() | self.naming
        return graph.reach(marked | self._naming_further(graph))

    def _naming_further(self, graph: IncludeGraph) -> set[str]:
        """The headers that may define something by what others define by `warpSize`."""
        if not self.naming:
            return set()
        reach = graph.reach(self.naming)
        return {path for path in self._headers if reach.sight(path).all}

    def text(self, path: str) -> bytes:
        """The bytes of a file that was taken up."""
        return self.using.get(path) or self.device.get(path) or self._texts.of(path)

    @property
    def facts(self) -> FileFacts:
        """What is known of the files' contents."""
        return self._texts.facts or FileFacts()

    @property
    def jobs(self) -> int:
        """How many processes may look into the files."""
        return self._texts.jobs

    def words(self, paths: Sequence[str]) -> dict[str, frozenset[bytes]]:
        """The words of some of the files, those of comments among them."""
        self._texts.expect((path, [words_in]) for path in paths)
        return {path: frozenset(self._texts.find(words_in, path).split(b"\n")) for path in paths}

    def may_make_masks(self, path: str) -> bool:
        """False only for a file that makes no lane masks."""
        return self._texts.find(may_make_masks, path)

    def __iter__(self) -> Iterator[str]:
        """The files in the order in which they were taken up."""
        return iter(self._includes)
