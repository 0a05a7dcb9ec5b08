"""Members of cuRAND's generator states, which hipRAND's classes do not have."""

from __future__ import annotations

import pytest

from hipify_py import translate


@pytest.mark.parametrize(
    ("state", "member"),
    [
        ("curandState", "boxmuller_extra"),
        ("curandStateXORWOW_t", "d"),
        ("curandStatePhilox4_32_10_t", "key"),
        ("curandStateMRG32k3a", "s2[1]"),
        ("curandStateSobol64_t", "direction_vectors[0]"),
    ],
)
def test_a_member_is_reported_at_its_place(state: str, member: str) -> None:
    source = f"__global__ void k({state} *all) {{ {state} own = all[0]; auto x = own.{member}; all[0] = own; }}\n"
    places = [found.column for found in translate(source.encode()).findings if found.id == "HIP106"]
    assert places == [source.index(f".{member}") + 2]


def test_members_of_the_projects_own_types_are_not() -> None:
    assert (
        translate(
            b"struct S { int d, key; };\n__device__ int f(S s, curandState *c) { return s.d + s.key; }\n"
        ).findings
        == []
    )
