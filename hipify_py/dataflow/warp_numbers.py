"""Which warps of a block come to a place, where the code decides that by the numbers of threads or warps."""

from __future__ import annotations

from functools import partial

from hipify_py.dataflow.operations import ASM, CALL, EXTERN, PARAMETER, Operation
from hipify_py.dataflow.summaries import Known, Summaries
from hipify_py.dataflow.uniformity import BLOCK, LANE, OF_LANE, OF_THREAD, OF_WARP
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT

_WARPS = range(32)
"""The warps that a block may have."""


class WarpNumbers:
    """The warps that come to the places of one unit's functions.

    Args:
        summaries: the functions, for those that roles are asked for: `role = warp_idx_to_role(warp_idx)`.
    """

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._coming: dict[tuple[int, int], frozenset[int]] = {}
        self._dividing: dict[tuple[int, int], bool] = {}
        self._known_truths: dict[tuple[int, int, int], list[bool | None]] = {}
        self._functions: dict[bytes, Known | None] = {}
        self._constants: dict[tuple[bytes, bool], int | None] = {}
        self._has_chosen = False
        """A constant that may be chosen in another way was asked for."""

    def coming_to(self, known: Known, region: int) -> frozenset[int]:
        """The warps with a thread for which no condition around a region is known not to hold."""
        found = self._coming.get((id(known), region))
        if found is None:
            around = [one for one in known.lowered.around(region) if one.kind in (IF, LEFT, CHOICE)]
            level = {one.condition: known.uniformity.of(one.condition).level for one in around}
            of_lanes = [(one.condition, one.holds) for one in around if level[one.condition] == LANE]
            of_warps = [(one.condition, one.holds) for one in around if BLOCK < level[one.condition] < LANE]
            coming = (
                warp
                for warp in _WARPS
                if self._may_come(known, of_warps, warp * 32)
                and (not of_lanes or any(self._may_come(known, of_lanes, warp * 32 + lane) for lane in range(32)))
            )
            found = self._coming[id(known), region] = frozenset(coming)
        return found

    def divides(self, known: Known, condition: int) -> bool:
        """A condition holds for one warp of a wavefront, and does not hold for the other."""
        found = self._dividing.get((id(known), condition))
        if found is None:
            truths = [self._truths(known, condition, warp * 32) for warp in _WARPS]
            pairs = zip(truths[::2], truths[1::2], strict=True)
            found = any(
                None not in (one, other) and one != other for pair in pairs for one, other in zip(*pair, strict=False)
            )
            self._dividing[id(known), condition] = found
        return found

    def _may_come(self, known: Known, conditions: list[tuple[int, bool]], thread: int) -> bool:
        ways = [self._truths(known, condition, thread) for condition, _ in conditions]
        return all(
            any(truth is None or truth == holds for truth in truths)
            for truths, (_, holds) in zip(ways, conditions, strict=True)
        )

    def _truths(self, known: Known, condition: int, thread: int) -> list[bool | None]:
        """Whether a condition holds for a thread, in each way that constants may be chosen; None: that is not known."""
        key = id(known), condition, thread
        found = self._known_truths.get(key)
        if found is None:
            found = self._known_truths[key] = []
            for way in (True, False):
                self._has_chosen = False
                given = partial(self._given, known, thread=thread, way=way)
                value = known.lowered.evaluated(condition, given)
                found.append(None if value is None else bool(value))
                if not self._has_chosen:
                    break
        return found

    def _given(
        self, known: Known, operation: Operation, thread: int, way: bool, calls: tuple[bytes, ...] = ()
    ) -> int | None:
        def given(other: Operation) -> int | None:
            return self._given(known, other, thread, way, calls)

        identity = known.uniformity.of(operation.result).identity
        if operation.code == ASM or (operation.code == CALL and operation.name.startswith(b"__shfl")):
            at = int(operation.name.endswith(b"_sync"))
            return known.lowered.evaluated(operation.arguments[at], given) if identity == OF_WARP else None
        called = self._function(operation.name) if operation.code == CALL and operation.name not in calls else None
        if called is not None and len(operation.arguments) == len(called.lowered.parameters):
            arguments = dict(zip(called.lowered.parameters, operation.arguments, strict=True))

            def passed(other: Operation) -> int | None:
                if other.code == PARAMETER:
                    return known.lowered.evaluated(arguments[other.result], given)
                return self._given(called, other, thread, way, (*calls, operation.name))

            return called.lowered.evaluated(called.lowered.returned[0][0], passed)
        if operation.code not in (CALL, EXTERN, PARAMETER):
            return None
        if operation.code == EXTERN and not identity:
            return self._chosen_constant(operation, way)
        return {OF_THREAD: thread, OF_LANE: thread % 32, OF_WARP: thread // 32}.get(identity)

    def _function(self, name: bytes) -> Known | None:
        """The only function of a name, if it returns one value."""
        if name not in self._functions:
            found = list(self._summaries.named(name))
            is_one = len(found) == 1 and len(found[0].lowered.returned) == 1
            self._functions[name] = found[0] if is_one else None
        return self._functions[name]

    def _chosen_constant(self, operation: Operation, way: bool) -> int | None:
        key = operation.name, way
        if key not in self._constants:
            self._constants[key] = self._summaries.chosen_constant(operation.node, way)
        self._has_chosen = self._has_chosen or self._constants[key] is not None
        return self._constants[key]
