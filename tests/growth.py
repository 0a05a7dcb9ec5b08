"""Work that grows with its input, and no faster: what a slow or a busy machine cannot make fail.

Two measures, neither of them a limit in seconds. Function calls are counted, which gives the same number everywhere, for an
input and for one twice as large. What happens within one call of a C function (a search to the end of the source from
every line of it) is not seen so; that shows in the processor's time for one large input and for four of a quarter of
its size, which take about as long where the work grows with the input, and a quarter as long where it grows with the
square. Both are measured in turn, for they last equally long and a busy machine slows them down alike; the least of
several runs counts, and the first that agree are enough.
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
"""How many times the calls twice the input may take, and how many times the time of four parts a whole may."""
PARTS = 4
ATTEMPTS = 25


def assert_linear(work: Callable[[Input], object], build: Callable[[int], Input], size: int) -> None:
    """Do the work for inputs of several sizes, and compare what it took."""
    work(build(2))  # what is loaded once is loaded now
    single, double = (count_calls(work, build(count)) for count in (size, 2 * size))
    assert double <= MOST * single, f"{single} calls for {size}, {double} for twice as many"
    part, whole = build(size), build(PARTS * size)
    least_parts = least_whole = float("inf")
    for _ in range(ATTEMPTS):
        least_parts = min(least_parts, processor_time(work, part, PARTS))
        least_whole = min(least_whole, processor_time(work, whole))
        if least_whole <= MOST * least_parts:
            return
    raise AssertionError(f"{least_parts:.3f} s for {PARTS} times {size}, {least_whole:.3f} s for as many at once")


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


def processor_time(work: Callable[[Input], object], data: Input, times: int = 1) -> float:
    """The seconds that the processor spends on doing the work so many times, without the collection of garbage."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(times):
            work(data)
        return time.process_time() - start
    finally:
        gc.enable()
