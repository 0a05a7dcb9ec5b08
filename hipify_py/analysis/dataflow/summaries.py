"""Summaries of a unit's device functions: waits, repeated loads, writes.

A function's summary follows from those of its callees. Mutually dependent functions are solved together, to a fixed
point.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from hipify_py.analysis.dataflow.lowering import Environment, lower
from hipify_py.analysis.dataflow.memory import Memory
from hipify_py.analysis.dataflow.operations import (
    ADDRESS,
    BINARY,
    CALL,
    CAST,
    CONST,
    COPY,
    EXTERN,
    NO_REGION,
    OBJECT_REGION,
    SELECT,
    LoweredFunction,
    Operation,
    Variable,
)
from hipify_py.analysis.dataflow.plain import Place, Summary, from_plain, join_summaries, to_plain
from hipify_py.analysis.dataflow.solver import solve
from hipify_py.analysis.dataflow.synchronizing import may_wait, synchronizing, users_of
from hipify_py.analysis.dataflow.uniformity import BLOCK, UNSURE, Divergence, Uniformity, join_divergence
from hipify_py.analysis.dataflow.waits import Wait, find_waits, wait_summary
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, LOOP
from hipify_py.semantics.expressions import NAMES, name_in, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

# Interval analysis of a function's integer values.

_INFINITE = 1 << 62
_LARGEST_EXACT = 1 << 31
"""`int` arithmetic is exact below it."""
_SMALLEST_TYPE = 127
"""Numbers up to it are the same in every integer type."""
_WIDENING_BOUNDS = (0, 1, 31, 32)
"""The bounds that widening may stop at."""
_PROPAGATED = frozenset({COPY, CAST, SELECT, BINARY})
"""The operations whose result intervals follow from their arguments."""
_WARP_SIZE = b"warpSize"
_UNSIGNED = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
_SIGNED = lazy_pattern(rb"(?:(?:const|signed|short|long|int|int32_t|int64_t)\b\s*)+")
_NEGATED = {b"<": b">=", b"<=": b">", b">": b"<=", b">=": b"<"}
_MIRRORED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"=="}


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    def is_within(self, low: int, high: int) -> bool:
        """Whether all of them are within bounds."""
        return low <= self.low and self.high <= high


ANY = Interval(-_INFINITE, _INFINITE)


class Intervals:
    """The intervals of one function's values, for warps of 32 lanes."""

    def __init__(self, function: LoweredFunction) -> None:
        self._function = function
        self._order = {id(operation): at for at, operation in enumerate(function.operations)}
        self._limits: dict[int, int | None] = {}
        self._aliased = frozenset(_aliased_variables(function))

    def at(self, value: int, user: Operation) -> Interval:
        """The interval of a value where an operation uses it, by its definitions and the conditions around the use."""
        facts = solve(self._function, self._transfer, _widen, self._backward_slice(value))
        return self._refine(facts[value] or ANY, value, user)

    def _backward_slice(self, value: int) -> list[Operation]:
        """The backward slice of a value, through the operations that intervals are propagated through."""
        found, visited, pending = [], set[int](), [value]
        while pending:
            current = pending.pop()
            if current not in visited:
                visited.add(current)
                for operation in self._function.definitions.get(current, ()):
                    found.append(operation)
                    pending += operation.arguments if operation.code in _PROPAGATED else ()
        return found

    def _refine(self, interval: Interval, value: int, user: Operation) -> Interval:
        for condition, holds in self._conditions(user):
            comparison = self._function.definition(condition)
            if comparison is not None and comparison.code == BINARY and len(comparison.arguments) == 2:
                interval = self._refine_by_comparison(interval, value, comparison, holds, user)
        return interval

    def _conditions(self, user: Operation) -> Iterator[tuple[int, bool]]:
        """The conditions around an operation, each with whether it holds there."""
        for region in self._function.enclosing_regions(user.region):
            if region.kind in (IF, LOOP, LEFT, CHOICE) and region.condition >= 0:
                pending = [(region.condition, region.holds)]
                while pending:
                    condition, holds = pending.pop()
                    yield condition, holds
                    operation = self._function.definition(condition)
                    if operation is not None and operation.name == (b"&&" if holds else b"||"):
                        pending += [(part, holds) for part in operation.arguments]

    def _refine_by_comparison(
        self, interval: Interval, value: int, comparison: Operation, holds: bool, user: Operation
    ) -> Interval:
        """Narrow an interval by a comparison of its value with a number."""
        name = comparison.name if holds else _NEGATED.get(comparison.name, b"")
        left, right = comparison.arguments
        if right == value:
            left, right, name = right, left, _MIRRORED.get(name, b"")
        limit = self._number(right) if left == value else None
        if limit is None or not self._is_unchanged(value, comparison, user):
            return interval
        if name in (b"<", b"<=", b"=="):
            interval = interval._replace(high=min(interval.high, limit - (name == b"<")))
        if name in (b">", b">=", b"=="):
            interval = interval._replace(low=max(interval.low, limit + (name == b">")))
        return interval

    def _number(self, value: int) -> int | None:
        if value not in self._limits:
            self._limits[value] = self._function.evaluate(value, lambda one: 32 if one.name == _WARP_SIZE else None)
        return self._limits[value]

    def _is_unchanged(self, value: int, since: Operation, user: Operation) -> bool:
        """Whether a value is not redefined between two operations, nor in a loop that is entered between them."""
        first, last = self._order[id(since)], self._order[id(user)]
        loops = (loop for loop in self._function.loops if first < loop.first <= last < loop.last)
        end = max((loop.last for loop in loops), default=last)
        places = (self._order[id(operation)] for operation in self._function.definitions.get(value, ()))
        return first < last and not any(first < place < end for place in places)

    def _transfer(
        self, operation: Operation, arguments: Sequence[Interval | None], conditions: Sequence[Interval | None]
    ) -> Interval | None:
        code, name = operation.code, operation.name
        if code == CONST:
            return Interval(int(name), int(name)) if name else ANY
        if code == EXTERN:
            if name == _WARP_SIZE:
                return Interval(32, 32)
            return Interval(0, _INFINITE) if name.partition(b".")[0] in _UNSIGNED else ANY
        if operation.result in self._aliased or code not in _PROPAGATED:
            return ANY
        operands = [argument for argument in arguments if argument is not None]
        if len(operands) < len(arguments):
            return None
        if code == COPY and len(operands) == 1:
            variable = self._function.variables.get(operation.result)
            is_signed = variable is not None and _SIGNED.fullmatch(variable.type.strip()) is not None
            return operands[0] if is_signed or operands[0].low >= 0 else ANY
        if code == CAST and len(operands) == 1:
            return operands[0] if operands[0].is_within(0, _SMALLEST_TYPE) else ANY
        if code == SELECT and len(operands) == 3:
            _, one, other = operands
            return Interval(min(one.low, other.low), max(one.high, other.high))
        if code == BINARY and len(operands) == 2:
            values = zip(operands, operation.arguments, strict=True)
            return _apply_operator(name, *(self._refine(interval, value, operation) for interval, value in values))
        return ANY


