"""The results of a survey for all repositories together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from hipify_py.compile.builds.build_message import QUOTED
from hipify_py.core.installation import VERSION
from hipify_py.core.targeting import HIP, NEWEST_CUDA, NEWEST_ROCM, Targeting
from hipify_py.core.translation import Counts
from hipify_py.survey.build_record import FAILS, INCONCLUSIVE, LINKS, UNTRIED
from hipify_py.survey.record import PORTABILITIES, Record, document_of

FORMAT = 1
"""Raised when a field of the JSON document changes its meaning or goes away."""


class Shared(NamedTuple):
    """An obstacle in several repositories.

    Attributes:
        id, title, name: of the finding (see `record.Blocker`).
        repositories: in how many of them it is.
        times: how often in all.
    """

    id: str
    title: str
    name: str
    repositories: int
    times: int


class CommonCause(NamedTuple):
    """An error of the builds of several repositories.

    Attributes:
        text: the message, with an ellipsis for the names in it.
        example: the first of the messages.
        repositories: the names of the repositories.
        times: how often in all.
        is_announced: there is a finding for it in each of them.
    """

    text: str
    example: str
    repositories: tuple[str, ...]
    times: int
    is_announced: bool


class Account:
    """A survey.

    Attributes:
        records: of the repositories, in the order of the list.
        targeting: the versions and the target that it is for.
    """

    def __init__(self, records: Sequence[Record], targeting: Targeting) -> None:
        self.records = records
        self.targeting = targeting

    @cached_property
    def references(self) -> Counts:
        """The references of all repositories by outcome."""
        total = Counts()
        for record in self.records:
            total = total.plus(record.references)
        return total

    @cached_property
    def portabilities(self) -> dict[str, int]:
        """How many repositories are how portable."""
        return {each: sum(record.portability == each for record in self.records) for each in PORTABILITIES}

    @cached_property
    def blockers(self) -> list[Shared]:
        """The obstacles, the most common first."""
        found: dict[tuple[str, str], Shared] = {}
        for record in self.records:
            for blocker in record.blockers:
                key = blocker.id, blocker.name
                known = found.get(key, Shared(blocker.id, blocker.title, blocker.name, 0, 0))
                found[key] = known._replace(repositories=known.repositories + 1, times=known.times + blocker.times)
        return sorted(found.values(), key=lambda each: (-each.repositories, -each.times, each.id, each.name))

    @cached_property
    def builds(self) -> dict[str, int]:
        """The builds in figures: repositories that were built, those that could be, and those whose builds all link;
        causes of errors, and those that a finding announces; findings that the builds disprove."""
        built = [record for record in self.records if record.builds]
        possible = [record for record in built if record.build_state not in INCONCLUSIVE]
        causes = [cause for record in built for cause in record.build_causes]
        return {
            "tried": len(built),
            "possible": len(possible),
            "configured": sum(
                all(build.state not in (FAILS, UNTRIED) for build in record.builds) for record in possible
            ),
            "linked": sum(record.build_state == LINKS for record in possible),
            "causes": len(causes),
            "announced": sum(bool(cause.finding) for cause in causes),
            "disproved": sum(len(record.disproved) for record in built),
        }

    @cached_property
    def causes(self) -> list[CommonCause]:
        """The causes of build errors that no machine is to blame for, those of most repositories first."""
        found: dict[str, CommonCause] = {}
        for record in self.records:
            for cause in record.build_causes:
                text = QUOTED.sub("…", cause.text)
                known = found.get(text, CommonCause(text, cause.text, (), 0, True))
                found[text] = known._replace(
                    repositories=tuple(dict.fromkeys((*known.repositories, record.name))),
                    times=known.times + cause.times,
                    is_announced=known.is_announced and bool(cause.finding),
                )
        return sorted(found.values(), key=lambda each: (-len(each.repositories), -each.times, each.text))

    def head_document(self) -> dict[str, Any]:
        """Everything except the repositories, as JSON-compatible data."""
        return {
            "format": FORMAT,
            "tool": {"name": "hipify-py", "version": VERSION},
            "targeting": {
                "cuda": self.targeting.cuda or NEWEST_CUDA,
                "rocm": self.targeting.rocm or NEWEST_ROCM,
                "target": self.targeting.target or HIP,
            },
            "repositories": self.portabilities,
            "references": {**self.references._asdict(), "total": self.references.total},
            "blockers": [shared._asdict() for shared in self.blockers],
            "builds": self.builds,
            "build_causes": [cause._asdict() for cause in self.causes],
        }

    def document(self) -> dict[str, Any]:
        """The whole report as JSON-compatible data."""
        return {**self.head_document(), "records": [document_of(record) for record in self.records]}
