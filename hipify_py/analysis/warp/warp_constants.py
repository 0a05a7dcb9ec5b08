"""What stands for the size of a warp in a source: constants of its own, `warpSize`, names of other files."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.project_context import THE_SIZE, CountedBy
from hipify_py.semantics.constants import constants_of
from hipify_py.semantics.expressions import bare, cast_of, name_in
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.headers import branches_at
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

THIRTY_TWO, FOLLOWS, ELSEWHERE = "32", "warpSize", "elsewhere"
"""What lanes are counted in: 32, `warpSize`, or a constant that another file defines."""

_DEEPEST = 4
"""Macros that are defined as one another."""

_CALLED_WARP_SIZE = re.compile(
    rb"(?i:\w*(?<![a-z])warp_?(?:size|sz|threads|lanes|width)|\w*threads_?per_?warp|\w*lanes_?per_?warp|\w*wavefront_?size)"
    rb"|warpSize|LANES|k\w*Warp(?:Size|Threads|Lanes)"
)
_PORTED = re.compile(
    rb"\b(?:USE_ROCM|__HIP_PLATFORM_(?:AMD|HCC)__|__HIP_DEVICE_COMPILE__|__AMDGCN__|__AMDGCN_WAVEFRONT_SIZE\w*|__HIPCC__"
    rb"|__HIP__|__gfx\w+__|\w*(?:USE|WITH|ENABLE|HAVE)_(?:HIP|ROCM)\w*|HIP_VERSION|ROCM_VERSION)\b"
    rb"|\b__builtin_amdgcn_"
)
_IN_PORTED = (b"HIP", b"ROCM", b"AMDGCN", b"__gfx", b"__builtin_amdgcn_")
"""One of these stands in each of those names."""
_PORTED_IN_CODE = re.compile(
    rb"//(?:[^\n\\]|\\\r?\n|\\)*|/\*(?s:.*?)(?:\*/|\Z)"
    rb"|\"(?:[^\"\\\n]|\\(?s:.))*\"|'(?:[^'\\\n]|\\(?s:.))*'|(?P<ported>" + _PORTED.pattern + rb")"
)


@lru_cache(maxsize=4)
def is_ported(data: bytes) -> bool:
    """The code of a source names AMD GPUs or their compiler; what comments and strings say of them is no code."""
    if not any(part in data for part in _IN_PORTED) or _PORTED.search(data) is None:
        return False
    return any(match.lastgroup == "ported" for match in _PORTED_IN_CODE.finditer(data))


@lru_cache(maxsize=4096)
def means_a_warp(name: bytes) -> bool:
    """A constant of this name is a warp's size, whatever its value."""
    return _CALLED_WARP_SIZE.fullmatch(name) is not None


class WarpConstants:
    """The names that a source gives a warp's size. Found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._names = names_of(unit)
        self._values = constants_of(unit)

    @cached_property
    def is_ported(self) -> bool:
        """The source has branches for AMD GPUs already: its author has thought of their lanes."""
        return is_ported(self.unit.source.data)

    @cached_property
    def places(self) -> dict[bytes, int]:
        """The names that this source gives the value 32 and by which they mean a warp's size, with their places."""
        found: dict[bytes, int] = {}
        for name in filter(means_a_warp, self.unit.lexemes.words):
            for macro in macros_of(self.unit).named(name):
                if self._values.macro(macro) == 32:
                    found.setdefault(name, macro.place)
            for declared in self._names.declared(name):
                if declared.value is not None and self._values.value(declared.value) == 32:
                    found.setdefault(name, declared.place)
            if self._values.returned(name) == 32:
                found.setdefault(name, functions_of(self.unit).named(name)[0].head)
        return dict(sorted(found.items(), key=lambda item: item[1]))

    @cached_property
    def used(self) -> frozenset[bytes]:
        """The sizes of warps of the project's headers that this source names, and does not define itself."""
        sizes = self.unit.project.warp_sizes
        return frozenset(name for name in sizes if self._names.is_named(name)) - self.places.keys()

    @cached_property
    def _chosen(self) -> frozenset[bytes]:
        """Constants that other definitions in this source give another value, or that stand in a branch of an `#if`
        that names AMD: what they are on AMD GPUs is somebody's decision already."""
        if not self.is_ported:
            return frozenset()
        ordered = sorted(self.places.items(), key=lambda item: item[1])
        branches = branches_at(self.unit, [place for _, place in ordered])
        return frozenset(name for (name, _), branch in zip(ordered, branches, strict=True) if branch)

    def counted_in(self, name: bytes, depth: int = 0) -> str | None:
        """What a divisor's name stands for; None for a name that says nothing of warps."""
        if name in self.places:
            return ELSEWHERE if name in self._chosen else THIRTY_TWO
        if name in self.unit.project.warp_sizes or (name and self._values.named(name) == 32):
            return THIRTY_TWO
        if name == b"warpSize":
            return ELSEWHERE if self._has_own_warp_size else FOLLOWS
        if is_wavefront_size(self.unit, name) and not self._names.declared(name):
            return FOLLOWS
        meant = self._other_name(name) if depth < _DEEPEST else None
        known = self.counted_in(meant, depth + 1) if meant is not None else None
        return known if known is not None else ELSEWHERE if means_a_warp(name) else None

    def _other_name(self, name: bytes) -> bytes | None:
        """What a macro is another name of in all of its definitions: `#define WS warpSize`, `((int)warpSize)`."""
        macros = macros_of(self.unit)
        bodies = [macros.body(macro) if macro.parameters is None else None for macro in macros.named(name)]
        found = {_named_alone(body) if body is not None else None for body in bodies}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _has_own_warp_size(self) -> bool:
        """`warpSize` is a constant of the project's, of a value that another file knows."""
        return any(is_constant_use(self.unit, leaf) for leaf in self._names.mentions(b"warpSize"))


def _named_alone(node: Node) -> bytes | None:
    """The name that an expression is, cast or not."""
    node = bare(node)
    cast = cast_of(node)
    if cast is not None:
        return _named_alone(cast.value)
    leaf = name_in(node) if node.type == "identifier" else None
    return leaf.text if leaf is not None else None


def warp_constants(unit: Unit) -> WarpConstants:
    """What stands for a warp's size in a unit."""
    return unit.analysis(WarpConstants)


def built_in_sizes(unit: Unit) -> list[Node]:
    """Where a source names the compiler's `warpSize`, and no constant that it or an included header calls so.

    An included header may have another name for it.
    """
    if b"warpSize" in unit.project.warp_sizes or macros_of(unit).named(b"warpSize"):
        return []
    names = names_of(unit)
    others = [name for name in sorted(unit.project.wavefront_names) if is_wavefront_size(unit, name)]
    leaves = [leaf for name in (b"warpSize", *others) for leaf in names.mentions(name) if leaf.type == "identifier"]
    return [leaf for leaf in leaves if not names.meant_by(leaf)]


def is_wavefront_size(unit: Unit, name: bytes) -> bool:
    """An included header defines a name as `warpSize`, and the source has no macro that is called so."""
    return unit.project.wavefront_names.get(name) == THE_SIZE and not macros_of(unit).named(name)


def counted_against(unit: Unit, name: bytes) -> CountedBy | None:
    """What the project does with a header's constant, where it goes by the hardware's wavefront as well."""
    counted = unit.project.warp_counts.get(name) if unit.source.is_header else None
    return counted if counted is not None and counted.against else None
