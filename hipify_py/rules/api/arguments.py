"""Edits the arguments of calls whose HIP function takes them differently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from hipify_py.catalog import Row
from hipify_py.core.edits import CompositeEdit, Edit, Move
from hipify_py.core.findings import Finding
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.tokens import tokens
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.calls import Call, call_at, has_divided_arguments
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.half_arguments import uses_half_macro
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

# These read the tables, not code.
_MACRO_HEAD = re.compile(r"[A-Z_]+\(")
_CAST_HEAD = re.compile(rb"\w+_cast<(.+)>\(|\((.+)\)\(?")
_LEADING_TOKENS = 40
"""Tokens of an argument among which a cast, or a wrap's name, is searched for."""
_EDITS = frozenset({"args", "insert", "order"})
_PLACEHOLDER = re.compile(r"\((\{\d+\})\)|\{(\d+)\}")
_VARIABLE = re.compile(rb"(?!(?:this|true|false|nullptr|NULL)\b)[A-Za-z_]\w*")
_POSTFIX = frozenset(
    {"identifier", "subscript_expression", "call_expression", "field_expression", "qualified_identifier"}
)


class CallArguments(Rule):
    """Some HIP functions need an argument wrapped, cast, added, left out, or moved to another position.

    The mapping tables list these edits. A call is edited once, however deeply it is nested in macros and templates.
    If the arguments are not visible (for example, the function's address is taken), hipify-py renames the function
    and reports it. A source that defines HIP's name as a macro has its own function there, whose arguments stay.
    """

    id = "HIP104"
    triggers = facts(Fact.ARGUMENT_EDITS)
    VALID = (
        Example("void f(P &p) { p.cudaMemcpyToSymbol(a, b, 4); }"),
        Example("#define ADD atomicAdd"),
        Example("#define hipMemcpyToSymbol(s, h, n) mine(s, h, n)\nvoid f() { hipMemcpyToSymbol(t, h, 4); }"),
    )
    INVALID = (
        Example(
            "void f() { cudaMemcpyToSymbol(table, host, 4); }",
            "void f() { hipMemcpyToSymbol(HIP_SYMBOL(table), host, 4); }",
        ),
        Example("auto f = &cudaMemcpyFromSymbol;", "auto f = &hipMemcpyFromSymbol;", ("HIP104",)),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | CompositeEdit | Finding]:
        own = {define.text.decode(errors="replace") for define in unit.lexemes.defines}
        for use in unit.uses:
            if not use.row.edits_arguments:
                continue
            if (use.row.hip in own or use.row.name in own) and not _is_in_macro_of_name(unit, use):
                continue
            call = call_at(unit, use.end)
            is_plain = call is None and use.row.hip and use.start not in unit.kept_warps
            row = use.row if is_plain else effective_row(unit, use)
            if row.is_unsupported:
                continue
            if call is None:
                is_needed = _edits_any_call(row) and not row.differs  # else HIP105 reports that nothing makes it right
                if is_needed and not uses_half_macro(unit, use):  # else only arguments of some types need it
                    divided = has_divided_arguments(unit, use.end)
                    why = "preprocessor directives are between them" if divided else "no argument list follows the name"
                    yield _unedited(unit, use, why)
            elif any(origin >= len(call.arguments) for origin in row.details.get("order", ())):
                yield _unedited(unit, use, f"it takes more than {len(call.arguments)} arguments")
            elif row.edits_arguments:
                yield from edit_call(unit, call, row)


def _is_in_macro_of_name(unit: Unit, use: Use) -> bool:
    """Whether this is in the macro of that name: in `#define __shfl(v, l) __shfl_sync(ALL, v, l)` HIP's is meant."""
    macro = unit.lexemes.define_around(use.start)
    return macro is not None and macro.text.decode(errors="replace") in (use.row.hip, use.row.name)


def _edits_any_call(row: Row) -> bool:
    """Whether the row, or its form for some number of arguments, edits calls whatever their arguments' types are."""
    forms = [form for form in row.details.get("by_arity", {}).values() if isinstance(form, dict)]
    return any(not details.keys().isdisjoint(_EDITS) for details in (row.details, *forms))


def _unedited(unit: Unit, use: Use, detail: str) -> Finding:
    row = use.row
    return unit.finding("HIP104", use.start, name=row.name, library=row.library, target=row.becomes, detail=detail)


def edit_call(unit: Unit, call: Call, row: Row) -> Iterator[Edit | CompositeEdit]:
    """The edits that give a call the arguments that its row requires."""
    data = unit.source.data
    count = len(call.arguments)
    wraps = row.details.get("args", {})
    wrapped: list[tuple[int, int, bytes, bytes]] = []
    moves = [*_reorder(call, row.details.get("order")), *_insert(unit, call, row.details.get("insert", {}))]
    for position, template in wraps.items():
        index = int(position)
        if index >= count:
            continue
        start, end = call.arguments[index]
        if template is None:
            moves.append(_drop(call, index))
        elif "{}" not in template:
            moves.append(Move(start, end, _fill_placeholders(unit, call, template)))
        elif not _is_wrapped(unit, start, end, template):
            head, _, tail = template.partition("{}")
            if _MACRO_HEAD.fullmatch(head) and b"," in data[start:end]:
                head, tail = head + "(", ")" + tail  # `S<a, b>::x` would be two arguments of a macro
            elif head == "*(" and _needs_no_parentheses(unit, start, end):
                head, tail = "*", ""
            wrapped.append((start, end, head.encode(), tail.encode()))
    if row.hip == "" and wraps and _is_statement(unit, call):
        yield Edit(call.opening, call.opening + 1, b"")
        yield Edit(call.closing, call.closing + 1, b"")
    if moves:  # insertions and removals next to a wrapped argument must stay outside of its wrap
        yield CompositeEdit(
            (*(Move(start, end, (head, (start, end), tail)) for start, end, head, tail in wrapped), *moves)
        )
        return
    for start, end, head, tail in wrapped:
        yield Edit(start, start, head)
        yield Edit(end, end, tail)


