"""A survey on real workers: every repository has a record, whatever the others do."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipify_py import Options
from hipify_py.project.api import convert
from hipify_py.survey import repository
from hipify_py.survey.job import Bounds, Job
from hipify_py.survey.record import MUCH, NO_CUDA, READY, SOME, UNDONE, Record, document_of, record_in
from hipify_py.survey.survey import survey
from hipify_py.survey.targets import Target, targets

pytestmark = pytest.mark.xdist_group("cluster")

READY_SOURCE = "#include <cuda_runtime.h>\nvoid f(float *p) { cudaFree(p); }\n"
HARD_SOURCE = "#include <cuda_runtime.h>\n#include <cutlass/cutlass.h>\nvoid f() { cudaGraphicsUnheard(); cudaUnheardOf(); cudaUnheardOf(); }\n"
TABLE = "library: own\ntitle: Own\nfunctions:\n  cudaOwnThing: hipOwnThing\n"


def packed(path: Path, files: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Repositories of all kinds, some of them hostile."""
    files = {
        "ready/src/a.cu": READY_SOURCE,
        "own/src/own.cu": '#include "data.def"\nvoid f() { cudaOwnThing(); }\n',
        "own/src/data.def": "int x;\n",
        "ready/build/left.cu": HARD_SOURCE,
        "ready/.gitignore": "build/\n",
        "ready/Makefile": "all:\n\tnvcc -arch=sm_80 src/a.cu\n",
        "hard/a.cu": HARD_SOURCE,
        "plain/a.cpp": "int x;\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    packed(tmp_path / "sdist-1.0.tar.gz", {"sdist-1.0/a.cu": READY_SOURCE.encode(), "sdist-1.0/b.cu": b"int x;\n"})
    packed(tmp_path / "hostile.tar.gz", {"../../planted_by_an_archive.cu": b""})
    packed(tmp_path / "bomb.tar.gz", {f"{number}.cu": bytes(100_000) for number in range(50)})
    (tmp_path / "broken.zip").write_bytes(b"PK")
    for name in ("hard", "ready"):
        subprocess.run(["git", "init", "-q", "."], cwd=tmp_path / name, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path / "hard", check=True)
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, "commit", "-qm", "one"], cwd=tmp_path / "hard", check=True)
    (tmp_path / "table.yaml").write_text(TABLE)
    lines = ["ready", "hard", "plain", "sdist-1.0.tar.gz", f"file://{tmp_path}/hard"]
    lines += ["hostile.tar.gz", "bomb.tar.gz", "broken.zip", "http://example.org/a", "nowhere"]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    return tmp_path


def job(place: Path, *, has_table: bool = False, seconds: float = 300, output: str = "") -> Job:
    options = Options()
    tables = (str(place / "table.yaml"),) if has_table else ()
    options = options._replace(targeting=options.targeting._replace(tables=tables))
    return Job(Target("", "", ""), options, Bounds(seconds=seconds, unpacked=1_000_000), output=output)


def records(
    client: Any, place: Path, job: Job, *, shared: bool, notify: Callable[[Record], object] = id
) -> list[Record]:
    return survey(client, targets([str(place / "list.txt")]), job, shared=shared, notify=notify)


def test_every_repository_has_its_record(place: Path, client: Any) -> None:
    told: list[str] = []
    found = records(client, place, job(place), shared=True, notify=lambda record: told.append(record.name))
    by_name = {record.name: record for record in found}
    assert list(by_name) == [
        *("ready", "hard", "plain", "sdist-1.0", "hard-2", "hostile", "bomb", "broken", "a", "nowhere")
    ]
    assert sorted(told) == sorted(by_name)
    portabilities = [record.portability for record in found[:5]]
    assert portabilities[0] == by_name["sdist-1.0"].portability == READY
    assert portabilities[2] == NO_CUDA
    assert portabilities[1] == portabilities[4] in (SOME, MUCH)
    ready, hard, clone = by_name["ready"], by_name["hard"], by_name["hard-2"]
    assert ready.references.converted == ready.references.total >= 2
    assert ready.coverage == 1
    assert (hard.unknown[0].name, hard.unknown[0].references) == ("cudaUnheardOf", 2)
    assert hard.blockers[0].place == "a.cu:2"
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=place / "hard", check=True, capture_output=True, text=True)
    assert clone.commit == head.stdout.strip()
    assert clone._replace(name="hard", source=hard.source, kind=hard.kind, commit="") == hard
    problems = {record.name: record.problem for record in found if record.portability == UNDONE}
    assert problems.keys() == {"hostile", "bomb", "broken", "a", "nowhere"}
    assert problems["hostile"] == "the archive is hostile: '../../planted_by_an_archive.cu' would be outside its folder"
    assert problems["bomb"] == "the archive holds more than 1,000,000 bytes"
    assert problems["broken"].startswith("the archive cannot be read")
    assert not list(place.parent.rglob("planted_by_an_archive.cu"))
    assert records(client, place, job(place), shared=False) == found  # where everything is sent
    documents = json.loads(json.dumps([document_of(record) for record in found]))
    assert [document_of(record_in(document)) for document in documents] == documents


