"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol.types import (
    ClientCapabilities,
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    PositionEncodingKind,
    Range,
)
from pygls.capabilities import get_capability

from hipify_py.core.findings import SEVERITIES, Finding, severity_at_least
from hipify_py.core.terminal_escape import visible
from hipify_py.findings.suppression import UNUSED
from hipify_py.language_server.analysis import Analysis
from hipify_py.language_server.documents import uri_of
from hipify_py.language_server.explanations import Explanations
from hipify_py.language_server.positions import Text

SOURCE = "hipify-py"

_SEVERITIES = dict(
    zip(SEVERITIES, (DiagnosticSeverity.Information, DiagnosticSeverity.Warning, DiagnosticSeverity.Error), strict=True)
)


class Diagnostics:
    """Makes diagnostics as a client can show them."""

    def __init__(
        self, capabilities: ClientCapabilities, encoding: PositionEncodingKind | str, explanations: Explanations
    ) -> None:
        # Before LSP 3.18, clients say what they show of a diagnostic under `publishDiagnostics` alone.
        kinds = (
            get_capability(capabilities, f"text_document.{kind}") for kind in ("publish_diagnostics", "diagnostic")
        )
        self._said = [said for said in kinds if said is not None]
        self._encoding = encoding
        self._explanations = explanations

    def of(self, analysis: Analysis, severity: str) -> list[Diagnostic]:
        """The diagnostics of a document, from a severity on."""
        return [
            self.of_finding(analysis, finding)
            for finding in analysis.findings
            if severity_at_least(finding.severity, severity)
        ]

    def of_finding(self, analysis: Analysis, finding: Finding) -> Diagnostic:
        """One finding of a document."""
        found = Diagnostic(
            range_of(finding, analysis.document.text, self._encoding),
            visible(finding.message),
            _SEVERITIES[finding.severity],
            finding.id,
            source=SOURCE,
        )
        if self._can("code_description_support"):
            href = self._explanations.address(finding.id)
            found.code_description = CodeDescription(href) if href else None
        if self._can("data_support"):
            found.data = data_of(finding)
        if finding.id == UNUSED and self._can("tag_support"):
            found.tags = [DiagnosticTag.Unnecessary]
        if finding.others and self._can("related_information"):
            found.related_information = [*self._related(analysis, finding)]
        return found

    def _related(self, analysis: Analysis, finding: Finding) -> Iterator[DiagnosticRelatedInformation]:
        """The other places in the document that a finding stands for."""
        document = analysis.document
        for other in finding.others:
            if other.path == document.path:
                place = Location(document.uri, range_of(other, document.text, self._encoding))
                yield DiagnosticRelatedInformation(place, visible(other.name or finding.id))

    def _can(self, what: str) -> bool:
        return any(getattr(said, what, None) for said in self._said)


def range_of(finding: Finding, text: Text, encoding: PositionEncodingKind | str) -> Range:
    """Where a finding is; the beginning of the text for one about the file as a whole."""
    if finding.offset < 0:
        return text.range(0, 0, encoding)
    end = text.offset_of(finding.end_line, finding.end_column) if finding.end_line else finding.offset
    return text.range(finding.offset, max(end, finding.offset), encoding)


def data_of(finding: Finding) -> dict[str, Any]:
    """What identifies a finding when the client asks for its fixes."""
    return {"id": finding.id, "offset": finding.offset, "fingerprint": finding.fingerprint}


def of_configuration(message: str) -> Diagnostic:
    """What is wrong with a configuration, as a diagnostic of its file."""
    start = Text(b"").range(0, 0, PositionEncodingKind.Utf8)
    return Diagnostic(start, visible(message), DiagnosticSeverity.Error, source=SOURCE)


def address_of(path: str) -> str:
    """The URI of a file that a diagnostic is about."""
    return uri_of(path)
