"""`hipify-py lsp`: the language server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, BinaryIO

import click

from hipify_py.cli.help_command import CACHE, ROCM, Helped
from hipify_py.project.errors import PlanError

if TYPE_CHECKING:
    from hipify_py.cli.by_configuration import Part
    from hipify_py.language_server.settings import Settings
    from hipify_py.project.result import FileResult

_PACKAGE, _INSTALL = "pygls", "pip install 'hipify-py[lsp]'"

ABANDONED = 1
"""The protocol's status for a client that goes without asking the server to shut down first."""


@click.command(
    "lsp",
    cls=Helped,
    examples=[("hipify-py lsp", "Serve an editor, which starts this command itself.")],
    statuses={
        0: "the editor has ended the session",
        ABANDONED: "the editor was gone without ending the session",
        2: "invalid usage, or a package is not installed",
    },
    variables={**CACHE, **ROCM},
)
@click.option("--stdio", is_flag=True, help="Use standard input and output, as always; some editors pass this.")
def command(stdio: bool) -> int:
    """Serve an editor with findings, fixes and facts, over the Language Server Protocol on standard input and output.

    It needs the extra lsp: pip install 'hipify-py[lsp]'. A file's findings are those of check - with the file's text;
    its configuration is the nearest one above it.
    """
    if find_spec(_PACKAGE) is None:
        raise PlanError(f"the language server needs {_PACKAGE}, which {_INSTALL} installs")
    from hipify_py.language_server.features import serve

    stdin, stdout = _streams()
    return 0 if serve(read_settings, stdin, stdout) else ABANDONED


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """The streams of the protocol; what else reads standard input gets nothing, and what else prints goes to stderr."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout


def read_settings(path: str, options: Sequence[str]) -> Settings:
    """How `check -` processes a file; the reader of settings that the server is given.

    Raises:
        SettingsError: if its configuration or the options are wrong.
    """
    from hipify_py.catalog import TableError
    from hipify_py.cli.by_configuration import part_of
    from hipify_py.cli.check import command as check
    from hipify_py.cli.configuration import blamed
    from hipify_py.language_server.settings import Settings, SettingsError
    from hipify_py.project.find_config import find_config
    from hipify_py.project.toml import ConfigError

    config = find_config(os.path.dirname(path)).path or ""
    try:
        part = part_of(check, [*options, "--stdin-filename", path, "-"])
        without_known = _without_known(part)
    except (ConfigError, PlanError, TableError) as error:
        raise SettingsError(str(error), config) from error
    except click.ClickException as error:
        wrong = blamed(error) if isinstance(error, click.BadParameter) else None
        if wrong is not None:
            raise SettingsError(str(wrong), config) from error
        raise SettingsError(f"the editor's options {' '.join(options)}: {error.format_message()}", "") from error
    files = {part.config, part.baseline, *part.group.options.targeting.tables}
    files.update(value.file for values in part.set_values.values() for value in values)
    return Settings(part.config, part.group, tuple(sorted(files - {""})), without_known)


def _without_known(part: Part) -> Callable[[list[FileResult]], list[FileResult]]:
    """What separates the findings of a baseline, which is read once.

    Raises:
        BaselineError: if it cannot be used.
    """
    from hipify_py.cli.baseline_options import hold, settings_for
    from hipify_py.project.api import ConversionReport
    from hipify_py.report.baseline.file import read_entries

    if not part.baseline:
        return list
    entries = read_entries(part.baseline, settings_for([part], [0]))

    def separate(results: list[FileResult]) -> list[FileResult]:
        held = hold(part.baseline, [0], [ConversionReport(results, [])], entries)
        return [*held.matched.results]

    return separate
