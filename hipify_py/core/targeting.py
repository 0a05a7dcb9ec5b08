"""Selects the contents of rows for the CUDA version that is read, and the ROCm version and target that are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.rows import Row

NEWEST_ROCM = "10.0"
NEWEST_CUDA = "13.5"
OLDEST_ROCM = "5.2"
"""The tables do not distinguish older versions."""

WARP_SYNC_MACRO = b"HIP_ENABLE_WARP_SYNC_BUILTINS"
"""The macro without which some versions of HIP's headers do not declare the `_sync` built-ins."""

_RECENT = (7, 3)
# Whoever does not choose a ROCm may well compile with an older one: targets this new are noted.

HIP, ROC = "hip", "roc"
"""The targets: the portable libraries (hipBLAS …), and ROCm's own (rocBLAS …)."""

_VERSION = lazy_pattern(r"([0-9]{1,4})\.([0-9]{1,4})(?:\.[0-9]+)*")
# The fields about the CUDA symbol hold for any target.
_OF_CUDA = ("cuda", "enums", "standard", "main", "switch", "warp32")
# The fields about the plain form of a call do not hold for a form that has a row of its own.
_OF_FORM = (
    "by_arity",
    "by_type",
    "support",
    "before",
    "rocm",
    "fails",
    "note",
    "note_for_constants",
    "differs",
    "agrees",
    "args",
    "insert",
    "order",
    "recall",
    "advice",
)


class Targeting(NamedTuple):
    """The choices that select a row's form.

    Attributes:
        cuda: the CUDA version that the source is written for, as `"12.6"`; empty for the newest.
        rocm: the ROCm version that the result is compiled with; empty for the newest.
        target: `"hip"` for the portable libraries, `"roc"` for ROCm's own.
        tables: paths of further tables, whose rows override the shipped ones and those of earlier tables.
    """

    cuda: str = ""
    rocm: str = ""
    target: str = HIP
    tables: tuple[str, ...] = ()


NEWEST = Targeting()


def versions_line(targeting: Targeting) -> str:
    """The versions that a run's report holds for, in words."""
    return f"CUDA {targeting.cuda or NEWEST_CUDA}, ROCm {targeting.rocm or NEWEST_ROCM}, target {targeting.target}"


def version(text: str, example: str = "6.4") -> tuple[int, int]:
    """A version as numbers: `"6.4.1"` is `(6, 4)`; `example` is for the error's message.

    Raises:
        ValueError: it is not a version.
    """
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a version of the form X.Y, such as {example}")
    return int(match[1]), int(match[2])


def select(row: Row, targeting: Targeting, native: str = "") -> Row:
    """The content of a row for a targeting.

    Args:
        row: the row as written in its table.
        targeting: the chosen versions and target.
        native: the ROCm-native library of the row's table, if it has one.
    """
    if targeting.target == ROC and (native or "roc" in row.details):
        row = _native(row, native)
    details = row.details
    if "before" in details:
        for form in older_forms(row.details):
            if _holds(form, targeting):
                fields = {key: value for key, value in form.items() if key not in ("cuda", "rocm")}
                if form.get("unsupported") and "rocm" in form and row.hip:
                    fields["later"] = {"rocm": form["rocm"], "hip": row.hip}
                row = _with(row, fields, "rocm")
                break
    return _available(row, targeting) if "rocm" in details else row


def other_targets(row: Row, targeting: Targeting, native: str = "") -> Iterator[Row]:
    """The contents of a row for other versions of ROCm than the chosen one, once for each target.

    The chosen one's target counts as another where only the chosen one has it.
    """
    bounds = row.details.get("rocm", {})
    versions = [form["rocm"] for form in older_forms(row.details) if "rocm" in form]
    versions += [bounds[side] for side in ("added", "removed") if side in bounds]
    chosen = select(row, targeting, native)
    visited: set[str | None] = {None} if chosen.differs else {chosen.hip, None}
    for rocm in (NEWEST_ROCM, *sorted(versions, key=version, reverse=True), OLDEST_ROCM) if versions else ():
        other = select(row, targeting._replace(rocm=rocm), native)
        if other.hip not in visited and not (other.differs and other.hip == chosen.hip):
            visited.add(other.hip)
            yield other


def for_call(row: Row, count: int, type_at: Mapping[int, str], targeting: Targeting) -> Row:
    """The form of a row that holds for a call of `count` arguments.

    Args:
        row: a row as `select` returns it.
        count: the number of arguments of the call in the source.
        type_at: the types of the arguments that are variables of known types, by position.
        targeting: the targeting of the catalog.
    """
    details = row.details
    choice = details.get("by_arity", {}).get(str(count))
    for position, types in details.get("by_type", {}).items():
        choice = types.get(type_at.get(int(position), ""), choice)
    if choice is None:
        return row
    general = {key: value for key, value in details.items() if key not in _OF_FORM and key != "unsupported"}
    choice = {"hip": choice} if isinstance(choice, str) else choice
    hip = None if choice.get("unsupported") else choice.get("hip", row.hip)
    return select(Row(row.name, row.library, row.kind, hip, {**general, **choice}), targeting._replace(target=HIP))


