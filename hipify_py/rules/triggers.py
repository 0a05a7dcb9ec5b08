"""What a source must have for a rule to find something in it: declared by each rule, looked up once per unit.

Triggers are a gate and nothing else: a rule that runs without them finds the same (`tests/rules/test_gates.py`). A
word may end or begin with `*` for anything, `&` requires both sides and `|` one of them:

    triggers = words("__shfl*", "*_sync") & facts(Fact.LAUNCHES) | uses("warpSize")

A rule about code names its words, or the table's names that are used in it; comments and literals have neither. What
only they may hold, such as PTX, is a text.
"""

from __future__ import annotations

import re
from _thread import allocate_lock
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.project_context import calls_namespace
from hipify_py.frontend.unit import Unit
from hipify_py.frontend.words import ASSEMBLY_KEYWORDS

_MOST_NAMES = 200_000
"""The number of names whose triggers are remembered."""


class Fact:
    """What a unit, its options or its project has, or does not have.

    Not an `Enum`: a check of one file would wait for it as long as for the translation of fifty lines.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    USES: ClassVar[Fact]
    USED_FUNCTIONS: ClassVar[Fact]
    USED_TYPES: ClassVar[Fact]
    USED_MACROS: ClassVar[Fact]
    UNMAPPED_CANDIDATES: ClassVar[Fact]
    REDEFINITIONS: ClassVar[Fact]
    ARGUMENT_EDITS: ClassVar[Fact]
    TEMPLATE_ORDERS: ClassVar[Fact]
    ENUMERATOR_NUMBERS: ClassVar[Fact]
    MERGED_VALUES: ClassVar[Fact]
    """Two enumerators in use have one HIP name."""
    MERGED_TYPES: ClassVar[Fact]
    """Two types in use have one HIP name."""
    DEFINES: ClassVar[Fact]
    ELIFS: ClassVar[Fact]
    INCLUDES: ClassVar[Fact]
    LAUNCHES: ClassVar[Fact]
    RAW_STRINGS: ClassVar[Fact]
    SYNC_WORDS: ClassVar[Fact]
    """A word contains `_sync`, and is not a barrier of a whole block."""
    DUAL: ClassVar[Fact]
    """The output is to serve NVIDIA GPUs as well."""
    TARGETS_CUDA: ClassVar[Fact]
    TARGETS_ROCM: ClassVar[Fact]
    PROJECT_GROUP_ALIASES: ClassVar[Fact]
    """The source names an alias that another file gives to the type of a group of threads, or to their namespace."""
    WARP_OPERATIONS: ClassVar[Fact]
    """A name in use is a warp operation: its row has a form for 32 lanes."""
    PROJECT_WAITING_FUNCTIONS: ClassVar[Fact]
    """The source names a function of another file that waits, or that others wait for."""
    PROJECT_ATTRIBUTES: ClassVar[Fact]
    """The source names a macro of a header that stands for `__host__` or `__device__`."""
    PROJECT_ADDRESSES: ClassVar[Fact]
    """The source names something that a header declares with `CUdeviceptr`."""


for _name in Fact.__annotations__:
    setattr(Fact, _name, Fact(_name))


class Patterns(NamedTuple):
    """Names to search for: whole ones, and parts of the lines of a list of names."""

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
        """Triggers that require both."""
        return Triggers(self.groups + other.groups)

    def __or__(self, other: Triggers) -> Triggers:
        """Triggers that require either."""
        return Triggers(tuple(_either(one, two) for one in self.groups for two in other.groups))


class Indexed(NamedTuple):
    """What the index says of a rule.

    Attributes:
        name: its class.
        triggers: its triggers.
        id: its id.
        shown: the findings that its examples have.
    """

    name: str
    triggers: Triggers
    id: str
    shown: tuple[str, ...] = ()


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
"""The prefixes of the built-in functions for warps."""


ASSEMBLY = tuple(sorted(word.decode() for word in ASSEMBLY_KEYWORDS))
"""The keywords without which no text is PTX in use."""


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
    """The source has one of the texts, anywhere."""
    return Triggers((Group(texts=tuple(text.encode() for text in found)),))


def facts(*found: Fact) -> Triggers:
    """One of the facts holds."""
    return Triggers((Group(facts=found),))


class Gates:
    """The triggers of some rules, arranged by kind: a unit is searched for all of them at once."""

    def __init__(self, triggers: Iterable[Triggers]) -> None:
        numbers: dict[Group, int] = {}
        self._gates = [frozenset(numbers.setdefault(group, len(numbers)) for group in gate.groups) for gate in triggers]
        self._words = _Names((group.words, number) for group, number in numbers.items())
        self._uses = _Names((group.uses, number) for group, number in numbers.items())
        self._headers = _Names((group.headers, number) for group, number in numbers.items())
        # An expression without any special character finds a text in a third of the time that `in` takes.
        self._texts = {
            number: [lazy_pattern(re.escape(text)) for text in group.texts]
            for group, number in numbers.items()
            if group.texts
        }
        of_facts: dict[Fact, set[int]] = {}
        for group, number in numbers.items():
            for fact in group.facts:
                of_facts.setdefault(fact, set()).add(number)
        self._facts = [(_FACTS[fact], frozenset(asking)) for fact, asking in of_facts.items()]

    def matching(self, unit: Unit) -> list[bool]:
        """Whether a unit meets the triggers, every group of them: for each rule in order.

        Texts come last, where nothing else keeps a rule away: each is searched for in the whole source.
        """
        met = self._words.matching_groups(unit.lexemes.words)
        met |= self._uses.matching_groups({name.encode() for name in {use.row.name for use in unit.uses}})
        met |= self._headers.matching_groups({path.encode(errors="replace") for path in unit.headers})
        for holds, numbers in self._facts:
            if not met.issuperset(numbers) and holds(unit):
                met |= numbers
        data = unit.source.data
        possible = met | self._texts.keys()
        for gate in self._gates:
            if gate <= possible:
                for number in sorted(gate - met):
                    if not any(text.search(data) for text in self._texts[number]):
                        possible.discard(number)
                        break
                    met.add(number)
        return list(map(met.issuperset, self._gates))


class _Names:
    """Which groups of triggers the names of one kind meet: words, uses or headers.

    The sources of a project share most of their names: parts are searched for in each name once, not once per source.
    """

    def __init__(self, asked: Iterable[tuple[Patterns | None, int]]) -> None:
        self._whole: dict[bytes, set[int]] = {}
        self._parts: dict[bytes, set[int]] = {}
        for patterns, number in asked:
            for text in patterns.whole if patterns is not None else ():
                self._whole.setdefault(text, set()).add(number)
            for text in patterns.parts if patterns is not None else ():
                self._parts.setdefault(text, set()).add(number)
        self._lock = allocate_lock()
        self._forget()

    def _forget(self) -> None:
        self._searched: set[bytes] = set()
        self._met_by = {name: set(numbers) for name, numbers in self._whole.items()}
        """The groups that each of the searched names meets, if any."""

    def matching_groups(self, names: set[bytes]) -> set[int]:
        """The numbers of the groups that some of the names meet."""
        with self._lock:
            if len(self._searched) > _MOST_NAMES:
                self._forget()
            self._search(names - self._searched)
            return set().union(*map(self._met_by.__getitem__, self._met_by.keys() & names))

    def _search(self, names: set[bytes]) -> None:
        """Search for the parts in names, all of them at once: one per line."""
        if not names or not self._parts:
            return
        self._searched |= names
        lines = b"\n%b\n" % b"\n".join(names)
        for part, numbers in self._parts.items():
            place = lines.find(part)
            while place >= 0:
                start = lines.rfind(b"\n", 0, place + 1) + 1
                end = lines.find(b"\n", start)
                self._met_by.setdefault(lines[start:end], set()).update(numbers)
                place = lines.find(part, end)


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
    """Whether two names of a kind in the source have one HIP name."""
    names: dict[str | None, str] = {}
    return any(names.setdefault(use.row.hip, use.row.name) != use.row.name for use in unit.uses if use.row.kind == kind)


def _kinds_used(unit: Unit) -> frozenset[str]:
    return frozenset({use.row.kind for use in unit.uses})


_FACTS: dict[Fact, Callable[[Unit], bool]] = {
    Fact.USES: lambda unit: bool(unit.uses),
    Fact.USED_FUNCTIONS: lambda unit: "function" in unit.analysis(_kinds_used),
    Fact.USED_TYPES: lambda unit: "type" in unit.analysis(_kinds_used),
    Fact.USED_MACROS: lambda unit: "macro" in unit.analysis(_kinds_used),
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
    Fact.SYNC_WORDS: lambda unit: (
        b"_sync" in unit.source.data
        and any(b"_sync" in word and not word.startswith(b"__syncthreads") for word in unit.lexemes.words)
    ),
    Fact.DUAL: lambda unit: unit.options.dual,
    Fact.TARGETS_CUDA: lambda unit: bool(unit.options.targeting.cuda),
    Fact.TARGETS_ROCM: lambda unit: bool(unit.options.targeting.rocm),
    Fact.PROJECT_GROUP_ALIASES: lambda unit: (
        not unit.project.group_aliases.isdisjoint(unit.lexemes.words)
        or calls_namespace(unit.project, unit.lexemes.words, b"cooperative_groups")
    ),
    Fact.WARP_OPERATIONS: lambda unit: any(use.row.details and "warp32" in use.row.details for use in unit.uses),
    Fact.PROJECT_ATTRIBUTES: lambda unit: not unit.lexemes.words.isdisjoint(unit.project.attributes),
    Fact.PROJECT_ADDRESSES: lambda unit: any(name in unit.lexemes.words for _, name in unit.project.addresses.names),
    Fact.PROJECT_WAITING_FUNCTIONS: lambda unit: not unit.lexemes.words.isdisjoint(unit.project.waiting_functions),
}
