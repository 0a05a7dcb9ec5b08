"""Decisions by the compute capability that a program queries at run time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from tree_sitter import Node

from hipify_py.frontend.conditions import combined
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, Rule
from hipify_py.rules.triggers import uses, words
from hipify_py.semantics.accesses import owner_at
from hipify_py.semantics.constants import number
from hipify_py.semantics.expressions import (
    argument_position,
    arguments_of,
    callee,
    entries_of,
    is_same,
    name_in,
    names_in,
    operator_of,
    strip_parentheses,
    text_of,
    whole_name,
)
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

# Evaluates comparisons with a compute capability for AMD GPUs.

_OF_AMD = ((9, 0), (9, 4), (9, 5), (10, 3), (11, 0), (11, 5), (12, 0))
_ALL = (*product(range(5, 9), range(10)), *_OF_AMD)
"""The versions of all GPUs for which CUDA 12 or HIP compiles; higher ones count as AMD's."""
_COMPARISONS = frozenset((">", "<", ">=", "<=", "==", "!="))
_CHECK = re.compile(rb"\w*(?:CHECK|ASSERT|REQUIRE|ENFORCE)\w*|assert", re.IGNORECASE)
_STOP = re.compile(rb"\w*(?:exit|abort|terminate|error|fail|throw|skip)\w*", re.IGNORECASE)

_Value: TypeAlias = Callable[[Mapping[bytes, int]], "int | None"]
"""An expression's value for given values of names; None where it depends on something else."""


def is_constant_test(unit: Unit, start: int, end: int, name: bytes) -> bool:
    """Whether a test of `name`, the major version, has the same result for all GPUs, or stops none of AMD's."""
    leaf = unit.tree.leaf(start, end) if unit.tree.is_available else None
    comparison = _comparison(leaf)
    if leaf is None or comparison is None:
        return False
    if any(_is_constant(condition, name) for condition in _conditions(comparison)):
        return True
    if _compares_two(comparison, name):
        return True
    call = ancestor(comparison, "call_expression")
    if call is not None and _is_checked(call, comparison, name):
        return True
    choice = ancestor(comparison, "if_statement")
    if choice is None or choice.child_by_field_name("alternative") is not None:
        return False
    condition, body = choice.child_by_field_name("condition"), choice.child_by_field_name("consequence")
    if condition is None or body is None or not condition.start_byte <= start < condition.end_byte:
        return False
    return all(outcome is False for outcome in _outcomes(condition, name, _OF_AMD)) and _stops(body)


def _comparison(leaf: Node | None) -> Node | None:
    """The nearest comparison around an operand."""
    node = leaf.parent if leaf is not None else None
    while node is not None and not node.type.endswith(("statement", "declaration", "argument_list")):
        sign = node.child_by_field_name("operator")
        if node.type == "binary_expression" and sign is not None and sign.type in _COMPARISONS:
            return node
        node = node.parent
    return None


def _conditions(comparison: Node) -> Iterator[Node]:
    """A comparison, and the conditions that it is part of: `major == 3 && minor < 5` is never true."""
    node: Node | None = comparison
    while node is not None and (
        node.type in ("binary_expression", "parenthesized_expression") or operator_of(node) == "!"
    ):
        yield node
        node = node.parent


def _is_constant(condition: Node, name: bytes) -> bool:
    outcomes = set(_outcomes(condition, name, _ALL))
    return len(outcomes) == 1 and None not in outcomes


def _outcomes(node: Node, name: bytes, versions: Iterable[tuple[int, int]]) -> list[bool | None]:
    """Whether a condition holds for each of some GPU versions; None where it depends on something else."""
    value = _compile(node)
    found = [value({name: major, b"minor": minor}) for major, minor in versions]
    return [None if number is None else number != 0 for number in found]


