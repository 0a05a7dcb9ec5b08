"""What the files of a project say of each other's warps: their size, and the functions that use them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.header_facts import SharedWarps, askers_of, lane_getters_of, mask_getters_of, users_of
from hipify_py.analysis.warp.shuffle_range import helpers_of
from hipify_py.analysis.warp.warp_constants import is_ported, means_a_warp
from hipify_py.catalog import load_catalog
from hipify_py.options import Options
from hipify_py.project.neighbours import bytes_of
from hipify_py.project.warp_facts import BUILT_INS, NAMES_SIZES
from hipify_py.project_context import CountedBy, ProjectContext, WarpHelpers
from hipify_py.rules.wavefront.project_warp_size import goes_by_both
from hipify_py.source import CUDA_SUFFIXES, suffix_of
from hipify_py.support_header import MARK

_CPP_SOURCES = frozenset({".c", ".cc", ".cpp", ".cxx"})
_SOURCES = frozenset({".cu", ".hip"}) | _CPP_SOURCES  # what they define is their own
_HINT = re.compile(b"|".join(NAMES_SIZES))
_DEFINITION = re.compile(
    rb"\#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]+(?P<body>[^\r\n]*)"
    rb"|\b(?P<name>[A-Za-z_]\w*)\s*(?:=(?!=)|\{)(?=\s*(?P<value>[^;,{}\r\n]*)[;,}])"
)
_THIRTY_TWO = re.compile(rb"\(?\s*(?:32|0x20)[uUlL]*\s*\)?\s*(?://.*|/\*.*)?", re.DOTALL)
_WARP_SIZE = re.compile(rb"(?<![\w.>])warpSize\b")
_LANE_ID = re.compile(rb"(?:__lane_id|cub::LaneId)\s*\(\s*\)(?!\s*(?:&\s*31|%\s*32)\b)")
_INCLUDED = re.compile(rb'\#[ \t]*include[ \t]*["<][^">\r\n]*?([^">/\\\r\n]+)[">]')
_BUILT_IN = re.compile(
    rb"__(?:shfl|ballot|any|all|match_a|reduce_|activemask|syncwarp)\w*\s*[(<#]|lane(?:id|mask)|lane_id|LaneId"
)
_DEEPEST = 4
"""Headers whose functions ask those of others, one after the other, until one is looked at no more."""

_LONGEST_VALUE = 100


class ProjectWarpAnalysis:
    """The files of a project that say something of warps. Each is read once, and kept as long as it is needed."""

    def __init__(self) -> None:
        self.mixed_in = ""
        self._agreed: set[bytes] = set()
        self._others: set[bytes] = set()
        self._using: dict[str, bytes] = {}
        self._including: dict[str, tuple[bytes, list[bytes]]] = {}
        self._sources: list[str] = []
        self._contexts: dict[str, WarpContext] = {}

    def take(self, path: str, *, all_sources: bool) -> None:
        """Take a file up; plain C++ sources too, which may be compiled as CUDA, where `all_sources` says so."""
        suffix = suffix_of(path)
        if suffix in _CPP_SOURCES and not all_sources:
            return
        data = bytes_of(path)
        if data.startswith(MARK):
            return  # the support header of an earlier run
        names_sizes = any(hint in data for hint in NAMES_SIZES)
        if not self.mixed_in and _goes_by_wavefronts(data) and not is_ported(data):
            self.mixed_in = os.path.basename(path)
        if suffix in _SOURCES:
            if names_sizes and suffix in CUDA_SUFFIXES:
                self._sources.append(path)
            return
        if names_sizes:
            self._take_sizes(data)
        if any(name in data for name in BUILT_INS) and _BUILT_IN.search(data):
            self._using[path] = data
        elif b"__device__" in data or b"__global__" in data:
            self._including[path] = data, _INCLUDED.findall(data)

    def _take_sizes(self, data: bytes) -> None:
        end = 0
        for hint in _HINT.finditer(data):
            if hint.start() < end:
                continue
            start = data.rfind(b"\n", 0, hint.start()) + 1
            end = data.find(b"\n", hint.start()) + 1 or len(data)
            for match in _DEFINITION.finditer(data, start, end + _LONGEST_VALUE):
                name = match["macro"] or match["name"]
                if match.start() < end and name != b"warpSize" and means_a_warp(name):
                    is_32 = _THIRTY_TWO.fullmatch((match["body"] or match["value"] or b"").strip()) is not None
                    (self._agreed if is_32 and not is_ported(data) else self._others).add(name)

    @property
    def sizes(self) -> frozenset[bytes]:
        """The names that mean a warp's size and are 32 wherever the headers define them.

        A header with branches for AMD GPUs is believed to know what it does: its constants are none of these.
        """
        return frozenset(self._agreed - self._others)

    def helpers(self, options: Options, project: ProjectContext) -> WarpHelpers:
        """The functions of the headers that use warps, and of those that include them and ask for them."""
        said = project.warp_helpers
        if not self._using:
            return said
        shared = SharedWarps(load_catalog(options.targeting), options, project)
        contexts = self._contexts
        contexts.update((path, shared.context(data, path)) for path, data in self._using.items())
        every = list(contexts.values())
        using = {name for context in every for name in users_of(context)}
        reached = [helper for context in every for helper in helpers_of(context) if helper.name in using]
        fresh = set(using)
        for _ in range(_DEEPEST):
            if not fresh:
                break
            contexts.update((path, shared.context(data, path)) for path, data in self._includers())
            fresh = {name for context in contexts.values() for name in askers_of(context, fresh)} - using
            using |= fresh
        return said._replace(
            over_32=frozenset(helper.name for helper in reached if helper.is_over_32),
            over_all=frozenset(helper.name for helper in reached if helper.is_over_all),
            full_wave_collectives=frozenset(helper.name for helper in reached if helper.is_full_wave_collective),
            using=frozenset(using),
            lanes=frozenset(name for context in every for name in lane_getters_of(context)),
            masks=frozenset(name for context in every for name in mask_getters_of(context)),
        )

    def _includers(self) -> list[tuple[str, bytes]]:
        """The headers that include one of those that are read already, and are none of them."""
        names = {os.path.basename(path).encode() for path in self._contexts}
        return [
            (path, data)
            for path, (data, included_names) in self._including.items()
            if path not in self._contexts and not names.isdisjoint(included_names)
        ]

    def counts(self, options: Options, project: ProjectContext) -> Mapping[bytes, CountedBy]:
        """What the files do with the sizes of warps that headers give."""
        sizes = self.sizes
        if not sizes:
            return {}
        shared = SharedWarps(load_catalog(options.targeting), options, project)
        users: dict[bytes, int] = dict.fromkeys(sizes, 0)
        against: dict[bytes, set[str]] = {name: set() for name in sizes}
        for path, data in self._texts():
            if not any(name in data for name in sizes):
                continue
            context = shared.context(data, path, self._contexts.get(path))
            if not context.constants.used or not context.uses_warps:
                continue
            names = [os.path.basename(path)] if goes_by_both(context) else []
            for name in context.constants.used:
                users[name] += 1
                against[name].update(names)
        return {name: CountedBy(users[name], tuple(sorted(against[name]))) for name in sorted(sizes)}

    def _texts(self) -> Iterator[tuple[str, bytes]]:
        yield from self._using.items()
        yield from ((path, data) for path, (data, _) in self._including.items())
        yield from ((path, bytes_of(path)) for path in self._sources)


def _goes_by_wavefronts(data: bytes) -> bool:
    """Lanes are counted in `warpSize`, or taken from the hardware."""
    if b"warpSize" in data and b"threadIdx" in data and _WARP_SIZE.search(data) is not None:
        return True
    return (b"__lane_id" in data or b"cub::LaneId" in data) and _LANE_ID.search(data) is not None
