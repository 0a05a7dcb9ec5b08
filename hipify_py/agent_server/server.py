"""The tools and resources of the server.

Runs over files go to processes of their own (`processes.py`); knowledge is looked up in a thread. Each call may fail
without the others: a refusal is an error result with its reason, and an internal error is one as well.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field

from hipify_py.agent_server import knowledge, limits, processes, request
from hipify_py.agent_server.request import Request
from hipify_py.agent_server.results import (
    CheckResult,
    ConvertResult,
    ExplainResult,
    NextResult,
    QueryResult,
    VerifyResult,
)
from hipify_py.agent_server.roots import Refused, Roots
from hipify_py.core.installation import VERSION

INSTRUCTIONS = """\
hipify-py translates CUDA to HIP for AMD GPUs and accounts for every CUDA symbol. To port a project: call check for the
verdict; convert into a new folder; verify that folder, which has a compiler try it; then call next for the gravest
cause that is left, edit the converted files as its advice says, and verify again until nothing is left. Do not guess
what a CUDA name becomes: query knows it. explain tells why a finding matters. tried=false in a result of verify means
that no compiler has tried the code."""

_AT_ONCE = 2
"""Runs at the same time; each uses all cores."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

Paths = Annotated[
    list[Annotated[str, Field(max_length=limits.LONGEST_PATH)]],
    Field(min_length=1, max_length=limits.MOST_PATHS, description="files and folders inside the server's folders"),
]
Cuda = Annotated[str, Field(max_length=16, description="the CUDA version of the sources, as 12.4; empty: the default")]
Rocm = Annotated[str, Field(max_length=16, description="the ROCm version to port to, as 6.4; empty: the default")]
Target = Annotated[Literal["", "hip", "roc"], Field(description="hip: hipBLAS and the like; roc: rocBLAS and the like")]
Offset = Annotated[int, Field(ge=0, le=1 << 40, description="where the page begins: next_offset of the page before")]
Limit = Annotated[int, Field(ge=1, le=limits.MOST_ITEMS, description="the most items of the page")]
Severity = Annotated[Literal["note", "warning", "error"], Field(description="the least severity of what is listed")]
Id = Annotated[str, Field(pattern=r"^HIP\d{3}$", description="an id, as HIP101")]

_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def server_for(roots: Roots, *, allow_write_in_place: bool) -> MCPServer[Any]:
    """The server for some folders.

    Args:
        roots: the only folders that it reads and writes.
        allow_write_in_place: `convert` may replace sources.
    """
    tools = _Tools()
    _add_runs(tools, roots, allow_write_in_place=allow_write_in_place)
    _add_knowledge(tools)
    server: MCPServer[Any] = MCPServer(
        "hipify-py",
        title="hipify-py",
        version=VERSION,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        tools=tools.made,
    )
    _add_resources(server)
    return server


class _Tools:
    """Makes tools of functions; they refuse arguments that they do not know, which the SDK's own would pass over."""

    def __init__(self) -> None:
        self.made: list[Tool] = []

    def tool(
        self, *, title: str, annotations: ToolAnnotations, name: str | None = None
    ) -> Callable[[_Function], _Function]:
        """Make a tool of a function."""

        def decorate(function: _Function) -> _Function:
            made = Tool.from_function(function, name=name, title=title, annotations=annotations)
            arguments = made.fn_metadata.arg_model
            arguments.model_config["extra"] = "forbid"
            arguments.model_rebuild(force=True)
            made.parameters = arguments.model_json_schema(by_alias=True)
            self.made.append(made)
            return function

        return decorate


