"""Commands whose paths may have different configurations: the command line is read once with each of them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from hipify_py.catalog.installed import installed_in
from hipify_py.cli.configuration import MOST_SHARES, Share, configure, current, is_configured, nested_shares, shares_of
from hipify_py.cli.exit_codes import DONE, exit_code
from hipify_py.cli.help_command import CONTEXT_SETTINGS, Helped
from hipify_py.cli.options import why_this_rocm
from hipify_py.core.findings import NEVER
from hipify_py.core.targeting import NEWEST_ROCM, OLDEST_ROCM, version
from hipify_py.project.config import Config
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group
from hipify_py.project.toml import ConfigError
from hipify_py.report.gates import NOTHING, Thresholds
from hipify_py.report.model import Choice

if TYPE_CHECKING:
    from hipify_py.core.options import Options
    from hipify_py.project.api import ConversionReport
    from hipify_py.project.config_inheritance import SetValue

Command = TypeVar("Command", bound=Callable[..., Any])

STANDARD_INPUT = "-"
"""Means standard input; it excludes other paths."""

UNNAMED = "stdin.cu"
"""The name of standard input by default."""

_OTHERS, _INPUT, _IS_INPUT = "hipify_py.other_shares", "hipify_py.input_name", "hipify_py.is_input"
_FILENAME = "stdin_filename"
_WALKS = "no_gitignore"
"""An option of the commands that walk folders by their own choices."""

INSTEAD = "hipify_py.instead"
"""What an option runs instead of the command: its name, and a function of contexts and parts."""


class Part(NamedTuple):
    """What a command does with the paths of one configuration.

    Attributes:
        config: the configuration's file; empty where there is none.
        group: the paths, and how to process them.
        fail_on: from which severity on findings make the exit status 1.
        baseline: the file of known findings; empty without one.
        thresholds: the limits that the configuration sets for a report.
        said: by key, the values and the configuration files that set them.
        why_rocm: the ROCm that the paths are processed for, and why; nothing if it was chosen explicitly.
    """

    config: str
    group: Group
    fail_on: str
    baseline: str = ""
    thresholds: Thresholds = NOTHING
    set_values: Mapping[str, tuple[SetValue, ...]] = {}
    why_rocm: tuple[str, ...] = ()


class _Read(NamedTuple):
    """A command line as it was read with one configuration."""

    part: Part
    run: Callable[..., Any]


class CommandOfPaths(Helped):
    """A command that takes `paths`, and is called once with a `Part` for each of their configurations.

    Settings that no configuration can choose are the same for all parts, and are passed separately.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if STANDARD_INPUT in args and not ctx.resilient_parsing:
            options, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            if any(parameter.name == _FILENAME for parameter in self.params):
                ctx.meta[_INPUT] = options.get(_FILENAME) or UNNAMED
        return super().parse_args(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        context = super().make_context(info_name, list(args), parent, **extra)
        shares: list[Share] = context.meta.get(_OTHERS, [])
        read = functools.partial(super().make_context, info_name, parent=parent, **extra)
        contexts = [context, *(read(args=list(args), obj=share) for share in shares)]
        # A shell that completes a half-written command line has no paths yet, and wants no walk.
        if _WALKS in context.params and _IS_INPUT not in context.meta and not context.resilient_parsing:
            taken = {os.path.realpath(path) for each in contexts for path in each.params["paths"]}
            for each in contexts:  # which grows meanwhile
                below = nested_shares(each, each.params["paths"], _selection(each), taken)
                if len(contexts) + len(below) > MOST_SHARES:
                    raise ConfigError(f"more than {MOST_SHARES} configurations; choose one for all with --config")
                contexts += [read(args=list(args), obj=share) for share in below]
        context.meta[_OTHERS] = contexts[1:]
        return context

    def invoke(self, ctx: click.Context) -> Any:
        assert self.callback is not None
        contexts = (ctx, *ctx.meta[_OTHERS])
        reads = [context.invoke(self.callback, **context.params) for context in contexts]
        if INSTEAD in ctx.meta:
            _, instead = ctx.meta[INSTEAD]
            return ctx.invoke(instead, contexts, [read.part for read in reads])
        return ctx.invoke(reads[0].run, parts=[read.part for read in reads])


def part_of(command: click.Command, arguments: Sequence[str]) -> Part:
    """What a command would do with its one path by its arguments and the nearest configuration; it is not run.

    Raises:
        ConfigError: if the configuration is wrong.
        click.ClickException: if the arguments are wrong.
    """
    with command.make_context(command.name, list(arguments), **CONTEXT_SETTINGS) as context:
        assert command.callback is not None
        read: _Read = context.invoke(command.callback, **context.params)
        return read.part


def is_standard_input() -> bool:
    """The command that runs reads standard input; its one path is the name of that."""
    return _IS_INPUT in click.get_current_context().meta


def paths(command: Command) -> Command:
    """`PATH…`: files and folders."""
    return click.argument(
        "paths",
        nargs=-1,
        required=True,
        metavar="PATH...",
        type=click.Path(),
        is_eager=True,  # their configuration must be known before the options are read
        callback=_configured,
    )(command)


def _configured(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Take the paths of one configuration; the first reading of the command line notes which others there are."""
    if context.resilient_parsing:
        return value
    if STANDARD_INPUT in value and _INPUT in context.meta:
        if len(value) > 1:
            raise click.UsageError("- means standard input and excludes other paths; write ./- for a file of that name")
        context.meta[_IS_INPUT] = True
        value = (context.meta[_INPUT],)
    flags = next((index for index, path in enumerate(value) if path.startswith("-")), len(value))  # those of hipcc
    if isinstance(context.obj, Share):
        share = context.obj
    else:
        share, *context.meta[_OTHERS] = shares_of(context, value[:flags])
    configure(context, share.config)
    return (*share.paths, *value[flags:])


def by_configuration(command: Command) -> Command:
    """Pass the command `parts` instead of its paths and their configurations' settings."""

    @functools.wraps(command)
    def read(
        *,
        paths: tuple[str, ...],
        translation: Options,
        annotate: bool = False,
        dual: bool = False,
        fail_on: str = NEVER,
        baseline: str | None = None,
        thresholds: Thresholds = NOTHING,
        **others: Any,
    ) -> _Read:
        for name in ("include", "exclude", "no_build_files", _WALKS):
            others.pop(name, None)
        context = click.get_current_context()
        chosen = _selection(context)
        config = current()
        group = Group(paths, translation._replace(annotate=annotate, dual=dual), chosen)
        return _Read(
            Part(config.path, group, fail_on, baseline or "", thresholds, config.set_values, why_this_rocm()),
            functools.partial(command, **others),
        )

    return cast("Command", read)


def _selection(context: click.Context) -> Selection:
    """Which files below folders are meant, as a command line was read; all where the command does not ask."""
    chosen = context.params
    return Selection(
        chosen.get("include", ()),
        chosen.get("exclude", ()),
        not chosen.get(_WALKS),
        include_from=_folder_of(context, "include"),
        exclude_from=_folder_of(context, "exclude"),
        build_files=not chosen.get("no_build_files"),
    )


def _folder_of(context: click.Context, key: str) -> str:
    """The folder that the configuration's patterns are relative to; empty for those of the command line."""
    set_values = context.obj.set_values.get(key, ()) if isinstance(context.obj, Config) else ()
    return set_values[-1].folder if set_values and is_configured(context, key) else ""


def worst_exit_code(parts: Iterable[Part], reports: Iterable[ConversionReport]) -> int:
    """The exit status of a run over all parts."""
    return max(
        (exit_code(report.results, part.fail_on) for part, report in zip(parts, reports, strict=True)), default=DONE
    )


def choices_of(parts: Iterable[Part]) -> list[Choice]:
    """What the report of a run contains about the parts."""
    return [Choice(part.config, tuple(part.group.paths), part.group.options.targeting) for part in parts]


def which_rocm(parts: Iterable[Part]) -> list[str]:
    """Lines that name the ROCm that the parts are processed for, and why, if none was chosen."""
    return [*dict.fromkeys(line for part in parts for line in part.why_rocm)]


def for_compiler(parts: Sequence[Part], program: str) -> list[Part]:
    """The parts for the ROCm of a compiler, where no ROCm was chosen: what it compiles has to fit its headers.

    Args:
        program: the path of hipcc, or of another program in the folder `bin` of a ROCm; empty without one.
    """
    found = _usable_rocm(program)
    if not found:
        return [*parts]
    why = f"ROCm {found}, that of {program} (choose with --rocm)"
    return [_for_rocm(part, found, why) if part.why_rocm else part for part in parts]


def for_rocm(options: Options, prefix: str) -> Options:
    """The options for the ROCm in a folder, where no ROCm was chosen."""
    found = _usable_rocm(os.path.join(prefix, "bin", "hipcc"))
    return _with_rocm(options, found) if found and not options.targeting.rocm else options


def _usable_rocm(program: str) -> str:
    """The version of a program's ROCm; empty where it is unknown, or the tables do not cover it."""
    found = installed_in(program)
    return found if found and version(OLDEST_ROCM) <= version(found) <= version(NEWEST_ROCM) else ""


def _for_rocm(part: Part, rocm: str, why: str) -> Part:
    return part._replace(group=part.group._replace(options=_with_rocm(part.group.options, rocm)), why_rocm=(why,))


def _with_rocm(options: Options, rocm: str) -> Options:
    return options._replace(targeting=options.targeting._replace(rocm=rocm))


def which_configuration(parts: Sequence[Part]) -> list[str]:
    """Lines that name the configuration of each path; none if all have the same."""
    if len(parts) == 1:
        return []
    return [f"{part.config or 'no configuration'}: for {', '.join(part.group.paths)}" for part in parts]
