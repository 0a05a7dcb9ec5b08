"""Chooses the branch that AMD GPUs take of a condition on CUDA's version or architecture, and the macros' values.

CUDA's numbers mean nothing on AMD GPUs. What they test for is a feature, and the code in the branches shows which one:
the newest numbers are chosen for which all the code that may be compiled is code that HIP supports.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.analysis.preprocessor.branch_scoring import HINT, LACKED, NOTHING, STOP, Content, Sign, provided_function
from hipify_py.analysis.preprocessor.macros import HIP_BUILD, is_amd_build_macro
from hipify_py.analysis.preprocessor.sections import Conditional, Outcome, Sections
from hipify_py.analysis.preprocessor.versions_tried import ARCHITECTURE, CAUTIOUS, NUMBERS, PLAIN, Setting, settings
from hipify_py.frontend.conditions import Branch
from hipify_py.frontend.unit import Unit

_MUCH, _FEW = 4000, 2  # bytes of code, symbols in it
_EQUAL = re.compile(ARCHITECTURE + rb"\s*==")


class Choice(NamedTuple):
    """How a section was decided.

    Attributes:
        setting: the values of the macros.
        avoided: the sign in the branch for newer numbers because of which it is not taken; else None.
        taken: the line of the branch that is taken, or 0 where none or more than one may be.
        is_empty: no branch is taken that holds code.
        is_complete: what is taken does its work, and all of it is code that HIP supports.
        is_own: in the project's own build for HIP, the condition does not depend on the numbers.
        answers: the line of the section with the same condition for which it answers yes or no; 0 for none.
    """

    setting: Setting
    avoided: Sign | None
    taken: int
    is_empty: bool
    is_complete: bool
    is_own: bool
    answers: int = 0

    @property
    def loses_features(self) -> bool:
        """Whether AMD GPUs may do less because of it than NVIDIA's."""
        if self.avoided is None or self.avoided.weight in (LACKED, HINT, STOP) or self.avoided.is_spared:
            return False
        return not (self.is_complete or self.is_own)


def choice_at(unit: Unit, offset: int) -> Choice | None:
    """The decision on the condition that contains an offset; None where there was nothing to decide."""
    return choices(unit).at(offset)


def has_own_branch(unit: Unit, offset: int) -> bool:
    """Whether the condition at an offset tests for CUDA, and a later branch of its section for HIP."""
    return choices(unit).is_beside_own(offset)


