"""The warp operations of a unit: shuffles, votes, matches, reductions, with their arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.frontend.unit import Unit, Use
from hipify_py.semantics.calls import Call, call_at, is_argument_pack
from hipify_py.semantics.expressions import named_call
from hipify_py.semantics.functions import Function, functions_of

if TYPE_CHECKING:
    from tree_sitter import Node

BUILT_IN = re.compile(
    r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__(?:match_any|match_all|reduce_\w+)_sync|__activemask"
    r"|__syncwarp"
)


class WarpCall:
    """A use of a warp operation.

    Attributes:
        use: its name in the source.
        call: its brackets and the ranges of its arguments; None where no argument list follows the name.
        nodes: the arguments' nodes; as many as `call` has, or none where the tree is broken.
        function: the function around it; None in a macro's body.
        pack: the argument that expands to any number of them (`__VA_ARGS__`, `values...`); None where none does.
    """

    __slots__ = ("call", "function", "nodes", "pack", "use")

    def __init__(
        self, use: Use, call: Call | None, nodes: list[Node], function: Function | None, pack: int | None = None
    ) -> None:
        self.use = use
        self.call = call
        self.nodes = nodes
        self.function = function
        self.pack = pack

    @property
    def name(self) -> str:
        return self.use.row.name

    @property
    def is_shuffle(self) -> bool:
        return self.name.startswith("__shfl")

    @property
    def is_indexed(self) -> bool:
        """Whether it is a shuffle that names the lane it reads."""
        return self.name in ("__shfl", "__shfl_sync")

    @property
    def has_mask(self) -> bool:
        """Whether the first argument is a mask."""
        return self.name.endswith("_sync") or self.name == "__syncwarp"

    @property
    def first(self) -> int:
        """The position of the first argument after the mask."""
        return 1 if self.has_mask else 0

    @property
    def has_width(self) -> bool:
        """Whether a shuffle's last argument is the width; after an argument pack it can be nothing else."""
        if self.call is None:
            return False
        count = len(self.call.arguments)
        return count > self.first + 2 or (self.pack is not None and self.pack < count - 1)

    @property
    def is_complete(self) -> bool:
        """Whether it is called with all the arguments that it requires, as far as they can be counted.

        An argument pack may hold all of them, but not the mask as well.
        """
        if self.call is None:
            return False
        needed = 2 if self.is_shuffle else 0 if self.name in ("__syncwarp", "__activemask") else 1
        count = sum(start < end for start, end in self.call.arguments)
        return count >= self.first + needed if self.pack is None else self.pack >= self.first

    def argument(self, position: int) -> Node | None:
        """The node of an argument; None where there is none, or the tree is broken."""
        return self.nodes[position] if position < len(self.nodes) else None

    @property
    def value(self) -> Node | None:
        """What is shuffled, voted on or combined."""
        return self.argument(self.first)

    @property
    def distance(self) -> Node | None:
        """A shuffle's lane or distance."""
        return self.argument(self.first + 1)


def warp_calls_of(unit: Unit) -> list[WarpCall]:
    """The warp operations of a unit in source order."""
    return unit.analysis(_warp_calls)


def _warp_calls(unit: Unit) -> list[WarpCall]:
    found = []
    for use in unit.uses:
        if use.row.library == "device" and BUILT_IN.fullmatch(use.row.name):
            call = call_at(unit, use.end)
            parsed = named_call(unit.tree, use.start, use.end)
            nodes = parsed.arguments if parsed is not None else []
            if call is None or len(nodes) != len(call.arguments):
                nodes = []
            in_macro = unit.lexemes.define_around(use.start) is not None
            function = None if in_macro else functions_of(unit).at(use.start)
            found.append(WarpCall(use, call, nodes, function, _pack(unit, call)))
    return found


def _pack(unit: Unit, call: Call | None) -> int | None:
    """The argument of a call that expands to any number of them."""
    texts = [unit.source.data[slice(*argument)] for argument in call.arguments] if call is not None else []
    return next((at for at, text in enumerate(texts) if is_argument_pack(text)), None)
