"""Which warps of a block come to a place, where the code decides that by the numbers of threads or warps."""

from __future__ import annotations

from functools import partial

from hipify_py.dataflow.operations import ASM, CALL, DEFAULT, EXTERN, PARAMETER, Operation, Region
from hipify_py.dataflow.summaries import Known, Summaries
from hipify_py.dataflow.uniformity import BLOCK, LANE, OF_LANE, OF_THREAD, OF_WARP, WARP, is_size_of_warp
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH

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

    def are_in_one_wavefront(self, known: Known, one: Region, other: Region) -> bool:
        """A wavefront has threads for each of two branches of one condition, however large the block is.

        In a block that is just large enough for both branches, the last thread is the first one that comes to the other
        branch: it has to share its wavefront with the thread before it.
        """
        branches = one, other
        if any(known.uniformity.of(branch.condition).level not in (WARP, LANE) for branch in branches):
            return False
        around = [
            region
            for region in known.lowered.around(one.parent)
            if region.kind in (IF, LEFT, CHOICE, SWITCH) and known.uniformity.of(region.condition).level > BLOCK
        ]
        levels = [known.uniformity.of(region.condition).level for region in (*branches, *around)]
        before: tuple[int, bool] | None = None
        for thread in range(0, 32 * len(_WARPS), 1 if LANE in levels else 32):
            if any(self._comes(known, region, thread) is False for region in around):
                continue
            to_one, to_other = (self._comes(known, branch, thread) for branch in branches)
            if to_one is None or to_other is None:
                return False
            if to_one == to_other:
                continue  # to another `case`
            if before is not None and before[1] != to_one:
                return before[0] // 64 == thread // 64
            before = thread, to_one
        return False

    def _comes(self, known: Known, region: Region, thread: int) -> bool | None:
        """A thread that has come to a condition comes to one of its branches; None where that is not known."""
        if region.kind == SWITCH:
            return self._comes_to_case(known, region, thread)
        truths = set(self._truths(known, region.condition, thread))
        truth = truths.pop() if len(truths) == 1 else None
        return None if truth is None else truth == region.holds

    def _comes_to_case(self, known: Known, case: Region, thread: int) -> bool | None:
        value = known.lowered.evaluated(case.condition, partial(self._given, known, thread=thread, way=True))
        if DEFAULT not in case.cases:
            return _has_label(known, case, value)
        all_cases = (region for region in known.lowered.regions if region.kind == SWITCH)
        beside = (other for other in all_cases if other.node.parent == case.node.parent)
        found = [_has_label(known, other, value) for other in beside if DEFAULT not in other.cases]
        return None if None in found else not any(found)

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
            return 32 if is_size_of_warp(operation.name) else self._chosen_constant(operation, way)
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


def _has_label(known: Known, case: Region, value: int | None) -> bool | None:
    """A label of a `switch` that leads to a `case` is a value; None where the value or the labels are not known."""
    labels = [known.lowered.constant(label) for label in case.cases]
    return None if value is None or not labels or None in labels else value in labels