def _aliased_variables(function: LoweredFunction) -> Iterator[int]:
    """The variables that may be set through another name: an address, a reference, or a function's argument."""
    for operation in function.operations:
        by_reference = operation.code == COPY and function.variables.get(operation.result)
        if operation.code == ADDRESS or (by_reference and by_reference.shape == "reference"):
            yield from operation.arguments
        elif operation.code == CALL and not operation.name.startswith(b"__"):
            named = ((value, function.variables.get(value)) for value in operation.arguments)
            yield from (value for value, variable in named if variable is not None and b"const" not in variable.type)
    yield from (value for value, variable in function.variables.items() if variable.shape != "value")


def _widen(before: Interval, other: Interval) -> Interval:
    """The union of two intervals, with bounds that move widened to fixed ones, so that loop variables converge."""
    low, high = before
    if other.low < low:
        low = next((bound for bound in reversed(_WIDENING_BOUNDS) if bound <= other.low), -_INFINITE)
    if other.high > high:
        high = next((bound for bound in _WIDENING_BOUNDS if other.high <= bound), _INFINITE)
    return Interval(low, high)


def _apply_operator(name: bytes, left: Interval, right: Interval) -> Interval:
    """The interval of an operator's results, for operands of any integer type."""
    is_number = right.low == right.high
    if name in (b"<", b">", b"<=", b">=", b"==", b"!=", b"&&", b"||"):
        return Interval(0, 1)
    if name == b"&" and is_number and right.low >= 0:
        return Interval(0, right.low)
    if left.low < 0 or right.low < 0:
        return ANY
    found = ANY
    if name == b"/" and right.low > 0:
        found = Interval(left.low // right.high, left.high // right.low)
    elif name == b"%" and right.low > 0:
        found = Interval(0, min(left.high, right.high - 1))
    elif name == b">>" and right.high < 32:
        found = Interval(left.low >> right.high, left.high >> right.low)
    elif name == b"<<" and right.high < 32:
        found = Interval(left.low << right.low, left.high << right.high)
    elif name == b"+":
        found = Interval(left.low + right.low, left.high + right.high)
    elif name == b"-":
        found = Interval(left.low - right.high, left.high - right.low)
    elif name == b"*":
        found = Interval(left.low * right.low, left.high * right.high)
    is_shrinking = name in (b"/", b"%", b">>")
    return found if is_shrinking or found.high < _LARGEST_EXACT else ANY


_DEVICE = lazy_pattern(rb"\b(?:[A-Z0-9_]*(?:DEVICE|GPU|INLINE|KERNEL)[A-Z0-9_]*|[A-Z]+_HD|HD)\b|__forceinline__")

_MACRO = lazy_pattern(rb"\b[A-Z][A-Z0-9_]+\b")

_DEVICE_ONLY = lazy_pattern(
    rb"\batomic(?:CAS|Exch|Add|Sub|Max|Min|Or|And)\s*\(|\b__(?:threadfence|nanosleep|ldc[gv])|\bthreadIdx\b"
)
"""CUDA functions and variables that host code cannot name."""


class FunctionAnalysis:
    """One function or macro, lowered, with its analyses.

    Attributes:
        name: its name.
        function: the function; None for a macro.
        macro: the macro; None for a function.
        lowered: its operations.
        memory: its memory accesses.
        waits: what it waits for: in its loops, at barriers, and in its callees.
        summary: its effects on callers.
        is_solved: whether the summary is final, or being computed.
    """

    def __init__(
        self,
        function: Function | None,
        macro: Macro | None,
        lowered: LoweredFunction,
        returned: Callable[[bytes], Divergence | None],
    ) -> None:
        self.name = lowered.name
        self._returned = returned
        self.function = function
        self.macro = macro
        self.lowered = lowered
        self.waits: list[Wait] = []
        self.summary = Summary()
        self.memory = Memory(lowered, {})
        self.is_solved = False

    @cached_property
    def uniformity(self) -> Uniformity:
        """How its values differ between threads."""
        is_kernel = self.function is not None and self.function.is_kernel
        return Uniformity(self.lowered, is_kernel=is_kernel, returned=self._returned)

    @cached_property
    def intervals(self) -> Intervals:
        """The integers that its values may be."""
        return Intervals(self.lowered)

    @property
    def returned(self) -> Divergence:
        """How its returned value differs between threads."""
        spreads = [self.uniformity.divergence(value) for value, _ in self.lowered.returned]
        conditions = [
            self.uniformity.divergence(region.condition)
            for _, place in self.lowered.returned[:-1]
            for region in self.lowered.enclosing_regions(place)
        ]
        level = max((spread.level for spread in (*spreads, *conditions)), default=BLOCK)
        is_one = bool(spreads) and all(spread == spreads[0] for spread in spreads)
        return spreads[0]._replace(group=0) if is_one and spreads[0].level == level else Divergence(level)


class Summaries:
    """The device functions and macros of one unit, each lowered on first use."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._constants = constants_of(unit)
        # Through the unit, which drops its analyses: otherwise the functions and this object would form a cycle.
        self._returned_in_unit = lambda name: unit.analysis(Summaries).return_divergence(name)
        self._constant_cache: dict[bytes, int | None] = {}
        self._variable_cache: dict[bytes, Variable | None] = {}
        self._analyses: dict[int, FunctionAnalysis | None] = {}
        foreign = unit.project.waiting_functions
        self._by_name = {name: from_plain(plain) for name, plain in foreign.items()}
        self._returned = {name: _divergence(summary.returned) for name, summary in self._by_name.items()}
        self._computed: set[bytes] = set()
        self._device_cache: dict[int, bool] = {}

    # ------------------------------------------------------------------ lowering

    def _environment(self) -> Environment:
        return Environment(self._constant, self._declared, self._volatile)

    @cached_property
    def _volatile(self) -> set[bytes]:
        elsewhere = {
            name for name, one in self._by_name.items() if one.declared is not None and b"volatile" in one.declared[0]
        }
        return elsewhere.union(self.volatile_variables())

    def _constant(self, node: Node) -> int | None:
        if node.type == "number_literal":
            return number(text_of(node))
        if node.type in ("true", "false"):
            return int(node.type == "true")
        if node.type not in NAMES and node.type != "qualified_identifier":
            return None
        name = text_of(node)
        if name not in self._constant_cache:
            self._constant_cache[name] = self._constants.value(node)
        return self._constant_cache[name]

    def _declared(self, node: Node) -> Variable | None:
        name = text_of(node)
        if name not in self._variable_cache:
            self._variable_cache[name] = self._find_declared(node)
        return self._variable_cache[name]

    def _find_declared(self, node: Node) -> Variable | None:
        leaf = name_in(node)
        name = text_of(node if node.type == "field_expression" else leaf)
        for result in self._names.declared(text_of(leaf)) if leaf is not None else ():
            if result.kind in ("field", "variable") and (result.kind == "field" or result.start == 0):
                owner = result.owner
                type = text_of(owner)[: max(result.place - owner.start_byte, 0)]
                is_own = result.kind == "field" and node.type != "field_expression"
                return Variable(name, type, result.shape, OBJECT_REGION if is_own else NO_REGION)
        elsewhere = self._by_name.get(text_of(leaf)) if leaf is not None else None
        if elsewhere is None or elsewhere.declared is None:
            return None
        type, shape, region = elsewhere.declared
        return Variable(name, type, shape, region if node.type != "field_expression" else NO_REGION)

    def conditional_constant(self, node: Node, choice: bool) -> int | None:
        """The value of a constant for one outcome of the condition that chooses it: `kAsync ? 0x4221 : 0x21`."""
        for result in self._names.declared(text_of(node)):
            if result.is_constant and result.value is not None and result.value.type == "conditional_expression":
                return self._constants.value(
                    result.value.child_by_field_name("consequence" if choice else "alternative")
                )
        return None

    def volatile_variables(self) -> dict[bytes, Variable]:
        """The `volatile` members and global variables of the unit."""
        result = {}
        for place in self._unit.lexemes.places(b"volatile"):
            word = self._unit.tree.leaf(place, place + len(b"volatile"))
            qualifier = word.parent if word is not None else None
            declaration = qualifier.parent if qualifier is not None else None
            for declarator in declaration.children_by_field_name("declarator") if declaration is not None else ():
                leaf: Node | None = declarator
                while leaf is not None and leaf.type not in NAMES:
                    leaf = leaf.child_by_field_name("declarator")
                variable = self._declared(leaf) if leaf is not None else None
                if variable is not None and b"volatile" in variable.type:
                    result[variable.name] = variable
        return result

    def analyze(self, function: Function) -> FunctionAnalysis | None:
        """Lower a function; None for one that cannot be parsed."""
        if function.start not in self._analyses:
            definition = _definition(self._unit, function)
            self._analyses[function.start] = None
            if definition is not None:
                lowered = lower(function.name, *definition, self._environment())
                self._analyses[function.start] = FunctionAnalysis(function, None, lowered, self._returned_in_unit)
        return self._analyses[function.start]

    def analyze_device_function(self, function: Function) -> FunctionAnalysis | None:
        """Lower a function if it runs on the device."""
        return self.analyze(function) if self.is_device(function) else None

    def analyze_macro(self, macro: Macro) -> FunctionAnalysis | None:
        """Lower a macro with parameters whose body is code; None where it cannot be parsed."""
        analysis = self._analyses.get(macro.start)
        if analysis is None and macro.parameters and macro.start < macro.end:
            root = self._unit.tree.leaf(macro.start, macro.end)
            while root is not None and root.parent is not None:
                root = root.parent
            if root is not None and root.start_byte >= macro.start:
                lowered = lower(macro.name, root, root, self._environment(), macro.parameters)
                analysis = self._analyses[macro.start] = FunctionAnalysis(None, macro, lowered, self._returned_in_unit)
        return analysis

    def named(self, name: bytes) -> Iterator[FunctionAnalysis]:
        """The device functions and macros of a name."""
        for function in functions_of(self._unit).named(name):
            analysis = self.analyze_device_function(function)
            if analysis is not None:
                yield analysis
        for macro in macros_of(self._unit).named(name):
            analysis = self.analyze_macro(macro)
            if analysis is not None:
                yield analysis

    def is_device(self, function: Function) -> bool:
        """Whether a function runs on the device: it is marked so, or a macro in its head may mark it.

        A macro may do so if its name suggests it, if the function uses what only the device has, or if device code
        calls the
        function.
        """
        if function.is_device:
            return True
        analysis = self._device_cache.get(function.start)
        if analysis is None:
            self._device_cache[function.start] = False  # while its callers are visited
            head = self._unit.lexemes.code(function.head, function.start)
            analysis = _DEVICE.search(head) is not None
            if not analysis and _MACRO.search(head) is not None:
                body = self._unit.lexemes.code(function.start, function.end)
                analysis = _DEVICE_ONLY.search(body) is not None or any(map(self.is_device, self._callers(function)))
            self._device_cache[function.start] = analysis
        return analysis

    def _callers(self, function: Function) -> Iterator[Function]:
        for place in self._unit.lexemes.places(function.name):
            caller = functions_of(self._unit).at(place)
            if caller is not None and caller.start < place:
                yield caller

    # ------------------------------------------------------------------ summaries

    def collect_synchronizing(self) -> list[FunctionAnalysis]:
        """The functions and macros that synchronize with other threads, or call such ones."""
        return self._analyze_all(self._synchronizing())

    def collect_waiting(self) -> list[FunctionAnalysis]:
        """Those of them that may wait for other threads, judged by their words, and all their callers; solved."""
        names = {name for name, summary in self._by_name.items() if summary.waits}
        result: dict[int, Function | Macro] = {}
        waiting = may_wait(self._unit, self._synchronizing(), self._names_of_others)
        fresh = {**waiting, **users_of(self._unit, names)}
        while fresh:
            result |= fresh
            analysis = self._analyze_all(fresh)
            self.solve(analysis)
            more = {one.name for one in analysis if one.summary.waits} - names
            names |= more
            fresh = {place: one for place, one in users_of(self._unit, more).items() if place not in result}
        return self._analyze_all(result)

    def _analyze_all(self, result: Mapping[int, Function | Macro]) -> list[FunctionAnalysis]:
        lowered = (
            self.analyze_macro(one) if isinstance(one, Macro) else self.analyze_device_function(one)
            for _, one in sorted(result.items())
        )
        return [analysis for analysis in lowered if analysis is not None]

    def _synchronizing(self) -> dict[int, Function | Macro]:
        return synchronizing(self._unit, self._names_of_others)

    @cached_property
    def _names_of_others(self) -> list[bytes]:
        """The names of volatile variables, and of functions of other files that wait or that others wait for."""
        return [*self.volatile_variables(), *self._unit.project.waiting_functions]

    def with_callees(self, start: list[FunctionAnalysis]) -> list[FunctionAnalysis]:
        """Functions, and all functions of this unit that they reach by calls."""
        result, visited, pending = [], set[int](), list(start)
        while pending:
            analysis = pending.pop()
            if id(analysis) in visited:
                continue
            visited.add(id(analysis))
            result.append(analysis)
            for name in {operation.name for operation in analysis.lowered.operations if operation.code == CALL}:
                pending += self.named(name)
        return result

    def solve(self, start: list[FunctionAnalysis]) -> None:
        """Compute the summaries of functions, and of those that they reach by calls."""
        functions = [analysis for analysis in self.with_callees(start) if not analysis.is_solved]
        users: dict[bytes, list[FunctionAnalysis]] = {}
        for analysis in functions:
            for name in {operation.name for operation in analysis.lowered.operations if operation.code == CALL}:
                users.setdefault(name, []).append(analysis)
            analysis.is_solved = True
            self._by_name.setdefault(analysis.name, Summary())
        work = deque(functions)
        while work:
            analysis = work.popleft()
            summary = self._compute_summary(analysis)
            if summary == analysis.summary:
                continue
            analysis.summary = summary
            together = join_summaries(self._by_name[analysis.name], summary)
            if together != self._by_name[analysis.name]:
                self._by_name[analysis.name] = together
                work += [user for user in users.get(analysis.name, ()) if user not in work]

    def _compute_summary(self, analysis: FunctionAnalysis) -> Summary:
        """The summary of a function, from the current ones of its callees."""
        lowered, memory = analysis.lowered, Memory(analysis.lowered, self._by_name)
        analysis.memory = memory
        analysis.waits = find_waits(lowered, memory)
        if analysis.function is not None and analysis.function.is_kernel:
            return Summary()  # nothing calls it
        writes = {memory.to_place(access) for _, access in memory.all_writes}
        reads, attempts, outputs = set[Place | None](), set[Place | None](), set[int]()
        sources: dict[int, set[int]] = {}
        for position, value, region in memory.results():
            conditions = (around.condition for around in lowered.enclosing_regions(region) if around.condition >= 0)
            sources.setdefault(position, set()).update((value, *conditions))
        for position, values in sources.items():
            loaded = set[Place | None]()
            locks = set[Place | None]()
            for operation in lowered.slice(values, memory.defining, NO_REGION):
                loaded |= {memory.to_place(access) for access in memory.reads(operation)}
                locks |= {memory.to_place(access, fixed) for access, fixed in memory.attempts_with_constants(operation)}
            if position >= 0 and (loaded or locks):
                outputs.add(position)
            reads |= loaded
            attempts |= locks
        waits = {
            result for wait in analysis.waits if (result := wait_summary(wait, memory, analysis.uniformity)) is not None
        }
        return Summary(
            frozenset(waits),
            frozenset(place for place in reads if place is not None),
            frozenset(place for place in attempts if place is not None),
            frozenset(place for place in writes if place is not None),
            frozenset(outputs),
            changes_object=any(lowered.variables[one.result].is_member for one in lowered.assignments),
        )

    def plain_return_divergence(self, name: bytes) -> tuple[int, int, int]:
        """How the returned values of the functions of a name differ, as plain data."""
        result = self.return_divergence(name) or Divergence(UNSURE)
        return result.level, result.identity, result.parameter

    def return_divergence(self, name: bytes) -> Divergence | None:
        """How the values that functions of a name return differ, whatever the arguments; None if unknown."""
        if name in self._computed:
            return self._returned.get(name)  # None for a recursive call
        self._computed.add(name)
        for analysis in self.named(name):
            result, other = analysis.returned, self._returned.get(name)
            self._returned[name] = result if other is None else join_divergence(result, other)
        return self._returned.get(name)


def _definition(unit: Unit, function: Function) -> tuple[Node, Node] | None:
    """The nodes of a function and its body, parsed separately where the tree lost it; None where that fails too.

    A macro used as a statement without a semicolon costs the functions after it their nodes (gpu-voxels).
    """
    if function.node is not None and function.body is not None:
        return function.node, function.body
    for start in (function.head, function.start):
        root = unit.tree.part(start, function.end + 1)
        pending = [root] if root is not None else []
        for node in pending:
            body = node.child_by_field_name("body")
            if body is not None and body.start_byte == function.start:
                return node, body
            if node.type == "compound_statement" and node.start_byte == function.start:
                return node, node
            pending += node.named_children if node.end_byte > function.start else ()
    return None


def _divergence(returned: tuple[int, int, int]) -> Divergence:
    level, identity, parameter = returned
    return Divergence(level, identity, parameter=parameter)


def summaries_of(unit: Unit) -> Summaries:
    """The summaries of a unit's functions."""
    return unit.analysis(Summaries)


def function_summaries(unit: Unit) -> dict[bytes, tuple[Any, ...]]:
    """The summaries of a unit's functions and macros for callers in other files, as plain data.

    The summaries of several files are merged by `dataflow.plain.merge_summaries`, and reach the rules in
    `ProjectContext.waiting_functions`. The unit's own project should hold those of the headers that it includes.
    """
    summaries = summaries_of(unit)
    variables = summaries.volatile_variables()
    synchronizing = summaries.collect_synchronizing()
    summaries.solve(synchronizing)
    result = {name: Summary(declared=(one.type, one.shape, one.region)) for name, one in variables.items()}
    for analysis in synchronizing:
        is_kernel = analysis.function is not None and analysis.function.is_kernel
        if not is_kernel and (analysis.summary.affects_callers or analysis.memory.publishes):
            result[analysis.name] = (
                join_summaries(result[analysis.name], analysis.summary) if analysis.name in result else analysis.summary
            )
    return {
        name: to_plain(
            summary._replace(returned=summaries.plain_return_divergence(name)) if name not in variables else summary
        )
        for name, summary in result.items()
    }
