"""Device code in quotes, which run-time compilation gets, and what only looks like it."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate


def reported(source: str) -> list[tuple[str, int]]:
    result = translate(source, path="a.cpp", options=Options(implicit_runtime=False))
    return [(finding.name, finding.line) for finding in result.findings if finding.id == "HIP330"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('d["BALLOT(v)"] = "__ballot_sync(0xffffffff, v);";', "__ballot_sync"),
        ('s += "#define SHFL(v, l) __shfl_sync(0xffffffff, v, l)\\n";', "__shfl_sync"),
        ('out << "v += __shfl_xor_sync(mask, v, 16);\\n" << std::endl;', "__shfl_xor_sync"),
        ('const char *kernel = "__global__ void k(int *o) {"\n " o[0] = __any_sync(~0u, o[0]); }";', "__any_sync"),
        ('f("__reduce_add_sync( FULL , x)");', "__reduce_add_sync"),
        ('f(u8"__match_any_sync(m, x)");', "__match_any_sync"),
    ],
)
def test_device_code_in_quotes_is_reported(text: str, name: str) -> None:
    source = f"cudaStream_t stream;\nvoid f() {{\n{text}\n}}\n"
    ((found, line),) = reported(source)
    assert found == name
    assert name in source.splitlines()[line - 1]


@pytest.mark.parametrize(
    "text",
    [
        'throw Error("__shfl_sync failed");',
        'throw Error("__shfl_sync() is missing, and __ballot_sync too");',
        "// __ballot_sync(0xffffffff, v)",
        "/* as __shfl_sync(m, v, 0) does */",
        'd["BALLOT(v)"] = "__ballot(v)";',
        'd["SYNC"] = "__syncwarp();";',
        'f("see __any_sync(mask) below");',
        'f("my__ballot_sync(m, v)");',
    ],
)
def test_what_is_no_call_of_a_built_in_is_not(text: str) -> None:
    assert reported(f"cudaStream_t stream;\nvoid f() {{\n{text}\n}}\n") == []


def test_a_text_is_reported_once_and_a_raw_string_is_translated() -> None:
    texts = 's += "__shfl_sync(m, v, 0); __shfl_sync(m, v, 1);";\ns += "__shfl_sync(m, v, 2);";'
    assert [line for _, line in reported(f"cudaStream_t stream;\n{texts}\n")] == [2, 3]
    raw = 'R"(__global__ void k(int *o) { o[0] = __shfl_sync(0xffffffff, o[0], 0, 8); })"'
    assert reported(f"cudaStream_t stream;\nconst char *s = {raw};\n") == []
