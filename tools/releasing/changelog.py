"""Reads a changelog in the form of https://keepachangelog.com: a heading for each version, newest first."""

from __future__ import annotations

import re

from releasing.refusal import Refusal

_HEADING = re.compile(r"^## \[?(?P<name>[^]\s]+)\]?(?: - (?P<date>\S+))?[^\n]*$", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SUBHEADING = re.compile(r"^#+ .*$", re.MULTILINE)
UNRELEASED = "Unreleased"


def notes_of(changelog: str, version: str) -> str:
    """What the changelog says of a version, as release notes.

    Raises:
        Refusal: when it says nothing, bears no date, or when something stands under "Unreleased".
    """
    sections = _sections(changelog)
    _, left = sections.get(UNRELEASED, ("", ""))
    if _SUBHEADING.sub("", left).strip():
        raise Refusal(f"CHANGELOG.md: move what stands under [{UNRELEASED}] to [{version}]: the release contains it")
    if version not in sections:
        raise Refusal(f"CHANGELOG.md has no section for this version: ## [{version}] - YYYY-MM-DD")
    date, notes = sections[version]
    if not _DATE.fullmatch(date):
        raise Refusal(f"CHANGELOG.md: the section has no date: ## [{version}] - YYYY-MM-DD")
    if not _SUBHEADING.sub("", notes).strip():
        raise Refusal(f"CHANGELOG.md: the section [{version}] is empty")
    return notes


def _sections(changelog: str) -> dict[str, tuple[str, str]]:
    """The date and the text of each version."""
    headings = list(_HEADING.finditer(changelog))
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    return {
        heading["name"]: (heading["date"] or "", changelog[heading.end() : end].strip() + "\n")
        for heading, end in zip(headings, ends, strict=True)
    }
