"""What several views of one source say together."""

from __future__ import annotations

import pytest

from hipify_py.core.clang_facts import (
    CUDA,
    NAME,
    NO_EVIDENCE,
    OWN,
    PARAMETER,
    TYPE,
    Evidence,
    Named,
    Typed,
    TypeQuery,
    merge_evidence,
)

PLACE = TypeQuery(4, 9, NAME)
OURS, THEIRS = Named(OWN, "", "a.h"), Named(CUDA, "", "cuda.h")
WIDE, NARROW = Typed("unsigned long", "", 0, 64), Typed("unsigned int", "", 0, 32)


def named(*those: Named) -> list[Evidence]:
    return [Evidence(((PLACE, one),)) for one in those]


def typed(*those: tuple[Typed, ...], kind: str = TYPE) -> list[Evidence]:
    return [Evidence((), ((TypeQuery(4, 9, kind), one),)) for one in those]


def test_nobody_says_nothing_and_one_alone_is_believed() -> None:
    assert merge_evidence([]) == NO_EVIDENCE
    assert merge_evidence(named(OURS)) == named(OURS)[0]


@pytest.mark.parametrize(
    ("those", "found"),
    [
        ([OURS, OURS], OURS),
        ([OURS, THEIRS], None),
        ([OURS, OURS, THEIRS], None),
        ([OURS, OURS._replace(file="b.h")], OURS),
        ([OURS, OURS._replace(scope="app")], None),
    ],
)
def test_a_name_is_what_all_say(those: list[Named], found: Named | None) -> None:
    assert dict(merge_evidence(named(*those)).names).get(PLACE) == found


def test_one_that_some_do_not_see_is_what_the_others_say() -> None:
    assert dict(merge_evidence([*named(OURS), NO_EVIDENCE]).names) == {PLACE: OURS}


def test_types_outside_of_templates_are_what_all_say() -> None:
    assert merge_evidence(typed((WIDE,), (WIDE,))).types == ((TypeQuery(4, 9, TYPE), (WIDE,)),)
    assert merge_evidence(typed((WIDE,), (NARROW,))).types == ()
    assert merge_evidence(typed((WIDE,), (WIDE,), kind=PARAMETER)).types == ((TypeQuery(4, 9, PARAMETER), (WIDE,)),)
    assert merge_evidence(typed((WIDE,), (NARROW,), kind=PARAMETER)).types == ()


def test_instantiations_add_up_and_stay_apart() -> None:
    one, other = (WIDE._replace(instance=1), NARROW._replace(instance=2)), (NARROW._replace(instance=1),)
    ((_, found),) = merge_evidence(typed(one, other)).types
    assert [type.width for type in found] == [64, 32, 32]
    assert len({type.instance for type in found}) == 3