def _add_runs(tools: _Tools, roots: Roots, *, allow_write_in_place: bool) -> None:
    slots = anyio.Semaphore(_AT_ONCE)

    async def run(context: Context[Any, Any], action: str, paths: list[str], **more: Any) -> dict[str, Any]:
        _refusing(roots.inputs)(paths)
        async with slots:
            return await processes.do(Request(action, roots.folders, paths, **more), context.report_progress)

    @tools.tool(title="Report what a conversion would leave to do", annotations=_READS)
    async def check(
        paths: Paths,
        context: Context[Any, Any],
        severity: Severity = "note",
        ids: Annotated[list[Id], Field(max_length=100, description="list only these; empty: all")] = [],  # noqa: B006
        cuda: Cuda = "",
        rocm: Rocm = "",
        target: Target = "",
        offset: Offset = 0,
        limit: Limit = limits.USUAL_ITEMS,
    ) -> CheckResult:
        """Report what a conversion of CUDA sources to HIP would leave to do: the verdict, figures, causes and findings.

        Changes nothing. The findings are those of `hipify-py check`; the project's configuration applies.
        """
        more = {"cuda": cuda, "rocm": rocm, "target": target, "offset": offset, "limit": limit}
        return CheckResult(**await run(context, request.CHECK, paths, severity=severity, ids=tuple(ids), **more))

    @tools.tool(
        title="Translate CUDA sources to HIP",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=allow_write_in_place, idempotent_hint=False, open_world_hint=False
        ),
    )
    async def convert(
        paths: Paths,
        context: Context[Any, Any],
        output: Annotated[
            str, Field(max_length=limits.LONGEST_PATH, description="a new or empty folder; empty: show a diff")
        ] = "",
        in_place: Annotated[bool, Field(description="replace the sources, where the server allows it")] = False,
        cuda: Cuda = "",
        rocm: Rocm = "",
        target: Target = "",
        offset: Annotated[int, Field(ge=0, le=1 << 40, description="the first character of the diff to show")] = 0,
    ) -> ConvertResult:
        """Translate CUDA sources to HIP into a new folder, or show as a diff what would change.

        A folder is mirrored with all its files. Only what must change is edited. Nothing is ever overwritten: the
        output must be new or empty. In place works only if the user has started the server with it allowed, and only
        on files that git can restore.
        """
        if in_place and output:
            raise ToolError("output and in_place exclude each other")
        if in_place and not allow_write_in_place:
            raise ToolError(
                "this server does not write in place; give an output folder, or ask the user to start it with "
                "--allow-write-in-place"
            )
        if output:
            _refusing(roots.output)(output)
        more = {"cuda": cuda, "rocm": rocm, "target": target, "offset": offset}
        return ConvertResult(**await run(context, request.CONVERT, paths, output=output, in_place=in_place, **more))

    @tools.tool(title="Have a compiler try the translation", annotations=_READS)
    async def verify(
        paths: Paths,
        context: Context[Any, Any],
        cuda: Cuda = "",
        rocm: Rocm = "",
        target: Target = "",
        offset: Offset = 0,
        limit: Limit = limits.USUAL_ITEMS,
    ) -> VerifyResult:
        """Have hipcc compile HIP sources, or libclang parse them, and report the errors.

        CUDA sources are translated for it; nothing is kept. Works on CUDA and on what convert has written. If there is
        no compiler, tried is false and problem says what is missing.
        """
        more = {"cuda": cuda, "rocm": rocm, "target": target, "offset": offset, "limit": limit}
        return VerifyResult(**await run(context, request.VERIFY, paths, **more))

    @tools.tool(name="next", title="Name the next thing to port", annotations=_READS)
    async def next_(
        paths: Paths,
        context: Context[Any, Any],
        skip: Annotated[int, Field(ge=0, le=1_000_000, description="how many of the gravest causes to pass over")] = 0,
        cuda: Cuda = "",
        rocm: Rocm = "",
        target: Target = "",
        offset: Offset = 0,
        limit: Limit = limits.USUAL_ITEMS,
    ) -> NextResult:
        """Name the gravest cause that is left in CUDA or converted sources, with its places and what to do about it."""
        more = {"cuda": cuda, "rocm": rocm, "target": target, "offset": offset, "limit": limit, "skip": skip}
        return NextResult(**await run(context, request.NEXT, paths, **more))


def _add_knowledge(tools: _Tools) -> None:
    @tools.tool(title="Look up CUDA and HIP names", annotations=_READS)
    def query(
        names: Annotated[
            list[Annotated[str, Field(min_length=1, max_length=limits.LONGEST_NAME)]],
            Field(
                min_length=1,
                max_length=limits.MOST_NAMES,
                description="symbols (cudaMalloc), headers, PTX (lop3.b32, %smid), or patterns (cublas*gemm*)",
            ),
        ],
        cuda: Cuda = "",
        rocm: Rocm = "",
        target: Target = "",
        offset: Offset = 0,
        limit: Limit = 20,
    ) -> QueryResult:
        """Tell what CUDA symbols, headers and PTX become in HIP, with arguments, versions, advice and findings.

        The outcome "unknown" means that the tables do not have the name.
        """
        page = {"offset": offset, "limit": limit}
        return QueryResult(**_refusing(knowledge.query)(names, cuda=cuda, rocm=rocm, target=target, **page))

    @tools.tool(title="Explain a finding", annotations=_READS)
    def explain(
        id: Annotated[str, Field(max_length=limits.LONGEST_NAME, description="HIP301, hip301 or 301")],
    ) -> ExplainResult:
        """Explain a finding: why it matters, what to do, the source of the fact, and examples before and after."""
        return ExplainResult(**_refusing(knowledge.explained)(id))


def _add_resources(server: MCPServer[Any]) -> None:
    markdown, plain, yaml = "text/markdown", "text/plain", "application/yaml"

    @server.resource("hipify-py://findings", title="The findings, one a line", mime_type=plain)
    def findings() -> str:
        return knowledge.finding_list()

    @server.resource("hipify-py://tables", title="The mapping tables, one a line", mime_type=plain)
    def tables() -> str:
        return "".join(f"{name}\n" for name in knowledge.table_names())

    @server.resource("hipify-py://finding/{id}", title="The page of a finding", mime_type=markdown)
    def finding(id: str) -> str:
        return _found(knowledge.finding_page)(id)

    @server.resource("hipify-py://table/{library}{?offset}", title="A mapping table", mime_type=yaml)
    def table(library: str, offset: str = "0") -> str:
        if not (offset.isascii() and offset.isdigit() and len(offset) < 10):
            raise ResourceError("offset is a number of characters")
        return _found(knowledge.table)(library, int(offset))


def _refusing(function: _Function) -> _Function:
    """A function whose refusals reach the agent as errors of the tool."""

    @functools.wraps(function)
    def called(*arguments: Any, **more: Any) -> Any:
        try:
            return function(*arguments, **more)
        except Refused as error:
            raise ToolError(str(error)) from error

    return called  # type: ignore[return-value]


def _found(function: _Function) -> _Function:
    """A function whose refusals say that there is no such resource."""

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Refused as error:
            raise ResourceNotFoundError(str(error)) from error

    return called  # type: ignore[return-value]
