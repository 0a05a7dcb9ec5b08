"""libclang's view of files that stand for themselves; a check of one of them seldom has to ask it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hipify_py.options import ON, Options

if TYPE_CHECKING:
    from hipify_py.evidence import Doubt
    from hipify_py.project.seen import Seen
    from hipify_py.project.texts import Texts
    from hipify_py.project.view import View
    from hipify_py.project_context import Question


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
            from hipify_py.project.views import found_parts

            found_parts([options])

    @cached_property
    def _view(self) -> View | None:
        from hipify_py.project.views import found_parts

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
