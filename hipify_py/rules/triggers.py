"""What a source must have for a rule to find something in it: declared by each rule, looked up once a unit.

Triggers are a gate and nothing else: a rule that runs without them finds the same (`tests/rules/test_gates.py`). A
word may end or begin with `*` for anything, `&` asks for both sides and `|` for one of them:

    triggers = words("__shfl*", "*_sync") & facts(Fact.LAUNCHES) | uses("warpSize")

A rule that asks code asks for its words, or for the table's names that are used in it; comments and literals have
neither. What only they may hold, such as PTX, is a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import NamedTuple

from hipify_py.unit import Unit


class Fact(Enum):
    """What a unit, its options or its project has, or has not."""

    USES = auto()
    USED_FUNCTIONS = auto()
    USED_TYPES = auto()
    USED_MACROS = auto()
    UNMAPPED_CANDIDATES = auto()
    REDEFINITIONS = auto()
    ARGUMENT_EDITS = auto()
    TEMPLATE_ORDERS = auto()
    ENUMERATOR_NUMBERS = auto()
    MERGED_VALUES = auto()
    """Two enumerators in use have one HIP name."""
    MERGED_TYPES = auto()
    """Two types in use have one HIP name."""
    DEFINES = auto()
    ELIFS = auto()
    INCLUDES = auto()
    LAUNCHES = auto()
    RAW_STRINGS = auto()
    SYNC_WORDS = auto()
    """A word has `_sync` in it, and is no barrier of a whole block."""
    TARGETS_CUDA = auto()
    TARGETS_ROCM = auto()
    PROJECT_LANE_HELPERS = auto()
    PROJECT_MASK_HELPERS = auto()
    """The source names a helper of the project's headers that returns a lane mask."""
    PROJECT_MASK_PARAMETERS = auto()
    PROJECT_MIXED_IN = auto()
    PROJECT_WARP_COUNTS = auto()
    PROJECT_WARP_HELPERS = auto()


class Patterns(NamedTuple):
    """Names to look for: whole ones, and parts of the lines of a list of names."""

    whole: frozenset[bytes] = frozenset()
    parts: tuple[bytes, ...] = ()


class Group(NamedTuple):
    """Triggers of which one is enough."""

    words: Patterns | None = None
    uses: Patterns | None = None
    headers: Patterns | None = None
    texts: tuple[bytes, ...] = ()
    facts: tuple[Fact, ...] = ()


class Triggers(NamedTuple):
    """Groups of triggers, each of which must be met."""

    groups: tuple[Group, ...] = ()

    def __and__(self, other: Triggers) -> Triggers:
        """What meets both."""
        return Triggers(self.groups + other.groups)

    def __or__(self, other: Triggers) -> Triggers:
        """What meets either."""
        return Triggers(tuple(_either(one, two) for one in self.groups for two in other.groups))


ALWAYS = Triggers()
WARP_BUILT_INS = (
    "__activemask*",
    "__all*",
    "__any*",
    "__ballot*",
    "__match_*",
    "__reduce_*",
    "__shfl*",
    "__syncwarp*",
)
"""The words that the built-in functions for warps begin with."""


def words(*patterns: str) -> Triggers:
    """The code has one of the words."""
    return Triggers((Group(words=_patterns(patterns)),))


def uses(*patterns: str) -> Triggers:
    """A name of the tables is in use: a reference that is resolved, under the name that the table has for it."""
    return Triggers((Group(uses=_patterns(patterns)),))


def headers(*patterns: str) -> Triggers:
    """One of the headers is included, by its path."""
    return Triggers((Group(headers=_patterns(patterns)),))


def texts(*found: str) -> Triggers:
    """The source has one of the texts, wherever it stands."""
    return Triggers((Group(texts=tuple(text.encode() for text in found)),))


def facts(*found: Fact) -> Triggers:
    """One of the facts holds."""
    return Triggers((Group(facts=found),))


