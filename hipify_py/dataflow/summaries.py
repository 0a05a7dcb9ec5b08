"""What the functions of one unit do to those who call them: waits, fresh looks at memory, writes.

The summary of a function follows from those of the functions that it calls. All that depend on each other are worked
out together, until nothing changes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hipify_py.core.unit import Unit
from hipify_py.dataflow.intervals import Intervals
from hipify_py.dataflow.lowering import Outside, lower
from hipify_py.dataflow.memory import Memory
from hipify_py.dataflow.operations import CALL, NO_REGION, OF_OBJECT, LoweredFunction, Variable
from hipify_py.dataflow.plain import Place, Summary, from_plain, joined, to_plain
from hipify_py.dataflow.uniformity import BLOCK, UNSURE, Spread, Uniformity, joined_spreads
from hipify_py.dataflow.waits import Wait, waiting, waits_of
from hipify_py.semantics.constants import constants_of, number
from hipify_py.semantics.expressions import NAMES, name_in, operator_of, parts_of, text_of
from hipify_py.semantics.functions import Function, functions_of
from hipify_py.semantics.macros import Macro, macros_of
from hipify_py.semantics.symbols import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DEVICE = re.compile(rb"\b(?:[A-Z0-9_]*(?:DEVICE|GPU|INLINE|KERNEL)[A-Z0-9_]*|[A-Z]+_HD|HD)\b|__forceinline__")

_MACRO = re.compile(rb"\b[A-Z][A-Z0-9_]+\b")

_OF_DEVICE = re.compile(
    rb"\batomic(?:CAS|Exch|Add|Sub|Max|Min|Or|And)\s*\(|\b__(?:threadfence|nanosleep|ldc[gv])|\bthreadIdx\b"
)
"""Functions and variables of CUDA's that host code cannot name."""


