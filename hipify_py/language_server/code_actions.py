"""What can be done about findings: their fixes, comments that suppress them, and explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from lsprotocol.types import (
    ClientCapabilities,
    CodeAction,
    CodeActionKind,
    CodeActionParams,
    Command,
    Diagnostic,
    OptionalVersionedTextDocumentIdentifier,
    PositionEncodingKind,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from pygls.capabilities import get_capability

from hipify_py.core.edits import Edit, ordered
from hipify_py.core.findings import EXACT, Finding, occurrences
from hipify_py.findings.fingerprints import apart, edits_of
from hipify_py.language_server.analysis import Analysis
from hipify_py.language_server.commands import EXPLAIN
from hipify_py.language_server.diagnostics import Diagnostics, data_of
from hipify_py.language_server.documents import Document
from hipify_py.language_server.positions import decoded
from hipify_py.language_server.suppressing import suppression
from hipify_py.report.fix_lines import REVIEWED

FIX_ALL = "source.fixAll.hipify-py"
"""The kind of the action that applies all exact fixes; editors can run it on save."""

KINDS: Sequence[CodeActionKind | str] = (CodeActionKind.QuickFix, FIX_ALL)


class CodeActions:
    """Makes code actions as a client can apply them."""

    def __init__(
        self, capabilities: ClientCapabilities, encoding: PositionEncodingKind | str, diagnostics: Diagnostics
    ) -> None:
        self._encoding = encoding
        self._diagnostics = diagnostics
        self._takes_actions = get_capability(capabilities, "text_document.code_action.code_action_literal_support")
        self._has_versions = get_capability(capabilities, "workspace.workspace_edit.document_changes")

    def of(self, analysis: Analysis, params: CodeActionParams) -> list[CodeAction]:
        """The actions at a place; none for a client that only knows commands."""
        if not self._takes_actions:
            return []
        only = params.context.only
        found: list[CodeAction] = []
        if _is_wanted(CodeActionKind.QuickFix, only):
            at_place = [*self._at(analysis, params)]
            found += chain.from_iterable(self._quick_fixes(analysis, finding) for finding in at_place)
            found += self._fixes_of_ids(analysis, at_place)
            found += [_explanation(id) for id in dict.fromkeys(finding.id for finding in at_place)]
        if _is_wanted(FIX_ALL, only):
            found += self._fix_all(analysis, is_asked_for=bool(only))
        return found

    def _at(self, analysis: Analysis, params: CodeActionParams) -> Iterator[Finding]:
        """The findings that are meant: those that the client names, and those that touch its range."""
        text = analysis.document.text
        start, end = (text.offset(place, self._encoding) for place in (params.range.start, params.range.end))
        named = [diagnostic.data for diagnostic in params.context.diagnostics if isinstance(diagnostic.data, dict)]
        for finding in analysis.findings:
            first = max(finding.offset, 0)
            last = text.offset_of(finding.end_line, finding.end_column) if finding.end_line else first
            if (first <= end and start <= last) or data_of(finding) in named:
                yield finding

    def _quick_fixes(self, analysis: Analysis, finding: Finding) -> Iterator[CodeAction]:
        diagnostic = self._diagnostics.of_finding(analysis, finding)
        document = analysis.document
        if finding.fix is not None:
            title = f"{finding.fix.title}{REVIEWED[finding.fix.applicability]}"
            action = self._edit(document, title, edits_of([finding]), [diagnostic])
            action.is_preferred = finding.fix.applicability == EXACT
            yield action
        places = [place for place in occurrences(finding) if place.path == document.path]
        silent = {suppression(place, analysis.source, analysis.lexemes) for place in places} - {None}
        if silent:
            where = "here" if len(places) == 1 else f"at its {len(places)} places"
            edits = ordered(edit for edit in silent if edit is not None)
            yield self._edit(document, f"Suppress {finding.id} {where}", edits, [diagnostic])

    def _fixes_of_ids(self, analysis: Analysis, at_place: Iterable[Finding]) -> Iterator[CodeAction]:
        """One action for each kind of finding at the place that can be fixed in several places."""
        for id in dict.fromkeys(finding.id for finding in at_place if finding.fix is not None):
            together, _ = apart(finding for finding in analysis.findings if finding.id == id)
            if len(together) > 1:
                diagnostics = [self._diagnostics.of_finding(analysis, finding) for finding in together]
                title = f"Fix all {len(together)} {id} in this file{_reviewed(together)}"
                yield self._edit(analysis.document, title, edits_of(together), diagnostics)

    def _fix_all(self, analysis: Analysis, *, is_asked_for: bool) -> Iterator[CodeAction]:
        """All exact fixes together; only on request, since it would be shown everywhere."""
        exact = (each for each in analysis.findings if each.fix is not None and each.fix.applicability == EXACT)
        together, _ = apart(exact)
        if together and is_asked_for:
            action = self._edit(analysis.document, "Apply all exact fixes of hipify-py", edits_of(together), None)
            action.kind = FIX_ALL
            yield action

    def _edit(
        self, document: Document, title: str, edits: Iterable[Edit], diagnostics: list[Diagnostic] | None
    ) -> CodeAction:
        changes = [*self._text_edits(document, edits)]
        if self._has_versions:
            identifier = OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
            edit = WorkspaceEdit(document_changes=[TextDocumentEdit(identifier, changes)])
        else:
            edit = WorkspaceEdit(changes={document.uri: changes})
        return CodeAction(title, CodeActionKind.QuickFix, diagnostics, edit=edit)

    def _text_edits(self, document: Document, edits: Iterable[Edit]) -> Iterator[TextEdit]:
        """Edits as the protocol has them; several insertions at one place become one, which keeps their order."""
        for (start, end), same in groupby(edits, key=lambda edit: edit[:2]):
            text = b"".join(edit.text for edit in same)
            yield TextEdit(document.text.range(start, end, self._encoding), decoded(text))


def _is_wanted(kind: CodeActionKind | str, only: Sequence[CodeActionKind | str] | None) -> bool:
    """Whether a client asks for a kind of action: for all, for this one, or for one that it belongs to."""
    name = _name(kind)
    return not only or any(_name(each) in ("", name) or name.startswith(f"{_name(each)}.") for each in only)


def _name(kind: CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, CodeActionKind) else kind


def _reviewed(findings: Iterable[Finding]) -> str:
    """The suffix of the title for several fixes, if any of them needs review."""
    return max((REVIEWED[each.fix.applicability] for each in findings if each.fix is not None), default="")


def _explanation(id: str) -> CodeAction:
    title = f"Explain {id}"
    return CodeAction(title, CodeActionKind.QuickFix, command=Command(title, EXPLAIN, arguments=[id]))
