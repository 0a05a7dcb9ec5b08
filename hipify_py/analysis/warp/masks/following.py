"""What sources, sinks and counting ask of the flow that they are parts of."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from hipify_py.analysis.warp.masks.kinds import ValueKinds
from hipify_py.analysis.warp.masks.parts import PartedNames
from hipify_py.edits import Edit
from hipify_py.semantics.declarations import Declaration
from hipify_py.semantics.macros import Macros
from hipify_py.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


class Confidence(IntEnum):
    """What is known of an expression that has to be a mask; the greatest of its parts counts."""

    SURE = 0
    PARTIAL = 1
    """It has 64 bits, and names lanes that were counted in 32."""
    UNTYPED = 2
    """It names the right lanes, and its type is still no integer of 64 bits."""
    UNKNOWN = 3
    """It comes from where this source does not reach."""


class Following(Protocol):
    """A source's masks as they are followed: what was noted of them, and the ways to follow them further."""

    unit: Unit
    data: bytes
    names: PartedNames
    macros: Macros
    kinds: ValueKinds

    def put(self, start: int, end: int, text: bytes) -> None:
        """Note an edit; the first one of a place counts."""

    def report(self, id: str, place: int, text: bytes, name: str = "", *, fix: Iterable[Edit] = ()) -> None:
        """Note a finding, once for a place; without a name it is about the text itself. `fix` mends it."""

    def require_wide(self, node: Node, *, exact: bool = False, taken: bool = False) -> Confidence:
        """Make an expression a mask of 64 bits; see `MaskDefinitions.require_wide`."""

    def propagate_wide(self, node: Node) -> None:
        """An expression is a mask of 64 bits: what becomes of it follows."""

    def widen(self, declaration: Declaration, *, taken: bool = False) -> Confidence:
        """Widen a declaration with all that must have its type, and what it is initialised with."""

    def widen_all(self, leaf: Node, *, taken: bool = False) -> Confidence | None:
        """Widen what a name means; None where this source does not declare it."""

    def widen_type(self, type: Node | None) -> None:
        """Write the wide type where a narrow one stands by itself."""

    def widen_alias(self, name: bytes) -> bool:
        """Widen this source's own name for the type of masks, with all that has it; False for any other alias."""

    def widen_type_parameter(self, parameter: Node) -> None:
        """A template's parameter is the type of masks: widen what this source instantiates the template with."""

    def follow_calls(self, function: Declaration) -> None:
        """What a function returns where it is called is a mask."""

    def may_be_narrow(self, declaration: Declaration) -> bool:
        """A declaration whose type may have 32 bits: not one of floating point, `bool`, or a type of its own."""

    def is_instantiated_narrow(self, declaration: Declaration) -> bool:
        """A declaration's type is a template's parameter, for which the source writes down a type of 32 bits."""

    def type_parameter(self, declaration: Declaration) -> Node | None:
        """The template's parameter that a declaration has for its type; see `Widths.type_parameter`."""

    def is_small(self, leaf: Node) -> bool:
        """A name of variables that hold nothing but small numbers: combined with a mask, they need no more bits."""

    def is_widened(self, declaration: Declaration) -> bool:
        """A declaration, or what it is a part of, has 64 bits by now, because it holds a mask."""

    def begin(self, declaration: Declaration, value: Node, *, is_initial: bool) -> None:
        """A variable that loses one lane after the other begins with those that there are, on 32-lane GPUs too."""

    def combine(self, node: Node) -> None:
        """Note an expression that is combined with a mask: what stays in 32 bits of it is reported in the end."""

    def is_full(self, leaf: Node | None) -> bool:
        """A name stands for all lanes, written down in this source."""

    def is_data_constant(self, leaf: Node) -> bool:
        """A name for all lanes is a number of 32 bits to other code of this source, so that it has to stay one."""

    def is_written(self, node: Node) -> bool:
        """A name of a mask that may have been written down as all lanes, the upper half of 64 included."""
