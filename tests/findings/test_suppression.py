"""Suppressed findings: by comments in the source, and by options."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.core.options import FileIgnores
from tests.growth import assert_linear

BAD = "cudaGraphConditionalHandleCreate(0, 0, 0, 0);"


def run(source: str, **options: object) -> Translation:
    return translate(source, path="a.cu", options=Options(implicit_runtime=False, **options))  # type: ignore[arg-type]


def reported(source: str, **options: object) -> list[tuple[str, int]]:
    return [(finding.id, finding.line) for finding in run(source, **options).findings]


@pytest.mark.parametrize(
    "source",
    [
        f"void f() {{ {BAD} }} // hipify: ignore[HIP101]",
        f"void f() {{ {BAD} }} // hipify: ignore[HIP101] looked at",
        f"void f() {{ {BAD} }} // hipify: ignore[HIP101]: looked at",
        f"void f() {{ {BAD} }} // hipify:ignore[ hip101 ]",
        f"void f() {{ {BAD} }} // hipify: ignore",
        f"void f() {{ {BAD} }} /* hipify: ignore */",
        f"/* hipify: ignore[HIP101] */ void f() {{ {BAD} }}",
        f"void f() {{ {BAD} }} // NOLINT // hipify: ignore[HIP101]",
        f"// hipify: ignore[HIP101]\nvoid f() {{ {BAD} }}",
        f"/* hipify: ignore */\r\n\r\n  // why\r\nvoid f() {{ {BAD} }}\r\n",
        f"/**\n * hipify: ignore[HIP101]\n */\nvoid f() {{ {BAD} }}",
        f"// hipify: ignore[HIP101]\n#define F() \\\n  {BAD} \\\n  g()\n",
        f"#define F() \\\n  {BAD} /* hipify: ignore */ \\\n  g()\n",
        f"#define F() \\\n  /* hipify: ignore */ \\\n  {BAD} \\\n  g()\n",
        f"void f() {{\n{BAD}\n{BAD}\n}}\n// hipify: ignore-file[HIP101]",
        f"// hipify: ignore-begin[HIP101]\nvoid f() {{\n{BAD}\n{BAD}\n}}\n// hipify: ignore-end[HIP101]",
        f"\ufeff// hipify: ignore[HIP101]\nvoid f() {{ {BAD} }}",
        f"// hipify: ignore-begin\nvoid f() {{ {BAD} }}",
    ],
)
def test_a_suppressed_finding_is_not_reported(source: str) -> None:
    result = run(source)
    assert result.findings == []
    assert {finding.id for finding in result.suppressed} == {"HIP101"}
    assert result.counts.unsupported == len(result.suppressed)  # what HIP lacks it still lacks
    assert result.output.decode() == source


@pytest.mark.parametrize(
    ("source", "findings"),
    [
        (f"void f() {{ {BAD} }} // hipify: ignore[HIP305]", [("HIP101", 1), ("HIP907", 1)]),
        (f"// hipify: ignore[HIP101]\nint x;\nvoid f() {{ {BAD} }}", [("HIP907", 1), ("HIP101", 3)]),
        (f"void f() {{ {BAD} }} // hipify: ignore[HIP101, HIP305]", [("HIP907", 1)]),
        ("int x = y; // hipify: ignore[HIP331]", []),  # which compile --syntax alone could use
        (f"void f() {{ {BAD} }} // hipify: ignore HIP101", [("HIP101", 1), ("HIP906", 1)]),
        (f"void f() {{ {BAD} }} // hipify: ignore[HIP101", [("HIP101", 1), ("HIP906", 1)]),
        (f"void f() {{ {BAD} }} // hipify: ignore[]", [("HIP101", 1), ("HIP906", 1)]),
        (f"void f() {{ {BAD} }} // hipify: ignore[HIP999]", [("HIP101", 1), ("HIP906", 1)]),
        (f"void f() {{ {BAD} }} // hipify: ignore[HIP999, HIP101]", [("HIP906", 1)]),
        (f"void f() {{ {BAD} }} // hipify: ignore-line[HIP101]", [("HIP101", 1), ("HIP906", 1)]),
        (f"// hipify: ignore-end\nvoid f() {{ {BAD} }}", [("HIP906", 1), ("HIP101", 2)]),
        (f"// hipify: ignore-begin[HIP101]\n// hipify: ignore-end[HIP102]\nint x; {BAD}", [("HIP906", 2)]),
        (f"void f() {{ {BAD} }} // hipify: cudaFoo was here", [("HIP101", 1)]),
        (f"void f() {{ {BAD} }} // write hipify: ignore[HIP101]", [("HIP101", 1)]),
        (f'void f() {{ {BAD} puts("// hipify: ignore"); }}', [("HIP101", 1)]),
        (f"#define F() \\\n  /* hipify: ignore */ \\\n  g() \\\n  {BAD}\n", [("HIP907", 2), ("HIP101", 4)]),
    ],
)
def test_what_suppresses_something_else_or_nothing_is_told(source: str, findings: list[tuple[str, int]]) -> None:
    assert reported(source) == findings


def test_hip_code_keeps_its_suppressions_in_peace() -> None:
    source = "#include <hip/hip_runtime.h>\nvoid f(void *p) { hipFree(p); } // hipify: ignore[HIP101]\n"
    assert reported(source) == []


def test_a_kernel_in_a_string_has_its_own_suppressions() -> None:
    source = f'const char *s = R"(__global__ void k() {{\n  // hipify: ignore[HIP101]\n  {BAD}\n  {BAD}\n}})";'
    result = run(source)
    assert [(finding.id, finding.line) for finding in result.findings] == [("HIP101", 4)]
    assert [(finding.id, finding.line) for finding in result.suppressed] == [("HIP101", 3)]
    assert run(source, ignore=frozenset({"HIP101"})).findings == []


def test_options_suppress_everywhere_or_in_some_files() -> None:
    source = f"void f() {{ {BAD} }}"
    assert reported(source, ignore=frozenset({"HIP101"})) == []
    assert reported(source, ignore=frozenset({"HIP102"})) == [("HIP101", 1)]
    here = FileIgnores(".", (("*.cu", frozenset({"HIP101"})),))
    assert reported(source, file_ignores=here._replace(folder=_cwd())) == []
    assert reported(source, file_ignores=FileIgnores(_cwd(), (("*.cuh", frozenset({"HIP101"})),))) == [("HIP101", 1)]
    assert reported(source, file_ignores=FileIgnores("/else/where", here.patterns)) == [("HIP101", 1)]


def _cwd() -> str:
    from pathlib import Path

    return str(Path.cwd())


@pytest.mark.parametrize(
    "build",
    [
        lambda n: "// hipify: ignore[HIP101]\n" * n,
        lambda n: "// hipify: ignore\n// and\n" * n,
        lambda n: "/* hipify: ignore[HIP101] */ " * n,
        lambda n: "// hipify: ignore-begin[HIP101]\n" * n,
        lambda n: "// hipify: ignore-file\n" * n,
        lambda n: "// hipify: ignore[" + "HIP101," * n,
        lambda n: "// " + "hipify: " * (5 * n),
        lambda n: "/* " + " " * (50 * n) + "hipify: ignore",
        lambda n: f"{BAD} // hipify: ignore\n" * n,
    ],
    ids=range(9),
)
def test_hostile_comments_take_linear_time(build: Callable[[int], str]) -> None:
    def source(count: int) -> str:
        return build(count) + f"\nvoid f() {{ {BAD} }}\n"

    assert_linear(run, source, 1000)


@pytest.mark.parametrize(
    "source",
    [
        f"void f() {{ {BAD} }}" + " " * 400 + "// hipify: ignore[HIP101]",
        f"/*{'*' * 400} hipify: ignore[HIP101] */ void f() {{ {BAD} }}",
        f"//{' ' * 400}hipify: ignore[HIP101]\nvoid f() {{ {BAD} }}",
        f"/* why\n{' ' * 400}* hipify: ignore[HIP101]\n */\nvoid f() {{ {BAD} }}",
        f"void f() {{ {BAD} {' ' * 400} /* hipify: ignore[HIP101] */ }}",
    ],
)
def test_blanks_may_stand_around_a_directive(source: str) -> None:
    assert reported(source) == []


@pytest.mark.parametrize(
    "source",
    [
        f"// {'as it was ' * 40} hipify: ignore[HIP101]\nvoid f() {{ {BAD} }}",
        f"int x; {' ' * 400} // hipify: ignore[HIP101]\nvoid f() {{ {BAD} }}",
        f"/* hipify: ignore[HIP101] */{' ' * 400} int x;\nvoid f() {{ {BAD} }}",
    ],
)
def test_words_far_away_on_the_line_count(source: str) -> None:
    assert ("HIP101", 2) in reported(source)
