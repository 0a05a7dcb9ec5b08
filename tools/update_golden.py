"""Rewrites the golden files of the corpus under tests/golden.

    python tools/update_golden.py [--check]

Run it after a change of the rules or the mapping tables, and read the difference (`git diff tests/golden`)
before committing it: a golden file is what a porter would have written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hipify_py import Finding, Options, ProjectContext, translate  # noqa: E402

CORPUS = ROOT / "corpus"
GOLDEN = ROOT / "tests" / "golden"
CHEVRON_PROGRAMS = ("function_pointers", "jacobi_multifile", "streams_events", "templates_launch", "vector_add")
"""Programs whose translation with `--launch chevron` is held, under tests/golden/chevron."""
NOT_SOURCES = frozenset({"program.yaml", "expected.txt"})


def program_sources(program: Path) -> list[Path]:
    """The files of a corpus program that are translated."""
    return sorted(path for path in program.rglob("*") if path.is_file() and path.name not in NOT_SOURCES)


def expected() -> dict[Path, bytes]:
    """Every golden file's path below tests/golden, and its content."""
    files: dict[Path, bytes] = {}
    lines: list[str] = []
    for program in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        sources = program_sources(program)
        project = ProjectContext(local_headers=frozenset(path.relative_to(program).as_posix() for path in sources))
        for path in sources:
            name = path.relative_to(program)
            result = translate(path.read_bytes(), path=name.as_posix(), project=project)
            files[Path(program.name) / name] = result.output
            lines.extend(f"{program.name}/{_line(finding)}" for finding in result.findings)
            if program.name in CHEVRON_PROGRAMS:
                options = Options(launch="chevron")
                kept = translate(path.read_bytes(), path=name.as_posix(), options=options, project=project)
                files[Path("chevron") / program.name / name] = kept.output
    files[Path("findings.txt")] = "".join(f"{line}\n" for line in sorted(lines)).encode()
    return files


def _line(finding: Finding) -> str:
    return f"{finding.path}:{finding.line:04}:{finding.column:03} {finding.id} {finding.severity} {finding.message}"


def stored() -> dict[Path, bytes]:
    """The golden files as they stand (those of tests/golden/identity are written by hand)."""
    return {
        path.relative_to(GOLDEN): path.read_bytes()
        for path in GOLDEN.rglob("*")
        if path.is_file() and _is_golden(path.relative_to(GOLDEN))
    }


def _is_golden(path: Path) -> bool:
    return path.parts[0] not in ("identity", "__pycache__") and path.suffix not in (".py", ".pyc")


def main() -> int:
    """Write what differs; with `--check` only tell, and fail."""
    parser = argparse.ArgumentParser(description="Rewrites the golden files of the corpus.")
    parser.add_argument("--check", action="store_true", help="change nothing, fail when a file is stale")
    check = parser.parse_args().check
    wanted, found = expected(), stored()
    stale = sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))
    for path in stale:
        what = "removed" if path not in wanted else "changed" if path in found else "new"
        print(f"{what}: tests/golden/{path.as_posix()}")
        if check:
            continue
        target = GOLDEN / path
        if path in wanted:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wanted[path])
        else:
            target.unlink()
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
