"""Proves that a source counts its warps in `warpSize` only, so that it is correct on any wavefront unchanged.

The proof is narrow on purpose. Keeping 32 lanes is right without any proof, so whatever is not resolved here (a
template parameter, a name of another file, a block whose size is computed) ends it. Later code may count the results of
each warp, so host code must query the device for the size of its warps, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipify_py.analysis.warp.author_choices import WARP_SIZE_NAME
from hipify_py.analysis.warp.constant_uses import is_constant_use
from hipify_py.analysis.warp.host_reads import queries_warp_size
from hipify_py.analysis.warp.warp_calls import WarpCall, warp_calls_of
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.expressions import callee, name_in, names_in, operator_of, strip_parentheses, text_of
from hipify_py.semantics.functions import functions_of
from hipify_py.semantics.group_types import may_use_groups
from hipify_py.semantics.launches import Launch, launches_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

SIZE = b"warpSize"
_PLAIN = frozenset({"warpSize", "__any_sync", "__all_sync", "__any", "__all", "__syncwarp"})
"""Operations that mean the same for a wavefront of any size, beside shuffles."""
_OF_32 = frozenset({16, 31, 32, 33, 63, 64})
"""Numbers that may be about warps of 32 lanes, or of 64."""
_SPLITS = frozenset({"/", "%", "&", ">>", "<<", "/=", "%=", "&=", ">>=", "<<="})
LANES_IN_PTX = re.compile(rb"laneid|lanemask|%+warpid|WARP_SZ|\b(?:vote|shfl|match|redux|activemask|elect)\.")
"""What names lanes, or a warp, in inline PTX."""
_WHOLE_WAVEFRONT = 64


def native_obstacle(unit: Unit) -> str:
    """Why a source is not proved to count its warps in `warpSize` only; empty where it is."""
    found = unit.analysis(_obstacle)
    if found or unit.project.native_warps:
        return found
    if unit.source.is_header:
        return "others include it"
    if any(include.quoted for include in unit.lexemes.includes):
        return "it includes other files"
    return "" if queries_warp_size(unit) else "its host code does not ask for the size of warps"


def own_obstacle(unit: Unit) -> str:
    """What in a source itself prevents such a proof, without regard to the files around it."""
    return unit.analysis(_obstacle)


def _obstacle(unit: Unit) -> str:
    names = {use.row.name for use in unit.uses if "warp32" in use.row.details}
    others = sorted(name for name in names - _PLAIN if not name.startswith("__shfl"))
    if others:
        return f"{others[0]} names lanes, or keeps a mask of 32 bits"
    if "warpSize" not in names:
        return "nothing in it counts in warpSize"
    if may_use_groups(unit) or b"##" in unit.source.data:
        return "it has groups of threads, or names that are pasted together"
    if b"asm" in unit.source.data and LANES_IN_PTX.search(unit.source.data):
        return "its inline PTX names lanes"
    if not unit.tree.is_available or unit.tree.root.has_error:
        return "it could not be parsed whole"
    return _sizes(unit) or _numbers(unit) or _calls(unit) or _splits(unit) or _launches(unit)


def _sizes(unit: Unit) -> str:
    """A `warpSize` outside of device functions, or where HIP's, which is an object, does not compile."""
    for leaf in names_of(unit).mentions(SIZE):
        if leaf.type == "field_identifier":  # of the device's properties
            continue
        function = functions_of(unit).at(leaf.start_byte)
        if unit.lexemes.define_around(leaf.start_byte) is not None or function is None or not function.is_device:
            return "it names warpSize outside of device functions"
        if is_constant_use(unit, leaf):
            return "warpSize is used where a constant is needed"
        if not _is_operand(leaf):
            return "warpSize is passed on, and HIP's is an object"
    return ""


def _is_operand(leaf: Node) -> bool:
    """Whether `warpSize` is an operand or a shuffle's width: everywhere else its type could matter."""
    parent = leaf.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is None or parent.type in ("binary_expression", "assignment_expression"):
        return parent is not None
    call = parent.parent if parent.type == "argument_list" else None
    return call is not None and text_of(callee(call)).startswith(b"__shfl")


def _numbers(unit: Unit) -> str:
    """A number that may be about 32 lanes, or a name for the size of a warp other than the compiler's."""
    for node in unit.tree.nodes("number_literal"):
        if number(text_of(node)) in _OF_32:
            return f"it has the number {text_of(node).decode()}"
    for define in unit.lexemes.defines:
        body = unit.source.data[define.end : unit.lexemes.body_end(define)]
        if any(number(word) in _OF_32 for word in re.findall(rb"\b\d\w*", body)):
            return f"the macro {define.text.decode(errors='replace')} has a number that may be about lanes"
    other = next((word for word in sorted(unit.lexemes.words) if word != SIZE and WARP_SIZE_NAME.fullmatch(word)), None)
    return f"{other.decode()} is another size of warps" if other is not None else ""


