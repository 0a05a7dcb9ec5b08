"""Rewrites the golden files of the corpus under tests/golden.

    python tools/update_golden.py [--check]

Run it after a change of the rules or the mapping tables, and read the difference (`git diff tests/golden`)
before committing it: a golden file is what a porter would have written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hipify_py import Finding, Translation  # noqa: E402
from tests.corpus_translations import SOURCES, translate_source  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"
CHEVRON_PROGRAMS = ("function_pointers", "jacobi_multifile", "streams_events", "templates_launch", "vector_add")
"""Programs whose translation with `--launch chevron` is held, under tests/golden/chevron."""
FINDINGS = Path("findings.txt")

Translate = Callable[[Path, str], Translation]
"""How a corpus source is translated: by its path below the corpus, and by what becomes of launches."""


def golden_sources() -> dict[Path, tuple[Path, str]]:
    """The golden translations by their paths below tests/golden: of which source, and with which `--launch`."""
    plain = {source: (source, "ggl") for source in SOURCES}
    kept = {Path("chevron") / source: (source, "chevron") for source in SOURCES if source.parts[0] in CHEVRON_PROGRAMS}
    return plain | kept


def findings(translated: Translate) -> bytes:
    """The list of all findings in the corpus."""
    lines = (
        f"{source.parts[0]}/{_line(finding)}" for source in SOURCES for finding in translated(source, "ggl").findings
    )
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def expected() -> dict[Path, bytes]:
    """Every golden file's path below tests/golden, and its content."""
    translated = cache(translate_source)
    files = {path: translated(*of).output for path, of in golden_sources().items()}
    return {**files, FINDINGS: findings(translated)}


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
