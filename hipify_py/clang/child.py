"""The program of the child processes: parses one translation unit with libclang, and answers a question about it.

It is run by its path, with only Python's own modules, so that nothing from the current folder is imported. The modules
of the questions receive the parsed unit, and return plain data.

With `MANY`, it reads one job per line, loads libclang once, and forks for each job: limits and crashes affect only that
job.
"""

from __future__ import annotations

import _thread
import contextlib
import importlib
import json
import os
import signal
import sys
import time
from ctypes import c_char_p
from typing import Any, NoReturn

QUESTIONS = {
    "doubts": "hipify_py.clang.answer_queries",
    "messages": "hipify_py.clang.messages",
    "precompile": "hipify_py.clang.precompile",
}
"""The module that answers a kind of question, with its function `answer(unit, details)`."""

KEEP_GOING = 0x200
"""libclang's option to continue parsing after errors that are fatal to a compiler, such as a missing header."""


MANY = "--many"
"""The argument for reading many jobs."""


def main() -> None:
    """Read a job from standard input, and write the answer to standard output; or many, one per line."""
    if MANY in sys.argv:
        _serve()
    else:
        _work(json.loads(sys.stdin.buffer.read()))


def _serve() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if the starter ignores it, nothing can be waited for
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    asking = os.getppid()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        with contextlib.suppress(Exception):  # the code that needs it reports the error
            _load(job)
        pid = os.fork()
        if not pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            _work(job)
        while (ended := os.waitpid(pid, os.WNOHANG))[0] == 0:
            if os.getppid() != asking:
                os.kill(pid, signal.SIGKILL)
                return
            signal.sigtimedwait({signal.SIGCHLD}, 0.5)
        if ended[1]:
            reply = {"status": "crashed", "values": [], "detail": f"exit status {os.waitstatus_to_exitcode(ended[1])}"}
            _write(reply)


def _work(job: dict[str, Any]) -> NoReturn:
    """Answer one job, and exit."""
    _thread.start_new_thread(_end_with, (os.getppid(),))
    _limit(*job["limits"])
    try:
        reply = {"status": "done", "values": _answers(job), "detail": ""}
    except MemoryError:
        reply = {"status": "out of memory", "values": [], "detail": ""}
    except Exception as error:  # any error must fail this file, not the run
        status = "crashed" if type(error).__name__ == "TranslationUnitLoadError" else "failed"
        reply = {"status": status, "values": [], "detail": f"{type(error).__name__}: {error}"}
    _write(reply)
    os._exit(0)  # freeing libclang's trees would take longer than building them


def _write(reply: dict[str, Any]) -> None:
    reply["seconds"] = time.process_time()
    sys.stdout.buffer.write(json.dumps(reply).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


def _end_with(parent: int) -> None:
    """Exit when the parent is gone, such as after a kill: nobody takes the answer then."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _limit(seconds: float, memory: int) -> None:
    """Limit this process, if the system can; `Asker` limits its time in any case."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_AS, memory),
    ):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _load(job: dict[str, Any]) -> tuple[Any, Any]:
    """The bindings, with the library loaded into them, and the module of the question."""
    sys.path += [folder for folder in job["modules"] if folder not in sys.path]
    from clang import cindex

    if not cindex.Config.loaded:
        cindex.c_interop_string.value = property(_text)
        cindex.Config.set_compatibility_check(False)  # of a newer library, only shared functions are used
        if job["library"]:
            cindex.Config.set_library_file(job["library"])
    assert cindex.conf.lib is not None  # this loads it
    return cindex, importlib.import_module(QUESTIONS[job["kind"]])


def _answers(job: dict[str, Any]) -> list[Any]:
    cindex, question = _load(job)
    index = cindex.Index.create()
    path = os.fsencode(job["path"])
    unsaved = [(os.fsencode(name), text.encode("latin-1")) for name, text in job["unsaved"].items()]
    values = []
    for arguments in job["passes"]:
        options = [os.fsencode(argument) for argument in arguments]
        unit = index.parse(path, options, unsaved, job["parse"] | (0 if job["stops"] else KEEP_GOING))
        values.append(question.answer(unit, job["details"]))
    return values


def _text(string: Any) -> str | None:
    """A decoded text: quotes or names that are not UTF-8 are no reason to fail."""
    raw = super(c_char_p, string).value
    return None if raw is None else os.fsdecode(raw)


if __name__ == "__main__":
    main()
