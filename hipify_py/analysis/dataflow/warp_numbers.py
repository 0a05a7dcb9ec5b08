"""The warps of a block that reach a place, where thread or warp numbers decide that."""

from __future__ import annotations

from functools import partial

from hipify_py.analysis.dataflow.operations import ASM, CALL, DEFAULT, EXTERN, PARAMETER, Operation, Region
from hipify_py.analysis.dataflow.summaries import FunctionAnalysis, Summaries
from hipify_py.analysis.dataflow.uniformity import (
    BLOCK,
    LANE,
    LANE_INDEX,
    THREAD_INDEX,
    WARP,
    WARP_INDEX,
    is_size_of_warp,
)
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, SWITCH

_WARPS = range(32)
"""The warps that a block may have."""


class WarpNumbers:
    """The warps that reach the regions of one unit's functions.

    Args:
        summaries: the functions, including those that compute roles: `role = warp_idx_to_role(warp_idx)`.
    """

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._reaching: dict[tuple[int, int], frozenset[int]] = {}
        self._splitting: dict[tuple[int, int], bool] = {}
        self._outcomes: dict[tuple[int, int, int], list[bool | None]] = {}
        self._functions: dict[bytes, FunctionAnalysis | None] = {}
        self._constants: dict[tuple[bytes, bool], int | None] = {}
        self._used_choice = False
        """Whether the last evaluation used a conditional constant."""

    def reaching_warps(self, analysis: FunctionAnalysis, region: int) -> frozenset[int]:
        """The warps with a thread for which no condition around a region is known to be false."""
        found = self._reaching.get((id(analysis), region))
        if found is None:
            around = [one for one in analysis.lowered.enclosing_regions(region) if one.kind in (IF, LEFT, CHOICE)]
            level = {one.condition: analysis.uniformity.divergence(one.condition).level for one in around}
            of_lanes = [(one.condition, one.holds) for one in around if level[one.condition] == LANE]
            of_warps = [(one.condition, one.holds) for one in around if BLOCK < level[one.condition] < LANE]
            warps = (
                warp
                for warp in _WARPS
                if self._may_reach(analysis, of_warps, warp * 32)
                and (not of_lanes or any(self._may_reach(analysis, of_lanes, warp * 32 + lane) for lane in range(32)))
            )
            found = self._reaching[id(analysis), region] = frozenset(warps)
        return found

    def splits_wavefront(self, analysis: FunctionAnalysis, condition: int) -> bool:
        """Whether a condition holds for one warp of a wavefront, and not for the other."""
        found = self._splitting.get((id(analysis), condition))
        if found is None:
            truths = [self._evaluate_condition(analysis, condition, warp * 32) for warp in _WARPS]
            pairs = zip(truths[::2], truths[1::2], strict=True)
            found = any(
                None not in (one, other) and one != other for pair in pairs for one, other in zip(*pair, strict=False)
            )
            self._splitting[id(analysis), condition] = found
        return found

    def share_wavefront(self, analysis: FunctionAnalysis, one: Region, other: Region) -> bool:
        """Whether some wavefront has threads in each of two branches of one condition, however large the block is.

        In a block that is just large enough for both branches, the last thread is the first one that takes the other
        branch:
        it must share its wavefront with the thread before it.
        """
        branches = one, other
        if any(analysis.uniformity.divergence(branch.condition).level not in (WARP, LANE) for branch in branches):
            return False
        around = [
            region
            for region in analysis.lowered.enclosing_regions(one.parent)
            if region.kind in (IF, LEFT, CHOICE, SWITCH)
            and analysis.uniformity.divergence(region.condition).level > BLOCK
        ]
        levels = [analysis.uniformity.divergence(region.condition).level for region in (*branches, *around)]
        before: tuple[int, bool] | None = None
        for thread in range(0, 32 * len(_WARPS), 1 if LANE in levels else 32):
            if any(self._takes_branch(analysis, region, thread) is False for region in around):
                continue
            to_one, to_other = (self._takes_branch(analysis, branch, thread) for branch in branches)
            if to_one is None or to_other is None:
                return False
            if to_one == to_other:
                continue  # to another `case`
            if before is not None and before[1] != to_one:
                return before[0] // 64 == thread // 64
            before = thread, to_one
        return False

    def _takes_branch(self, analysis: FunctionAnalysis, region: Region, thread: int) -> bool | None:
        """Whether a thread that reaches a condition takes one of its branches; None where that is unknown."""
        if region.kind == SWITCH:
            return self._takes_case(analysis, region, thread)
        truths = set(self._evaluate_condition(analysis, region.condition, thread))
        truth = truths.pop() if len(truths) == 1 else None
        return None if truth is None else truth == region.holds

    def _takes_case(self, analysis: FunctionAnalysis, case: Region, thread: int) -> bool | None:
        value = analysis.lowered.evaluate(case.condition, partial(self._resolve, analysis, thread=thread, choice=True))
        if DEFAULT not in case.cases:
            return _has_label(analysis, case, value)
        all_cases = (region for region in analysis.lowered.regions if region.kind == SWITCH)
        beside = (other for other in all_cases if other.node.parent == case.node.parent)
        found = [_has_label(analysis, other, value) for other in beside if DEFAULT not in other.cases]
        return None if None in found else not any(found)

    def _may_reach(self, analysis: FunctionAnalysis, conditions: list[tuple[int, bool]], thread: int) -> bool:
        outcomes = [self._evaluate_condition(analysis, condition, thread) for condition, _ in conditions]
        return all(
            any(truth is None or truth == holds for truth in truths)
            for truths, (_, holds) in zip(outcomes, conditions, strict=True)
        )

    def _evaluate_condition(self, analysis: FunctionAnalysis, condition: int, thread: int) -> list[bool | None]:
        """Whether a condition holds for a thread, for each choice of conditional constants; None if unknown."""
        key = id(analysis), condition, thread
        found = self._outcomes.get(key)
        if found is None:
            found = self._outcomes[key] = []
            for choice in (True, False):
                self._used_choice = False
                resolve = partial(self._resolve, analysis, thread=thread, choice=choice)
                value = analysis.lowered.evaluate(condition, resolve)
                found.append(None if value is None else bool(value))
                if not self._used_choice:
                    break
        return found

    def _resolve(
        self, analysis: FunctionAnalysis, operation: Operation, thread: int, choice: bool, calls: tuple[bytes, ...] = ()
    ) -> int | None:
        def resolve(other: Operation) -> int | None:
            return self._resolve(analysis, other, thread, choice, calls)

        identity = analysis.uniformity.divergence(operation.result).identity
        if operation.code == ASM or (operation.code == CALL and operation.name.startswith(b"__shfl")):
            at = int(operation.name.endswith(b"_sync"))
            return analysis.lowered.evaluate(operation.arguments[at], resolve) if identity == WARP_INDEX else None
        callee = self._function(operation.name) if operation.code == CALL and operation.name not in calls else None
        if callee is not None and len(operation.arguments) == len(callee.lowered.parameters):
            arguments = dict(zip(callee.lowered.parameters, operation.arguments, strict=True))

            def resolve_in_callee(other: Operation) -> int | None:
                if other.code == PARAMETER:
                    return analysis.lowered.evaluate(arguments[other.result], resolve)
                return self._resolve(callee, other, thread, choice, (*calls, operation.name))

            return callee.lowered.evaluate(callee.lowered.returned[0][0], resolve_in_callee)
        if operation.code not in (CALL, EXTERN, PARAMETER):
            return None
        if operation.code == EXTERN and not identity:
            return 32 if is_size_of_warp(operation.name) else self._conditional_constant(operation, choice)
        return {THREAD_INDEX: thread, LANE_INDEX: thread % 32, WARP_INDEX: thread // 32}.get(identity)

    def _function(self, name: bytes) -> FunctionAnalysis | None:
        """The only function of a name, if it returns one value."""
        if name not in self._functions:
            found = list(self._summaries.named(name))
            is_one = len(found) == 1 and len(found[0].lowered.returned) == 1
            self._functions[name] = found[0] if is_one else None
        return self._functions[name]

    def _conditional_constant(self, operation: Operation, choice: bool) -> int | None:
        key = operation.name, choice
        if key not in self._constants:
            self._constants[key] = self._summaries.conditional_constant(operation.node, choice)
        self._used_choice = self._used_choice or self._constants[key] is not None
        return self._constants[key]


def _has_label(analysis: FunctionAnalysis, case: Region, value: int | None) -> bool | None:
    """Whether a label of a `case` has a value; None where the value or the labels are unknown."""
    labels = [analysis.lowered.constant(label) for label in case.cases]
    return None if value is None or not labels or None in labels else value in labels
