"""Packed integer functions: what each becomes computes what CUDA documents, checked with the host's clang."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

CLANG = next((path for name in ("clang++-22", "clang++") if (path := shutil.which(name))), None)


def lanes(word: int, width: int) -> list[int]:
    return [word >> place & (1 << width) - 1 for place in range(0, 32, width)]


def word(values: list[int], width: int) -> int:
    return sum((value & (1 << width) - 1) << place * width for place, value in enumerate(values))


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> width - 1 else value


CASES = [(0x80FF7F01, 0x01FF80FF), (0xFFFFFFFF, 0x00000001), (0x12345678, 0x87654321), (0x80808080, 0x7F7F7F7F)]


def model(name: str, a: int, b: int, width: int) -> int:
    """What CUDA's documentation says of one lane."""
    top, low, high = (1 << width) - 1, -(1 << width - 1), (1 << width - 1) - 1
    x, y = signed(a, width), signed(b, width)
    return {
        "add": a + b,
        "sub": a - b,
        "addss": max(low, min(high, x + y)),
        "addus": min(top, a + b),
        "subss": max(low, min(high, x - y)),
        "subus": max(0, a - b),
        "avgu": (a + b + 1) >> 1,
        "avgs": (x + y + (x + y >= 0)) >> 1,
        "haddu": (a + b) >> 1,
        "absdiffs": abs(x - y),
        "maxs": max(x, y),
        "maxu": max(a, b),
        "mins": min(x, y),
        "minu": min(a, b),
        "absdiffu": abs(a - b),
        "cmpeq": top * (a == b),
        "cmpne": top * (a != b),
        "cmpgts": top * (x > y),
        "cmpgtu": top * (a > b),
        "setles": int(x <= y),
        "setltu": int(a < b),
    }[name]


NAMES = [
    *["add", "sub", "addss", "addus", "subss", "subus", "maxs", "maxu", "mins", "minu", "absdiffu"],
    *["cmpeq", "cmpne", "cmpgts", "cmpgtu", "setles", "setltu"],
]
OF_THE_HEADER_ALONE = ["avgu", "avgs", "haddu", "absdiffs"]


def run(text: str, support: bool, folder: Path) -> list[int]:
    """What a program prints once it is translated and the host's clang has compiled it."""
    assert CLANG is not None
    version = re.search(
        r"version (\d+)", subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout
    )
    if version is None or int(version[1]) < 15:
        pytest.skip(f"{CLANG} is older than 15, which brought the saturating vector built-ins")
    options = Options(implicit_runtime=False, support=support)
    result = translate("#include <cstdio>\n" + text, path="a.cu", options=options)
    assert re.search(rb"\b__(?:v|dp4a)", result.output) is None
    (folder / "a.cpp").write_bytes(result.output)
    (folder / HEADER).write_bytes(render(["simd", "dpx", "dp4a"]))
    (folder / "hip").mkdir()
    (folder / "hip" / "hip_runtime.h").write_text(RUNTIME)
    command = [CLANG, "-std=c++17", "-D__HIPCC__", "-I.", "a.cpp", "-o", "a.out"]
    subprocess.run(command, cwd=folder, check=True, timeout=1800)
    printed = subprocess.run(["./a.out"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return [int(number) for number in printed.split()]


RUNTIME = """#define __device__
#define __host__
struct char4 { char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
"""


@pytest.mark.compiler
@pytest.mark.skipif(CLANG is None, reason="clang++ is missing: it compiles what is tested")
@pytest.mark.parametrize("support", [True, False])
def test_packed_functions_compute_what_cuda_documents(support: bool, tmp_path: Path) -> None:
    names = NAMES + (OF_THE_HEADER_ALONE if support else [])
    calls = [(name, count, a, b) for name in names for count in (2, 4) for a, b in CASES]
    lines = [f'  printf("%u\\n", __v{name}{count}({a}u, {b}u));' for name, count, a, b in calls]
    printed = run("int main() {\n" + "\n".join(lines) + "\n}\n", support, tmp_path)
    assert printed == [
        word(
            [model(name, x, y, 32 // count) for x, y in zip(lanes(a, 32 // count), lanes(b, 32 // count), strict=True)],
            32 // count,
        )
        for name, count, a, b in calls
    ]


@pytest.mark.compiler
@pytest.mark.skipif(CLANG is None, reason="clang++ is missing: it compiles what is tested")
def test_functions_of_one_and_of_three_numbers(tmp_path: Path) -> None:
    calls = {
        "__vabs4(0x80ff7f01u)": 0x80017F01,
        "__vabsss4(0x80ff7f01u)": 0x7F017F01,
        "__vneg2(0x80000001u)": 0x8000FFFF,
        "__vnegss2(0x80000001u)": 0x7FFFFFFF,
        "__vsadu4(0x01ff0010u, 0xff010001u)": 254 + 254 + 15,
        "__vsads2(0x7fff8000u, 0x80007fffu)": 2 * 65535,
        "__dp4a(0x80ff7f01u, 0x01020304u, 5u)": 128 + 510 + 381 + 4 + 5,
        "(unsigned)__dp4a((int)0x80ff7f01, 0x01020304, 5)": -128 - 2 + 381 + 4 + 5,
        "__viaddmax_s32(0x7fffffff, 1, -7)": 0xFFFFFFF9,
        "__viaddmax_s16x2_relu(0x7fff0001u, 0x00010002u, 0xffff0002u)": 3,
        "__vimin3_u16x2(0x00030009u, 0x00048001u, 0xffff0008u)": 0x00030008,
        "__viaddmin_u32(0xffffffffu, 9u, 10u)": 8,
        "__vibmax_s16x2(0x7fff8000u, 0x80000001u, p, p + 1) + 2 * p[0] + p[1]": 0x7FFF0003,
    }
    lines = [f'  printf("%u\\n", {call});' for call in calls]
    printed = run("int main() {\n  bool p[2];\n" + "\n".join(lines) + "\n}\n", True, tmp_path)
    assert printed == [value % (1 << 32) for value in calls.values()]