def _calls(unit: Unit) -> str:
    """A shuffle or vote that is not over all lanes of a wavefront, with lanes computed from `warpSize`."""
    for call in warp_calls_of(unit):
        mask = call.argument(0) if call.has_mask else None
        is_plain = call.call is not None and call.is_complete and call.pack is None and call.nodes
        if not is_plain and call.name != "__syncwarp":
            return f"{call.name} is not called directly"
        if mask is not None and not is_full_mask(unit, mask):
            return f"the mask of {call.name} is not all lanes"
        if call.is_shuffle and not _goes_by_size(unit, call):
            return f"the lanes of {call.name} do not depend on warpSize"
    return ""


def is_full_mask(unit: Unit, mask: Node) -> bool:
    """Whether an argument is the full mask of a warp, directly or by a macro or constant of the source."""
    value = constants_of(unit).value(strip_parentheses(mask))
    return value is not None and value & 0xFFFFFFFF == 0xFFFFFFFF


def _goes_by_size(unit: Unit, call: WarpCall) -> bool:
    width = call.argument(call.first + 2)
    if width is not None and text_of(strip_parentheses(width)) != SIZE:
        return False
    lane = call.distance
    if lane is None:
        return False
    if constants_of(unit).value(strip_parentheses(lane)) in ((0,) if call.is_indexed else (1,)):
        return True
    leaf = name_in(strip_parentheses(lane))
    declarations = names_of(unit).resolve(leaf) if leaf is not None else ()
    return len(declarations) == 1 and declarations[0].value is not None and _halves(declarations[0].owner)


def _halves(declaration: Node) -> bool:
    """Whether a loop starts at half of `warpSize` and halves, or starts at 1 and ends at `warpSize`."""
    loop = declaration.parent
    if loop is None or loop.type != "for_statement":
        return False
    first, condition = (
        b"".join(text_of(part).split()) for part in (declaration, loop.child_by_field_name("condition"))
    )
    update = b"".join(text_of(loop.child_by_field_name("update")).split())
    falls = first.endswith((b"=warpSize/2;", b"=warpSize>>1;", b"=(warpSize/2);", b"=(warpSize>>1);"))
    if falls:
        return update.endswith((b"/=2", b">>=1")) and condition.endswith((b">0", b">=1"))
    return first.endswith(b"=1;") and update.endswith((b"*=2", b"<<=1")) and condition.endswith(b"<warpSize")


def _splits(unit: Unit) -> str:
    """A division, remainder, mask or shift in device code by something that is neither `warpSize` nor a number."""
    values = constants_of(unit)
    for function in functions_of(unit):
        if not function.is_device or function.body is None:
            continue
        for node in unit.tree.nodes("binary_expression", "assignment_expression", within=function.body):
            right = node.child_by_field_name("right")
            if operator_of(node) not in _SPLITS or right is None:
                continue
            if SIZE not in names_in(right) and values.value(strip_parentheses(right)) is None:
                return f"{text_of(node).decode(errors='replace')} does not depend on warpSize"
            if operator_of(node) in (">>", "<<", ">>=", "<<=") and values.value(strip_parentheses(right)) in (4, 5, 6):
                return f"{text_of(node).decode(errors='replace')} may be about lanes"
    return ""


def _launches(unit: Unit) -> str:
    """A kernel that others launch, or one with blocks that are neither whole 64-lane wavefronts nor of the device's."""
    launched: set[bytes] = set()
    for launch in launches_of(unit):
        if not isinstance(launch, Launch) or len(launch.configuration) < 2:
            return "a launch in it could not be read"
        block = unit.source.data[slice(*launch.configuration[1])].strip()
        size = number(block)
        if size is None:
            size = constants_of(unit).named_value(block)
        if size is None or size % _WHOLE_WAVEFRONT:
            return f"blocks of {block.decode(errors='replace')} threads may not be whole wavefronts"
        launched.add(unit.source.data[slice(*launch.callee)].partition(b"<")[0].rpartition(b"::")[2].strip())
    unlaunched = [one.name for one in functions_of(unit) if one.is_kernel and one.name not in launched]
    return f"{unlaunched[0].decode(errors='replace')} is launched elsewhere" if unlaunched else ""
