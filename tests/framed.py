"""Translates a piece of code within a program that stays as it is."""

from __future__ import annotations

from hipify_py import Options, translate


def translated_within(frame: str, source: str, *, support: bool = True) -> str:
    """What becomes of a source in a frame, whose `{}` it takes; translating that once more changes nothing."""
    options = Options(implicit_runtime=False, support=support)
    once = translate(frame.format(source), path="a.cu", options=options)
    assert translate(once.output, path="a.cu", options=options).output == once.output
    text = once.output.decode().replace('#include "hipify_support.hpp"\n', "")
    head, tail = frame.format("@").split("@")
    assert text.startswith(head)
    assert text.endswith(tail)
    return text[len(head) : -len(tail)]
