"""Macros that a source sets for CUDA's headers to read."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

PLAIN = Options(implicit_runtime=False)


def converted(source: str, path: str = "a.cu", options: Options = PLAIN) -> str:
    once = translate(source, path=path, options=options).output
    assert translate(once, path=path, options=options).output == once
    return once.decode()


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("#undef __CUDA_NO_HALF_OPERATORS__\n", "#undef __HIP_NO_HALF_OPERATORS__\n"),
        ("#define __CUDA_NO_HALF_CONVERSIONS__\n", "#define __HIP_NO_HALF_CONVERSIONS__\n"),
        ("/* a */ # /* b */ undef /* c */ __CUDA_NO_HALF_OPERATORS__ // d\n", None),
        ("#\\\n  undef /*\n*/ __CUDA_NO_HALF_OPERATORS__\r\n", None),
        (
            "#ifdef __CUDA_NO_HALF_OPERATORS__\n#undef __CUDA_NO_HALF_OPERATORS__\n#endif\n",
            "#ifdef __HIP_NO_HALF_OPERATORS__\n#undef __HIP_NO_HALF_OPERATORS__\n#endif\n",
        ),
    ],
)
def test_one_becomes_hips(cuda: str, hip: str | None) -> None:
    translation = translate(cuda, path="a.cu", options=PLAIN)
    assert converted(cuda) == (hip or cuda.replace("CUDA", "HIP"))
    assert translation.findings == []
    assert all(reference.outcome == "converted" for reference in translation.references)
    assert len(translation.references) == cuda.count("__CUDA")


def test_others_are_the_sources_own() -> None:
    for source in ("#define __CUDA_ARCH__ 700\n", "#define CUDART_PI 3\n", "// #undef __CUDA_NO_HALF_OPERATORS__\n"):
        assert converted(source) == source
    assert "__CUDA_NO" in converted("int a; f(#undef __CUDA_NO_HALF_OPERATORS__\n);\n")


def test_one_for_the_runtime_comes_too_late_where_nvcc_has_included_that() -> None:
    source = "#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>\n"
    in_hip = "#define HIP_API_PER_THREAD_DEFAULT_STREAM\n#include <hip/hip_runtime.h>\n"
    assert converted(source, "a.cpp") == in_hip
    assert converted(source, "a.cu") == source.replace("cuda_runtime", "hip/hip_runtime")


def test_one_that_hip_lacks_is_reported_where_it_is_set_and_not_where_it_is_taken_back() -> None:
    source = (
        "#define CUB_NS_PREFIX namespace mine {\n#define CUB_NS_POSTFIX }\n#define CUB_NS_QUALIFIER ::mine::cub\n"
        "#include <cub/cub.cuh>\n#undef CUB_NS_PREFIX\n#undef CUB_NS_POSTFIX\n#undef CUB_NS_QUALIFIER\n"
    )
    findings = translate(source, path="a.cu").findings
    assert [(finding.id, finding.line) for finding in findings] == [("HIP101", 1), ("HIP101", 2), ("HIP101", 3)]
    assert "namespace" in findings[0].message


def test_one_that_hip_lacks_is_asked_for_or_set_and_else_left_to_the_headers_that_read_it() -> None:
    headers_own = "CUB_NS_PREFIX\nnamespace cub { struct Tile; }\nCUB_NS_POSTFIX\n"
    assert translate(headers_own, path="a.cuh").findings == []
    asked = translate("#ifdef CUB_WRAPPED_NAMESPACE\nint a;\n#endif\n", path="a.cuh")
    assert [reference.outcome for reference in asked.references] == ["unsupported"]


def test_a_source_for_both_vendors_sets_both() -> None:
    dual = Options(implicit_runtime=False, dual=True)
    source = "#ifdef __CUDA_NO_HALF_OPERATORS__\n#undef __CUDA_NO_HALF_OPERATORS__\n#endif\n"
    assert converted(source, options=dual).endswith(
        "#undef __HIP_NO_HALF_OPERATORS__\n#undef __CUDA_NO_HALF_OPERATORS__\n#endif\n"
    )
    kept = "#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1\n"
    assert converted(kept, "a.cpp", dual) == kept.replace("CUDA", "HIP") + kept
    assert converted(kept, "a.cu", dual) == kept
