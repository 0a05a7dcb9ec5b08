"""Baselines: what a project knows of does not fail a check; what is new does."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hipify_py.core.targeting import NEWEST, versions_line
from hipify_py.report.document import document_of, report_of

from .conftest import Run

BASELINE = "known.jsonl"
CALL = "void {name}() {{ cudaGraphConditionalHandleCreate({argument}, 0, 0, 0); }}\n"


def call(name: str, argument: int = 0) -> str:
    return CALL.format(name=name, argument=argument)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def legacy(tmp_path: Path, quickly: Run) -> Path:
    """A project with findings, all of which its baseline knows."""
    write(
        tmp_path,
        {"src/a.cu": call("f") + call("g", 1) + "void h() { cudaFooBar(1); }\n", "src/lib/b.cuh": call("b", 2)},
    )
    assert quickly("baseline", "create", "src", "--baseline", BASELINE).returncode == 0
    return tmp_path


def entries(root: Path) -> list[dict[str, str]]:
    head, *lines = (root / BASELINE).read_text().splitlines()
    settings = [versions_line(NEWEST)]
    assert json.loads(head) == {"baseline": "hipify-py", "format": 1, "settings": settings}
    return [json.loads(line) for line in lines]


def places(root: Path) -> list[tuple[str, str]]:
    return [(entry["path"], entry["id"]) for entry in entries(root)]


def check(quickly: Run, *more: str) -> tuple[int, list[str], int]:
    """The exit status, the new findings as file and id, and how many are known."""
    run = quickly("check", "src", "--baseline", BASELINE, "--format", "json", *more)
    document: dict[str, Any] = json.loads(run.stdout)
    assert document_of(report_of(document)) == document
    new = [f"{finding['path']} {finding['id']}" for file in document["files"] for finding in file["findings"]]
    known = sum(len(file["known"]) for file in document["files"])
    assert document["totals"]["known"] == known
    return run.returncode, new, known


def test_a_baseline_is_sorted_lines_without_places(legacy: Path) -> None:
    assert places(legacy) == [*[("src/a.cu", "HIP101")] * 2, ("src/a.cu", "HIP102"), ("src/lib/b.cuh", "HIP101")]
    assert all(set(entry) == {"path", "id", "name", "fingerprint"} for entry in entries(legacy))


def test_what_is_known_does_not_fail_and_is_counted(legacy: Path, quickly: Run) -> None:
    assert quickly("check", "src").returncode == 1
    run = quickly("check", "src", "--baseline", BASELINE)
    assert (run.returncode, run.stdout) == (0, b"")
    assert b"4 known" in run.stderr
    assert b"error" not in run.stderr
    assert check(quickly) == (0, [], 4)


def test_what_is_new_fails(legacy: Path, quickly: Run) -> None:
    write(legacy, {"src/new.cu": call("n", 7)})
    assert check(quickly) == (1, ["src/new.cu HIP101"], 4)
    with (legacy / "src/a.cu").open("a") as file:
        file.write(call("again"))  # equal to one that is known, which stands there once more now
    assert check(quickly) == (1, ["src/a.cu HIP101", "src/new.cu HIP101"], 4)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "// a line\n\n" * 30 + text,
        lambda text: text.replace("(0, 0", "(0,\n      0").replace("void g() {", "void g()\n{\n  "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("void h", "/* about h */ void h").replace("Bar(1)", "Bar( 1 )"),
        lambda text: text.replace("void f() {", "void f() { int x; x = 1;"),
    ],
    ids=["moved", "reformatted", "line endings", "comments", "code beside it"],
)
def test_known_findings_stay_known(legacy: Path, quickly: Run, change: Any) -> None:
    path = legacy / "src/a.cu"
    path.write_bytes(change(path.read_text()).encode())
    assert check(quickly) == (0, [], 4)


def test_findings_of_renamed_files_are_known(legacy: Path, quickly: Run) -> None:
    (legacy / "src/a.cu").rename(legacy / "src/lib/renamed.cu")
    assert check(quickly) == (0, [], 4)
    (legacy / "src/lib").rename(legacy / "src/other")
    assert check(quickly) == (0, [], 4)
    assert quickly("baseline", "prune", "src", "--baseline", BASELINE).returncode == 0
    assert {path for path, _ in places(legacy)} == {"src/other/renamed.cu", "src/other/b.cuh"}
    assert check(quickly) == (0, [], 4)


def test_a_copy_is_new(legacy: Path, quickly: Run) -> None:
    """Only a file that is no more is taken for one that was renamed, and once only."""
    write(legacy, {"src/copy.cuh": call("b", 2)})
    assert check(quickly) == (1, ["src/copy.cuh HIP101"], 4)
    (legacy / "src/lib/b.cuh").rename(legacy / "src/lib/moved.cuh")
    status, new, known = check(quickly)
    assert (status, len(new), known) == (1, 1, 4)


def test_what_is_gone_is_told_and_pruned(legacy: Path, quickly: Run) -> None:
    write(legacy, {"src/a.cu": call("f"), "src/new.cu": call("n", 7)})
    (legacy / "src/lib/b.cuh").unlink()
    run = quickly("check", "src", "--baseline", BASELINE)
    assert b"3 findings of the baseline gone" in run.stderr
    assert b"src/lib/b.cuh: HIP101 cudaGraphConditionalHandleCreate" in run.stderr
    document = json.loads(quickly("check", "src", "--baseline", BASELINE, "--format", "json").stdout)
    assert [gone["path"] for gone in document["baseline"]["gone"]] == ["src/a.cu", "src/a.cu", "src/lib/b.cuh"]
    run = quickly("baseline", "prune", "src", "--baseline", BASELINE)
    assert b"1 finding (3 gone)" in run.stderr
    assert places(legacy) == [("src/a.cu", "HIP101")]
    assert check(quickly) == (1, ["src/new.cu HIP101"], 1)


def test_update_takes_up_and_takes_out(legacy: Path, quickly: Run) -> None:
    write(legacy, {"src/a.cu": call("f"), "src/new.cu": call("n", 7)})
    run = quickly("baseline", "update", "src", "--baseline", BASELINE)
    assert b"3 findings (1 new, 2 gone)" in run.stderr
    assert places(legacy) == [("src/a.cu", "HIP101"), ("src/lib/b.cuh", "HIP101"), ("src/new.cu", "HIP101")]
    assert check(quickly) == (0, [], 3)


def test_files_that_are_not_looked_at_keep_their_entries(legacy: Path, quickly: Run) -> None:
    write(legacy, {"src/a.cu": "int a;\n"})
    assert quickly("baseline", "prune", "src/a.cu", "--baseline", BASELINE).returncode == 0
    assert places(legacy) == [("src/lib/b.cuh", "HIP101")]
    before = (legacy / BASELINE).read_bytes()
    for command in ("prune", "update"):
        quickly("baseline", command, "src/a.cu", "--baseline", BASELINE)
        assert (legacy / BASELINE).read_bytes() == before


def test_a_file_that_cannot_be_read_keeps_its_entries(legacy: Path, quickly: Run) -> None:
    (legacy / "src/a.cu").write_bytes("int a;\n".encode("utf-16"))
    before = (legacy / BASELINE).read_bytes()
    assert quickly("baseline", "update", "src", "--baseline", BASELINE).returncode == 3
    assert (legacy / BASELINE).read_bytes() == before
    assert check(quickly)[0] == 3


def test_create_overwrites_nothing(legacy: Path, quickly: Run) -> None:
    before = (legacy / BASELINE).read_bytes()
    run = quickly("baseline", "create", "src", "--baseline", BASELINE)
    assert run.returncode == 2
    assert b"already exists" in run.stderr
    assert (legacy / BASELINE).read_bytes() == before


def test_in_ci_a_baseline_only_shrinks(legacy: Path, quickly: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    write(legacy, {"src/a.cu": call("f"), "src/new.cu": call("n", 7)})
    before = (legacy / BASELINE).read_bytes()
    for command in (("update", BASELINE), ("create", "other.jsonl")):
        run = quickly("baseline", command[0], "src", "--baseline", command[1])
        assert run.returncode == 2
        assert b"--in-ci" in run.stderr
    assert (legacy / BASELINE).read_bytes() == before
    assert not (legacy / "other.jsonl").exists()
    assert quickly("baseline", "prune", "src", "--baseline", BASELINE).returncode == 0
    assert places(legacy) == [("src/a.cu", "HIP101"), ("src/lib/b.cuh", "HIP101")]
    assert quickly("baseline", "update", "src", "--baseline", BASELINE, "--in-ci").returncode == 0


def test_it_does_not_matter_from_where_one_looks(legacy: Path, quickly: Run) -> None:
    for folder, path, baseline in (
        (legacy / "src", ".", f"../{BASELINE}"),
        (legacy / "src/lib", "..", f"../../{BASELINE}"),
    ):
        run = quickly("check", path, "--baseline", baseline, cwd=folder)
        assert (run.returncode, run.stdout) == (0, b"")
    assert quickly("check", str(legacy / "src"), "--baseline", str(legacy / BASELINE)).returncode == 0


def test_the_configuration_names_a_baseline(legacy: Path, quickly: Run) -> None:
    write(legacy, {"hipify-py.toml": f'baseline = "{BASELINE}"\n'})
    assert quickly("check", "src").returncode == 0
    assert quickly("check", "lib", cwd=legacy / "src").returncode == 0
    write(legacy, {"src/new.cu": call("n", 7)})
    assert quickly("check", "src").returncode == 1
    assert quickly("baseline", "update", "src").returncode == 0
    assert quickly("check", "src").returncode == 0


@pytest.mark.parametrize(
    "name", ["../outside.jsonl", "/tmp/outside.jsonl", "link/outside.jsonl", "", "a\\u0000b", "lib/../../x"]
)
def test_a_configuration_names_no_place_elsewhere(tmp_path: Path, quickly: Run, name: str) -> None:
    """It comes with a tree that nobody may have vouched for."""
    write(tmp_path, {"tree/a.cu": call("f"), "tree/hipify-py.toml": f'baseline = "{name}"\n'})
    (tmp_path / "tree/link").symlink_to("..")
    for command in (("check", "tree"), ("baseline", "create", "tree")):
        run = quickly(*command)
        assert run.returncode == 2
        assert b"hipify-py.toml" in run.stderr
        assert b"Traceback" not in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree"]


def test_packages_have_baselines_of_their_own(tmp_path: Path, quickly: Run) -> None:
    for name in ("one", "two"):
        write(tmp_path, {f"{name}/a.cu": call(name), f"{name}/hipify-py.toml": 'baseline = "known.jsonl"\n'})
    assert quickly("baseline", "create", "one", "two").returncode == 0
    assert (tmp_path / "one/known.jsonl").read_bytes() == (tmp_path / "two/known.jsonl").read_bytes()
    assert quickly("check", "one", "two").returncode == 0
    write(tmp_path, {"two/b.cu": call("x", 3)})
    assert quickly("check", "one", "two").stdout.startswith(b"two/b.cu:1:")


def test_suppressed_findings_are_not_taken_up(tmp_path: Path, quickly: Run) -> None:
    write(tmp_path, {"src/a.cu": call("f").rstrip() + " // hipify: ignore[HIP101] meant\n" + call("g", 1)})
    quickly("baseline", "create", "src", "--baseline", BASELINE, "--ignore", "HIP9")
    assert places(tmp_path) == [("src/a.cu", "HIP101")]


def test_names_that_are_no_text_are_kept_exactly(tmp_path: Path, quickly: Run) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    for name in (b"\xff\n.cu", "é\u2028\"'.cu".encode()):
        (folder / os.fsdecode(name)).write_text(call("f"))
    quickly("baseline", "create", "src", "--baseline", BASELINE)
    assert check(quickly) == (0, [], 2)


HEAD = '{"baseline": "hipify-py", "format": 1}\n'
ENTRY = '{"path": "a.cu", "id": "HIP101", "name": "x", "fingerprint": "00"}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("[]\n", "not a hipify-py baseline"),
        ("{}\n", "not a hipify-py baseline"),
        (HEAD.replace("1", "2"), "format is 2"),
        (HEAD.replace("1", '"' + "9" * 5000 + '"'), "format is"),
        (HEAD + ENTRY[:-9], "cut off"),
        (HEAD + ENTRY + "<<<<<<< ours\n", ":3: an unresolved git conflict"),
        (HEAD + '{"path": "a.cu"}\n', ":2: not a finding"),
        (HEAD + ENTRY.replace('"00"', "7"), ":2: not a finding"),
        (HEAD + "null\n", ":2: not a finding"),
        (HEAD + "[" * 30_000 + "\n", ":2: no JSON"),
        (HEAD + "1" * 10_000 + "\n", ":2: no JSON"),
        (HEAD + ENTRY.replace("a.cu", "a" * 70_000), "longer than"),
        (HEAD + "\udcff\n", ":2: no JSON"),
        ("\0" * 100 + "\n", "no JSON"),
    ],
)
@pytest.mark.parametrize("command", [("check",), ("baseline", "prune")])
def test_a_damaged_baseline_is_told(
    tmp_path: Path, quickly: Run, command: tuple[str, ...], text: str, says: str
) -> None:
    write(tmp_path, {"a.cu": call("f")})
    (tmp_path / BASELINE).write_bytes(text.encode("utf-8", "surrogateescape"))
    run = quickly(*command, "a.cu", "--baseline", BASELINE)
    assert run.returncode == 2
    assert f"Error: {BASELINE}:".encode() in run.stderr
    assert says.encode() in run.stderr
    assert len(run.stderr) < 300
    assert (tmp_path / BASELINE).read_bytes() == text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("make", ["missing", "folder", "pipe", "large"])
def test_what_is_no_file_is_told(tmp_path: Path, quickly: Run, make: str) -> None:
    write(tmp_path, {"a.cu": call("f")})
    path = tmp_path / BASELINE
    if make == "folder":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "large":
        with path.open("wb") as file:
            file.truncate((64 << 20) + 1)
    run = quickly("check", "a.cu", "--baseline", BASELINE)
    assert run.returncode == 2
    assert BASELINE.encode() in run.stderr


def test_paths_that_lead_elsewhere_are_only_names(tmp_path: Path, quickly: Run) -> None:
    """An entry of a file outside is gone, or left alone where there is such a file; nothing is read."""
    outside = [ENTRY.replace("a.cu", path) for path in ("../../../etc/passwd", "/etc/passwd", "a\\u0000b", "../none")]
    write(tmp_path, {"a.cu": call("f"), BASELINE: HEAD + "".join(outside)})
    assert quickly("check", "a.cu", "--baseline", BASELINE).returncode == 1
    assert quickly("baseline", "prune", "a.cu", "--baseline", BASELINE).returncode == 0


def test_lines_of_both_sides_of_a_merge_are_a_baseline(tmp_path: Path, quickly: Run) -> None:
    """Whatever their order, and twice or once."""
    write(tmp_path, {"src/a.cu": call("f"), "src/b.cu": call("g", 1)})
    quickly("baseline", "create", "src", "--baseline", BASELINE)
    head, *lines = (tmp_path / BASELINE).read_text().splitlines(keepends=True)
    (tmp_path / BASELINE).write_text(head + "".join([*reversed(lines), "\n", *lines]).replace("\n", "\r\n"))
    assert check(quickly) == (0, [], 2)
    write(tmp_path, {"src/b.cu": "int b;\n"})
    quickly("baseline", "prune", "src", "--baseline", BASELINE)
    assert (tmp_path / BASELINE).read_text() == head + lines[0]


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_branch_is_held_to_what_it_adds(legacy: Path, hipify: Run) -> None:
    """A legacy project with a baseline; a branch adds one unsupported call and mends another."""
    git(legacy, "init", "-q", "-b", "main")
    git(legacy, "add", ".")
    git(legacy, "commit", "-qm", "legacy")
    git(legacy, "checkout", "-qb", "feature")
    text = (legacy / "src/a.cu").read_text()
    write(legacy, {"src/a.cu": text.replace(call("g", 1), "") + call("added", 5)})
    git(legacy, "commit", "-qam", "feature")
    run = hipify("check", "src", "--baseline", BASELINE)
    assert run.returncode == 1
    assert run.stdout.count(b"\n") == 1
    assert run.stdout.startswith(b"src/a.cu:3:16: error HIP101")
    assert b"3 known" in run.stderr
    assert b"1 finding of the baseline gone" in run.stderr
    # The gate passes when the call is taken out again, and the mended one leaves the baseline as one line.
    write(legacy, {"src/a.cu": text.replace(call("g", 1), "")})
    assert hipify("check", "src", "--baseline", BASELINE).returncode == 0
    assert hipify("baseline", "prune", "src", "--baseline", BASELINE, env={"CI": "true"}).returncode == 0
    assert git(legacy, "diff", "--numstat", BASELINE).split() == ["0", "1", BASELINE]


def test_two_branches_that_prune_merge_without_conflict(legacy: Path, quickly: Run) -> None:
    git(legacy, "init", "-q", "-b", "main")
    git(legacy, "add", ".")
    git(legacy, "commit", "-qm", "legacy")
    for branch, changed in (("one", "src/a.cu"), ("two", "src/lib/b.cuh")):
        git(legacy, "checkout", "-qb", branch, "main")
        text = (legacy / changed).read_text()
        write(legacy, {changed: text.replace(call("f"), "").replace(call("b", 2), "int b;\n")})
        quickly("baseline", "prune", "src", "--baseline", BASELINE)
        git(legacy, "commit", "-qam", branch)
    git(legacy, "merge", "-q", "one", "-m", "merge")
    assert places(legacy) == [("src/a.cu", "HIP101"), ("src/a.cu", "HIP102")]
    assert check(quickly) == (0, [], 2)


def test_a_run_that_is_said_again_knows_of_a_changed_baseline(legacy: Path, hipify: Run) -> None:
    arguments = ("check", "src", "--baseline", BASELINE)
    for _ in range(2):
        assert hipify(*arguments).returncode == 0
    head = (legacy / BASELINE).read_text().splitlines(keepends=True)[0]
    (legacy / BASELINE).write_text(head)
    assert hipify(*arguments).returncode == 1


def test_a_baseline_is_for_the_versions_that_it_was_made_with(quickly: Run, legacy: Path) -> None:
    for command in (("check", "src"), ("baseline", "prune", "src")):
        run = quickly(*command, "--baseline", BASELINE, "--rocm", "6.4")
        assert run.returncode == 2
        assert b"known.jsonl was made for CUDA 13.5, ROCm 10.0, target hip, and this run is for" in run.stderr
        assert b"ROCm 6.4, target hip: choose the same versions, or adopt the new ones with hipify-py" in run.stderr
    assert quickly("baseline", "update", "src", "--baseline", BASELINE, "--rocm", "6.4").returncode == 0
    assert quickly("check", "src", "--baseline", BASELINE, "--rocm", "6.4").returncode == 0
    assert quickly("check", "src", "--baseline", BASELINE).returncode == 2
