"""libclang's view in runs: who is asked, what comes of it, what is kept of it, and what happens where it is missing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipify_py.clang import toolchain as parts
from hipify_py.clang import worker_pool as asking
from hipify_py.clang.protocol import OUT_OF_TIME, Answer, Job
from hipify_py.clang.toolchain import Part, Toolchain
from hipify_py.core.options import AUTO, DEFAULT_OPTIONS, OFF, ON, default_semantics
from hipify_py.project import clang_sessions as views
from hipify_py.project.api import ConversionReport, check, convert, convert_groups
from hipify_py.project.errors import PlanError
from hipify_py.project.groups import Group
from hipify_py.project.result import Asked, FileResult
from hipify_py.project.unsaved import translate_unsaved
from hipify_py.report.text import summary

pytest.importorskip("clang.cindex", exc_type=ImportError)

CUDA_H = '#define __global__ __attribute__((global))\nextern "C" int cudaFree(void *);\n'
OWN_H = "#pragma once\n#define MAKE(x) inline int x##Run(int n) { return n; }\nMAKE(cudaBatch)\n"
MAIN = '#include <cuda_runtime.h>\n#include "own.h"\nint main() { cudaFree(nullptr); return cudaBatchRun(cudaGone); }\n'
"""A macro puts the name together, which the sources alone do not tell."""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    """Parts that are there: libclang, and headers enough for the sources of these tests."""
    include = tmp_path / "toolkit" / "include"
    include.mkdir(parents=True)
    (include / "cuda_runtime.h").write_text(CUDA_H)
    resources = tmp_path / "resources"
    (resources / "include").mkdir(parents=True)
    (resources / "include" / "__clang_cuda_runtime_wrapper.h").write_text("")
    own = parts.find_toolchain({})
    assert own.library is not None, "the bindings bring one"
    made = Toolchain(own.library, Part(str(resources), "18", "test"), Part(str(include.parent), "12.0", "test"), None)
    monkeypatch.setattr("hipify_py.project.clang_sessions.find_toolchain", lambda *_, **__: made)
    return made


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The questions that libclang is asked in this process."""
    seen: list[Job] = []
    ask = asking.Asker.ask

    def noting(self: asking.Asker, job: Job) -> Answer:
        seen.append(job)
        return ask(self, job)

    monkeypatch.setattr(asking.Asker, "ask", noting)
    return seen


@pytest.fixture
def tree(tmp_path: Path, found: Toolchain) -> Path:
    return written(tmp_path / "src", {"main.cu": MAIN, "own.h": OWN_H})


def of_doubts(questions: list[Job]) -> list[Job]:
    """The parses of sources; others make precompiled headers."""
    return [job for job in questions if job.kind == "doubts"]


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


SEEN, UNSEEN = (DEFAULT_OPTIONS._replace(semantics=choice) for choice in (AUTO, OFF))


def unknown(report: ConversionReport, name: str = "main.cu") -> list[str]:
    """The names of a file that are reported as CUDA's."""
    return [finding.name for finding in result_of(report, name).findings if finding.id == "HIP102"]


def result_of(report: ConversionReport, name: str) -> FileResult:
    return next(result for result in report.results if result.path.endswith(name))


def test_a_project_is_seen_with_its_headers(tree: Path, questions: list[Job]) -> None:
    assert unknown(check([tree], options=UNSEEN, jobs=1)) == ["cudaBatchRun", "cudaGone"]
    assert questions == []
    report = check([tree], options=SEEN, jobs=1)
    assert unknown(report) == ["cudaGone"]
    asked = result_of(report, "main.cu").asked
    assert asked is not None
    assert (asked.doubts, asked.answers, asked.problem) == (2, 1, "")
    assert asked.seconds > 0


def test_only_files_in_doubt_are_asked_about(tree: Path, questions: list[Job]) -> None:
    written(tree, {"sure.cu": "#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }\n"})
    report = check([tree], options=SEEN, jobs=1)
    assert [os.path.basename(job.path) for job in questions if job.path.endswith("sure.cu")] == []
    assert result_of(report, "sure.cu").asked is None


