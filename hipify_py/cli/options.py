"""Options that several commands have."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar, cast

import click

from hipify_py.catalog import load_catalog
from hipify_py.catalog.installed import (
    NEWEST_WORD,
    VARIABLE,
    Default,
    default_rocm,
    parse_cuda_version,
    parse_rocm_version,
)
from hipify_py.catalog.presets import preset_paths
from hipify_py.catalog.pytorch import VARIABLE as PYTORCH_VARIABLE
from hipify_py.cli.chosen_fixes import chosen_fixes
from hipify_py.cli.configuration import current, is_configured
from hipify_py.core.options import OFF, SEMANTICS_VARIABLE, FileIgnores, Options, default_semantics
from hipify_py.core.targeting import Targeting
from hipify_py.findings.selection import expanded, severities_of
from hipify_py.project.config_inheritance import SetValue
from hipify_py.project.config_keys import KEYS, SWITCH
from hipify_py.project.toml import ConfigError

# The findings that the command line and the configuration name: by ids, by their beginnings, or all.


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
    by_file = config.set_values.get("per-file-ignores", ())
    if not (given or by_file or not {"ignore", "extend-ignore"}.isdisjoint(config.set_values)):
        return frozenset(), FileIgnores()
    known = _known(targeting)
    everywhere = _given(given, known, "--ignore").union(
        *(_configured(key, known) for key in ("ignore", "extend-ignore"))
    )
    if not by_file:
        return everywhere, FileIgnores()
    (set_value,) = by_file
    patterns = tuple(
        (pattern, _expanded(ids, known, set_value, "per-file-ignores")) for pattern, ids in set_value.value.items()
    )
    from hipify_py.findings.suppression import check_patterns

    by_pattern = FileIgnores(set_value.folder, patterns)
    try:
        check_patterns(by_pattern)
    except ValueError as error:
        raise ConfigError(f"{set_value.file}: per-file-ignores: {error}") from error
    return everywhere, by_pattern


def severities(targeting: Targeting) -> tuple[tuple[str, str], ...]:
    """The severities that the configuration gives findings, by id.

    Raises:
        ConfigError: for an id that there is none of.
    """
    config = current()
    known = _known(targeting) if "severity" in config.set_values else []
    for set_value in config.set_values.get("severity", ()):
        _expanded(set_value.value, known, set_value, "severity")
    return severities_of(config.values.get("severity", {}), known)


def _known(targeting: Targeting) -> list[str]:
    return [entry.id for entry in load_catalog(targeting).diagnostics()]


def _given(texts: Iterable[str], known: Sequence[str], option: str) -> frozenset[str]:
    try:
        return expanded([word for text in texts for word in text.split(",")], known)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def _configured(key: str, known: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(
        *(_expanded(set_value.value, known, set_value, key) for set_value in current().set_values.get(key, ()))
    )


def _expanded(words: Iterable[str], known: Sequence[str], set_value: SetValue, key: str) -> frozenset[str]:
    try:
        return expanded(words, known)
    except ValueError as error:
        raise ConfigError(f"{set_value.file}: {key}: {error}") from error


Command = TypeVar("Command", bound=Callable[..., Any])


def setting(key: str, *names: str, **more: Any) -> Callable[[Command], Command]:
    """The option for a key of the configuration: what it takes, its default and its help are the key's.

    Args:
        names: further names of the option.
        more: what is different on the command line.
    """
    known = KEYS[key]
    told: dict[str, Any] = {"help": known.says}
    if known.kind.choices:
        told["type"] = click.Choice(known.kind.choices)
    if known.kind is SWITCH:
        told["is_flag"] = True
    elif isinstance(known.default, str):
        told["default"] = known.default
    elif isinstance(known.default, list):
        told |= {"multiple": True, "show_default": ", ".join(known.default) or False}
    return click.option(f"--{key}", *names, **{**told, **more})


def selection(command: Command) -> Command:
    """Which files of the given folders are meant."""
    return all_of(
        setting("include", metavar="GLOB", callback=_globs),
        setting("exclude", metavar="GLOB", callback=_globs),
        setting("no-build-files"),
        click.option("--no-gitignore", is_flag=True, help="Include files that .gitignore excludes in a git checkout."),
    )(command)


def _globs(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Checks patterns.

    Raises:
        click.BadParameter: for one that is none.
    """
    if not value:
        return value
    from hipify_py.project.gitignore import globs

    try:
        globs(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


def translation(command: Command) -> Command:
    """The translator's choices, handed to the command as one `translation: Options`."""

    @functools.wraps(command)
    def collected(
        *,
        launch: str,
        experimental: bool,
        ci_files: bool,
        no_support: bool,
        support_place: str,
        fix: tuple[str, ...],
        no_fix: tuple[str, ...],
        select: tuple[str, ...],
        extend_select: tuple[str, ...],
        ignore: tuple[str, ...],
        targeting: Targeting,
        compile_commands: str | None,
        semantics: str | None,
        **others: Any,
    ) -> Any:
        everywhere, by_file = ignores(ignore, targeting)
        mended, offered = chosen_fixes(fix, no_fix, targeting)
        choices = Options(
            launch=launch,
            experimental=experimental,
            ci_files=ci_files,
            support=not no_support,
            support_place=support_place,
            fixes=mended,
            offered=offered,
            ignore=everywhere,
            file_ignores=by_file,
            unselected=unselected(select, extend_select, targeting),
            severities=severities(targeting),
            targeting=targeting,
            compile_commands=compile_commands or "",
            semantics=semantics or default_of_semantics(),
        )
        return command(translation=choices, **others)

    return all_of(
        setting("launch"),
        setting("experimental"),
        setting("ci-files"),
        setting("no-support"),
        setting("support-place"),
        setting("select", multiple=True, show_default="ALL", metavar="HIPnnn", help="Report only these findings."),
        setting("extend-select", metavar="HIPnnn", help="Report these findings in addition to --select."),
        setting(
            "ignore",
            "--extend-ignore",
            metavar="HIPnnn",
            help="Suppress these findings in addition to those in the configuration. An id, a prefix (HIP3) or"
            " ALL, as for --select; separate several with commas, or repeat the option.",
        ),
        setting("fix", metavar="NAME"),
        setting("no-fix", metavar="NAME"),
        setting("compile-commands", metavar="FILE"),
        setting("semantics", show_default=OFF),
        targeting,
    )(cast("Command", collected))


def targeting(command: Command) -> Command:
    """The versions, the target and further tables, handed to the command as one `targeting: Targeting`."""

    @functools.wraps(command)
    def collected(
        *, cuda: str, rocm: str, target: str, mappings: tuple[str, ...], preset: tuple[str, ...], **others: Any
    ) -> Any:
        chosen = Targeting(cuda, rocm_of(rocm), target, tables(mappings, preset))
        return command(targeting=chosen, **others)

    return all_of(
        setting("cuda", callback=_version, default="", show_default="the newest", metavar="X.Y|newest"),
        setting(
            "rocm",
            callback=_version,
            default="",
            show_default="AMD's installed one, otherwise the newest",
            metavar="X.Y|newest",
        ),
        setting("target"),
        setting("mappings", metavar="FILE"),
        setting("preset"),
    )(cast("Command", collected))


def rocm_of(given: str) -> str:
    """The ROCm to use, in the form of `Targeting`: the chosen one, or the default.

    Raises:
        click.UsageError: when the environment variable is not a version.
    """
    if given:
        return "" if given == NEWEST_WORD else given
    return default_of_rocm().version


def why_this_rocm() -> tuple[str, ...]:
    """A line with the ROCm that the command uses, and why; none if the command line or a configuration sets it."""
    if click.get_current_context().params.get("rocm"):
        return ()
    why = default_of_rocm().why
    return (why,) if why else ()


def default_of_rocm() -> Default:
    """The default ROCm.

    Raises:
        click.UsageError: when the environment variable is not a version.
    """
    try:
        return default_rocm()
    except ValueError as error:
        raise click.UsageError(f"{VARIABLE}: {error}") from error


def default_of_semantics() -> str:
    """Whether to ask libclang by default.

    Raises:
        click.UsageError: when the environment variable is not a valid choice.
    """
    try:
        return default_semantics()
    except ValueError as error:
        raise click.UsageError(f"{SEMANTICS_VARIABLE}: {error}") from error


def tables(mappings: tuple[str, ...], presets: tuple[str, ...]) -> tuple[str, ...]:
    """The further tables in the order in which they win: presets, the configuration's, the command line's.

    Raises:
        click.UsageError: when an environment variable that chooses a preset's tables is not a valid choice.
    """
    config = current()
    try:
        own = dict.fromkeys(chain.from_iterable(map(preset_paths, presets)))
    except ValueError as error:
        raise click.UsageError(f"{PYTORCH_VARIABLE}: {error}") from error
    return (
        *own,
        *config.values.get("mappings", ()),
        *mappings,
    )


def _version(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Checks a version of the form X.Y; empty means the default.

    Raises:
        click.BadParameter: when it is not a version, or not one that the tables cover.
    """
    if not value:
        return ""
    try:
        if parameter.name == "rocm":
            return parse_rocm_version(value) or NEWEST_WORD
        return parse_cuda_version(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


_GPU = re.compile(
    r"(?:gfx[0-9][0-9a-f]{2,}|gfx[0-9]+(?:-[0-9]+)*-generic)(?::(?:xnack|sramecc)[+-])*|native|amdgcnspirv"
)


rocm_path = click.option(
    "--rocm-path",
    type=click.Path(),
    metavar="DIR",
    help="The ROCm to build with, instead of the one from the environment or in /opt/rocm.",
)
"""The ROCm whose compiler and libraries a build uses."""


def arch(help: str) -> Callable[[Command], Command]:
    """The GPUs to compile for."""
    return click.option("--arch", multiple=True, metavar="GFX", callback=_gpus, help=help)


def _gpus(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for name in value:
        if not all(map(_GPU.fullmatch, re.split("[,;]", name))):
            says = "is not the name of an AMD GPU, such as gfx90a, gfx942 or gfx1100; rocminfo shows a machine's own"
            raise click.BadParameter(f"{name!r} {says}")
    return value


rocm_option = click.option(
    "--rocm",
    callback=_version,
    default="",
    show_default="AMD's installed one, otherwise the newest",
    metavar="X.Y|newest",
    help="The ROCm version that the result is compiled with.",
)
"""The ROCm for a command that takes no other choice of the translator's; see `rocm_of`."""


def running(command: Command) -> Command:
    """How the run works, and what it prints."""
    return all_of(
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            show_default="all cores",
            help="Worker processes, at least 1.",
        ),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            help="Also report what is left out and why, and which configuration applies.",
        ),
        click.option("-q", "--quiet", is_flag=True, help="Print only errors."),
    )(command)


def caching(command: Command) -> Command:
    """What earlier runs have found out."""
    return click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")(command)


def fail_on(default: str) -> Callable[[Command], Command]:
    """From which severity on findings make the exit status 1."""
    return all_of(
        setting("fail-on", default=default),
        click.option("--exit-zero", is_flag=True, help="Never exit with 1 because of findings or gates."),
    )


def statistics(command: Command) -> Command:
    """How many findings there are of each kind."""
    return click.option(
        "--statistics",
        is_flag=True,
        help="Count the findings by id instead of listing them; with --format, print the counts to standard error.",
    )(command)


def verify(command: Command) -> Command:
    """Whether a compiler tries the translation; `cli/verification.py` has it do so."""
    return click.option(
        "--verify",
        is_flag=True,
        help="Compile the translation with hipcc, or parse it with libclang, and report the errors too.",
    )(command)


def text_or_json(command: Command) -> Command:
    """Text for people, or JSON for programs."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        help="Text for people, or JSON for programs.",
    )(command)


def all_of(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator; `--help` has them in this order."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate
