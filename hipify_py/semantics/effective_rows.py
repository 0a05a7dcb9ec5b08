"""The row of the tables for one use of a name: some depend on arguments, headers or options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.catalog import Row
from hipify_py.core.targeting import support_form, with_32_lanes
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.device_code import may_run_on_device
from hipify_py.semantics.headers import libraries
from hipify_py.semantics.name_lookups import has_name_lookups

if TYPE_CHECKING:
    pass


_LANES_HERE = "__builtin_amdgcn_read_exec()"
"""The lanes of the wavefront that are here, in 64 bits on any GPU."""
_WRITTEN_OUT = "Write its call out by hand, with its arguments: hipify-py could not read them here."


def effective_row(unit: Unit, use: Use) -> Row:
    """The row for a use: some depend on the number of arguments, on the headers, on the options."""
    row = use.row
    if row.kind == "function" and unit.lexemes.defines and has_name_lookups(unit):
        from hipify_py.semantics.dlsym_names import DlsymNames, library_of

        names = unit.analysis(DlsymNames)
        if use.start in names.unchanged:
            other = names.missing[library_of(row)]
            advice = f"This file also looks up {other} by name, which has no counterpart: remove that first."
            return Row(row.name, row.library, row.kind, None, {"advice": advice})
    if not row.details and row.library != "cublas":
        return row  # as with most names: the rest needs more than a name from the table
    cached_rows = unit.analysis(_RowCache).rows
    key = use.start, row.name
    if key not in cached_rows:
        cached_rows[key] = _at_place(unit, use)
    return cached_rows[key]


class _RowCache:
    """The rows that were chosen: several rules need the same ones."""

    def __init__(self, unit: Unit) -> None:
        self.rows: dict[tuple[int, str], Row] = {}


def _at_place(unit: Unit, use: Use) -> Row:
    row = use.row
    if use.start in unit.kept_warps:
        if row.name.startswith("__shfl"):
            from hipify_py.semantics.argument_types import is_of_own_type

            if is_of_own_type(unit, use):
                return Row(row.name, row.library, row.kind, row.name, {})
        row_32 = row_with_32_lanes(unit, use)
        if row_32 is not row:  # the chosen ROCm has another form, which may depend on the arguments
            return row_32
    if row.has_forms:
        call = call_at(unit, use.end)
        if call is not None:
            choices = row.details.get("by_type", {})
            wanted = {int(position): frozenset(types) for position, types in choices.items()}
            types = {}
            if wanted:
                from hipify_py.semantics.argument_types import types_of

                types = types_of(unit, call.arguments, wanted)
            row = unit.catalog.form(row, len(call.arguments), types)
    if "by_library" in row.details:
        included = libraries(unit)
        hip = next((hip for library, hip in row.details["by_library"].items() if library in included), row.hip)
        row = Row(row.name, row.library, row.kind, hip, row.details)
    if row.library == "cublas":
        from hipify_py.semantics.legacy_cublas import is_legacy, legacy_row

        if is_legacy(unit, use):
            return legacy_row(unit, use)
    if "support" in row.details and unit.options.support:
        row = support_form(row, unit.catalog.targeting)
    if "recall" in row.details:
        from hipify_py.semantics.sticky_arguments import find_sticky_argument

        text = find_sticky_argument(unit, use, row.details["recall"])
        if text:
            details = {key: value for key, value in row.details.items() if key not in ("recall", "differs")}
            end = str(text.position)
            row = Row(row.name, row.library, row.kind, row.hip, {**details, "insert": {end: text.text}})
    if "device" in row.details and unit.options.support and may_run_on_device(unit, use.start):
        device = row.details["device"]
        row = Row(row.name, row.library, row.kind, device["hip"], {"section": device["section"]})
    is_written_out = row.hip == "" and "args" in row.details and not unit.lexemes.in_defined(use.start)
    if is_written_out and call_at(unit, use.end) is None:  # without the name, what follows it would mean something else
        return Row(row.name, row.library, row.kind, None, {"advice": _WRITTEN_OUT})
    if row.details.get("experimental") and not unit.options.experimental:
        return Row(row.name, row.library, row.kind, None, {"experimental": row.hip})
    return row


def row_with_32_lanes(unit: Unit, use: Use) -> Row:
    """The row of a warp operation that is kept at 32 lanes.

    Where the source overloads the operation for a type of its own, a call may mean either: it keeps its name, and gets
    the active lanes as its mask, since HIP checks a mask against them (amd_warp_sync_functions.h).
    """
    from hipify_py.semantics.calls import is_argument_pack

    call = call_at(unit, use.end)
    texts = [unit.source.data[start:end] for start, end in call.arguments] if call is not None else []
    is_counted = call is not None and not any(map(is_argument_pack, texts)) and not unit.options.dual
    row = with_32_lanes(use.row, len(texts) if is_counted else None)
    unbounded = row.details.get("unbounded", {}) if use.start in unit.unbounded_distances else {}
    unbounded = {at: text for at, text in unbounded.items() if texts[int(at) : int(at) + 1] != [b""]}  # in broken code
    if use.row.name not in unit.overloads or not is_counted or not use.row.is_native:
        if not unbounded:
            return row
        args = {**row.details.get("args", {}), **unbounded}
        return Row(row.name, row.library, row.kind, row.hip, {**row.details, "args": args})
    details = {key: row.details[key] for key in ("insert",) if key in row.details}
    lanes = {"0": _LANES_HERE} if use.row.name.endswith("_sync") else {}
    if lanes or unbounded:
        details["args"] = {**lanes, **unbounded}
    return Row(use.row.name, use.row.library, use.row.kind, use.row.name, details)