@pytest.mark.parametrize("lacking", ["library", "resources", "cuda"])
def test_without_the_parts_auto_goes_on_and_on_does_not(
    lacking: str, tree: Path, found: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesser: Toolchain = found._replace(**{lacking: None}, problems=("what is named is no file",))  # type: ignore[arg-type]
    monkeypatch.setattr("hipify_py.project.clang_sessions.find_toolchain", lambda *_, **__: lesser)
    plainly = check([tree], options=UNSEEN, jobs=1)
    assert check([tree], options=SEEN, jobs=1).results == plainly.results
    with pytest.raises(PlanError, match=r"what is named is no file; .*fetch-headers"):
        check([tree], options=SEEN._replace(semantics=ON), jobs=1)


def test_workers_ask_as_one_process_does(tree: Path) -> None:
    padding = "// " + "x" * 100 + "\n"
    written(tree, {f"more{n}.cu": MAIN + padding * 1000 for n in range(3)})
    alone, several = (check([tree], options=SEEN, jobs=jobs) for jobs in (1, 2))
    assert [untimed(result) for result in several.results] == [untimed(result) for result in alone.results]
    assert unknown(several, "more2.cu") == ["cudaGone"]


def untimed(result: FileResult) -> FileResult:
    asked = result.asked
    return result._replace(asked=None if asked is None else asked._replace(seconds=0.0), read_as=None)


def test_a_later_run_does_not_ask_again(tree: Path, questions: list[Job]) -> None:
    first = check([tree], options=SEEN, jobs=1, cache=True)
    count = len(questions)
    assert count
    again = check([tree], options=SEEN, jobs=1, cache=True)
    assert len(questions) == count
    assert [untimed(result) for result in again.results] == [untimed(result) for result in first.results]
    assert all(result.asked is None or result.asked.seconds == 0 for result in again.results)


def test_runs_with_and_without_are_kept_apart(tree: Path, questions: list[Job]) -> None:
    for _ in range(2):
        assert unknown(check([tree], options=UNSEEN, jobs=1, cache=True)) == ["cudaBatchRun", "cudaGone"]
        assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]


def test_a_changed_header_is_looked_at_again(tree: Path, questions: list[Job]) -> None:
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]
    (tree / "own.h").write_text(OWN_H + "MAKE(cudaOther)\nconst int cudaGone = 1;\n")
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == []
    (tree / "own.h").write_text("#pragma once\n")
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaBatchRun", "cudaGone"]


def test_a_header_that_was_missing_is_looked_at(tree: Path, questions: list[Job]) -> None:
    (tree / "own.h").write_text('#pragma once\n#include "late.h"\n#include <nowhere/late.h>\n')
    report = check([tree], options=SEEN, jobs=1, cache=True)
    assert unknown(report) == ["cudaBatchRun", "cudaGone"]
    asked = result_of(report, "main.cu").asked
    assert asked is not None
    assert (asked.problem, asked.left_out) == ("", False)
    (tree / "late.h").write_text(OWN_H)
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]


@pytest.mark.parametrize("place", ["src/inc/own.h", "src/own.h", "src/first/own.h"])
def test_a_header_that_comes_earlier_on_the_search_path_is_looked_at(
    place: str, tmp_path: Path, found: Toolchain, questions: list[Job]
) -> None:
    main = MAIN.replace("#include <cuda_runtime.h>", '#include <cuda_runtime.h>\n#include "inc/deep.h"')
    tree = written(tmp_path / "src", {"main.cu": main, "inc/deep.h": '#include "own.h"\n', "last/own.h": OWN_H})
    (tree / "first").mkdir()
    commands = [{"directory": str(tree), "file": "main.cu", "command": "nvcc -Ifirst -Ilast main.cu"}]
    (tree / "compile_commands.json").write_text(json.dumps(commands))
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]
    count = len(questions)
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]
    assert len(questions) == count
    written(tmp_path, {place: "#pragma once\n#define MAKE(x) const int x##one = 1;\nMAKE(cudaG)\n"})
    assert "cudaGone" not in unknown(check([tree], options=SEEN, jobs=1, cache=True))


def test_so_is_one_in_a_folder_that_is_there_already(tmp_path: Path, found: Toolchain, questions: list[Job]) -> None:
    main = MAIN.replace('"own.h"', "<deep/own.h>")
    tree = written(tmp_path / "src", {"main.cu": main, "first/deep/other.h": "", "last/deep/own.h": OWN_H})
    commands = [{"directory": str(tree), "file": "main.cu", "command": "nvcc -Ifirst -Ilast main.cu"}]
    (tree / "compile_commands.json").write_text(json.dumps(commands))
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]
    written(tree, {"first/deep/own.h": "#define MAKE(x) const int x##one = 1;\nMAKE(cudaG)\n"})
    assert "cudaGone" not in unknown(check([tree], options=SEEN, jobs=1, cache=True))


