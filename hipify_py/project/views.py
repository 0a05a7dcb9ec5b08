"""Whether a run's sources are seen by libclang, and with what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hipify_py.evidence import Doubt
from hipify_py.options import OFF, ON, Options
from hipify_py.project.discovery import Discovery
from hipify_py.project.file_facts import FileFacts
from hipify_py.project.plan import Plan, PlanError, given_files
from hipify_py.project.texts import Texts
from hipify_py.project_context import Question

if TYPE_CHECKING:
    from hipify_py.clang.parts import Parts
    from hipify_py.project.seen import Seen
    from hipify_py.project.view import View

HOW = "hipify-py doctor tells what is there; pip install 'hipify-py[semantics]' and hipify-py fetch-headers get it"


def found_parts(choices: Sequence[Options]) -> Parts | None:
    """What there is for libclang's view; None where nobody wants it, or something is missing and need not be there.

    Raises:
        PlanError: where something is missing that the user has asked for.
    """
    wanted = {options.semantics for options in choices}
    if wanted <= {OFF}:
        return None
    from hipify_py.clang.parts import find_parts
    from hipify_py.project.view import is_complete, missing

    cuda = next((options.targeting.cuda for options in choices if options.targeting.cuda), None)
    parts = find_parts(cuda=cuda)
    if is_complete(parts):
        return parts
    if ON in wanted:
        lacks = f"{' and '.join(missing(parts))} cannot be found"
        raise PlanError("; ".join([f"--semantics on: {lacks}", *parts.problems, HOW]))
    return None


def views_of(
    found: Sequence[Discovery], plans: Sequence[Plan], parts: Parts | None, facts: FileFacts
) -> list[View | None]:
    """libclang's view of the sources of each group, which may include files of the others; None where there is none."""
    if parts is None:
        return [None] * len(plans)
    from hipify_py.project.view import View

    sources = [entry.path for discovery in found for entry in discovery.sources]
    given = [path for discovery in found for path in given_files(discovery)]
    return [
        None
        if plan.options.semantics == OFF
        else View(parts, sources, given, Texts(facts=facts, commands=plan.commands))
        for plan in plans
    ]


class LateView:
    """libclang's view of files that stand for themselves; what it takes is looked for when there are doubts."""

    def __init__(self, paths: Sequence[str], options: Options, texts: Texts) -> None:
        """With `options.semantics` on, what is missing is told at once.

        Raises:
            PlanError: where something is missing that the user has asked for.
        """
        self._paths = paths
        self._options = options
        self._texts = texts
        if options.semantics == ON:
            found_parts([options])

    @cached_property
    def _view(self) -> View | None:
        parts = found_parts([self._options])
        if parts is None:
            return None
        from hipify_py.project.view import View

        return View(parts, self._paths, self._paths, self._texts)

    def prepare(self) -> None:
        """Nothing is done at once."""

    def ask(self, path: str, data: bytes, doubts: Sequence[Doubt]) -> Seen | None:
        """The answers to the doubts about a file with its content; None where nobody can be asked."""
        return None if self._view is None else self._view.ask(path, data, doubts)

    def answer(self, question: Question) -> Any:
        """The answer to a question of one of the kinds `project_context.SEEN`."""
        return None if self._view is None else self._view.answer(question)
