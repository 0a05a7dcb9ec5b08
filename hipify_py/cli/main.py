"""The `hipify-py` command: finds the subcommand, and turns mistakes into exit statuses."""

from __future__ import annotations

import gc
import os
import re

import click

from hipify_py.catalog import TableError
from hipify_py.cli.configuration import blamed, configure, remember, shares_of
from hipify_py.cli.exit_codes import FAILURE, USAGE
from hipify_py.cli.help_command import CACHE, CONTEXT_SETTINGS, LOOKS
from hipify_py.cli.lazy import LazyGroup
from hipify_py.core.installation import VERSION
from hipify_py.core.suggestions import did_you_mean
from hipify_py.core.terminal_escape import visible
from hipify_py.project.errors import PlanError, RunLost
from hipify_py.project.toml import ConfigError

COMMANDS = {
    "convert": "Translate CUDA sources to HIP.",
    "check": "Report what a conversion would leave to do; write nothing.",
    "report": "Show how much of a project can be converted.",
    "init": "Write a configuration, a baseline and a hook for a project.",
    "survey": "Measure how portable many repositories are.",
    "baseline": "Record known findings so that only new ones fail a check.",
    "explain": "Explain what a finding means and what to do about it.",
    "query": "Look up a symbol in the mapping tables.",
    "config": "Show the configuration keys, or print their JSON schema.",
    "header": "Print the support header, or write headers for nvcc.",
    "mappings": "Check mapping tables.",
    "cache": "Show or clear the cached results of earlier runs.",
    "compile": "Compile the HIP translation and show errors at their CUDA lines.",
    "build": "Build the HIP translation of a project with the project's build system.",
    "build-sources": "Convert the sources of a build's target; the CMake module calls it.",
    "cmake-dir": "Print the folder of the CMake module.",
    "lsp": "Serve an editor over the Language Server Protocol.",
    "doctor": "Show which of libclang, headers and compilers are installed, and how to get the rest.",
    "fetch-headers": "Fetch the headers that libclang needs to read CUDA and HIP.",
    "mcp": "Serve hipify-py to coding agents (Model Context Protocol).",
    "as": "Stand in for hipify-perl, hipify-clang or one of their scripts.",
}
"""The subcommands, each in the module of its name, with the line that `--help` shows."""

ELSEWHERE = {
    "survey": "hipify_py.survey.command",
    "mcp": "hipify_py.agent_server.command",
    "as": "hipify_py.cli.stand_in",
}
"""The modules of subcommands that have another name, or are no part of the command line."""

OF_PATHS = frozenset({"convert", "check", "report", "compile", "build", "baseline", "build-sources"})
"""The subcommands that take paths, and the configuration with them; the others take the one of the current folder."""

WITHOUT = frozenset({"config", "cmake-dir", "as", "lsp"})
"""Those that take none: they help where it is wrong, stand in for tools that have none, or look for those of files."""

BRIEF = frozenset({"explain", "query", "config", "header", "cache", "cmake-dir"})
"""Those that end before there is any garbage worth collecting."""


@click.group(
    cls=LazyGroup,
    home="hipify_py.cli",
    subcommands=COMMANDS,
    elsewhere=ELSEWHERE,
    context_settings=CONTEXT_SETTINGS,
    examples=[
        ("hipify-py check src/", "Show what a conversion of a folder would leave to do."),
        ("hipify-py convert src/ -o hip/", "Translate a folder into another one."),
        ("hipify-py report src/ --output-file html=coverage.html", "Show how much can be converted, as a page."),
        ("hipify-py explain HIP301", "Explain a finding."),
    ],
    statuses=LOOKS,
    variables={**CACHE, "NO_COLOR, FORCE_COLOR": "turn colours off, or on for any output"},
)
@click.version_option(VERSION, prog_name="hipify-py", message="%(prog)s %(version)s")
@click.option("--config", metavar="FILE", help="Use this configuration instead of the nearest one above each path.")
@click.option("--no-config", is_flag=True, help="Use no configuration.")
@click.pass_context
def cli(context: click.Context, config: str | None, no_config: bool) -> None:
    """Translate CUDA sources to HIP, and report what is left to port.

    Project settings go into hipify-py.toml, or into [tool.hipify-py] in pyproject.toml; the nearest file above each
    path applies. The config command lists the keys, and COMMAND --help shows the options of a command.
    """
    if context.invoked_subcommand not in BRIEF:
        gc.enable()  # `__main__.main` has turned it off
    remember(context, config, none=no_config)
    if context.invoked_subcommand not in OF_PATHS | WITHOUT:
        configure(context, shares_of(context, [os.curdir])[0].config)
        context.default_map = dict.fromkeys(COMMANDS, context.default_map)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line (`sys.argv` by default) and return its exit status.

    Raises:
        BrokenPipeError: when the reader of standard output is gone.
        KeyboardInterrupt: when interrupted; nothing is left half-written then.
    """
    try:
        code = cli.main(arguments, prog_name="hipify-py", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except click.ClickException as error:
        wrong = blamed(error) if isinstance(error, click.BadParameter) else None
        if wrong is not None:
            return _refuse(wrong)
        _explained(error).show()
        return error.exit_code
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except (ConfigError, PlanError, TableError) as error:
        code = _refuse(error)
        return FAILURE if isinstance(error, RunLost) else code
    return code if isinstance(code, int) else 0


_NOT_ONE_OF = re.compile("'(.*)' is not one of '")


def _explained(error: click.ClickException) -> click.ClickException:
    """An error with what may have been meant."""
    if isinstance(error, click.BadParameter) and error.param is not None:
        written = _NOT_ONE_OF.match(error.message)
        if written is not None and isinstance(error.param.type, click.Choice):
            near = did_you_mean(written[1], map(str, error.param.type.choices))
            return click.BadParameter(error.message.rstrip(".") + near, error.ctx, error.param, error.param_hint)
    elif isinstance(error, click.NoSuchOption) and error.ctx is not None:
        name, command = error.option_name, error.ctx.info_name
        if error.ctx.command is cli:
            return click.UsageError(f"{error.message.rstrip('.')}; options of a command follow its name", error.ctx)
        if any(name in parameter.opts for parameter in cli.params):
            return click.UsageError(f"{name} belongs before the command: hipify-py {name} … {command}", error.ctx)
    return error


def _refuse(error: Exception) -> int:
    # Only of a table's faults there are several, a line each.
    lines = str(error).split("\n") if isinstance(error, TableError) else [str(error)]
    click.echo("Error: " + "\n".join(map(visible, lines)), err=True)
    return USAGE
