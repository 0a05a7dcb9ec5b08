"""Tables against surfaces: what is found, what is excused, and the patches that follow from it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from hipify_py.catalog import TableError
from tools.tables.diff import diff, hip_name
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol
from tools.tables.verify import verify
from tools.tables.versions import derive

HEADER = "cuda_runtime_api.h"
HIP_HEADER = "hip/hip_runtime_api.h"


def cuda(version: str, *symbols: Symbol, words: Iterable[str] = ()) -> Surface:
    placed = {s.name: s._replace(library="runtime", header=s.header or HEADER) for s in symbols}
    known = dict.fromkeys((*placed, *words), HEADER)
    return Surface("cuda", version, placed, known, frozenset(("runtime",)), headers=frozenset((HEADER,)))


def bound(version: str, *symbols: Symbol, library: str = "hip") -> Surface:
    """A set of bindings."""
    placed = {s.name: s._replace(library=library) for s in symbols}
    words = dict.fromkeys(placed, "")
    return Surface("rocm", version, placed, words, frozenset(), frozenset((library,)), frozenset((HIP_HEADER,)))


def headers(version: str, *symbols: Symbol, library: str = "hip", header: str = HIP_HEADER) -> Surface:
    """A set of headers."""
    placed = {s.name: s._replace(library=library, header=header) for s in symbols}
    words = dict.fromkeys(placed, header)
    return Surface("rocm", version, placed, words, frozenset((library,)), headers=frozenset((header,)))


def function(name: str, *signatures: str) -> Symbol:
    return Symbol(name, "function", signatures=signatures or ("int (int)",))


def enumeration(name: str, **numbers: int) -> list[Symbol]:
    values = [Symbol(each, "enumerator", value=str(number)) for each, number in numbers.items()]
    return [Symbol(name, "type", value="enum", fields=tuple(numbers)), *values]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def write(folder: Path, **sections: Any) -> Path:
    document = {"library": "runtime", "title": "Runtime", "headers": {HEADER: HIP_HEADER}, **sections}
    (folder / "runtime.yaml").write_text(yaml.safe_dump(document))
    return folder


def found(tables: Path, *sets: Surface) -> list[tuple[str, str, str]]:
    return [(problem.row, problem.kind, problem.what) for problem in verify(tables, sets).problems]


def test_a_table_that_agrees_has_no_problems(folder: Path) -> None:
    write(folder, functions={"cudaFree": "hipFree"})
    verification = verify(folder, [cuda("13.5", function("cudaFree")), bound("10.0", function("hipFree"))])
    assert verification.problems == []
    assert set(verification.figures.values()) == {0}
    assert "uncovered symbol, CUDA 13.5" in verification.figures
    assert verification.unchecked == {}


def test_cuda_names_that_no_set_declares(folder: Path) -> None:
    reason = [{"names": "cudaOlder|gone\\.h", "reason": "CUDA 5 had it."}]
    rows = {"cudaOlder": "hipFree", "cudaWrong": "hipFree"}
    write(folder, functions=rows, headers={HEADER: HIP_HEADER, "gone.h": HIP_HEADER}, evidence={"unseen_cuda": reason})
    problems = found(folder, cuda("13.5"), bound("10.0", function("hipFree")))
    assert problems == [("cudaWrong", "unconfirmed CUDA name", "no CUDA header set declares it")]


def test_targets_that_are_gone_or_never_were(folder: Path) -> None:
    rows = {"cudaA": "hipGone", "cudaB": "hipNever", "cudaC": {"hip": "hipGone", "rocm": {"removed": "10.0"}}}
    write(folder, functions=rows, evidence={"unseen_hip": [{"names": "hipHidden", "reason": "Bindings leave it out."}]})
    sets = [bound("7.2", function("hipGone")), bound("10.0", function("hipFree"))]
    assert found(folder, *sets) == [
        ("cudaA", "stale target", "hipGone is gone since ROCm 10.0"),
        ("cudaB", "unconfirmed HIP name", "hipNever is in none of ROCm 7.2 10.0"),
    ]
    write(
        folder,
        functions={"cudaA": "hipHidden"},
        evidence=yaml.safe_load((folder / "runtime.yaml").read_text())["evidence"],
    )
    assert found(folder, *sets) == []


def test_names_within_rows_are_looked_at_too(folder: Path) -> None:
    row = {
        "hip": "hipFree",
        "by_arity": {"2": "hipNeverA"},
        "by_type": {"0": {"cudaThing": {"hip": "hipNeverB"}}},
        "before": {"rocm": "7.0", "hip": "hipNeverC"},
    }
    write(folder, functions={"cudaA": row})
    sets = [bound("6.4", function("hipFree")), bound("10.0", function("hipFree"))]
    assert [(kind, what.split()[0].strip(",")) for _, kind, what in found(folder, *sets)] == [
        ("unconfirmed HIP name", "hipNeverA"),
        ("unconfirmed HIP name", "hipNeverB"),
        ("stale target", "hipNeverC"),
    ]


def test_versions_that_rows_claim(folder: Path) -> None:
    rows = {
        "cudaNothing": "hipNew",
        "cudaRight": {"hip": "hipNew", "rocm": {"added": "7.1"}},
        "cudaLate": {"hip": "hipNew", "rocm": {"added": "10.0"}},
        "cudaEarly": {"hip": "hipNew", "rocm": {"added": "6.1"}},
        "cudaOtherwise": {"hip": "hipNew", "before": {"rocm": "7.1", "hip": "hipOld"}},
    }
    write(folder, functions=rows)
    old = function("hipOld")
    sets = [bound("6.4", old), bound("7.0", old), bound("7.2", function("hipNew")), bound("10.0", function("hipNew"))]
    assert found(folder, *sets) == [
        ("cudaEarly", "wrong version", "hipNew is not in ROCm 7.0, first in 7.2; the row says 6.1"),
        ("cudaLate", "wrong version", "hipNew is in ROCm 7.2, not only since 10.0"),
        ("cudaNothing", "wrong version", "hipNew is not in ROCm 7.0, first in 7.2; the row says nothing"),
    ]


def test_headers_decide_where_bindings_never_have_a_name(folder: Path) -> None:
    write(folder, device_functions={"__cuda_thing": "__hip_thing"})
    thing = Symbol("__hip_thing", "device function")
    assert found(folder, headers("7.1", thing), bound("10.0", function("hipFree"))) == []
    elsewhere = headers("7.2", function("hipFree"), header="hip/other.h")
    assert found(folder, headers("7.1", thing), elsewhere) == [], "a set without the header cannot tell"
    assert found(folder, headers("7.1", thing), headers("7.2")) == [
        ("__cuda_thing", "stale target", "__hip_thing is gone since ROCm 7.2")
    ]


def test_libraries_without_a_set_are_counted_as_not_checked(folder: Path) -> None:
    write(folder, functions={"cudaA": {"hip": "hipFree", "roc": "rocblas_thing"}})
    verification = verify(folder, [bound("10.0", function("hipFree"))])
    assert verification.problems == []
    assert verification.unchecked == {"roc names of rocblas": 1}
    rocblas = headers("6.4", function("rocblas_other"), library="rocblas", header="rocblas/rocblas.h")
    problems = verify(folder, [bound("10.0", function("hipFree")), rocblas]).problems
    assert [problem.kind for problem in problems] == ["unconfirmed HIP name"]


def test_sets_that_lack_the_header_of_a_table_deny_nothing(folder: Path) -> None:
    rows = {"headers": {HEADER: "hip/elsewhere.h"}, "device_functions": {"__cuda_thing": "__hip_thing"}}
    write(folder, **rows)
    part = headers("7.1", function("hipFree"))._replace(whole=False)
    verification = verify(folder, [part])
    assert verification.problems == []
    assert verification.unchecked == {"hip headers of hip": 1, "hip names of hip": 1}
    whole = part._replace(whole=True)
    assert [problem.kind for problem in verify(folder, [whole]).problems] == ["unconfirmed HIP name"] * 2


CHANGED = (
    cuda("12.9", function("cudaA", "int (int)")),
    cuda("13.5", function("cudaA", "int (int *, int)")),
    bound("10.0", function("hipFree", "int (int)"), function("hipOther", "int (int *, int)")),
)


@pytest.mark.parametrize(
    "decision",
    [
        {"by_arity": {"2": {"hip": "hipFree", "args": {"0": None}}}},
        {"by_arity": {"2": "hipOther"}},
        {"by_arity": {"2": {"unsupported": True, "advice": "None."}}},
        {"by_type": {"0": {"cudaThing": "hipOther"}}},
        {"differs": "Something."},
        {"agrees": "Something."},
        {"hip": "hipOther", "before": {"cuda": "13.0", "hip": "hipFree"}},
    ],
)
def test_signatures_that_differ_want_a_decision(folder: Path, decision: dict[str, Any]) -> None:
    write(folder, functions={"cudaA": "hipFree"})
    what = "hipFree: 2 arguments, HIP takes 1 (the first that differs is argument 1: int, CUDA has int *) [CUDA 13.5]"
    assert found(folder, *CHANGED) == [("cudaA", "undecided signature", what)]
    write(folder, functions={"cudaA": {"hip": "hipFree", **decision}})
    assert found(folder, *CHANGED) == []


@pytest.mark.parametrize(
    ("edits", "fits"),
    [
        ({"args": {"1": None}}, True),
        ({"args": {"0": None}}, False),
        ({"args": {"0": "&{}", "1": None}}, True),
        ({"args": {"0": "f({})", "1": "0, 0"}}, False),
        ({"order": [0]}, True),
        ({"order": [1]}, False),
        ({"args": {"0": None, "1": None}, "insert": {"0": "nullptr"}}, True),
        ({"args": {"1": None}, "insert": {"2": "0"}}, False),
    ],
)
def test_edits_have_to_give_what_hip_takes(folder: Path, edits: dict[str, Any], fits: bool) -> None:
    write(folder, functions={"cudaA": {"hip": "hipFree", **edits}})
    sets = [cuda("13.5", function("cudaA", "int (int *, float *)")), bound("10.0", function("hipFree", "int (int *)"))]
    assert [kind for _, kind, _ in found(folder, *sets)] == ([] if fits else ["edits that do not fit"])


def test_types_beside_a_librarys_header(folder: Path) -> None:
    kinds = {"cudaKind": {"hip": "hipKind", "by_library": {"runtime": "hipOwnKind"}}}
    write(folder, types=kinds, functions={"cudaA": "hipFree"})
    own = Symbol("hipOwnKind", "type", value="struct")
    sets = [
        cuda("13.5", function("cudaA", "int (cudaKind *)"), Symbol("cudaKind", "type", value="struct")),
        bound("10.0", function("hipFree", "int (hipOwnKind *)"), own, own._replace(name="hipKind")),
    ]
    assert found(folder, *sets) == []


def test_the_native_side_is_compared_apart(folder: Path) -> None:
    rocblas = headers("6.4", function("rocblas_a", "int (int *)"), library="rocblas", header="rocblas/rocblas.h")
    sets = [cuda("13.5", function("cudaA")), bound("10.0", function("hipFree")), rocblas]
    write(folder, functions={"cudaA": {"hip": "hipFree", "roc": "rocblas_a"}})
    assert [kind for _, kind, _ in found(folder, *sets)] == ["undecided roc signature"]
    write(folder, functions={"cudaA": {"hip": "hipFree", "roc": {"hip": "rocblas_a", "differs": "A pointer."}}})
    assert found(folder, *sets) == []


def test_defaults_and_overloads_come_from_headers(folder: Path) -> None:
    write(folder, functions={"cudaA": "hipA", "cudaB": "hipB"})
    sets = [
        cuda("13.5", function("cudaA"), function("cudaB", "int (int)", "int (int, int)")),
        headers("7.1", function("hipA", "int (int, int =)"), function("hipB", "int (int)", "int (int, int)")),
        bound("10.0", function("hipA", "int (int, int)"), function("hipB", "int (int)")),
    ]
    assert [row for row, kind, _ in found(folder, *sets) if kind == "undecided signature"] == []


def test_public_symbols_want_a_row_a_reason_or_a_family(folder: Path) -> None:
    write(
        folder,
        functions={"cudaKnown": "hipFree"},
        families=[{"prefix": "cudaFamily", "advice": "None."}],
        evidence={"internal": [{"names": "cudaInternal.*", "reason": "An implementation detail."}]},
    )
    names = ("cudaKnown", "cudaFamilyThing", "cudaInternalThing", "cudaMissing", "_cudaReserved")
    sets = [cuda("12.9", *map(function, names)), cuda("13.5", *map(function, names[:3]))]
    verification = verify(folder, sets)
    assert [(p.table, p.row, p.kind, p.what) for p in verification.problems] == [
        ("runtime", "cudaMissing", "uncovered symbol", f"function of {HEADER} in CUDA 12.9")
    ]
    assert verification.figures["uncovered symbol, CUDA 12.9"] == 1
    assert verification.figures["uncovered symbol, CUDA 13.5"] == 0


def test_numbers_that_differ_want_to_be_listed(folder: Path) -> None:
    sets = [
        cuda("13.5", *enumeration("cudaKind", cudaOne=1, cudaTwo=2, cudaThree=3)),
        headers("7.1", *enumeration("hipKind", hipOne=1, hipTwo=20)),
    ]
    rows = {"cudaOne": "hipOne", "cudaTwo": "hipTwo", "cudaThree": {"unsupported": True}}
    write(folder, types={"cudaKind": "hipKind"}, enumerators=rows)
    assert found(folder, *sets) == [
        ("cudaKind", "enumerator number", "cudaTwo is 2, hipTwo is 20: `values` does not list it")
    ]
    write(folder, types={"cudaKind": {"hip": "hipKind", "values": {"2": "hipTwo=20"}}}, enumerators=rows)
    assert found(folder, *sets) == []


def test_only_the_named_tables(folder: Path) -> None:
    write(folder, functions={"cudaWrong": "hipNever"})
    sets = [cuda("13.5"), bound("10.0", function("hipFree"))]
    assert verify(folder, sets, ["driver"]).problems == []
    assert len(verify(folder, sets, ["runtime"]).problems) == 2


def test_tables_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(TableError, match="no mapping tables"):
        verify(folder / "nowhere", [])
    (folder / "broken.yaml").write_text("library: [")
    with pytest.raises(TableError, match=r"broken\.yaml"):
        verify(folder, [])
    (folder / "broken.yaml").write_text("library: a\nevidence: {internal: [{names: '(', reason: because}]}\n")
    with pytest.raises(TableError, match=r"evidence\.internal"):
        verify(folder, [])


def test_versions_numbers_and_their_uses_as_a_patch(folder: Path) -> None:
    write(
        folder,
        functions={
            "cudaNew": {"hip": "hipNew", "rocm": {"deprecated": "10.0"}},
            "cudaGone": "hipGone",
            "cudaSame": {"hip": "hipSame", "rocm": {"added": "7.0"}},
            "cudaRenamed": "hipRenamed",
            "cudaTakes": "hipSame",
        },
        types={"cudaKind": "hipKind"},
        enumerators={"cudaOne": "hipOne", "cudaTwo": "hipTwo", "cudaThree": {"unsupported": True}},
    )
    sets = [
        cuda(
            "13.5",
            function("cudaRenamed", "int (const float *)"),
            function("cudaTakes", "int (float, cudaKind, cudaKind *)"),
            *enumeration("cudaKind", cudaOne=1, cudaTwo=2, cudaThree=3),
        ),
        bound(
            "6.4",
            function("hipGone"),
            function("hipSame"),
            function("hipRenamed", "int (int *)"),
            function("hipRenamed_v2", "int (float *)"),
        ),
        headers("7.1", *enumeration("hipKind", hipOne=1, hipTwo=20)),
        bound("7.2", function("hipNew"), function("hipSame"), function("hipRenamed", "int (const float *)")),
    ]
    assert derive(folder, sets) == {
        "runtime": {
            "functions": {
                "cudaNew": {"rocm": {"deprecated": "10.0", "added": "7.2"}},
                "cudaGone": {"rocm": {"removed": "7.2"}},
                "cudaSame": {"rocm": None},
                "cudaRenamed": {"before": {"rocm": "7.2", "hip": "hipRenamed_v2"}},
                "cudaTakes": {"enums": {"1": "cudaKind"}},
            },
            "types": {"cudaKind": {"values": {"2": "hipTwo=20", "3": None}}},
        }
    }


def test_a_new_version_as_a_patch(folder: Path) -> None:
    write(
        folder,
        functions={
            "cudaOld": "hipOld",
            "cudaChanged": "hipChanged",
            "cudaLost": "hipLost",
            "cudaWaiting": {"unsupported": True, "advice": "Wait."},
        },
    )
    known = [
        cuda("13.5", *map(function, ("cudaOld", "cudaChanged", "cudaLost", "cudaWaiting"))),
        bound("10.0", *map(function, ("hipOld", "hipChanged", "hipLost", "hipReady"))),
    ]
    new = [
        cuda(
            "14.0",
            *map(function, ("cudaLost", "cudaWaiting", "cudaReady", "cudaUnheard")),
            function("cudaChanged", "int (int, int)"),
        ),
        bound("11.0", *map(function, ("hipOld", "hipChanged", "hipReady")), function("hipWaiting", "int (int *)")),
    ]
    rows = diff(folder, new, known)["runtime"]["functions"]
    assert rows == {
        "cudaReady": {"hip": "hipReady", "cuda": {"added": "14.0"}},
        "cudaUnheard": {
            "unsupported": True,
            "advice": "TODO: what a porter does instead.",
            "cuda": {"added": "14.0"},
        },
        "cudaOld": {"cuda": {"removed": "14.0"}},
        "cudaChanged": {
            "cuda": {"changed": "14.0"},
            "note": "TODO: CUDA 14.0 has int (int, int), before it had int (int)",
        },
        "cudaLost": {"rocm": {"removed": "11.0"}},
        "cudaWaiting": {
            "hip": "hipWaiting",
            "differs": "TODO: argument 1 is int *, CUDA has int",
            "rocm": {"added": "11.0"},
        },
    }


@pytest.mark.parametrize(
    ("name", "hip"),
    [
        ("cudaMalloc", "hipMalloc"),
        ("cuMemAlloc", "hipMemAlloc"),
        ("CUDA_SUCCESS", "HIP_SUCCESS"),
        ("cublasSaxpy", "hipblasSaxpy"),
        ("CUSPARSE_STATUS", "HIPSPARSE_STATUS"),
        ("cub::DeviceScan", "hipcub::DeviceScan"),
        ("unrelated", ""),
    ],
)
def test_names_by_prefix(name: str, hip: str) -> None:
    assert hip_name(name) == hip
