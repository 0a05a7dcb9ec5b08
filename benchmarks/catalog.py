"""How long the compiled catalog takes to load, and one lookup in it.

    python benchmarks/catalog.py

Loading is timed in this process, from the cache file; lookups as the mean over every name of the tables, once
decoding each row (the first time a run meets a symbol) and once more (every other time).
"""

from __future__ import annotations

import statistics
import time

from measure import goal, show_table

from hipify_py.catalog import compiled

_ROUNDS = 15
_LOAD_MS, _LOOKUP_US = 25.0, 1.0


def main() -> int:
    """Measure and print; the exit status is 1 when a goal is missed."""
    compiled.load_catalog()
    loads, first, again = [], [], []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        catalog = compiled._load()
        loads.append((time.perf_counter() - start) * 1e3)
        names = list(catalog.names)
        for times in (first, again):
            start = time.perf_counter()
            for name in names:
                catalog.row(name)
            times.append((time.perf_counter() - start) / len(names) * 1e6)
    load, lookup = statistics.median(loads), statistics.median(again)
    show_table(
        (f"{len(names):,} names", "median"),
        [
            ("load from the cache", f"{load:.1f} ms"),
            ("first lookup of a name", f"{statistics.median(first):.2f} µs"),
            ("every other lookup", f"{lookup:.2f} µs"),
        ],
    )
    print(goal("load", f"{load:.1f} ms", f"below {_LOAD_MS:.0f} ms", load < _LOAD_MS))
    print(goal("lookup", f"{lookup:.2f} µs", f"below {_LOOKUP_US:.0f} µs", lookup < _LOOKUP_US))
    return int(load >= _LOAD_MS or lookup >= _LOOKUP_US)


if __name__ == "__main__":
    raise SystemExit(main())
