"""What an author's AMD branches decide about warps, and the code that depends on it.

An AMD branch that gives a warp its size, a mask its type, or a warp function its body shows that somebody has ported
the code that uses them: `#ifdef USE_ROCM` / `#define WARP_SIZE 64` in vLLM's `cuda_compat.h`, llama.cpp's
`vendors/hip.h`. That code is its author's. An AMD branch about anything else (a log text, a fence, an include) decides
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import filterfalse
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.amd_branches import AmdBranches, amd_branches
from hipify_py.analysis.warp.warp_calls import BUILT_IN, warp_calls_of
from hipify_py.frontend.conditions import may_have_amd_branches
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import number
from hipify_py.semantics.declares_name import PARAMETER, TYPE_PARAMETER, declaration_site
from hipify_py.semantics.device_code import is_surely_host_code
from hipify_py.semantics.expressions import NAMES, subexpressions, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

WARP_SIZE_NAME = re.compile(
    rb"(?i:\w*(?<![a-z])warp_?(?:size|sz|threads|lanes|width)|\w*threads_?per_?warp|\w*lanes_?per_?warp"
    rb"|\w*wave(?:front)?_?size)|warpSize|LANES|k\w*Warp(?:Size|Threads|Lanes)"
)
"""A constant of this name is a warp's size."""
_MASK_NAME = re.compile(rb"(?i:\w*mask(?:_?t(?:ype)?)?)")
_WARP_CODE = re.compile(
    rb"__(?:shfl|ballot|any|all|match|reduce)\w*\b|__activemask|\bwarpSize\b"
    rb"|__builtin_amdgcn_(?:ds_b?permute|ds_swizzle|mov_dpp|update_dpp|readlane|readfirstlane|ballot|mbcnt|wavefrontsize)"
)
_BUILT_IN = re.compile(BUILT_IN.pattern.encode())
_NARROW = re.compile(rb"(?:std::)?u?int(?:32_t)?|unsigned(?: int)?|signed(?: int)?")
_BALLOT = re.compile(rb"__ballot\b|__activemask\b|__builtin_amdgcn_ballot")
_OWN_HALF = re.compile(rb">>[^;]*?&\s*(?:32|0[xX]20|~\s*(?:\(\s*\w[\w\s]*\)\s*)?31)[uUlL]*\b")
"""A shift by 32 for lanes of the upper half: `(unsigned)(__ballot(p) >> (__lane_id() & 32))`, in many HIP ports."""
_WIDE = re.compile(rb"0[xX][fF]{16}\w*|u?int64_t|unsigned\s+long(?:\s+long)?|~\s*0\s*[uU]?[lL]+|\bULL\b")
_LANES = 32
_CHOSEN_BY_LIBRARIES = frozenset({b"C10_WARP_SIZE", b"C10_WARP_SIZE_UPPER_BOUND", b"C10_WARP_SIZE_LOWER_BOUND"})
"""Constants of other projects' headers that follow the device on AMD GPUs.

Source: PyTorch, c10/macros/Macros.h.
"""
_CHOOSES = re.compile(rb"\s*=\s*(#[^\n]*\n)")
_RETURNED = re.compile(rb"\breturn\s+([^;]+);")
_TOO_COMMON = frozenset({b"operator", b"main", b"operator()", b""})
_DECLARATIONS = frozenset(
    {
        *("enumerator", "declaration", "field_declaration", "alias_declaration", "type_definition"),
        *("template_declaration", "struct_specifier", "class_specifier", "union_specifier", "enum_specifier"),
    }
)


