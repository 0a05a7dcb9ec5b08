"""What a new version of CUDA or ROCm means for the tables: a patch to look through, with TODO where it takes a person.

New symbols become rows: mapped where ROCm has the name that CUDA's prefix becomes, unsupported otherwise. Rows of
functions with a new signature get a note, and those of symbols and targets that are gone say since when.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hipify_py.core.rows import KINDS
from tools.tables.compare import Sides, difference
from tools.tables.evidence import FUNCTIONS, Evidence, first_version, version_key
from tools.tables.rows import Entry, Fields, Tables, is_decided
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol
from tools.tables.verify import UNCOVERED, verify

Document = dict[str, Any]
Found = tuple[str, str, str, Fields]
"""Table, section, name, and the fields to lay over the row."""

_SECTIONS = {kind: section for section, kind in KINDS.items()}
_PREFIXES = (
    ("cuda", "hip"),
    ("CUDA_", "HIP_"),
    ("CUDA", "HIP"),
    ("cudnn", "miopen"),
    ("CUDNN_", "MIOPEN_"),
    ("nvrtc", "hiprtc"),
    ("NVRTC_", "HIPRTC_"),
    ("nccl", "nccl"),
    ("NCCL_", "NCCL_"),
    ("cub::", "hipcub::"),
    ("thrust::", "thrust::"),
    ("__nv_", "__hip_"),
    ("cu", "hip"),
    ("CU", "HIP"),
)


def diff(tables: Path, new: Sequence[Surface], known: Sequence[Surface]) -> Document:
    """The patch that new header sets call for, against the tables of a folder and the sets known so far.

    Raises:
        TableError: for tables that cannot be read.
    """
    read = Tables(tables)
    changes = _Changes(read, new, known)
    patch: Document = {}
    for table, section, name, fields in (*_added(tables, read, new, known), *changes.found()):
        rows = patch.setdefault(table, {}).setdefault(section, {})
        rows[name] = {**rows.get(name, {}), **fields}
    return patch


def hip_name(name: str) -> str:
    """The name that a CUDA name's prefix becomes, or nothing for a prefix without a counterpart."""
    return next((new + name[len(old) :] for old, new in _PREFIXES if name.startswith(old)), "")


def _added(tables: Path, read: Tables, new: Sequence[Surface], known: Sequence[Surface]) -> Iterator[Found]:
    """Rows for public symbols of the new CUDA sets that the tables do not account for."""
    ours = Evidence([surface for surface in (*known, *new) if surface.side == "cuda"])
    theirs = Evidence([surface for surface in (*known, *new) if surface.side == "rocm"])
    names = read.type_names("hip")
    for surface in new:
        if surface.side != "cuda":
            continue
        for problem in verify(tables, [surface]).problems:
            if problem.kind == UNCOVERED:
                symbol = surface.symbols.get(problem.row) or Symbol(problem.row, "header")
                fields = _proposed(symbol, Sides(ours.symbol, theirs.symbol, names), theirs)
                if not any(other.declares(symbol.name) for other in known if other.side == "cuda"):
                    fields["cuda"] = {"added": surface.version}
                yield problem.table, _SECTIONS[symbol.kind], symbol.name, fields


def _proposed(symbol: Symbol, sides: Sides, theirs: Evidence) -> Fields:
    name = hip_name(symbol.name)
    presence = theirs.presence(name) if name and symbol.kind != "header" else []
    if not presence or not presence[-1][1]:
        return {"unsupported": True, "advice": "TODO: what a porter does instead."}
    fields: Fields = {"hip": name}
    signatures, lookup = theirs.function(name)
    what = difference(symbol.signatures, signatures, sides._replace(hip=lookup))
    if what:
        fields["differs"] = f"TODO: {what}"
    absent, first = first_version(presence)
    if absent:
        fields["rocm"] = {"added": first}
    return fields


class _Changes:
    """What becomes of the rows that are there."""

    def __init__(self, tables: Tables, new: Sequence[Surface], known: Sequence[Surface]) -> None:
        self.tables = tables
        self.names = tables.type_names("hip")
        self.new = sorted(new, key=lambda surface: version_key(surface.version))
        self.cuda = Evidence([surface for surface in known if surface.side == "cuda"])
        self.rocm = Evidence([surface for surface in (*known, *new) if surface.side == "rocm"])
        self.fresh = {surface.version for surface in new if surface.side == "rocm"}

    def found(self) -> Iterator[Found]:
        for entry in self.tables.entries:
            fields: Fields = {}
            if entry.section not in ("headers", "members"):
                for surface in self.new:
                    if surface.side == "cuda" and entry.table in surface.libraries:
                        fields |= self._of_cuda(entry, surface)
                if self.fresh:
                    fields |= self._of_rocm(entry)
            if fields:
                yield entry.table, entry.section, entry.name, fields

    def _of_cuda(self, entry: Entry, surface: Surface) -> Fields:
        """A symbol that is gone, or has another signature than in the newest set known so far."""
        versions = entry.fields.get("cuda") or {}
        was = self._known(entry, surface)
        if was is None or version_key(versions.get("removed", "999")) <= version_key(surface.version):
            return {}
        if not surface.declares(entry.name):
            return {"cuda": {**versions, "removed": surface.version}}
        now = surface.symbols.get(entry.name)
        before, after = _forms(was), _forms(now)
        if not before or not set(after) - set(before):
            return {}
        fields: Fields = {"cuda": {**versions, "changed": surface.version}}
        if not entry.fields.get("unsupported") and not is_decided(entry.fields):
            fields["note"] = f"TODO: CUDA {surface.version} has {'; '.join(after)}, before it had {'; '.join(before)}"
        return fields

    def _known(self, entry: Entry, surface: Surface) -> Symbol | None:
        """The symbol in the newest known set of its library that is no newer than `surface`, if that has it."""
        older = (
            known
            for known in reversed(self.cuda.sets)
            if entry.table in known.libraries and version_key(known.version) <= version_key(surface.version)
        )
        newest = next(older, None)
        return None if newest is None else newest.symbols.get(entry.name)

    def _of_rocm(self, entry: Entry) -> Fields:
        """A target that is gone in a new set, or a first target for what had none."""
        name = entry.fields.get("hip")
        versions = entry.fields.get("rocm") or {}
        if name and re.fullmatch(r"[\w:]+", name):
            presence = self.rocm.presence(name)
            if len(presence) > 1 and presence[-2][1] and not presence[-1][1] and presence[-1][0] in self.fresh:
                return {"rocm": {**versions, "removed": presence[-1][0]}}
        elif entry.fields.get("unsupported"):
            name = hip_name(entry.name)
            presence = self.rocm.presence(name) if name else []
            absent, first = first_version(presence)
            symbol = self.cuda.symbol(entry.name)
            if absent and first in self.fresh and symbol is not None:
                return _proposed(symbol, Sides(self.cuda.symbol, self.rocm.symbol, self.names), self.rocm)
        return {}


def _forms(symbol: Symbol | None) -> list[str]:
    """The signatures of a function, without templates."""
    if symbol is None or symbol.kind not in FUNCTIONS:
        return []
    return [signature for signature in symbol.signatures if not signature.startswith("template ")]
