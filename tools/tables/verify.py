"""Holds the mapping tables against what header sets declare.

What no set can tell is counted as not checked, never as right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hipify_py.core.rows import Row
from hipify_py.core.targeting import Targeting, for_call, older_forms, select
from tools.tables.compare import Sides, difference
from tools.tables.edited import edited_signature
from tools.tables.evidence import (
    FUNCTIONS,
    Evidence,
    Presence,
    enumerators,
    first_version,
    gone_since,
    version_key,
)
from tools.tables.libraries import is_public_header, library_of_header, library_of_name
from tools.tables.rows import Entry, Fields, Tables, is_rocm_name, on_side, special_forms
from tools.tables.signatures import split_signature
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol, is_public

UNCOVERED = "uncovered symbol"
WRONG_EDIT = "edits that do not fit"
KINDS_OF_PROBLEMS = (
    "unconfirmed CUDA name",
    "unconfirmed HIP name",
    "stale target",
    "wrong version",
    "undecided signature",
    "undecided roc signature",
    WRONG_EDIT,
    "enumerator number",
    UNCOVERED,
)

# These tables share headers: what one of them calls internal is so for all of them.
_TOOLKIT = frozenset(
    "runtime driver device math fp16 bf16 fp8 wmma cooperative_groups".split()  # noqa: SIM905
)
_HOST_SECTIONS = ("functions", "types", "enumerators", "members")


class Problem(NamedTuple):
    """A row, or a symbol without one, that the headers do not bear out."""

    table: str
    row: str
    kind: str
    what: str


class Verification(NamedTuple):
    """All problems found, their numbers by kind (uncovered symbols by CUDA version), and what no set could tell."""

    problems: list[Problem]
    figures: dict[str, int]
    unchecked: dict[str, int]


def verify(tables: Path, sets: Sequence[Surface], libraries: Collection[str] = ()) -> Verification:
    """Hold the tables of a folder (or the named ones) against header sets of both sides.

    Raises:
        TableError: for tables that cannot be read.
    """
    check = _Check(Tables(tables), sets)
    problems = [problem for problem in check.problems() if not libraries or problem.table in libraries]
    figures = dict.fromkeys(KINDS_OF_PROBLEMS, 0)
    figures.update({f"{UNCOVERED}, CUDA {surface.version}": 0 for surface in check.cuda.sets})
    for problem in problems:
        figures[problem.kind] += 1
        if problem.kind == UNCOVERED:
            for version in problem.what.rpartition("CUDA ")[2].split():
                figures[f"{UNCOVERED}, CUDA {version}"] += 1
    return Verification(problems, figures, dict(check.unchecked))


def figure_lines(figures: Mapping[str, int]) -> list[str]:
    """The figures as lines of text."""
    return [f"{count:6d}  {what}" for what, count in figures.items()]


class _Check:
    """One verification: the tables, the sets of both sides, and a count of what they could not tell."""

    def __init__(self, tables: Tables, sets: Sequence[Surface]) -> None:
        self.tables = tables
        self.cuda = Evidence([surface for surface in sets if surface.side == "cuda"])
        self.rocm = Evidence([surface for surface in sets if surface.side == "rocm"])
        self.names = {
            (side, table): tables.type_names(side, table) for side in ("hip", "roc") for table in tables.documents
        }
        self.target_headers = {side: _target_headers(tables, side) for side in ("hip", "roc")}
        self.unchecked: Counter[str] = Counter()

    def problems(self) -> Iterator[Problem]:
        for entry in self.tables.entries:
            if self.cuda.sets:
                yield from self._cuda_name(entry)
            if self.rocm.sets:
                yield from self._targets(entry)
            if self.cuda.sets and self.rocm.sets:
                yield from self._signatures(entry)
                yield from self._numbers(entry)
        yield from self._uncovered()

    def _cuda_name(self, entry: Entry) -> Iterator[Problem]:
        """A name that no CUDA set declares."""
        if entry.section == "headers":
            declared = entry.name in self.cuda.headers
        elif entry.section == "members":
            declared = any(_has_member(surface, entry.name) for surface in self.cuda.sets)
        else:
            declared = any(surface.declares(entry.name) for surface in self.cuda.sets)
        if not declared and not self.tables.excuses("unseen_cuda", entry.table, entry.name):
            yield Problem(entry.table, entry.name, "unconfirmed CUDA name", "no CUDA header set declares it")

    def _targets(self, entry: Entry) -> Iterator[Problem]:
        """HIP and ROCm names that the versions a row claims do not have."""
        for side in ("hip", "roc"):
            fields = on_side(entry.fields, side)
            name = fields.get("hip")
            if name and not fields.get("unsupported"):
                if entry.section == "headers":
                    yield from self._header(entry, name, side)
                elif entry.section == "members":
                    yield from self._member(entry, name)
                else:
                    presence = self._presence(entry, name, side)
                    yield from self._newest(entry, name, presence, (fields.get("rocm") or {}).get("removed", ""))
                    if not self.tables.excuses("unseen_hip", entry.table, name):
                        yield from _since(entry, fields, name, presence)
            for form in special_forms(fields):
                if form.get("hip"):
                    yield from self._newest(entry, form["hip"], self._presence(entry, form["hip"], side))
            for form in older_forms(fields):
                if form.get("hip") and form.get("rocm") and entry.section != "headers":
                    yield from self._below(entry, form["hip"], form["rocm"], side)

    def _presence(self, entry: Entry, name: str, side: str) -> Presence:
        """Where a target is; empty where no set can tell, and for what is no name of ROCm's."""
        name = name.partition("<")[0].strip()
        if not is_rocm_name(name):
            return []
        presence = self.rocm.presence(name)
        if any(there for _, there in presence) or (presence and self._can_deny(entry, library_of_name(name), side)):
            return presence
        if not self.tables.excuses("unseen_hip", entry.table, name):
            self.unchecked[f"{side} names of {library_of_name(name)}"] += 1
        return []

    def _can_deny(self, entry: Entry, library: str, side: str) -> bool:
        """True when a name that is in no set is none.

        Either a set is whole, or the name is one of a host API of which the bindings have all headers.
        """
        if any(surface.whole and library in surface.libraries for surface in self.rocm.sets):
            return True
        headers = self.target_headers[side].get(entry.table, set())
        return entry.section in _HOST_SECTIONS and headers <= self.rocm.headers

    def _newest(self, entry: Entry, name: str, presence: Presence, removed: str = "") -> Iterator[Problem]:
        """A target must be in the newest set, unless the row says that it is gone."""
        plain = name.partition("<")[0].strip()
        if not presence or presence[-1][1] or self.tables.excuses("unseen_hip", entry.table, plain):
            return
        gone = gone_since(presence)
        if not gone:
            looked = " ".join(version for version, _ in presence)
            yield Problem(entry.table, entry.name, "unconfirmed HIP name", f"{name} is in none of ROCm {looked}")
        elif not removed or version_key(removed) > version_key(gone):
            yield Problem(entry.table, entry.name, "stale target", f"{name} is gone since ROCm {gone}")

    def _below(self, entry: Entry, name: str, bound: str, side: str) -> Iterator[Problem]:
        """A target that holds below a version must be in the newest set below it."""
        presence = self._presence(entry, name, side)
        below = [(version, there) for version, there in presence if version_key(version) < version_key(bound)]
        if below and not below[-1][1]:
            what = f"{name}, the target before ROCm {bound}, is not in {below[-1][0]}"
            yield Problem(entry.table, entry.name, "stale target", what)

    def _header(self, entry: Entry, name: str, side: str) -> Iterator[Problem]:
        if name in self.rocm.headers or self.tables.excuses("unseen_hip", entry.table, name):
            return
        folder = name.rpartition("/")[0].partition("/")[0]
        if any(surface.whole and folder in surface.libraries for surface in self.rocm.sets):
            yield Problem(entry.table, entry.name, "unconfirmed HIP name", f"{name} is in no ROCm header set")
        else:
            self.unchecked[f"{side} headers of {folder or name}"] += 1

    def _member(self, entry: Entry, name: str) -> Iterator[Problem]:
        field = name.rpartition(".")[2]
        if not field.isidentifier() or any(field in surface.words for surface in self.rocm.sets):
            return
        if self.tables.excuses("unseen_hip", entry.table, name):
            return
        library = library_of_name(self.tables.target(entry.name.partition(".")[0], "hip"))
        if self._can_deny(entry, library, "hip"):
            yield Problem(entry.table, entry.name, "unconfirmed HIP name", f"no ROCm header set has a member {name}")
        else:
            self.unchecked[f"members of {library}"] += 1

    def _signatures(self, entry: Entry) -> Iterator[Problem]:
        """Parameters that differ, where the row does not say what becomes of them, or says it wrong."""
        if entry.section not in ("functions", "device_functions"):
            return
        for side in ("hip", "roc"):
            told: dict[tuple[str, str], list[str]] = {}
            for surface in self.cuda.sets:
                symbol = surface.symbols.get(entry.name)
                if symbol is not None and symbol.kind in FUNCTIONS:
                    for problem in self._calls(entry, symbol, surface.version, side):
                        versions = told.setdefault(problem, [])
                        if surface.version not in versions:
                            versions.append(surface.version)
            for (kind, what), versions in told.items():
                yield Problem(entry.table, entry.name, kind, f"{what} [CUDA {' '.join(versions)}]")

    def _calls(self, entry: Entry, symbol: Symbol, version: str, side: str) -> Iterator[tuple[str, str]]:
        """What is wrong with the calls that a version's signatures allow, as the engine would write them."""
        if side == "roc" and "roc" not in entry.fields:
            return
        targeting = Targeting(cuda=version, target=side)
        details = {key: value for key, value in entry.fields.items() if key != "hip"}
        kind = "device function" if entry.section == "device_functions" else "function"
        hip = None if entry.fields.get("unsupported") else entry.fields.get("hip")
        plain = select(Row(entry.name, entry.table, kind, hip, details), targeting, "native")
        for signature in symbol.signatures:
            if signature.startswith("template "):
                continue
            row = for_call(plain, len(split_signature(signature)[1]), {}, targeting)
            if row.hip is None or any(key in row.details for key in ("differs", "agrees", "by_type")):
                continue
            theirs, lookup = self.rocm.function(row.hip)
            if theirs and kind == "device function" and not self._is_whole(row.hip):
                self.unchecked["signatures of device functions"] += 1
                return
            form = edited_signature(signature, row.details) if row.edits_arguments else signature
            what = (
                difference([form], theirs, Sides(self.cuda.symbol, lookup, self.names[side, entry.table]))
                if form
                else ""
            )
            if what:
                undecided = "undecided signature" if side == "hip" else "undecided roc signature"
                yield WRONG_EDIT if row.edits_arguments else undecided, f"{row.hip}: {what}"

    def _is_whole(self, name: str) -> bool:
        """True when a whole set declares a name: parts of HIP's headers may lack some of its overloads."""
        return any(surface.whole and name in surface.symbols for surface in self.rocm.sets)

    def _numbers(self, entry: Entry) -> Iterator[Problem]:
        """Enumerators whose numbers differ although their enumeration's row does not list them."""
        if entry.section != "types":
            return
        for side in ("hip", "roc"):
            fields = on_side(entry.fields, side)
            if not fields.get("hip") or "by_library" in fields:
                continue
            told = {}
            merge_evidence = set(fields.get("values") or {})
            for symbol in enumerators(self.cuda.sets[-1], entry.name):
                target = self.tables.target(symbol.name, side)
                theirs = self.rocm.number(target) if target else ""
                if theirs == symbol.value:
                    merge_evidence.add(symbol.value)
                elif theirs:
                    told[symbol.value] = f"{symbol.name} is {symbol.value}, {target} is {theirs}"
            for number, what in told.items():
                if number not in merge_evidence:
                    yield Problem(entry.table, entry.name, "enumerator number", f"{what}: `values` does not list it")

    def _uncovered(self) -> Iterator[Problem]:
        """Public CUDA symbols and headers that nothing in the tables accounts for."""
        missing: dict[str, tuple[Symbol, list[str]]] = {}
        for surface in self.cuda.sets:
            headers = (Symbol(h, "header", library_of_header(h, "cuda"), h) for h in sorted(surface.headers))
            public = [h for h in headers if is_public_header(h.name) and "/details/" not in h.name]
            for symbol in (*public, *filter(is_public, surface.symbols.values())):
                if symbol.library in self.tables.documents and not self._is_covered(symbol):
                    missing.setdefault(symbol.name, (symbol, []))[1].append(surface.version)
        for name, (symbol, versions) in sorted(missing.items()):
            where = "header" if symbol.kind == "header" else f"{symbol.kind} of {symbol.header}"
            yield Problem(symbol.library, name, UNCOVERED, f"{where} in CUDA {' '.join(versions)}")

    def _is_covered(self, symbol: Symbol) -> bool:
        families = self.tables.header_prefixes if symbol.kind == "header" else self.tables.prefixes
        if symbol.name in self.tables.by_name or symbol.name.startswith(families):
            return True
        near = _TOOLKIT if symbol.library in _TOOLKIT else (symbol.library,)
        return any(self.tables.excuses("internal", library, symbol.name) for library in near)