@pytest.mark.parametrize("shared", [False, True])
def test_the_users_own_tables_get_to_the_workers(place: Path, client: Any, shared: bool) -> None:
    (place / "list.txt").write_text("own\n")
    (record,) = records(client, place, job(place, has_table=True), shared=shared)
    assert (record.references.converted, record.references.total, record.portability) == (1, 1, READY)


def test_conversions_are_those_of_a_run_of_their_own(place: Path, client: Any) -> None:
    found = records(client, place, job(place, output=str(place / "hip")), shared=True)
    assert {path.name for path in (place / "hip").iterdir()} == {"ready", "hard", "plain", "sdist-1.0", "hard-2"}
    convert([place / "ready"], output=place / "expected", options=job(place).options)
    for path in (place / "expected").rglob("*"):
        if path.is_file():
            assert (place / "hip" / "ready" / path.relative_to(place / "expected")).read_bytes() == path.read_bytes()
    assert b"hipFree" in (place / "hip" / "sdist-1.0" / "a.cu").read_bytes()
    assert [record.portability for record in found].count(UNDONE) == 5


START = """
import json, os, pickle, signal, sys, time
folder = sys.argv[1]
sys.path[:] = sys.argv[2:]
name = pickle.load(open(os.path.join(folder, 'job'), 'rb')).target.name
if name == 'ready':
    time.sleep(3600)
if name == 'plain':
    os.kill(os.getpid(), signal.SIGSEGV)
if name == 'sdist-1.0':
    held = bytearray(1 << 44)
from hipify_py.survey.child import main
main(folder)
"""
"""As the program of the process that looks at a repository, but for three: endless, killed, and hungry."""


def start_by(program: str) -> None:
    repository.START = program


def test_poisoned_repositories_are_reported_and_stop_nothing(place: Path, client: Any) -> None:
    start = repository.START
    client.run(start_by, START)
    try:
        (place / "list.txt").write_text("ready\n")
        (endless,) = records(client, place, job(place, seconds=3), shared=True)
        (place / "list.txt").write_text("plain\nsdist-1.0.tar.gz\nhard\n")
        found = {record.name: record for record in records(client, place, job(place), shared=True)}
    finally:
        client.run(start_by, start)
    assert endless.problem == "it takes more than 3 seconds"
    assert found["plain"].problem == "the process that examined it was killed (SIGSEGV)"
    assert "MemoryError" in found["sdist-1.0"].problem
    assert found["hard"].problem == ""


def slowly(job: Job) -> Any:
    time.sleep(1)
    return repository.examine(job)


def deadly(job: Job) -> Any:
    time.sleep(1)  # a worker that dies while it starts is not started again
    if job.target.name == "plain":
        os.kill(os.getpid(), signal.SIGKILL)
    return repository.examine(job)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_the_repositories_of_a_killed_worker_are_looked_at_again(
    place: Path, mortals: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = records(mortals, place, job(place), shared=True)
    monkeypatch.setattr("hipify_py.survey.survey.examine", slowly)
    killed: list[int] = []

    def kill(record: Record) -> None:
        if record.portability != UNDONE and not killed:
            killed.append(min(mortals.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    assert records(mortals, place, job(place), shared=True, notify=kill) == expected
    assert killed


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_a_repository_that_kills_its_workers_is_reported(
    place: Path, mortals: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.survey.survey.examine", deadly)
    (place / "list.txt").write_text("ready\nplain\nhard\n")
    found = {record.name: record for record in records(mortals, place, job(place), shared=True)}
    assert found["plain"].problem == "it kills the workers that examine it"
    assert found["ready"].problem == found["hard"].problem == ""


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="NOT TESTED: processes are looked up in /proc")
def test_the_process_ends_with_the_worker_that_started_it(place: Path, tmp_path: Path) -> None:
    """Its folder is gone then, too."""
    (tmp_path / "made").mkdir()
    script = (
        "import os, sys, threading, time\n"
        "from hipify_py.survey import repository\n"
        "repository.START = sys.argv[1]\n"
        "from hipify_py.survey.job import Bounds, Job\n"
        "from hipify_py.survey.targets import Target\n"
        "from hipify_py import Options\n"
        "threading.Timer(4, os._exit, (1,)).start()\n"
        "repository.examine(Job(Target('ready', 'ready', 'folder'), Options(), Bounds()))\n"
    )
    start = (
        "import os, sys, threading, time; folder = sys.argv[1]; sys.path[:] = sys.argv[2:]\n"
        "from hipify_py.survey.child import _end_with_parent\n"
        "threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()\n"
        "open(os.path.join(folder, '..', 'pid'), 'w').write(str(os.getpid()))\n"
        "time.sleep(3600)\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "made"), "PYTHONPATH": str(root)}
    import sys

    subprocess.run([sys.executable, "-c", script, start], env=environment, check=False, timeout=60)
    pid = int((tmp_path / "made" / "pid").read_text())
    until = time.monotonic() + 20
    while time.monotonic() < until and (_is_there(pid) or list((tmp_path / "made").glob("hipify-py-survey-*"))):
        time.sleep(0.1)
    assert not _is_there(pid)
    assert not list((tmp_path / "made").glob("hipify-py-survey-*"))


def _is_there(pid: int) -> bool:
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