def _compile(node: Node) -> _Value:
    """An expression as a function from the values of some names and members to its value."""
    node = strip_parentheses(node)
    if node.type == "condition_clause":
        inner = node.child_by_field_name("value")
        return _unknown if inner is None else _compile(inner)
    if node.type == "number_literal":
        constant = number(text_of(node))
        return lambda values: constant
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return _unknown if argument is None else _unary(operator_of(node), _compile(argument))
    if node.type == "binary_expression":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return _binary(operator_of(node).encode(), *(_unknown if side is None else _compile(side) for side in sides))
    leaf = name_in(node)
    if leaf is None:
        return _unknown
    text = text_of(leaf)
    return lambda values: values.get(text)


def _unknown(values: Mapping[bytes, int]) -> None:
    """The value of what depends on something else."""


def _unary(sign: str, inner: _Value) -> _Value:
    def value(values: Mapping[bytes, int]) -> int | None:
        found = inner(values)
        return None if found is None else int(not found) if sign == "!" else -found if sign == "-" else None

    return value


def _binary(sign: bytes, left: _Value, right: _Value) -> _Value:
    return lambda values: combined(sign, left(values), right(values))


def _compares_two(comparison: Node, name: bytes) -> bool:
    """Whether one GPU's version is compared with another's, not with a number."""
    sides = (comparison.child_by_field_name("left"), comparison.child_by_field_name("right"))
    return all(side is not None and not names_in(side).isdisjoint((b"major", name)) for side in sides)


def _is_checked(call: Node, comparison: Node, name: bytes) -> bool:
    """Whether this is a check of a minimum that all AMD GPUs pass."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    given = entries_of(arguments) if arguments is not None else []
    if function is None or not given:
        return False
    tested = given[0]
    if not tested.start_byte <= comparison.start_byte < tested.end_byte or not _CHECK.fullmatch(text_of(function)):
        return False
    return all(_outcomes(tested, name, _OF_AMD))


def _stops(body: Node) -> bool:
    """Whether the last statement of a branch leaves the function or the program."""
    statements = entries_of(body)
    last = statements[-1] if body.type == "compound_statement" and statements else body
    if last.type in ("return_statement", "throw_statement"):
        return True
    call = next(iter(entries_of(last)), None) if last.type == "expression_statement" else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    return function is not None and _STOP.fullmatch(text_of(function).rpartition(b"::")[2]) is not None


_DECIDING = frozenset({"<", "<=", ">", ">=", "==", "!=", "*"})
_PRINTS = frozenset({b"printf", b"fprintf"})
_STREAMS = frozenset({b"cout", b"cerr", b"clog"})
_ATTRIBUTES = frozenset({"cudaDevAttrComputeCapabilityMajor", "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"})


class CapabilityDecisions(Rule):
    """`prop.major` is the first part of the GPU's own version on AMD: 9 for gfx90a and gfx942, 11 for gfx1100.

    A comparison with NVIDIA's numbers nearly always means "new enough", which is often right, but not by intent: a
    choice
    between tensor-core kernels or shared-memory sizes by capability needs a branch for AMD. A test that is true for
    every
    GPU that CUDA still supports, or one that stops old GPUs and none of AMD's, decides nothing. Nor does a number that
    is
    made of both parts and only printed.
    """

    id = "HIP408"
    triggers = uses(*_ATTRIBUTES) | uses("cudaDeviceProp") & words("major", "minor")
    VALID = (
        Example('void f(hipDeviceProp_t prop) { printf("%d.%d", prop.major, prop.minor); }'),
        Example("bool f(hipDeviceProp_t prop) { return prop.gcnArchName[0] && prop.major > 0; }"),
        Example("bool f(hipDeviceProp_t a, hipDeviceProp_t b) { return a.major == b.major; }"),
        Example("int f(hipDeviceProp_t prop) { if (prop.major < 6) return 1; return 0; }"),
        Example("bool f(hipDeviceProp_t p) { return p.major < 3 || (p.major == 3 && p.minor < 5); }"),
        Example('void f(hipDeviceProp_t p) { printf("sm_%d", p.major * 10 + p.minor); }'),
        Example("struct Mine { int major; }; bool f(Mine prop) { return prop.major >= 7; }"),
    )
    INVALID = (
        Example(
            "bool f(cudaDeviceProp prop) { return prop.major >= 7; }",
            "bool f(hipDeviceProp_t prop) { return prop.major >= 7; }",
            ("HIP408",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[DedupedFinding]:
        for use in unit.uses:
            if use.row.name in _ATTRIBUTES and _is_result_compared(unit, use):
                yield DedupedFinding(unit.finding("HIP408", use.start, name=use.row.name, library=use.row.library))
        if not any(use.row.name == "cudaDeviceProp" for use in unit.uses):
            return
        names = names_of(unit)
        for place in sorted([*names.places(b"major"), *names.places(b"minor")]):
            end = place + len(b"major")
            leaf = unit.tree.leaf(place, end) if unit.lexemes.non_code_at(place) is None else None
            if leaf is None or leaf.type != "field_identifier" or owner_at(unit, place, end) != b"cudaDeviceProp":
                continue
            whole = whole_name(leaf)
            if (
                _is_compared(unit, whole)
                and not _is_for_amd(unit, whole)
                and not is_constant_test(unit, place, end, b"major")
            ):
                name = text_of(whole).decode(errors="replace")
                yield DedupedFinding(unit.finding("HIP408", whole.start_byte, name=name, library="runtime"))


def _is_compared(unit: Unit, node: Node) -> bool:
    """Whether it is compared or multiplied, but not with another GPU's version, or a `switch` selects by it."""
    while node.parent is not None and node.parent.type == "parenthesized_expression":
        node = node.parent
    parent = node.parent
    if parent is not None and parent.type == "condition_clause":
        return parent.parent is not None and parent.parent.type == "switch_statement"
    if parent is None or parent.type != "binary_expression":
        return False
    left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
    operator = operator_of(parent)
    if operator == "<<":
        return is_same(left, node)
    other = name_in(right if is_same(left, node) else left)
    if operator == "*" and _is_printed(unit, parent):
        return False
    return operator in _DECIDING and text_of(other) not in (b"major", b"minor")


