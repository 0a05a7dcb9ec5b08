"""What a header says of warps to the files that include it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from hipify_py.analysis.warp.context import BUILT_IN, WarpCall, WarpContext
from hipify_py.analysis.warp.emulate_warp32 import emulates_warp32
from hipify_py.analysis.warp.helpers import Helpers
from hipify_py.catalog import Catalog
from hipify_py.frontend.lexer import Lexer
from hipify_py.options import Options
from hipify_py.project_context import ProjectContext
from hipify_py.source import Source
from hipify_py.unit import Unit, Use

_TOO_COMMON = frozenset({b"operator", b"main", b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"defined"})
_MASK = re.compile(r"__(?:ballot|match_any|match_all)(?:_sync)?|__activemask")
_RETURNED = re.compile(rb"\breturn\b[(\s]*\Z")
_PTX_MASK = re.compile(rb"%+lanemask_\w\w")
_LONGEST_GETTER = 400


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
        self._lexer = Lexer(self._rows.keys(), "(?!)", frozenset())

    def context(self, data: bytes, path: str, project: ProjectContext, known: WarpContext | None = None) -> WarpContext:
        """The warps of a source, by its built-ins alone; `known` was made of the same before."""
        lexemes = self._lexer.scan(data) if known is None else known.lexemes
        unit = Unit(Source(data, path), lexemes, self.catalog, self.options, project)
        unit.uses = [Use(name.start, name.end, self._rows[name.text]) for name in lexemes.names]
        return WarpContext(unit, None if known is None else known.functions)


def users_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions and macros of a header that use warps, themselves or through each other."""
    owners = {owner for call in context.calls if (owner := context.owner(call)) is not None}
    askers = {function.name for name in context.helpers.names for _, function in context.helpers.asking(name)}
    lanes = {lane.function.name for lane in context.hardware_lanes.places} | context.hardware_lanes.getters
    return _askable(context, owners | askers | lanes | mask_getters_of(context))


def askers_of(context: WarpContext, names: AbstractSet[bytes]) -> AbstractSet[bytes]:
    """The functions of a header that ask for helpers of other headers, themselves or through each other."""
    called = (context.called & names) - context.defined
    if not called:
        return frozenset()
    helpers = Helpers(context.lexemes, context.functions, called)
    return _askable(context, {function.name for name in helpers.names for _, function in helpers.asking(name)})


def lane_getters_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions of a header that return the hardware's lane; none where it is kept within 32 lanes."""
    return frozenset() if _is_settled(context) else context.hardware_lanes.getters


def mask_getters_of(context: WarpContext) -> AbstractSet[bytes]:
    """The functions and macros of a header that return a lane mask of 64 bits."""
    if _is_settled(context):
        return frozenset()
    owners = {context.owner(call) for call in context.calls if _is_returned_mask(context, call)}
    places = [match.start() for match in _PTX_MASK.finditer(context.data)] if b"lanemask" in context.data else []
    registers = {name for place in places if (name := _getter_at(context, place)) is not None}
    return _askable(context, registers.union(owner for owner in owners if owner is not None))


def _is_settled(context: WarpContext) -> bool:
    """A header has branches for AMD GPUs, so that its author has decided, or the run keeps its warps at 32 lanes."""
    return context.constants.is_ported or emulates_warp32(context)


def _askable(context: WarpContext, names: Iterable[bytes]) -> AbstractSet[bytes]:
    """Names without those that nobody asks, or that say too little."""
    data = context.data
    return set(names) - _TOO_COMMON - {f.name for f in context.functions if b"__global__" in data[f.head : f.start]}


def _is_returned_mask(context: WarpContext, call: WarpCall) -> bool:
    """A macro or a function hands on the mask that a built-in returns."""
    if _MASK.fullmatch(call.name) is None or call.call is None:
        return False
    data, place, behind = context.data, call.use.start, call.call.closing + 1
    define = context.lexemes.define_around(place)
    if define is None:
        is_all = data.startswith(b";", context.lexemes.after(behind))
        return is_all and _RETURNED.search(data, max(place - 40, 0), place) is not None
    body = define.end if data[define.end : define.end + 1] != b"(" else data.find(b")", define.end) + 1
    return not (data[body:place] + data[behind : context.lexemes.body_end(define)]).strip(b" \t()\\\r\n")


def _getter_at(context: WarpContext, place: int) -> bytes | None:
    """The function around a place, where it is short and returns once."""
    function = context.functions.at(place)
    if function is None or function.end - function.start > _LONGEST_GETTER:
        return None
    return function.name if context.data.count(b"return", function.start, function.end) == 1 else None
