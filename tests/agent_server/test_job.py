"""A run of the server says what the command line says, and nothing of what is outside its folders."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hipify_py.agent_server import job, limits, request
from hipify_py.agent_server.request import Request
from tests.cli.in_process import run_here

SOURCE = """\
#include <cuda_runtime.h>
__global__ void kernel(float *a) { a[threadIdx.x] += __any_sync(0xffffffff, a[0] > 1); }
void f(cublasHandle_t h, cudaGraph_t g) {
    cublasSetSmCountTarget(h, 1);
    cudaGraphConditionalHandleCreate(g);
    cudaFooBar(1);
}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a run changes the folder
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_text(SOURCE)
    (tmp_path / "src/b.cu").write_text("void g(void *p) { cudaFree(p); cudaFooBar(2); }\n")
    return tmp_path


def answered(root: Path, action: str, *paths: str, **more: Any) -> tuple[str, Any]:
    """The last line of an answer."""
    lines: list[tuple[str, Any]] = []
    asked = Request(action, [str(root)], [*paths], **{"limit": 200, **more})
    job.answer(request.request_in(asked.line().decode()), lambda kind, value: lines.append((kind, value)))
    assert all(kind == request.PROGRESS for kind, _ in lines[:-1])
    kind, value = request.answer_in(request.answer_line(*lines[-1]).encode())
    return kind, value


def result(root: Path, action: str, *paths: str, **more: Any) -> dict[str, Any]:
    kind, value = answered(root, action, *paths, **more)
    assert kind == request.RESULT, value
    found: dict[str, Any] = value
    return found


def refusal(root: Path, action: str, *paths: str, **more: Any) -> str:
    kind, value = answered(root, action, *paths, **more)
    assert kind == request.REFUSED, value
    said: str = value
    return said


def said_by_check(root: Path, *arguments: str) -> dict[str, Any]:
    done = run_here(root, "check", *arguments, "--format", "json")
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.mark.parametrize("arguments", [{}, {"rocm": "6.0"}, {"target": "roc", "cuda": "12.4"}], ids=str)
def test_the_findings_are_those_of_check(root: Path, arguments: dict[str, str]) -> None:
    found = result(root, request.CHECK, "src", **arguments)
    document = said_by_check(root, "src", *(f"--{key}={value}" for key, value in arguments.items()))
    assert found["verdict"] == document["verdict"]
    assert found["causes"] == document["causes"]
    assert found["totals"] == {key: document["totals"][key] for key in found["totals"]}
    assert found["targeting"] == document["targeting"]
    theirs = [finding for file in document["files"] for finding in file["findings"]]
    assert found["findings_in_all"] == len(theirs) > 3
    for ours, their in zip(found["findings"], theirs, strict=True):
        assert ours["page"] == f"hipify-py://finding/{their['id']}"
        same = ours.keys() - {"page", "fix", "places", "whole_file"}
        assert {key: ours[key] for key in same} == {key: their[key] for key in same}


def test_the_configuration_and_its_baseline_count(root: Path) -> None:
    assert run_here(root, "baseline", "create", "src", "--baseline", "known.jsonl", "--rocm=6.0").returncode in (0, 1)
    (root / "hipify-py.toml").write_text('baseline = "known.jsonl"\nrocm = "6.0"\n')
    found = result(root, request.CHECK, "src")
    assert found["findings"] == []
    assert found["known"] > 3
    assert found["targeting"]["rocm"] == "6.0"
    assert found["known"] == said_by_check(root, "src")["totals"]["known"]


def test_a_wrong_configuration_is_a_refusal(root: Path) -> None:
    (root / "hipify-py.toml").write_text("colour = 1\n")
    assert "colour is not a key" in refusal(root, request.CHECK, "src")


@pytest.mark.parametrize(
    ("arguments", "words"), [({"rocm": "six"}, "six"), ({"cuda": "new"}, "new"), ({"rocm": "--in-place"}, "in-place")]
)
def test_so_is_a_wrong_version(root: Path, arguments: dict[str, str], words: str) -> None:
    assert words in refusal(root, request.CHECK, "src", **arguments)


def test_findings_can_be_chosen_and_come_in_pages(root: Path) -> None:
    every = result(root, request.CHECK, "src")["findings"]
    errors = result(root, request.CHECK, "src", severity="error")
    assert errors["findings"] == [each for each in every if each["severity"] == "error"]
    unknown = result(root, request.CHECK, "src", ids=("HIP102",))
    assert {each["id"] for each in unknown["findings"]} == {"HIP102"}
    first = result(root, request.CHECK, "src", limit=2)
    assert (first["left_out"], first["next_offset"]) == (len(every) - 2, 2)
    rest = result(root, request.CHECK, "src", offset=2)
    assert [*first["findings"], *rest["findings"]] == every


