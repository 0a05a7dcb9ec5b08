"""`--verify`: a compiler tries the translation, and what it finds joins the findings of the run."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from hipify_py.catalog import load_catalog
from hipify_py.catalog.installed import installed_in
from hipify_py.clang.toolchain import Toolchain, find_toolchain
from hipify_py.cli.by_configuration import Part, for_compiler
from hipify_py.compile.check import compile_groups, joined
from hipify_py.compile.diagnostics import Message
from hipify_py.compile.driver import find_hipcc
from hipify_py.compile.findings import results_of
from hipify_py.compile.syntax.check import check_groups, missing_parts
from hipify_py.project.api import ConversionReport
from hipify_py.project.errors import PlanError
from hipify_py.project.result import FAILED, FileResult
from hipify_py.report.model import Verified
from hipify_py.report.text import emit

_NOT_FOUND = re.compile("'([^']+)' file not found")


class Trial(NamedTuple):
    """The result of a trial.

    Attributes:
        verified: who tried the translation, and how many files have errors.
        errors: the files with errors, a finding for each.
    """

    verified: Verified
    errors: Sequence[FileResult]

    def joined_with(self, reports: Sequence[ConversionReport]) -> list[ConversionReport]:
        """The reports of a run, with a finding for each error."""
        errors = {result.path: result for result in self.errors}
        merged = [
            report._replace(results=[_with_errors(result, errors.pop(result.path, None)) for result in report.results])
            for report in reports
        ]
        if errors:  # in headers outside of the paths
            merged[-1] = merged[-1]._replace(results=[*merged[-1].results, *errors.values()])
        return merged


class Compiler(NamedTuple):
    """What tries a translation.

    Attributes:
        parts: what it tries, for the ROCm of its hipcc where none was chosen.
        hipcc: the path of hipcc; empty where libclang parses.
        toolchains: what libclang parses with, for each part.
    """

    parts: list[Part]
    hipcc: str
    toolchains: Sequence[Toolchain] = ()

    def trial(self, *, jobs: int | None) -> Trial:
        """Translate the parts in a temporary folder or in memory, and try the result."""
        groups = [part.group for part in self.parts]
        if self.hipcc:
            tool, did = self.hipcc, "compiled"
            with tempfile.TemporaryDirectory(prefix="hipify-py-") as folder:
                report = compile_groups(self.hipcc, groups, folder, jobs=jobs)
        else:
            tool, did = _words(self.toolchains), "parsed"
            report = joined(check_groups(self.toolchains, groups, jobs=jobs))
        emit(sys.stderr, report.unparsed)
        missing = [*dict.fromkeys(filter(None, map(_missing_header, report.messages)))]
        messages = [message for message in report.messages if not _missing_header(message)]
        failed = {message.path for message in messages if message.severity == "error"}
        verified = Verified(tool, did, report.compiled, len(failed), tuple(missing))
        return Trial(verified, results_of(messages, report.suppressed))


def compiler_of(parts: Sequence[Part]) -> Compiler:
    """What tries a translation: the hipcc of the ROCm that it is for; otherwise libclang; otherwise any hipcc.

    Raises:
        PlanError: neither is there.
    """
    hipcc = find_hipcc() or ""
    targets = [part.group.options.targeting for part in parts]
    if hipcc and all(target.rocm == installed_in(hipcc) for target in targets):
        return Compiler([*parts], hipcc)
    toolchains = [find_toolchain(cuda=target.cuda or None, rocm=target.rocm) for target in targets]
    missing = dict.fromkeys(name for found in toolchains for name in missing_parts(found))
    if not missing:
        return Compiler([*parts], "", toolchains)
    if hipcc:
        return Compiler(for_compiler(parts, hipcc), hipcc)
    raise PlanError(
        f"--verify needs hipcc, or libclang with HIP's headers; {' and '.join(missing)} could not be found: "
        "hipify-py fetch-headers brings the headers"
    )


def _missing_header(message: Message) -> str:
    """The header that a message misses, unless it is one of CUDA's: a library that is not installed is not the port's
    fault.
    """
    match = _NOT_FOUND.match(message.text)
    if match is None:
        return ""
    row, family = load_catalog().row(match[1].encode()), load_catalog().family(match[1], header=True)
    return "" if family is not None or (row is not None and not row.is_native) else match[1]


def _with_errors(result: FileResult, errors: FileResult | None) -> FileResult:
    """A result with the errors of a compiler; those on a line with an error of ours follow from it."""
    if errors is None or result.status == FAILED:
        return result
    known = {finding.line for finding in result.findings if finding.severity == "error"}
    findings = [*result.findings, *(finding for finding in errors.findings if finding.line not in known)]
    return result._replace(findings=tuple(sorted(findings, key=lambda each: each.offset)))


def _words(toolchains: Sequence[Toolchain]) -> str:
    """What a source was parsed with, in words."""
    return "; ".join(
        dict.fromkeys(
            f"libclang {found.library.version} with the headers of HIP {found.hip.version}"
            for found in toolchains
            if found.library is not None and found.hip is not None
        )
    )
