"""`translate` and `Options` as `--no-fix wavefront` has them: what is reported, and how masks widen, where warps are not
kept at 32 lanes."""

from __future__ import annotations

from functools import partial

import hipify_py

Options = partial(hipify_py.Options, fixes=frozenset())
translate = partial(hipify_py.translate, options=Options())
