"""The results of the tools; clients get their JSON schemas."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Result(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Place(_Result):
    """A place in a file."""

    path: str
    line: int
    column: int


class Cause(_Result):
    """What one decision of a porter resolves, however often it occurs."""

    title: str
    id: str
    severity: str = Field(description="error: it does not compile or computes something else; warning; note")
    effort: str = Field(description="low: minutes; medium: hours; high: a redesign")
    names: int = Field(description="how many symbols it is about")
    places: int
    files: int
    first: Place
    rocm: str = Field(description="the ROCm from which on it goes away; empty if no version is known")


class Finding(_Result):
    """One place that needs attention."""

    id: str
    severity: str
    effort: str
    path: str
    line: int
    column: int = Field(description="from 1, in bytes")
    end_line: int
    end_column: int
    name: str
    library: str
    rocm: str
    message: str = Field(description="the problem and what to do about it")
    source_line: str
    whole_file: bool = Field(description="it is about the file, not about a line")
    places: int = Field(description="how many places of the file or the project it stands for")
    fix: str = Field(description="what hipify-py check --fix would do; empty if a person has to decide")
    page: str = Field(description="the resource that explains it")


class Totals(_Result):
    """The figures of a run."""

    files: dict[str, int] = Field(description="files by status")
    references: dict[str, float] = Field(description="references to CUDA symbols by outcome; the share that HIP covers")
    findings: dict[str, int]
    effort: dict[str, int]
    suppressed: int
    cuda_fortran: dict[str, Any] | None = Field(description="what files of CUDA Fortran use, which are not translated")


class Account(_Result):
    """What a run found."""

    version: str = Field(description="of hipify-py")
    targeting: dict[str, str] = Field(description="the CUDA, the ROCm and the libraries that it was for")
    verdict: str = Field(description="what the run means for the port, in one sentence")
    totals: Totals
    known: int = Field(description="findings that the project's baseline knows")
    excluded: int = Field(description="files and folders that .gitignore or the configuration excludes")
    causes: list[Cause] = Field(description="the gravest first")
    causes_left_out: int
    failures: list[str] = Field(description="files that could not be processed, and why")
    failures_left_out: int


class CheckResult(Account):
    """What a conversion would leave to do."""

    findings: list[Finding]
    findings_in_all: int
    left_out: int = Field(description="how many findings follow this page")
    next_offset: int | None


class ConvertResult(Account):
    """What a conversion has written, or would change."""

    written: bool = Field(description="files were written; otherwise diff shows what would change")
    changed_files: int
    targets: list[str] = Field(description="the files that were translated and written")
    targets_left_out: int
    headers: list[str] = Field(description="support headers that the result includes")
    diff: str = Field(description="a part of a unified diff; empty if files were written")
    diff_left_out: int = Field(description="how many characters follow")
    next_offset: int | None


class VerifyResult(Account):
    """What a compiler says of the translation."""

    tried: bool = Field(description="a compiler has tried the translation; false means that nobody knows")
    problem: str = Field(description="why no compiler has tried it")
    tool: str
    did: str = Field(description="compiled, or parsed by libclang, which finds most errors but not all")
    sources: int
    failed: int = Field(description="how many files have errors")
    missing: list[str] = Field(description="headers that were not found; what follows from them was not tried")
    files_elsewhere: int = Field(
        description="files outside of the server's folders that have errors, which are not shown"
    )
    findings: list[Finding] = Field(description="the compiler's errors that no finding has announced")
    findings_in_all: int
    left_out: int
    next_offset: int | None


class NextResult(_Result):
    """The gravest cause that is left, and what to do about it."""

    verdict: str
    cause: Cause | None = Field(description="null if nothing is left")
    causes_left: int = Field(description="this one and those after it")
    skip: int
    why: str
    advice: str
    fix: str = Field(description="what hipify-py check --fix would do; empty if it cannot")
    findings: list[Finding] = Field(description="its places")
    findings_in_all: int
    left_out: int
    next_offset: int | None
    steps: list[str] = Field(description="what else is to be done for the port")
    failures: list[str]
    failures_left_out: int


class QueryResult(_Result):
    """What is known of names."""

    versions: str = Field(description="the CUDA and the ROCm that the answer is for")
    symbols: list[dict[str, Any]]
    symbols_in_all: int
    left_out: int
    next_offset: int | None


class ExplainResult(_Result):
    """What a finding means."""

    id: str
    family: str
    title: str
    severity: str
    effort: str
    why: str
    advice: str
    source: str = Field(description="the documentation of the fact")
    fix: str
    applicability: str
    examples: list[dict[str, Any]] = Field(description="CUDA code, its translation, and what is reported")
    valid: list[Any] = Field(description="code that stays as it is")
    page: str
