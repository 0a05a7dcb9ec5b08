"""A run on a cluster ends as a run on this machine does, to the byte."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hipify_py import Options
from hipify_py.core.options import FileIgnores
from hipify_py.project.api import ConversionReport, convert_groups
from hipify_py.project.cluster import examining
from hipify_py.project.cluster.executor import Cluster
from hipify_py.project.discovery import Selection
from hipify_py.project.errors import PlanError, RunLost
from hipify_py.project.groups import Group

pytestmark = pytest.mark.xdist_group("cluster")

KERNEL = """\
#include "sizes.cuh"
#include <cuda_runtime.h>
__global__ void k{number}(int *p) {{ p[threadIdx.x % kWarpSize] = __popc(__ballot_sync(0xffffffff, p[0])); }}
void f{number}(float *p, cudaStream_t s) {{ k{number}<<<1, 32, 0, s>>>((int *)p); cudaFree(p); cudaUnheard{number}(); }}
"""
TABLE = "library: own\ntitle: Own\nfunctions:\n  cudaOwnThing: hipOwnThing\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A tree with everything that a run meets."""
    folder = tmp_path / "src"
    (folder / "sub").mkdir(parents=True)
    for number in range(30):
        place = folder / "sub" if number % 3 else folder
        (place / f"a{number:02}.cu").write_text(KERNEL.format(number=number) + "// padding\n" * 400)
    files: Mapping[str, bytes] = {
        "sizes.cuh": b"#pragma once\nconstexpr int kWarpSize = 32;\n",
        "sub/sizes.cuh": b"#pragma once\nconstexpr int kWarpSize = 32;\n",
        "plain.cpp": b"int host;\n",
        "own.cpp": b"void g() { cudaOwnThing(); }\n",
        "vectors.cu": b"__global__ void k(int *o) { o[0] = __vadd2(o[1], o[2]); }\n",
        "broken.cu": "void f() {}".encode("utf-16"),
        "CMakeLists.txt": b"project(p LANGUAGES CXX CUDA)\nadd_executable(p own.cpp vectors.cu)\n",
        "data.bin": bytes(range(256)) * 50,
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (tmp_path / "table.yaml").write_text(TABLE)
    return folder


def choices(project: Path) -> Options:
    """Choices of which every one has to get to the workers."""
    return Options(
        file_ignores=FileIgnores(str(project.parent), (("src/sub/*", frozenset({"HIP102"})),)),
        severities=(("HIP102", "error"),),
        targeting=Options().targeting._replace(tables=(str(project.parent / "table.yaml"),)),
    )


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(project: Path, executor: Cluster | None = None, **more: Any) -> ConversionReport:
    (report,) = convert_groups([Group([str(project)], choices(project))], executor=executor, **more)
    return report


@pytest.mark.parametrize("shared", [False, True])
def test_a_check_says_the_same(project: Path, client: Any, shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.parent)
    here, there = run(Path("src")), run(Path("src"), Cluster(client, shared=shared))
    assert there.results == here.results
    assert there.headers == here.headers
    counts = {result.path: result for result in there.results}
    assert counts["src/own.cpp"].counts.converted == 1  # by the user's own table
    assert [finding.id for finding in counts["src/sub/a01.cu"].suppressed].count("HIP102") == 1
    assert counts["src/broken.cu"].status == "failed"


@pytest.mark.parametrize("in_place", [False, True])
def test_a_conversion_writes_the_same(project: Path, client: Any, in_place: bool, tmp_path: Path) -> None:
    if in_place:
        before = bytes_below(project)
        here = run(project, in_place=True, force=True, rename=True)
        expected = bytes_below(project)
        for path in expected.keys() - before.keys():
            (project / path).unlink()
        for path, data in before.items():
            (project / path).write_bytes(data)
        there = run(project, Cluster(client), in_place=True, force=True, rename=True)
        assert bytes_below(project) == expected
    else:
        here = run(project, output=tmp_path / "here", changes=True, wanted="diff")
        there = run(project, Cluster(client), output=tmp_path / "there", changes=True, wanted="diff")
        assert bytes_below(tmp_path / "there") == bytes_below(tmp_path / "here")
    assert [result.status for result in there.results] == [result.status for result in here.results]
    assert [result.changes for result in there.results] == [result.changes for result in here.results]
    assert {result.status for result in there.results} >= {"converted", "unchanged", "failed"}


def test_what_a_cluster_has_done_is_kept_for_runs_without_one(
    project: Path, client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    there = run(project, Cluster(client), cache=True)
    done: list[str] = []
    outcome_of = examining.outcome_of
    monkeypatch.setattr(
        "hipify_py.project.work.outcome_of",
        lambda task, *more: done.append(task.path) or outcome_of(task, *more),  # type: ignore[func-returns-value]
    )
    here = run(project, jobs=1, cache=True)
    assert [Path(path).name for path in done] == ["broken.cu"]  # of failures nothing is kept
    assert here.results == there.results


def test_a_file_that_changes_between_here_and_there_is_sent(
    project: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shared folder may lag behind."""
    expected = run(project).results
    monkeypatch.setattr("hipify_py.project.cluster.executor.content_digest", lambda data: b"another")
    monkeypatch.setattr("hipify_py.project.cluster.executor.SMALLEST_CHUNK", 4000)
    assert run(project, Cluster(client, shared=True)).results == expected


def worker_pids(client: Any) -> list[int]:
    return sorted(client.run(os.getpid).values())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_the_tasks_of_a_killed_worker_run_again(
    project: Path, mortals: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.project.cluster.executor.SMALLEST_CHUNK", 4000)
    here = run(project, output=tmp_path / "here")
    killed: list[int] = []

    class Killing:
        """Kills a worker once some results are there, and others under way."""

        def results(self, *arguments: Any) -> Any:
            stream = Cluster(mortals).results(*arguments)
            for number, result in enumerate(stream):
                if number == 8:
                    killed.append(worker_pids(mortals)[0])
                    os.kill(killed[0], signal.SIGKILL)
                yield result

    there = run(project, Killing(), output=tmp_path / "there")  # type: ignore[arg-type]
    assert killed
    assert killed[0] not in worker_pids(mortals)
    assert bytes_below(tmp_path / "there") == bytes_below(tmp_path / "here")
    assert [result.findings for result in there.results] == [result.findings for result in here.results]


def poisoned(key: bytes, image: bytes, sources: Any) -> Any:
    """Kills the worker at one file, as a fault in the parser would."""
    if any(source.path.endswith("a13.cu") for source in sources):
        time.sleep(1)  # a worker that dies while it starts is not started again
        os.kill(os.getpid(), signal.SIGKILL)
    return examining.examine(key, image, sources)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_a_file_that_kills_every_worker_is_reported_and_stops_nothing(
    project: Path, mortals: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {result.path: result for result in run(project).results}
    monkeypatch.setattr("hipify_py.project.cluster.executor.examine", poisoned)
    there = {result.path: result for result in run(project, Cluster(mortals)).results}
    differing = [path for path in here if here[path] != there[path]]
    assert [Path(path).name for path in differing] == ["a13.cu"]
    (path,) = differing
    assert there[path].status == "failed"
    assert "the process that converted it was killed" in there[path].findings[0].message


def slow(key: bytes, image: bytes, sources: Any) -> Any:
    """Takes longer than the worker lives."""
    time.sleep(5)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_a_cluster_that_loses_all_its_workers_ends_the_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="NOT TESTED: dask.distributed is not installed")
    monkeypatch.setattr("hipify_py.project.cluster.executor.examine", slow)
    monkeypatch.setattr("hipify_py.project.cluster.window.PATIENCE", 0.5)
    monkeypatch.setattr("hipify_py.project.cluster.window._ASK_AGAIN", 0.1)
    options: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        nthreads = client.nthreads

        def asked() -> Any:
            found = nthreads()
            cluster.scale(0)
            return found

        monkeypatch.setattr(client, "nthreads", asked)
        with pytest.raises(RunLost, match="no worker of the cluster is left"):
            run(project, Cluster(client))


def refusing(key: bytes, image: bytes, sources: Any) -> Any:
    """What a worker with another hipify-py does."""
    examining._briefings.clear()
    briefing = examining._briefing(key, image)
    examining._briefings[key] = briefing._replace(installation="another"), None
    answer = examining.examine(key, image, sources)
    examining._briefings.clear()
    return answer


def lacking(key: bytes, image: bytes, sources: Any) -> Any:
    """What a worker without hipify-py does."""
    raise ModuleNotFoundError("No module named 'hipify_py'")


@pytest.mark.parametrize(
    ("function", "says"), [(refusing, "has a different hipify-py"), (lacking, "No module named 'hipify_py'")]
)
def test_workers_that_are_not_like_this_machine_end_the_run(
    project: Path, client: Any, function: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.project.cluster.executor.examine", function)
    with pytest.raises(PlanError, match=says):
        run(project, Cluster(client))


def test_groups_with_choices_of_their_own(project: Path, client: Any) -> None:
    groups = [
        Group([str(project / "sub")], Options(launch="chevron")),
        Group([str(project)], Options(), Selection(build_files=False)),
    ]
    here, there = convert_groups(groups), convert_groups(groups, executor=Cluster(client))
    assert [report.results for report in there] == [report.results for report in here]
