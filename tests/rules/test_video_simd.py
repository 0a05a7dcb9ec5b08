"""Packed integer functions: what each becomes computes what CUDA documents, checked with the host's clang."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options, translate

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


@pytest.mark.skipif(CLANG is None, reason="clang++ is missing: its vector built-ins are what is tested")
def test_packed_functions_compute_what_cuda_documents(tmp_path: Path) -> None:
    assert CLANG is not None
    version = re.search(
        r"version (\d+)", subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout
    )
    if version is None or int(version[1]) < 15:
        pytest.skip(f"{CLANG} is older than 15, which brought the saturating vector built-ins")
    calls = [(name, count, a, b) for name in NAMES for count in (2, 4) for a, b in CASES]
    lines = [f'  printf("%u\\n", __v{name}{count}({a}u, {b}u));' for name, count, a, b in calls]
    source = "#include <cstdio>\nint main() {\n" + "\n".join(lines) + "\n}\n"
    output = translate(source, path="a.cu", options=Options(implicit_runtime=False)).output
    assert b"__vadd" not in output
    path = tmp_path / "a.cpp"
    path.write_bytes(output)
    subprocess.run([CLANG, "-std=c++17", str(path), "-o", str(tmp_path / "a.out")], check=True, timeout=120)
    printed = subprocess.run([str(tmp_path / "a.out")], capture_output=True, text=True, check=True).stdout.split()
    wanted = [
        word(
            [model(name, x, y, 32 // count) for x, y in zip(lanes(a, 32 // count), lanes(b, 32 // count), strict=True)],
            32 // count,
        )
        for name, count, a, b in calls
    ]
    assert [int(text) for text in printed] == wanted
