"""What macros make of API names that they get as arguments: members, strings, code."""

from __future__ import annotations

import pytest

from hipify_py.core.options import Options, Targeting
from hipify_py.translator.translate import translate

PLAIN = Options(implicit_runtime=False, targeting=Targeting(rocm="7.1"))
TABLE = "struct Table { int (*cudaDeviceReset)(); };\n"

NAMES_ONLY = {
    "string": "#define SAME(f, text) same(#f, text)\nint n = SAME(cudaDeviceReset, text);\n",
    "string by another macro": "#define TEXT(f) #f\n#define LOG(f) log(TEXT(f))\nvoid g() { LOG(cudaDeviceReset); }\n",
    "member": TABLE + "#define CALL(t, f) (t)->f()\nint g(Table *t) { return CALL(t, cudaDeviceReset); }\n",
    "member and string": TABLE
    + "#define TRACE(t, f) (puts(#f), (t).f())\nint g(Table t) { return TRACE(t, cudaDeviceReset); }\n",
}


@pytest.mark.parametrize("name", NAMES_ONLY)
def test_an_argument_that_is_never_code_stays(name: str) -> None:
    translation = translate(NAMES_ONLY[name], path="a.cu", options=PLAIN)
    assert translation.output.decode() == NAMES_ONLY[name]
    assert (translation.findings, translation.references) == ([], [])


CODE = {
    "call": "#define RUN(f) f()\nint n = RUN(@DeviceReset);\n",
    "call and string": "#define RUN(f) (puts(#f), f())\nint n = RUN(@DeviceReset);\n",
    "call by another macro": "#define RUN(f) f()\n#define LOG(f) (puts(#f), RUN(f))\nint n = LOG(@DeviceReset);\n",
    "list": "#define ALL(X) X(@DeviceReset)\n#define ADDRESS(f) &f,\nvoid *all[] = {ALL(ADDRESS)};\n",
    "variadic": "#define RUN(f, ...) f(__VA_ARGS__)\nint n = RUN(@DeviceReset);\n",
}


@pytest.mark.parametrize("name", CODE)
def test_an_argument_that_is_code_becomes_hips(name: str) -> None:
    translation = translate(CODE[name].replace("@", "cuda").encode(), path="a.cu", options=PLAIN)
    assert translation.output.decode() == CODE[name].replace("@", "hip")
    assert translation.findings == []


BOTH = {
    "in one macro": "#define FILL(t, f) (t).f = f\n",
    "by two macros": "#define ADDRESS(f) (&f)\n#define FILL(t, f) (t).f = ADDRESS(f)\n",
}


@pytest.mark.parametrize("name", BOTH)
def test_an_argument_that_is_a_member_and_code_is_reported(name: str) -> None:
    source = BOTH[name] + "void g(Table &t) { FILL(t, cudaDeviceReset); }\n"
    findings = translate(TABLE + source, path="a.cu", options=PLAIN).findings
    assert [(finding.id, finding.name) for finding in findings] == [("HIP139", "cudaDeviceReset")]
    assert translate(source, path="a.cu", options=PLAIN).findings == []  # a macro may declare the member as well
