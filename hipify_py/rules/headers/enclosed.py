"""Includes of headers that HIP's compiler rejects within the braces around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hipify_py.analysis.preprocessor.compiled import inactive_ranges
from hipify_py.frontend.enclosing_braces import LINKAGE, NAMESPACE, OTHER, Brace, brace_kind, braces_around
from hipify_py.frontend.unit import Unit
from hipify_py.rules.headers.runtime_header import RUNTIME

_FILE, _RUNTIME = "file", "runtime"
"""What headers demand (`demands` of the tables): no braces at all, or C++ linkage unless the runtime's header has been
included before. All others that demand anything demand C++ linkage.
"""


class Enclosure(NamedTuple):
    """The braces around an include, all of them of namespaces and linkage specifications.

    Attributes:
        opening: the offset of the innermost brace.
        is_alone: there is no other.
        has_c_linkage: what is declared there has C linkage.
        namespace: the innermost namespace in words; empty where there is none.
    """

    opening: int
    is_alone: bool
    has_c_linkage: bool
    namespace: str

    @property
    def inside(self) -> str:
        """A description of the braces in which headers are rejected."""
        return LINKAGE if self.has_c_linkage else self.namespace


def rejecting_braces(unit: Unit, place: int, header: str, before: list[str]) -> Enclosure | None:
    """The braces around an include in which HIP's header is rejected; None where there are none, or they are unknown.

    Args:
        unit: the source.
        place: the start of the include's path.
        header: the header of HIP.
        before: the headers of HIP that are certain to have been included before.
    """
    demands = unit.catalog.demands
    demand = demands.get(header, "")
    if not demand or _are_demands_met(demands, header, before):
        return None
    around = unit.analysis(_Braces).around(place)
    if around is None or around.has_c_linkage or (demand == _FILE and around.namespace):
        return around
    return None


def _are_demands_met(demands: Mapping[str, str], header: str, before: list[str]) -> bool:
    """Whether headers before a header include it, or what it needs, or may do so.

    Those that demand only the runtime's include some of that, and none of those that demand more.
    """
    if header == RUNTIME:
        return RUNTIME in before
    if demands[header] == _RUNTIME:
        return bool(before)
    return any(demands.get(path) != _RUNTIME for path in before)


class _Braces:
    """The braces around the includes of a source."""

    def __init__(self, unit: Unit) -> None:
        self._lexemes = unit.lexemes
        places = [include.start for include in unit.lexemes.includes]
        found, self._closed = braces_around(unit.lexemes, places, lambda place: place in inactive_ranges(unit))
        self._innermost = dict(zip(places, found, strict=True))
        self._known: dict[int, Enclosure | None] = {}

    def around(self, place: int) -> Enclosure | None:
        """The braces around the include at a place; None for none, unclosed braces and those of other code."""
        waiting: list[Brace] = []
        brace = self._innermost[place]
        while brace is not None and brace.opening not in self._known:
            waiting.append(brace)
            brace = brace.around
        is_outermost = brace is None
        found = None if brace is None else self._known[brace.opening]
        for inner in reversed(waiting):
            found = self._within(inner, found) if is_outermost or found is not None else None
            self._known[inner.opening] = found
            is_outermost = False
        return found

    def _within(self, brace: Brace, around: Enclosure | None) -> Enclosure | None:
        kind, name = brace_kind(self._lexemes, brace.opening)
        if kind == OTHER or brace.opening not in self._closed:
            return None
        has_c_linkage, namespace = (False, "") if around is None else (around.has_c_linkage, around.namespace)
        if kind == NAMESPACE:
            namespace = f"namespace {name.decode(errors='replace')}" if name else "an unnamed namespace"
        else:
            has_c_linkage = kind == LINKAGE
        return Enclosure(brace.opening, around is None, has_c_linkage, namespace)
