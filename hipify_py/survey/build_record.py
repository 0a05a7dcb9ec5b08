"""The results of building a converted repository: what was made, and why the rest was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

LINKS, COMPILES, CONFIGURES, FAILS = "links", "compiles in part", "configures", "fails"
NOTHING, LACKS, UNTRIED = "makes nothing", "lacks something", "untried"
FAILS_WITH_CUDA = "fails with CUDA too"
BUILD_STATES = (LINKS, COMPILES, CONFIGURES, FAILS, NOTHING, LACKS, FAILS_WITH_CUDA, UNTRIED)
"""How far a build gets: everything is linked; some objects are made; it is configured; not even that. Or it says
nothing about the conversion: the build makes nothing; it needs a library or a program that this machine lacks, with
CUDA as with HIP; the repository as it is does not build with CUDA either; it cannot be tried."""

INCONCLUSIVE = (NOTHING, LACKS, FAILS_WITH_CUDA, UNTRIED)


class BuildCause(NamedTuple):
    """An error of a build, however often it occurs.

    Attributes:
        text: the message.
        place: where it occurs first, in the repository: `file:line`; empty if unknown.
        times: how often it occurs.
        finding: the id of a finding that announces it; empty if none does.
        is_lacking: it is about a file, a package or a program that neither the repository nor CUDA has.
    """

    text: str
    place: str
    times: int
    finding: str
    is_lacking: bool


class Build(NamedTuple):
    """The build of one folder of a repository, and of everything below it that its build files reach.

    Attributes:
        folder: the folder in the repository; `.` for its top.
        system: the name of the build system.
        failed: the step that failed (`configuring`, `building`); empty if none did.
        objects: object files made.
        programs: programs and libraries made.
        causes: the causes of its errors, the most frequent first.
        seconds: of time.
        problem: why it could not be tried, or not to its end; empty if it could.
        fails_with_cuda: the repository as it is does not build with CUDA either; False if it was not tried.
    """

    folder: str
    system: str
    failed: str
    objects: int
    programs: int
    causes: Sequence[BuildCause]
    seconds: float
    problem: str = ""
    fails_with_cuda: bool = False

    @property
    def state(self) -> str:
        """One of `BUILD_STATES`."""
        if self.problem and not self.failed:
            return UNTRIED
        if not self.failed:
            return LINKS if self.programs or self.objects else NOTHING
        if self.causes and all(cause.is_lacking for cause in self.causes):
            return LACKS
        if self.fails_with_cuda:
            return FAILS_WITH_CUDA
        if self.objects or self.programs:
            return COMPILES
        return CONFIGURES if self.failed == "building" else FAILS


class Disproved(NamedTuple):
    """An error that was reported about a source, although the source compiles.

    Attributes:
        id: of the finding.
        name: the symbol that it is about, empty for none.
        place: in the repository: `file:line`.
    """

    id: str
    name: str
    place: str


def build_document(build: Build) -> dict[str, Any]:
    """A build as JSON-compatible data."""
    return {**build._asdict(), "state": build.state, "causes": [cause._asdict() for cause in build.causes]}


def build_in(document: Mapping[str, Any]) -> Build:
    """The build that a document was made from."""
    fields = {name: document[name] for name in Build._fields}
    return Build(**{**fields, "causes": [BuildCause(**cause) for cause in document["causes"]]})