class AuthorChoices:
    """The names that a source's AMD branches decide about, and all code that depends on them.

    Attributes:
        names: the constants, types, macros and functions that are the author's own on AMD GPUs, for other files.
        called: the functions that the author's own code calls, which share its warps.
        sizes: the warp sizes that branches of this source choose.
        masks: the types and values of masks that they choose.
        chosen: what they choose, sizes, masks and warp functions, by name, with the offset of one choice.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._branches: AmdBranches = amd_branches(unit)
        self._functions = functions_of(unit)
        self._owned: set[int] = set()  # functions, by the offsets of their bodies
        self._macros: set[int] = set()
        self._found: set[bytes] = set()
        self.masks = set[bytes]()
        self._classes: dict[bytes, set[bytes]] = {}  # of the functions that a branch chooses
        self.called: frozenset[bytes] = frozenset()
        elsewhere = _chosen_elsewhere(unit) & unit.lexemes.words
        sizes = dict(self._chosen_sizes())
        chosen = {**sizes, **dict(self._chosen())}
        self.sizes = frozenset(sizes)
        self.chosen = chosen
        first = {*elsewhere, *chosen}
        if first:
            self._propagate(first)
        self.names = frozenset(self._found) - _TOO_COMMON

    def owns(self, place: int) -> bool:
        """Whether the code at a place is the author's own on AMD GPUs."""
        macro = macros_of(self._unit).around(place) if self._macros else None
        if macro is not None:
            return macro.place in self._macros
        function = self._functions.at(place) if self._owned else None
        return function is not None and function.start in self._owned

    def is_also_defined_elsewhere(self, name: bytes) -> bool:
        """Whether a chosen name is also defined for builds that do not target AMD GPUs."""
        only_amd = self._branches.only_amd
        places = [macro.place for macro in macros_of(self._unit).named(name)]
        places += [declared.owner.start_byte for declared in names_of(self._unit).declared(name)]
        places += [function.head for function in self._functions.named(name)]
        return _BUILT_IN.fullmatch(name) is not None or any(place not in only_amd for place in places)

    def _chosen(self) -> Iterator[tuple[bytes, int]]:
        """The macros, functions and types that the branches themselves choose, each with the offset of one choice."""
        unit, branches = self._unit, self._branches
        for macro in macros_of(unit).all():
            if macro.place in branches.only_amd and self._is_about_warps(macro):
                yield macro.name, macro.place
        for function in self._functions:
            is_amds = function.head in branches.only_amd and not _is_on_host(unit, function)
            if is_amds and self._has_own_warps(function.start, function.end):
                self._classes.setdefault(function.name, set()).add(_class_of(function))
                yield function.name, function.head
        for alias in unit.tree.nodes("alias_declaration", "type_definition") if branches.has_any else ():
            leaf = alias.child_by_field_name("name") or alias.child_by_field_name("declarator")
            if leaf is not None and alias.start_byte in branches.only_amd and self._is_type_of_masks(alias, leaf):
                self.masks.add(text_of(leaf))
                yield text_of(leaf), alias.start_byte

    def _chosen_sizes(self) -> Iterator[tuple[bytes, int]]:
        """The warp sizes that are chosen for AMD GPUs; a size that is 32 there as well is not a choice."""
        unit, branches = self._unit, self._branches
        data = unit.source.data
        for name in filter(WARP_SIZE_NAME.fullmatch, unit.lexemes.words) if branches.has_any else ():
            definitions = [(macro.place, macro.start, macro.end) for macro in macros_of(unit).named(name)]
            definitions += [
                (declared.owner.start_byte, declared.leaf.end_byte, declared.owner.end_byte)
                for declared in names_of(unit).declared(name)
                if declared.kind != PARAMETER
            ]
            within = [self._conditional_value(place + len(name)) for place in unit.lexemes.places(name)]
            within += map(self._own_size_in, self._functions.named(name))
            apart = [place for place, _, _ in definitions if place in branches.beside]
            values = [data[start:end] for place, start, end in definitions if place in branches.only_amd]
            is_32 = bool(values) and all(number(value.strip(b" \t()={};")) == 32 for value in values)
            places = [place for place in [*within, *(apart if not is_32 else [])] if place >= 0]
            if places:
                yield name, places[0]

    def _own_size_in(self, function: Function) -> int:
        """The start of an AMD branch in a function that makes it return a warp size other than 32; -1 for none."""
        data, only_amd = self._unit.source.data, self._branches.only_amd
        places = [place for place in self._branches.places if function.start < place < function.end]
        returns = [
            match for match in _RETURNED.finditer(data, function.start, function.end) if match.start() in only_amd
        ]
        is_32 = bool(returns) and all(number(match[1]) == 32 for match in returns)
        return places[0] if places and not is_32 else -1

    def _conditional_value(self, place: int) -> int:
        """Where an AMD branch gives a name its value: `constexpr int kWarpSize =`, then `#ifdef`; -1 for none."""
        match = _CHOOSES.match(self._unit.source.data, place)
        starts = self._branches.places if match is not None else []
        return next((start for start in starts if match is not None and match.start(1) < start <= match.end()), -1)

    def _propagate(self, first: set[bytes]) -> None:
        """Add all that depends on the first names: what is defined by them, its callers, and their callees."""
        pending = list(first)
        visited = set(first)
        while pending:
            name = pending.pop()
            self._found.add(name)
            fresh = set(self._users_of(name))
            classes = self._classes.get(name, set())
            for function in self._functions.named(name):
                if not classes or _class_of(function) in classes:  # a method of another class is another function
                    fresh |= self._add_function(function)
            pending += fresh - visited
            visited |= fresh
        self._found -= _chosen_elsewhere(self._unit)

    def _users_of(self, name: bytes) -> Iterator[bytes]:
        """The names of what uses a name: macros, functions, declarations outside of functions."""
        unit = self._unit
        names = names_of(unit)
        for leaf in names.mentions(name):
            place = leaf.start_byte
            macro = macros_of(unit).around(place)
            if macro is not None:
                self._macros.add(macro.place)
                yield macro.name
                continue
            declarations = names.resolve(leaf)
            if declarations and all(
                self._functions.at(one.place) is not None and one.kind != "function" for one in declarations
            ):
                continue  # a local variable of that name
            function = self._functions.at(place)
            if function is not None and function.name == name and place < function.start:
                continue  # its definition
            if function is not None:
                yield from self._add_function(function)
            else:
                yield from _introduced_around(leaf)

    def _add_function(self, function: Function) -> set[bytes]:
        """Make a function the author's own; returns its name, and the functions with warp code that it calls."""
        if function.start in self._owned:
            return set()
        self._owned.add(function.start)
        # An overload of a built-in function is called wherever the built-in is, which does not show whose code that is.
        words = frozenset(filterfalse(_BUILT_IN.fullmatch, self._words_of(function)))
        self.called |= words
        inner = {name for name in words if any(map(self._has_warp_code, self._functions.named(name)))}
        return inner | ({function.name} - _TOO_COMMON if not _BUILT_IN.fullmatch(function.name) else set())

    def _is_type_of_masks(self, alias: Node, leaf: Node) -> bool:
        """Whether a type is named like a mask's, or used in warp functions, and not 32 bits wide as CUDA's is."""
        type = text_of(alias.child_by_field_name("type"))
        if _NARROW.fullmatch(b" ".join(type.split())) is not None:
            return False
        if _MASK_NAME.fullmatch(text_of(leaf)) is not None:
            return True
        functions = map(self._functions.at, self._unit.lexemes.places(text_of(leaf))) if _WIDE.search(type) else ()
        return any(function is not None and self._has_warp_code(function) for function in functions)

    def _is_about_warps(self, macro: Macro) -> bool:
        """Whether a macro is a warp function's, or the type or value of a 64-bit mask."""
        value = self._unit.source.data[macro.start : macro.end]
        is_mask = _MASK_NAME.fullmatch(macro.name) is not None and _WIDE.search(value) is not None
        if is_mask:
            self.masks.add(macro.name)
        return is_mask or self._has_own_warps(macro.start, macro.end)

    def _has_own_warps(self, start: int, end: int) -> bool:
        """Whether code has warp operations over the wavefront; those within 32 lanes mean the same as in CUDA."""
        places = [match.start() for match in _WARP_CODE.finditer(self._unit.source.data, start, end)]
        return any(place not in self._within_32 and not is_of_own_half(self._unit, place) for place in places)

    @cached_property
    def _within_32(self) -> frozenset[int]:
        """The offsets of the shuffles whose width is a number of at most 32."""
        data = self._unit.source.data
        found = set()
        for shuffle in warp_calls_of(self._unit):
            if shuffle.is_shuffle and shuffle.has_width and shuffle.call is not None:
                width = number(data[slice(*shuffle.call.arguments[-1])].strip())
                if width is not None and width <= _LANES:
                    found.add(shuffle.use.start)
        return frozenset(found)

    def _words_of(self, function: Function) -> frozenset[bytes]:
        data = self._unit.source.data
        return frozenset(re.findall(rb"\b([A-Za-z_]\w*)\s*(?=[(<])", data[function.start : function.end]))

    def _has_warp_code(self, function: Function) -> bool:
        return _WARP_CODE.search(self._unit.source.data, function.head, function.end) is not None


