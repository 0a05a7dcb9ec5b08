"""The projects under `projects/`, and how they are converted; run by itself it rewrites `expected/`.

    python -m tests.build_systems.projects_of

Read the difference before committing it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hipify_py.core.options import Options
from hipify_py.project.api import convert

HERE = Path(__file__).parent
PROJECTS, EXPECTED = HERE / "projects", HERE / "expected"
NAMES = sorted(path.name for path in PROJECTS.iterdir())


def converted(name: str, place: Path) -> dict[str, bytes]:
    """Convert a project to a place; its build files by their paths, and the list of their findings."""
    report = convert([PROJECTS / name], output=place, options=Options(ci_files=True))
    assert report.plan is not None
    build = {task.path: Path(task.target or "") for task in report.plan.tasks if task.is_build_file}
    found = {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(build.values())}
    lines = [
        f"{Path(finding.path).relative_to(PROJECTS / name).as_posix()}:{finding.line}:{finding.column}"
        f" {finding.id} {finding.severity} {finding.message}\n"
        for result in report.results
        if result.path in build
        for finding in result.findings
    ]
    found["findings.txt"] = "".join(lines).encode()
    return found


def expected(name: str) -> dict[str, bytes]:
    """What is held to be right for a project."""
    folder = EXPECTED / name
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main() -> None:
    """Write `expected/` anew."""
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            for path, data in converted(name, Path(folder) / "out").items():
                place = EXPECTED / name / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)


if __name__ == "__main__":
    main()
