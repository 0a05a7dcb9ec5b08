"""The names of the commands that clients can run with `workspace/executeCommand`, and of what else is our own.

`docs/reference/language-server.md` describes their arguments and results.
"""

from __future__ import annotations

SHOW_TRANSLATION = "hipify-py.showTranslation"
"""The HIP source of a document and the diff."""

EXPLAIN = "hipify-py.explain"
"""The page of a finding."""

COVERAGE = "hipify-py.coverage"
"""How many references of a document are converted, native, unsupported and unknown."""

REPORT = "hipify-py.report"
"""The report on a document, in Markdown."""

COMMANDS = (SHOW_TRANSLATION, EXPLAIN, COVERAGE, REPORT)

COVERAGE_NOTIFICATION = "$/hipify-py/coverage"
"""Sent with each new analysis to clients that ask for it; others may ignore names that begin with `$/`."""

SCHEME = "hipify-py"
"""The scheme of the URIs of translations (LSP 3.18, `workspace/textDocumentContent`)."""
