"""Compiler messages as findings, for the formats of `check`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from hipify_py.catalog import load_catalog
from hipify_py.compile.diagnostics import Message, offset_of
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.core.source import Source
from hipify_py.findings.fingerprints import fingerprint
from hipify_py.findings.selection import chosen
from hipify_py.findings.suppression import silence
from hipify_py.frontend.unit import Unit
from hipify_py.project.result import UNCHANGED, FileResult
from hipify_py.project.source_store import bytes_of
from hipify_py.translator.translate import lexer

OF_A_COMPILER = "HIP920"

_WORD = re.compile(rb"\w+")


def results_of(messages: Iterable[Message], suppressed: Iterable[tuple[Message, str]] = ()) -> list[FileResult]:
    """The files that messages are about, with a finding for each message that is not a note.

    Args:
        suppressed: messages that are left out, and by what.
    """
    by_path: dict[str, list[Message]] = {}
    why: dict[Message, str] = {}
    for message in messages:
        if message.severity != "note":
            by_path.setdefault(message.path, []).append(message)
    for message, by in suppressed:
        by_path.setdefault(message.path, []).append(message)
        why[message] = by
    results = []
    for path in sorted(by_path):
        findings = [*_findings(path, [message for message in by_path[path] if message not in why])]
        left_out = [
            finding._replace(suppression=why[message])
            for message in by_path[path]
            if message in why
            for finding in _findings(path, [message])
        ]
        results.append(FileResult(path, UNCHANGED, findings=tuple(findings), suppressed=tuple(left_out)))
    return results


def reported(messages: Iterable[Message], options: Options) -> tuple[list[Message], list[tuple[Message, str]]]:
    """The messages to report, with the severity that the user chose, and those findings of ours that are suppressed.

    What compilers call an error stays: it cannot be suppressed.
    """
    catalog, units = load_catalog(options.targeting), dict[str, Unit]()
    kept: list[Message] = []
    left_out: list[tuple[Message, str]] = []
    for message in messages:
        if message.id:
            if message.path not in units:
                source = Source(bytes_of(message.path), message.path)
                units[message.path] = Unit(source, lexer(catalog).scan(source.data), catalog, options)
            unit = units[message.path]
            finding = unit.finding(message.id, offset_of(unit.source, message.line, message.column))
            selected = chosen([finding], options, catalog)
            if suppressed := silence(unit, selected).suppressed:
                left_out += [(message, each.suppression) for each in suppressed]
            else:
                kept += [message._replace(severity=each.severity) for each in selected]
        else:
            kept.append(message)
    return kept, left_out


def _findings(path: str, messages: Iterable[Message]) -> Iterable[Finding]:
    source, catalog, seen = Source(bytes_of(path), path), load_catalog(), Counter[tuple[str, str, str]]()
    for message in sorted(messages, key=lambda each: (each.line, each.column)):
        entry = catalog.diagnostic(message.id or OF_A_COMPILER)
        word = _WORD.match(source.data, offset := offset_of(source, message.line, message.column))
        end = message.column + (len(word[0]) if word is not None else 1)
        text = message.text + (f" (in HIP: {message.output_line.strip()})" if message.output_line else "")
        finding = Finding(
            *(entry.id, message.severity, entry.effort, text, path, offset, message.line, message.column, "", ""),
            end_line=message.line,
            end_column=end,
            source_line=message.source_line,
        )
        key = (entry.id, message.text, message.source_line)
        context = f"{message.text}\0{message.source_line}".encode("utf-8", "replace")
        yield finding._replace(fingerprint=fingerprint(finding, context, seen[key]))
        seen[key] += 1
