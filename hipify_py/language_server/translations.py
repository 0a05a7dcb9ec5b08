"""The HIP source of documents, as documents of their own."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from hipify_py.language_server.analysis import Analysis
from hipify_py.language_server.commands import SCHEME
from hipify_py.language_server.positions import decoded
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.model import Choice
from hipify_py.report.run_report import CHECK, RunReport

TEXT, DIFF = "text", "diff"
"""What a document of the scheme has: the HIP source, or the change from CUDA as a unified diff."""


def translation_document(analysis: Analysis, root: str) -> dict[str, Any]:
    """The translation of a document below a folder as plain data."""
    document = analysis.document
    return {
        "uri": document.uri,
        "version": document.version,
        "languageId": document.language,
        "translation": decoded(analysis.translation),
        "diff": decoded(analysis.diff(root)),
        "translationUri": virtual_uri(document.uri, TEXT),
        "diffUri": virtual_uri(document.uri, DIFF),
        "coverage": analysis.coverage(),
    }


def virtual_uri(uri: str, kind: str) -> str:
    """The URI of the translation of a document; its path ends like the document's, so that editors colour it."""
    path = urlsplit(uri).path or uri.partition(":")[2]
    path = path if path.startswith("/") else f"/{quote(path)}"
    ending = "" if kind == TEXT else ".diff"
    return f"{SCHEME}:{path}{ending}?{urlencode({'of': uri, 'kind': kind})}"


def source_of(uri: str) -> tuple[str, str] | None:
    """The URI of the document that a translation is of, and its kind; None for a URI that is not one of ours."""
    parts = urlsplit(uri)
    asked = parse_qs(parts.query)
    if parts.scheme != SCHEME or not asked.get("of"):
        return None
    (kind,) = asked.get("kind", [TEXT])[:1]
    return (asked["of"][0], kind) if kind in (TEXT, DIFF) else None


def content(analysis: Analysis, kind: str, root: str) -> str:
    """The text of a translation's document."""
    return decoded(analysis.translation if kind == TEXT else analysis.diff(root))


def report(analysis: Analysis) -> str:
    """The report on a document alone, in Markdown."""
    settings = analysis.settings
    choices = (
        []
        if settings is None
        else [Choice(settings.config, (analysis.document.path,), settings.group.options.targeting)]
    )
    account = RunReport(CHECK, [analysis.result], choices)
    return "".join(f"{piece}" for piece in load("markdown").render(account, PLAIN))
