"""The findings that the command line and the configuration name: by ids, by their beginnings, or all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from hipify_py.catalog import load_catalog
from hipify_py.catalog.targeting import Targeting
from hipify_py.cli.configuration import current, is_configured
from hipify_py.core.finding_selection import expanded, severities_of
from hipify_py.core.options import FileIgnores
from hipify_py.core.suppression import check_patterns
from hipify_py.project.config_inheritance import Said
from hipify_py.project.toml import ConfigError


def unselected(select: Sequence[str], extend_select: Sequence[str], targeting: Targeting) -> frozenset[str]:
    """The findings that are none to the user: all but the selected ones, where any are.

    Raises:
        click.BadParameter: for an id of the command line that there is none of.
        ConfigError: for one of the configuration.
    """
    in_configuration = is_configured(click.get_current_context(), "select")
    if not (select or in_configuration):
        return frozenset()
    known = _known(targeting)
    wanted = _configured("select", known) if in_configuration else _given(select, known, "--select")
    wanted |= _given(extend_select, known, "--extend-select") | _configured("extend-select", known)
    return frozenset(known) - wanted


def ignores(given: tuple[str, ...], targeting: Targeting) -> tuple[frozenset[str], FileIgnores]:
    """The findings to suppress everywhere and by file: the configuration's, and those of the command line.

    Raises:
        click.BadParameter: for an id of the command line that there is none of.
        ConfigError: for one of the configuration.
    """
    config = current()
    by_file = config.said.get("per-file-ignores", ())
    if not (given or by_file or not {"ignore", "extend-ignore"}.isdisjoint(config.said)):
        return frozenset(), FileIgnores()
    known = _known(targeting)
    everywhere = _given(given, known, "--ignore").union(
        *(_configured(key, known) for key in ("ignore", "extend-ignore"))
    )
    if not by_file:
        return everywhere, FileIgnores()
    (said,) = by_file
    patterns = tuple((pattern, _expanded(ids, known, said, "per-file-ignores")) for pattern, ids in said.value.items())
    by_pattern = FileIgnores(said.folder, patterns)
    try:
        check_patterns(by_pattern)
    except ValueError as error:
        raise ConfigError(f"{said.file}: per-file-ignores: {error}") from error
    return everywhere, by_pattern


def severities(targeting: Targeting) -> tuple[tuple[str, str], ...]:
    """The severities that the configuration gives findings, by id.

    Raises:
        ConfigError: for an id that there is none of.
    """
    config = current()
    known = _known(targeting) if "severity" in config.said else []
    for said in config.said.get("severity", ()):
        _expanded(said.value, known, said, "severity")
    return severities_of(config.values.get("severity", {}), known)


def _known(targeting: Targeting) -> list[str]:
    return [entry.id for entry in load_catalog(targeting).diagnostics()]


def _given(texts: Iterable[str], known: Sequence[str], option: str) -> frozenset[str]:
    try:
        return expanded([word for text in texts for word in text.split(",")], known)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def _configured(key: str, known: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*(_expanded(said.value, known, said, key) for said in current().said.get(key, ())))


def _expanded(words: Iterable[str], known: Sequence[str], said: Said, key: str) -> frozenset[str]:
    try:
        return expanded(words, known)
    except ValueError as error:
        raise ConfigError(f"{said.file}: {key}: {error}") from error
