"""The fixes that the command line and the configuration name: by groups, by ids, by their beginnings, or all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import click
from click.core import ParameterSource

from hipify_py.catalog import load_catalog
from hipify_py.cli.configuration import current, is_configured
from hipify_py.core.findings import EXACT, Diagnostic
from hipify_py.core.options import DEFAULT_FIXES, GROUPS
from hipify_py.core.suggestions import did_you_mean
from hipify_py.core.targeting import Targeting
from hipify_py.findings.selection import fix_words, fixes_of
from hipify_py.project.toml import ConfigError


class ChosenFixes(NamedTuple):
    """What to fix, and the ids whose findings are reported even if a group would fix them."""

    fixes: frozenset[str]
    offered: frozenset[str]


def chosen_fixes(fix: Sequence[str], no_fix: Sequence[str], targeting: Targeting) -> ChosenFixes:
    """What the words of `--fix` and `--no-fix` mean; the command line takes precedence over the configuration.

    Raises:
        click.BadParameter: for a word on the command line that names no fix.
        click.UsageError: where one is in both options.
        ConfigError: for the same in the configuration.
    """
    if not fix and not no_fix:
        return ChosenFixes(DEFAULT_FIXES, frozenset())
    context = click.get_current_context()
    wanted, unwanted = set(fix_words(fix)), set(fix_words(no_fix))
    given = {name: context.get_parameter_source(name) == ParameterSource.COMMANDLINE for name in ("fix", "no_fix")}
    if given["fix"] == given["no_fix"] and (both := sorted(wanted & unwanted)):
        if is_configured(context, "fix") and is_configured(context, "no_fix"):
            raise ConfigError(f"{current().where('fix')}: {both[0]} is in both fix and no-fix")
        raise click.UsageError(f"{both[0]} is in both --fix and --no-fix.")
    mended, left = _meant(wanted, "fix", targeting), _meant(unwanted, "no_fix", targeting)
    if given["fix"] and not given["no_fix"]:
        left -= wanted  # a configuration's no-fix overrides prefixes and ALL
    ids = mended - left - frozenset(GROUPS)
    groups = (DEFAULT_FIXES | (mended & frozenset(GROUPS))) - left
    return ChosenFixes(groups | ids, left - frozenset(GROUPS))


def all_exact(targeting: Targeting) -> frozenset[str]:
    """The ids of the findings that have an exact fix."""
    return frozenset(entry.id for entry in _with_fix(targeting) if entry.applicability == EXACT)


def _meant(words: Iterable[str], option: str, targeting: Targeting) -> frozenset[str]:
    """The groups and ids that words mean."""
    fixable = {entry.id: entry.applicability for entry in _with_fix(targeting)}
    try:
        return frozenset().union(*(fixes_of(word, fixable) for word in sorted(words)))
    except ValueError as error:
        raise _no_fix(str(error), option, targeting) from error


def _with_fix(targeting: Targeting) -> list[Diagnostic]:
    return [entry for entry in load_catalog(targeting).diagnostics() if entry.fix]


def _no_fix(word: str, option: str, targeting: Targeting) -> Exception:
    known = [entry.id for entry in load_catalog(targeting).diagnostics()]
    begun = [id for id in known if word and id.startswith(word)]
    words = [*GROUPS, *(entry.id for entry in _with_fix(targeting))]
    says = f"{word or 'an empty name'} is not a known fix{did_you_mean(word, words)}"
    if begun:
        says = f"{word} has no fix" if begun == [word] else f"no {word} finding has an exact fix"
    having = ", ".join(
        entry.id if entry.applicability == EXACT else f"{entry.id} (needs review)" for entry in _with_fix(targeting)
    )
    message = f"{says}; findings with a fix: {having}; groups of fixes: {', '.join(GROUPS)}"
    if is_configured(click.get_current_context(), option):
        key = option.replace("_", "-")
        return ConfigError(f"{current().where(key)}: {key}: {message}")
    return click.BadParameter(message, param_hint=f"--{option.replace('_', '-')}")
