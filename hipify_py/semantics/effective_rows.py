"""The row of the tables for one use of a name: some depend on arguments, headers or options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.catalog import Row
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.targeting import support_form, with_32_lanes
from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import call_at
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.definitions import definitions_of
from hipify_py.semantics.device_code import may_run_on_device
from hipify_py.semantics.expression_types import expression_types, pointee_of
from hipify_py.semantics.expressions import NamedCall, name_in, named_call, strip_parentheses, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.headers import libraries
from hipify_py.semantics.name_lookups import has_name_lookups
from hipify_py.semantics.symbols import names_of
from hipify_py.semantics.type_queries import types_at

if TYPE_CHECKING:
    from tree_sitter import Node


# Arguments that CUDA remembers from an earlier call, and that HIP needs again.


class StickyArgument(NamedTuple):
    """The text of a remembered argument, and the position where the call takes it."""

    position: int
    text: str


def find_sticky_argument(unit: Unit, use: Use, fields: Mapping[str, object]) -> StickyArgument | None:
    """The argument that the earlier call for the same object had.

    That call and this one must be in one function, and the object and the argument must be variables that keep their
    values in between; None where that does not hold.

    Args:
        unit: the source.
        use: the function that lacks the argument in CUDA.
        fields: `recall` of its row.
    """
    call = named_call(unit.tree, use.start, use.end)
    by, argument = int(str(fields["by"])), int(str(fields["argument"]))
    if call is None or len(call.arguments) <= by:
        return None
    function = functions_of(unit).at(use.start)
    earlier = [
        found
        for other in unit.uses
        if other.row.name == fields["call"]
        and other.start < use.start
        and functions_of(unit).at(other.start) is function
        if (found := named_call(unit.tree, other.start, other.end)) is not None
    ]
    same = [found for found in earlier if len(found.arguments) > argument and _is_same(unit, found, call, by)]
    if not same or not _keeps_value(unit, same[-1].arguments[argument], call):
        return None
    return StickyArgument(len(call.arguments), text_of(same[-1].arguments[argument]).decode(errors="replace"))


def _is_same(unit: Unit, earlier: NamedCall, call: NamedCall, position: int) -> bool:
    """Whether both calls have the same object at a position."""
    one, other = strip_parentheses(earlier.arguments[position]), strip_parentheses(call.arguments[position])
    return text_of(one) == text_of(other) and _keeps_value(unit, one, call, since=earlier)


def _keeps_value(unit: Unit, value: Node, call: NamedCall, since: NamedCall | None = None) -> bool:
    """Whether a variable or member means the same at the later call, and is not assigned between the two."""
    leaf = name_in(strip_parentheses(value))
    if leaf is None:
        return False
    start = value.end_byte if since is None else since.node.end_byte
    return all(
        _reaches(declaration, call)
        and not any(start < found.place < call.node.start_byte for found in definitions_of(unit).lookup(declaration))
        for declaration in names_of(unit).resolve(leaf)
    )


def _reaches(declaration: Declaration, call: NamedCall) -> bool:
    return declaration.kind == "field" or declaration.start <= call.node.start_byte < declaration.end


# The types of a call's arguments, as far as the tables need them to choose a HIP form.

_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_VARIABLES = frozenset(
    {"identifier", "field_expression", "qualified_identifier", "subscript_expression", "binary_expression"}
)
"""What begins with a variable's name and has its type, or points to it."""
NUMBER_ADDRESS = "number *"
"""The name in `by_type` for the address of an integer or floating-point number of a built-in type."""
_NUMBER = lazy_pattern(
    rb"(?:(?:un)?signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|float|double"
    rb"|(?:u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)"
)


