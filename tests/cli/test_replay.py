"""A run over folders that nothing has changed in says again what the last one said; after any change it is done anew."""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py import cache_files
from tests.cli.conftest import Run

MARK = b"said again\n"
_TICK = 0.1  # seconds; what changed just before a run is no ground for a record


class Replays:
    """Runs of one command line, of which it can be told whether they were only said again."""

    def __init__(self, hipify: Run, folder: Path) -> None:
        self.hipify = hipify
        self.folder = folder
        self.env = {"HIPIFY_PY_CACHE_DIR": str(folder / "cache")}

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return self.hipify(*arguments, env=self.env)

    def records(self) -> list[Path]:
        return sorted((self.folder / "cache" / "results").glob("runs-*"))

    def mark(self) -> None:
        """Let replays be known by what they say."""
        for path in self.records():
            body = cache_files.read_file(str(path))
            assert body is not None
            key, seen, _, status, written = marshal.loads(body)
            cache_files.write_file(str(path), marshal.dumps((key, seen, [(0, MARK)], status, written), 4))


@pytest.fixture
def runs(hipify: Run, tmp_path: Path, project: Path) -> Replays:
    (project / "main.cu").write_text((project / "main.cu").read_text() + "void g() { cudaUnheardOf(); }\n")
    (tmp_path / "hipify-py.toml").write_text('extend = "shared.toml"\n')
    (tmp_path / "shared.toml").write_text('ignore = ["HIP301"]\n')
    (tmp_path / "own.yaml").write_text("library: own\ntitle: Ours\nfunctions:\n  cudaUnheardOf: hipHeardOf\n")
    (project / "link.cuh").symlink_to("lib/util.cuh")
    (tmp_path / "build").mkdir()
    (tmp_path / "cache").mkdir()
    for tables in Path(os.environ["HIPIFY_PY_CACHE_DIR"]).glob("catalog-*"):  # compiled once for all tests
        shutil.copy2(tables, tmp_path / "cache")
    time.sleep(_TICK)
    return Replays(hipify, tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "src"),
        ("check", "src", "--format", "json", "-q"),
        ("check", "src", "src/main.cu", "--fail-on", "warning", "-v"),
        ("report", "src"),
        ("report", "src", "--format", "json"),
        ("convert", "src", "--diff"),
    ],
)
def test_an_unchanged_folder(runs: Replays, arguments: tuple[str, ...]) -> None:
    fresh = runs(*arguments, "--no-cache")
    assert runs.records() == []
    first, second = runs(*arguments), runs(*arguments)
    assert len(runs.records()) == 1
    for run in (first, second):
        assert (run.returncode, run.stdout, run.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)
    runs.mark()
    again = runs(*arguments)
    assert (again.returncode, again.stdout, again.stderr) == (fresh.returncode, MARK, b"")


