"""Derives from the header sets of CUDA when each symbol of the tables came, changed and went."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tools.tables.evidence import FUNCTIONS, Evidence, Presence, version_key
from tools.tables.rows import Entry, Fields
from tools.tables.surface import Surface

# Libraries that have versions of their own, whatever CUDA they are built for.
_ELSEWHERE = frozenset({"cudnn", "nccl", "nvshmem", "cutensor", "cusparselt", "libcudacxx"})
# C++ headers are read by their tokens alone: that a name is missing proves little, that it is there proves it.
_BY_TOKENS = frozenset({"cub", "thrust", "cooperative_groups"})
# A release and the next one; of others between two sets nothing is known. There was no CUDA 12.7.
_NEXT = {"11.8": "12.0", "12.6": "12.8", "12.9": "13.0"}


class _Span(NamedTuple):
    """An event lies after version `after` (nothing: no set is older) and not after version `by`."""

    after: str
    by: str

    @property
    def version(self) -> str:
        """The version of the event, where the sets leave one only: releases drop symbols at a new major version."""
        return self.by if self.is_exact else ""

    @property
    def is_exact(self) -> bool:
        return self.by == _NEXT.get(self.after, _next_minor(self.after))

    def allows(self, version: str) -> bool:
        """The version that a row claims can be true."""
        return version_key(self.after or "0") < version_key(version) <= version_key(self.by)


def cuda_versions(entry: Entry, ours: Evidence) -> Fields:
    """`cuda` of a row, where the sets contradict it or know more; nothing where they do not."""
    if entry.table in _ELSEWHERE or entry.section in ("members", "namespaces"):
        return {}
    told = _told(entry, ours)
    presence = [(surface.version, _has(surface, entry)) for surface in told]
    if not any(there for _, there in presence):
        return {}
    was: Fields = dict(entry.fields.get("cuda") or {})
    versions = dict(was)
    if entry.table in _BY_TOKENS:
        if "removed" not in was or not presence[-1][1]:
            return {}
        versions.pop("removed")
        return {"cuda": versions or None}
    _settle(versions, "added", _came(presence))
    _settle(versions, "removed", _went(presence))
    if "changed" not in versions and (changed := _changed(entry.name, told)):
        versions["changed"] = changed
    if version_key(str(versions.get("added", "0"))) >= version_key(str(versions.get("changed", "99"))):
        versions.pop("changed", None)
    return {} if versions == was else {"cuda": versions or None}


def _settle(versions: Fields, event: str, span: _Span | None) -> None:
    """Make one field agree with the span that the sets leave for its event; no span: it has not happened."""
    claimed = versions.get(event)
    if span is None:
        if event == "removed" or claimed is None:
            versions.pop(event, None)
    elif claimed is None or not span.allows(str(claimed)):
        if span.version:
            versions[event] = span.version
        elif claimed is not None:
            versions.pop(event)


def _told(entry: Entry, ours: Evidence) -> list[Surface]:
    """The sets that hold the symbol's library, oldest first, one a version."""
    if entry.section == "headers":
        homes = {entry.table}
    else:
        homes = {surface.symbols[entry.name].library for surface in ours.sets if entry.name in surface.symbols}
    return [surface for surface in ours.sets if homes & surface.libraries]


def _has(surface: Surface, entry: Entry) -> bool:
    return entry.name in (surface.headers if entry.section == "headers" else surface.symbols)


def _came(presence: Presence) -> _Span | None:
    """When the name came; None when the oldest set that can tell has it."""
    first = next(place for place, (_, there) in enumerate(presence) if there)
    return _Span(presence[first - 1][0], presence[first][0]) if first else None


def _went(presence: Presence) -> _Span | None:
    """When the name went; None when the newest set has it. Releases drop names at a new major version only."""
    last = max(place for place, (_, there) in enumerate(presence) if there)
    if last + 1 == len(presence):
        return None
    after, by = presence[last][0], presence[last + 1][0]
    major = by.partition(".")[0]
    return _Span(after, by if after.partition(".")[0] == major else f"{major}.0")


def _changed(name: str, told: list[Surface]) -> str:
    """The last version that declares a function otherwise than the version before it; nothing when none does."""
    forms = [
        (surface.version, {_plain(text) for text in surface.symbols[name].signatures})
        for surface in told
        if name in surface.symbols and surface.symbols[name].kind in FUNCTIONS
    ]
    changes = [_Span(old, new) for (old, one), (new, other) in pairwise(forms) if one and other and not one & other]
    return changes[-1].version if changes else ""


def _plain(signature: str) -> str:
    return "".join(signature.replace("const", "").split())


def _next_minor(version: str) -> str:
    major, _, minor = version.partition(".")
    return f"{major}.{int(minor) + 1}" if minor.isdigit() else ""
