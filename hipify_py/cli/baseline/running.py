"""What the commands that write baselines have in common."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import click

from hipify_py.cli import options
from hipify_py.cli.baseline_options import Held, by_baseline, hold, settings_for
from hipify_py.cli.by_configuration import Part, by_configuration, paths, worst_exit_code
from hipify_py.cli.progress import progress_bar
from hipify_py.project.api import ConversionReport, convert_groups, joined
from hipify_py.project.errors import reason
from hipify_py.project.write import write_atomically
from hipify_py.report.baseline.file import BaselineError, Entry, is_made_with, written
from hipify_py.report.text import emit, plural, show_failures, show_left_alone

Command = TypeVar("Command", bound=Callable[..., Any])

_NO = frozenset({"", "0", "false", "no"})


def of_baseline(command: Command) -> Command:
    """The options of a command that writes the baselines of its paths."""
    return options.all_of(
        paths,
        click.option("--baseline", metavar="FILE", required=True, help="The file of known findings."),
        options.selection,
        options.translation,
        options.running,
        options.caching,
        by_configuration,
    )(command)


def growing(command: Command) -> Command:
    """For a command that lets baselines grow: in CI, this must be requested explicitly."""

    @functools.wraps(command)
    def asked(*, in_ci: bool, **others: Any) -> Any:
        if not in_ci and os.environ.get("CI", "").lower() not in _NO:
            raise click.UsageError(
                "in CI (the environment variable CI is set), only baseline prune may change a baseline; --in-ci lets it"
                " grow."
            )
        return command(**others)

    option = click.option("--in-ci", is_flag=True, help="Allow this even if the environment variable CI is set.")
    return cast("Command", option(asked))


def run(
    parts: Sequence[Part],
    entries: Callable[[str, Sequence[str]], frozenset[Entry]],
    kept: Callable[[Held], Sequence[Entry]],
    *,
    jobs: int | None,
    verbose: bool,
    quiet: bool,
    no_cache: bool,
) -> int:
    """Look at all paths, and write their baselines; returns the exit status.

    Args:
        entries: the entries that the baseline at a path has before, given the settings of the run; called before
            anything is looked at.
        kept: those that it is to have.

    Raises:
        BaselineError: when a baseline cannot be read or written.
    """
    settings = {path: settings_for(parts, indexes) for path, indexes in by_baseline(parts).items()}
    before = {path: entries(path, settings[path]) for path in settings}
    with progress_bar("checking", quiet=quiet) as progress:
        reports = convert_groups([part.group for part in parts], jobs=jobs, progress=progress, cache=not no_cache)
    for path, indexes in by_baseline(parts).items():
        held = hold(path, indexes, reports, before[path])
        after = frozenset(kept(held))
        if after != before[path] or not is_made_with(path, settings[path]):
            _write(path, after, settings[path])
        if not quiet:
            emit(sys.stderr, [_says(path, before[path], after, held)])
    _report(joined(reports), verbose=verbose, quiet=quiet)
    return worst_exit_code([part._replace(fail_on="never") for part in parts], reports)


def _write(path: str, entries: frozenset[Entry], settings: Sequence[str]) -> None:
    try:
        write_atomically(path, written(entries, settings))
    except OSError as error:
        raise BaselineError(f"cannot write {path}: {reason(error)}") from error


def _says(path: str, before: frozenset[Entry], after: frozenset[Entry], held: Held) -> str:
    fresh, gone = len(after & frozenset(held.matched.fresh)), len(held.matched.gone)
    changes = [f"{count} {what}" for count, what in ((fresh, "new"), (gone, "gone")) if count]
    moved = len(after - before) - fresh
    changes += [f"{moved} in renamed files"] if moved > 0 else []
    return f"{path}: {plural(len(after), 'finding')}" + (f" ({', '.join(changes)})" if changes else "")


def _report(report: ConversionReport, *, verbose: bool, quiet: bool) -> None:
    show_failures(report.results, sys.stderr)
    if not quiet:
        show_left_alone(report.skipped, report.left_out, sys.stderr, verbose=verbose)
