"""Looks symbols up in the compiled catalog."""

from __future__ import annotations

import marshal
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from hipify_py.catalog.names import Names, Words
from hipify_py.core.findings import Diagnostic
from hipify_py.core.rows import Family, Row
from hipify_py.core.targeting import NEWEST, ROC, Targeting, for_call, other_targets, select

# Names that look as if a table should have them, by prefix.


class NamePrefixes(Container[bytes]):
    """All names with certain prefixes. Not a regular expression: that takes milliseconds to compile."""

    __slots__ = ("_lengths", "_prefixes", "_whole", "initials")

    def __init__(self, prefixes: Iterable[bytes], families: Iterable[bytes]) -> None:
        """After a prefix in lower case a name continues with a capital, after one in capitals with an underscore.

        After a prefix that ends in an underscore, and after that of a family, it continues in any way.
        """
        unique = frozenset(prefixes)
        self._whole = (*families, *(prefix for prefix in unique if prefix.endswith(b"_")))
        self._prefixes = unique.difference(self._whole)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        self.initials = frozenset(prefix[:2] for prefix in (*self._whole, *self._prefixes))
        """The first two letters of the names, and no others."""

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, bytes)
        for length in self._lengths:
            if name[:length] in self._prefixes and self._continues(name, length):
                return True
        return name.startswith(self._whole)

    @staticmethod
    def _continues(name: bytes, length: int) -> bool:
        following = name[length : length + 1]
        return following.isupper() if name[length - 1 : length].islower() else following == b"_"


# A compiled row: three digits of section number, then `=` and the HIP name, or `@` and the place of the
# marshalled details as `offset,length`. Rows have no newline (see `names.py`).
PLAIN, LONG = b"=", b"@"