def test_five_thousand_findings_fit_into_bounded_pages(root: Path) -> None:
    lines = "".join(f"    cublasSetSmCountTarget(h, {number}); cudaFoo{number}();\n" for number in range(2_500))
    (root / "src/many.cu").write_text(f"void f(cublasHandle_t h) {{\n{lines}}}\n")
    found = result(root, request.CHECK, "src/many.cu")
    assert found["findings_in_all"] >= 2_500
    assert len(found["findings"]) == 200
    assert found["left_out"] == found["findings_in_all"] - 200
    assert len(found["causes"]) <= limits.MOST_CAUSES
    assert len(json.dumps(found)) < 300_000
    kind, cause = answered(root, request.NEXT, "src/many.cu", limit=10)
    assert kind == request.RESULT
    assert (len(cause["findings"]), cause["left_out"]) == (10, cause["findings_in_all"] - 10)


def test_next_is_the_gravest_cause_with_all_its_places(root: Path) -> None:
    document = said_by_check(root, "src")
    for skip, cause in enumerate(document["causes"]):
        found = result(root, request.NEXT, "src", skip=skip)
        assert found["cause"] == cause
        assert found["causes_left"] == len(document["causes"]) - skip
        assert found["findings_in_all"] == cause["places"]
        assert found["advice"]
    last = result(root, request.NEXT, "src", skip=len(document["causes"]))
    assert (last["cause"], last["causes_left"], last["findings"]) == (None, 0, [])


def test_a_conversion_is_that_of_convert(root: Path) -> None:
    assert run_here(root, "convert", "src", "-o", "theirs", "--quiet").returncode == 1
    found = result(root, request.CONVERT, "src", output="ours/")
    assert found["written"]
    assert sorted(found["targets"]) == ["ours/a.cu", "ours/b.cu"]
    assert found["headers"] == ["ours/hipify_support.hpp"]
    for name in ("a.cu", "b.cu", "hipify_support.hpp"):
        assert (root / "ours" / name).read_bytes() == (root / "theirs" / name).read_bytes()


def test_without_an_output_it_shows_the_diff_of_convert(root: Path) -> None:
    diff = run_here(root, "convert", "src", "--diff", "--quiet").stdout.decode()
    found = result(root, request.CONVERT, "src")
    assert (found["diff"], found["diff_left_out"], found["next_offset"]) == (diff, 0, None)
    assert not found["written"]
    assert (root / "src/a.cu").read_text() == SOURCE


