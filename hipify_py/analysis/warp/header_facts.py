"""What a header says of warps to the files that include it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from hipify_py.analysis.warp.callers import Callers
from hipify_py.analysis.warp.context import WarpContext
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.warp_calls import BUILT_IN, WarpCall
from hipify_py.catalog import Catalog
from hipify_py.frontend.lexer import Lexer
from hipify_py.options import Options
from hipify_py.project_context import ProjectContext
from hipify_py.semantics.expressions import asm_outputs, bare, call_of, is_same, name_in, text_of, values_returned
from hipify_py.semantics.functions import Function
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.symbols import names_of
from hipify_py.source import Source
from hipify_py.unit import Unit, Use

_TOO_COMMON = frozenset({b"operator", b"main", b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"defined"})
_MASK = re.compile(r"__(?:ballot|match_any|match_all)(?:_sync)?|__activemask")
_REGISTER = b"%lanemask_"


class SharedWarps:
    """Reads sources for the warps in them, and for nothing else."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        self.catalog = catalog
        self.options = options
        self._rows = {
            name: row
            for name in catalog.names
            if name.startswith(b"__") and BUILT_IN.fullmatch(name.decode()) and (row := catalog.row(name)) is not None
        }
        self._lexer = Lexer(self._rows.keys())

    def unit(self, data: bytes, path: str, project: ProjectContext, known: Unit | None = None) -> Unit:
        """A source with its warp built-ins alone; `known` was made of the same before."""
        lexemes = self._lexer.scan(data) if known is None else known.lexemes
        unit = Unit(Source(data, path), lexemes, self.catalog, self.options, project)
        if known is not None:
            unit.tree = known.tree
        unit.uses = [Use(name.start, name.end, self._rows[name.text]) for name in lexemes.names]
        return unit


def users_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions and macros of a header that use warps, themselves or through each other."""
    owners = {owner for call in context.calls if (owner := context.owner(call)) is not None}
    callers = {function.name for name in context.callers.names for _, function in context.callers.of(name)}
    lanes = {lane.function.name for lane in context.hardware_lanes.places} | context.hardware_lanes.getters
    return callable_names(context, owners | callers | lanes | mask_getters_of(context))


def callers_of(context: WarpContext, names: AbstractSet[bytes]) -> AbstractSet[bytes]:
    """The functions of a header that call helpers of other headers, themselves or through each other."""
    called = {name for name in names - context.defined if context.is_called(name)}
    if not called:
        return frozenset()
    callers = Callers(context.unit, called)
    return callable_names(context, {function.name for name in callers.names for _, function in callers.of(name)})


def lane_getters_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions of a header that return the hardware's lane; none where it is kept within 32 lanes."""
    getters = context.hardware_lanes.getters
    return frozenset() if not getters or _is_settled(context) else getters


def mask_getters_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions and macros of a header that return a lane mask of 64 bits."""
    owners = {context.owner(call) for call in context.calls if _is_returned_mask(context, call)}
    registers = {function.name for function in context.functions if _returns_register(context, function)}
    found = callable_names(context, registers.union(owner for owner in owners if owner is not None))
    return frozenset() if not found or _is_settled(context) else found


def _is_settled(context: WarpContext) -> bool:
    """A header has branches for AMD GPUs, so that its author has decided, or the run keeps its warps at 32 lanes."""
    return context.constants.is_ported or emulates_warp32(context)


def callable_names(context: WarpContext, names: Iterable[bytes]) -> AbstractSet[bytes]:
    """Names without those that nobody calls, or that say too little."""
    return set(names) - _TOO_COMMON - {function.name for function in context.functions if function.is_kernel}


def _is_returned_mask(context: WarpContext, call: WarpCall) -> bool:
    """A macro or a function hands on the mask that a built-in returns."""
    leaf = context.unit.tree.leaf(call.use.start, call.use.end)
    node = call_of(leaf) if leaf is not None and _MASK.fullmatch(call.name) else None
    if node is None:
        return False
    macro = macros_of(context.unit).around(call.use.start)
    if macro is not None:
        body = macros_of(context.unit).body(macro)
        return body is not None and is_same(bare(body), node)
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and parent.type == "return_statement"


def _returns_register(context: WarpContext, function: Function) -> bool:
    """A function reads one of the mask registers by inline PTX, and returns what it has read, once."""
    if function.body is None or b"lanemask" not in context.data[function.start : function.end]:
        return False
    tree = context.unit.tree
    returned = values_returned(tree, function.body)
    leaf = name_in(bare(returned[0])) if len(returned) == 1 else None
    declared = names_of(context.unit).meant_by(leaf) if leaf is not None else ()
    for statement in tree.nodes("gnu_asm_expression", within=function.body):
        if _REGISTER not in text_of(statement):
            continue
        taken = [name_in(output) for output in asm_outputs(statement)]
        if any(name is not None and set(names_of(context.unit).meant_by(name)) & set(declared) for name in taken):
            return True
    return False