def test_other_include_folders_are_another_question(tmp_path: Path, found: Toolchain, questions: list[Job]) -> None:
    tree = written(tmp_path / "src", {"app/main.cu": MAIN.replace('"own.h"', "<deep/own.h>"), "lib/deep/own.h": OWN_H})
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]
    os.rename(tree / "lib" / "deep", tree / "lib" / "deeper")
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaBatchRun", "cudaGone"]


def test_no_answer_is_not_kept_for_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = asking.Asker.ask
    monkeypatch.setattr(asking.Asker, "ask", lambda self, job: Answer(OUT_OF_TIME, detail="after 120 s"))
    failing = check([tree], options=SEEN, jobs=1, cache=True)
    assert unknown(failing) == ["cudaBatchRun", "cudaGone"]
    assert result_of(failing, "main.cu").asked == Asked(
        2, 0, result_of(failing, "main.cu").asked.seconds, "out of time: after 120 s"
    )  # type: ignore[union-attr]
    monkeypatch.setattr(asking.Asker, "ask", ask)
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True)) == ["cudaGone"]


def test_files_that_are_replaced_are_seen_as_they_were(tmp_path: Path, found: Toolchain) -> None:
    # Translated, the header would no longer say what the sources mean by the name.
    header = OWN_H.replace(
        "#pragma once\n", "#pragma once\n#include <cuda_runtime.h>\ninline void f() { cudaFree(nullptr); }\n"
    )
    tree = written(tmp_path / "src", {f"{name}.cu": MAIN for name in "abc"} | {"own.h": header})
    report = convert([tree], in_place=True, force=True, options=SEEN, jobs=1)
    assert b"hipFree" in (tree / "own.h").read_bytes()
    assert [unknown(report, f"{name}.cu") for name in "abc"] == [["cudaGone"]] * 3


def test_standard_input_is_seen_as_the_file_that_it_stands_for(tree: Path, questions: list[Job]) -> None:
    path = str(tree / "main.cu")
    (tree / "main.cu").unlink()
    (result,) = translate_unsaved(MAIN.replace("cudaGone", "cudaBatchRun(1)").encode(), Group([path], SEEN))
    assert [finding.id for finding in result.findings if finding.id == "HIP102"] == []
    before = len(questions)
    assert translate_unsaved(b"void f() { cudaFree(0); }", Group([path], SEEN))
    assert len(questions) == before


def test_a_header_is_seen_through_a_source_that_includes_it(tmp_path: Path, found: Toolchain) -> None:
    part = "inline int part(int n) { return cudaBatchRun(n); }\n"
    tree = written(tmp_path / "src", {"main.cu": MAIN + '#include "part.cuh"\n', "part.cuh": part, "own.h": OWN_H})
    assert unknown(check([tree], options=SEEN, jobs=1), "part.cuh") == []
    (tree / "main.cu").unlink()
    assert unknown(check([tree], options=SEEN, jobs=1), "part.cuh") == ["cudaBatchRun"]


def with_batch(found: Toolchain) -> str:
    """A source that has from CUDA what others have from their own header."""
    assert found.cuda is not None
    (Path(found.cuda.path) / "include" / "batch.h").write_text('extern "C" int cudaBatchRun(int);\n')
    return "#include <cuda_runtime.h>\n#include <batch.h>\n"


PART = "inline int part(int n) { return cudaBatchRun(n); }\n"


def test_what_includers_of_a_header_disagree_on_is_not_settled(tmp_path: Path, found: Toolchain) -> None:
    ours = MAIN + '#include "part.cuh"\n'
    other = with_batch(found)
    tree = written(tmp_path / "src", {"main.cu": ours, "part.cuh": PART, "own.h": OWN_H})
    assert unknown(check([tree], options=SEEN, jobs=1), "part.cuh") == []
    written(tree, {"more.cu": other + '#include "part.cuh"\n'})
    assert unknown(check([tree], options=SEEN, jobs=1), "part.cuh") == ["cudaBatchRun"]
    (tree / "more.cu").write_text(ours)
    assert unknown(check([tree], options=SEEN, jobs=1), "part.cuh") == []


