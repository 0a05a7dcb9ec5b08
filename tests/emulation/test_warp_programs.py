"""Corpus programs with wavefront operations print what was recorded, with 32 and with 64 lanes, or there is a finding.

The record is an NVIDIA GPU's. Each program is translated as by default and with `--no-fix wavefront`; where the output differs
at one width, the translation must have a warning or an error of the family HIP3xx.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import emulation
import pytest
import yaml

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}"),
]

CORPUS = Path(__file__).parents[2] / "corpus"
SOURCES = (".cu", ".cuh", ".h", ".cpp")
OPERATION = re.compile(
    r"\b__(?:shfl|ballot|any|all|match|reduce)\w*\s*\(|\b__(?:activemask|syncwarp)\b|\bwarpSize\b|\btiled_partition\b"
    r"|\bcoalesced_threads\b|%(?:laneid|lanemask)|\b(?:shfl|vote|match|redux|activemask)\.\w+|\bWarp(?:Reduce|Scan)\b"
)
MISSING = re.compile(r"#\s*include\s*<(?:hipcub|hiprand|rocwmma|rocprim|thrust)\b|\bhipGraph\w*")
OPTIONS = {"unfixed": ("--no-fix", "wavefront"), "default": ()}
KNOWN = {}
"""Silently wrong today: the program, the options and the lanes, and what is wrong."""


def _uses_wavefronts(program: Path) -> bool:
    files = (path for path in program.rglob("*") if path.suffix in SOURCES)
    return any(OPERATION.search(path.read_text(encoding="utf-8", errors="replace")) for path in files)


PROGRAMS = sorted(path.name for path in CORPUS.iterdir() if path.is_dir() and _uses_wavefronts(path))

Translation = tuple[Path, list[emulation.Finding]]


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Translation]:
    """Translates a program once; where an option changes nothing, the two translations are one folder."""
    done: dict[tuple[str, str], Translation] = {}

    def translation(program: str, options: str) -> Translation:
        if (program, options) not in done:
            folder = tmp_path_factory.mktemp(f"{program}-{options}")
            findings = emulation.translate(CORPUS / program, folder, OPTIONS[options])
            plain = done.get((program, "unfixed"))
            same = plain is not None and _contents(plain[0]) == _contents(folder)
            done[program, options] = (plain[0] if plain is not None and same else folder, findings)
        return done[program, options]

    return translation


def _contents(folder: Path) -> dict[str, bytes]:
    """The translated files, without what `build` has put beside them."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (*SOURCES, ".hpp"))
    return {name.as_posix(): (folder / name).read_bytes() for name in names if not name.parts[0].startswith("build-")}


@pytest.fixture(scope="module")
def outcome() -> Callable[[Path, str, int], emulation.Outcome]:
    """Compiles and runs a translation once for each width."""
    done: dict[tuple[Path, int], emulation.Outcome] = {}

    def run(folder: Path, program: str, lanes: int) -> emulation.Outcome:
        if (folder, lanes) not in done:
            manifest = yaml.safe_load((CORPUS / program / "program.yaml").read_text(encoding="utf-8"))
            flags = [flag for flag in manifest["nvcc"] if flag.startswith(("-I", "-D"))]
            done[folder, lanes] = emulation.execute(emulation.build(folder, manifest["sources"], lanes, flags))
        return done[folder, lanes]

    return run


def test_there_are_programs_with_wavefront_operations() -> None:
    assert len(PROGRAMS) >= 25


@pytest.mark.parametrize("lanes", [32, 64])
@pytest.mark.parametrize("options", [pytest.param("unfixed", marks=pytest.mark.nightly), "default"])
@pytest.mark.parametrize(
    "program", [pytest.param(name, marks=pytest.mark.xdist_group(f"emulation-{name}")) for name in PROGRAMS]
)
def test_a_program_prints_what_was_recorded_or_has_a_finding(
    program: str,
    options: str,
    lanes: int,
    translated: Callable[[str, str], Translation],
    outcome: Callable[[Path, str, int], emulation.Outcome],
    request: pytest.FixtureRequest,
) -> None:
    recorded = CORPUS / program / "expected.txt"
    if not recorded.is_file():
        pytest.skip("its output on an NVIDIA GPU has not been recorded yet")
    folder, findings = translated(program, options)
    missing = MISSING.search("\n".join(text.decode(errors="replace") for text in _contents(folder).values()))
    if missing:
        pytest.skip(f"NOT RUN: {missing[0]} is not emulated")
    if (program, options, lanes) in KNOWN:
        request.applymarker(pytest.mark.xfail(strict=True, reason=KNOWN[program, options, lanes]))
    named = [finding for finding in findings if finding.id.startswith("HIP3")]
    try:
        run = outcome(folder, program, lanes)
    except emulation.CompilationError:
        if named and options == "unfixed":  # a mask of 32 bits is an error in HIP, and has a finding
            return
        raise
    wanted = recorded.read_text(encoding="utf-8")
    if run.status == 0 and run.output == wanted:
        return
    assert named, f"{lanes} lanes, and no finding of a wavefront:\n{run.output}{run.messages}"
