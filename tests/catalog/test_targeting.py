"""What a row says for chosen versions, for a target, and for the arguments of a call."""

from __future__ import annotations

from typing import Any

import pytest

from hipify_py.catalog import Row, Targeting
from hipify_py.core.targeting import for_call, select, version


def row(hip: str | None = "hipX", **details: Any) -> Row:
    return Row("cudaX", "runtime", "function", hip, details)


def target(of: Row, native: str = "", **choice: Any) -> str | None:
    return select(of, Targeting(**choice), native).hip


@pytest.mark.parametrize(
    ("text", "numbers"), [("6.4", (6, 4)), ("10.0", (10, 0)), ("6.4.3", (6, 4)), ("12.10", (12, 10))]
)
def test_versions(text: str, numbers: tuple[int, int]) -> None:
    assert version(text) == numbers


@pytest.mark.parametrize("text", ["", "6", "six", "6.", "6.4beta", "-1.0", "6.4.", "٦.٤", "1" * 9 + ".0"])
def test_no_versions(text: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        version(text)


def test_a_target_that_is_not_there_yet() -> None:
    newer = row(rocm={"added": "7.0"})
    assert target(newer) == "hipX"
    assert target(newer, rocm="7.0") == "hipX"
    lost = select(newer, Targeting(rocm="6.4"))
    assert (lost.hip, lost.is_unsupported, lost.later) == (None, True, ("7.0", "hipX"))


def test_a_target_that_is_gone() -> None:
    older = row(rocm={"removed": "7.0"}, advice="Use hipY.")
    assert target(older, rocm="6.4") == "hipX"
    assert select(older, Targeting()).advice == "hipX was removed in ROCm 7.0; Use hipY."
    assert select(older, Targeting(rocm="7.1")).hip is None


def test_versions_compare_as_numbers() -> None:
    assert target(row(rocm={"added": "7.2"}), rocm="10.0") == "hipX"


def test_other_names_below_a_version() -> None:
    renamed = row(before={"rocm": "7.0", "hip": "hipX_v2"})
    assert [target(renamed, rocm=rocm) for rocm in ("", "7.0", "6.4")] == ["hipX", "hipX", "hipX_v2"]


def test_the_first_older_form_whose_bounds_all_hold() -> None:
    both = row(
        before=[
            {"cuda": "12.0", "rocm": "7.0", "hip": "both"},
            {"rocm": "7.0", "hip": "rocm"},
            {"cuda": "13.0", "hip": "cuda"},
        ]
    )
    assert target(both, cuda="11.8", rocm="6.4") == "both"
    assert target(both, cuda="12.9", rocm="6.4") == "rocm"
    assert target(both, cuda="12.9", rocm="7.1") == "cuda"
    assert target(both) == "hipX"


def test_an_older_form_without_a_counterpart_names_the_rocm_that_has_one() -> None:
    newer = row(before={"rocm": "7.0", "unsupported": True, "advice": "Use hipY."})
    lost = select(newer, Targeting(rocm="6.4"))
    assert (lost.hip, lost.later, lost.advice) == (None, ("7.0", "hipX"), "Use hipY.")
    assert select(newer, Targeting()).later is None


def test_an_older_form_is_there_although_the_newer_came_later() -> None:
    assert target(row(before={"rocm": "7.0", "hip": "old"}, rocm={"added": "7.0"}), rocm="6.2") == "old"


def test_a_recent_target_is_noted_unless_a_version_is_chosen() -> None:
    recent = row(rocm={"added": "10.0"})
    assert select(recent, Targeting()).note == "available in HIP from ROCm 10.0 on"
    assert select(recent, Targeting(rocm="10.0")).note == ""


def test_the_native_target() -> None:
    both = row(roc="rocx", args={"0": "({})"}, note="of hip")
    native = select(both, Targeting(target="roc"), "rocX")
    assert (native.hip, native.note, native.edits_arguments) == ("rocx", "", False)
    assert select(both, Targeting(), "rocX").edits_arguments


def test_the_native_target_has_fields_of_its_own() -> None:
    edited = row(roc={"hip": "rocx", "args": {"1": None}}, cuda={"added": "12.0"})
    native = select(edited, Targeting(target="roc"), "rocX")
    assert (native.hip, dict(native.details)) == ("rocx", {"cuda": {"added": "12.0"}, "args": {"1": None}})


def test_what_the_native_library_lacks() -> None:
    lost = select(row(), Targeting(target="roc"), "rocX")
    assert (lost.hip, lost.advice) == (None, "rocX has no counterpart; hipify-py --target hip has hipX")
    told = select(row(roc={"unsupported": True, "advice": "Do without."}), Targeting(target="roc"), "rocX")
    assert (told.hip, told.advice) == (None, "Do without.")


def test_tables_without_a_native_library_are_the_same_for_both_targets() -> None:
    assert target(row(), target="roc") == "hipX"


FORMS = row(
    by_arity={"3": "hip3", "4": {"hip": "hip4", "args": {"1": None}}, "5": {"hip": "hip5", "rocm": {"added": "7.1"}}},
    by_type={"2": {"Place": {"hip": "hipPlace"}}},
    note="of the plain form",
)


@pytest.mark.parametrize(
    ("count", "types", "hip"),
    [
        (2, {}, "hipX"),
        (3, {}, "hip3"),
        (4, {}, "hip4"),
        (4, {2: "Place"}, "hipPlace"),
        (4, {1: "Place"}, "hip4"),
        (6, {2: "Place"}, "hipPlace"),
    ],
)
def test_the_form_of_a_call(count: int, types: dict[int, str], hip: str) -> None:
    form = for_call(FORMS, count, types, Targeting())
    assert form.hip == hip
    assert form.note == ("of the plain form" if hip == "hipX" else "")


def test_a_form_has_versions_of_its_own() -> None:
    assert for_call(FORMS, 5, {}, Targeting()).hip == "hip5"
    assert for_call(FORMS, 5, {}, Targeting(rocm="6.4")).later == ("7.1", "hip5")


def test_forms_outlive_a_lost_plain_form() -> None:
    lost = select(row(rocm={"added": "7.0"}, by_arity={"3": "hip3"}), Targeting(rocm="6.2"))
    assert lost.is_unsupported
    assert for_call(lost, 3, {}, Targeting(rocm="6.2")).hip == "hip3"
