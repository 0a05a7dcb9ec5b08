"""The mapping tables read backwards: which CUDA names become a HIP name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from hipify_py.catalog import Catalog, Row
from hipify_py.core.targeting import older_forms

WITH_ROC = "with --target roc"
_PLATFORMS = {"cuda": "CUDA", "rocm": "ROCm"}


class Origin(NamedTuple):
    """A row whose symbol becomes the HIP name, and when; `when` is empty for what always does."""

    row: Row
    when: str = ""


def origins(catalog: Catalog, name: str) -> list[Origin]:
    """What becomes this name, other names only: those that always do first, and of them those most like it."""
    found = []
    for row in catalog.rows_with(name.encode("utf-8", "surrogateescape")):
        conditions = [when for target, when in targets(row) if target == name]
        if conditions and row.name != name and not (row.kind == "member" and row.name.endswith(f".{name}")):
            found.append(Origin(row, conditions[0]))
    return sorted(found, key=lambda origin: (bool(origin.when), -_alike(origin.row.name, name), origin.row.name))


def _alike(one: str, other: str) -> int:
    """How much of their ends two names share."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(one), reversed(other), strict=False))
    return sum(1 for _ in pairs)


def targets(row: Row) -> Iterator[tuple[str, str]]:
    """What a symbol becomes, and when."""
    details = row.details
    if row.hip:
        yield row.hip, "with --experimental" if details.get("experimental") else ""
    yield from _target(details.get("support"), "from the support header")
    yield from _target(details.get("roc"), WITH_ROC)
    for count, form in details.get("by_arity", {}).items():
        yield from _target(form, f"called with {count} arguments")
    for types in details.get("by_type", {}).values():
        for type, form in types.items():
            yield from _target(form, f"called with {'braces' if type == '{}' else f'a {type}'}")
    for form in older_forms(details):
        bounds = " and ".join(f"{_PLATFORMS[side]} {form[side]}" for side in _PLATFORMS if side in form)
        yield from _target(form, f"before {bounds}")


def _target(form: str | Mapping[str, Any] | None, when: str) -> Iterator[tuple[str, str]]:
    target = form if isinstance(form, str) else (form or {}).get("hip")
    if target:
        yield str(target), when
