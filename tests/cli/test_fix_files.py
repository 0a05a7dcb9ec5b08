"""`check --fix` and what goes with it: files mended as they are, the diff of that, and the dialogue."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hipify_py.cli.fixing import accepted
from hipify_py.core.findings import Finding
from hipify_py.core.options import Options
from hipify_py.translator.translate import translate
from tests.cli.conftest import REPOSITORY, Run
from tests.fixed_sources import BRACKETS, BRANCH, CASES, ENUMERATORS, OPERATIONS, Case

UNUSED = "int n;  // hipify: ignore[HIP101]\n"
MENDED = OPERATIONS.replace(")1", ")CUBLAS_OP_T").replace(")0", ")CUBLAS_OP_N")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.id} {case.name}")
def test_files_are_mended_as_they_are(quickly: Run, tmp_path: Path, case: Case) -> None:
    path = tmp_path / case.path
    path.write_bytes(case.source.encode())
    run = quickly("check", case.path, "--fix", case.id)
    assert path.read_bytes().decode() == case.mended
    assert case.id.encode() not in run.stdout
    assert re.search(rb"\d findings? fixed in 1 file: \d " + case.id.encode(), run.stderr)
    again = quickly("check", case.path, "--fix", case.id)
    assert path.read_bytes().decode() == case.mended
    assert b" fixed in" not in again.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == [case.path]


def test_several_files_and_what_is_left(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.cu").write_text(OPERATIONS + UNUSED + "cudaFoo_t left;\n")
    (tmp_path / "src" / "deep" / "b.cu").write_text(UNUSED * 2 + BRANCH)
    run = quickly("check", "src", "--fix", "ALL", "--fail-on", "warning")
    assert (tmp_path / "src" / "a.cu").read_text() == MENDED + "int n;\ncudaFoo_t left;\n"
    assert (tmp_path / "src" / "deep" / "b.cu").read_text() == "int n;\n" * 2 + BRANCH
    assert b"5 findings fixed in 2 files: 2 HIP114, 3 HIP907" in run.stderr
    assert run.returncode == 1
    places = [line.split(b" ")[0] for line in run.stdout.splitlines()]
    line = MENDED.count("\n") + 2
    assert places[0] == f"src/a.cu:{line}:1:".encode()
    assert {line.split(b" ")[2] for line in run.stdout.splitlines()} == {b"HIP102", b"HIP305"}


def test_a_diff_changes_nothing_and_can_be_applied(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OPERATIONS + UNUSED)
    (tmp_path / "b.cu").write_text(ENUMERATORS)
    both = quickly("check", ".", "--diff")
    assert both.stdout.count(b"\n+++ ") == 2
    assert both.stdout == quickly("check", ".", "--fix", "ALL", "--diff").stdout
    assert (tmp_path / "a.cu").read_text() == OPERATIONS + UNUSED
    one = quickly("check", ".", "--fix", "HIP907", "--diff")
    assert [line for line in one.stdout.splitlines() if line.startswith((b"+int", b"-int"))] == [
        b"-int n;  // hipify: ignore[HIP101]",
        b"+int n;",
    ]
    subprocess.run(["git", "apply"], cwd=tmp_path, input=both.stdout, check=True)
    patched = [(tmp_path / name).read_bytes() for name in ("a.cu", "b.cu")]
    (tmp_path / "a.cu").write_text(OPERATIONS + UNUSED)
    (tmp_path / "b.cu").write_text(ENUMERATORS)
    quickly("check", ".", "--fix", "ALL")
    assert [(tmp_path / name).read_bytes() for name in ("a.cu", "b.cu")] == patched


def test_a_configuration_mends_conversions_and_no_files(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(UNUSED + BRACKETS)
    (tmp_path / "hipify-py.toml").write_text('fix = ["HIP907"]\n')
    run = quickly("check", "a.cu")
    assert (tmp_path / "a.cu").read_text() == UNUSED + BRACKETS
    assert b"HIP907" not in run.stdout
    assert b"1 finding to fix: 1 HIP907" in run.stderr
    (tmp_path / "hipify-py.toml").write_text('no-fix = ["HIP907"]\n')
    quickly("check", "a.cu", "--fix", "ALL")
    assert (tmp_path / "a.cu").read_text().startswith(UNUSED)


def test_a_group_is_for_conversions(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(BRANCH)
    run = quickly("check", "a.cu", "--fix", "wavefront")
    assert (tmp_path / "a.cu").read_text() == BRANCH
    assert run.stdout.count(b"HIP305") == 2


def test_only_new_findings_are_mended(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(UNUSED)
    quickly("baseline", "create", "a.cu", "--baseline", "known.json")
    (tmp_path / "b.cu").write_text(UNUSED)
    run = quickly("check", "a.cu", "b.cu", "--fix", "ALL", "--baseline", "known.json")
    assert run.returncode == 0
    assert (tmp_path / "a.cu").read_text() == UNUSED
    assert (tmp_path / "b.cu").read_text() == "int n;\n"


def test_a_read_only_file_is_told(hipify: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(UNUSED)
    path.chmod(0o444)
    run = hipify("check", "a.cu", "--fix", "ALL")
    assert run.returncode == 3
    assert b"cannot fix the file: the file is read-only" in run.stderr
    assert path.read_text() == UNUSED


def test_what_a_link_leads_to_is_mended(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.cu").write_text(UNUSED)
    (tmp_path / "link.cu").symlink_to("real/a.cu")
    quickly("check", "link.cu", "--fix", "ALL")
    assert (tmp_path / "link.cu").is_symlink()
    assert (tmp_path / "real" / "a.cu").read_text() == "int n;\n"


def test_a_second_run_over_a_folder_does_not_repeat_the_first(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    path = tmp_path / "src" / "a.cu"
    for _ in range(2):
        path.write_text(UNUSED)
        run = quickly("check", "src", "--fix", "ALL")
        assert path.read_text() == "int n;\n"
        assert b"1 finding fixed in 1 file" in run.stderr


def test_formats_tell_what_is_left(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(UNUSED + BRANCH)
    run = quickly("check", "a.cu", "--fix", "ALL", "--format", "json", "--output-file", "full=left.txt")
    found = [finding["id"] for file in json.loads(run.stdout)["files"] for finding in file["findings"]]
    assert found == ["HIP305", "HIP305"]
    assert "fix: Keep the shuffle within 32 lanes (needs review)" in (tmp_path / "left.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("check", "a.cu", "--interactive"), b"needs a terminal"),
        (("convert", "a.cu", "--stdout", "--interactive"), b"needs a terminal"),
        (("check", "a.cu", "--interactive", "--diff"), b"exclude each other"),
        (("check", "a.cu", "--diff", "--format", "json"), b"write to standard output"),
        (("check", "-", "--fix", "ALL"), b"works on files"),
        (("check", "-", "--diff"), b"works on files"),
        (("convert", "-", "--interactive"), b"needs a terminal"),
        (("check", "a.cu", "--fix", "HIP301"), b"HIP301 has no fix"),
    ],
)
def test_mistakes_in_use(hipify: Run, tmp_path: Path, arguments: tuple[str, ...], says: bytes) -> None:
    (tmp_path / "a.cu").write_text(UNUSED)
    run = hipify(*arguments, input=UNUSED.encode())
    assert run.returncode == 2
    assert says in run.stderr
    assert (tmp_path / "a.cu").read_text() == UNUSED


def _findings() -> list[Finding]:
    found = translate(
        OPERATIONS + UNUSED, path="a.cu", options=Options(offered=frozenset({"HIP114", "HIP907"}))
    ).findings
    assert len(found) == 3
    return found


class _Terminal(io.TextIOWrapper):
    """What is said, as text."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def said(self) -> str:
        self.flush()
        data: bytes = self.buffer.getvalue()  # type: ignore[attr-defined]
        return data.decode()


