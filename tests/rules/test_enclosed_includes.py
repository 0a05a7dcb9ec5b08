"""Headers that are included within a namespace or `extern "C"`, where HIP's do not compile."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import load_catalog
from hipify_py.core.targeting import Targeting
from tests.growth import assert_linear

HALF = "#include <cuda_fp16.h>\n"


def refused(source: str, path: str = "a.h", options: Options | None = None) -> list[tuple[int, str]]:
    """The line of each include that is refused, and what it stands in."""
    findings = translate(source, path=path, options=options or Options()).findings
    return [
        (finding.line, finding.message.partition("inside ")[2].partition(", where")[0])
        for finding in findings
        if finding.id == "HIP111"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("namespace a {\n" + HALF + "}\n", [(2, "namespace a")]),
        ("namespace a {\nnamespace b::c {\n" + HALF + "}\n}\n", [(3, "namespace b::c")]),
        ("namespace {\n" + HALF + "}\n", [(2, "an unnamed namespace")]),
        ('namespace a {\nextern "C++" {\n' + HALF + "}\n}\n", [(3, "namespace a")]),
        ('extern "C" {\nnamespace a {\n#include <nccl.h>\n}\n}\n', [(3, 'extern "C"')]),
        ('extern "C" {\n#include <curand.h>\n}\n', [(2, 'extern "C"')]),
        ('extern "C" {\n#include <cublas_v2.h>\n}\n', [(2, 'extern "C"')]),
        ('namespace a { const char *b = "}"; /* } */\n#define E }\n' + HALF + "}\n", [(3, "namespace a")]),
        ("#ifdef __CUDACC__\nnamespace a {\n#else\nnamespace b {\n#endif\n" + HALF + "}\n", [(6, "namespace a")]),
        ("#ifdef A\n" + HALF + "#endif\nnamespace a {\n" + HALF + "}\n", [(5, "namespace a")]),
    ],
)
def test_an_include_within_braces_is_reported(source: str, expected: list[tuple[int, str]]) -> None:
    assert refused(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "namespace a {\n}\n" + HALF,
        "#if 0\nnamespace a {\n#endif\n" + HALF + "#if 0\n}\n#endif\n",
        HALF + "namespace a {\n" + HALF + "}\n",
        HALF + "namespace a {\n" + HALF.replace("\n", " int b;\n") + "}\n",
        "#include <curand_kernel.h>\nnamespace a {\n" + HALF + "}\n",
        "namespace a {\nEND_OF_NAMESPACE\n" + HALF,  # the macro may close it
        "BEGIN_NAMESPACE(a)\n" + HALF + "END_NAMESPACE\n",
        'extern "C++" {\n' + HALF + "}\n",
        'extern "C" {\nextern "C++" {\n' + HALF + "}\n}\n",
        "namespace a {\n#include <cuda_bf16.h>\n#include <nvrtc.h>\n}\n",
        "#include <cuda_runtime.h>\nnamespace a {\n#include <driver_types.h>\n}\n",
        '#include <cuda_runtime.h>\nextern "C" {\n#include <cublas_v2.h>\n#include <driver_types.h>\n}\n',
        'extern "C" {\n#include <nvrtc.h>\n}\n',
        'namespace a __attribute__((visibility("default"))) {\n' + HALF + "}\n",  # more than its model reads
    ],
)
def test_an_include_that_compiles_or_cannot_be_followed_is_not(source: str) -> None:
    assert refused(source) == []


def test_the_target_decides_which_header_is_refused() -> None:
    source = "namespace a {\n#include <cublas_v2.h>\n}\n"
    assert refused(source) == []
    assert refused(source, options=Options(targeting=Targeting(target="roc"))) == [(2, "namespace a")]


def test_no_fix_takes_a_header_out_of_a_namespace() -> None:
    """Its names may be those of the namespace elsewhere."""
    fixed = {finding.id: finding.fix for finding in translate("namespace a {\n" + HALF + "}\n", path="a.h").findings}
    assert fixed["HIP111"] is None


def test_the_tables_speak_of_headers_that_they_write() -> None:
    catalogs = [load_catalog(Targeting(target=target)) for target in ("hip", "roc")]
    written = {row.hip for catalog in catalogs for row in catalog.rows() if row.kind == "header"}
    assert set(catalogs[0].demands) <= written


@pytest.mark.parametrize(
    "line",
    [
        "namespace a@ {\n",
        "#if A@\n" + HALF + "#endif\n",
        'extern "C" {\n#include <a@.h>\n#if A\n#include <nccl.h>\n#endif\n',
    ],
)
def test_it_takes_time_by_the_size_of_the_source(line: str) -> None:
    def build(count: int) -> str:
        return "namespace b {\n" + "".join(line.replace("@", str(at)) for at in range(count)) + HALF + "}\n" * count

    assert_linear(refused, build, 60)