def _is_wrapped(unit: Unit, start: int, end: int, template: str) -> bool:
    """Whether it is wrapped already, or cast by the user to the wrap's type; by tokens, as it may be in a macro."""
    argument = b"".join(token.text for token in islice(tokens(unit.lexemes, start, end), _LEADING_TOKENS))
    head, _, tail = template.encode().replace(b" ", b"").partition(b"{}")
    if argument.startswith(head) and b"".join(unit.source.data[start:end].split()).endswith(tail):
        return True
    if argument in (b"NULL", b"nullptr", b"0") and head:
        return True
    cast = _CAST_HEAD.fullmatch(head)
    if cast is None:
        return False
    target = cast[1] or cast[2]
    plain = target.removeprefix(b"const")
    return argument.startswith(
        (b"(" + target + b")", b"(" + plain + b")", b"reinterpret_cast<" + target, b"reinterpret_cast<" + plain)
    ) or (target.endswith(b"**") and _is_declared_as(unit, start, end, target))


def _is_declared_as(unit: Unit, start: int, end: int, type: bytes) -> bool:
    """Whether it is a variable, or the address of an array's element, that is declared with a pointer to pointers."""
    node: Node | None = unit.tree.leaf(start, end)
    found = expression_types(unit).type_of(node)
    plain = type.removeprefix(b"const")
    if found is None or found.name + b"*" * found.pointers != plain:
        return False
    while node is not None and node.type in ("pointer_expression", "subscript_expression"):
        node = node.child_by_field_name("argument")
    data = unit.source.data
    declarations = names_of(unit).resolve(node) if node is not None and node.type == "identifier" else ()
    return bool(declarations) and all(
        found.type is not None
        and b"const" not in data[found.type.end_byte : found.place]
        and (plain == type or b"const" in data[found.owner.start_byte : found.type.start_byte])
        for found in declarations
    )


def _drop(call: Call, index: int) -> Move:
    """Remove an argument together with one comma."""
    start, end = call.arguments[index]
    if index:
        return Move(call.arguments[index - 1][1], end, ())
    if len(call.arguments) > 1:
        return Move(start, call.arguments[1][0], ())
    return Move(start, end, ())


def _reorder(call: Call, order: list[int] | None) -> list[Move]:
    """The arguments in the order of the HIP call; those that it does not name are removed, with their commas."""
    arguments = call.arguments
    if order is None:
        return []
    moves = [
        Move(*arguments[slot], (arguments[origin],))
        for slot, origin in enumerate(order[: len(arguments)])
        if slot != origin
    ]
    if len(order) < len(arguments):
        moves.append(Move(arguments[len(order) - 1][1], arguments[-1][1], ()))
    more: list[bytes | tuple[int, int]] = [
        piece for origin in order[len(arguments) :] for piece in (b", ", arguments[origin])
    ]
    if more:
        moves.append(Move(arguments[-1][1], arguments[-1][1], tuple(more)))
    return moves


def _insert(unit: Unit, call: Call, inserts: dict[str, Any]) -> list[Move]:
    moves = []
    for position, text in inserts.items():
        index = int(position)
        pieces = _fill_placeholders(unit, call, text)
        if index < len(call.arguments):
            start = call.arguments[index][0]
            moves.append(Move(start, start, (*pieces, b", ")))
        elif index == len(call.arguments):
            end = call.arguments[-1][1] if call.arguments else call.opening + 1
            moves.append(Move(end, end, (b", ", *pieces) if call.arguments else pieces))
    return moves


def _fill_placeholders(unit: Unit, call: Call, text: str) -> tuple[bytes | tuple[int, int], ...]:
    """Text with `{N}` for the call's own argument N, and `({N})` for it in parentheses where it needs them."""
    pieces: list[bytes | tuple[int, int]] = []
    done = 0
    for match in _PLACEHOLDER.finditer(text):
        pieces.append(text[done : match.start()].encode())
        done = match.end()
        index = int((match[1] or match[0])[1:-1])
        if index >= len(call.arguments):
            continue
        argument = call.arguments[index]
        is_bare = match[1] is None or _needs_no_parentheses(unit, *argument)
        pieces += [argument] if is_bare else [b"(", argument, b")"]
    pieces.append(text[done:].encode())
    return tuple(pieces)


def _needs_no_parentheses(unit: Unit, start: int, end: int) -> bool:
    """Whether it is a name, or a name with brackets or members after it; a macro's parameter may be anything.

    An expression with parentheses of its own needs no more.
    """
    if unit.source.data[start : start + 1] == b"(":
        closing = match_forward(unit.lexemes, start, end)
        return closing is not None and closing[0] + 1 == end
    if unit.lexemes.define_around(start) is not None:
        return False
    if _VARIABLE.fullmatch(unit.source.data, start, end) is not None:
        return True
    node = unit.tree.leaf(start, end)
    return node is not None and (node.start_byte, node.end_byte) == (start, end) and node.type in _POSTFIX


def _is_statement(unit: Unit, call: Call) -> bool:
    """Whether the call is a whole statement."""
    arguments = unit.tree.leaf(call.opening, call.closing + 1)
    node = arguments.parent if arguments is not None and arguments.type == "argument_list" else None
    is_whole = node is not None and node.parent is not None and node.parent.type == "expression_statement"
    return is_whole and unit.lexemes.define_around(call.opening) is None
