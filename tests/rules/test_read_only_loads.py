"""`__ldg` in templates that bfloat16 may be an argument of."""

import pytest

from hipify_py import translate

_HEAD = "#include <cuda_bf16.h>\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "template <typename T> __device__ float f(const T *__restrict__ p, int i) { return x/__ldg(&p[i]); }",
            "return x/(*(&p[i]));",
        ),
        ("template <typename T> __device__ T f(T const *p) { return __ldg(p).x; }", "return (*(p)).x;"),
        ("template <typename T> __device__ T f(const T *p, const float *q) { return __ldg(q); }", "return __ldg(q);"),
        ("template <int N> __device__ float f(const float *p) { return __ldg(p + N); }", "return __ldg(p + N);"),
        (
            "template <typename T> __device__ int f(const T *p) { return __ldg((const int *)p); }",
            "__ldg((const int *)p)",
        ),
        ("template <typename T> __device__ T f(const T *p) { return __ldg(p", "return __ldg(p"),
    ],
)
def test_loads_of_a_templates_parameter_are_plain(source: str, expected: str) -> None:
    output = translate(_HEAD + source, path="a.cu").output
    assert expected in output.decode()
    assert translate(output, path="a.cu").output == output