def test_a_long_diff_comes_in_pages(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = result(root, request.CONVERT, "src")["diff"]
    monkeypatch.setattr(limits, "LONGEST_DIFF", 100)
    text, offset = "", 0
    while True:
        found = result(root, request.CONVERT, "src", offset=offset)
        assert found["diff_left_out"] == len(whole) - offset - len(found["diff"])
        text += found["diff"]
        if found["next_offset"] is None:
            break
        offset = found["next_offset"]
    assert text == whole


def test_a_second_conversion_overwrites_nothing(root: Path) -> None:
    result(root, request.CONVERT, "src", output="hip/")
    (root / "hip/a.cu").write_text("edited\n")
    assert "not empty" in refusal(root, request.CONVERT, "src", output="hip/")
    assert (root / "hip/a.cu").read_text() == "edited\n"


def test_an_output_inside_the_input_is_not_read_again(root: Path) -> None:
    result(root, request.CONVERT, ".", output="hip/")
    found = result(root, request.CHECK, ".")
    assert {each["path"] for each in found["findings"]} == {"src/a.cu", "src/b.cu"}
    files = result(root, request.CHECK, "hip")["totals"]["files"]
    assert (files["converted"], files["unchanged"]) == (0, 3)  # one is the support header


def test_links_that_lead_out_are_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    beside = tmp_path_factory.mktemp("beside")
    (beside / "secret.cu").write_text("void f() { cudaSecret(); }\n")
    (beside / "secret.cuh").write_text("void g() { cudaSecretToo(); }\n")
    os.symlink(beside, root / "src/folder")
    os.symlink(beside / "secret.cu", root / "src/link.cu")
    (root / "src/a.cu").write_text(f'#include "{beside}/secret.cuh"\nvoid f(void *p) {{ cudaFree(p); }}\n')
    for action in (request.CHECK, request.NEXT, request.CONVERT):
        assert "cudaSecret" not in json.dumps(result(root, action, "src"))
    result(root, request.CONVERT, "src", output="hip/")
    assert "cudaSecret" not in "".join(path.read_text() for path in (root / "hip").rglob("*") if path.is_file())


def test_a_folder_that_becomes_a_link_during_the_run_shows_nothing(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path_factory.mktemp("beside")
    (beside / "a.cu").write_text("void f() { cudaSecret(); }\n")
    real = job.convert_groups

    def swapped(*arguments: Any, **more: Any) -> Any:
        os.rename(root / "src", root / "was")
        os.symlink(beside, root / "src")
        return real(*arguments, **more)

    monkeypatch.setattr(job, "convert_groups", swapped)
    said = refusal(root, request.CHECK, "src")
    assert "leads out" in said
    assert "cudaSecret" not in said


def test_in_place_needs_version_control(root: Path) -> None:
    assert "no version control" in refusal(root, request.CONVERT, "src", in_place=True)
    assert (root / "src/a.cu").read_text() == SOURCE


@pytest.mark.parametrize(
    "data",
    [b"\0\1\2\xff" * 100, "void f(void *p) { cudaFree(p); }".encode("utf-16"), b"", b"\xef\xbb\xbf", b"\xff" * 5000],
    ids=["binary", "utf-16", "empty", "mark", "no utf-8"],
)
def test_any_content_has_an_answer(root: Path, data: bytes) -> None:
    (root / "src/a.cu").write_bytes(data)
    for action in (request.CHECK, request.NEXT, request.CONVERT):
        assert answered(root, action, "src")[0] == request.RESULT


def test_an_empty_tree_has_one_as_well(root: Path) -> None:
    (root / "empty").mkdir()
    found = result(root, request.CHECK, "empty")
    assert (found["findings"], found["causes"]) == ([], [])
    assert result(root, request.NEXT, "empty")["cause"] is None


def test_a_name_of_any_bytes_can_be_sent(root: Path) -> None:
    with open(os.fsencode(root) + b"/src/\xff.cu", "wb") as file:
        file.write(b"void f() { cudaFooBar(); }\n")
    kind, value = answered(root, request.CHECK, "src")
    assert kind == request.RESULT
    request.answer_line(kind, value).encode("utf-8", "replace").decode()


def test_an_error_of_ours_is_told_without_ending_anything(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("out of order")

    monkeypatch.setattr(job, "convert_groups", broken)
    assert answered(root, request.CHECK, "src") == (request.FAILED, "internal error: RuntimeError: out of order")
    assert "Traceback" in capsys.readouterr().err


def test_without_a_compiler_verify_says_that_nobody_knows(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.clang.toolchain import Toolchain
    from hipify_py.cli import verification

    monkeypatch.setattr(verification, "find_hipcc", lambda: None)
    monkeypatch.setattr(verification, "find_toolchain", lambda **_: Toolchain(None, None, None, None))
    found = result(root, request.VERIFY, "src")
    assert found["tried"] is False
    assert "could not be found" in found["problem"]
    assert "no compiler has tried" in found["verdict"]


def test_errors_in_other_files_count_and_are_not_shown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.clang.toolchain import Part, Toolchain
    from hipify_py.cli import verification
    from hipify_py.compile.check import CompileReport
    from hipify_py.compile.diagnostics import Message

    part = Part("/there", "7.1", "fetched")
    messages = [
        Message(path, 1, 1, "error", f"in {path}")
        for path in ("src/b.cu", "/etc/passwd", "/there/include/hip.h", "/usr/include/x.h", "src/../../passwd")
    ]
    monkeypatch.setattr(verification, "find_hipcc", lambda: None)
    monkeypatch.setattr(verification, "find_toolchain", lambda **_: Toolchain(part, part, part, part))
    monkeypatch.setattr(verification, "check_groups", lambda *_, **__: [CompileReport(2, 1, messages, [], [])])
    found = result(root, request.VERIFY, "src")
    told = {each["path"] for each in found["findings"] if each["message"] == f"in {each['path']}"}
    assert told == {"src/b.cu", "/there/include/hip.h", "/usr/include/x.h"}
    assert (found["findings_in_all"], found["files_elsewhere"]) == (5, 2)
    assert "blocks the port" in found["verdict"] or "block the port" in found["verdict"]
    hidden = [each for each in found["findings"] if "passwd" in each["path"]]
    assert all(each["message"].startswith("errors in a file outside of") for each in hidden)
    assert all(each["source_line"] == each["name"] == "" for each in hidden)
