"""`--fail-under` and `--max-effort`, and both settings in configurations."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from hipify_py.catalog import load_catalog
from hipify_py.cli.configuration import current
from hipify_py.cli.exit_codes import DONE, FINDINGS
from hipify_py.cli.options import all_of
from hipify_py.core.findings import EFFORTS
from hipify_py.core.suggestions import did_you_mean
from hipify_py.project.config_inheritance import entries_of
from hipify_py.project.config_keys import TOTAL
from hipify_py.project.toml import ConfigError
from hipify_py.report.gates import Gate, Thresholds, gates_of
from hipify_py.report.text import emit

if TYPE_CHECKING:
    from hipify_py.cli.by_configuration import Part
    from hipify_py.project.api import ConversionReport

Command = TypeVar("Command", bound=Callable[..., Any])


def gates(command: Command) -> Command:
    """The options for gates: the command gets the command line's limits as `asked`, its parts the configurations'."""

    @functools.wraps(command)
    def collected(*, fail_under: tuple[str, ...], max_effort: tuple[str, ...], **others: Any) -> Any:
        asked = Thresholds(dict(coverage(text) for text in fail_under), dict(most_of(text) for text in max_effort))
        return command(asked=asked, thresholds=_configured().without(asked), **others)

    return all_of(
        click.option(
            "--fail-under",
            multiple=True,
            metavar="[LIBRARY=]PERCENT",
            help="Exit with 1 if less is covered, in total or for a library; may be repeated.",
        ),
        click.option(
            "--max-effort",
            multiple=True,
            metavar="EFFORT=COUNT",
            help="Exit with 1 if more findings need this effort (high=0); may be repeated.",
        ),
    )(cast("Command", collected))


def judged(parts: Sequence[Part], reports: Sequence[ConversionReport], asked: Thresholds) -> list[Gate]:
    """The gates of a run: the command line's apply to all paths together, those of a configuration to its paths.

    Raises:
        click.BadParameter: for an unknown library on the command line.
        ConfigError: for one of a configuration.
    """
    from hipify_py.project.api import joined

    found = gates_of(joined(reports).results, asked)
    for part, report in zip(parts, reports, strict=True):
        where = ", ".join(part.group.paths) if len(parts) > 1 else ""
        found += gates_of(report.results, part.thresholds, where)
    return found


def check_libraries(parts: Sequence[Part], asked: Thresholds) -> None:
    """Complain about libraries that there are none of: their thresholds would be met whatever happens.

    Raises:
        click.BadParameter: where the command line names one.
        ConfigError: where a configuration does.
    """
    for part in parts:
        for thresholds in (asked, part.thresholds):
            names = [library for library in thresholds.coverage if library != TOTAL]
            if not names:
                continue
            catalog = load_catalog(part.group.options.targeting)
            known = {row.library for row in catalog.rows()} | {family.library for family in catalog.families}
            for name in names:
                if name in known:
                    continue
                near = did_you_mean(name, known)
                says = f"{name!r} is not a library{near}; the libraries are {', '.join(sorted(known))}"
                if thresholds is asked:
                    raise click.BadParameter(says, param_hint="--fail-under")
                files = [each.file for each in part.set_values.get("fail-under", ()) if name in entries_of(each.value)]
                raise ConfigError(f"{files[-1]}: fail-under: {says}")


def report_gates(gates: Iterable[Gate]) -> int:
    """Say which gates failed and by how much, and return the exit status of that."""
    failed = [gate for gate in gates if not gate.passed]
    emit(sys.stderr, (f"gate failed: {gate.says}" for gate in failed))
    return FINDINGS if failed else DONE


def _configured() -> Thresholds:
    config = current()
    return Thresholds(config.values.get("fail-under", {}), config.values.get("max-effort", {}))


def coverage(text: str) -> tuple[str, float]:
    """The library, or `TOTAL`, and the least coverage that `--fail-under` names.

    Raises:
        click.BadParameter: for another form.
    """
    library, equals, number = text.rpartition("=")
    try:
        least = float(number)
    except ValueError:
        least = math.nan
    if math.isnan(least) or (equals and not library):
        raise click.BadParameter(f"{text!r} does not have the form 95 or cublas=95", param_hint="--fail-under")
    if not 0 <= least <= 100:
        raise click.BadParameter(f"{number} is not a percentage from 0 to 100", param_hint="--fail-under")
    return library or TOTAL, least


def most_of(text: str) -> tuple[str, int]:
    """The effort and the count that `--max-effort` names.

    Raises:
        click.BadParameter: for another form.
    """
    effort, _, number = text.partition("=")
    if effort not in EFFORTS or not (number.isascii() and number.isdigit() and len(number) < 10):
        raise click.BadParameter(
            f"{text!r} does not have the form EFFORT=COUNT, where EFFORT is one of {', '.join(EFFORTS)}",
            param_hint="--max-effort",
        )
    return effort, int(number)