class Choices:
    """The decisions on the sections of one unit.

    Attributes:
        sections: the sections.
        decided: all of them, each with the values of its macros.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.sections = Sections(unit)
        self._content = Content(unit, self.sections.every) if self.sections.version_dependent else None
        self._innermost = self._innermost_sections()
        self._outcomes: dict[tuple[bytes, ...], dict[Outcome, Setting]] = {}
        decided = self._decide_all()
        self.decided: list[tuple[Conditional, Setting]] = [
            *((section, choice.setting) for section, choice in decided),
            *((section, PLAIN) for section in self.sections.others),
        ]
        self._places = sorted(
            (branch.start, branch.body, choice, section) for section, choice in decided for branch in section.branches
        )
        self._starts = sorted(branch.start for section in self.sections.every for branch in section)

    @property
    def content(self) -> Content:
        """The signs of the source."""
        return self._content or Content(self._unit, [])

    def at(self, offset: int) -> Choice | None:
        """The decision on the condition that contains an offset."""
        found = self._section_at(offset)
        return None if found is None else found[0]

    def agrees_with_stand_ins(self, offset: int) -> bool:
        """Whether HIP's macros decide the same as the choice, when they replace CUDA's versions in the condition."""
        found = self._section_at(offset)
        return found is not None and self.sections.agrees_with_stand_ins(found[1], found[0].setting)

    def macros_at(self, offset: int) -> frozenset[bytes]:
        """The macros in the conditions of the section whose condition contains an offset."""
        found = self._section_at(offset)
        return frozenset() if found is None else found[1].names

    def _section_at(self, offset: int) -> tuple[Choice, Conditional] | None:
        at = bisect_right(self._places, offset, key=lambda entry: entry[0]) - 1
        return self._places[at][2:] if at >= 0 and offset < self._places[at][1] else None

    def is_beside_own(self, offset: int) -> bool:
        """Whether the condition that contains an offset is CUDA's, beside one of HIP's own."""
        at = bisect_right(self._starts, offset) - 1
        start = self._starts[at] if at >= 0 else -1
        return start in self.sections.own and offset < self._unit.lexemes.logical_line_end(start)

    def _decide_all(self) -> list[tuple[Conditional, Choice]]:
        """Decide the sections that depend on numbers. The callers of a lost branch's functions follow it."""
        decided = [(section, self._choose(section)) for section in self.sections.version_dependent]
        lost = [branch for read, choice in decided for branch in read.branches if _is_lost(branch, choice)]
        if lost and self._content is not None and self._content.mark_lost(lost):
            self._innermost = self._innermost_sections()
            decided = [(section, self._choose(section)) for section in self.sections.version_dependent]
        return self._reconcile_answers(decided)

    def _reconcile_answers(self, decided: list[tuple[Conditional, Choice]]) -> list[tuple[Conditional, Choice]]:
        """Make branches that only answer yes or no agree with the code under the same condition elsewhere."""
        lost = {_condition_texts(section): (section, choice) for section, choice in decided if choice.loses_features}
        return [
            (section, self._answer(section, choice, lost.get(_condition_texts(section)))) for section, choice in decided
        ]

    def _answer(self, section: Conditional, choice: Choice, other: tuple[Conditional, Choice] | None) -> Choice:
        if other is None or choice.avoided or any(self._does_work(branch) for branch in section.branches):
            return choice
        line = self._unit.source.position(other[0].branches[0].start)[0]
        return choice._replace(setting=other[1].setting, answers=line)

    def _choose(self, section: Conditional) -> Choice:
        names = section.names
        outcomes = self._possible_outcomes(section)
        newest, first = next(iter(outcomes.items()))
        if len(outcomes) == 1 and None in newest and ARCHITECTURE in names and self._has_unknown_macro(names):
            is_one_gpu = any(_EQUAL.search(expression.text) for expression in section.expressions)
            setting = first if is_one_gpu else first._replace(architecture=CAUTIOUS)
            return Choice(setting, None, 0, is_empty=False, is_complete=False, is_own=False)
        weighed = [(*self._weigh(section, outcome, outcome == newest), outcome) for outcome in outcomes]
        best = min(weighed, key=lambda entry: entry[0])
        taken = section.taken(best[2])
        is_idle = best is not weighed[0] and not any(self._does_work(branch) for branch in taken)
        if is_idle and self._is_nearly_portable(section.taken(newest)):
            best, taken = weighed[0], section.taken(newest)
        line = self._unit.source.position(taken[0].start)[0] if len(taken) == 1 else 0
        avoided = weighed[0][1] if best is not weighed[0] else None
        return Choice(
            outcomes[best[2]],
            avoided,
            line,
            is_empty=not any(self._holds_code(branch) for branch in taken),
            is_complete=best[0] == 0 and bool(taken) and all(self._does_work(branch) for branch in taken),
            is_own=avoided is not None and self._is_own(section),
        )

    def _is_nearly_portable(self, branches: list[Branch]) -> bool:
        """Whether much code has only a symbol or two that HIP lacks: errors help more than losing all of it."""
        signs = [sign for branch in branches for sign in self._signs(branch) if sign.weight > STOP]
        size = sum(branch.end - branch.body for branch in branches)
        return size > _MUCH and len(signs) <= _FEW and all(sign.is_symbol for sign in signs)

    def _is_own(self, section: Conditional) -> bool:
        """Whether the project's own build for HIP decides the section, whatever the numbers are."""
        if not any(map(is_amd_build_macro, section.names)):
            return False
        return len({self.sections.outcome(section, setting, HIP_BUILD) for setting in self._settings(section)}) == 1

    def _possible_outcomes(self, section: Conditional) -> dict[Outcome, Setting]:
        """The possible outcomes of the conditions, each with the newest setting that leads to it; newest first."""
        key = _condition_texts(section)
        cached = self._outcomes.get(key)
        if cached is None:
            cached = self._outcomes[key] = {}
            for setting in self._settings(section):
                cached.setdefault(self.sections.outcome(section, setting), setting)
        return cached

    def _settings(self, section: Conditional) -> Iterator[Setting]:
        return settings(section.names, self._unit.options.targeting.cuda)

    def _has_unknown_macro(self, names: frozenset[bytes]) -> bool:
        """Whether an unknown macro decides."""
        return any(self.sections.macros.value(name) is None for name in names - NUMBERS - {b"defined"})

    def _weigh(self, section: Conditional, outcome: Outcome, is_newest: bool) -> tuple[int, Sign | None]:
        """The weight of the evidence against the branches that an outcome may compile, and the worst sign."""
        taken = section.taken(outcome)
        worst: Sign | None = None
        for branch in taken:
            for sign in self._signs(branch):
                if worst is None or sign.weight > worst.weight:
                    worst = sign
        for branch in section.branches:
            name = "" if branch in taken else provided_function(self._unit, branch.body, branch.end)
            if name and (worst is None or worst.weight < LACKED):
                worst = Sign(section.branches[0].start, LACKED, name)
        if worst is None and not is_newest and not any(self._holds_code(branch) for branch in taken):
            return NOTHING, None
        return (worst.weight if worst else 0), worst

    def _signs(self, branch: Branch) -> list[Sign]:
        """The signs of a branch, except for those in nested conditions that are decided themselves."""
        is_stub = self.content.is_stub(branch.body, branch.end)
        return [
            sign
            for sign in self.content.signs(branch.body, branch.end)
            if self._innermost[sign.offset] <= branch.start and (sign.weight != STOP or is_stub)
        ]

    def _innermost_sections(self) -> dict[int, int]:
        """For the offset of each sign, the start of the innermost section around it; -1 outside of all sections."""
        if self._content is None:
            return {}
        found: dict[int, int] = {}
        bounds = ((read.branches[0].start, read.branches[-1].end) for read in self.sections.version_dependent)
        waiting = sorted(bounds, reverse=True)
        around: list[tuple[int, int]] = []
        for sign in self._content.signs(0, len(self._unit.source.data)):
            while waiting and waiting[-1][0] <= sign.offset:
                around.append(waiting.pop())
            while around and around[-1][1] <= sign.offset:
                around.pop()
            found[sign.offset] = around[-1][0] if around else -1
        return found

    def _does_work(self, branch: Branch) -> bool:
        return self.content.does_work(branch.body, branch.end)

    def _holds_code(self, branch: Branch) -> bool:
        at = self._unit.lexemes.after(branch.body)
        return at < branch.end


def choices(unit: Unit) -> Choices:
    """The decisions on a unit's sections, made once for all rules."""
    return unit.analysis(Choices)


def _condition_texts(section: Conditional) -> tuple[bytes, ...]:
    return tuple(expression.text for expression in section.expressions)


def _is_lost(branch: Branch, choice: Choice) -> bool:
    return choice.avoided is not None and branch.body <= choice.avoided.offset < branch.end
