"""What a source takes a warp to be: lane arithmetic in 32 or in `warpSize`, warp built-ins, and who runs them.

A number 32 says nothing by itself. It counts here where it divides a thread index in a source that uses warp
built-ins, where a shuffle loop starts at its half, or where a constant's name says so.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import NamedTuple

from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.functions import Function, Functions
from hipify_py.rules.api.calls import Call, call_at
from hipify_py.rules.headers.known import branches_at
from hipify_py.rules.wavefront.constant_uses import is_constant_use
from hipify_py.unit import Unit, Use

THIRTY_TWO, FOLLOWS, ELSEWHERE = "32", "warpSize", "elsewhere"
"""What lanes are counted in: 32, `warpSize`, or a constant that another file defines."""

LANE, WARP, COUNT = "lane", "warp", "count"
"""What arithmetic makes of a thread index or a block size: a lane, a warp's index, the number of warps."""

BUILT_IN = re.compile(
    r"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__(?:match_any|match_all|reduce_\w+)_sync|__activemask"
    r"|__syncwarp"
)

_CALLED_WARP_SIZE = re.compile(
    rb"(?i:\w*(?<![a-z])warp_?(?:size|threads|lanes|width)|\w*threads_?per_?warp|\w*lanes_?per_?warp|\w*wavefront_?size)"
    rb"|warpSize|LANES|k\w*Warp(?:Size|Threads|Lanes)"
)
_DEFINED = re.compile(rb"[ \t]+\(?\s*(?:32|0x20)[uU]?\s*\)?[ \t]*(?=\r?\n|//|/\*|\Z)")
_CONSTANT = re.compile(
    rb"\b(?:constexpr|const|enum|template|typename|class|int|unsigned|uint32_t|size_t|auto)\b[^;(){}<>=]*?[\s<,{&]"
    rb"([A-Za-z_]\w*)\s*(?:=\s*|\{\s*)(?:32|0x20)[uU]?\s*(?=[;,}>)])"
)
_ENUMERATOR = re.compile(rb"\benum\b[^;{}()]*\{[^{}]*?\b([A-Za-z_]\w*)\s*=\s*32[uU]?\s*(?=[,}])")

