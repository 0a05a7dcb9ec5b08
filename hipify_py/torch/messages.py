"""What calls say: on standard output what the original says there, on standard error what is left to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TypeAlias

from hipify_py.core.findings import SEVERITIES
from hipify_py.core.terminal_escape import visible
from hipify_py.torch.result import HipifyResult

Stats: TypeAlias = "MutableMapping[str, list[Any]]"
"""What calls count: `unsupported_calls`, pairs of a name and a file, and `kernel_launches`."""

_WORST = SEVERITIES[-1]


class bcolors:  # noqa: N801  the original's name
    """Sequences that colour text in terminals."""

    HEADER = "\033[95m"
    OKBLUE = "\033[94m"
    OKGREEN = "\033[92m"
    WARNING = "\033[93m"
    FAIL = "\033[91m"
    ENDC = "\033[0m"
    BOLD = "\033[1m"
    UNDERLINE = "\033[4m"


def compute_stats(stats: Stats) -> None:
    """Print which CUDA names have no counterpart, and how many launches were rewritten."""
    names = sorted({name for name, _ in stats["unsupported_calls"]})
    sys.stdout.write(f"Total number of unsupported CUDA function calls: {len(names)}\n{', '.join(names)}\n")
    sys.stdout.write(f"\nTotal number of replaced kernel launches: {len(stats['kernel_launches'])}\n")


def show_progress_of(results: Mapping[str, HipifyResult]) -> None:
    """Print what happened to each file."""
    for path, result in results.items():
        if not result.is_ignored:
            sys.stdout.write(f"{path} -> {result.hipified_path} {result.status}\n")
    sys.stdout.flush()


def tell_problem(message: str) -> None:
    """Tell about something that went wrong."""
    sys.stderr.write(f"{visible(message)}\n")


def tell_what_is_left(results: Mapping[str, HipifyResult]) -> None:
    """Tell where the translations do not compile or compute something else, and which files have failed."""
    failed = places = 0
    for result in results.values():
        findings = [each for each in result.findings if each.severity == _WORST]
        for finding in findings:
            tell_problem(f"{finding.path}:{finding.line}: {finding.id}: {finding.message}")
        failed += result.has_failed
        places += 0 if result.has_failed else len(findings)
    parts = [f"{places} {'place needs' if places == 1 else 'places need'} work by hand"] if places else []
    parts += [f"{failed} {'file' if failed == 1 else 'files'} could not be translated"] if failed else []
    colour = bcolors.WARNING if parts else bcolors.OKGREEN
    words = f"{'; '.join(parts)}." if parts else "All matching files have been translated."
    sys.stderr.write(f"{colour}{words}{bcolors.ENDC}\n" if _has_colours() else f"{words}\n")


def _has_colours() -> bool:
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")