@pytest.mark.parametrize(
    ("answers", "taken"),
    [
        ("y\ny\ny\n", [0, 1, 2]),
        ("n\nY\nn\n", [1]),
        ("n\na\n", [1, 2]),
        ("y\nq\n", [0]),
        ("y\n", [0]),
        ("", []),
        ("what\n?\nn\na\n", [1, 2]),
    ],
)
def test_answers(answers: str, taken: list[int]) -> None:
    findings, terminal = _findings(), _Terminal()
    assert accepted(findings, io.StringIO(answers), terminal) == [findings[index] for index in taken]
    said = terminal.said()
    assert "a.cu:5:49: error HIP114" in said
    assert (
        "  5 -   if (is_transposed) found = (cublasOperation_t)1;\n  5 +   if (is_transposed) found = (cublasOperation_t)CUBLAS_OP_T;\n"
        in said
    )
    assert "(1/3) Apply this fix [y,n,a,q,?]? " in said
    assert ("q - skip this and all later fixes" in said) is ("?" in answers)


Dialogue = Callable[..., tuple[int, str]]


@pytest.fixture
def dialogue(tmp_path: Path) -> Iterator[Dialogue]:
    """Runs the program on a terminal, and answers its questions."""
    open_ends: list[int] = []

    def run(*arguments: str, answers: str) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        open_ends.append(ours)
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": "dumb"}
        command = [sys.executable, "-m", "hipify_py", *arguments]
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs
        )
        os.close(theirs)
        said, left, end = "", list(answers), time.monotonic() + 600
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                said += os.read(ours, 4096).decode()
            except OSError:  # the other end is closed
                break
            if left and said.count("]? ") > len(answers) - len(left):
                os.write(ours, left.pop(0).encode() + b"\n")
        return process.wait(60), said

    yield run
    for end in open_ends:
        os.close(end)


def test_a_check_asks_for_each_fix(dialogue: Dialogue, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OPERATIONS + UNUSED)
    code, said = dialogue("check", "a.cu", "--interactive", answers="nyy")
    assert (tmp_path / "a.cu").read_text() == OPERATIONS.replace(")0", ")CUBLAS_OP_N") + "int n;\n"
    assert "(3/3) Apply this fix" in said
    assert "2 findings fixed in 1 file: 1 HIP114, 1 HIP907" in said
    assert code == 1  # the error that was left


def test_a_conversion_asks_for_each_fix(dialogue: Dialogue, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OPERATIONS + UNUSED)
    code, said = dialogue("convert", "a.cu", "-o", "out.cu", "--interactive", "--fix", "HIP114,HIP907", answers="yq")
    assert (tmp_path / "a.cu").read_text() == OPERATIONS + UNUSED
    output = (tmp_path / "out.cu").read_text()
    assert ")HIPBLAS_OP_T" in output
    assert ")0;" in output
    assert UNUSED in output
    assert "1 finding fixed: 1 HIP114" in said
    assert code == 1
