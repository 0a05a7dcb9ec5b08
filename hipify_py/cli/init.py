"""`hipify-py init`: what a project needs to keep its port under control."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

import click

from hipify_py.cli.baseline_options import match
from hipify_py.cli.exit_codes import DONE
from hipify_py.cli.help_command import CACHE, KEEPS, ROCM, Helped
from hipify_py.cli.options import rocm_of, rocm_option
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.targeting import NEWEST_ROCM, Targeting
from hipify_py.project.api import convert_groups
from hipify_py.project.discovery import NEVER_WALKED, Selection
from hipify_py.project.errors import PlanError, reason
from hipify_py.project.find_config import OWN
from hipify_py.project.groups import Group
from hipify_py.project.toml import written as as_toml
from hipify_py.project.write import write_atomically
from hipify_py.report.baseline.file import settings_of, written
from hipify_py.report.text import emit, plural

BASELINE, HOOKS = "hipify-baseline.jsonl", ".pre-commit-config.yaml"
_FOREIGN = re.compile(r"(?i)(?:3rd|third)[-_]?part(?:y|ies)|extern(?:al)?s?|vendor(?:ed)?|submodules|deps|dependencies")
"""Folders with other projects' code, by their usual names."""
_SUBMODULE = re.compile(r"^\s*path\s*=\s*(\S+)\s*$", re.MULTILINE)
_DEPTH = 2

_HOOK = """\
# hipify-py checks what is committed, so that the code stays portable to AMD GPUs.
repos:
  - repo: local
    hooks:
      - id: hipify-py-check
        name: hipify-py check
        entry: hipify-py check
        args: [--]
        language: system
        types: [text]
        files: (?i)\\.(cuh?|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|cmake|mk)$|(^|/)(cmakelists\\.txt|(gnu)?makefile|setup\\.py)$
        require_serial: true
"""


@click.command(
    "init",
    cls=Helped,
    examples=[
        ("hipify-py init", "Set up the project in this folder."),
        ("hipify-py init ../solver --rocm 6.4", "Set up another one, for ROCm 6.4."),
    ],
    statuses=KEEPS,
    variables={**CACHE, **ROCM},
)
@click.argument("folder", default=".", metavar="[DIR]", type=click.Path(exists=True, file_okay=False))
@rocm_option
@click.option("--no-baseline", is_flag=True, help="Do not record the findings of today as known.")
@click.option("--no-hook", is_flag=True, help="Do not write a hook for pre-commit.")
def command(folder: str, rocm: str, no_baseline: bool, no_hook: bool) -> int:
    """Write a configuration, a baseline of the findings of today, and a hook for pre-commit into DIR.

    The configuration names the ROCm to port to, and leaves out folders with other projects' code. Existing files are
    not changed.
    """
    version = rocm_of(rocm) or NEWEST_ROCM
    excluded = sorted(_foreign(folder))
    lines = [f"rocm = {as_toml(version)}"]
    lines += [f"exclude = {as_toml(excluded)}"] if excluded else []
    lines += [] if no_baseline else [f"baseline = {as_toml(BASELINE)}"]
    _write(folder, OWN, "\n".join(lines) + "\n", "the configuration; hipify-py config lists what else it takes")
    if not no_baseline:
        entries, settings = _known(folder, version, excluded)
        count = plural(entries.count(b"\n") - 1, "known finding")
        _write(folder, BASELINE, entries.decode("ascii"), f"{count} ({'; '.join(settings)})")
    if not no_hook:
        _write(folder, HOOKS, _HOOK, "a hook for pre-commit; activate it with pre-commit install")
    return DONE


def _foreign(folder: str) -> Iterator[str]:
    """The folders near the top with other projects' code, as patterns."""
    try:
        with open(os.path.join(folder, ".gitmodules"), encoding="utf-8", errors="replace") as file:
            yield from (f"/{path}/" for path in _SUBMODULE.findall(file.read()))
    except OSError:
        pass
    for place, folders, _ in os.walk(folder):
        below = os.path.relpath(place, folder)
        depth = 0 if below == os.curdir else below.count(os.sep) + 1
        folders[:] = [name for name in folders if name not in NEVER_WALKED]
        for name in [*folders]:
            if _FOREIGN.fullmatch(name):
                folders.remove(name)
                yield "/" + "/".join([*([] if depth == 0 else below.split(os.sep)), name]) + "/"
        if depth >= _DEPTH:
            folders.clear()


def _known(folder: str, rocm: str, excluded: list[str]) -> tuple[bytes, list[str]]:
    """The baseline of the findings of today, and the settings that it is for."""
    options = DEFAULT_OPTIONS._replace(targeting=Targeting(rocm=rocm))
    (report,) = convert_groups([Group([folder], options, Selection(exclude=excluded, exclude_from=folder))], cache=True)
    settings = settings_of([options.targeting])
    return written(match(report.results, (), folder).fresh, settings), settings


def _write(folder: str, name: str, text: str, what: str) -> None:
    """Write a file that does not exist, and say so.

    Raises:
        PlanError: when it cannot be written.
    """
    path = os.path.join(folder, name)
    if os.path.lexists(path):
        emit(sys.stderr, [f"{path}: already exists, left as it is"])
        return
    try:
        write_atomically(path, text.encode("utf-8"))
    except OSError as error:
        raise PlanError(f"cannot write {path}: {reason(error)}") from error
    emit(sys.stderr, [f"{path}: {what}"])