def same_size_and_time(folder: Path) -> None:
    """As an editor would not do it: only the time of change tells."""
    path = folder / "src" / "main.cu"
    status = path.stat()
    path.write_text(path.read_text().replace("cudaUnheardOf", "cudaUnheardBy"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replaced(folder: Path) -> None:
    path = folder / "src" / "main.cu"
    other = folder / "other"
    other.write_text(path.read_text().replace("cudaUnheardOf", "cudaUnheardBy"))
    other.replace(path)


def touched_header(folder: Path) -> None:
    path = folder / "src" / "lib" / "util.cuh"
    path.write_text(path.read_text() + "void cudaUnheardOf();\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a source": same_size_and_time,
    "a replaced source": replaced,
    "a header": touched_header,
    "a new source": lambda folder: (folder / "src" / "data" / "new.cu").write_text("void f() { cudaFree(0); }\n"),
    "a new folder": lambda folder: (folder / "src" / "deep").mkdir(),
    "a removed source": lambda folder: (folder / "src" / "plain.cpp").unlink(),
    "a renamed source": lambda folder: (folder / "src" / "plain.cpp").rename(folder / "src" / "plain.cu"),
    "what is ignored": lambda folder: (folder / "src" / ".gitignore").write_text("lib/\n"),
    "the configuration": lambda folder: (folder / "hipify-py.toml").write_text('launch = "chevron"\n'),
    "an extended configuration": lambda folder: (folder / "shared.toml").write_text('launch = "chevron"\n'),
    "a nearer configuration": lambda folder: (folder / "src" / "hipify-py.toml").write_text('launch = "chevron"\n'),
    "no configuration": lambda folder: (folder / "hipify-py.toml").unlink(),
    "a repository": lambda folder: (folder / "src" / ".git").mkdir(),
    "a link": lambda folder: ((folder / "src" / "link.cuh").unlink(), (folder / "src" / "link.cuh").symlink_to("none")),
    "the table": lambda folder: (folder / "own.yaml").write_text(
        "library: own\ntitle: Ours\nfunctions:\n  cudaUnheardOf: hipOf\n"
    ),
    "a file that cannot be read": lambda folder: (folder / "src" / "plain.cpp").write_bytes(b"cuda\0Free\0\1\2"),
}


@pytest.mark.parametrize("text", ["<HipCompile/>\n", "<Item>\n\n<CudaCompile/>\n", None])
def test_a_changed_build_file(runs: Replays, tmp_path: Path, text: str | None) -> None:
    build = tmp_path / "src" / "app.vcxproj"
    build.write_text("<Item>\n<CudaCompile/>\n")
    time.sleep(_TICK)
    assert b"src/app.vcxproj:2: the HIP SDK's build customization" in runs("check", "src").stderr
    runs.mark()
    assert runs("check", "src").stdout == MARK
    if text is None:
        build.unlink()
    else:
        build.write_text(text)
    fresh = runs("check", "src", "--no-cache")
    changed = runs("check", "src")
    assert (changed.stdout, changed.stderr) == (fresh.stdout, fresh.stderr)
    assert (b"src/app.vcxproj:3: the HIP SDK's" in changed.stderr) is (text is not None and "Cuda" in text)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_folder(runs: Replays, tmp_path: Path, change: Callable[[Path], object]) -> None:
    arguments = ("check", "src", "--mappings", "own.yaml", "--format", "json")
    runs(*arguments)
    runs.mark()
    assert runs(*arguments).stdout == MARK
    change(tmp_path)
    fresh = runs(*arguments, "--no-cache")
    changed = runs(*arguments)
    assert (changed.returncode, changed.stdout, changed.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)
    assert MARK not in changed.stdout


@pytest.mark.parametrize("others", [0, 3000], ids=["looked for", "listed"])
def test_what_a_file_given_by_itself_leans_on(runs: Replays, tmp_path: Path, others: int) -> None:
    """Headers that are looked for in folders above, and found there later: one by one, or after many others."""
    includes = "".join(f"#include <other{number}/own.cuh>\n" for number in range(others))
    (tmp_path / "src" / "main.cu").write_text(f"{includes}#include <far/own.cuh>\nvoid f() {{ cudaOurs(); }}\n")
    (tmp_path / "empty").mkdir()
    time.sleep(_TICK)
    arguments = ("check", "empty", "src/main.cu", "--format", "json")
    first = runs(*arguments)
    runs.mark()
    assert runs(*arguments).stdout == MARK
    (tmp_path / "include" / "far").mkdir(parents=True)
    (tmp_path / "include" / "far" / "own.cuh").write_text("void cudaOurs();\n")
    changed = runs(*arguments)
    assert changed.stdout == runs(*arguments, "--no-cache").stdout
    assert changed.stdout != first.stdout
    time.sleep(_TICK)
    runs(*arguments)
    runs.mark()
    (tmp_path / "include" / "far" / "own.cuh").write_text("void cudaTheirs();\n")
    assert runs(*arguments).stdout == first.stdout


def test_other_arguments_folders_and_surroundings(runs: Replays, tmp_path: Path, hipify: Run) -> None:
    runs("check", "src")
    runs.mark()
    assert runs("check", "src").stdout == MARK
    assert MARK not in runs("check", "src", "--launch", "chevron").stdout
    assert MARK not in hipify("check", "../src", cwd=tmp_path / "build", env=runs.env).stdout
    assert MARK not in hipify("check", "src", env={**runs.env, "HOME": str(tmp_path)}).stdout
    assert MARK not in runs("check", "src", "--no-cache").stdout
    assert runs("check", "src").stdout == MARK


def test_what_replaces_its_input_is_done(runs: Replays) -> None:
    runs("convert", "src", "--in-place")
    assert runs.records() == []


def written(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that an output folder holds."""
    return {
        str(path.relative_to(folder)): (path.readlink(),)
        if path.is_symlink()
        else (path.stat().st_mode, path.is_file() and path.read_bytes())
        for path in sorted(folder.rglob("*"))
    }


CONVERT = ("convert", "src", "-o", "out")


@pytest.fixture
def converted(runs: Replays, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    """What an undisturbed conversion writes; one has been recorded, and its output is gone."""
    (tmp_path / "src" / "main.cu").write_text("__global__ void k(int *p) { p[0] = __dp2a_lo(p[1], p[2], p[3]); }\n")
    (tmp_path / "src" / "data" / "table.csv").chmod(0o755)
    (tmp_path / "src" / "lib" / "util.cuh").chmod(0o444)
    (tmp_path / "src" / "data" / "to.cuh").symlink_to("../lib/util.cuh")
    time.sleep(_TICK)
    assert runs(*CONVERT, "--no-cache").returncode == 0
    expected = written(tmp_path / "out")
    assert b"hip" in expected["lib/util.cuh"][1]  # type: ignore[operator]
    assert "hipify_support.hpp" in expected
    shutil.rmtree(tmp_path / "out")
    runs(*CONVERT)
    assert written(tmp_path / "out") == expected
    runs.mark()
    return expected


def removed(out: Path) -> None:
    shutil.rmtree(out)


def damaged(out: Path) -> None:
    (out / "main.cu").write_bytes(b"other")
    (out / "plain.cpp").unlink()
    (out / "data" / "table.csv").chmod(0o644)
    (out / "data" / "to.cuh").unlink()


def killed(out: Path) -> None:
    """A folder of temporary files is left."""
    removed(out)
    left = out / f".hipify-py-{'0' * 8}-1-1"
    left.mkdir(parents=True)
    os.utime(left, (1, 1))


def further(out: Path) -> None:
    (out / "mine.txt").write_bytes(b"mine")


OUTPUTS: dict[str, Callable[[Path], object]] = {
    "whole": lambda out: None,
    "gone": removed,
    "damaged": damaged,
    "left by a killed run": killed,
    "with more in it": further,
}


@pytest.mark.parametrize("change", OUTPUTS.values(), ids=OUTPUTS.keys())
def test_what_a_conversion_wrote_is_written_again(
    runs: Replays, tmp_path: Path, converted: dict[str, tuple[object, ...]], change: Callable[[Path], object]
) -> None:
    change(tmp_path / "out")
    run = runs(*CONVERT)
    assert (run.returncode, run.stdout, run.stderr) == (0, MARK, b"")
    found = written(tmp_path / "out")
    found.pop("mine.txt", None)
    assert found == converted


def read_only(tmp_path: Path) -> None:
    (tmp_path / "out" / "main.cu").write_bytes(b"mine")
    (tmp_path / "out" / "main.cu").chmod(0o444)


def foreign_header(tmp_path: Path) -> None:
    (tmp_path / "out" / "hipify_support.hpp").write_bytes(b"mine")


def folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "out" / "main.cu").unlink()
    (tmp_path / "out" / "main.cu").mkdir()


def way_out(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "out" / "lib")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "lib").symlink_to(tmp_path / "elsewhere")


def file_in_place_of_the_folder(tmp_path: Path) -> None:
    removed(tmp_path / "out")
    (tmp_path / "out").write_bytes(b"mine")


@pytest.mark.parametrize(
    "change", [read_only, foreign_header, folder_in_place_of_a_file, way_out, file_in_place_of_the_folder]
)
def test_what_must_not_be_replaced_is_left_to_a_conversion(
    runs: Replays, tmp_path: Path, converted: dict[str, tuple[object, ...]], change: Callable[[Path], object]
) -> None:
    change(tmp_path)
    fresh, again = runs(*CONVERT, "--no-cache"), runs(*CONVERT)
    assert (again.returncode, again.stdout, again.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)
    assert again.returncode in (2, 3)
    assert not any((tmp_path / "elsewhere").glob("*"))


def test_a_source_that_changes_while_it_is_written_again(tmp_path: Path) -> None:
    from hipify_py.project.restore_output import write_again
    from hipify_py.witness import stamp_of

    source, target = tmp_path / "a.cu", str(tmp_path / "out" / "a.cu")
    source.write_bytes(b"cudaFree")
    stamps = {str(source): stamp_of(str(source))}
    files = [(target, str(source), ((0, 4, b"hip"),), False)]
    assert write_again(stamps, str(tmp_path / "out"), files, [], [])
    assert (tmp_path / "out" / "a.cu").read_bytes() == b"hipFree"
    source.write_bytes(b"CUDAFREE")
    assert not write_again(stamps, str(tmp_path / "out"), files, [], [])
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.cu", "a.cu", "out"]
    assert (tmp_path / "out" / "a.cu").read_bytes() == b"hipFree"


@pytest.mark.parametrize("output", ["src/out", "."])
def test_an_output_within_the_input_or_around_it_is_converted_anew(runs: Replays, output: str) -> None:
    runs("convert", "src", "-o", output)
    assert runs.records() == []


def test_accounts_in_files_are_written_again(runs: Replays, tmp_path: Path) -> None:
    for _ in range(2):
        runs("check", "src", "--output-file", "csv=account.csv")
        assert (tmp_path / "account.csv").read_bytes().count(b"\n") > 1
        (tmp_path / "account.csv").unlink()


def test_failures_are_tried_again(runs: Replays, tmp_path: Path) -> None:
    (tmp_path / "src" / "bad.cu").write_bytes(b"\0\1\2cudaFree")
    time.sleep(_TICK)
    for _ in range(2):
        run = runs("check", "src")
        assert run.returncode == 3
        assert b"bad.cu" in run.stderr
    assert runs.records() == []


def test_what_changed_just_now_is_no_ground_for_a_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from hipify_py.witness import Witness, saw, witness

    (tmp_path / "a").write_text("")
    for tick, is_sure in ((10**12, False), (0, True)):
        monkeypatch.setattr("hipify_py.witness._TICK", tick)
        monkeypatch.setattr("hipify_py.witness._COARSE_TICK", tick)
        seen = Witness()
        witness(seen)
        saw(str(tmp_path / "a"))
        saw(str(tmp_path / "b"))
        witness(None)
        assert seen.is_sure is is_sure
        assert seen.holds()
    (tmp_path / "b").write_text("")
    assert not seen.holds()


def test_damaged_records_are_not_said_again(runs: Replays) -> None:
    fresh = runs("check", "src")
    (record,) = runs.records()
    whole = record.read_bytes()
    for damaged in (b"", whole[:-1], whole[: len(whole) // 2], whole[:40] + b"!" + whole[41:]):
        record.write_bytes(damaged)
        run = runs("check", "src")
        assert (run.returncode, run.stdout, run.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)
        runs.mark()
        assert runs("check", "src").stdout == MARK  # mended
    record.chmod(0o666)
    assert runs("check", "src").stdout == fresh.stdout
