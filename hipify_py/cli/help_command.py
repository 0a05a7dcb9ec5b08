"""Commands whose `--help` is complete: options in groups, examples, exit statuses and environment variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from hipify_py.cli.exit_codes import DONE, FAILURE, FINDINGS, USAGE

Example = tuple[str, str]
"""What is typed, and what it is for."""

WRONG = {USAGE: "wrong usage or configuration; nothing was done"}
DOES: Mapping[int, str] = {DONE: "done", **WRONG}
"""Exit statuses of commands that show or write something."""

LOOKS: Mapping[int, str] = {
    DONE: "done, and no finding from --fail-on upwards",
    FINDINGS: "findings from --fail-on upwards, or a gate that is not met",
    **WRONG,
    FAILURE: "some file could not be done; the others were done",
}
"""Exit statuses of commands that go over sources."""

CACHE = {"HIPIFY_PY_CACHE_DIR": "the folder for what is kept for later runs, in place of the user's own"}
COLOURS = {
    "NO_COLOR": "set to anything: no colours, unless --color says otherwise",
    "FORCE_COLOR": "set to anything: colours also where no terminal is",
}
ROCM = {
    "HIPIFY_PY_ROCM": "the ROCm where nothing else says, X.Y or newest, in place of the installed one",
    "HIP_PATH, ROCM_PATH": "where the installed ROCm is looked for first",
    "HIPIFY_PY_SEMANTICS": "whether libclang is asked where nothing else says: auto, on or off",
}
HIPCC = {**ROCM, "HIP_PATH, ROCM_PATH": "where ROCm is looked for first, and hipcc when it is not in PATH"}

HEADERS = {"HIPIFY_PY_HEADERS_DIR": "the folder for fetched headers, in place of the one in the user's data folder"}
PARTS = {
    **HEADERS,
    "HIPIFY_PY_LIBCLANG": "the file to take for libclang, in place of the newest one that is found",
    "CUDA_PATH, CUDA_HOME, CONDA_PREFIX": "where CUDA is looked for first",
    **ROCM,
}
IN_CI = {"CI": "set: a baseline only shrinks, unless --in-ci is given"}
KEEPS: Mapping[int, str] = {DONE: "done", **WRONG, FAILURE: "some file could not be read; its entries stay"}
"""Exit statuses of commands that write baselines."""

JUDGES: Mapping[int, str] = {DONE: "done, and nothing is to be mended", FINDINGS: "something is to be mended", **WRONG}
"""Exit statuses of commands that judge the tables."""

_MANY = 12
"""Options that are shown without groups."""

_GROUPS: Mapping[str, Sequence[str]] = {
    "The build": ("build_dir", "below", "system", "rocm_path", "arch", "std", "syntax"),
    "Where the result goes": ("output", "in_place", "stdout", "diff", "rename", "rename_map", "backup", "force"),
    "What the result looks like": ("launch", "annotate", "dual", "no_support", "support_place", "compile_"),
    "What is mended": ("fix", "no_fix", "interactive"),
    "Versions, targets and tables": ("cuda", "rocm", "target", "preset", "mappings", "experimental"),
    "What each repository may take": ("time_limit", "memory_limit", "unpacked_limit"),
    "What it is decided by": ("semantics",),
    "Which files": ("include", "exclude", "no_gitignore", "no_build_files", "compile_commands", "stdin_filename"),
    "Which findings": ("select", "extend_select", "ignore", "baseline", "since", "no_merge_base"),
    "What fails": ("fail_on", "fail_under", "max_effort", "exit_zero", "in_ci"),
    "Accounts of the run": ("format_", "output_file", "color", "history", "compare", "statistics"),
    "The run itself": ("jobs", "cluster", "shared", "no_cache", "verbose", "quiet", "show_settings", "show_files"),
}
_REST = "Other options"


class Helped(click.Command):
    """A command with complete help.

    Args:
        examples: command lines with what they are for.
        statuses: what its exit statuses mean.
        variables: what of the environment it heeds.
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
            formatter.write_dl([(str(status), meaning) for status, meaning in self.statuses.items()])


class HelpedGroup(Helped, click.Group):
    """A group of commands with complete help."""
