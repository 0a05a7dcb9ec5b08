"""For programs that make GPU code while they run: sources for hipRTC, and what they need of the support header.

```python
import cupy
from hipify_py import rtc

source = template.render(type="float")
if cupy.cuda.runtime.is_hip:
    source = rtc.translate(source)
module = cupy.RawModule(code=source)
```
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from hipify_py.core.options import DEFAULT_OPTIONS, Options

__all__ = ["prelude", "translate"]

_USUAL = ("warp32",)


def prelude(sections: Iterable[str] = _USUAL) -> str:
    """The part of the support header that a source needs, to be put before it: hipRTC includes no file.

    By default, these are the functions that keep a CUDA warp's 32 lanes: `hipify::warp32::ballot_sync` and the like.
    A translation that has them inlined already needs nothing. NVRTC accepts the prelude as well, if it is given the
    folder of CUDA's headers and `-D__NVCC__`.

    Args:
        sections: names of sections, as `hipify-py header --list` prints them.

    Raises:
        ValueError: if there is no section of a name.
    """
    from hipify_py.support_header.header import section_names
    from hipify_py.support_header.inlined import inlined_header

    wanted = [*sections]
    unknown = sorted(set(wanted).difference(section_names()))
    if unknown:
        raise ValueError(f"the support header has no section {', '.join(unknown)}")
    return inlined_header(wanted).decode()


@overload
def translate(source: str, *, options: Options = ...) -> str: ...
@overload
def translate(source: bytes, *, options: Options = ...) -> bytes: ...
def translate(source: str | bytes, *, options: Options = DEFAULT_OPTIONS) -> str | bytes:
    """Translate a source that is put together at run time; the result is complete, with its part of the support header.

    What has no counterpart stays as it is; `hipify-py check` reports it in a file. Translating HIP changes nothing.

    Args:
        source: CUDA C++ for NVRTC.
        options: the translator's options.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
        TableError: if the mapping tables cannot be loaded.
    """
    from hipify_py.core.project_context import NO_PROJECT
    from hipify_py.translator.run_time_source import translate_string

    data = source.encode() if isinstance(source, str) else source
    output = translate_string(data, "<string>", options, NO_PROJECT).output
    return output.decode() if isinstance(source, str) else output
