"""Casts `warpSize` where an object will not do for an int."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.warp_constants import built_in_sizes
from hipify_py.edits import Edit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts, words
from hipify_py.semantics.expressions import argument_position, bare, call_of, callee, compact, text_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = b"warpSize"
_WANT_NO_OBJECT = frozenset((b"printf", b"fprintf", b"std::min", b"std::max"))


class WarpSizeObject(Rule):
    """`warpSize` is an object since HIP 7, which converts to int where an int is asked for.

    Neither the variable arguments of `printf` nor the template parameter of `std::min`, or of a template of the source,
    ask for one, so it is cast there: by its own name, by that of a macro, or of an `auto` variable. Everywhere else it
    stays, and so does a variable of that name which the source declares itself.
    """

    id = "warp-size-object"
    triggers = words("warpSize") | facts(Fact.PROJECT_WAVEFRONT_NAMES)
    VALID = (
        Example("__global__ void k(int *x) { x[0] = min(warpSize, 3); }"),
        Example('__global__ void k() { printf("%d", warpSize / 2); }'),
        Example('void f(int warpSize) { printf("%d", warpSize); }'),
        Example("#define WS warpSize\n__global__ void k(int *x) { x[0] = min(WS, 3); }"),
    )
    INVALID = (
        Example(
            '__global__ void k() { printf("%d", warpSize); }',
            '__global__ void k() { printf("%d", static_cast<int>(warpSize)); }',
        ),
        Example(
            '#define WS warpSize\n__global__ void k() { printf("%d", WS); }',
            '#define WS warpSize\n__global__ void k() { printf("%d", static_cast<int>(WS)); }',
        ),
        Example(
            "template <typename T> __device__ T up(T a, T b) { return (a + b - 1) / b; }\n"
            "__global__ void k(int *x, int n) { x[0] = up(n, warpSize); }",
            "template <typename T> __device__ T up(T a, T b) { return (a + b - 1) / b; }\n"
            "__global__ void k(int *x, int n) { x[0] = up(n, static_cast<int>(warpSize)); }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        for leaf in _named(unit):
            node = leaf
            while node.parent is not None and node.parent.type == "parenthesized_expression":
                node = node.parent
            if _takes_any_type(unit, node):
                yield Edit(node.start_byte, node.start_byte, b"static_cast<int>(")
                yield Edit(node.end_byte, node.end_byte, b")")


def _named(unit: Unit) -> list[Node]:
    """Where the source names the object: by its own name, a macro's, or that of an `auto` variable."""
    names = names_of(unit)
    found: dict[int, Node] = {}
    for place in names.places(_NAME):
        end = place + len(_NAME)
        node = unit.tree.leaf(place, end) if unit.lexemes.non_code_at(place) is None else None
        if node is not None and not _is_own(unit, place, end):
            found[place] = node
    macros = macros_of(unit)
    for macro in macros.all():
        body = macros.body(macro) if macro.parameters is None else None
        leaf = found.get(bare(body).start_byte) if body is not None else None
        if leaf is not None and body is not None and leaf.end_byte == bare(body).end_byte:
            found |= {use.start_byte: use for use in names.mentions(macro.name) if use.type == "identifier"}
    if unit.project.wavefront_names:
        found |= {leaf.start_byte: leaf for leaf in built_in_sizes(unit) if call_of(leaf) is None}
    for leaf in list(found.values()):
        found |= {use.start_byte: use for use in _uses_of_auto(unit, leaf)}
    return [found[place] for place in sorted(found)]


def _uses_of_auto(unit: Unit, leaf: Node) -> list[Node]:
    """The uses of the variable that is a copy of the object: `auto width = warpSize`."""
    declarator = leaf.parent
    if declarator is None or declarator.type != "init_declarator" or declarator.parent is None:
        return []
    name, type = declarator.child_by_field_name("declarator"), declarator.parent.child_by_field_name("type")
    if name is None or name.type != "identifier" or text_of(type) != b"auto":
        return []
    declared = names_of(unit).declaration_at(name)
    return [use for use in names_of(unit).uses(declared) if use.type == "identifier"] if declared is not None else []


def _takes_any_type(unit: Unit, node: Node) -> bool:
    """An expression is an argument of a function that takes its type as it is."""
    position = argument_position(node)
    if position is None:
        return False
    call, at = position
    function = call.child_by_field_name("function")
    if compact(function).removeprefix(b"::") in _WANT_NO_OBJECT:
        return True
    leaf = callee(call)
    if leaf is None or function is None or leaf.type != "identifier" or text_of(function).endswith(b">"):
        return False
    names = names_of(unit)
    for parameters in names.called(leaf):
        parameter = parameters[at] if at < len(parameters) else None
        if parameter is not None and names.type_parameter(parameter) is not None:
            return True
    return False


def _is_own(unit: Unit, start: int, end: int) -> bool:
    """The name means what the source declares by it."""
    if any(define.text == b"warpSize" for define in unit.lexemes.defines):
        return True
    leaf = unit.tree.leaf(start, end)
    return leaf is not None and bool(names_of(unit).meant_by(leaf))
