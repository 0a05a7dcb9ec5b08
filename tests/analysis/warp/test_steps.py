"""Whether a source may have steps between lanes at all is told from its text, without a tree."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.analysis.warp.possible_steps import may_have_steps


@pytest.mark.parametrize(
    "step",
    [
        "s[t] += s[t + {}];",
        "s [ t ] = s [ t ] + s [ t + {} ];",
        "(s[(t)]) += s[(t + {})];",
        "s[t] = max(s[t],\n    s[t\n + {}]);",
        "s[t] /* ; */ += s[t + {}];",
        "s[t] += /* ; */ s[t + {}];",
        "s[t] += // ;\n s[t + {}];",
        "s[u[t]] += s[u[t] + {}];",
        "s[t] ^= \\\n s[t \\\n + {}];",
        "p->s[t] += q.s[t + {}];",
        "s[t % 64] += s[t % 64 + {}];",
    ],
)
def test_a_step_is_seen_however_it_is_written(step: str) -> None:
    steps = step.replace("{}", "16") + "\n" + step.replace("{}", "8")
    source = f"struct S {{ float *s; }};\n__device__ void f(S *p, S q, float *s, int *u, int t) {{ {steps} }}"
    assert may_have_steps(source.encode())
    assert "__syncwarp();" in translate(source, path="a.cu").output.decode()


@pytest.mark.parametrize(
    "source",
    [
        "__device__ void f(float *s, int t) { s[t] = 1; s[t + 1] = 2; }",
        "__device__ void f(float *s, float *o, int t) { o[t] = s[t + 1]; }",
        "__device__ void f(float *s, int t) { if (s[t] == s[t + 1]) { s[t] *= 2; } }",
        "__device__ void f(float *s, int t) { float v = s[t + 16]; s[t] += v; }",
    ],
)
def test_elements_alone_are_no_steps(source: str) -> None:
    assert not may_have_steps(source.encode())
