"""The support header is included under the condition that all uses of it stand under."""

from __future__ import annotations

import pytest

from hipify_py import translate

SUPPORT = '#define HIPIFY_NEEDS_ROCTX\n#include "hipify_support.hpp"\n'
USE = 'void gpu() { nvtxNameOsThread(1, "x"); }\n'
HIP_USE = 'void gpu() { hipify::nvtx_nothing(1, "x"); }\n'


def outcome(source: str, path: str = "a.cpp") -> str:
    once = translate(source, path=path)
    twice = translate(once.output, path=path)
    assert twice.output == once.output
    return once.output.decode()


def check(source: str) -> None:
    """`@` stands where the include is expected; that of the runtime is behind `!`."""
    cuda = source.replace("@", "").replace("!", "#include <cuda_runtime.h>\n").replace("USE;", USE)
    hip = source.replace("@", SUPPORT).replace("!", "#include <hip/hip_runtime.h>\n").replace("USE;", HIP_USE)
    assert outcome(cuda) == hip


@pytest.mark.parametrize(
    "source",
    [
        "#include <vector>\n#ifdef GPU\n!@#endif\nint cpu();\n#ifdef GPU\nUSE;#endif\n",
        "#include <vector>\n#ifdef GPU\n@#include <map>\n#endif\n#ifdef GPU\nUSE;#endif\n",
        "#include <vector>\nint cpu();\n#if defined(GPU)  // with GPUs\n@USE;#endif\n",
        "#ifndef A_H\n#define A_H\n#ifdef GPU\n!@#endif\n#ifdef GPU\nUSE;#endif\n#endif\n",
        "#ifdef GPU\n!@#ifdef MORE\nUSE;#endif\n#endif\n",
        "#ifdef OTHER\n#include <map>\n#endif\n#ifdef GPU\n@#endif\n#ifdef  GPU\nUSE;#endif\n",
        "#ifdef GPU\n@USE;#else\nvoid gpu();\n#endif\n",
        'extern "C" {\n#ifdef GPU\nint a;\n#endif\n}\n#ifdef GPU\n@USE;#endif\n',
    ],
)
def test_it_goes_under_the_condition_of_its_uses(source: str) -> None:
    check(source)


@pytest.mark.parametrize(
    "source",
    [
        "!@#ifdef GPU\nUSE;#endif\n",
        "@#ifdef A\nUSE;#endif\n#ifdef B\nUSE;#endif\n",
        "@#ifdef CPU\n#else\nUSE;#endif\n",
        "@int cpu();\nUSE;#ifdef GPU\nUSE;#endif\n",
        "@#ifdef A\n!#endif\n#ifdef B\nUSE;#endif\n",
        "@namespace n {\n#ifdef GPU\nUSE;#endif\n}\n",
    ],
)
def test_without_one_condition_it_stands_at_the_head(source: str) -> None:
    check(source)


def test_a_cuda_source_is_for_gpus_in_any_case() -> None:
    output = outcome("#ifdef GPU\n__global__ void k() {}\n" + USE + "#endif\n", "a.cu")
    assert output.startswith("#include <hip/hip_runtime.h>\n" + SUPPORT)