def _is_on_host(unit: Unit, function: Function) -> bool:
    return function.body is not None and is_surely_host_code(unit, function.body)


def _class_of(function: Function) -> bytes:
    """The class in whose body a function is; empty for any other function."""
    around = ancestor(function.node, "class_specifier", "struct_specifier")
    return text_of(around.child_by_field_name("name")) if around is not None else b""


def is_of_own_half(unit: Unit, place: int) -> bool:
    """Whether a ballot is in a function or macro that extracts the calling half's 32 lanes from its result."""
    if _BALLOT.match(unit.source.data, place) is None:
        return False
    around = macros_of(unit).around(place) or functions_of(unit).at(place)
    return around is not None and _OWN_HALF.search(unit.source.data, around.start, around.end) is not None


def _introduced_around(leaf: Node) -> Iterator[bytes]:
    """What the declaration around a name declares."""
    owner = leaf.parent
    while owner is not None and owner.type not in _DECLARATIONS:
        owner = owner.parent
    for name in subexpressions(owner) if owner is not None else ():
        introduced = declaration_site(name) if name.type in NAMES else None
        if introduced is not None and introduced.kind not in (PARAMETER, TYPE_PARAMETER):
            yield name.text or b""


def _chosen_elsewhere(unit: Unit) -> AbstractSet[bytes]:
    """Names that other files choose for AMD GPUs; those of libraries' headers where the source has none of its own."""
    own = {define.text for define in unit.lexemes.defines}
    return unit.project.author_names | (_CHOSEN_BY_LIBRARIES - own)


def may_have_choices(unit: Unit) -> bool:
    """False only for a source about which no author has decided anything."""
    return may_have_amd_branches(unit.source.data) or not _chosen_elsewhere(unit).isdisjoint(unit.lexemes.words)


def author_names(unit: Unit) -> AbstractSet[bytes]:
    """The names that AMD branches of a source, or of the files that it is compiled with, decide about."""
    return (author_choices(unit).names | unit.project.author_names) if may_have_choices(unit) else frozenset()


def author_choices(unit: Unit) -> AuthorChoices:
    """What the author's AMD branches decide in a unit, computed once."""
    return unit.analysis(AuthorChoices)
