"""Where a source includes the support header: under the condition that all of CUDA stands under."""

from __future__ import annotations

import pytest

from hipify_py import translate

UNDER = (
    "#ifdef USE_CUDA\n#include <cuda_runtime.h>\n#endif\n"
    "#ifdef USE_CUDA\ninline __device__ unsigned f(unsigned a) { return __vadd2(a, a); }\n#endif\n"
)


@pytest.mark.parametrize(
    "head",
    [
        "#define OPEN {\n",
        "#define CLOSE } // of all\n",
        '// {\nconst char *brace = "{";\n',
        "#ifndef A_H\n// of a.h\n#define A_H\n",
        "#if !defined(A_H)\n#define A_H\n",
        "namespace n { struct S { int a[2] = {1, 2}; }; }\n",
    ],
)
def test_braces_of_macros_and_guards_do_not_matter(head: str) -> None:
    source = head + UNDER + ("#endif\n" if "A_H" in head else "")
    output = translate(source, path="a.h").output.decode()
    assert '#ifdef USE_CUDA\n#include <hip/hip_runtime.h>\n#include "hipify_support.hpp"\n#endif\n' in output
    assert translate(output, path="a.h").output.decode() == output
