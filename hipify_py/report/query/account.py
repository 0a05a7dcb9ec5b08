"""All that is known of a name, CUDA's or HIP's."""

from __future__ import annotations

import re
from fnmatch import translate as pattern_of
from typing import NamedTuple

from hipify_py.catalog import Catalog, Row, load_catalog
from hipify_py.catalog.declarations import CUDA, HIP, Declaration, load_declarations
from hipify_py.catalog.targeting import ROC
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.report.query.arguments import Argument, arguments
from hipify_py.report.query.causes import causes
from hipify_py.report.query.examples import Example, examples
from hipify_py.report.query.origins import WITH_ROC, Origin, origins, targets
from hipify_py.report.symbols import (
    Answer,
    look_up,
    near_misses,
)

_TOLD_IN_FULL = 3
"""Origins of a HIP name that are shown with an example."""

_LONGEST = 400
"""Characters of a name or pattern that is looked for at all."""

_WILD = frozenset("*?[")


class Known(NamedTuple):
    """The information about a CUDA symbol in addition to its rows.

    Attributes:
        row: what the tables say.
        written: the row as a translation follows it.
        cuda: what CUDA's headers declare.
        hip: what HIP's headers declare under the name that it becomes.
        arguments: what becomes of the arguments of a call.
        examples: what becomes of it in code.
        findings: the ids of the findings that it leads to, or may lead to.
    """

    row: Row
    written: Row
    cuda: Declaration | None
    hip: Declaration | None
    arguments: list[Argument]
    examples: list[Example]
    findings: list[str]


class Found(NamedTuple):
    """What was found for a name.

    Attributes:
        answer: what the tables say of it as a CUDA name.
        known: the same rows, with all there is to know.
        origins: the CUDA names that become it.
        hip: what HIP's headers declare under it.
        in_full: its first origins, with all there is to know.
    """

    answer: Answer
    known: list[Known]
    origins: list[Origin]
    hip: Declaration | None
    in_full: list[Known]

    @property
    def is_known(self) -> bool:
        return self.answer.is_known or self.is_hip

    @property
    def is_hip(self) -> bool:
        """It is HIP's, and not CUDA's."""
        return not self.answer.is_known and (self.hip is not None or bool(self.origins))


def ask(catalog: Catalog, name: str) -> Found:
    """Everything that is known of one name."""
    if len(name) > _LONGEST:
        return Found(Answer(name, [], [], [], "", ""), [], [], None, [])
    bare = name.strip('<>"')
    hip = load_declarations(HIP).find(bare)
    came_from = origins(catalog, bare) if bare else []
    answer = look_up(catalog, name, suggest=False)
    if not (answer.is_known or hip or came_from):
        answer = answer._replace(suggestions=near_misses(catalog, bare, sorted(hip_names(catalog))))
    known = [_known(catalog, row, written) for row, written in zip(answer.rows, answer.written, strict=True)]
    in_full: list[Known] = []
    if not answer.is_known:
        native = load_catalog(catalog.targeting._replace(target=ROC))
        for origin in came_from[:_TOLD_IN_FULL]:
            tables = native if origin.when == WITH_ROC else catalog
            first = look_up(tables, origin.row.name)
            in_full += [_known(tables, row, written) for row, written in zip(first.rows, first.written, strict=True)]
    return Found(answer, known, came_from, hip, in_full)


def is_pattern(name: str) -> bool:
    """`cublas*gemm*`: several names are meant."""
    return not _WILD.isdisjoint(name)


def matches(catalog: Catalog, pattern: str) -> list[str]:
    """The names of both sides that fit a pattern, in order, CUDA's first."""
    if len(pattern) > _LONGEST:
        return []
    fits = re.compile(pattern_of(pattern)).match
    ours = sorted({row.name for row in catalog.rows() if fits(row.name)})
    theirs = sorted({name for name in hip_names(catalog) if fits(name)} - set(ours))
    return ours + theirs


def hip_names(catalog: Catalog) -> set[str]:
    """Every name of HIP that is known: what symbols become, and what headers declare."""
    became = {target for row in catalog.rows() for target, _ in targets(row)}
    return became.union(load_declarations(HIP).names())


def _known(catalog: Catalog, row: Row, written: Row) -> Known:
    cuda = load_declarations(CUDA).find(row.name)
    shown = examples(row, cuda, DEFAULT_OPTIONS._replace(targeting=catalog.targeting))
    found: list[Argument] = []
    form = written
    if cuda is not None and cuda.signatures and not written.is_unsupported:
        parameters = cuda.signatures[0].parameters
        form = catalog.form(written, len(parameters), {})
        found = arguments(parameters, form.details)
    hip = load_declarations(HIP).find(form.hip) if form.hip else None
    ids = dict.fromkeys((*(finding.id for example in shown for finding in example.findings), *causes(row)))
    return Known(row, written, cuda, hip, found, shown, sorted(ids))
