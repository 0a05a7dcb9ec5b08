"""Commands whose `--help` is complete: options in groups, examples, exit statuses and environment variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from hipify_py.cli.exit_codes import DONE, FAILURE, FINDINGS, INTERNAL, USAGE

CONTEXT_SETTINGS: Mapping[str, Any] = {"help_option_names": ["-h", "--help"], "show_default": True}
"""The settings of each context of the command line; click remembers a command's help option from its first context."""

Example = tuple[str, str]
"""A command line and its purpose."""

WRONG = {USAGE: "invalid usage or configuration; nothing was done"}
_OURS = {INTERNAL: "an internal error in hipify-py; please report it"}
DOES: Mapping[int, str] = {DONE: "done", **WRONG}
"""Exit statuses of commands that show or write something."""

LOOKS: Mapping[int, str] = {
    DONE: "done; no finding at or above --fail-on",
    FINDINGS: "findings at or above --fail-on, or a gate failed",
    **WRONG,
    FAILURE: "some files failed; the others were processed",
}
"""Exit statuses of commands that go over sources."""

CACHE = {"HIPIFY_PY_CACHE_DIR": "the cache folder, instead of the user's default"}
COLOURS = {
    "NO_COLOR": "if set, no colours unless --color overrides it",
    "FORCE_COLOR": "if set, colours even without a terminal",
}
ROCM = {
    "HIPIFY_PY_ROCM": "the default ROCm, X.Y or newest, instead of the installed one",
    "HIP_PATH, ROCM_PATH": "where to look first for the installed ROCm",
    "HIPIFY_PY_SEMANTICS": "the default of --semantics: auto, on or off",
}
HIPCC = {**ROCM, "HIP_PATH, ROCM_PATH": "where to look first for ROCm, and for hipcc if it is not in PATH"}

HEADERS = {"HIPIFY_PY_HEADERS_DIR": "the folder for fetched headers, instead of the one in the user's data folder"}
PARTS = {
    **HEADERS,
    "HIPIFY_PY_LIBCLANG": "the libclang to use, instead of the newest one found",
    "CUDA_PATH, CUDA_HOME, CONDA_PREFIX": "where to look first for CUDA",
    **ROCM,
}
IN_CI = {"CI": "if set, a baseline only shrinks, unless --in-ci is given"}
KEEPS: Mapping[int, str] = {DONE: "done", **WRONG, FAILURE: "some files could not be read; their entries stay"}
"""Exit statuses of commands that write baselines."""

JUDGES: Mapping[int, str] = {DONE: "done; nothing to fix", FINDINGS: "something to fix", **WRONG}
"""Exit statuses of commands that judge the tables."""

_MANY = 12
"""Options that are shown without groups."""

_GROUPS: Mapping[str, Sequence[str]] = {
    "Build": ("build_dir", "below", "system", "rocm_path", "arch", "std", "syntax"),
    "Output": ("output", "in_place", "stdout", "diff", "rename", "rename_map", "backup", "force"),
    "Translation": ("launch", "annotate", "ci_files", "dual", "no_support", "support_place", "compile_", "verify"),
    "Fixes": ("fix", "no_fix", "interactive"),
    "Versions, targets and tables": ("cuda", "rocm", "target", "preset", "mappings", "experimental"),
    "Limits": ("time_limit", "memory_limit", "unpacked_limit"),
    "Analysis": ("semantics",),
    "File selection": ("include", "exclude", "no_gitignore", "no_build_files", "compile_commands", "stdin_filename"),
    "Finding selection": ("select", "extend_select", "ignore", "baseline", "since", "no_merge_base"),
    "Failure conditions": ("fail_on", "fail_under", "max_effort", "exit_zero", "in_ci"),
    "Reports": ("format_", "output_file", "color", "editor", "history", "compare", "statistics"),
    "Execution": ("jobs", "cluster", "shared", "no_cache", "verbose", "quiet", "show_settings", "show_files"),
}
_REST = "Other options"


class Helped(click.Command):
    """A command with complete help.

    Args:
        examples: command lines with their purposes.
        statuses: what its exit statuses mean.
        variables: the environment variables that it reads.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[Example] = (),
        statuses: Mapping[int, str] = DOES,
        variables: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self.examples = examples
        self.statuses = statuses
        self.variables = variables or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        parameters = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in (*_GROUPS, _REST)}
        titles = {name: title for title, names in _GROUPS.items() for name in names}
        for parameter in parameters:
            record = parameter.get_help_record(ctx)
            if record is not None:
                groups[titles.get(parameter.name or "", _REST)].append(record)
        if sum(map(len, groups.values())) <= _MANY:
            super().format_options(ctx, formatter)
            return
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for typed, purpose in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{typed}\n")
                with formatter.indentation(), formatter.indentation():
                    formatter.write_text(purpose)
        if self.variables:
            with formatter.section("Environment"):
                formatter.write_dl([*self.variables.items()])
        with formatter.section("Exit status"):
            statuses = {**self.statuses, **_OURS}
            formatter.write_dl([(str(status), meaning) for status, meaning in statuses.items()])


class HelpedGroup(Helped, click.Group):
    """A group of commands with complete help."""
