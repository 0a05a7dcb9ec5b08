"""The server over standard input and output, with the SDK's own client and with hostile arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from hipify_py.report.explain import explain, known_ids, page
from tests.cli.in_process import run_here

from .client import REPOSITORY, called, mcp, parameters, refused, talk

SOURCE = "void f(cublasHandle_t h, void *p) {\n    cudaFree(p);\n    cublasSetSmCountTarget(h, 1);\n}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_text(SOURCE)
    return tmp_path


def test_the_tools_say_what_they_do(root: Path) -> None:
    async def conversation(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == {"check", "convert", "verify", "next", "query", "explain"}
        for name, tool in tools.items():
            assert tool.description
            assert tool.output_schema["type"] == "object"
            assert tool.input_schema["additionalProperties"] is False
            assert "context" not in tool.input_schema["properties"]
            assert tool.annotations.open_world_hint is False
            assert tool.annotations.read_only_hint is (name != "convert")
        assert tools["convert"].annotations.destructive_hint is False
        assert "verify" in client.instructions

    talk(root, conversation)


def test_writing_in_place_is_told_where_it_is_allowed(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", *identity, "commit", "-qm", "first"], cwd=root, check=True)

    async def conversation(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["convert"].annotations.destructive_hint is True
        found = await called(client, "convert", paths=["src"], in_place=True)
        assert (found["written"], found["targets"]) == (True, [str(root / "src/a.cu")])
        assert "exclude each other" in await refused(client, "convert", paths=["src"], in_place=True, output="o")

    talk(root, conversation, "--allow-write-in-place")
    assert "hipFree" in (root / "src/a.cu").read_text()


def test_a_conversation(root: Path) -> None:
    document = json.loads(run_here(root, "check", "src", "--format", "json").stdout)
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, of: float | None, what: str | None) -> None:
        told.append((done, of, what))

    async def conversation(client: Any) -> None:
        result = await client.call_tool("check", {"paths": ["src"]}, progress_callback=hear)
        found = result.structured_content
        assert json.loads(result.content[0].text) == found
        assert (found["verdict"], found["causes"]) == (document["verdict"], document["causes"])
        assert (1, 1, "translating") in told
        written = await called(client, "convert", paths=["src"], output="hip")
        assert written["targets"] == ["hip/a.cu"]
        step = await called(client, "next", paths=["hip"])
        assert (step["cause"]["id"], step["findings"][0]["path"]) == ("HIP101", "hip/a.cu")
        edited = (root / "hip/a.cu").read_text().replace("    cublasSetSmCountTarget(h, 1);\n", "")
        (root / "hip/a.cu").write_text(edited)
        assert (await called(client, "next", paths=["hip"]))["cause"] is None

    talk(root, conversation)


def test_names_and_findings_are_those_of_the_command_line(root: Path) -> None:
    names = ["cudaMalloc", "lop3.b32", "hipMalloc", "cudaNoSuchThing", "cublas_v2.h"]
    document = json.loads(run_here(root, "query", *names, "--format", "json").stdout)

    async def conversation(client: Any) -> None:
        found = await called(client, "query", names=names)
        assert found["versions"] == document["for"]
        assert [each["name"] for each in found["symbols"]] == [each["name"] for each in document["symbols"]]
        assert found["symbols"][3] == document["symbols"][3]
        many = await called(client, "query", names=["cublas*"], limit=20)
        assert len(many["symbols"]) == 20
        assert many["left_out"] == many["symbols_in_all"] - 20 > 500
        assert many["next_offset"] == 20
        for id in ("HIP101", "hip301", "911"):
            told = await called(client, "explain", id=id)
            assert told["title"] == explain(told["id"]).title
            assert told["page"] == f"hipify-py://finding/{told['id']}"

    talk(root, conversation)


def test_resources(root: Path) -> None:
    async def conversation(client: Any) -> None:
        async def read(uri: str) -> str:
            text: str = (await client.read_resource(uri)).contents[0].text
            return text

        resources = {str(each.uri) for each in (await client.list_resources()).resources}
        assert resources == {"hipify-py://findings", "hipify-py://tables"}
        templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        assert templates == ["hipify-py://finding/{id}", "hipify-py://table/{library}{?offset}"]
        assert await read("hipify-py://finding/HIP101") == page(explain("HIP101"))
        listed = await read("hipify-py://findings")
        assert all(id in listed for id in known_ids())
        tables = (await read("hipify-py://tables")).split()
        assert {"cublas", "runtime"} <= {*tables}
        whole = (REPOSITORY / "mappings/cublas.yaml").read_text(encoding="utf-8")
        text, rest = "", "hipify-py://table/cublas"
        while rest:
            part = await read(rest)
            assert len(part) < 61_000
            kept, mark, rest = part.rpartition(" more characters: ")
            text += kept.rpartition("# ")[0] if mark else part
            rest = rest.strip() if mark else ""
        assert text == whole
        for uri in (
            "hipify-py://finding/HIP999",
            "hipify-py://finding/..%2f..%2fetc%2fpasswd",
            "hipify-py://finding/%00",
            "hipify-py://table/../../etc/passwd",
            "hipify-py://table/..%2fptx%2flogic",
            "hipify-py://table/schema.json",
            "hipify-py://table/cublas?offset=-1",
            "hipify-py://nothing/here",
            "file:///etc/passwd",
        ):
            with pytest.raises(mcp.MCPError) as caught:
                await read(uri)
            assert "root:" not in str(caught.value)

    talk(root, conversation)


HOSTILE: list[tuple[str, dict[str, Any]]] = [
    ("check", {}),
    ("check", {"paths": []}),
    ("check", {"paths": "src"}),
    ("check", {"paths": [1]}),
    ("check", {"paths": [None]}),
    ("check", {"paths": {"a": "src"}}),
    ("check", {"paths": ["src"] * 101}),
    ("check", {"paths": ["src"], "severities": ["error"]}),
    ("query", {"names": ["cudaMalloc"], "version": "6.4"}),
    ("check", {"paths": ["x" * 5_000]}),
    ("check", {"paths": [1] * 20_000}),
    ("check", {"paths": ["/etc"]}),
    ("check", {"paths": ["../"]}),
    ("check", {"paths": ["a\0b"]}),
    ("check", {"paths": ["missing"]}),
    ("check", {"paths": ["/dev/null"]}),
    ("check", {"paths": ["src"], "offset": -1}),
    ("check", {"paths": ["src"], "limit": 0}),
    ("check", {"paths": ["src"], "limit": 10_000_000}),
    ("check", {"paths": ["src"], "limit": "many"}),
    ("check", {"paths": ["src"], "offset": 1e300}),
    ("check", {"paths": ["src"], "severity": "fatal"}),
    ("check", {"paths": ["src"], "ids": ["../../etc/passwd"]}),
    ("check", {"paths": ["src"], "rocm": "6.4; rm -rf /"}),
    ("check", {"paths": ["src"], "rocm": "--in-place"}),
    ("check", {"paths": ["src"], "target": "sycl"}),
    ("convert", {"paths": ["src"], "output": "/tmp/elsewhere"}),
    ("convert", {"paths": ["src"], "output": "../elsewhere"}),
    ("convert", {"paths": ["src"], "output": "src"}),
    ("convert", {"paths": ["src"], "output": "src/a.cu"}),
    ("convert", {"paths": ["src"], "in_place": True}),
    ("next", {"paths": ["src"], "skip": -1}),
    ("query", {"names": []}),
    ("query", {"names": ["n"] * 51}),
    ("query", {"names": ["n" * 501]}),
    ("query", {"names": ["cudaMalloc"], "rocm": "newer"}),
    ("explain", {"id": "../../etc/passwd"}),
    ("explain", {"id": "9" * 1_000_000}),
    ("explain", {"id": 101}),
    ("explain", {"id": "HIP999"}),
    ("no such tool", {"paths": ["src"]}),
]


def test_hostile_arguments_are_errors_of_their_calls(root: Path) -> None:
    async def conversation(client: Any) -> None:
        for tool, arguments in HOSTILE:
            said = await refused(client, tool, **arguments)
            assert len(said) < 20_000, (tool, str(arguments)[:100], len(said))
            assert "root:" not in said
        assert (await called(client, "check", paths=["src"]))["findings_in_all"] == 1

    talk(root, conversation)
    assert {path.name for path in root.iterdir()} == {"src"}
    assert (root / "src/a.cu").read_text() == SOURCE


def test_a_cancelled_call_leaves_the_server_at_work(root: Path) -> None:
    for number in range(400):
        (root / f"src/f{number}.cu").write_text(SOURCE * 200)

    async def conversation(client: Any) -> None:
        with anyio.move_on_after(1.0) as scope:
            await client.call_tool("convert", {"paths": ["src"], "output": "hip"})
        assert scope.cancelled_caught
        found = await called(client, "query", names=["cudaFree"])
        assert found["symbols"][0]["hip"] == "hipFree"

    talk(root, conversation)
    left = [path.name for path in root.rglob("*") if path.name.startswith(".hipify-py")]
    assert left == []


def test_standard_output_carries_only_the_protocol(root: Path) -> None:
    def message(number: int, method: str, **params: Any) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"

    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    started = parameters(root)
    with subprocess.Popen(
        [started.command, *started.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=root,
        env=started.env,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(message(1, "initialize", **hello))
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        server.stdin.write(b"this is not JSON\n\xff\xfe\n")
        server.stdin.write(message(2, "tools/call", name="check", arguments={"paths": ["src"]}))
        server.stdin.flush()
        answers = {}
        while 2 not in answers:
            line = json.loads(server.stdout.readline())
            assert line["jsonrpc"] == "2.0"
            answers[line.get("id")] = line
        server.stdin.close()
        assert server.stdout.read() == b""
        assert server.wait(timeout=30) == 0
    assert answers[2]["result"]["structuredContent"]["findings_in_all"] == 1


def test_without_the_extra_it_says_how_to_install_it(root: Path) -> None:
    program = "import sys; sys.modules['mcp'] = None; from hipify_py.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "mcp"],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        cwd=root,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"pip install 'hipify-py[mcp]'" in done.stderr
    assert done.stdout == b""


def test_a_root_that_is_not_there_is_wrong_usage(root: Path) -> None:
    done = run_here(root, "mcp", "--root", "missing")
    assert done.returncode == 2
    assert b"--root: missing is not a folder" in done.stderr