def test_an_includer_that_comes_is_asked_as_well(tmp_path: Path, found: Toolchain) -> None:
    ours = MAIN + '#include "part.cuh"\n'
    tree = written(tmp_path / "src", {"main.cu": ours, "part.cuh": PART, "own.h": OWN_H})
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True), "part.cuh") == []
    other = with_batch(found)
    written(tree, {"more.cu": other + '#include "part.cuh"\n'})
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True), "part.cuh") == ["cudaBatchRun"]


def test_a_source_and_its_headers_are_parsed_at_once(tmp_path: Path, found: Toolchain, questions: list[Job]) -> None:
    headers = {f"part{n}.cuh": PART.replace("part", f"part{n}") for n in range(3)}
    main = MAIN + "".join(f'#include "{name}"\n' for name in headers)
    tree = written(tmp_path / "src", {"main.cu": main, "own.h": OWN_H, **headers})
    report = check([tree], options=SEEN, jobs=1)
    assert [unknown(report, name) for name in ("main.cu", *headers)] == [["cudaGone"], [], [], []]
    assert len(of_doubts(questions)) == 1


def test_a_run_asks_about_so_many(
    tree: Path, tmp_path: Path, questions: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "LEAST", 2)
    written(
        tree, {f"more{n}.cu": MAIN for n in range(3)} | {"most.cu": MAIN.replace("cudaGone", "cudaGone + cudaNone")}
    )
    report = check([tree], options=SEEN, jobs=1, cache=True)
    asked = [[os.path.basename(file["path"]) for file in job.details["files"]] for job in of_doubts(questions)]
    assert asked == [["main.cu", "own.h"], ["most.cu"]]
    assert unknown(report, "most.cu") == ["cudaGone", "cudaNone"]
    assert unknown(report, "more1.cu") == ["cudaBatchRun", "cudaGone"]
    assert result_of(report, "more1.cu").asked == Asked(2, 0, left_out=True)
    assert "libclang did not examine 3 more with doubts" in "\n".join(summary(report.results, written=False))
    everything = check([tree], options=SEEN._replace(semantics=ON), jobs=1)
    assert unknown(everything, "more1.cu") == ["cudaGone"]
    again = check([tree], options=SEEN, jobs=1, cache=True)
    assert unknown(again, "more0.cu") == ["cudaGone"], "what a run leaves, the next one asks"


@pytest.mark.parametrize(
    ("command", "first"),
    [
        ("nvcc -Iinc -include first.h main.cu", "inc/first.h"),
        ("nvcc --include-path=inc --pre-include=first.h main.cu", "inc/first.h"),
        ("nvcc -include first.h main.cu", "first.h"),
        ("nvcc '-DRUN(n)=const int cuda##n = 1;' -DGone=Gone main.cu", ""),
    ],
)
def test_a_database_is_followed_as_for_compile(command: str, first: str, tmp_path: Path, found: Toolchain) -> None:
    source = "RUN(Gone)\n" + MAIN
    tree = written(tmp_path / "src", {"main.cu": source, "own.h": OWN_H, "inc/other.h": ""})
    if first:
        written(tree, {first: "#define RUN(n) const int cuda##n = 1;\n"})
    (tree / "compile_commands.json").write_text(
        json.dumps([{"directory": str(tree), "file": "main.cu", "command": command}])
    )
    assert unknown(check([tree], options=SEEN, jobs=1)) == []


def test_a_header_is_looked_at_again_when_that_source_changes(tmp_path: Path, found: Toolchain) -> None:
    part = "inline int part(int n) { return cudaBatchRun(n); }\n"
    main = MAIN.replace('#include "own.h"', OWN_H.replace("#pragma once", "")) + '#include "part.cuh"\n'
    tree = written(tmp_path / "src", {"main.cu": main, "part.cuh": part})
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True), "part.cuh") == []
    (tree / "main.cu").write_text(main.replace("MAKE(cudaBatch)", ""))
    assert unknown(check([tree], options=SEEN, jobs=1, cache=True), "part.cuh") == ["cudaBatchRun"]