class Evidence:
    """Which triggers a unit meets. Each group is looked for once, however many rules share it."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._words = _Names(unit.lexemes.words)
        self._uses = _Names({use.row.name.encode() for use in unit.uses})
        self._headers = _Names({path.encode(errors="replace") for path in unit.headers})
        self._known: dict[int, bool] = {}

    def meets(self, triggers: Triggers) -> bool:
        """Every group of the triggers is met."""
        known = self._known
        for group in triggers.groups:
            is_met = known.get(id(group))
            if is_met is None:
                is_met = known[id(group)] = self._has(group)
            if not is_met:
                return False
        return True

    def _has(self, group: Group) -> bool:
        data = self._unit.source.data
        return (
            (group.words is not None and self._words.have(group.words))
            or (group.uses is not None and self._uses.have(group.uses))
            or (group.headers is not None and self._headers.have(group.headers))
            or any(_FACTS[fact](self._unit) for fact in group.facts)
            or any(text in data for text in group.texts)
        )


class _Names:
    """Names in which patterns are looked for: whole ones in a set, parts in all of them at once, one a line."""

    def __init__(self, names: set[bytes]) -> None:
        self._names = names
        self._lines: bytes | None = None

    def have(self, patterns: Patterns) -> bool:
        """One of the names is one of the patterns."""
        if not patterns.whole.isdisjoint(self._names):
            return True
        if not patterns.parts:
            return False
        if self._lines is None:
            self._lines = b"\n%b\n" % b"\n".join(self._names)
        lines = self._lines
        return any(part in lines for part in patterns.parts)


def _patterns(patterns: Iterable[str]) -> Patterns:
    whole = frozenset(text.encode() for text in patterns if "*" not in text)
    parts = tuple(f"\n{text}\n".replace("\n*", "").replace("*\n", "").encode() for text in patterns if "*" in text)
    return Patterns(whole, parts)


def _all_of(one: Patterns | None, other: Patterns | None) -> Patterns | None:
    if one is None or other is None:
        return one or other
    return Patterns(one.whole | other.whole, one.parts + other.parts)


def _either(one: Group, other: Group) -> Group:
    return Group(
        _all_of(one.words, other.words),
        _all_of(one.uses, other.uses),
        _all_of(one.headers, other.headers),
        one.texts + other.texts,
        one.facts + other.facts,
    )


_NUMBERS = frozenset({"values", "enums"})


def _is_merged(unit: Unit, kind: str) -> bool:
    """Two names of a kind in the source have one HIP name."""
    names: dict[str | None, str] = {}
    return any(names.setdefault(use.row.hip, use.row.name) != use.row.name for use in unit.uses if use.row.kind == kind)


def _is_used(unit: Unit, kind: str) -> bool:
    return any(use.row.kind == kind for use in unit.uses)


_FACTS: dict[Fact, Callable[[Unit], bool]] = {
    Fact.USES: lambda unit: bool(unit.uses),
    Fact.USED_FUNCTIONS: lambda unit: _is_used(unit, "function"),
    Fact.USED_TYPES: lambda unit: _is_used(unit, "type"),
    Fact.USED_MACROS: lambda unit: _is_used(unit, "macro"),
    Fact.UNMAPPED_CANDIDATES: lambda unit: bool(unit.unmapped_candidates),
    Fact.REDEFINITIONS: lambda unit: bool(unit.redefinitions),
    Fact.ARGUMENT_EDITS: lambda unit: any(use.row.edits_arguments for use in unit.uses),
    Fact.TEMPLATE_ORDERS: lambda unit: any("template_order" in use.row.details for use in unit.uses),
    Fact.ENUMERATOR_NUMBERS: lambda unit: any(not _NUMBERS.isdisjoint(use.row.details) for use in unit.uses),
    Fact.MERGED_VALUES: lambda unit: _is_merged(unit, "enumerator"),
    Fact.MERGED_TYPES: lambda unit: _is_merged(unit, "type"),
    Fact.DEFINES: lambda unit: bool(unit.lexemes.defines),
    Fact.ELIFS: lambda unit: any(word == b"elif" for _, word in unit.lexemes.directives),
    Fact.INCLUDES: lambda unit: bool(unit.lexemes.includes),
    Fact.LAUNCHES: lambda unit: bool(unit.lexemes.launches),
    Fact.RAW_STRINGS: lambda unit: bool(unit.lexemes.raw_strings),
    Fact.SYNC_WORDS: lambda unit: any(
        b"_sync" in word and not word.startswith(b"__syncthreads") for word in unit.lexemes.words
    ),
    Fact.TARGETS_CUDA: lambda unit: bool(unit.options.targeting.cuda),
    Fact.TARGETS_ROCM: lambda unit: bool(unit.options.targeting.rocm),
    Fact.PROJECT_LANE_HELPERS: lambda unit: bool(unit.project.warp_helpers.lanes),
    Fact.PROJECT_MASK_HELPERS: lambda unit: not unit.project.warp_helpers.masks.isdisjoint(unit.lexemes.words),
    Fact.PROJECT_MASK_PARAMETERS: lambda unit: bool(unit.project.mask_parameters),
    Fact.PROJECT_MIXED_IN: lambda unit: bool(unit.project.mixed_in),
    Fact.PROJECT_WARP_COUNTS: lambda unit: bool(unit.project.warp_counts),
    Fact.PROJECT_WARP_HELPERS: lambda unit: any(unit.project.warp_helpers[:3]),
}
