"""Applies a user's selection of findings, and the severities that the user gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hipify_py.catalog import Catalog
from hipify_py.core.findings import EXACT, Finding
from hipify_py.core.options import GROUPS, Options
from hipify_py.core.suggestions import did_you_mean

EVERYTHING = "ALL"


def chosen(findings: Iterable[Finding], options: Options, catalog: Catalog) -> list[Finding]:
    """The selected findings, with the user's severities.

    A finding whose place makes it less severe than its kind stays so: the reason applies whatever the severity of the
    kind. Applying this twice changes nothing.
    """
    severities = dict(options.severities)
    return [
        _with_severity(finding, severities, catalog) for finding in findings if finding.id not in options.unselected
    ]


def expanded(words: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The ids that words mean: ids themselves, prefixes of ids (`HIP3`), and `ALL`.

    Raises:
        ValueError: for a word that matches no id.
    """
    return frozenset(id for word in words for id in _meant(word, known))


def severities_of(severities: Mapping[str, str], known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The severity of each id for which words set one; if two words match an id, the longer one decides.

    Raises:
        ValueError: for a word that matches no id.
    """
    found: dict[str, str] = {}
    for word in sorted(severities, key=lambda word: 0 if _is_everything(word) else len(word.strip())):
        found.update(dict.fromkeys(_meant(word, known), severities[word]))
    return tuple(sorted(found.items()))


def fix_words(texts: Iterable[str]) -> list[str]:
    """The words of lists of fixes, with or without commas: groups unchanged, ids in capitals."""
    words = [word.strip() for text in texts for word in text.split(",")]
    return [word if word in GROUPS else word.upper() for word in words]


def fixes_of(word: str, fixable: Mapping[str, str]) -> frozenset[str]:
    """The groups of fixes and ids that a word means; a prefix of ids, or `ALL`, selects exact fixes only.

    Args:
        word: one of `fix_words`.
        fixable: the ids of the findings that have a fix, with its applicability.

    Raises:
        ValueError: for a word without a match.
    """
    if word in GROUPS or word in fixable:
        return frozenset({word})
    exact = (id for id, applicability in fixable.items() if applicability == EXACT)
    found = frozenset(id for id in exact if word and (word == EVERYTHING or id.startswith(word)))
    if not found:
        raise ValueError(word)
    return found


def _meant(word: str, known: Iterable[str]) -> list[str]:
    start = word.strip().upper()
    ids = [id for id in known if start and (_is_everything(start) or id.startswith(start))]
    if not ids:
        near = did_you_mean(word.strip(), known)
        raise ValueError(
            f"{word.strip() or 'an empty id'} matches no finding{near}; hipify-py explain --list shows all findings"
        )
    return ids


def _is_everything(word: str) -> bool:
    return word.strip().upper() == EVERYTHING


def _with_severity(finding: Finding, severities: Mapping[str, str], catalog: Catalog) -> Finding:
    wanted = severities.get(finding.id)
    if wanted is None or finding.severity != catalog.diagnostic(finding.id).severity:
        return finding
    return finding._replace(severity=wanted)