@pytest.mark.parametrize(
    ("name", "include"),
    [("include/own.h", "<own.h>"), ("lib/api/own.h", "<api/own.h>"), ("own.h", '"own.h"'), ("a/b/own.h", '"b/own.h"')],
)
def test_folders_are_those_that_includes_lead_to(name: str, include: str, tmp_path: Path, found: Toolchain) -> None:
    tree = written(tmp_path / "src", {"main.cu": MAIN.replace('"own.h"', include), name: OWN_H})
    assert unknown(check([tree], options=SEEN, jobs=1)) == ["cudaGone"]


def test_a_compilation_database_comes_first(tmp_path: Path, found: Toolchain, questions: list[Job]) -> None:
    source = MAIN.replace("cudaGone", "cudaMode").replace('"own.h"', "<own.h>")
    tree = written(tmp_path / "src", {"main.cu": source, "one/own.h": "#pragma once\n", "two/own.h": OWN_H + "MODE\n"})
    command = {
        "directory": str(tree),
        "file": "main.cu",
        "arguments": ["nvcc", "-Itwo", "-DMODE=const int cudaMode = 1;", "-std=c++14", "-O3", "-arch=sm_90", "main.cu"],
    }
    (tree / "compile_commands.json").write_text(json.dumps([command]))
    assert unknown(check([tree], options=SEEN, jobs=1)) == []
    (arguments,) = of_doubts(questions)[0].passes
    assert f"-I{tree / 'two'}" in arguments
    assert "-std=c++14" in arguments
    assert not {"-O3", "-arch=sm_90"} & {*arguments}


def test_the_summary_and_the_account_tell_what_was_asked(tree: Path, schema: Callable[[Any], None]) -> None:
    from hipify_py.report.document import document_of, report_of
    from hipify_py.report.model import Choice
    from hipify_py.report.run_report import REPORT, RunReport

    report = check([tree], options=SEEN, jobs=1)
    result = result_of(report, "main.cu")
    assert result.asked is not None
    results = [result._replace(asked=result.asked._replace(seconds=1.25)), *report.results[1:]]
    results = [one._replace(asked=None) if one is not results[0] else one for one in results]
    assert "libclang examined 1 of 2 files: 1 of 2 doubts settled, 1.2 s" in summary(results, written=False)
    account = RunReport(REPORT, results, [Choice("", (str(tree),), SEEN.targeting)])
    document = document_of(account)
    schema(document)
    assert document["totals"]["semantics"] == {
        "files": 1,
        "failed": 0,
        "doubts": 2,
        "answers": 1,
        "seconds": 1.25,
        "left_out": 0,
    }
    assert report_of(document).results[0].asked == results[0].asked
    failed = [results[0]._replace(asked=Asked(2, 0, 0.0, "crashed: signal 11\nmore"))]
    assert summary(failed, written=False)[-2:] == [
        "libclang examined 1 of 1 file: 0 of 2 doubts settled",
        f"{results[0].path}: libclang gave no answer: crashed: signal 11",
    ]


@pytest.fixture
def schema() -> Callable[[Any], None]:
    import jsonschema

    import hipify_py

    place = Path(hipify_py.__file__).parent / "report" / "report.schema.json"
    validator = jsonschema.Draft202012Validator(json.loads(place.read_text(encoding="utf-8")))
    return validator.validate


def test_what_commands_go_by_where_nothing_is_said() -> None:
    assert default_semantics({}) == OFF
    assert default_semantics({"HIPIFY_PY_SEMANTICS": "on"}) == ON
    with pytest.raises(ValueError, match="maybe"):
        default_semantics({"HIPIFY_PY_SEMANTICS": "maybe"})
    assert DEFAULT_OPTIONS.semantics == OFF


@pytest.mark.xdist_group("cluster")
def test_doubts_of_a_clusters_run_are_settled_where_it_was_started(
    tree: Path, client: Any, questions: list[Job]
) -> None:
    pytest.importorskip("distributed")
    from hipify_py.project.cluster.executor import Cluster

    (here,) = convert_groups([Group([str(tree)], SEEN)], jobs=1)
    alone = len(of_doubts(questions))
    (there,) = convert_groups([Group([str(tree)], SEEN)], executor=Cluster(client))
    assert len(of_doubts(questions)) == 2 * alone > 0
    assert [untimed(result) for result in there.results] == [untimed(result) for result in here.results]