def _is_printed(unit: Unit, node: Node, *, is_variable: bool = False) -> bool:
    """Whether the expression around a number is only printed: there, or through the variable that is set to it."""
    parent = node.parent
    while parent is not None and (
        parent.type in ("parenthesized_expression", "cast_expression") or operator_of(parent) in ("+", "*")
    ):
        node, parent = parent, parent.parent
    position = argument_position(node)
    if position is not None:
        return text_of(callee(position[0])) in _PRINTS
    if parent is None:
        return False
    if operator_of(parent) == "<<" and is_same(parent.child_by_field_name("right"), node):
        first: Node | None = parent
        while first is not None and operator_of(first) == "<<":
            first = first.child_by_field_name("left")
        return text_of(name_in(first)) in _STREAMS
    if parent.type != "init_declarator" or is_variable:
        return False
    name, names = name_in(parent.child_by_field_name("declarator")), names_of(unit)
    declared = names.declaration_at(name) if name is not None else None
    uses = names.uses(declared) if declared is not None else []
    return bool(uses) and all(_is_printed(unit, use, is_variable=True) for use in uses)


def _is_for_amd(unit: Unit, node: Node) -> bool:
    """Whether the function reads AMD's name of the GPU first, so that it knows whose version it is."""
    function = ancestor(node, "function_definition")
    start = function.start_byte if function is not None else 0
    return any(
        start <= place < node.start_byte and unit.lexemes.non_code_at(place) is None
        for place in names_of(unit).places(b"gcnArchName")
    )


def _is_result_compared(unit: Unit, use: Use) -> bool:
    """Whether the variable that the attribute is written to is compared afterwards."""
    leaf = unit.tree.leaf(use.start, use.end)
    position = argument_position(leaf) if leaf is not None else None
    target = arguments_of(position[0])[0] if position is not None else None
    if target is None or target.type != "pointer_expression":
        return False
    variable, names = name_in(target.child_by_field_name("argument")), names_of(unit)
    return variable is not None and any(
        place.start_byte > use.start
        and _is_compared(unit, whole_name(place))
        and not is_constant_test(unit, place.start_byte, place.end_byte, text_of(variable))
        for declaration in names.resolve(variable)
        for place in names.uses(declaration)
    )
