"""Work that grows with its input, and no faster: what a slow or a busy machine cannot make fail.

Two measures, neither of them a limit in seconds. Function calls are counted, which gives the same number everywhere, for an
input and for one twice as large. What happens within one call of a C function (a search to the end of the source from
every line of it) is not seen so; that shows in the processor's time for an input and one four times as large, of which
the least of several runs counts, and the first runs that agree are enough: work that grows with the square takes
sixteen times as long each time, whatever else the machine does.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

Input = TypeVar("Input")

MOST = 2.5
"""How many times the work twice the input may take."""
ATTEMPTS = 12


def assert_linear(work: Callable[[Input], object], build: Callable[[int], Input], size: int) -> None:
    """Do the work for inputs of several sizes, and compare what it took."""
    work(build(2))  # what is loaded once is loaded now
    single, double = (count_calls(work, build(count)) for count in (size, 2 * size))
    assert double <= MOST * single, f"{single} calls for {size}, {double} for twice as many"
    small, large = build(size), build(4 * size)
    least_small = least_large = float("inf")
    for _ in range(ATTEMPTS):
        least_small = min(least_small, processor_time(work, small))
        least_large = min(least_large, processor_time(work, large))
        if least_large <= MOST**2 * least_small:
            return
    raise AssertionError(f"{least_small:.3f} s for {size}, {least_large:.3f} s for four times as many")


def count_calls(work: Callable[[Input], object], data: Input) -> int:
    """How many functions are called, Python's and C's, while the work is done."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work(data)
    finally:
        sys.setprofile(before)
    return calls


def processor_time(work: Callable[[Input], object], data: Input) -> float:
    """The seconds that the processor spends on the work, without the collection of garbage."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work(data)
        return time.process_time() - start
    finally:
        gc.enable()
