"""The row of the tables that holds for one use of a name: some depend on arguments, headers or options."""

from __future__ import annotations

from hipify_py.catalog import Row
from hipify_py.catalog.targeting import supported, with_32_lanes
from hipify_py.core.unit import Unit, Use
from hipify_py.semantics.calls import call_at, stands_for_several
from hipify_py.semantics.device_code import may_run_on_device
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.headers import libraries
from hipify_py.semantics.look_ups import looks_up
from hipify_py.semantics.symbols import names_of

_LANES_HERE = "__builtin_amdgcn_read_exec()"
"""The lanes of the wavefront that are here, in 64 bits on any GPU."""
_WRITTEN_OUT = "Its call is written out with its arguments, which could not be told here; do that by hand."


def effective_row(unit: Unit, use: Use) -> Row:
    """The row that holds at this place: some depend on the number of arguments, on the headers, on the options."""
    row = use.row
    if row.kind == "function" and unit.lexemes.defines and looks_up(unit):
        from hipify_py.semantics.looked_up_names import LookedUpNames, library_of

        names = unit.analysis(LookedUpNames)
        if use.start in names.staying:
            other = names.missing[library_of(row)]
            advice = f"It is looked up by its name as {other} is, which has none: take that out first."
            return Row(row.name, row.library, row.kind, None, {"advice": advice})
    if not row.details and row.library != "cublas":
        return row  # as with most names: all that follows needs more than a name from the table
    known = unit.analysis(_Known).rows
    key = use.start, row.name
    if key not in known:
        known[key] = _at_place(unit, use)
    return known[key]


def _is_of_own_type(unit: Unit, use: Use) -> bool:
    """A shuffle of an address, or of an object of the source's own: only an overload of the project's takes those."""
    if not use.row.name.startswith("__shfl"):
        return False
    call = named_call(unit.tree, use.start, use.end)
    at = int(use.row.name.endswith("_sync"))
    type = expression_types(unit).of(call.arguments[at]) if call is not None and len(call.arguments) > at else None
    return type is not None and (type.pointers > 0 or names_of(unit).is_record(type.name))


class _Known:
    """The rows that were found to hold: several rules ask for the same ones."""

    def __init__(self, unit: Unit) -> None:
        self.rows: dict[tuple[int, str], Row] = {}


def _at_place(unit: Unit, use: Use) -> Row:
    row = use.row
    if use.start in unit.kept_warps:
        if _is_of_own_type(unit, use):
            return Row(row.name, row.library, row.kind, row.name, {})
        kept = row_with_32_lanes(unit, use)
        if kept is not row:  # the chosen ROCm has it by another form, which may depend on the arguments
            return kept
    if row.has_forms:
        from hipify_py.semantics.argument_types import types_of

        call = call_at(unit, use.end)
        if call is not None:
            choices = row.details.get("by_type", {})
            wanted = {int(position): frozenset(types) for position, types in choices.items()}
            types = types_of(unit, call.arguments, wanted) if wanted else {}
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
        row = supported(row, unit.catalog.targeting)
    if "recall" in row.details:
        from hipify_py.semantics.sticky_arguments import recalled

        text = recalled(unit, use, row.details["recall"])
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

    Where the source overloads the operation for a type of its own, a call may mean either: it keeps its name, and is
    given the lanes that are there as its mask, since HIP checks a mask against them (amd_warp_sync_functions.h).
    """
    call = call_at(unit, use.end)
    texts = [unit.source.data[start:end] for start, end in call.arguments] if call is not None else []
    is_counted = call is not None and not any(map(stands_for_several, texts)) and not unit.options.dual
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