def _target_headers(tables: Tables, side: str) -> dict[str, set[str]]:
    """The headers that the rows of each table map to."""
    headers: dict[str, set[str]] = {}
    for entry in tables.entries:
        if entry.section == "headers" and (name := tables.target(entry.name, side)):
            headers.setdefault(entry.table, set()).add(name)
    return headers


def _has_member(surface: Surface, name: str) -> bool:
    """True when a set has the struct and the field; fields of structs within the struct count."""
    struct, _, field = name.partition(".")
    return surface.declares(struct) and field in surface.words


def _since(entry: Entry, fields: Fields, name: str, presence: Presence) -> Iterator[Problem]:
    """The version that a row claims for its target, against the first from which on every set has the name."""
    if not presence or not presence[-1][1]:
        return
    absent, first = first_version(presence)
    claimed = str((fields.get("rocm") or {}).get("added", ""))
    bounds = [version_key(form["rocm"]) for form in older_forms(fields) if "rocm" in form]
    if claimed and version_key(claimed) > version_key(first):
        yield Problem(entry.table, entry.name, "wrong version", f"{name} is in ROCm {first}, not only since {claimed}")
    elif absent and version_key(claimed) <= version_key(absent) and max(bounds, default=()) <= version_key(absent):
        what = f"{name} is not in ROCm {absent}, first in {first}; the row says {claimed or 'nothing'}"
        yield Problem(entry.table, entry.name, "wrong version", what)
