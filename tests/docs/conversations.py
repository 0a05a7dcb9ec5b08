"""What a page shows of a conversation with the server for coding agents is what happens.

    python -m tests.docs.conversations --write

In the order of the page,

- a `json` block with the title `call TOOL` holds the arguments of a call; the `json` block with the title `result` after it
  shows a part of what the call returns: fields may be left out, but what is shown is so;
- a block with the title of a file is that file;
- a `diff` block changes a file as an agent edits it.

Fields that a page shows of each tool are in `SHOWN`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from .pages import DOCS, REPOSITORY
from .transcripts import _BLOCK, _change, _file

PAGE = DOCS / "howto/coding-agents.md"

SHOWN: Mapping[str, Any] = {
    "check": {
        "verdict": ...,
        "totals": {"references": {"converted": ..., "native": ..., "unsupported": ...}},
        "causes": {"id": ..., "severity": ..., "title": ..., "places": ...},
        "findings_in_all": ...,
        "left_out": ...,
    },
    "convert": {"written": ..., "targets": ..., "targets_left_out": ...},
    "verify": {"tried": ..., "tool": ..., "did": ..., "sources": ..., "failed": ..., "missing": ..., "verdict": ...},
    "next": {
        "cause": {"id": ..., "title": ..., "effort": ...},
        "causes_left": ...,
        "advice": ...,
        "findings": {"path": ..., "line": ..., "source_line": ...},
    },
    "query": {"versions": ..., "symbols": {"name": ..., "outcome": ..., "advice": ...}},
}
"""By tool, the fields that a page shows."""

OF_THE_COMPILER = frozenset({"tool", "did", "verdict"})
"""Fields of `verify` that differ between machines."""


class Call(NamedTuple):
    """A call of the page.

    Attributes:
        result: what the page says that it returns; None where it says nothing yet.
        start, end: where that stands in the page.
    """

    tool: str
    arguments: dict[str, Any]
    result: Any
    start: int
    end: int


def converse(text: str, folder: Path) -> list[tuple[Call, dict[str, Any]]]:
    """Have the conversation of a page in an empty folder; returns each call with what it returns."""
    from mcp import Client, StdioServerParameters

    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "HIPIFY_PY_ROCM": "newest"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "hipify_py", "mcp"], env=environment, cwd=folder)
    done: list[tuple[Call, dict[str, Any]]] = []

    async def main() -> None:
        async with Client(server) as client:
            asked: tuple[str, dict[str, Any]] | None = None
            for block in _BLOCK.finditer(text):
                title = block["title"] or ""
                if title.startswith("call "):
                    asked = title.removeprefix("call "), json.loads(block["text"])
                elif title == "result":
                    assert asked is not None
                    found = await client.call_tool(*asked)
                    assert not found.is_error, found
                    shown = json.loads(block["text"]) if block["text"].strip() else None
                    done.append((Call(*asked, shown, block.start("text"), block.end("text")), found.structured_content))
                elif block["kind"] == "diff":
                    _change(folder, block["text"])
                elif block["kind"] == "cuda":
                    _file(folder / title, block["text"])

    anyio.run(main)
    return done


def part_of(value: Any, shown: Any) -> Any:
    """The fields of a value that are to be shown."""
    if isinstance(value, list):
        return [part_of(each, shown) for each in value]
    if isinstance(shown, Mapping) and isinstance(value, Mapping):
        return {key: part_of(value[key], fields) for key, fields in shown.items() if key in value}
    return value


def write(page: Path) -> None:
    """Write into a page what its calls return now."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="hipify-py-page-") as name:
        for call, found in reversed(converse(text, Path(name))):
            shown = json.dumps(part_of(found, SHOWN[call.tool]), indent=2, ensure_ascii=False)
            # Short lists and objects on a line, as people write them.
            shown = re.sub(r"([\[{])\s+([^\[\]{}]{1,90}?)\s+([\]}])", _on_a_line, shown)
            text = f"{text[: call.start]}{shown}\n{text[call.end :]}"
    page.write_text(text, encoding="utf-8")


def _on_a_line(match: re.Match[str]) -> str:
    inner = re.sub(r"\n\s*", " ", match[2])
    return f"{match[1]}{inner}{match[3]}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Have the conversation of docs/howto/coding-agents.md.")
    parser.add_argument("--write", action="store_true", required=True, help="write what the calls return into the page")
    parser.parse_args()
    write(PAGE)
