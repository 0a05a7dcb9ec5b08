"""Child processes that parse: what they answer, and how they end where there is no answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from threading import Thread

import pytest

from hipify_py.clang.protocol import CRASHED, DONE, FAILED, OUT_OF_MEMORY, OUT_OF_TIME, Answer, Job, Limits, read_answer
from hipify_py.clang.worker_pool import CAN_SERVE, Asker, Server

pytest.importorskip("clang.cindex", exc_type=ImportError)

FOLDER = os.path.abspath("nowhere")
MAIN = os.path.join(FOLDER, "main.cpp")
CPP = ("-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0")


def job(text: str | bytes, *, path: str = MAIN, passes: Sequence[Sequence[str]] = (CPP,), **unsaved: str) -> Job:
    data = text if isinstance(text, bytes) else text.encode()
    others = {os.path.join(FOLDER, name.replace("_h", ".h")): more.encode() for name, more in unsaved.items()}
    files = {path: data, **others}
    return Job("messages", path, passes, files)


def ask(asked: Job, limits: Limits | None = None) -> Answer:
    return Asker(1, limits or Limits(60)).ask(asked)


def texts(answer: Answer) -> list[str]:
    assert answer.status == DONE, answer
    return [message["text"] for message in answer.values[0]["messages"]]


def test_messages_come_with_place_and_notes() -> None:
    answer = ask(job("void f(int);\nvoid g() { f(); }\n"))
    assert answer.status == DONE
    (message,) = answer.values[0]["messages"]
    assert message["severity"] == "error"
    assert (message["path"], message["line"], message["column"]) == (MAIN, 2, 12)
    (note,) = message["notes"]
    assert (note["severity"], note["line"]) == ("note", 1)


def test_every_pass_has_an_answer_of_its_own() -> None:
    asked = job("#ifdef A\n#error a\n#else\n#error b\n#endif\n", passes=[(*CPP, "-DA"), CPP])
    answer = ask(asked)
    assert [[m["text"] for m in value["messages"]] for value in answer.values] == [["a"], ["b"]]


def test_files_are_read_from_memory_and_named() -> None:
    answer = ask(job('#include "inner.h"\nint x = inner;\n', inner_h="const int inner = 1;\n"))
    assert texts(answer) == []
    assert [os.path.basename(path) for path in answer.values[0]["files"]] == ["inner.h"]


def test_it_goes_on_behind_a_missing_header() -> None:
    found = texts(ask(job('#include "none.h"\nint x = y;\nint z = w;\n')))
    assert found == ["'none.h' file not found", "use of undeclared identifier 'y'", "use of undeclared identifier 'w'"]


def test_text_and_names_need_not_be_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.cpp")
    answer = ask(job(b'#error caf\xe9\nint x = "caf\xe9"y;\n', path=name))
    assert texts(answer)[0] == "caf<E9>"
    assert answer.values[0]["messages"][0]["path"] == name


def test_nothing_of_the_folder_that_it_runs_in_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "clang", "hipify_py", "importlib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert texts(ask(job("int x = y;\n"))) == ["use of undeclared identifier 'y'"]


def test_a_library_that_is_none(tmp_path: Path) -> None:
    library = tmp_path / "libclang.so"
    library.write_bytes(b"no library")
    answer = ask(job("")._replace(library=str(library)))
    assert answer.status == FAILED
    assert "LibclangError" in answer.detail


ENDLESS = "template <int N> struct S { using T = typename S<N + 1>::T; };\nS<0>::T x;\n"
HUGE = "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n" + "B(B(B(int f();)))\n"
SLOW = (
    "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
    "static_assert(f(60) == 0);\nstatic_assert(f(61) == 0);\n"
)
FOREVER = (*CPP, "-fconstexpr-steps=4294967295", "-fconstexpr-depth=4096")


def test_endless_templates_and_includes_of_oneself_are_errors() -> None:
    assert any("recursive template instantiation" in text for text in texts(ask(job(ENDLESS))))
    assert any("include nested too deeply" in text for text in texts(ask(job("#include __FILE__\n"))))


@pytest.mark.parametrize("bracket", ["(", "{", "[", "a<"])
def test_deep_nesting_is_an_answer(bracket: str) -> None:
    answer = ask(job("int x = " + bracket * 100_000), Limits(3))
    if bracket == "a<":  # clang takes time that grows by the square
        assert answer.status in (OUT_OF_TIME, CRASHED)
        return
    assert answer.status in (DONE, CRASHED)
    assert answer.status == CRASHED or texts(answer)


def test_time_is_limited() -> None:
    began = time.monotonic()
    answer = ask(job(SLOW, passes=[FOREVER]), Limits(1))
    assert answer == Answer(OUT_OF_TIME, detail="after 1 s")
    assert time.monotonic() - began < 30


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_that_nobody_writes_to_does_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.h")
    answer = ask(job('#include "pipe.h"\n', path=str(tmp_path / "main.cpp")), Limits(2))
    assert answer.status in (OUT_OF_TIME, DONE)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not keep to limits of address space")
def test_memory_is_limited() -> None:
    assert ask(job(HUGE), Limits(60, 320 << 20)).status in (OUT_OF_MEMORY, CRASHED)


def test_a_child_that_is_killed_is_an_answer() -> None:
    asker = Asker(1, Limits(60))
    answers: list[Answer] = []
    thread = Thread(target=lambda: answers.append(asker.ask(job(SLOW, passes=[FOREVER]))))
    thread.start()
    while not asker._running:
        time.sleep(0.01)
    asker.end()
    thread.join(30)
    assert answers[0].status == CRASHED


ASKING = """
import os, signal, sys, threading, time
from hipify_py.clang.worker_pool import Asker
from hipify_py.clang.protocol import Job
asker = Asker(1)
job = Job("messages", {path!r}, [{options!r}], {{{path!r}: {text!r}}})
threading.Thread(target=asker.ask, args=(job,), daemon=True).start()
while not asker._running:
    time.sleep(0.01)