_ARITHMETIC = re.compile(
    rb"(?P<op>(?<!&)&(?!&)|%|>>|/)\s*(?:(?P<number>31|32|5|0x1[fF]|0x20)[uU]?(?![\w.'])"
    rb"|\(\s*(?P<less>[A-Za-z_][\w:]*)\s*-\s*1[uU]?\s*\)|(?P<name>[A-Za-z_][\w:]*)\b(?!\s*[(.\[]))"
)
_OPERATORS = {
    (b"&", b"31"): LANE,
    (b"&", b"0x1f"): LANE,
    (b"%", b"32"): LANE,
    (b"%", b"0x20"): LANE,
    (b">>", b"5"): WARP,
    (b"/", b"32"): WARP,
    (b"/", b"0x20"): WARP,
}
_OPERAND = re.compile(rb"[A-Za-z_][\w.]*\s*\Z")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:<[\w\s,:]*>\s*)?\(")
_THREAD_NAME = re.compile(
    rb"(?:\w*_)?(?:tid|tx|lane)(?:_\w*)?|\w*[tT]hread_?(?:[iI]dx?|[iI]ndex|[rR]ank)\w*|\w*[lL]ane_?[iI]d"
)
_BLOCK = re.compile(
    rb"\bblockDim\b|\b(?:block_?(?:size|dim)|n?_?threads|num_?threads|block_?threads)\w*\b", re.IGNORECASE
)
_GIVEN_TO = re.compile(rb"([A-Za-z_]\w*)\s*(?:=(?!=)|[({])\s*(?:\([\w\s]*\)\s*|\w+_cast<[\w\s]*>\s*)?[(\s]*\Z")
_THREAD_VARIABLE = re.compile(rb"([A-Za-z_]\w*)\s*=(?!=)[^=;{}]*\Z")
_RETURNED = re.compile(rb"\breturn\b[(\s]*\Z")
_HALF = re.compile(rb"\(?\s*(?:16[uU]?|(?:32[uU]?|([A-Za-z_][\w:]*))\s*(?:/\s*2|>>\s*1))\s*\)?")
_FIRST_ASSIGNED = rb"(?<![\w.>])%s\s*(?:=(?!=)|\{)\s*([^;,{}]*[^;,{}\s])\s*[;,}]"
_UPPER_BOUND = rb"(?<![\w.>])%s\s*(?:<|!=)\s*([^;)=]*[^;)=\s])\s*[;)]"

_PORTED = re.compile(
    rb"\b(?:USE_ROCM|__HIP_PLATFORM_(?:AMD|HCC)__|__HIP_DEVICE_COMPILE__|__AMDGCN__|__AMDGCN_WAVEFRONT_SIZE\w*|__HIPCC__"
    rb"|__HIP__|__gfx\w+__|\w*USE_HIP\w*|HIP_VERSION|WITH_ROCM|ROCM_VERSION)\b"
    rb"|\b__builtin_amdgcn_"
)
_FOREIGN_LANES = re.compile(
    rb"%+laneid|%+lanemask|%+warpid|\bLaneId\b|\bLaneMask\w*\b|\b__lane_id\b|\b(?:vote|shfl|match|redux|activemask)\.(?:sync|ballot|any|all|up|down|bfly|idx|b32)|\bcoalesced_threads\b"
)
_IF = re.compile(rb"\bif\s*(?:constexpr\s*)?\(")
_RETURNS = re.compile(rb"[\s{]*return\b")
_LONGEST_OPERAND = 200  # bytes looked at in front of an operator
_LONGEST_CONDITION = 400
_LONGEST_LOOP = 3000


class Site(NamedTuple):
    """Lane arithmetic at a place: `[start, end)` is the whole expression, `given` the name that takes its value."""

    start: int
    end: int
    kind: str
    counted_in: str
    given: bytes


class WarpCall(NamedTuple):
    """A warp built-in in use; `call` is None where no argument list follows it."""

    use: Use
    call: Call | None
    function: Function | None

    @property
    def name(self) -> str:
        return self.use.row.name

    @property
    def is_shuffle(self) -> bool:
        return self.name.startswith("__shfl")

    @property
    def masked(self) -> bool:
        """The first argument is a mask."""
        return self.name.endswith("_sync") or self.name == "__syncwarp"

    @property
    def first(self) -> int:
        """The position of the first argument behind the mask."""
        return 1 if self.masked else 0

    @property
    def has_width(self) -> bool:
        return self.call is not None and len(self.call.arguments) > self.first + 2


class WarpContext:
    """One source's warps. Everything is found once, when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.lexemes = unit.lexemes

    @cached_property
    def functions(self) -> Functions:
        return Functions(self.lexemes)

    @cached_property
    def calls(self) -> list[WarpCall]:
        """The warp built-ins in the order of their places."""
        return [
            WarpCall(use, call_at(self.unit, use.end), self.functions.at(use.start))
            for use in self.unit.uses
            if use.row.library == "device" and BUILT_IN.fullmatch(use.row.name)
        ]

    @cached_property
    def _with_calls(self) -> frozenset[int]:
        return frozenset(call.function.start for call in self.calls if call.function is not None)

    def has_calls(self, function: Function) -> bool:
        """The function uses a warp built-in itself."""
        return function.start in self._with_calls

    def asks_lanes(self, function: Function) -> bool:
        """The function, or one of this source that it asks, uses warp built-ins."""
        known = self._asking.get(function.start)
        if known is None:
            named = _CALLED.findall(self.data, function.start, function.end)
            known = self._asking[function.start] = self.has_calls(function) or any(
                name in self._users for name in named
            )
        return known

    @cached_property
    def _asking(self) -> dict[int, bool]:
        return {}

    @cached_property
    def _users(self) -> frozenset[bytes]:
        """The names of the functions that use a warp built-in."""
        return frozenset(call.function.name for call in self.calls if call.function is not None)

    @cached_property
    def is_ported(self) -> bool:
        """The source has branches for AMD GPUs already: its author has thought of their lanes."""
        return _PORTED.search(self.data) is not None

    @cached_property
    def has_foreign_lanes(self) -> bool:
        """Lane numbers come from elsewhere, too (PTX registers, CUB): they go to 63 whatever the arithmetic does."""
        return _FOREIGN_LANES.search(self.data) is not None

    @cached_property
    def constants(self) -> dict[bytes, int]:
        """The names that this source gives the value 32 and a warp's meaning, with their places."""
        found: dict[bytes, int] = {}
        for define in self.lexemes.defines:
            if _CALLED_WARP_SIZE.fullmatch(define.text) and _DEFINED.match(self.data, define.end):
                found.setdefault(define.text, define.start)
        for pattern in (_CONSTANT, _ENUMERATOR):
            for match in pattern.finditer(self.data):
                if _CALLED_WARP_SIZE.fullmatch(match[1]) and self.lexemes.skip_at(match.start(1)) is None:
                    found.setdefault(match[1], match.start(1))
        return found

    @cached_property
    def _chosen(self) -> frozenset[bytes]:
        """Constants that other definitions in this source give another value, or that stand in a branch of an `#if`
        that names AMD: what they are on AMD GPUs is somebody's decision already."""
        if not self.is_ported:
            return frozenset()
        ordered = sorted(self.constants.items(), key=lambda item: item[1])
        branches = branches_at(self.unit, [place for _, place in ordered])
        return frozenset(name for (name, _), branch in zip(ordered, branches, strict=True) if branch)

    def counted_in(self, name: bytes) -> str | None:
        """What a divisor's name stands for; None for a name that says nothing of warps."""
        last = name.rsplit(b":", 1)[-1]
        if last in self.constants:
            return ELSEWHERE if last in self._chosen else THIRTY_TWO
        if last == b"warpSize":
            return ELSEWHERE if self._has_own_warp_size else FOLLOWS
        return ELSEWHERE if _CALLED_WARP_SIZE.fullmatch(last) else None

    @cached_property
    def _has_own_warp_size(self) -> bool:
        """`warpSize` is a constant of the project's, of a value that another file knows."""
        uses = (match for match in re.finditer(rb"\bwarpSize\b", self.data))
        return any(is_constant_use(self.data, use.start(), use.end()) for use in uses)

    # ------------------------------------------------------------------ lane arithmetic

    @cached_property
    def sites(self) -> list[Site]:
        """The lane arithmetic of the source in the order of its places."""
        return [site for match in _ARITHMETIC.finditer(self.data) if (site := self._site(match)) is not None]

    def _site(self, match: re.Match[bytes]) -> Site | None:
        number = match["number"]
        if number is not None:
            kind, counted = _OPERATORS.get((match["op"], number.lower())), THIRTY_TWO
        else:
            name = match["less"] or match["name"]
            known = self.counted_in(name)
            if known is None:
                return None
            lane = (b"&", True) if match["less"] else (b"%", False)
            kind = LANE if (match["op"], bool(match["less"])) == lane else None
            if match["op"] == b"/" and not match["less"]:
                kind = WARP
            counted = known
        if kind is None or self.lexemes.skip_at(match.start()) is not None:
            return None
        function = self.functions.at(match.start())
        start, operand = self._operand(match.start())
        if not operand:
            return None
        if not self._is_thread(operand, function):
            if kind != WARP or not _BLOCK.search(operand):
                return None
            kind = COUNT
        given = _GIVEN_TO.search(self.data, max(start - _LONGEST_OPERAND, 0), start)
        name = given[1] if given is not None else b""
        if given is None and function is not None and _RETURNED.search(self.data, max(start - 40, 0), start):
            name = function.name
        return Site(start, match.end(), kind, counted, name)

    def _operand(self, end: int) -> tuple[int, bytes]:
        """What stands in front of an operator: a name, or a bracketed expression."""
        floor = max(end - _LONGEST_OPERAND, 0)
        text = self.data[floor:end].rstrip()
        if text.endswith(b")"):
            depth = 0
            for at in range(len(text) - 1, -1, -1):
                depth += (text[at] == 0x29) - (text[at] == 0x28)
                if depth == 0:
                    return floor + at, text[at:]
            return end, b""
        match = _OPERAND.search(text)
        return (end, b"") if match is None else (floor + match.start(), match[0])

    def _is_thread(self, operand: bytes, function: Function | None) -> bool:
        """The expression is a thread's index: `threadIdx`, or variables computed from it."""
        if b"threadIdx" in operand:
            return True
        words = _WORD.findall(operand)
        if any(_BLOCK.fullmatch(word) for word in words):
            return False
        known = self._thread_variables.get(function.start, set()) if function is not None else set()
        return any(word in known or _THREAD_NAME.fullmatch(word) for word in words)

    @cached_property
    def _thread_variables(self) -> dict[int, set[bytes]]:
        """By function (its body's place): the variables that are set to an expression with `threadIdx`."""
        found: dict[int, set[bytes]] = {}
        for match in re.finditer(rb"\bthreadIdx\b", self.data):
            function = self.functions.at(match.start())
            if function is None or self.lexemes.skip_at(match.start()) is not None:
                continue
            head = _THREAD_VARIABLE.search(self.data, max(match.start() - _LONGEST_OPERAND, 0), match.start())
            if head is not None:
                found.setdefault(function.start, set()).add(head[1])
        return found

    @cached_property
    def _site_starts(self) -> list[int]:
        return [site.start for site in self.sites]

    def sites_in(self, function: Function) -> list[Site]:
        """The lane arithmetic of one function."""
        first, last = bisect_left(self._site_starts, function.head), bisect_right(self._site_starts, function.end)
        return self.sites[first:last]

    @cached_property
    def lane_functions(self) -> dict[bytes, tuple[str, str]]:
        """Functions that return a lane or a warp's index: what they count in, and which of the two."""
        return {
            function.name: (site.counted_in, site.kind)
            for site in self.sites
            if (function := self.functions.at(site.start)) is not None and site.given == function.name
        }

    def counts(self, function: Function | None) -> frozenset[str]:
        """What a function counts lanes in: by its own arithmetic, and by the functions that it asks for its lane."""
        if function is None:
            return frozenset()
        known = self._counts.get(function.start)
        if known is None:
            found = {site.counted_in for site in self.sites_in(function) if site.kind != COUNT}
            body = self.data[function.start : function.end]
            for name, (counted, _) in self.lane_functions.items():
                if name != function.name and re.search(rb"\b" + re.escape(name) + rb"\s*[(<]", body):
                    found.add(counted)
            known = self._counts[function.start] = frozenset(found)
        return known

    @cached_property
    def _names_known(self) -> dict[tuple[int, str], tuple[set[bytes], set[bytes]]]:
        return {}

    @cached_property
    def _counts(self) -> dict[int, frozenset[str]]:
        return {}

    def counts_32(self, function: Function | None) -> bool:
        """Every lane of a function is counted in 32, or its blocks are rows of 32 threads."""
        if function is None:
            return False
        counts = self.counts(function)
        return counts == {THIRTY_TWO} or (not counts and function.name in self.row_kernels)

    def has_lane(self, text: bytes, function: Function) -> bool:
        """A text names a lane that its function counts."""
        return self._names(text, function, LANE)

    def has_warp(self, text: bytes, function: Function) -> bool:
        """A text names a warp's index within its block."""
        return self._names(text, function, WARP)

    def _names(self, text: bytes, function: Function, kind: str) -> bool:
        known, texts = self._named(function, kind)
        if any(word in known for word in _WORD.findall(text)):
            return True
        compact = b"".join(text.split())
        return any(site in compact for site in texts)

    def _named(self, function: Function, kind: str) -> tuple[set[bytes], set[bytes]]:
        """The names that stand for lanes or warps in a function, and the expressions that compute them."""
        found = self._names_known.get((function.start, kind))
        if found is None:
            sites = [site for site in self.sites_in(function) if site.kind == kind]
            names = {site.given for site in sites if site.given}
            names.update(name for name, (_, what) in self.lane_functions.items() if what == kind)
            texts = {b"".join(self.data[site.start : site.end].split()) for site in sites}
            found = self._names_known[function.start, kind] = names, texts
        return found

    @cached_property
    def all_counts(self) -> frozenset[str]:
        """What the lanes of the whole source are counted in: by arithmetic, shuffle loops and rows of threads."""
        found = {site.counted_in for site in self.sites}
        found.update(reach for call in self.calls if (reach := self.loop_reach(call)) is not None)
        if self.row_kernels or self.single_warp_kernels:
            found.add(THIRTY_TWO)
        return frozenset(found)

    def loop_reach(self, call: WarpCall) -> str | None:
        """What a shuffle over a whole warp counts its lanes in; nothing is said by one over a few neighbours."""
        if not call.is_shuffle or call.name in ("__shfl", "__shfl_sync"):
            return None
        return self.reach(call) if not self.is_one_step(call) or self.argument(call, call.first + 1) == b"16" else None

    def is_one_step(self, call: WarpCall) -> bool:
        """A shuffle over a distance that is written as a number."""
        return self.argument(call, call.first + 1).rstrip(b"uU").isdigit()

    # ------------------------------------------------------------------ shuffles

    def reach(self, call: WarpCall) -> str | None:
        """How far a shuffle's offset goes: THIRTY_TWO within 32 lanes, FOLLOWS up to `warpSize`; None if unknown."""
        offset = self.argument(call, call.first + 1)
        if offset.rstrip(b"uU").isdigit():
            return THIRTY_TWO if int(offset.rstrip(b"uU")) <= 16 else None
        if _WORD.fullmatch(offset) is None or call.function is None:
            return self._half(offset)
        start, end = self.loop_limit(call) or (0, 0)
        limit = self.data[start:end]
        if limit.rstrip(b"uU") in (b"32", b"16", b"8", b"4"):
            return THIRTY_TWO
        return self.counted_in(limit) if _WORD.fullmatch(limit) else self._half(limit)

    def loop_limit(self, call: WarpCall) -> tuple[int, int] | None:
        """Where the loop over a shuffle's offset says how far it goes: in its first value, or in its upper bound."""
        offset = self.argument(call, call.first + 1)
        if _WORD.fullmatch(offset) is None or call.function is None:
            return None
        first = max(call.function.start, call.use.start - _LONGEST_LOOP)
        last = None
        for match in re.finditer(_FIRST_ASSIGNED % re.escape(offset), self.data[first : call.use.start]):
            if self._half(match[1]) is not None or match[1].rstrip(b"uU") in (b"1", b"2"):
                last = match
        if last is None:
            return None
        if self._half(last[1]) is not None:
            return first + last.start(1), first + last.end(1)
        bound = re.compile(_UPPER_BOUND % re.escape(offset)).search(self.data, first + last.end(1), call.use.start)
        return None if bound is None else bound.span(1)

    def _half(self, text: bytes) -> str | None:
        match = _HALF.fullmatch(text)
        if match is None:
            return None
        return THIRTY_TWO if match[1] is None else self.counted_in(match[1])

    def argument(self, call: WarpCall, position: int) -> bytes:
        """The text of an argument; empty where there is none."""
        if call.call is None or position >= len(call.call.arguments):
            return b""
        start, end = call.call.arguments[position]
        return self.data[start:end]

    # ------------------------------------------------------------------ who gets here

    def in_first_warp(self, place: int, function: Function | None) -> bool:
        """Only the first (or last) 32 threads of a block get to a place: half of their wavefront is idle there."""
        return function is not None and any(start <= place <= end for start, end in self._first_warp(function))

    def in_first_warps_branch(self, place: int, function: Function) -> bool:
        """As `in_first_warp`, while the others of the block are still there: they have not returned."""
        warps = {site.given for site in self.sites_in(function) if site.kind == WARP and site.given}
        return any(
            start <= place <= end and self._first_warp_says(condition, warps) is True
            for condition, start, end in self.conditions(function)
        )

    def _first_warp(self, function: Function) -> list[tuple[int, int]]:
        """Where in a function only the first (or last) 32 threads of a block get."""
        found = self._first_warps.get(function.start)
        if found is None:
            warps = {
                site.given
                for site in self.sites_in(function)
                if site.kind == WARP and site.given and site.counted_in == THIRTY_TWO
            }
            found = self._first_warps[function.start] = []
            for condition, start, end in self.conditions(function):
                says = self._first_warp_says(condition, warps)
                if says is True:
                    found.append((start, end))
                elif says is False and _RETURNS.match(self.data, start, end):
                    found.append((end, function.end))
        return found

    def conditions(self, function: Function) -> list[tuple[bytes, int, int]]:
        """The conditions of a function, without their blanks, and the range of what stands under each."""
        found = self._conditions.get(function.start)
        if found is None:
            found = self._conditions[function.start] = []
            for match in _IF.finditer(self.data, function.start, function.end):
                if self.lexemes.skip_at(match.start()) is not None:
                    continue
                limit = min(match.end() + _LONGEST_CONDITION, function.end)
                closed = match_forward(self.lexemes, match.end() - 1, limit)
                if closed is not None:
                    condition = b"".join(self.data[match.end() : closed[0]].split())
                    start = closed[0] + 1
                    found.append((condition, start, self._statement_end(start, function.end)))
        return found

    @cached_property
    def _first_warps(self) -> dict[int, list[tuple[int, int]]]:
        return {}

    @cached_property
    def _conditions(self) -> dict[int, list[tuple[bytes, int, int]]]:
        return {}

    def _first_warp_says(self, condition: bytes, warps: set[bytes]) -> bool | None:
        """True where a condition holds for the first 32 threads alone, False where it holds for all others alone."""
        if b"||" in condition:
            return None
        for part in condition.split(b"&&"):
            match = re.fullmatch(rb"\(*([\w.]+?)\)*(<|>=|==|!=|>)\(?([\w:]+)\)?", part)
            if match is None:
                if part.startswith(b"!") and part[1:] in warps:
                    return True
                if part in warps:
                    return False
                if re.fullmatch(rb"\(?[\w.]+(?:/32|>>5)\)?==0", part) or self._is_last_warp(part):
                    return True
                continue
            left, sign, right = match.groups()
            if left in warps and right.rstrip(b"uU") == b"0":
                return {b"==": True, b"!=": False, b">": False}.get(sign)
            is_thread = left.startswith(b"threadIdx.") or _THREAD_NAME.fullmatch(left) is not None
            if (
                is_thread
                and b"lane" not in left.lower()
                and (right.rstrip(b"uU") == b"32" or self.counted_in(right) == THIRTY_TWO)
            ):
                return {b"<": True, b">=": False}.get(sign)
        return None

    def _is_last_warp(self, condition: bytes) -> bool:
        """`threadIdx.x >= threads - 32`: the last 32 threads of a block, the other half of whose wavefront is idle."""
        match = re.fullmatch(rb"\(*([\w.]+)\)*>=\(*[\w.:]+-([\w:]+)\)*", condition)
        return (
            match is not None
            and (match[1] == b"threadIdx.x" or _THREAD_NAME.fullmatch(match[1]) is not None)
            and b"lane" not in match[1].lower()
            and (match[2].rstrip(b"uU") == b"32" or self.counted_in(match[2]) == THIRTY_TWO)
        )

    def _statement_end(self, place: int, limit: int) -> int:
        first = self.lexemes.after(place)
        if self.data[first : first + 1] == b"{":
            closed = match_forward(self.lexemes, first, limit + 1)
            return limit if closed is None else closed[0]
        end = self.data.find(b";", first, limit)
        return limit if end < 0 else end

    # ------------------------------------------------------------------ launches

    @cached_property
    def single_warp_kernels(self) -> frozenset[bytes]:
        """Kernels that this source launches with blocks of 32 threads in all."""
        return frozenset(name for name, shape in self._launched if shape == b"1")

    @cached_property
    def row_kernels(self) -> frozenset[bytes]:
        """Kernels that this source launches with blocks of several rows of 32 threads."""
        return frozenset(name for name, shape in self._launched if shape == b"rows")

    @cached_property
    def _launched(self) -> list[tuple[bytes, bytes]]:
        found = []
        for place in self.lexemes.launches:
            end = self.data.find(b">>>", place, place + 1000)
            if end < 0:
                continue
            arguments = _split(self.data[place + 3 : end])
            name = re.search(rb"([A-Za-z_]\w*)\s*(?:<[^;{}]*>)?\s*\Z", self.data[max(place - 300, 0) : place])
            if name is not None and len(arguments) > 1:
                found.append((name[1], self._shape(arguments[1], place)))
        return found

    def _shape(self, block: bytes, place: int) -> bytes:
        """`1` for a block of one row of 32 threads, `rows` for several of them, empty for any other."""
        for _ in range(2):
            text = b"".join(block.split())
            rows = re.fullmatch(rb"(?:dim3)?[({]?([\w:]+?)[uU]?(?:,([\w:*/+-]+?)[uU]?)?(?:,(\w+))?[)}]?", text)
            if rows is None:
                return b""
            if rows[1] == b"32" or self.counted_in(rows[1]) == THIRTY_TWO:
                return b"1" if rows[2] in (None, b"1") and rows[3] in (None, b"1") else b"rows"
            function = self.functions.at(place)
            if rows[2] is not None or function is None:
                return b""
            declared = re.compile(rb"\b" + re.escape(rows[1]) + rb"\s*(?:=\s*(?:dim3)?|(?=[({]))\s*([^;=]+);")
            values = declared.findall(self.data, function.start, place)
            if len(values) != 1:
                return b""
            block = values[0]
        return b""


def _split(text: bytes) -> list[bytes]:
    """The parts between the outer commas."""
    parts, depth, start = [], 0, 0
    for at, byte in enumerate(text):
        depth += (byte in b"([{") - (byte in b")]}")
        if byte == 0x2C and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


@lru_cache(maxsize=4)
def warp_context(unit: Unit) -> WarpContext:
    """The warps of a unit, worked out once for all the rules."""
    return WarpContext(unit)
