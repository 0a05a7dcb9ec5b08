"""The dialogue of `--interactive`: each fix with its finding, and whether to apply it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from hipify_py.core.findings import Finding
from hipify_py.report.fix_lines import REVIEWED, fix_lines
from hipify_py.report.paint import painter
from hipify_py.report.text import emit, finding_line

_HELP = (
    "y - apply this fix",
    "n - skip this fix",
    "a - apply this and all later fixes",
    "q - skip this and all later fixes",
)


def accepted(findings: Sequence[Finding], answers: TextIO, stream: TextIO) -> list[Finding]:
    """The findings whose fixes the user accepts; if the answers end, the rest stays."""
    taken: list[Finding] = []
    for index, finding in enumerate(findings):
        _show(finding, stream)
        answer = _answer(f"({index + 1}/{len(findings)}) Apply this fix [y,n,a,q,?]? ", answers, stream)
        if answer == "a":
            return [*taken, *findings[index:]]
        if answer == "q":
            return taken
        if answer == "y":
            taken.append(finding)
    return taken


def _show(finding: Finding, stream: TextIO) -> None:
    if finding.fix is None:
        return
    emit(stream, ["", finding_line(finding), f"{finding.fix.title}{REVIEWED[finding.fix.applicability]}:"])
    emit(stream, [f"  {line}" for line in fix_lines(finding.fix, painter(False))])


def _answer(question: str, answers: TextIO, stream: TextIO) -> str:
    while True:
        stream.write(question)
        stream.flush()
        line = answers.readline()
        answer = line.strip().lower()
        if not line:
            stream.write("\n")
            return "q"
        if answer in ("y", "n", "a", "q"):
            return answer
        emit(stream, _HELP)
