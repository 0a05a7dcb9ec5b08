"""What pages show of a terminal is what happens: their transcripts are run, and can be written anew.

    python -m tests.docs.transcripts --write

A page tells a story in a folder of its own. In the order of the page,

- a block with a title (```` ```cuda title="src/a.cu" ````) is a file: it is written where there is none of that name, and
  has to be a part of it otherwise;
- a `diff` block changes the file that its first line names;
- a `console` block holds commands, each after `$ `, and what they print.

Blocks in other languages are not run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .pages import DOCS, REPOSITORY

PAGES = {
    "tutorial/README.md": "tutorial/softmax",
    "howto/wave64.md": "",
    "howto/both-vendors.md": "",
    "howto/editors.md": "",
    "howto/cuda-fortran.md": "",
    "howto/large-trees.md": "tutorial/softmax",
    "howto/hipify-perl-and-clang.md": "",
    "howto/python.md": "",
}
"""The pages that are run, each with the folder of docs/ that its reader is given; empty where there is none."""

COMPILES = "hipify-py compile"
"""Commands that begin so want hipcc."""

_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$", re.M | re.S)


class Step(NamedTuple):
    """A command of a page, with what the page says that it prints, and where that stands in the page."""

    command: str
    output: str
    start: int
    end: int


class Ran(NamedTuple):
    """A step, and what its command printed."""

    step: Step
    output: str


def run_page(page: str, *, compiling: bool) -> Iterator[Ran]:
    """Run a page's commands in a new folder; those that want hipcc only where it is there."""
    text = (DOCS / page).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="hipify-py-page-") as name:
        folder = Path(name)
        work = folder / "work"
        given = DOCS / PAGES[page]
        if PAGES[page]:
            shutil.copytree(given, work / given.name)
        work.mkdir(exist_ok=True)
        _put_program(folder / "bin")
        for block in _BLOCK.finditer(text):
            if block["kind"] == "console":
                for step in _steps(block):
                    if compiling or not step.command.startswith(COMPILES):
                        yield Ran(step, _run(step.command, folder))
            elif block["kind"] == "diff":
                _change(work, block["text"])
            elif block["title"]:
                _file(work / block["title"], block["text"])


def _steps(block: re.Match[str]) -> Iterator[Step]:
    at = block.start("text")
    for part in re.split(r"^(?=\$ )", block["text"], flags=re.M):
        if part:
            line, _, output = part.partition("\n")
            yield Step(line.removeprefix("$ "), output, at + len(line) + 1, at + len(part))
        at += len(part)


def _put_program(folder: Path) -> None:
    """A `hipify-py` of this checkout, whatever is installed."""
    folder.mkdir()
    program = folder / "hipify-py"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{REPOSITORY}" exec "{sys.executable}" -m hipify_py "$@"\n')
    program.chmod(0o755)


def _run(command: str, folder: Path) -> str:
    """What a command prints; its exit status is a part of that only where a page asks for it (`echo $?`)."""
    environment = {key: value for key, value in os.environ.items() if key not in {"CI", "MAKEFLAGS", "MAKELEVEL"}}
    environment |= {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "SOURCE_DATE_EPOCH": "1767225600",  # 1 January 2026
        "HIPIFY_PY_CACHE_DIR": os.environ.get("HIPIFY_PY_CACHE_DIR", str(folder / "cache")),
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "HIPIFY_PY_ROCM": "newest",  # whatever is installed here
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder / "work",
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    lines = done.stdout.decode().replace(str(folder / "work"), "/home/you").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _file(path: Path, text: str) -> None:
    if path.exists():
        assert text in path.read_text(encoding="utf-8"), f"{path.name} does not hold:\n{text}"
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _change(work: Path, diff: str) -> None:
    """Apply a diff with one hunk, by its text alone."""
    first, *lines = diff.splitlines(keepends=True)
    path = work / first.removeprefix("--- ").strip()
    lines = [line for line in lines if not line.startswith(("+++", "@@"))]
    lines = [" \n" if line == "\n" else line for line in lines]
    before = "".join(line[1:] for line in lines if line[:1] != "+")
    after = "".join(line[1:] for line in lines if line[:1] != "-")
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name} does not hold once:\n{before}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def write(page: str) -> bool:
    """Write into a page what its commands print now; True where that changes it."""
    path = DOCS / page
    text = before = path.read_text(encoding="utf-8")
    for step, output in reversed([*run_page(page, compiling=shutil.which("hipcc") is not None)]):
        text = text[: step.start] + output + text[step.end :]
    path.write_text(text, encoding="utf-8")
    return text != before


def main() -> int:
    """Compare the pages, or write them; 1 where one is stale."""
    parser = argparse.ArgumentParser(description="Run the transcripts of docs/.")
    parser.add_argument("--write", action="store_true", help="write what the commands print now into the pages")
    writes = parser.parse_args().write
    stale = False
    for page in PAGES:
        if writes:
            print(f"docs/{page}: {'written' if write(page) else 'as it was'}")
            continue
        wrong = [ran.step.command for ran in run_page(page, compiling=True) if ran.output != ran.step.output]
        stale = stale or bool(wrong)
        print(f"docs/{page}: {'; '.join(wrong) or 'holds'}")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
