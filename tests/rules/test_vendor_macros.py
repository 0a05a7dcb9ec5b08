"""Sources that make a macro of their own of each vendor's compiler serve both already."""

from __future__ import annotations

import pytest

from hipify_py import translate

CUDA = "#if defined(__CUDACC__) && !defined(NO_CUDA)\n#define MY_CUDA __CUDACC__\n#endif\n"
HIP = "#if defined(__HIPCC__) && !defined(NO_HIP)\n#define MY_HIP __HIPCC__\n#endif\n"
EITHER = "#if defined(MY_CUDA) || defined(MY_HIP)\n#define MY_GPU\n#endif\n"


def _out(text: str) -> str:
    done = translate(text, path="a.h").output
    assert translate(done, path="a.h").output == done
    return done.decode()


@pytest.mark.parametrize(
    "text",
    [
        CUDA + HIP + EITHER,
        HIP + CUDA + "#if MINE && (defined(MY_CUDA) || defined(MY_HIP))\n#endif\n",
        CUDA + HIP + "#if !defined(MY_CUDA) && !defined(MY_HIP)\n#define MY_HOST\n#endif\n",
        "#ifdef __CUDACC__\n#define A 1\n#define MY_CUDA 1\n#endif\n" + HIP + EITHER,
        "#ifdef __CUDACC__\n#define MY_CUDA\n#endif\n#ifdef __HIP_PLATFORM_AMD__\n#define MY_HIP\n#endif\n" + EITHER,
        "#ifdef __CUDA_ARCH__\n#define MY_CUDA __CUDA_ARCH__\n#endif\n"
        "#ifdef __HIP_DEVICE_COMPILE__\n#define MY_HIP\n#endif\n" + EITHER,
    ],
)
def test_both_vendors_keep_their_macros(text: str) -> None:
    assert _out(text) == text


@pytest.mark.parametrize(
    "text",
    [
        CUDA + HIP,
        CUDA + HIP + "#if defined(MY_CUDA) && defined(MY_HIP)\n#error\n#endif\n",
        CUDA + "#if defined(MY_CUDA) || defined(MY_HIP)\n#endif\n",
        CUDA + "#if !defined(__HIPCC__)\n#define MY_HIP\n#endif\n" + EITHER,
        CUDA + HIP.replace("MY_HIP", "MY_CUDA") + EITHER,
        "#ifdef __CUDACC__\n#define OTHER\n#endif\n" + HIP + EITHER,
    ],
)
def test_the_compilers_macro_follows_where_nothing_stands_beside_it(text: str) -> None:
    assert "__CUDACC__" not in _out(text)