class Known:
    """One function or macro, lowered, with what is known of it.

    Attributes:
        name: its name.
        function: the function; None for a macro.
        macro: the macro; None for a function.
        lowered: its operations.
        memory: its memory accesses.
        waits: what it waits for itself: in loops, at barriers, and in functions that it calls.
        summary: what callers have to know.
        is_solved: the summary is final, or being worked out.
    """

    def __init__(
        self,
        function: Function | None,
        macro: Macro | None,
        lowered: LoweredFunction,
        returned: Callable[[bytes], Spread | None],
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
    def returned(self) -> Spread:
        """How what it returns differs between threads."""
        spreads = [self.uniformity.of(value) for value, _ in self.lowered.returned]
        conditions = [
            self.uniformity.of(region.condition)
            for _, place in self.lowered.returned[:-1]
            for region in self.lowered.around(place)
        ]
        level = max((spread.level for spread in (*spreads, *conditions)), default=BLOCK)
        is_one = bool(spreads) and all(spread == spreads[0] for spread in spreads)
        return spreads[0]._replace(group=0) if is_one and spreads[0].level == level else Spread(level)


_MEETS_OTHERS = re.compile(
    rb"\batomic|\bvolatile\b|__ldc[gv]\b|\b(?:ld|st|red|atom)\.|acquire|release|test_and_set|exchange|[bB]arrier"
    rb"|\bload\b|\bstore\b|__threadfence|[pP]ipeline|\b__sync_|\bwait\b"
)
"""What stands in every function that looks at memory which other threads write, or writes such memory."""
_MAY_WAIT = re.compile(
    rb"\b(?:while|do|bra)\b|[.>]\s*(?:wait|arrive_and_wait|wait_parity|consumer_wait|producer_acquire)\s*\("
)
"""What stands in those of them that wait for it, but for loops of `for` and for what they call."""
_FOR = re.compile(rb"\bfor\b")


class Summaries:
    """The functions and macros of one unit that run on the device, each lowered when first asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._names = names_of(unit)
        self._constants = constants_of(unit)
        # By way of the unit, which lets go of its analyses: functions would refer to their owner in turn.
        self._returned_in_unit = lambda name: unit.analysis(Summaries).spread_of(name)
        self._known_constants: dict[bytes, int | None] = {}
        self._known_variables: dict[bytes, Variable | None] = {}
        self._lowered: dict[int, Known | None] = {}
        foreign = unit.project.waiting_functions
        self._by_name = {name: from_plain(plain) for name, plain in foreign.items()}
        self._returned = {name: _spread(summary.returned) for name, summary in self._by_name.items()}
        self._asked: set[bytes] = set()
        self._known_device: dict[int, bool] = {}

    # ------------------------------------------------------------------ lowering

    def _outside(self) -> Outside:
        return Outside(self._constant, self._declared, self._volatile)

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
        if name not in self._known_constants:
            self._known_constants[name] = self._constants.value(node)
        return self._known_constants[name]

    def _declared(self, node: Node) -> Variable | None:
        name = text_of(node)
        if name not in self._known_variables:
            self._known_variables[name] = self._find_declared(node)
        return self._known_variables[name]

    def _find_declared(self, node: Node) -> Variable | None:
        leaf = name_in(node)
        name = text_of(node if node.type == "field_expression" else leaf)
        for found in self._names.declared(text_of(leaf)) if leaf is not None else ():
            if found.kind in ("field", "variable") and (found.kind == "field" or found.start == 0):
                owner = found.owner
                type = text_of(owner)[: max(found.place - owner.start_byte, 0)]
                is_own = found.kind == "field" and node.type != "field_expression"
                return Variable(name, type, found.shape, OF_OBJECT if is_own else NO_REGION)
        elsewhere = self._by_name.get(text_of(leaf)) if leaf is not None else None
        if elsewhere is None or elsewhere.declared is None:
            return None
        type, shape, region = elsewhere.declared
        return Variable(name, type, shape, region if node.type != "field_expression" else NO_REGION)

    def chosen_constant(self, node: Node, way: bool) -> int | None:
        """What a constant is if what a condition chooses it by holds, or does not: `kAsync ? 0x4221 : 0x21`."""
        for found in self._names.declared(text_of(node)):
            if found.is_constant and found.value is not None and found.value.type == "conditional_expression":
                return self._constants.value(found.value.child_by_field_name("consequence" if way else "alternative"))
        return None

    def volatile_variables(self) -> dict[bytes, Variable]:
        """The `volatile` members and global variables of the unit."""
        found = {}
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
                    found[variable.name] = variable
        return found

    def of_function(self, function: Function) -> Known | None:
        """A function, lowered; None for one that cannot be parsed."""
        if function.start not in self._lowered:
            definition = _definition(self._unit, function)
            self._lowered[function.start] = None
            if definition is not None:
                lowered = lower(function.name, *definition, self._outside())
                self._lowered[function.start] = Known(function, None, lowered, self._returned_in_unit)
        return self._lowered[function.start]

    def device_function(self, function: Function) -> Known | None:
        """A function, lowered, if it runs on the device."""
        return self.of_function(function) if self.is_device(function) else None

    def of_macro(self, macro: Macro) -> Known | None:
        """A macro with parameters whose body is code; None where that cannot be read."""
        known = self._lowered.get(macro.start)
        if known is None and macro.parameters and macro.start < macro.end:
            root = self._unit.tree.leaf(macro.start, macro.end)
            while root is not None and root.parent is not None:
                root = root.parent
            if root is not None and root.start_byte >= macro.start:
                lowered = lower(macro.name, root, root, self._outside(), macro.parameters)
                known = self._lowered[macro.start] = Known(None, macro, lowered, self._returned_in_unit)
        return known

    def named(self, name: bytes) -> Iterator[Known]:
        """The functions for the device and the macros of a name."""
        for function in functions_of(self._unit).named(name):
            known = self.device_function(function)
            if known is not None:
                yield known
        for macro in macros_of(self._unit).named(name):
            known = self.of_macro(macro)
            if known is not None:
                yield known

    def is_device(self, function: Function) -> bool:
        """A function runs on the device: it is marked so, or a macro in its head may mark it.

        That does where its name says so, where the function names what the device alone has, and where device code
        calls it.
        """
        if function.is_device:
            return True
        known = self._known_device.get(function.start)
        if known is None:
            self._known_device[function.start] = False  # while its callers are looked at
            head = self._unit.lexemes.code(function.head, function.start)
            known = _DEVICE.search(head) is not None
            if not known and _MACRO.search(head) is not None:
                body = self._unit.lexemes.code(function.start, function.end)
                known = _OF_DEVICE.search(body) is not None or any(map(self.is_device, self._callers(function)))
            self._known_device[function.start] = known
        return known

    def _callers(self, function: Function) -> Iterator[Function]:
        for place in self._unit.lexemes.places(function.name):
            caller = functions_of(self._unit).at(place)
            if caller is not None and caller.start < place:
                yield caller

    # ------------------------------------------------------------------ summaries

    def concerned(self) -> list[Known]:
        """The functions and macros that other threads may wait for or be waited for by, or that call such ones."""
        return self._all_lowered(self._concerned())

    def that_may_wait(self) -> list[Known]:
        """Those of them that may wait for other threads by their words, and all that call what does; solved."""
        data = self._unit.source.data
        loops = [node.start_byte for node in self._unit.tree.nodes("for_statement") if not _is_counted(node)]
        start = {
            place: one
            for place, one in self._concerned().items()
            if _MAY_WAIT.search(data, place, one.end)
            or bisect_left(loops, place) < bisect_left(loops, one.end)
            or (isinstance(one, Macro) and _FOR.search(data, place, one.end))
        }
        names = {name for name, summary in self._by_name.items() if summary.waits}
        found: dict[int, Function | Macro] = {}
        fresh = {**start, **self._users(names)}
        while fresh:
            found |= fresh
            known = self._all_lowered(fresh)
            self.solve(known)
            more = {one.name for one in known if one.summary.waits} - names
            names |= more
            fresh = {place: one for place, one in self._users(more).items() if place not in found}
        return self._all_lowered(found)

    def _all_lowered(self, found: Mapping[int, Function | Macro]) -> list[Known]:
        lowered = (
            self.of_macro(one) if isinstance(one, Macro) else self.device_function(one)
            for _, one in sorted(found.items())
        )
        return [known for known in lowered if known is not None]

    def _concerned(self) -> dict[int, Function | Macro]:
        data = self._unit.source.data
        functions, macros = functions_of(self._unit), macros_of(self._unit)
        found: dict[int, Function | Macro] = {
            one.start: one for one in functions if _MEETS_OTHERS.search(data, one.head, one.end)
        }
        found |= {one.start: one for one in macros.all() if _MEETS_OTHERS.search(data, one.start, one.end)}
        return self._with_users(found, [*self.volatile_variables(), *self._unit.project.waiting_functions])

    def _with_users(self, start: Mapping[int, Function | Macro], names: Iterable[bytes]) -> dict[int, Function | Macro]:
        """Functions and macros, by where they start, with those that use them or one of some other names."""
        found, seen = dict(start), set(names)
        pending = {one.name for one in found.values() if not _is_launched(one)} | seen
        while pending:
            seen |= pending
            fresh = {place: one for place, one in self._users(pending).items() if place not in found}
            found |= fresh
            pending = {one.name for one in fresh.values() if not _is_launched(one)} - seen
        return found

    def _users(self, names: Iterable[bytes]) -> dict[int, Function | Macro]:
        """The functions and macros, by where they start, that use one of some names."""
        lexemes, functions, macros = self._unit.lexemes, functions_of(self._unit), macros_of(self._unit)
        found: dict[int, Function | Macro] = {}
        for name in lexemes.words.intersection(names):
            for place in lexemes.places(name):
                around = macros.around(place) or functions.at(place)
                if around is not None and around.start < place:
                    found[around.start] = around
        return found

    def with_callees(self, start: list[Known]) -> list[Known]:
        """Functions, and all of this unit that they come to call."""
        found, seen, pending = [], set[int](), list(start)
        while pending:
            known = pending.pop()
            if id(known) in seen:
                continue
            seen.add(id(known))
            found.append(known)
            for name in {operation.name for operation in known.lowered.operations if operation.code == CALL}:
                pending += self.named(name)
        return found

    def solve(self, start: list[Known]) -> None:
        """Work out the summaries of functions, and of those that they come to call."""
        functions = [known for known in self.with_callees(start) if not known.is_solved]
        users: dict[bytes, list[Known]] = {}
        for known in functions:
            for name in {operation.name for operation in known.lowered.operations if operation.code == CALL}:
                users.setdefault(name, []).append(known)
            known.is_solved = True
            self._by_name.setdefault(known.name, Summary())
        work = deque(functions)
        while work:
            known = work.popleft()
            summary = self._summary(known)
            if summary == known.summary:
                continue
            known.summary = summary
            together = joined(self._by_name[known.name], summary)
            if together != self._by_name[known.name]:
                self._by_name[known.name] = together
                work += [user for user in users.get(known.name, ()) if user not in work]

    def _summary(self, known: Known) -> Summary:
        """The summary of a function by what is known of those that it calls."""
        lowered, memory = known.lowered, Memory(known.lowered, self._by_name)
        known.memory = memory
        known.waits = waits_of(lowered, memory)
        if known.function is not None and known.function.is_kernel:
            return Summary()  # nothing calls it
        writes = {memory.place(access) for _, access in memory.all_writes}
        reads, attempts, given = set[Place | None](), set[Place | None](), set[int]()
        for position, value, region in memory.results():
            conditions = [around.condition for around in lowered.around(region) if around.condition >= 0]
            looks = set[Place | None]()
            tries = set[Place | None]()
            for operation in lowered.slice([value, *conditions], memory.defining, NO_REGION):
                looks |= {memory.place(access) for access in memory.reads(operation)}
                tries |= {memory.place(access, fixed) for access, fixed in memory.attempts_given(operation)}
            if position >= 0 and (looks or tries):
                given.add(position)
            reads |= looks
            attempts |= tries
        waits = {found for wait in known.waits if (found := waiting(wait, memory, known.uniformity)) is not None}
        return Summary(
            frozenset(waits),
            frozenset(place for place in reads if place is not None),
            frozenset(place for place in attempts if place is not None),
            frozenset(place for place in writes if place is not None),
            frozenset(given),
            is_changing=any(lowered.variables[one.result].is_member for one in lowered.assignments),
        )

    def returned_by(self, name: bytes) -> tuple[int, int, int]:
        """How what the functions of a name return differs, as plain data."""
        found = self.spread_of(name) or Spread(UNSURE)
        return found.level, found.identity, found.parameter

    def spread_of(self, name: bytes) -> Spread | None:
        """How what the functions of a name return differs, whatever they are given; None for one of nowhere."""
        if name in self._asked:
            return self._returned.get(name)  # None while it is worked out: of a function that calls itself
        self._asked.add(name)
        for known in self.named(name):
            found, other = known.returned, self._returned.get(name)
            self._returned[name] = found if other is None else joined_spreads(found, other)
        return self._returned.get(name)


def _definition(unit: Unit, function: Function) -> tuple[Node, Node] | None:
    """The nodes of a function and its body, parsed by itself where the tree has lost it; None where that fails too.

    A macro that stands for a statement without a semicolon costs the functions after it their nodes (gpu-voxels).
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


def _is_counted(loop: Node) -> bool:
    """A `for` with a condition that counts a variable on in each round: it comes to an end by itself."""
    update, condition = loop.child_by_field_name("update"), loop.child_by_field_name("condition")
    if update is None or condition is None:
        return False
    is_count = update.type == "assignment_expression" and operator_of(update) != "="
    counter = update.child_by_field_name("left" if is_count else "argument")
    return counter is not None and any(text_of(leaf) == text_of(counter) for leaf in parts_of(condition))


def _is_launched(one: Function | Macro) -> bool:
    """A kernel: nothing on the device calls it."""
    return isinstance(one, Function) and one.is_kernel


def _spread(returned: tuple[int, int, int]) -> Spread:
    level, identity, parameter = returned
    return Spread(level, identity, parameter=parameter)


def summaries_of(unit: Unit) -> Summaries:
    """The summaries of a unit's functions."""
    return unit.analysis(Summaries)


def function_summaries(unit: Unit) -> dict[bytes, tuple[Any, ...]]:
    """What callers in other files have to know of a unit's functions and macros, as plain data.

    Several files' summaries are put together with `dataflow.plain.merged`, and handed to the rules in
    `ProjectContext.waiting_functions`. The unit's own project should hold those of the headers that it includes.
    """
    summaries = summaries_of(unit)
    variables = summaries.volatile_variables()
    concerned = summaries.concerned()
    summaries.solve(concerned)
    found = {name: Summary(declared=(one.type, one.shape, one.region)) for name, one in variables.items()}
    for known in concerned:
        is_kernel = known.function is not None and known.function.is_kernel
        if not is_kernel and (known.summary.is_of_use or known.memory.publishes):
            found[known.name] = joined(found[known.name], known.summary) if known.name in found else known.summary
    return {
        name: to_plain(summary._replace(returned=summaries.returned_by(name)) if name not in variables else summary)
        for name, summary in found.items()
    }
