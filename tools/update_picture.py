"""Draws the README's picture: a terminal, in which docs/picture/warp_sums.cu is checked and converted.

    python tools/update_picture.py [--check]

The commands are run, and what they print is drawn as it is. With `--check` nothing is written: the exit status is 1
when the picture says something else than they do. Other versions of rich may draw it otherwise.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from html import unescape
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "docs" / "picture" / "warp_sums.cu"
PICTURE = EXAMPLE.with_name("hipify-py.svg")

WIDTH = 108
TITLE = "hipify-py"

COMMANDS = (
    f"hipify-py check --format full {EXAMPLE.name}",
    f"hipify-py convert --in-place --quiet {EXAMPLE.name}",
    "git diff -U1",
)

_FONTS = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
_TEXTS = re.compile(r"<text\b[^>]*>(.*?)</text>", re.DOTALL)


def main() -> int:
    """Draw, or compare; 1 when the picture is stale."""
    drawn = picture()
    if "--check" in sys.argv[1:]:
        if said(PICTURE.read_text(encoding="utf-8")) != said(drawn):
            print(f"{PICTURE.name} is stale: run {sys.argv[0]}", file=sys.stderr)
            return 1
    else:
        PICTURE.write_text(drawn, encoding="utf-8")
    return 0


def picture() -> str:
    """The commands and what they print, as SVG that fetches no font."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    with tempfile.TemporaryDirectory() as temporary:
        folder, environment = repository(Path(temporary))
        for number, command in enumerate(COMMANDS):
            if number:
                console.print()
            console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
            # A program's exit status 1 says that something is left to do.
            done = subprocess.run(
                command.split(),
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode > 1:
                raise SystemExit(f"{command}: exit status {done.returncode}\n{done.stdout}")
            if done.stdout:
                console.print(Text.from_ansi(done.stdout.rstrip()))
    return console.export_svg(
        title=TITLE, theme=MONOKAI, unique_id=TITLE, code_format=_FONTS.sub("", CONSOLE_SVG_FORMAT)
    )


def repository(place: Path) -> tuple[Path, dict[str, str]]:
    """A git repository that holds the example, and an environment with the program, in which colours are printed."""
    folder, programs = place / "example", place / "bin"
    for path in (folder, programs):
        path.mkdir()
    program = programs / "hipify-py"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipify_py "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / EXAMPLE.name).write_bytes(EXAMPLE.read_bytes())
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
        "HOME": str(place),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "HIPIFY_PY_ROCM": "newest",  # whatever is installed here
        "HIPIFY_PY_CACHE_DIR": os.environ.get("HIPIFY_PY_CACHE_DIR", str(place / "cache")),
    }
    environment.pop("NO_COLOR", None)
    (place / ".gitconfig").write_text(
        "[color]\n\tui = always\n[user]\n\tname = T\n\temail = t@example.org\n", encoding="utf-8"
    )
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", "An example")):
        subprocess.run(("git", *arguments), cwd=folder, env=environment, check=True)
    return folder, environment


def said(svg: str) -> str:
    """The text of a picture, without spaces: styles divide it in other places than words."""
    return "".join("".join(unescape(text) for text in _TEXTS.findall(svg)).split())


if __name__ == "__main__":
    sys.exit(main())
