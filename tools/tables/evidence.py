"""Several header sets of one side, looked at together: what the newest says, and since when."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.tables.compare import Lookup
from tools.tables.libraries import library_of_name
from tools.tables.signatures import split_signature
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol

FUNCTIONS = ("function", "device function")

Presence = list[tuple[str, bool]]
"""In which versions a name is, oldest first."""

_LONGEST_CHAIN = 6


def version_key(version: str) -> tuple[int, ...]:
    """Versions in their order."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


class Evidence:
    """The header sets of one side, oldest first."""

    def __init__(self, sets: Sequence[Surface]) -> None:
        self.sets = sorted(sets, key=lambda surface: version_key(surface.version))
        self.headers = frozenset(header for surface in self.sets for header in surface.headers)
        self._symbols: dict[str, Symbol | None] = {}
        self._presences: dict[str, Presence] = {}

    def symbol(self, name: str) -> Symbol | None:
        """What the newest set that defines the name says of it, or failing that the newest that declares it."""
        if name not in self._symbols:
            found = [surface.symbols[name] for surface in reversed(self.sets) if name in surface.symbols]
            self._symbols[name] = next((symbol for symbol in found if _defines(symbol)), found[0] if found else None)
        return self._symbols[name]

    def symbol_within(self, surface: Surface) -> Lookup:
        """A lookup that prefers one set's own definitions, for the types of its functions."""

        def lookup(name: str) -> Symbol | None:
            symbol = surface.symbols.get(name)
            return symbol if symbol is not None and _defines(symbol) else self.symbol(name)

        return lookup

    def number(self, name: str) -> str:
        """An enumerator's number in the newest set that tells it; bindings do not."""
        for surface in reversed(self.sets):
            symbol = surface.symbols.get(name)
            if symbol is not None and symbol.kind == "enumerator" and symbol.value:
                return symbol.value
        return ""

    def function(self, name: str) -> tuple[tuple[str, ...], Lookup]:
        """A function's newest signatures, and the lookup for their types.

        Bindings know neither defaults nor C++ overloads: those come from the newest headers, where they have any.
        """
        declaring = [s for s in reversed(self.sets) if name in s.symbols and s.symbols[name].kind in FUNCTIONS]
        if not declaring:
            return (), self.symbol
        newest = declaring[0]
        with_headers = [surface for surface in declaring if surface.libraries]
        headers = [surface for surface in with_headers if surface.version == with_headers[0].version]
        if newest.symbols[name].library in newest.libraries:
            signatures = [signature for surface in headers for signature in surface.symbols[name].signatures]
        else:
            bound = [surface for surface in declaring if not surface.libraries]
            known = {_count(signature) for surface in bound for signature in surface.symbols[name].signatures}
            signatures = list(newest.symbols[name].signatures)
            for surface in headers:
                forms = surface.symbols[name].signatures
                signatures += [form for form in forms if form.endswith(" =)") or _count(form) not in known]
        return tuple(signatures), self.symbol_within(newest)

    def presence(self, name: str) -> Presence:
        """In which versions a HIP or ROCm name is, as far as the sets can tell; empty when none of them can.

        Bindings have no device code and no templates: where they never have a name, the headers decide, and of
        those only the sets that have a header in which the name ever stood.
        """
        if name not in self._presences:
            self._presences[name] = self._presence(name)
        return self._presences[name]

    def _presence(self, name: str) -> Presence:
        library = library_of_name(name)
        bound = [surface for surface in self.sets if library in surface.bound]
        if any(name in surface.symbols for surface in bound if library not in surface.libraries):
            return [(surface.version, name in surface.symbols) for surface in bound]
        told = [surface for surface in self.sets if library in surface.libraries]
        homes = {home for surface in told if (home := _home(surface, name))}
        told = [surface for surface in told if not homes or homes & surface.headers] or bound
        versions: dict[str, bool] = {}
        for surface in told:
            versions[surface.version] = versions.get(surface.version, False) or surface.declares(name)
        return list(versions.items())


def first_version(presence: Presence) -> tuple[str, str]:
    """The last version without the name (or nothing), and the first one from which on all have it (or nothing)."""
    absent = [version for version, there in presence if not there]
    last = absent[-1] if absent else ""
    later = (version for version, there in presence if there and version_key(version) > version_key(last))
    return last, next(later, "")


def gone_since(presence: Presence) -> str:
    """The first version without a name that an older one has; nothing when none has it, or the newest still does."""
    there = [place for place, (_, present) in enumerate(presence) if present]
    return presence[there[-1] + 1][0] if there and there[-1] + 1 < len(presence) else ""


def enumerators(surface: Surface, name: str) -> list[Symbol]:
    """The enumerators of a type in one set, its typedefs followed."""
    symbol = surface.symbols.get(name)
    for _ in range(_LONGEST_CHAIN):
        if symbol is None or symbol.value == "enum" or not symbol.alias_of:
            break
        symbol = surface.symbols.get(symbol.alias_of.removeprefix("enum "))
    if symbol is None or symbol.value != "enum":
        return []
    return [surface.symbols[field] for field in symbol.fields if field in surface.symbols]


def _defines(symbol: Symbol) -> bool:
    return bool(symbol.alias_of or symbol.value or symbol.signatures)


def _home(surface: Surface, name: str) -> str:
    """The header in which a set has a name, or nothing."""
    if not surface.declares(name):
        return ""
    symbol = surface.symbols.get(name)
    header = symbol.header if symbol is not None else surface.words.get(name.rpartition("::")[2], "")
    return header if header in surface.headers else ""


def _count(signature: str) -> int:
    return len(split_signature(signature)[1])
