"""Whoever asks the file system for something that a run's outcome depends on says so to the witness.

A question that nobody notes would let a run be said again that would say something else. So each module of the runs that
asks by itself stands below, with the reason why the witness need not know, or knows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hipify_py

PACKAGE = Path(hipify_py.__file__).parent
RUNS = ("project", "cli", "report")
QUESTIONS = frozenset({"exists", "isfile", "isdir", "listdir", "lexists", "lstat", "scandir", "stat", "walk"})

KNOWN = {
    "cli/baseline/": "commands that are never said again",
    "cli/build.py": "a command that is never said again",
    "cli/configuration.py": "whether a path is a folder, which the walk notes",
    "cli/convert.py": "whether a path is a folder, which the walk notes",
    "cli/doctor/": "a command that is never said again",
    "cli/finder.py": "modules of the installation, which is told to the witness",
    "cli/next_steps.py": "whether a path is a folder, which the walk notes",
    "cli/kept_modules.py": "modules of the installation, which is told to the witness",
    "cli/outputs.py": "accounts in files, with which a run is never said again",
    "cli/quick.py": "runs that are never said again",
    "cli/replay.py": "asks what the witness saw",
    "project/api.py": "the output, of which writing again asks anew, and files that are replaced in place",
    "project/at_revision.py": "what git has, with which a run is never said again",
    "project/read_limited.py": "told to the witness",
    "project/build_contexts.py": "build files, which the walk has told to the witness",
    "project/build_files.py": "told to the witness",
    "project/cluster/": "sources and tables, which the run has told to the witness, and the installation",
    "project/compile_commands.py": "told to the witness",
    "project/config.py": "told to the witness",
    "project/discovery.py": "told to the witness",
    "project/dual.py": "builds that are kept, with which a run is never said again",
    "project/config_inheritance.py": "the owner of a file that is told to the witness",
    "project/find_config.py": "told to the witness",
    "project/folders.py": "told to the witness",
    "project/git_checkout.py": "told to the witness, but for objects, of which in-place conversions alone ask",
    "project/git_history.py": "what git has, with which a run is never said again",
    "project/gitignore.py": "told to the witness",
    "project/groups.py": "whether a path is a folder, which the walk notes",
    "project/list_files_around.py": "told to the witness",
    "project/lost_support.py": "told to the witness by the run, for this is asked in its workers",
    "project/marks.py": "files that are replaced in place",
    "project/mend.py": "files that are replaced in place, with which a run is never said again",
    "project/sibling_headers.py": "told to the witness",
    "project/plan.py": "the output, of which writing again asks anew",
    "project/results_cache/": "the cache itself, and the installation, which is told to the witness",
    "project/searched_folders.py": "told to the witness",
    "project/since.py": "what git has, with which a run is never said again",
    "project/support.py": "the output, of which writing again asks anew",
    "project/temporary.py": "what killed runs have left",
    "project/texts.py": "told to the witness",
    "project/view.py": "told to the witness",
    "project/work.py": "sources, which the walk has told to the witness",
    "project/write.py": "the output, of which writing again asks anew",
    "project/restore_output.py": "the output, and sources with their stamps",
    "project/output_manifest.py": "the output, of which writing again asks anew",
    "report/history.py": "what a run appends, with which it is never said again",
}


def asking() -> Iterator[tuple[str, int]]:
    """The places of questions to the file system that do not go through the witness."""
    for part in RUNS:
        for path in sorted((PACKAGE / part).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _asks(node.func):
                    yield path.relative_to(PACKAGE).as_posix(), node.lineno


def _asks(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id == "open"
    return (
        isinstance(function, ast.Attribute)
        and function.attr in QUESTIONS
        and ast.unparse(function.value) in ("os", "os.path")
    )


def test_every_question_is_noted_or_accounted_for() -> None:
    found = [f"{module}:{line}" for module, line in asking() if not any(map(module.startswith, KNOWN))]
    assert found == [], "tell the witness (hipify_py/witness.py), or say here why it need not know"


def test_no_account_is_out_of_date() -> None:
    modules = {module for module, _ in asking()}
    assert [known for known in KNOWN if not any(module.startswith(known) for module in modules)] == []
