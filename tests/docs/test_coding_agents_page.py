"""The conversation of docs/howto/coding-agents.md is what happens (`python -m tests.docs.conversations --write`)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .conversations import OF_THE_COMPILER, PAGE, SHOWN, converse, part_of

pytest.importorskip("mcp", reason="the extra [mcp] is not installed")

TEXT = PAGE.read_text(encoding="utf-8")
TOOLS = ["check", "convert", "verify", "next", "query", "verify", "next"]


def without(value: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key not in names}


def test_the_conversation_goes_as_the_page_says(tmp_path: Path) -> None:
    done = converse(TEXT, tmp_path)
    assert [call.tool for call, _ in done] == TOOLS
    untried = ""
    for call, found in done:
        assert call.result
        shown = part_of(found, SHOWN[call.tool])
        if call.tool != "verify":
            assert shown == call.result
        elif not found["tried"]:
            untried = found["problem"]
        else:
            assert shown.keys() == call.result.keys()
            assert without(shown, OF_THE_COMPILER) == without(call.result, OF_THE_COMPILER)
    if untried:
        pytest.skip(f"no compiler has tried the page's port: {untried}")


@pytest.mark.parametrize(("title", "key"), [("mcpServers", "mcpServers"), (".vscode/mcp.json", "servers")])
def test_the_configurations_are_json_that_starts_the_server(title: str, key: str) -> None:
    block = re.search(rf'^```json title="{re.escape(title)}"\n(.*?)^```', TEXT, re.M | re.S)
    assert block is not None
    server = json.loads(block[1])[key]["hipify-py"]
    assert server["command"] == "hipify-py"
    assert server["args"][:2] == ["mcp", "--root"]