def support_form(row: Row, targeting: Targeting) -> Row:
    """The row as the support header has it, where the chosen ROCm or some GPU lacks the symbol; else the row itself.

    Whoever does not choose a ROCm may well have one in which a recent addition is missing.
    """
    support = row.details.get("support")
    if support is None:
        return row
    added = row.details.get("rocm", {}).get("added")
    recent = bool(added) and not targeting.rocm and version(added) >= _RECENT
    if not (row.is_unsupported or recent or support.get("always")):
        return row
    cuda_fields = {key: row.details[key] for key in _OF_CUDA if key in row.details}
    fields = {key: value for key, value in support.items() if key != "hip"}
    return Row(row.name, row.library, row.kind, support.get("hip"), {**cuda_fields, **fields})


def with_32_lanes(row: Row, count: int | None) -> Row:
    """The row of a warp operation where warps keep their 32 lanes.

    Args:
        row: a row as `select` returns it, with a `warp32` form.
        count: the number of arguments of the call; None where the name is not called, or they cannot be counted.
    """
    form = row.details["warp32"]
    if "hip" not in form and not row.is_native:
        return row
    fields = form.get("by_arity", {}).get(str(count))
    if fields is None:
        if "hip" not in form:
            return row
        fields = {key: value for key, value in form.items() if key != "by_arity"}
    return Row(row.name, row.library, row.kind, fields["hip"], {k: v for k, v in fields.items() if k != "hip"})


def _native(row: Row, native: str) -> Row:
    """The row under `--target roc`."""
    shared = {key: row.details[key] for key in _OF_CUDA if key in row.details}
    roc = row.details.get("roc")
    if roc is None:
        if row.hip is None or row.hip == "" or row.details.get("drop"):
            return row
        instead = "" if row.is_native else f"; hipify-py --target hip has {row.hip}"
        return _lost(row, f"{native} has no counterpart{instead}")
    fields = {"hip": roc} if isinstance(roc, str) else roc
    hip = None if fields.get("unsupported") else fields.get("hip", row.hip)
    return Row(row.name, row.library, row.kind, hip, {**shared, **{k: v for k, v in fields.items() if k != "hip"}})


def older_forms(details: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The contents of a row for older versions, each with its bounds."""
    before = details.get("before") or []
    return [before] if isinstance(before, dict) else list(before)


def _holds(form: Mapping[str, Any], targeting: Targeting) -> bool:
    """Whether all bounds of an older form are above the chosen versions; the newest are below no bound."""
    return all(
        bool(chosen) and version(chosen) < version(form[side])
        for side, chosen in (("cuda", targeting.cuda), ("rocm", targeting.rocm))
        if side in form
    )


def _with(row: Row, fields: Mapping[str, Any], *without: str) -> Row:
    details = {key: value for key, value in row.details.items() if key not in without}
    hip = None if fields.get("unsupported") else fields.get("hip", row.hip)
    return Row(row.name, row.library, row.kind, hip, {**details, **{k: v for k, v in fields.items() if k != "hip"}})


def _available(row: Row, targeting: Targeting) -> Row:
    """The row itself where the chosen ROCm has its target, else one that names the version that does."""
    bounds = row.details.get("rocm")
    if bounds is None or row.hip is None:
        return row
    chosen = version(targeting.rocm or NEWEST_ROCM)
    added, removed = bounds.get("added"), bounds.get("removed")
    if added and version(added) > chosen:
        return _lost(row, "", {"later": {"rocm": added, "hip": row.hip}})
    if removed and version(removed) <= chosen:
        advice = f"; {row.advice}" if row.advice else ""
        return _lost(row, f"{row.hip} was removed in ROCm {removed}{advice}")
    if added and not targeting.rocm and not row.note and version(added) >= _RECENT:
        return _with(row, {"note": f"available in HIP from ROCm {added} on"})
    return row


def _lost(row: Row, advice: str, others: Mapping[str, Any] = MappingProxyType({})) -> Row:
    """An unsupported row; forms of other argument counts may still have a target."""
    fields = {key: row.details[key] for key in ("by_arity", "by_type", "support", *_OF_CUDA) if key in row.details}
    return Row(row.name, row.library, row.kind, None, {**fields, **others, "unsupported": True, "advice": advice})


def gates_warp_sync(rocm: str) -> bool:
    """Whether the headers of a ROCm declare the `_sync` built-ins only with `WARP_SYNC_MACRO`; empty is the newest."""
    return bool(rocm) and (6, 2) <= version(rocm) < (7, 0)