time.sleep(1)
print([process.pid for process in asker._running][0], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the system does not tell the states of processes")
def test_a_child_ends_when_who_asked_was_killed() -> None:
    program = ASKING.format(path=MAIN, options=FOREVER, text=SLOW.encode())
    asked = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=False, text=True)
    stat = Path(f"/proc/{int(asked.stdout)}/stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    os.kill(int(asked.stdout), signal.SIGKILL)
    pytest.fail("it parses on")


def test_one_bad_file_of_many_costs_no_other() -> None:
    jobs = [job("int x = y;\n"), job(SLOW, passes=[FOREVER]), job("int z = w;\n")]
    found = [*Asker(2, Limits(3)).ask_all(jobs)]
    assert [answer.status for answer in found] == [DONE, OUT_OF_TIME, DONE]
    assert texts(found[2]) == ["use of undeclared identifier 'w'"]


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="the system has no such signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_whoever_started_it_may_ignore_that_children_end(jobs: int) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        found = [*Asker(jobs, Limits(60)).ask_all(job(f"int x = y{i};\n") for i in range(5))]
        alone = ask(job("int x = y;\n"))
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert [texts(answer) for answer in found] == [[f"use of undeclared identifier 'y{i}'"] for i in range(5)]
    assert texts(alone) == ["use of undeclared identifier 'y'"]


@pytest.mark.skipif(not CAN_SERVE, reason="no child takes several jobs")
def test_a_fork_that_dies_costs_its_own_job_where_the_end_of_children_is_ignored() -> None:
    jobs = [job("int x = y;\n"), job(SLOW, passes=[FOREVER]), job("int z = w;\n")]
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        found = [*Asker(1, Limits(3)).ask_all(jobs)]
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert [answer.status for answer in found] == [DONE, OUT_OF_TIME, DONE]


def test_after_a_fault_no_child_is_waited_for() -> None:
    asker = Asker(2, Limits(60))
    answers = asker.ask_all(chain([job("int i;\n")], (job(SLOW, passes=[FOREVER]) for _ in range(3))))
    assert next(answers).status == DONE
    began = time.monotonic()
    with pytest.raises(ValueError, match="a fault"):
        answers.throw(ValueError("a fault"))
    assert time.monotonic() - began < 30
    assert not asker._running
    assert ask_with(asker, "int i;\n").status == CRASHED


def test_a_child_that_ended_before_its_job_was_written_leaves_its_last_words() -> None:
    said = tempfile.TemporaryFile()  # noqa: SIM115 - the server closes it
    pipe = subprocess.PIPE
    program = "raise SystemExit('no child today')"
    process = subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=said)
    process.wait()
    server = Server(process, said, "")
    assert server.answer(b"{}", 60) is None
    assert server.end() == "no child today"
    assert said.closed


def test_a_child_that_would_start_behind_the_end_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    asker = Asker(1, Limits(60))
    asker.end()
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("it starts"))
    assert ask_with(asker, "int i;\n") == Answer(CRASHED, detail="nobody asks any more")


def ask_with(asker: Asker, text: str) -> Answer:
    return asker.ask(job(text))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"[" * 100_000, b'{"status": "done"}', b'{"status": "ok", "values": [], "detail": ""}', b"\xff"],
)
def test_an_answer_that_is_not_whole_is_none(data: bytes) -> None:
    assert read_answer(data) is None


def test_an_answer_is_read() -> None:
    data = json.dumps({"status": DONE, "values": [1], "detail": ""}).encode()
    assert read_answer(data) == Answer(DONE, [1])
