"""Labels of a `switch` that HIP has no value for, or only one for two of CUDA's."""

import pytest

from hipify_py import translate


def ids(source: str) -> tuple[str, list[str]]:
    result = translate(source, path="a.cu")
    return result.output.decode().replace("#include <hip/hip_runtime.h>\n", ""), [
        finding.id for finding in result.findings if finding.id.startswith("HIP1")
    ]


def test_a_label_without_counterpart_becomes_a_comment_wherever_it_stands() -> None:
    source = (
        "int f(int r) { switch (r) { case cudaSuccess:\n case  CUFFT_NVRTC_FAILURE :\n return 1; default: return 0; } }"
    )
    output, found = ids(source)
    assert "case hipSuccess:\n /* case  CUFFT_NVRTC_FAILURE : */\n return 1;" in output
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "#define NAME(x) case x: return #x\nint g(int r) { switch (r) { NAME(CUFFT_NVRTC_FAILURE); } }",
        "int g(int r) { return r == CUFFT_NVRTC_FAILURE; }",
        "#define OF case CUFFT_NVRTC_FAILURE: return 1\n",
        "int g(int r) { switch (r) { case CUFFT_NVRTC_FAILURE + 1: return 1; } }",
    ],
)
def test_other_uses_of_such_an_enumerator_stay_errors(source: str) -> None:
    output, found = ids(source)
    assert found == ["HIP101"]
    assert "CUFFT_NVRTC_FAILURE" in output
    assert "/*" not in output


def test_the_second_of_two_equal_labels_becomes_a_comment() -> None:
    output, found = ids("int f(int e) { switch (e) { case cudaSuccess: return 1; case CUDA_SUCCESS: return 2; } }")
    assert output == "int f(int e) { switch (e) { case hipSuccess: return 1; /* case hipSuccess: */ return 2; } }"
    assert found == ["HIP130"]


@pytest.mark.parametrize(
    ("body", "is_label"),
    [
        ("case x: return #x", True),
        ("case /* one */ x /* of them */ : return #x", True),
        ("case \\\n  x: return #x", True),
        ("/* case x: */ return x", False),
        ('puts("case x:"); return x', False),
        ("case x + 1: return #x", False),
    ],
)
def test_labels_that_a_macro_writes(body: str, is_label: bool) -> None:
    source = f"#define NAME(x) {body}\nconst char *g(int r) {{ switch (r) {{ case cudaSuccess: f(); NAME(CUDA_SUCCESS); }} }}"
    assert ("/* NAME(hipSuccess) */" in ids(source)[0]) == is_label


def test_branches_of_the_preprocessor_keep_their_labels() -> None:
    source = "int f(int e) { switch (e) {\n#ifdef A\ncase cudaSuccess: return 1;\n#else\ncase CUDA_SUCCESS: return 2;\n#endif\n} }"
    output, found = ids(source)
    assert "/*" not in output
    assert found == []


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            "#ifdef A\ncase cudaSuccess: return 1;\n#endif\ncase CUDA_SUCCESS: return 2;\n",
            "#ifdef A\n/* case hipSuccess: */ return 1;\n#endif\ncase hipSuccess: return 2;\n",
        ),
        (
            "case cudaSuccess: return 1;\n#ifdef A\ncase CUDA_SUCCESS: return 2;\n#endif\n",
            "case hipSuccess: return 1;\n#ifdef A\n/* case hipSuccess: */ return 2;\n#endif\n",
        ),
        ("NAME(cudaSuccess)\nNAME(CUDA_SUCCESS)\n", "NAME(hipSuccess)\n/* NAME(hipSuccess) */\n"),
        ("NAME(cudaSuccess);\nNAME(CUDA_SUCCESS);\n", "NAME(hipSuccess);\n/* NAME(hipSuccess) */;\n"),
        ("case cudaSuccess: break;\nNAME(CUDA_SUCCESS)\n", "case hipSuccess: break;\n/* NAME(hipSuccess) */\n"),
        (
            "case cudaSuccess: switch (e) { case CUDA_SUCCESS: ; }\ncase CUDA_SUCCESS: ;\n",
            "case hipSuccess: switch (e) { case hipSuccess: ; }\n/* case hipSuccess: */ ;\n",
        ),
        ("TWO(CUDA_SUCCESS, 1)\ncase cudaSuccess: ;\n", "TWO(hipSuccess, 1)\n/* case hipSuccess: */ ;\n"),
        ("OTHER(cudaSuccess) OTHER(CUDA_SUCCESS)\n", "OTHER(hipSuccess) OTHER(hipSuccess)\n"),
    ],
)
def test_one_of_two_equal_labels_becomes_a_comment(inside: str, expected: str) -> None:
    macros = "#define NAME(x) case x: return #x;\n#define TWO(x, n) case x: return n;\n#define OTHER(x) use(x);\n"
    frame = macros + "int f(int e) {{ switch (e) {{\n{}}} }}\n"
    output, found = ids(frame.format(inside))
    assert output == frame.format(expected)
    assert found == ["HIP130"] * expected.count("/*")
    assert ids(output) == (output, [])


def test_labels_under_conditions_that_may_both_hold_are_reported() -> None:
    source = "int f(int e) { switch (e) {\n#ifdef A\ncase cudaSuccess: ;\n#endif\n#ifdef B\ncase CUDA_SUCCESS: ;\n#endif\n} }"
    output, found = ids(source)
    assert "/*" not in output
    assert found == ["HIP112"]


def test_a_switch_that_does_not_close_is_left_alone() -> None:
    output, found = ids("int f(int e) { switch (e) { case cudaSuccess: return 1; case CUDA_SUCCESS: return 2;")
    assert "/*" not in output
    assert found == ["HIP112"]


def test_translating_again_changes_nothing() -> None:
    once, _ = ids(
        "int f(int e) { switch (e) { case cudaSuccess: case CUDA_SUCCESS: case CUFFT_NVRTC_FAILURE: return 2; } }"
    )
    assert ids(once) == (once, [])
