"""What a file calls things that go by the compiler's `warpSize`, for the files that are compiled with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.emulate_warp32 import names_by_wavefront
from hipify_py.analysis.warp.header_facts import callable_names, users_of
from hipify_py.analysis.warp.warp_constants import FOLLOWS, built_in_sizes
from hipify_py.project_context import HALF_OF_IT, LANE_OF, OTHERWISE, THE_SIZE, WARP_OF
from hipify_py.semantics.expressions import (
    NAMES,
    bare,
    name_in,
    names_in,
    operator_of,
    parts_of,
    sole_entry,
    text_of,
    values_returned,
)
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.introductions import PARAMETER, TYPE_PARAMETER, introduction_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARATIONS = frozenset(
    {
        *("enumerator", "declaration", "field_declaration", "alias_declaration", "type_definition"),
        *("template_declaration", "struct_specifier", "class_specifier", "union_specifier", "enum_specifier"),
    }
)


def wavefront_names_of(context: WarpContext) -> Mapping[bytes, str]:
    """The macros, functions, constants and members of a file whose definitions go by `warpSize`, with what they are.

    Functions that use warps are left out: they are helpers, which files share anyway. So are overloads of the API's own
    functions, such as shuffles of a type of the project's, `__shfl_xor(half v, int mask, int width = warpSize)`.
    """
    unit = context.unit
    names = callable_names(context, set(_defined_by_it(unit, _places(context)))) - users_of(context)
    return {name: _meaning(context, name) for name in sorted(names) if unit.catalog.row(name) is None}


def defined_otherwise(unit: Unit, names: AbstractSet[bytes]) -> AbstractSet[bytes]:
    """Those of some names that a file defines, as a macro, a function, or anything that it declares."""
    functions, macros, declared = functions_of(unit), macros_of(unit), names_of(unit)
    return {
        name
        for name in names & unit.lexemes.words
        if functions.named(name) or macros.named(name) or declared.is_declared(name)
    }


def _places(context: WarpContext) -> list[Node]:
    """Where a file names `warpSize` and does not mean 32 lanes by it, or what other files define by it."""
    sizes = [leaf for leaf in built_in_sizes(context.unit) if not context.means_32(leaf.start_byte)]
    return sizes + [leaf for _, leaf in names_by_wavefront(context.unit)]


def _defined_by_it(unit: Unit, leaves: Iterable[Node]) -> Iterator[bytes]:
    """The names in whose definitions some leaves stand, and those in whose definitions these names do."""
    names = names_of(unit)
    found: set[bytes] = set()
    while leaves:
        fresh = {(name, place) for leaf in leaves for name, place in _defined_around(unit, leaf)}
        fresh = {(name, place) for name, place in fresh if name not in found}
        found.update(name for name, _ in fresh)
        leaves = [
            leaf
            for name, place in sorted(fresh)
            for leaf in names.mentions(name)
            if place < 0 or any(declared.place == place for declared in names.meant_by(leaf))
        ]
    yield from found


def _defined_around(unit: Unit, leaf: Node) -> Iterator[tuple[bytes, int]]:
    """What is defined by the definition that a leaf stands in; with the place of its name, if scopes tell it apart."""
    define = unit.lexemes.define_around(leaf.start_byte)
    if define is not None:
        yield define.text, -1
        return
    function = functions_of(unit).at(leaf.start_byte)
    if function is not None:
        yield function.name, -1
        return
    owner = leaf.parent
    while owner is not None and owner.type not in _DECLARATIONS:
        owner = owner.parent
    for name in parts_of(owner) if owner is not None else ():
        introduced = introduction_of(name) if name.type in NAMES else None
        if introduced is not None and introduced.kind not in (PARAMETER, TYPE_PARAMETER):
            is_variable = names_of(unit).declaration_at(name) is not None
            yield name.text or b"", name.start_byte if is_variable else -1


def _meaning(context: WarpContext, name: bytes) -> str:
    """`warpSize` itself, half of it, or a lane, a warp's index or a number of warps by it; empty for anything else."""
    meanings = {_meaning_of(context, value, parameters) for value, parameters in _values(context.unit, name)}
    return meanings.pop() if len(meanings) == 1 else OTHERWISE


def _values(unit: Unit, name: bytes) -> Iterator[tuple[Node | None, frozenset[bytes] | None]]:
    """What a name stands for wherever it is defined, with the parameters of macros and functions."""
    macros, names = macros_of(unit), names_of(unit)
    for macro in macros.named(name):
        yield macros.body(macro), None if macro.parameters is None else frozenset(macro.parameters)
    for function in functions_of(unit).named(name):
        if function.body is None or function.node is None:
            yield None, None
            continue
        declarator = next((found.function for found in names.declared(name) if found.function is not None), None)
        given = names.parameters(declarator) if declarator is not None else []
        parameters = frozenset(parameter.name for parameter in given if parameter is not None)
        yield from ((value, parameters) for value in values_returned(unit.tree, function.body))
    for declared in names.declared(name):
        if declared.kind != "function":
            yield declared.value if declared.is_constant else None, None


def _meaning_of(context: WarpContext, value: Node | None, parameters: frozenset[bytes] | None) -> str:
    if value is None:
        return OTHERWISE
    value = bare(sole_entry(value))
    if parameters is None and context.indices.counted_in(value) == FOLLOWS:
        return THE_SIZE
    if parameters is None and context.ranges.half(value) == FOLLOWS:
        return HALF_OF_IT
    index = context.indices.of(value)
    if index is not None:
        return index.kind if index.counted_in == FOLLOWS else OTHERWISE
    return _of_parameter(context, value, parameters or frozenset())


def _of_parameter(context: WarpContext, value: Node, parameters: frozenset[bytes]) -> str:
    """A lane or a warp's index, where the parameter that is divided by `warpSize` is a thread's index."""
    left, right = (value.child_by_field_name(field) for field in ("left", "right"))
    if left is None or right is None or context.indices.divided_by(operator_of(value), right) != FOLLOWS:
        return OTHERWISE
    if operator_of(value) in ("/", ">>"):  # a sum of a parameter is rounded up
        return WARP_OF if names_in(left) & parameters else OTHERWISE
    leaf = name_in(bare(left))
    return LANE_OF if leaf is not None and text_of(leaf) in parameters else OTHERWISE
