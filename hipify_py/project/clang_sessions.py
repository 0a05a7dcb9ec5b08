"""Decides whether libclang parses a run's sources, and with which parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.clang.toolchain import find_toolchain
from hipify_py.core.options import OFF, ON, Options
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.discovery import Discovery
from hipify_py.project.errors import PlanError
from hipify_py.project.plan import Plan, given_files
from hipify_py.project.source_store import SourceStore
from hipify_py.project.work import TRANSLATE

if TYPE_CHECKING:
    from hipify_py.clang.toolchain import Toolchain
    from hipify_py.project.clang_session import ClangSession

LEAST = 4
"""How many sources libclang may parse in any run, however small it is."""

BYTES_FOR_ONE = 2_000_000
"""Bytes of source in a run for each source that libclang may parse: translating them takes about twice as long."""

HOW = "hipify-py doctor shows what is missing; get the headers with hipify-py fetch-headers"


def found_parts(choices: Sequence[Options]) -> Toolchain | None:
    """The parts for libclang's view; None if it is off, or if a part is missing and not required.

    Raises:
        PlanError: if something is missing that the user requires.
    """
    wanted = {options.semantics for options in choices}
    if wanted <= {OFF}:
        return None
    from hipify_py.project.clang_session import is_complete, missing

    cuda = next((options.targeting.cuda for options in choices if options.targeting.cuda), None)
    parts = find_toolchain(cuda=cuda)
    if is_complete(parts):
        return parts
    if ON in wanted:
        lacks = f"{' and '.join(missing(parts))} cannot be found"
        raise PlanError("; ".join([f"--semantics on: {lacks}", *parts.problems, HOW]))
    return None


def views_of(
    found: Sequence[Discovery], plans: Sequence[Plan], parts: Toolchain | None, facts: FileFacts
) -> list[ClangSession | None]:
    """libclang's view of each group's sources, which may include files of other groups; None if there is none."""
    if parts is None:
        return [None] * len(plans)
    from hipify_py.project.clang_session import ClangSession

    sources = [entry.path for discovery in found for entry in discovery.sources]
    alone = [path for discovery in found for path in given_files(discovery)]
    return [
        None
        if plan.options.semantics == OFF
        else ClangSession(parts, sources, alone, SourceStore(facts=facts, commands=plan.commands), _most(plan))
        for plan in plans
    ]


def _most(plan: Plan) -> int | None:
    """How many sources libclang may parse for a run; None (no limit) with `--semantics on`."""
    if plan.options.semantics == ON:
        return None
    return max(LEAST, sum(task.size for task in plan.tasks if task.kind == TRANSLATE) // BYTES_FOR_ONE)