class Catalog:
    """All mapping tables and the register of diagnostics, decoded row by row on demand."""

    __slots__ = (
        "_candidates",
        "_common",
        "_details",
        "_diagnostics",
        "_family_prefixes",
        "_found_diagnostics",
        "_found_families",
        "_names",
        "_rows",
        "_sections",
        "constructed",
        "demands",
        "families",
        "further",
        "inner_namespaces",
        "loaded",
        "members",
        "nested",
        "overloads",
        "switches",
        "targeting",
        "words",
    )

    def __init__(self, image: dict[str, Any], targeting: Targeting = NEWEST) -> None:
        """Rows are selected for `targeting`."""
        self.targeting = targeting
        self._names = Names(image["names"], image["places"])
        self.members: dict[bytes, dict[bytes, bytes]] = image["members"]
        """Encoded rows of struct fields, by struct and field."""
        self.nested: frozenset[bytes] = frozenset(image["nested"])
        """First segments of the qualified names (`cub`, `thrust`, `cooperative_groups` …)."""
        self.words = Words(self._names, self.nested)
        """The names, and the first segments of the qualified ones."""
        self.inner_namespaces: dict[bytes, list[bytes]] = image["inner_namespaces"]
        """Namespaces of the tables that are nested in another one, by that one (`nvcuda`: `wmma`)."""
        self.overloads: dict[str, frozenset[str]] = image["overloads"]
        """Parameter lists of HIP's own functions that CUDA does not have, by name."""
        self.loaded: dict[str, tuple[str, str]] = image["loaded"]
        """For each shared library, by its name without extension: its table, and the library that replaces it."""
        self.constructed: dict[bytes, str] = image["constructed"]
        """Types whose variables HIP would construct: `shared` if `__shared__` ones are rejected, `device` if those
        of `__device__` are too. A name that ends in `*` means all names with that prefix.
        """
        self.demands: dict[str, str] = image["demands"]
        """What headers of HIP demand of the place of their include (see `mappings/schema.json`)."""
        self.switches: dict[bytes, str] = image["switches"]
        """Macros that sources define for headers to read, with these headers (see `mappings/schema.json`)."""
        further: bytes = image["further"]
        self.further: re.Pattern[bytes] | None = re.compile(further) if further else None
        """Matches the names of the user's own tables; None without such tables."""
        self._sections: list[tuple[str, str, str]] = image["sections"]
        self._details: bytes | memoryview = image["details"]
        self.families = [Family(*entry) for entry in image["families"]]
        """Prefix rules for names in no table."""
        self._found_families: dict[tuple[str, bool], Family | None] = {}
        self._common = min((len(family.prefix) for family in self.families), default=0)
        self._family_prefixes: dict[str, tuple[str, ...]] = {}
        """The prefixes of families, cut to the length of the shortest: most names begin with none of them."""
        for family in self.families:
            initials = family.prefix[: self._common]
            self._family_prefixes[initials] = (*self._family_prefixes.get(initials, ()), family.prefix)
        self._candidates: list[tuple[str, str]] = image["unmapped_candidates"]
        self._diagnostics: dict[str, tuple[str, ...]] = image["diagnostics"]
        self._found_diagnostics: dict[str, Diagnostic] = {}
        self._rows: dict[bytes, Row] = {}

    @property
    def names(self) -> Mapping[bytes, bytes]:
        """Encoded rows by CUDA name, all of them."""
        return self._names.all()

    def __len__(self) -> int:
        return len(self.names) + sum(len(fields) for fields in self.members.values())

    def row(self, name: bytes) -> Row | None:
        """The row of a symbol, qualified name or header path; None when no table has it."""
        row = self._rows.get(name)
        if row is None:
            packed = self._names.row(name)
            if packed is None:
                return None
            row = self._rows[name] = self._decode(name.decode(), packed)
        return row

    def form(self, row: Row, count: int, type_at: Mapping[int, str]) -> Row:
        """The form of one of this catalog's rows for a call of `count` arguments (see `targeting.for_call`)."""
        return for_call(row, count, type_at, self.targeting)

    def member(self, struct: bytes, field: bytes) -> Row | None:
        """The row of a struct's field; None when the field is the same in HIP."""
        packed = self.members.get(struct, {}).get(field)
        return None if packed is None else self._decode(f"{struct.decode()}.{field.decode()}", packed)

    def family(self, name: str, *, header: bool = False) -> Family | None:
        """The family that a name (or header path) in no table belongs to, by longest prefix."""
        if not name.startswith(self._family_prefixes.get(name[: self._common], ())):
            return None
        key = (name, header)
        if key not in self._found_families:
            found = [f for f in self.families if f.is_header is header and name.startswith(f.prefix)]
            self._found_families[key] = max(found, key=lambda f: len(f.prefix), default=None)
        return self._found_families[key]

    def candidate_library(self, name: str) -> str | None:
        """The library that a name in no table seems to belong to (`cublasFoo` -> `cublas`), or None."""
        for prefix, library in self._candidates:
            if name.startswith(prefix) and _continues(prefix, name[len(prefix) : len(prefix) + 1]):
                return library
        return None

    @property
    def candidate_prefixes(self) -> frozenset[str]:
        """The prefixes of names that look as if a table should have them."""
        return frozenset(prefix for prefix, _ in self._candidates)

    def unmapped_candidates(self) -> NamePrefixes:
        """The names with a prefix of some table or family."""
        return NamePrefixes(
            (prefix.encode() for prefix in self.candidate_prefixes),
            (family.prefix.encode() for family in self.families if _is_name(family)),
        )

    def diagnostic(self, id: str) -> Diagnostic:
        """The register's entry of a finding.

        Raises:
            KeyError: the register does not have the id.
        """
        found = self._found_diagnostics.get(id)
        if found is None:
            found = self._found_diagnostics[id] = Diagnostic(id, *self._diagnostics[id])
        return found

    def has_diagnostic(self, id: str) -> bool:
        """Whether the register has an entry of that id."""
        return id in self._diagnostics

    def diagnostics(self) -> list[Diagnostic]:
        """The whole register, by id."""
        return [self.diagnostic(id) for id in sorted(self._diagnostics)]

    def rows(self) -> Iterator[Row]:
        """Every row of every table, members (as `Struct.field`) included."""
        for name in self.names:
            row = self.row(name)
            if row is not None:
                yield row
        for struct, fields in self.members.items():
            for field in fields:
                row = self.member(struct, field)
                if row is not None:
                    yield row

    def headers_of(self, library: str) -> Iterator[Row]:
        """The rows of a library's headers; faster than iterating over `rows`."""
        sections = {b"%03d" % n for n, (of, kind, _) in enumerate(self._sections) if (of, kind) == (library, "header")}
        for name, packed in self.names.items():
            if packed[:3] in sections and (row := self.row(name)) is not None:
                yield row

    def libraries_of_header(self, path: str) -> frozenset[str]:
        """The libraries that have a header of this name, by its row or its prefix; none for any other header."""
        row, family = self.row(path.encode("utf-8", "surrogateescape")), self.family(path, header=True)
        return frozenset(entry.library for entry in (row, family) if entry is not None)

    def rows_for_other_rocms(self) -> Iterator[Row]:
        """The contents of rows for other versions of ROCm than the chosen one (see `other_targets`)."""
        packed = [*self.names.items()]
        packed += [
            (struct + b"." + field, encoded)
            for struct, fields in self.members.items()
            for field, encoded in fields.items()
        ]
        for name, encoded in packed:
            if encoded[3:4] != PLAIN:
                row, native = self._source_row(name.decode(), encoded)
                yield from other_targets(row, self.targeting, native)

    def rows_with(self, text: bytes) -> Iterator[Row]:
        """The rows that contain a text; faster than iterating over `rows`."""
        details = bytes(self._details)
        is_in_details = text in details  # as few names are; plain rows have what they contain in clear
        for name, packed in self.names.items():
            if (is_in_details or text in packed) and text in _fields(packed, details):
                row = self.row(name)
                if row is not None:
                    yield row
        for struct, fields in self.members.items():
            for field, packed in fields.items():
                if (is_in_details or text in packed) and text in _fields(packed, details):
                    row = self.member(struct, field)
                    if row is not None:
                        yield row

    def _decode(self, name: str, packed: bytes) -> Row:
        row, native = self._source_row(name, packed)
        if packed[3:4] == PLAIN and not (native and self.targeting.target == ROC):
            return row
        return select(row, self.targeting, native)

    def _source_row(self, name: str, packed: bytes) -> tuple[Row, str]:
        """A row as written in its table, and the ROCm-native library of the table."""
        library, kind, native = self._sections[int(packed[:3])]
        if packed[3:4] == PLAIN:
            return Row(name, library, kind, packed[4:].decode(), {}), native
        start, length = map(int, packed[4:].split(b","))
        hip, details = marshal.loads(self._details[start : start + length])  # of the same file  # nosec B302
        return Row(name, library, kind, hip, details), native


def _fields(packed: bytes, details: bytes) -> bytes:
    """The content of a compiled row, with texts in clear."""
    if packed[3:4] == PLAIN:
        return packed[4:]
    start, length = map(int, packed[4:].split(b","))
    return details[start : start + length]


def _continues(prefix: str, following: str) -> bool:
    """Whether a name continues after a prefix: in camel case (`cudaMalloc`) or, in capitals, with an underscore."""
    if prefix[-1].islower():
        return following.isupper()
    return prefix[-1] == "_" or following == "_"


def _is_name(family: Family) -> bool:
    return not family.is_header and family.prefix.isidentifier()
