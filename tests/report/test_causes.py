"""Findings by what one decision of a porter resolves."""

from __future__ import annotations

from hipify_py.catalog import load_catalog
from hipify_py.core.findings import Finding
from hipify_py.core.translation import Counts
from hipify_py.project.result import CHANGED, FAILED, UNCHANGED, FileResult
from hipify_py.report.causes import causes_of, efforts_line


def finding(
    id: str, name: str = "", library: str = "", *, detail: str = "", path: str = "a.cu", **more: str
) -> Finding:
    entry = load_catalog().diagnostic(id)
    words = {"target": "hipX", "rocm": more.get("rocm", "")}
    message = entry.message.format(name=name, library=library, detail=detail, **words)
    return Finding(id, entry.severity, entry.effort, message, path, 0, 1, 1, name, library, rocm=more.get("rocm", ""))


def result(*findings: Finding, path: str = "a.cu", status: str = CHANGED, **libraries: Counts) -> FileResult:
    return FileResult(path, status, findings=tuple(each._replace(path=path) for each in findings), libraries=libraries)


def test_a_library_without_any_counterpart_is_one_cause() -> None:
    names = [finding("HIP101", f"nvFoo{n}", "nvfoo", detail=f": Use {n}.") for n in range(12)]
    (cause,) = causes_of([result(*names[:6], path="a.cu"), result(*names[4:], path="b.cu")])
    assert cause.title == "HIP has no counterpart of nvfoo: nvFoo0 and 11 more names"
    assert (cause.names, cause.places, cause.files, cause.effort) == (12, 14, 2, "high")
    assert (cause.place, cause.extent) == ("a.cu:1", "14 places in 2 files")


def test_a_library_that_is_mostly_converted_is_not() -> None:
    one, other = finding("HIP101", "cufooA", "cufoo", detail=": Use A."), finding("HIP101", "cufooB", "cufoo")
    causes = causes_of([result(one, other, one, cufoo=Counts(converted=9))])
    assert [(cause.names, cause.places, cause.effort) for cause in causes] == [(1, 2, "medium"), (1, 1, "medium")]


def test_names_with_one_advice_are_one_cause() -> None:
    names = [finding("HIP101", f"fooMap{n}", "foo", detail=": Share the buffer.") for n in "ABC"]
    names.append(finding("HIP107", "<foo.h>", "foo", detail=": Share the buffer."))
    (cause,) = causes_of([result(*names, foo=Counts(native=1))])
    assert cause.title == "fooMapA and 3 more names (foo) have no HIP counterpart: Share the buffer."


def test_what_a_newer_rocm_has_is_one_cause_a_version() -> None:
    found = [finding("HIP108", f"foo{n}", "foo", rocm=rocm) for n, rocm in enumerate(("7.0", "7.0", "10.0"))]
    causes = causes_of([result(*found)])
    assert [(cause.title, cause.rocm) for cause in causes] == [
        ("foo0 and 1 more name need ROCm 7.0 or later", "7.0"),
        ("foo2 (foo) needs ROCm 10.0 or later, which has hipX", "10.0"),
    ]


def test_how_often_a_message_holds_in_a_file_makes_no_other_cause() -> None:
    one = finding("HIP103", "fooX", "foo", detail="it waits")
    (cause,) = causes_of([result(one._replace(message=f"{one.message} (and 3 more in this file)")), result(one)])
    assert (cause.title, cause.places) == (one.message, 2)


def test_messages_of_a_compiler_are_told_apart_by_their_text() -> None:
    said = finding("HIP920")._replace(message="no member named 'x' in 'S' (in HIP: s.x = 1;)")
    other = said._replace(message="no member named 'y' in 'S'", severity="error")
    assert len(causes_of([result(said, said._replace(message="no member named 'x' in 'S'"), other)])) == 2


def test_the_gravest_come_first_and_failures_are_left_out() -> None:
    results = [
        result(finding("HIP103", "a"), finding("HIP101", "b", "x"), finding("HIP102", "c", "y"), status=UNCHANGED),
        result(finding("HIP101", "d"), status=FAILED),
    ]
    causes = causes_of(results)
    assert [cause.severity for cause in causes] == ["error", "warning", "note"]
    assert efforts_line(causes) == "1 medium, 2 low"
