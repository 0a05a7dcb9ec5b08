"""What a worker of a cluster does with a repository: it examines it in a separate process, within bounds."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from typing import Any

from hipify_py.core.installation import VERSION
from hipify_py.project.cluster.installation import installation
from hipify_py.survey import child
from hipify_py.survey.job import Job
from hipify_py.survey.record import document_of, failed

START = "import sys; sys.path[:] = sys.argv[2:]; from hipify_py.survey.child import main; main(sys.argv[1])"
"""The program of the process: nothing of the folder that it works in is taken for a module."""

_GRACE = 30.0
"""Seconds for a build to end that has reached its limit, and for its output to be looked at."""


def examine(job: Job) -> dict[str, Any] | str:
    """The record of a repository, as JSON-compatible data; or a text that explains why this worker cannot take part."""
    if job.installation and job.installation != installation():
        return f"{os.uname().nodename} has a different hipify-py ({VERSION}) or different grammars"
    with tempfile.TemporaryDirectory(prefix="hipify-py-survey-", ignore_cleanup_errors=True) as made:
        folder = os.path.realpath(made)
        with open(os.path.join(folder, child.JOB), "wb") as file:
            pickle.dump(job, file)
        problem = _run(job, folder)
        if problem:
            return document_of(failed(job.target, problem))
        with open(os.path.join(folder, child.RECORD), encoding="utf-8") as record:
            document: dict[str, Any] = json.load(record)
            return document


def _run(job: Job, folder: str) -> str:
    """Run the process; returns why it has left no record, empty where it has."""
    errors = os.path.join(folder, child.ERRORS)
    command = [sys.executable, "-c", START, folder, *sys.path]
    with open(errors, "wb") as output:
        # What it is called with is ours: the folder that was just made, and where Python looks for modules.
        process = subprocess.Popen(  # nosec B603
            command, stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=folder, start_new_session=True
        )
    seconds = job.bounds.seconds + (job.builds.seconds + _GRACE if job.builds is not None else 0.0)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return f"it takes more than {job.bounds.seconds:g} seconds"
    finally:
        _end(process)
    if process.returncode < 0:
        return f"the process that examined it was killed ({signal.Signals(-process.returncode).name})"
    if process.returncode or not os.path.exists(os.path.join(folder, child.RECORD)):
        with open(errors, "rb") as output:
            lines = output.read()[-4000:].decode("utf-8", "backslashreplace").strip().splitlines()
        return f"the process that examined it failed: {lines[-1] if lines else process.returncode}"
    return ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, with all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()