def types_of(unit: Unit, arguments: Sequence[tuple[int, int]], wanted: Mapping[int, frozenset[str]]) -> dict[int, str]:
    """The types that `by_type` selects by, by position: a type of the tables, an enumerator, `{}`, or `number *`.

    Args:
        unit: the source.
        arguments: the ranges of a call's arguments.
        wanted: by position, the types and enumerators that matter.
    """
    used = unit.analysis(_UsedNames)
    data, found = unit.source.data, {}
    for position, choices in wanted.items():
        if position >= len(arguments):
            continue
        start, end = arguments[position]
        if data[start : start + 1] == b"{":
            found[position] = "{}"
        elif NUMBER_ADDRESS in choices and _points_to_number(unit, start, end):
            found[position] = NUMBER_ADDRESS
            continue
        head = _NAME.match(data, start, end)
        if head is None or choices.isdisjoint(used.names):
            continue
        name = used.places.get((start, head.end()))
        if name in choices and (head.end() == end or data[unit.lexemes.after(head.end())] in b"({"):
            found[position] = name  # an enumerator, or `type{...}`
        elif name is None or name not in used.enumerators:
            types = _types(unit, start, end, head.end()) & choices
            if types:
                found[position] = min(types)
    return found


class _UsedNames:
    """The names of the tables that a unit uses, with their offsets."""

    def __init__(self, unit: Unit) -> None:
        self.places = {(use.start, use.end): use.row.name for use in unit.uses}
        self.names = frozenset(self.places.values())
        self.enumerators = frozenset(use.row.name for use in unit.uses if use.row.kind == "enumerator")


def _types(unit: Unit, start: int, end: int, head_end: int) -> frozenset[str]:
    """The type of an argument or of what it points to; without a node for it, of the variable that it begins with.

    A variable that is declared in several branches of an `#if` may have several types.
    """
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        node = unit.tree.leaf(start, head_end)
    if node is None or node.type not in _VARIABLES:
        return frozenset()
    types = expression_types(unit)
    whole = types.type_of(node)
    found = [whole] if whole is not None else types.types_in_branches(node) if node.type == "identifier" else []
    if not found:
        candidates = [{type.name, type.alias} - {""} for type in types_at(unit, node)]
        return frozenset(set.intersection(*candidates)) if candidates else frozenset()
    return frozenset(type.name.decode(errors="replace") for type in found)


def _points_to_number(unit: Unit, start: int, end: int) -> bool:
    """Whether the expression there is known to be the address of a number of a built-in type."""
    node = unit.tree.leaf(start, end)
    if node is None or (node.start_byte, node.end_byte) != (start, end):
        return False
    pointee = pointee_of(names_of(unit), node)
    if not pointee and expression_types(unit).type_of(node) is None:
        types = types_at(unit, node)
        return bool(types) and all(
            type.pointers == 1 and _NUMBER.fullmatch(type.name.encode()) is not None for type in types
        )
    return _NUMBER.fullmatch(b" ".join(pointee.split())) is not None


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


def _is_of_own_type(unit: Unit, use: Use) -> bool:
    """Whether a shuffle is of an address or of the source's own object: only an overload of the project takes those."""
    if not use.row.name.startswith("__shfl"):
        return False
    call = named_call(unit.tree, use.start, use.end)
    at = int(use.row.name.endswith("_sync"))
    type = expression_types(unit).type_of(call.arguments[at]) if call is not None and len(call.arguments) > at else None
    return type is not None and (type.pointers > 0 or names_of(unit).is_record(type.name))


class _RowCache:
    """The rows that were chosen: several rules need the same ones."""

    def __init__(self, unit: Unit) -> None:
        self.rows: dict[tuple[int, str], Row] = {}


def _at_place(unit: Unit, use: Use) -> Row:
    row = use.row
    if use.start in unit.kept_warps:
        if _is_of_own_type(unit, use):
            return Row(row.name, row.library, row.kind, row.name, {})
        row_32 = row_with_32_lanes(unit, use)
        if row_32 is not row:  # the chosen ROCm has another form, which may depend on the arguments
            return row_32
    if row.has_forms:
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
        row = support_form(row, unit.catalog.targeting)
    if "recall" in row.details:
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
